import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { moneyOf } from '../../../mock/money.ts';
import { BalanceCard } from '../../parts/balance/BalanceCard.tsx';
import { backend, show, t } from '../../parts/balance/testing.tsx';
import { leaving } from '../../parts/balance/useWalletPayment.ts';
import type { CardPayment } from '../../shared/api/money.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { outcomeOf, PaymentPage } from './PaymentPage.tsx';

const amountField = () => screen.getByLabelText<HTMLInputElement>(t('card.amount'));
const routes = (
  <Routes>
    <Route path="/balance/payment" element={<PaymentPage />} />
  </Routes>
);

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  sessionStorage.clear();
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('the outcome of a payment', () => {
  it.each([
    ['succeeded', true, 'payment.done'],
    ['succeeded', false, 'payment.processing'],
    ['processing', false, 'payment.processing'],
    ['requires_payment_method', false, 'payment.failed'],
    ['canceled', false, 'payment.failed'],
    ['requires_action', false, 'payment.open'],
    ['a word of tomorrow', false, 'payment.open'],
  ])('%s, credited %s: %s', (status, credited, text) => {
    expect(outcomeOf({ status, credited, amount: 20, currency: 'CAD' } as CardPayment).title).toBe(text);
  });
});

describe('the return from the provider', () => {
  const back = async (id: string) => {
    const server = backend('payer@example.com');
    moneyOf(server.world).intents.set('pi_1', { amount: 20, status: 'succeeded', credited: false });
    show(routes, `/balance/payment?payment_intent=${id}&payment_intent_client_secret=pi_1_secret&redirect_status=failed`);
    return server;
  };

  // spec: 10.11.39
  it('trusts our server, not the address', async () => {
    await back('pi_1');
    await screen.findByText(t('payment.done'));
    expect(screen.getByText(t('payment.doneText', { amount: '20.00', currency: 'CAD' }))).toBeTruthy();
  });

  it('reports an unknown payment', async () => {
    await back('pi_other');
    await screen.findByText(t('payment.unknown'));
  });

  it('can be retried if our server did not answer, and links back to the previous page', async () => {
    sessionStorage.setItem('sooner.payment', '/schedule/wizard?step=3');
    const server = backend('payer@example.com');
    server.instead.set('GET /payment/stripe/status/pi_1', 'network');
    show(routes, '/balance/payment?payment_intent=pi_1');
    await screen.findByText(t('payment.lost'));
    expect(screen.getByRole('link', { name: t('payment.back') }).getAttribute('href')).toBe('/schedule/wizard?step=3');
    moneyOf(server.world).intents.set('pi_1', { amount: 20, status: 'succeeded', credited: false });
    server.instead.clear();
    fireEvent.click(screen.getByRole('button', { name: t('payment.again') }));
    await screen.findByText(t('payment.done'));
  });

  it('links to no other site, whatever is stored', async () => {
    sessionStorage.setItem('sooner.payment', '//evil.example/');
    await back('pi_1');
    await screen.findByText(t('payment.done'));
    expect(screen.getByRole('link', { name: t('payment.back') }).getAttribute('href')).toBe('/dashboard');
  });
});

describe('paying by wallet', () => {
  const open = async (way: 'topup.byAlipay' | 'topup.byWeChat') => {
    const server = backend('card@example.com');
    show(<BalanceCard />);
    fireEvent.click(await screen.findByRole('button', { name: t(way) }));
    await waitFor(() => expect(amountField()).toBeTruthy());
    fireEvent.change(amountField(), { target: { value: '20' } });
    return server;
  };
  const begun = (sent: { path: string; body: unknown }[]) => sent.filter(({ path }) => path === '/payment/stripe/create-intent');

  it('opens Alipay once, in the whole window, and stores the page to return to', async () => {
    const left = vi.spyOn(leaving, 'to').mockImplementation(() => undefined);
    const { sent } = await open('topup.byAlipay');
    const button = screen.getByRole('button', { name: t('wallet.toAlipay', { amount: '20.00', currency: 'CAD' }) });
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(left).toHaveBeenCalledWith(expect.stringContaining('/balance/payment?payment_intent=')));
    expect(begun(sent)).toHaveLength(1);
    expect(begun(sent)[0]?.body).toMatchObject({ amount: 20, method: 'alipay' });
    expect(sessionStorage.getItem('sooner.payment')).toBe('/');
  });

  it('shows the WeChat Pay code until the payment succeeds', async () => {
    await open('topup.byWeChat');
    fireEvent.click(screen.getByRole('button', { name: t('wallet.showCode', { amount: '20.00', currency: 'CAD' }) }));
    const code = await screen.findByRole('img', { name: t('wallet.codeAlt', { sum: '20.00 CAD' }) });
    expect(code.getAttribute('src')).toMatch(/^data:image/);
    await screen.findByText(t('card.done'));
  });

  it('sends nothing with an invalid amount, and shows why', async () => {
    const { sent } = await open('topup.byWeChat');
    fireEvent.change(amountField(), { target: { value: '20.005' } });
    expect(screen.getByText(t('card.amountCents'))).toBeTruthy();
    fireEvent.submit(amountField().closest('form') as HTMLFormElement);
    expect(begun(sent)).toHaveLength(0);
  });
});
