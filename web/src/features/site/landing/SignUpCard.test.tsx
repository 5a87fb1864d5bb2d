import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../../mock/Frame.tsx';
import { type Facts, FactsProvider } from '../../../shared/api/facts.tsx';
import { storeMethods } from '../../../shared/api/methods.ts';
import { AppUiTexts } from '../../../shared/i18n/AppUiTexts.tsx';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import { TravelContext } from '../../../shared/ui/Link.tsx';
import { SignUpCard } from './SignUpCard.tsx';

// Long timeouts for slow machines.
vi.setConfig({ testTimeout: 60_000 });
const WAIT = { timeout: 10_000 };

const t = i18next.t.bind(i18next);
const go = vi.fn();
let answer: (response: Response) => void;
const sent: unknown[] = [];
const jsonResponse = (status: number, body: object) => new Response(JSON.stringify(body), { status });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  storeMethods({ google: true, mail: true, passkeys: true, registration: 'open', billing: true, link: false });
  sent.length = 0;
  go.mockClear();
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push(await request.json());
    return new Promise<Response>((resolve) => {
      answer = resolve;
    });
  });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function shown(facts: Facts = { mail: '1', google: '1' }) {
  render(
    <Frame>
      <TravelContext value={{ link: ({ to, children }) => <a href={to}>{children}</a>, go, speak: vi.fn() }}>
        <FactsProvider facts={facts}>
          <AppUiTexts>
            <SignUpCard />
          </AppUiTexts>
        </FactsProvider>
      </TravelContext>
    </Frame>,
  );
}

const field = (key: 'email' | 'password' | 'confirmPassword') =>
  screen.getByLabelText(t(`auth.${key}`), { exact: true }) as HTMLInputElement;
const button = () => screen.getByRole('button', { name: t('auth.registerButton') }) as HTMLButtonElement;

/** Fills in the form and submits it. */
async function register() {
  for (const [key, value] of [
    ['email', 'lin@example.com'],
    ['password', 'Sunrise#2026'],
    ['confirmPassword', 'Sunrise#2026'],
  ] as const)
    fireEvent.change(field(key), { target: { value } });
  fireEvent.click(button());
  await vi.waitFor(() => expect(sent).toHaveLength(1), WAIT);
}

describe('the registration card of the landing page', () => {
  // spec: 2.2.14, 2.2.15, 2.2.16, 2.2.17, 2.2.19, 2.2.21
  it('has a title, labels for each field, and the other sign-in methods', async () => {
    shown();
    expect(screen.getByRole('heading', { name: 'Create Account' })).toBeTruthy();
    expect(screen.getByText('This will be used as your username').id).toBe(field('email').getAttribute('aria-describedby'));
    expect(field('confirmPassword').type).toBe('password');
    fireEvent.change(field('password'), { target: { value: 'sunrise' } });
    expect(screen.getByText(t('auth.weak'))).toBeTruthy();
    fireEvent.change(field('password'), { target: { value: 'Sunrise#2026' } });
    // Like pages without HTTPS, jsdom has no hash function, so common passwords are not checked.
    expect(await screen.findByText(t('auth.hasAll'))).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Sign in here' }).getAttribute('href')).toBe('/auth/login');
    expect(screen.getByRole('link', { name: t('footer.privacy') }).getAttribute('href')).toBe('/privacy');
    const google = screen.getByRole('button', { name: t('auth.google') });
    // The button is above the form, so that users see it before they type.
    expect(google.compareDocumentPosition(field('email')) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    cleanup();
    shown({ mail: '1' });
    expect(screen.queryByRole('button', { name: t('auth.google') })).toBeNull();
  });

  // spec: 2.2.18, 2.2.20, 2.2.22, 2.2.23, 9.15
  it('is disabled while sending, reports success, and opens the sign-in after 2.5 s', async () => {
    shown();
    await register();
    expect(sent[0]).toMatchObject({ username: 'lin@example.com', email: 'lin@example.com', password: 'Sunrise#2026' });
    expect([field('email'), field('password'), field('confirmPassword')].every((one) => one.disabled)).toBe(true);
    expect(button().getAttribute('aria-busy')).toBe('true');
    expect(screen.getByRole('button', { name: t('auth.google') })).toHaveProperty('disabled', true);
    await act(async () => answer(jsonResponse(200, { success: true, data: {}, error: null })));
    await vi.waitFor(() => expect(screen.getByRole('status', { name: '' }).textContent).toContain(t('auth.registered')), WAIT);
    await act(() => vi.advanceTimersByTimeAsync(2_300));
    expect(go).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(go).toHaveBeenCalledExactlyOnceWith('/auth/check-mail');
  });

  // spec: 2.2.20
  it('reports a failure with its reason, and can be sent again', async () => {
    shown();
    await register();
    const error = { code: 'RATE_LIMITED', message: 'too many' };
    await act(async () => answer(jsonResponse(429, { success: false, data: null, error })));
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).not.toBe(''), WAIT);
    expect(field('email').disabled).toBe(false);
    expect(button().disabled).toBe(false);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(go).not.toHaveBeenCalled();
  });
});
