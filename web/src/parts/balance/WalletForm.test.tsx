import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { WalletOffer } from '../../shared/api/money.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { backend, show, t } from './testing.tsx';
import { leaving } from './useWalletPayment.ts';
import { WalletForm } from './WalletForm.tsx';

const offer = (method: WalletOffer['method']): WalletOffer => ({ method, currency: 'CAD', min_amount: 10, max_amount: 500 });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));
const showCode = () => t('wallet.showCode', { amount: '60.00', currency: 'CAD' });
const begun = (server: ReturnType<typeof backend>) => server.calls('/payment/stripe/create-intent').map((call) => call.key);

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

// spec: 10.11.39
it('shows the same code again while the outcome of the first is unknown', async () => {
  const server = backend();
  show(<WalletForm offer={offer('wechat_pay')} suggested={60} />);
  press(showCode());
  await screen.findByRole('dialog');
  fireEvent.click(screen.getAllByRole('button', { name: t('wallet.putAway') })[0] as HTMLElement);
  // The payment may have succeeded a moment ago, so this is no error and must not start a second
  // payment.
  expect((await screen.findByText(t('wallet.notPaid'))).closest('[role="alert"]')).toBeTruthy();
  press(showCode());
  await screen.findByRole('dialog');
  const [first, second] = begun(server);
  expect(first).toBeTruthy();
  expect(second).toBe(first);
});

it('starts a new payment after the first has failed', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const server = backend();
  show(<WalletForm offer={offer('wechat_pay')} suggested={60} />);
  press(showCode());
  await screen.findByRole('dialog');
  for (const intent of server.money.intents.values()) intent.status = 'canceled';
  await act(() => vi.advanceTimersByTimeAsync(4_000));
  await screen.findByText(t('wallet.notPaid'));
  press(showCode());
  await screen.findByRole('dialog');
  expect(new Set(begun(server)).size).toBe(2);
});

it('permits another payment after the user returned from the wallet’s page with the back button', async () => {
  const left = vi.spyOn(leaving, 'to').mockImplementation(() => {});
  const server = backend();
  show(<WalletForm offer={offer('alipay')} suggested={60} />);
  const button = () =>
    screen.getByRole<HTMLButtonElement>('button', { name: t('wallet.toAlipay', { amount: '60.00', currency: 'CAD' }) });
  fireEvent.click(button());
  await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(1));
  act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await screen.findByText(t('wallet.notPaid'));
  expect(button().disabled).toBe(false);
  fireEvent.click(button());
  await vi.waitFor(() => expect(left).toHaveBeenCalledTimes(2));
  expect(new Set(begun(server)).size).toBe(1);
});
