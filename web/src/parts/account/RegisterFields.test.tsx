import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { hydrateRoot, type Root } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AppUiTexts } from '../../shared/i18n/AppUiTexts.tsx';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { RegisterFields } from './RegisterFields.tsx';

let root: Root | undefined;

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(JSON.stringify({ success: true, data: { mail: true, google: false }, error: null }))),
  );
});

afterEach(() => {
  act(() => root?.unmount());
  cleanup();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it('keeps and uses values that were typed before hydration', async () => {
  const form = (
    <AppUiTexts>
      <RegisterFields delayMs={0} onDone={() => undefined} />
    </AppUiTexts>
  );
  const place = document.body.appendChild(document.createElement('div'));
  place.innerHTML = renderToString(form);
  const field = (name: string) => place.querySelector(`input[name="${name}"]`) as HTMLInputElement;
  const early = field('email');
  early.value = 'lin@example.com';
  field('password').value = 'Sunrise#2026';
  const complaints = vi.fn();
  await act(async () => {
    root = hydrateRoot(place, form, { onRecoverableError: complaints });
  });
  expect(field('email')).toBe(early);
  expect([field('email').value, field('password').value]).toEqual(['lin@example.com', 'Sunrise#2026']);
  expect(complaints).not.toHaveBeenCalled();
  await waitFor(() => expect(screen.getByText(i18next.t('auth.hasAll'))).toBeTruthy());
  fireEvent.click(screen.getByRole('button', { name: i18next.t('auth.registerButton') }));
  await waitFor(() => expect(screen.getByText(i18next.t('auth.confirmRequired'))).toBeTruthy());
  expect(screen.queryByText(i18next.t('auth.emailRequired'))).toBeNull();
});

it('never lets the browser put a password into an address', () => {
  const html = renderToString(
    <AppUiTexts>
      <RegisterFields delayMs={0} onDone={() => undefined} />
    </AppUiTexts>,
  );
  expect(html).toContain('method="post"');
});

it('does not rate a refused password as good', async () => {
  render(
    <AppUiTexts>
      <RegisterFields delayMs={0} onDone={() => undefined} />
    </AppUiTexts>,
  );
  fireEvent.change(screen.getByLabelText(i18next.t('auth.password')), { target: { value: 'password1' } });
  expect(screen.getByText(i18next.t('auth.good'))).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: i18next.t('auth.registerButton') }));
  expect(await screen.findByText(i18next.t('auth.passwordClasses'))).toBeTruthy();
  expect(screen.getByText(i18next.t('auth.fair'))).toBeTruthy();
  expect(screen.queryByText(i18next.t('auth.good'))).toBeNull();
});

it('shows each password rule once before the user types', async () => {
  render(
    <AppUiTexts>
      <RegisterFields delayMs={0} onDone={() => undefined} />
    </AppUiTexts>,
  );
  expect(screen.getByPlaceholderText('at least 8 characters')).toBeTruthy();
  expect(screen.getByText(i18next.t('auth.passwordClasses')).textContent).toMatch(/uppercase.*lowercase.*number.*special/);
  const field = screen.getByLabelText(i18next.t('auth.password'));
  fireEvent.change(field, { target: { value: 'password1' } });
  expect(screen.getByText(/^Still needs an uppercase letter, a special character/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: i18next.t('auth.registerButton') }));
  expect(await screen.findByText(i18next.t('auth.passwordClasses'))).toBeTruthy();
  expect(screen.queryByText(/^Still needs/)).toBeNull();
});
