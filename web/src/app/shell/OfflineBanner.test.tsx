import { act, cleanup, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { OfflineBanner } from './OfflineBanner.tsx';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it('shows without a network how old the data is, and that the server keeps polling', async () => {
  fakeBackend();
  renderAt(<OfflineBanner />);
  await act(() => vi.advanceTimersByTimeAsync(1_000));
  await act(() => queryClient.fetchQuery(queries.stats()));
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  act(() => void window.dispatchEvent(new Event('offline')));
  expect(screen.getByText(i18next.t('shell.offlineNow'))).toBeTruthy();
  await act(() => vi.advanceTimersByTimeAsync(3 * 60_000 + 20_000));
  expect(screen.getByText(i18next.t('shell.offlineTitle', { count: 3 }))).toBeTruthy();
  expect(screen.getByText(i18next.t('shell.offlineText'))).toBeTruthy();
  online.mockReturnValue(true);
  act(() => void window.dispatchEvent(new Event('online')));
  expect(screen.queryByText(i18next.t('shell.offlineText'))).toBeNull();
});
