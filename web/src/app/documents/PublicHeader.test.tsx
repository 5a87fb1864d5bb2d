import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { PublicHeader } from './PublicHeader.tsx';

const t = i18next.t.bind(i18next);

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  render(<PublicHeader page="home" language="en" texts={{}} />);
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

// spec: 2.2.03, 2.2.09, 2.2.13, 2.13.01
it('links to the parts of the page, the questions, the sign-in and the registration', async () => {
  const nav = screen.getByRole('navigation', { name: t('shell.mainNav') });
  const links = within(nav).getAllByRole('link', { hidden: true });
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['#showcase', '#feedback', '#contact', '/faq']);
  fireEvent.click(screen.getByLabelText(t('open.menu')));
  const items = await screen.findAllByRole('menuitem', undefined, { timeout: 10_000 });
  expect(items.map((item) => item.getAttribute('href')).slice(-2)).toEqual(['/auth/login', '/auth/register']);
});

// spec: 2.2.02
it('switches the language by loading the other document, and stores the choice for the server', async () => {
  // jsdom cannot reload a page, and logs an error.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  window.history.replaceState(null, '', '/?lang=en#contact');
  fireEvent.click(screen.getByRole('button', { name: t('shell.zh') }));
  await waitFor(() => expect(document.cookie).toContain('lang=zh'));
  expect(localStorage.getItem('i18nextLng')).toBe('zh');
  expect(`${window.location.search}${window.location.hash}`).toBe('#contact');
  window.history.replaceState(null, '', '/');
});
