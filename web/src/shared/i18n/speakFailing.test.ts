import { fireEvent, screen } from '@testing-library/react';
import i18next from 'i18next';
import { expect, it, vi } from 'vitest';
import { sayNotStarted } from '../pwa/notStarted.ts';
import { changeLanguage } from './changeLanguage.ts';
import { speak, wordLoading } from './speak.ts';

// Alone in its file: nobody has spoken before. Each piece comes or fails as its test says.
it('says that words did not come, and speaks another language only when its words are there', async () => {
  wordLoading.maxRetries = 0;
  localStorage.setItem('i18nextLng', 'en');
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  const en = vi.fn().mockImplementation(lost);
  const zh = vi.fn().mockImplementation(lost);
  const begin = () => speak({ en: { app: en }, zh: { app: zh } }, 'app');

  await expect(begin()).rejects.toThrow('the words of app did not come');
  en.mockResolvedValue({ default: { brand: { name: 'Sooner' } } });
  await begin();
  expect(i18next.t('brand.name')).toBe('Sooner');

  await expect(changeLanguage('zh')).rejects.toThrow('the words of app did not come');
  expect([i18next.language, i18next.t('brand.name'), localStorage.getItem('i18nextLng')]).toEqual(['en', 'Sooner', 'en']);
  zh.mockResolvedValue({ default: { brand: { name: '早签' } } });
  await changeLanguage('zh');
  expect([i18next.language, i18next.t('brand.name'), localStorage.getItem('i18nextLng')]).toEqual(['zh', '早签', 'zh']);
});

it('says in place of the outline that the app could not start, with a way to try again', () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = '<div class="first" aria-hidden="true">…</div>';
  const retry = vi.fn();
  sayNotStarted(root, 'zh', retry);
  expect(screen.getByRole('alert').textContent).toContain('连不上早签');
  fireEvent.click(screen.getByRole('button', { name: '再试一次' }));
  expect(retry).toHaveBeenCalledTimes(1);
});
