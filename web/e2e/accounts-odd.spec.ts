import type { Page } from '@playwright/test';
import { Accounts } from './pages/accounts.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const HOUR_MS = 3_600_000;

async function signIn(page: Page): Promise<Accounts> {
  const ready = readReady();
  const accounts = new Accounts(page, new PageTexts('en'));
  await page.goto(`${ready.url}/auth/login`);
  await accounts.signIn(ready.email, ready.password, '/dashboard');
  return accounts;
}

test.use({ locale: 'en-CA' });

// spec: 10.7.31
test('a clock that is wrong by a day signs no user out', async ({ page }) => {
  await signIn(page);
  for (const hours of [25, -25]) {
    await page.clock.setSystemTime(new Date(Date.now() + hours * HOUR_MS));
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe('/dashboard');
  }
});

// spec: 2.2.08
test('a browser that stores nothing can be used until the page is closed', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('blocked', 'SecurityError');
        },
      });
  });
  const accounts = await signIn(page);
  await page
    .getByRole('link', { name: new PageTexts('en').text('nav.settings') })
    .first()
    .click();
  await page.waitForURL('**/settings');
  await accounts.signOut();
});

// spec: 4.1.07, 10.7.31
test('without locks, channels and a secure context users stay signed in and sign out together', async ({ context }) => {
  await context.addInitScript(() => {
    Object.defineProperty(navigator, 'locks', { value: undefined });
    Object.defineProperty(crypto, 'randomUUID', { value: undefined });
    Object.defineProperty(window, 'BroadcastChannel', { value: undefined });
  });
  const page = await context.newPage();
  const texts = new PageTexts('en');
  const ready = readReady();
  const accounts = new Accounts(page, texts);
  await page.goto(`${ready.url}/auth/login`);
  await page.getByLabel(texts.text('auth.rememberMe')).check();
  await accounts.signIn(ready.email, ready.password, '/dashboard');
  const second = await context.newPage();
  await second.goto(`${ready.url}/dashboard`);
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('sooner.access', 'stale'));
  let refreshes = 0;
  context.on('request', (request) => {
    if (request.url().endsWith('/auth/refresh')) refreshes += 1;
  });
  await Promise.all([page.reload(), second.reload()]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem('sooner.access'))).not.toBe('stale');
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();
  expect(refreshes).toBe(1);
  await accounts.signOut();
  await second.waitForURL(/\/auth\/login(\?|$)/);
});
