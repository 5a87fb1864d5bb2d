import type { BrowserContext, Page } from '@playwright/test';
import { offlineTexts } from '../src/shared/pwa/offlineTexts.ts';
import { Accounts } from './pages/accounts.ts';
import { Deployment } from './support/deployment.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, expectLoaded, test } from './support/story.ts';

const texts = new PageTexts('zh');

/**
 * Returns whether a service worker controls the page. The worker starts when the browser is idle.
 */
const controlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

async function withWorker(page: Page): Promise<void> {
  await expect.poll(() => controlled(page), { timeout: 30_000, message: 'a service worker' }).toBe(true);
}

/**
 * Waits until no page has requested a file of the build for six seconds. The app loads its last
 * code five seconds after its start. A page that lacks some code when the build is replaced may
 * reload itself, for example at a message, at the moment of a press of the test.
 */
async function filesLoaded(site: Deployment): Promise<void> {
  let before = -1;
  const isQuiet = () => {
    const now = site.filesAsked();
    const quiet = now === before;
    before = now;
    return quiet;
  };
  await expect.poll(isQuiet, { intervals: [6_000], timeout: 60_000, message: 'no more files' }).toBe(true);
}

/** Returns all cached entries of this site, with their cache, path and content. */
function kept(page: Page) {
  return page.evaluate(async () => {
    const all: { cache: string; path: string; text: string }[] = [];
    for (const cache of await caches.keys())
      for (const request of await (await caches.open(cache)).keys())
        all.push({
          cache,
          path: new URL(request.url).pathname,
          text: (await (await caches.match(request))?.text()) ?? '',
        });
    return all;
  });
}

const newVisitor = (browser: { newContext: (options: object) => Promise<BrowserContext> }, baseURL: string) =>
  browser.newContext({ baseURL, locale: 'zh-CN', viewport: { width: 360, height: 740 }, serviceWorkers: 'allow' });

// spec: 10.14.03
test('without a network a page says so, and no user data is cached', async ({ browser }) => {
  const ready = readReady();
  const context = await newVisitor(browser, ready.url);
  const page = await context.newPage();
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length), 'before a touch').toBe(0);
  await page.mouse.wheel(0, 200);
  await withWorker(page);

  await page.goto('/auth/login');
  await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
  for (const path of ['/dashboard', '/balance', '/settings', '/schedule/wizard']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
  }
  const files = await kept(page);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter(({ path }) => path !== '/offline' && !path.startsWith('/assets/')).map(({ path }) => path)).toEqual([]);
  expect(files.filter(({ text }) => text.includes(ready.email)).map(({ path }) => path)).toEqual([]);

  await context.setOffline(true);
  await page.goto('/balance').catch(() => undefined);
  await expect(page.getByRole('heading', { name: offlineTexts.zh.unreachable })).toBeVisible();
  await expect(page.getByText(offlineTexts.zh.unreachableText)).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/balance');
  const asked = await page.evaluate(() =>
    fetch('/api/v1/status').then(
      () => 'answered',
      () => 'no network',
    ),
  );
  expect(asked, 'the API is never answered from what is kept').toBe('no network');
  await context.setOffline(false);
  await expect(page.getByRole('heading', { level: 1, name: texts.text('movements.title') }), 'by itself').toBeVisible();
  await context.close();
});

// spec: 10.14.04, 10.14.05
test('a new build takes over, and a page of the old one reloads itself', async ({ browser }) => {
  const site = await Deployment.before(readReady().url);
  const context = await newVisitor(browser, site.url);
  const page = await context.newPage();
  await page.goto('/auth/login');
  await withWorker(page);
  await page.evaluate(() => caches.open('sooner-offline-of-before'));

  site.deploy();
  await page.getByRole('link', { name: texts.text('auth.forgotLink') }).click();
  await expect(page.getByRole('heading', { level: 1, name: texts.text('auth.forgotTitle') })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/auth/forgot-password');
  const entry = await page.evaluate(() => document.querySelector('astro-island')?.getAttribute('component-url'));
  expect(entry, 'of the new build').toContain('/assets-2/');
  await expect.poll(async () => page.evaluate(() => caches.has('sooner-offline-of-before')), { timeout: 30_000 }).toBe(false);

  site.setReachable(false);
  await page.goto('/auth/login').catch(() => undefined);
  await expect(page.getByRole('heading', { name: offlineTexts.zh.server })).toBeVisible();
  site.setReachable(true);
  await page.getByRole('button', { name: offlineTexts.zh.retry }).click();
  await expect(page.getByRole('heading', { level: 1, name: texts.text('auth.signIn') })).toBeVisible();

  site.switchWorkerOff();
  await page.goto('/auth/forgot-password');
  await expect.poll(async () => (await kept(page)).length, { timeout: 30_000 }).toBe(0);
  // This page registers no worker.
  await page.goto('/pay');
  const registrations = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length);
  await expect.poll(registrations, { timeout: 30_000 }).toBe(0);
  await context.close();
  await site.close();
});

/** Waits until the page is a document of the build whose files are in `folder`. */
const isOf = (page: Page, folder: string) =>
  expect(
    page.locator(`astro-island[component-url^="/${folder}/"], script[type="module"][src^="/${folder}/"]`).first(),
  ).toBeAttached();

/** Returns a list to which all later navigations of the page are added. */
function visits(page: Page): string[] {
  const seen: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && seen.push(new URL(frame.url()).pathname));
  return seen;
}

test('after a deployment a tab of the app, an open page and the old worker continue to work', async ({ browser }) => {
  const { url, email, password } = readReady();
  const site = await Deployment.before(url);
  const context = await newVisitor(browser, site.url);
  const app = await context.newPage();
  await app.goto('/auth/login');
  await withWorker(app);
  // A public page that a guest opened and did not touch, so that its code has not loaded.
  const open = await context.newPage();
  await open.goto('/faq', { waitUntil: 'networkidle' });
  await new Accounts(app, texts).signIn(email, password, '/dashboard');
  await expect(app.getByRole('heading', { level: 1 })).toBeVisible();
  await expectLoaded(app);
  await filesLoaded(site);

  site.deploy();
  await test.step('the app opens a page whose code the new build lacks, with one reload', async () => {
    const seen = visits(app);
    await app
      .getByRole('link', { name: texts.text('nav.settings') })
      .first()
      .click();
    await expect(app.getByRole('heading', { level: 1, name: texts.text('nav.settings') })).toBeVisible();
    await isOf(app, 'assets-2');
    expect(site.timesAsked('/settings')).toBe(1);
    expect(seen.filter((path) => path === '/settings').length, 'once by the app, once anew').toBe(2);
    expect(await controlled(app)).toBe(true);
  });
  await test.step('the open page reloads once at the first touch, and hydrates', async () => {
    const before = site.timesAsked('/faq');
    await open.bringToFront();
    await open.getByRole('button', { name: texts.text('faq.expandAll') }).click();
    await isOf(open, 'assets-2');
    await open.getByRole('button', { name: texts.text('faq.expandAll') }).click();
    await expect(open.locator('details[open]')).toHaveCount(6);
    expect(site.timesAsked('/faq') - before).toBe(1);
  });

  await context.close();
  await site.close();
});

// spec: 10.14.02
test('an API address is requested once, and the return from Google bypasses the worker', async ({ browser }) => {
  const ready = readReady();
  await test.step('every navigation reaches the server once', async () => {
    const site = await Deployment.before(ready.url);
    const context = await newVisitor(browser, site.url);
    const page = await context.newPage();
    await page.goto('/auth/login');
    await withWorker(page);
    const preload = await page.evaluate(async () => (await navigator.serviceWorker.ready).navigationPreload.getState());
    expect(preload.enabled).toBe(false);
    for (const path of ['/api/v1/auth/google/callback', '/healthz', '/auth/forgot-password']) {
      const before = site.timesAsked(path);
      await page.goto(path);
      expect(site.timesAsked(path) - before, path).toBe(1);
    }
    await context.close();
    await site.close();
  });
  await test.step('a sign-in by Google ends at the requested page', async () => {
    const context = await newVisitor(browser, ready.url);
    const page = await context.newPage();
    await page.goto('/settings');
    await page.waitForURL(/\/auth\/login(\?|$)/);
    await withWorker(page);
    const email = `worker-${Date.now()}@example.com`;
    await new Accounts(page, texts).goByGoogle('Sign in', email);
    await page.waitForURL('**/settings');
    await expect(page.getByText(email).first()).toBeVisible();
    expect(await controlled(page), 'still with the worker').toBe(true);
    await context.close();
  });
});
