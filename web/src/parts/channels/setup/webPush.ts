import type { BrowserTarget } from '../../../shared/api/channels.ts';
import { type OwnPush, storeOwnPush } from '../../../shared/browser/ownPush.ts';

/** Support of push messages by this browser, or the reason why it has none. */
export type PushSupport = 'ready' | 'denied' | 'home_screen' | 'wechat' | 'missing';

/** Returns whether the page is open in WeChat's browser, which has no notifications. */
const inWeChat = () => /MicroMessenger/i.test(navigator.userAgent);

/** Returns whether the device is an iPhone or iPad. iPads report to be Macs. */
function isApplePhone(): boolean {
  return /iPhone|iPad|iPod/.test(navigator.userAgent) || (navigator.platform === 'MacIntel' && navigator.maxTouchPoints > 1);
}

function onHomeScreen(): boolean {
  const { standalone } = navigator as { standalone?: boolean };
  return standalone === true || window.matchMedia?.('(display-mode: standalone)').matches === true;
}

export function pushSupport(): PushSupport {
  if (inWeChat()) return 'wechat';
  if (isApplePhone() && !onHomeScreen()) return 'home_screen';
  const there = window.isSecureContext && 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!there) return 'missing';
  return Notification.permission === 'denied' ? 'denied' : 'ready';
}

/**
 * Error that states why a browser was not subscribed: permission was denied, or its push service
 * did not answer.
 */
export class PushRefused extends Error {
  constructor(readonly why: 'denied' | 'closed' | 'worker' | 'service') {
    super(why);
    this.name = 'PushRefused';
  }
}

/** Longest wait for the service worker, which starts some time after the page. */
const WORKER_MS = 15_000;

async function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new PushRefused('worker')), WORKER_MS));
  return Promise.race([navigator.serviceWorker.ready, late]);
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}

const same = (a: ArrayBuffer | null, b: Uint8Array) => a !== null && new Uint8Array(a).join() === b.join();

/**
 * Requests permission and subscribes this browser with the server's key. `anew` forces a new
 * address. Browsers permit this only after a press.
 */
export async function subscribe(key: string, anew: boolean): Promise<BrowserTarget> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') throw new PushRefused(permission === 'denied' ? 'denied' : 'closed');
  const { pushManager } = await worker();
  const applicationServerKey = bytesOf(key);
  try {
    // A subscription with another server key no longer works.
    const old = await pushManager.getSubscription();
    if (old && (anew || !same(old.options.applicationServerKey, applicationServerKey))) await old.unsubscribe();
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
    if (!endpoint || !keys?.p256dh || !keys.auth) throw new PushRefused('service');
    return { kind: 'web_push', endpoint, p256dh: keys.p256dh, auth: keys.auth };
  } catch (error) {
    throw error instanceof PushRefused ? error : new PushRefused('service');
  }
}

/**
 * Returns this browser's subscription if its address differs from the stored channel, else null.
 */
export async function movedPush(own: OwnPush): Promise<BrowserTarget | null> {
  if (pushSupport() !== 'ready' || Notification.permission !== 'granted') return null;
  const registration = await navigator.serviceWorker.getRegistration();
  const { endpoint, keys } = (await registration?.pushManager.getSubscription())?.toJSON() ?? {};
  if (!endpoint || endpoint === own.endpoint || !keys?.p256dh || !keys.auth) return null;
  return { kind: 'web_push', endpoint, p256dh: keys.p256dh, auth: keys.auth };
}

/** Ends the subscription of this browser, after its channel was removed. */
export async function unsubscribe(): Promise<void> {
  storeOwnPush(null);
  const registration = await navigator.serviceWorker?.getRegistration();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}
