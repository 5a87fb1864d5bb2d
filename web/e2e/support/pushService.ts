import type { BrowserContext, Page, Worker } from '@playwright/test';
import { expect } from './story.ts';

/** Push subscription, in the format of `PushSubscription.toJSON`. */
interface Subscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

/** Push message that the simulator received and decrypted. */
export interface Push {
  title: string;
  text: string;
  link: string | null;
  extra: { plain: string; sender: string; event: string; tag: string };
}

/** Notification that the service worker shows. */
interface Shown {
  title: string;
  body: string;
  tag: string;
  /** Labels of its buttons. */
  buttons: string[];
}

/** Parts of a service worker's global scope that the tests use. */
interface WorkerScope extends EventTarget {
  registration: ServiceWorkerRegistration;
  clients: { openWindow: (address: string) => Promise<null> };
  NotificationEvent: new (name: string, of: { notification: Notification; action?: string }) => Event;
}

const BINDING = '__pushService';

/**
 * Runs in every document. Replaces `PushManager` with one that uses the simulator. Like Chromium's,
 * it returns the existing subscription if there is one.
 */
function standIn(binding: string): void {
  type Answer = { endpoint: string; keys: { p256dh: string; auth: string }; key: string } | null;
  const ask = (what: string, key = '') => (Reflect.get(window, binding) as (w: string, k: string) => Promise<Answer>)(what, key);
  const text = (key: BufferSource | string | null | undefined) =>
    btoa(String.fromCharCode(...new Uint8Array(key as ArrayBuffer)))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', '');
  const bytes = (key: string) =>
    Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0)).buffer;
  const shaped = (answer: Answer) =>
    answer && {
      endpoint: answer.endpoint,
      options: { userVisibleOnly: true, applicationServerKey: bytes(answer.key) },
      toJSON: () => ({ endpoint: answer.endpoint, expirationTime: null, keys: answer.keys }),
      unsubscribe: async () => (await ask('unsubscribe')) === null,
    };
  Object.assign(PushManager.prototype, {
    getSubscription: async () => shaped(await ask('get')),
    subscribe: async (options: PushSubscriptionOptionsInit) => {
      if (Notification.permission !== 'granted' || !options.userVisibleOnly) throw new DOMException('', 'NotAllowedError');
      return shaped(await ask('subscribe', text(options.applicationServerKey)));
    },
  });
}

/** Push service of one browser, simulated by the sandbox. */
export class PushService {
  /** Key of the server with which the page subscribed. */
  key = '';
  private now: Subscription | null = null;
  private readonly passed = new Set<string>();

  constructor(
    private readonly sandbox: string,
    private readonly channels: string,
  ) {}

  /** Installs the simulator in all pages that `context` opens from now on. */
  async standBehind(context: BrowserContext): Promise<void> {
    await context.exposeBinding(BINDING, async (_, what: string, key: string) => {
      if (what === 'subscribe') this.now ??= await this.made(key);
      if (what === 'unsubscribe') this.now = null;
      return this.now && { ...this.now, key: this.key };
    });
    await context.addInitScript(standIn, BINDING);
  }

  private async made(key: string): Promise<Subscription> {
    this.key = key;
    const answer = await fetch(`${this.sandbox}/control/channels/web_push/subscriptions`, { method: 'POST' });
    return (await answer.json()) as Subscription;
  }

  get isSubscribed(): boolean {
    return this.now !== null;
  }

  /** Number of the present subscription in the simulator. */
  get browser(): string {
    return this.now?.endpoint.split('/').at(-1) ?? '';
  }

  /** Makes the simulator forget the present subscription. */
  async forget(): Promise<void> {
    const fault = { fault: 'target_gone', on: 'channel_web_push', account: this.browser };
    const answer = await fetch(`${this.sandbox}/control/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fault),
    });
    expect(answer.ok).toBe(true);
  }

  private async taken(): Promise<Push[]> {
    const answer = await fetch(`${this.channels}.json?provider=web_push&target=${this.browser}`);
    return (await answer.json()) as Push[];
  }

  /** Waits for a push message about `event` to this browser. */
  async push(event: string, timeout = 30_000): Promise<Push> {
    let found: Push | undefined;
    const look = async () => {
      found = (await this.taken()).find(({ extra }) => extra.event === event && !this.passed.has(extra.tag));
      return found !== undefined;
    };
    await expect.poll(look, { timeout, message: `a push about ${event}` }).toBe(true);
    if (!found) throw new Error('there is none');
    this.passed.add(found.extra.tag);
    return found;
  }
}

/** Real service worker of a page, controlled with the browser's developer tools. */
export class PushedWorker {
  private constructor(
    private readonly worker: Worker,
    private readonly deliverHere: (data: string) => Promise<unknown>,
  ) {}

  static async of(page: Page): Promise<PushedWorker> {
    const session = await page.context().newCDPSession(page);
    const registered = new Promise<string>((found) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const id = registrations[0]?.registrationId;
        if (id) found(id);
      });
    });
    await session.send('ServiceWorker.enable');
    const registrationId = await registered;
    // A worker that is not active yet drops a message.
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const { origin } = new URL(page.url());
    await expect.poll(() => page.context().serviceWorkers().length).toBeGreaterThan(0);
    const worker = page.context().serviceWorkers()[0];
    if (!worker) throw new Error('there is no service worker');
    return new PushedWorker(worker, (data) => session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data }));
  }

  /**
   * Delivers a decrypted push message like the browser, and waits until a notification is shown.
   */
  async deliver({ extra }: Push): Promise<Shown> {
    await this.deliverHere(extra.plain);
    let shown: Shown | undefined;
    await expect
      .poll(async () => {
        shown = (await this.shown()).find(({ tag }) => tag === extra.tag);
        return shown !== undefined;
      })
      .toBe(true);
    if (!shown) throw new Error('nothing is shown');
    return shown;
  }

  /** Returns all notifications that the browser shows for the site. */
  shown(): Promise<Shown[]> {
    return this.worker.evaluate(async () => {
      const { registration } = self as unknown as WorkerScope;
      const all = (await registration.getNotifications()) as (Notification & { actions: { title: string }[] })[];
      return all.map(({ title, body, tag, actions }) => ({ title, body, tag, buttons: actions.map((one) => one.title) }));
    });
  }

  /** Presses the button *No* of the notification with `tag`. */
  async decline(tag: string): Promise<void> {
    await this.worker.evaluate(async (wanted) => {
      const scope = self as unknown as WorkerScope;
      const [notification] = await scope.registration.getNotifications({ tag: wanted });
      if (!notification) throw new Error('it is not shown');
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification, action: 'no' }));
    }, tag);
  }

  /** Taps the notification with `tag`, and returns the page that the worker opens. */
  tap(tag: string): Promise<string> {
    return this.worker.evaluate(async (wanted) => {
      const scope = self as unknown as WorkerScope;
      const [notification] = await scope.registration.getNotifications({ tag: wanted });
      if (!notification) throw new Error('it is not shown');
      const opened = new Promise<string>((open) => {
        scope.clients.openWindow = async (address) => {
          open(address);
          return null;
        };
      });
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
      return opened;
    }, tag);
  }
}
