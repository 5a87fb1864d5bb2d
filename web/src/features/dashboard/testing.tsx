import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { LoginAnswer } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { DashboardPage } from './DashboardPage.tsx';

/** The words of the page's language. */
export const t = (key: Words, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

/** Signs somebody in over the fake backend; `show` renders their dashboard. */
export function open(email = 'lin@example.com', path = '/dashboard') {
  acceptLogin({ access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: email, email } } as LoginAnswer, true);
  const backend = fakeBackend(email);
  return { ...backend, show: () => renderAt(<DashboardPage />, path) };
}

/** The calls for a page of tasks. */
export const lists = (sent: string[]) => sent.filter((call) => call.startsWith('GET /schedules?'));

/** By the document and not by role: asking forty cards for their roles takes jsdom seconds. */
export const cards = () =>
  waitFor(() => {
    const found = [...document.querySelectorAll('article')];
    if (found.length === 0) throw new Error('no card yet');
    return found;
  });

export const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));

/** Each test in English, with a live stream and nothing of the one before. */
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
