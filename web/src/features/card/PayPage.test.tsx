import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { PayPage } from './PayPage.tsx';

const config = { enabled: true, publishable_key: 'pk_test_x', js_url: 'https://cards.example.com/x.js' };
const confirmed = vi.fn();

const handlers: Record<string, (event?: unknown) => void> = {};

/**
 * Creates a fake of the provider's library with one card field. It is created once, because the
 * provider's wrapper keeps the first library.
 */
function fakeLibrary() {
  const card = {
    on: (name: string, hear: () => void) => Object.assign(handlers, { [name]: hear }),
    off: () => card,
    mount: () => setTimeout(() => handlers.ready?.()),
    update: () => {},
    destroy: () => {},
  };
  const elements = { create: () => card, getElement: () => card, update: () => {}, on: () => {} };
  const library = {
    elements: () => elements,
    createToken: () => {},
    createPaymentMethod: () => {},
    confirmCardPayment: confirmed,
    registerAppInfo: () => {},
    _registerWrapper: () => {},
  };
  vi.stubGlobal(
    'Stripe',
    Object.assign(() => library, { version: 'endive' }),
  );
}

const script = () => document.head.querySelector<HTMLScriptElement>('script[src]');
const parent = { postMessage: vi.fn() };
const postedMessages = (type: string) => parent.postMessage.mock.calls.map(([news]) => news).filter((news) => news.type === type);
const order = { source: 'sooner', type: 'pay', client_secret: 'pi_1_secret_x' };

function sendMessage(data: unknown, source: unknown = parent, origin = window.location.origin) {
  act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin, source: source as Window })));
}

function open(answer: object | Error = { success: true, data: config }) {
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => {
      if (answer instanceof Error) throw answer;
      return new Response(JSON.stringify(answer));
    }),
  );
  render(<PayPage language="en" framed />);
}

/** Renders the page and waits for the card fields. */
async function ready() {
  open();
  await waitFor(() => expect(script()).not.toBeNull());
  fakeLibrary();
  act(() => void script()?.dispatchEvent(new Event('load')));
  await waitFor(() => expect(postedMessages('ready')).toHaveLength(1));
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  vi.stubGlobal('parent', parent);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
});

afterEach(() => {
  cleanup();
  script()?.remove();
  parent.postMessage.mockReset();
  confirmed.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the card page', () => {
  // spec: 2.8.15
  it('loads the library from the configured address, and shows the fields', async () => {
    await ready();
    expect(script()?.src).toBe(config.js_url);
    expect(screen.getByRole('group', { name: 'Card' })).toBeTruthy();
    expect(parent.postMessage.mock.calls.every(([, origin]) => origin === window.location.origin)).toBe(true);
  });

  it.each([
    [new Error('offline'), 'config_failed'],
    [{ success: false, data: null }, 'config_failed'],
    [{ success: true, data: { ...config, enabled: false } }, 'unavailable'],
    [{ success: true, data: { ...config, publishable_key: null } }, 'config_incomplete'],
  ])('shows why it cannot start: %s', async (answer, code) => {
    open(answer);
    await waitFor(() => expect(postedMessages('failed')).toEqual([{ source: 'sooner-pay', type: 'failed', code }]));
    expect(screen.getByText(/not available right now/)).toBeTruthy();
  });

  it('waits 10 s for a library that does not load', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open();
    await waitFor(() => expect(script()).not.toBeNull());
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    expect(postedMessages('failed')).toEqual([]);
    await act(() => vi.advanceTimersByTimeAsync(1_500));
    await waitFor(() => expect(postedMessages('failed')[0]?.code).toBe('not_loaded'));
  });

  it('reports a library that defines nothing as not loaded', async () => {
    open();
    await waitFor(() => expect(script()).not.toBeNull());
    act(() => void script()?.dispatchEvent(new Event('error')));
    await waitFor(() => expect(postedMessages('failed')[0]?.code).toBe('not_loaded'));
  });

  // spec: 7.4.07
  it('confirms with a generic name and posts the outcome, once however often it is requested', async () => {
    await ready();
    let answer: (value: unknown) => void = () => {};
    confirmed.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    sendMessage(order);
    sendMessage(order);
    await waitFor(() => expect(postedMessages('processing')).toHaveLength(1));
    expect(confirmed).toHaveBeenCalledTimes(1);
    expect(confirmed.mock.calls[0]?.[0]).toBe('pi_1_secret_x');
    expect(confirmed.mock.calls[0]?.[1].payment_method.billing_details).toEqual({ name: 'Sooner customer' });
    await act(async () => answer({ paymentIntent: { id: 'pi_1', status: 'succeeded' } }));
    await waitFor(() => expect(postedMessages('succeeded')[0]?.payment_intent_id).toBe('pi_1'));
  });

  it.each([
    [{ error: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'No.' } }, 'insufficient_funds'],
    [{ error: { code: 'card_declined', decline_code: 'generic_decline', message: 'No.' } }, 'card_declined'],
    [{ error: { code: 'expired_card', message: 'No.' } }, 'expired_card'],
    [{ error: { type: 'api_connection_error', message: 'No.' } }, 'payment_failed'],
    [{ paymentIntent: { id: 'pi_1', status: 'requires_action' } }, 'not_completed'],
  ])('reports to the parent page why a card was refused: %s', async (answer, code) => {
    await ready();
    confirmed.mockResolvedValue(answer);
    sendMessage(order);
    await waitFor(() => expect(postedMessages('failed')[0]?.code).toBe(code));
    sendMessage(order);
    await waitFor(() => expect(confirmed).toHaveBeenCalledTimes(2));
  });

  it('reports a payment that the bank still processes, so that the app requests its state from our server', async () => {
    await ready();
    confirmed.mockResolvedValue({ paymentIntent: { id: 'pi_1', status: 'processing' } });
    sendMessage(order);
    await waitFor(() => expect(postedMessages('succeeded')).toHaveLength(1));
  });

  // spec: 5.3.06
  it('shows problems of the typed values', async () => {
    await ready();
    act(() => handlers.change?.({ error: { message: 'Your card number is invalid.' } }));
    expect((await screen.findByRole('alert')).textContent).toBe('Your card number is invalid.');
    act(() => handlers.change?.({ error: undefined }));
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  });

  // spec: 10.7.73
  it('on an origin of its own posts messages to ours only', async () => {
    window.history.replaceState(null, '', '/pay?lang=en&from=https%3A%2F%2Fsooner.example.com');
    await ready();
    expect(parent.postMessage.mock.calls.every(([, origin]) => origin === 'https://sooner.example.com')).toBe(true);
    sendMessage(order);
    sendMessage(order, parent, 'https://elsewhere.example');
    expect(confirmed).not.toHaveBeenCalled();
    confirmed.mockReturnValue(new Promise(() => {}));
    sendMessage(order, parent, 'https://sooner.example.com');
    await waitFor(() => expect(confirmed).toHaveBeenCalledTimes(1));
    window.history.replaceState(null, '', '/');
  });

  it('accepts messages only from our page that contains the frame', async () => {
    await ready();
    sendMessage(order, window);
    sendMessage(order, parent, 'https://elsewhere.example');
    sendMessage({ ...order, source: 'somebody' });
    sendMessage({ ...order, client_secret: 7 });
    sendMessage(null);
    expect(confirmed).not.toHaveBeenCalled();
  });
});
