// Web Push in a real browser, on a machine without the internet.
//
// These parts are real: the screens, the permission (which the test grants), the server's signing
// (RFC 8292), its encryption for the browser's keys (RFC 8291), the service worker, and the
// browser's list of notifications.
//
// The push service of the browser vendor is simulated. `PushManager` returns a subscription with
// keys of the sandbox, which checks the signature and decrypts the message. The test delivers the
// plain text to the worker with Chromium's `ServiceWorker.deliverPushMessage`. A tap is an event
// that the test creates in the worker. The test records the window that the worker would open,
// because browsers open windows only after real taps.
import type { Browser, Page } from '@playwright/test';
import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { Dashboard } from './pages/dashboard.ts';
import { Wizard } from './pages/wizard.ts';
import { verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { PORTAL_PASSWORD, portalAccount } from './support/portalAccount.ts';
import { PushedWorker, PushService } from './support/pushService.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';
const HAN = /\p{Script=Han}/u;

async function newBrowser(browser: Browser, language: Language, width: number) {
  const ready = readReady();
  const context = await browser.newContext({
    baseURL: ready.url,
    locale: language === 'zh' ? 'zh-CN' : 'en-CA',
    timezoneId: 'America/Toronto',
    viewport: { width, height: 780 },
    serviceWorkers: 'allow',
  });
  const service = new PushService(ready.sandbox_url, ready.channels_url);
  await service.standBehind(context);
  const page = await context.newPage();
  return { context, page, service, texts: new PageTexts(language), ready };
}

/** Returns the names of all applicants with an appointment in the sandbox's portal. */
async function applicants(): Promise<string[]> {
  const state = await (await fetch(`${readReady().sandbox_url}/control/state`)).json();
  const groups = Object.values((state as { groups: Record<string, { applicants: { name: string }[] }> }).groups);
  return groups.flatMap((group) => group.applicants.map(({ name }) => name));
}

/** Page object of the channels in the settings, for the channel of this browser. */
class Reached {
  readonly row;
  readonly dialog;
  private readonly section;

  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
  ) {
    this.section = page.locator('#notifications');
    this.row = this.section.getByRole('listitem').filter({ hasText: texts.text('channels.kind.web_push') });
    this.dialog = page.getByRole('dialog');
  }

  async open(): Promise<void> {
    await this.page.goto('/settings/notifications');
    await this.section.getByRole('button', { name: this.texts.text('reach.add') }).click();
    await this.dialog.getByRole('button', { name: this.texts.text('channels.kind.web_push') }).click();
  }

  /**
   * Gives the consent, grants the permission, and checks that the channel is on. If the server
   * requires a proof of identity, it enters `password`.
   */
  async allow(password?: string): Promise<void> {
    const { dialog, texts, page } = this;
    await dialog.getByRole('checkbox', { name: texts.text('reach.agree') }).check();
    await page.context().grantPermissions(['notifications']);
    await dialog.getByRole('button', { name: texts.text('reach.push.allow') }).click();
    if (password) await new Accounts(page, texts).prove(password);
    await expect(dialog.getByText(texts.text('reach.addedText'))).toBeVisible();
  }

  async done(): Promise<void> {
    await this.dialog.getByRole('button', { name: this.texts.text('reach.done') }).click();
    await expect(this.dialog).toHaveCount(0);
    await this.expectState('verified');
  }

  async expectState(state: 'verified' | 'needs_attention'): Promise<void> {
    await expect(this.row).toHaveCount(1);
    await expect(this.row.getByText(this.texts.text(`channels.state.${state}`), { exact: true })).toBeVisible();
  }
}

test('a booking is shown on the phone in Chinese, without personal data, and a tap opens its task (zh, 360 px)', async ({
  browser,
}) => {
  const { context, page, service, texts, ready } = await newBrowser(browser, 'zh', 360);
  const [accounts, dashboard, wizard] = [new Accounts(page, texts), new Dashboard(page, texts), new Wizard(page, texts)];
  const reached = new Reached(page, texts);
  const email = `pushed-${Date.now()}@example.com`;
  await test.step('create a user with a balance', async () => {
    await page.goto('/dashboard');
    await accounts.register(email, PASSWORD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    const code = ready.topup_codes[0];
    if (!code) throw new Error('the ready file has no top-up code');
    await dashboard.redeem(code);
  });
  const worker = await test.step('allow notifications on this device; the channel is on', async () => {
    await reached.open();
    await reached.allow(PASSWORD);
    await reached.done();
    await expect(reached.row.getByText(texts.text('reach.thisDevice'))).toBeVisible();
    return PushedWorker.of(page);
  });
  await test.step('a task books an earlier date', async () => {
    await wizard.verify(ready.portal_username, ready.portal_password);
    await wizard.configure('first');
    await wizard.submit();
    await dashboard.expectBooking();
  });
  await test.step('the browser shows it in Chinese, without personal data', async () => {
    const id = ((await dashboard.card.getAttribute('id')) ?? '').replace('task-', '');
    const names = await applicants();
    const push = await service.push('booked', 120_000);
    expect(push.extra.sender, 'signed with the key that the page subscribed with').toBe(service.key);
    const shown = await worker.deliver(push);
    expect([shown.title, shown.body]).toEqual([push.title, push.text]);
    expect(shown.title).toMatch(HAN);
    expect(names.length).toBeGreaterThan(0);
    for (const personal of [email, ready.portal_username, ...names])
      expect(push.extra.plain.toLowerCase()).not.toContain(personal.toLowerCase());
    await page.goto(await worker.tap(shown.tag));
    await expect(page).toHaveURL(new RegExp(`/schedule/${id}$`));
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await worker.shown(), 'what was tapped is gone').toEqual([]);
  });
  await context.close();
});

// spec: 10.1.60
test('a question on the phone is declined by its button, and nothing opens (en, 360 px)', async ({ browser }) => {
  const { context, page, service, texts, ready } = await newBrowser(browser, 'en', 360);
  const [accounts, dashboard, wizard] = [new Accounts(page, texts), new Dashboard(page, texts), new Wizard(page, texts)];
  const reached = new Reached(page, texts);
  const name = `declines-${Date.now()}`;
  const email = `${name}@example.com`;
  const username = await portalAccount(ready, `portal-${name}`);
  const worker = await test.step('a user whose phone is notified', async () => {
    await page.goto('/dashboard');
    await accounts.register(email, PASSWORD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    const code = ready.topup_codes[1];
    if (!code) throw new Error('the ready file has no top-up code number 1');
    await dashboard.redeem(code);
    await reached.open();
    await reached.allow(PASSWORD);
    await reached.done();
    return PushedWorker.of(page);
  });
  await test.step('a task asks, and the question has two buttons and no name', async () => {
    await wizard.verify(username, PORTAL_PASSWORD);
    await wizard.configure('last', 'ask');
    await wizard.submit('confirm.agreeAsk');
    const push = await service.push('ask_first', 180_000);
    const shown = await worker.deliver(push);
    expect(shown.buttons).toEqual(['Yes …', 'No']);
    expect(shown.body).toMatch(/^For (\p{L}\. ?)+/u);
    for (const personal of [email, username, ...(await applicants())])
      expect(push.extra.plain.toLowerCase()).not.toContain(personal.toLowerCase());
    await worker.decline(shown.tag);
    await expect.poll(() => worker.shown()).toEqual([]);
    const link = new URL(push.link ?? '');
    await expect(async () => {
      await page.goto(link.pathname + link.search);
      await expect(page.getByText(texts.text('answer.declined'))).toBeVisible({ timeout: 2_000 });
    }).toPass({ timeout: 30_000 });
    expect(context.pages()).toHaveLength(1);
  });
  await context.close();
});

test('a test is delivered in English; a browser without its push subscription is added again (en, 1280 px)', async ({
  browser,
}) => {
  const { context, page, service, texts: before, ready } = await newBrowser(browser, 'zh', 1280);
  const texts = new PageTexts('en');
  const reached = new Reached(page, texts);
  const { row } = reached;
  await test.step('switch from Chinese to English', async () => {
    await page.goto('/auth/login');
    await new Accounts(page, before).fillSignIn(ready.email, ready.password);
    await page.waitForURL(/\/dashboard/);
    await page.goto('/settings');
    await page.locator('#language').getByText('English', { exact: true }).click();
    await expect(page.getByText(texts.text('settings.languageSaved'))).toBeVisible();
  });
  await test.step('the browser is not prompted before the tap', async () => {
    await reached.open();
    expect(service.isSubscribed).toBe(false);
    await reached.allow();
    await reached.done();
  });
  const worker = await PushedWorker.of(page);
  const expectEnglish = async (event: 'verification' | 'test') => {
    const push = await service.push(event);
    const shown = await worker.deliver(push);
    expect([shown.title, shown.body]).toEqual([push.title, push.text]);
    expect(shown.title).not.toBe('');
    expect(push.extra.plain).not.toMatch(HAN);
  };
  await test.step('a greeting and a test appear in English', async () => {
    await expectEnglish('verification');
    await row.getByRole('button', { name: texts.pattern('reach.testWhat') }).click();
    await expect(row.getByText(texts.pattern('reach.testAccepted'))).toBeVisible();
    await expectEnglish('test');
  });
  const gone = service.browser;
  await test.step('its push service no longer knows the subscription', async () => {
    await service.forget();
    await row.getByRole('button', { name: texts.pattern('reach.testWhat') }).click();
    await reached.expectState('needs_attention');
    await expect(row.getByText(texts.text('reach.reason.gone')).first()).toBeVisible();
  });
  await test.step('added again, the channel has a new address in place of the old one', async () => {
    await row.getByRole('button', { name: texts.text('reach.again') }).click();
    await reached.allow();
    await reached.done();
    expect(service.browser).not.toBe(gone);
    await expectEnglish('verification');
  });
  await context.close();
});
