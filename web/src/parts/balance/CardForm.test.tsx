import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { BalanceCard } from './BalanceCard.tsx';
import { backend, type Instead, show, t } from './testing.tsx';

const amountField = () => screen.getByLabelText<HTMLInputElement>(t('card.amount'));
const payButton = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Pay( |$|ing)/ });
const frame = () => screen.getByTitle<HTMLIFrameElement>(t('card.frame'));

/** Dispatches a message of the card page. `source` may be another window. */
function postFromFrame(
  message: Record<string, unknown>,
  source: Window | null = frame().contentWindow,
  origin = window.location.origin,
) {
  act(() => {
    window.dispatchEvent(new MessageEvent('message', { data: { source: 'sooner-pay', ...message }, origin, source }));
  });
}

/** Opens the card form on the fake backend. The card page has loaded, unless `ready` is false. */
async function open({ ready = true } = {}) {
  const server = backend('card@example.com');
  const orders: unknown[] = [];
  show(<BalanceCard />);
  fireEvent.click(await screen.findByRole('button', { name: t('topup.byCard') }));
  await screen.findByTitle(t('card.frame'));
  const spy = () => {
    const page = frame().contentWindow;
    if (page) vi.spyOn(page, 'postMessage').mockImplementation((message: unknown) => void orders.push(message));
  };
  spy();
  if (ready) postFromFrame({ type: 'ready' });
  return { ...server, orders, spy };
}

const fill = (value: string) => fireEvent.change(amountField(), { target: { value } });
const describe_ = (text: string) => fireEvent.change(screen.getByLabelText(t('card.description')), { target: { value: text } });

async function pay(value: string, orders: unknown[]) {
  fill(value);
  fireEvent.click(payButton());
  await waitFor(() => expect(orders).toHaveLength(1));
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('paying by card', () => {
  it("gives the bank's page more width than the card fields, and restores the width afterwards", async () => {
    await open();
    await waitFor(() => {
      postFromFrame({ type: 'resize', height: 74 });
      expect(frame().style.getPropertyValue('--height')).toBe('74px');
    });
    expect(frame().dataset.question).toBe('false');
    postFromFrame({ type: 'resize', height: 560 });
    await waitFor(() => expect(frame().dataset.question).toBe('true'));
    postFromFrame({ type: 'resize', height: 74 });
    await waitFor(() => expect(frame().dataset.question).toBe('false'));
  });

  // spec: 2.8.13, 5.3.04, 5.3.05, 9.37
  it('requires an amount in cents within the limits, and shows them', async () => {
    await open();
    expect(amountField().step).toBe('0.01');
    expect(amountField().type).toBe('number');
    expect(payButton().disabled).toBe(true);
    fill('9.99');
    expect(payButton().disabled).toBe(true);
    fireEvent.blur(amountField());
    expect(await screen.findByText('Amount must be between 10.00 - 500.00 CAD')).toBeTruthy();
    fill('500.01');
    expect(screen.getByText('Amount must be between 10.00 - 500.00 CAD')).toBeTruthy();
    fill('20.001');
    expect(screen.getByText(t('card.amountCents'))).toBeTruthy();
    fill('500');
    expect(screen.queryByText(/Amount must be/)).toBeNull();
    expect(payButton().disabled).toBe(false);
  });

  // spec: 2.8.16, 9.37
  it('shows amount, fee and total on request', async () => {
    await open();
    fill('60');
    const details = screen.getByRole('button', { name: t('card.details') });
    expect(details.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(details);
    expect(details.getAttribute('aria-expanded')).toBe('true');
    const list = within(document.getElementById(details.getAttribute('aria-controls') ?? '') as HTMLElement);
    expect(list.getAllByText('60.00 CAD')).toHaveLength(2);
    expect(list.getByText('Free')).toBeTruthy();
  });

  it('frames the card fields in a sandboxed page of our own host, in the language and colours of the page', async () => {
    await open({ ready: false });
    expect(new URL(frame().src).pathname).toBe('/pay');
    expect(new URL(frame().src).searchParams.get('lang')).toBe('en');
    expect(frame().getAttribute('sandbox')).toContain('allow-scripts');
    expect(frame().getAttribute('sandbox')).not.toContain('allow-top-navigation');
  });

  // spec: 2.8.14, 2.8.17, 4.4.10
  it('creates the payment at our server, passes it to the card page, and trusts only our server that it succeeded', async () => {
    const { orders, calls, money } = await open();
    describe_('for November');
    await pay('60', orders);
    const [asked] = calls('/payment/stripe/create-intent');
    expect(asked?.body).toEqual({
      amount: 60,
      currency: 'CAD',
      description: 'for November',
      metadata: { source: 'web', language: 'en' },
    });
    expect(asked?.key).toBeTruthy();
    expect(orders).toEqual([{ source: 'sooner', type: 'pay', client_secret: 'pi_1_secret_mock', amount: 60, currency: 'CAD' }]);
    const before = calls('/users/credit').length;
    postFromFrame({ type: 'processing' });
    postFromFrame({ type: 'succeeded', payment_intent_id: 'pi_999' });
    const done = within(await screen.findByRole('dialog', { name: t('card.done') }));
    expect(done.getByText('+60.00 CAD')).toBeTruthy();
    expect(calls('/payment/stripe/status/pi_1')).toHaveLength(1);
    expect(money.intents.get('pi_1')?.credited).toBe(true);
    expect(calls('/users/credit').length).toBeGreaterThan(before);
    fireEvent.click(done.getByRole('button', { name: t('topup.close') }));
    expect(amountField().value).toBe('');
    expect(screen.getByLabelText<HTMLInputElement>(t('card.description')).value).toBe('');
  });

  // spec: 4.4.10, 9.33
  it('reads the balance again 5 s after a payment', async () => {
    const { orders, calls } = await open();
    await pay('60', orders);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    postFromFrame({ type: 'succeeded' });
    await screen.findByRole('dialog', { name: t('card.done') });
    await waitFor(() => expect(queryClient.isFetching()).toBe(0));
    const once = calls('/users/credit').length;
    await act(() => vi.advanceTimersByTimeAsync(4_000));
    expect(calls('/users/credit')).toHaveLength(once);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    await waitFor(() => expect(calls('/users/credit').length).toBeGreaterThan(once));
  });

  // spec: 4.4.10, 8.3.11
  it('reports a payment as not completed unless our server reports success', async () => {
    const { orders } = await open();
    describe_('lost');
    await pay('60', orders);
    postFromFrame({ type: 'succeeded' });
    expect(await screen.findByText('Payment was not completed successfully')).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(amountField().value).toBe('60');
  });

  // spec: 8.3.12
  it('warns not to pay again if the status is unknown', async () => {
    const { orders, instead } = await open();
    await pay('60', orders);
    instead.set('/payment/stripe/status/pi_1', { status: 502, code: 'CARD_PROVIDER_UNAVAILABLE' });
    postFromFrame({ type: 'succeeded' });
    expect(await screen.findByText('Failed to get payment status')).toBeTruthy();
    expect(screen.getByText(t('card.statusFailedText'))).toBeTruthy();
  });

  // spec: 5.3.08, 8.3.11
  it.each([
    [{ type: 'failed' }, 'Payment failed'],
    [{ type: 'failed', code: 'something_new', message: 'The bank said no.' }, 'The bank said no.'],
    [{ type: 'failed', code: 'card_declined' }, 'Your card was declined'],
    [{ type: 'failed', code: 'no_card' }, 'Unable to get card information'],
    [{ type: 'failed', code: 'not_loaded' }, 'Stripe has not loaded yet'],
    [{ type: 'cancelled' }, 'Cancelled. Nothing was charged.'],
  ])('shows why the card page failed, and can be retried: %s', async (message, expected) => {
    const { orders, calls } = await open();
    await pay('60', orders);
    postFromFrame(message);
    expect(await screen.findByText(expected)).toBeTruthy();
    expect(calls('/payment/stripe/status/pi_1')).toHaveLength(0);
    fireEvent.click(payButton());
    await waitFor(() => expect(orders).toHaveLength(2));
    expect(screen.queryByText(expected)).toBeNull();
  });

  // spec: 8.3.07, 8.3.10
  it.each<[Instead, string]>([
    [{ status: 503, code: 'CARD_NOT_CONFIGURED' }, 'Stripe payments are currently unavailable'],
    [{ status: 502, code: 'CARD_PROVIDER_UNAVAILABLE' }, 'Failed to create payment intent'],
    ['network', 'Failed to create payment intent'],
    [{ status: 503, code: 'MONEY_FROZEN' }, 'Payments are paused'],
  ])('shows why a payment could not start: %s', async (answer, expected) => {
    const { orders, instead } = await open();
    instead.set('/payment/stripe/create-intent', answer);
    fill('60');
    fireEvent.click(payButton());
    expect(await screen.findByText(new RegExp(expected))).toBeTruthy();
    expect(orders).toEqual([]);
  });

  // spec: 5.3.07
  it("says 'Stripe has not loaded yet' to a user who is quicker than the card page", async () => {
    const { orders, calls } = await open({ ready: false });
    fill('60');
    fireEvent.click(payButton());
    expect(await screen.findByText('Stripe has not loaded yet')).toBeTruthy();
    expect(calls('/payment/stripe/create-intent')).toHaveLength(0);
    expect(orders).toEqual([]);
  });

  // spec: 8.3.09
  it('waits 10 s for the card page, then reports the payment system as unavailable and reloads it', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await open({ ready: false });
    await act(() => vi.advanceTimersByTimeAsync(9_500));
    expect(screen.queryByText('Payment system unavailable')).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(1_000));
    expect(screen.getByText('Payment system unavailable')).toBeTruthy();
    expect(payButton().disabled).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: t('problem.retry') }));
    postFromFrame({ type: 'ready' });
    fill('60');
    expect(screen.queryByText('Payment system unavailable')).toBeNull();
    expect(payButton().disabled).toBe(false);
  });

  // spec: 8.3.09
  it('reports that the payment system could not be started', async () => {
    await open({ ready: false });
    postFromFrame({ type: 'failed' });
    expect(await screen.findByText('Failed to initialize payment system')).toBeTruthy();
  });

  // spec: 8.3.08
  it('reports an incomplete configuration', async () => {
    const server = backend('card@example.com');
    server.money.cardKey = null;
    show(<BalanceCard />);
    fireEvent.click(await screen.findByRole('button', { name: t('topup.byCard') }));
    expect(await screen.findByText('Stripe configuration is incomplete')).toBeTruthy();
    expect(screen.queryByTitle(t('card.frame'))).toBeNull();
    expect(server.calls('/payment/stripe/create-intent')).toHaveLength(0);
  });

  // spec: 8.3.12
  it('reports that the configuration could not be loaded, and keeps the code form', async () => {
    const { instead } = backend('card@example.com');
    instead.set('/payment/stripe/config', { status: 500, code: 'INTERNAL' });
    show(<BalanceCard />);
    expect(await screen.findByText('Failed to get Stripe configuration')).toBeTruthy();
    expect(screen.getByLabelText(t('topup.label'))).toBeTruthy();
    instead.clear();
    fireEvent.click(screen.getByRole('button', { name: t('problem.retry') }));
    expect(await screen.findByRole('button', { name: t('topup.byCard') })).toBeTruthy();
  });

  it('ignores messages of other origins', async () => {
    const { orders, calls } = await open({ ready: false });
    postFromFrame({ type: 'ready' }, window);
    postFromFrame({ type: 'ready' }, frame().contentWindow, 'https://elsewhere.example');
    fill('60');
    fireEvent.click(payButton());
    expect(await screen.findByText('Stripe has not loaded yet')).toBeTruthy();
    postFromFrame({ type: 'ready' });
    await pay('60', orders);
    postFromFrame({ type: 'succeeded' }, window);
    await act(() => Promise.resolve());
    expect(calls('/payment/stripe/status/pi_1')).toHaveLength(0);
  });

  it('pays once, however often the user presses Pay', async () => {
    const { orders, calls } = await open();
    fill('60');
    const button = payButton();
    fireEvent.click(button);
    fireEvent.click(button);
    await waitFor(() => expect(orders).toHaveLength(1));
    expect(calls('/payment/stripe/create-intent')).toHaveLength(1);
  });
});
