// @vitest-environment jsdom
import { fireEvent, screen } from '@testing-library/react';
import i18next from 'i18next';
import { expect, it, vi } from 'vitest';
import { showStartFailure } from '../pwa/startFailure.ts';
import { changeLanguage } from './changeLanguage.ts';
import { startI18n, type TextTree, textLoading, withTexts } from './translations.ts';

it('reports texts that failed to load, and switches the language only after its texts have loaded', async () => {
  textLoading.retries = 0;
  localStorage.setItem('i18nextLng', 'en');
  const lost = (): Promise<TextTree> => Promise.reject(new TypeError('Failed to fetch'));
  const en = vi.fn(lost);
  const zh = vi.fn(lost);
  startI18n((_, language) => (language === 'en' ? en() : zh()));
  const begin = () => withTexts(['app'], async () => 'the app');

  await expect(begin()).rejects.toThrow('the words of app did not come');
  en.mockResolvedValue({ brand: { name: 'Sooner' } });
  await expect(begin()).resolves.toBe('the app');
  expect(i18next.t('brand.name')).toBe('Sooner');

  await expect(changeLanguage('zh')).rejects.toThrow('the words of app did not come');
  expect([i18next.language, i18next.t('brand.name'), localStorage.getItem('i18nextLng')]).toEqual(['en', 'Sooner', 'en']);
  zh.mockResolvedValue({ brand: { name: '早签' } });
  await changeLanguage('zh');
  expect([i18next.language, i18next.t('brand.name'), localStorage.getItem('i18nextLng')]).toEqual(['zh', '早签', 'zh']);
});

it('replaces the skeleton with a message and a retry button if the app could not start', () => {
  const root = document.body.appendChild(document.createElement('div'));
  root.innerHTML = '<div class="first" aria-hidden="true">…</div>';
  const retry = vi.fn();
  showStartFailure(root, 'zh', retry);
  expect(screen.getByRole('alert').textContent).toContain('连不上早签');
  fireEvent.click(screen.getByRole('button', { name: '再试一次' }));
  expect(retry).toHaveBeenCalledTimes(1);
});
