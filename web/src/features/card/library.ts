import type { Stripe, StripeConstructor } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';

/** Longest wait for the provider's library. */
export const LIBRARY_WAIT_MS = 10_000;

/** Error: the card page cannot start. The parent page has the text for `code`. */
export class NotBegun extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

interface Config {
  enabled: boolean;
  publishable_key: string | null;
  js_url: string | null;
}

declare global {
  interface Window {
    Stripe?: StripeConstructor;
  }
}

/** Requests the public configuration. It needs no sign-in, and this page has no token. */
async function readConfig(signal: AbortSignal): Promise<{ key: string; address: string }> {
  const read = async () => {
    const response = await fetch('/api/v1/payment/stripe/config', { headers: { Accept: 'application/json' }, signal });
    const envelope = (await response.json()) as { success: boolean; data: Config | null };
    if (!response.ok || !envelope.success || !envelope.data) throw new NotBegun('config_failed');
    return envelope.data;
  };
  const config = await read().catch(() => {
    throw new NotBegun('config_failed');
  });
  if (!config.enabled) throw new NotBegun('unavailable');
  if (!config.publishable_key || !config.js_url) throw new NotBegun('config_incomplete');
  return { key: config.publishable_key, address: config.js_url };
}

/** Adds the provider's script to the page, from the address that our server configured. */
function addScript(address: string, signal: AbortSignal): Promise<void> {
  if (window.Stripe) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    const fail = () => {
      script.remove();
      reject(new NotBegun('not_loaded'));
    };
    script.src = address;
    script.addEventListener('load', () => (window.Stripe ? resolve() : fail()));
    script.addEventListener('error', fail);
    signal.addEventListener('abort', fail);
    document.head.append(script);
  });
}

/** Loads the provider's library and initializes it with our key and a language. */
export async function beginLibrary(language: string, signal: AbortSignal): Promise<Stripe> {
  const { key, address } = await readConfig(signal);
  await addScript(address, signal);
  const library = await loadStripe(key, { locale: language === 'en' ? 'en' : 'zh' }).catch(() => null);
  if (!library) throw new NotBegun('init_failed');
  return library;
}
