import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { LoginAnswer } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { DashboardPage } from './DashboardPage.tsx';

/** Returns a text in the page's language. */
export const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

/** Signs a user in on the fake backend. The returned `show` renders the dashboard. */
export function open(email = 'lin@example.com', path = '/dashboard') {
  acceptLogin({ access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: email, email } } as LoginAnswer, true);
  const backend = fakeBackend(email);
  return { ...backend, show: () => renderAt(<DashboardPage />, path) };
}

/** Returns the requests for a page of tasks, from all sent requests. */
export const lists = (sent: string[]) => sent.filter((call) => call.startsWith('GET /schedules?'));

/** Waits for the cards. It queries elements, because queries by role are slow in jsdom. */
export const cards = () =>
  waitFor(() => {
    const found = [...document.querySelectorAll('article')];
    if (found.length === 0) throw new Error('no card yet');
    return found;
  });

export const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

/** Registers hooks that reset language, stream state and storage before each test. */
export function eachAnew(): void {
  beforeEach(async () => {
    await i18nReady;
    await i18next.changeLanguage('en');
    queryClient.clear();
    queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 300_000 } });
    streamState.set('live');
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    toastManager.close();
    endSession();
    cleanup();
    vi.unstubAllGlobals();
  });
}
