import type { Page } from '@playwright/test';
import { Accounts } from './pages/accounts.ts';
import { expectAccessible, expectNoSidewaysScroll } from './support/accessible.ts';
import { textContrast } from './support/contrast.ts';
import { hiddenStops } from './support/focusStops.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { chosen, type Scene } from './support/scenes.ts';
import { expect, expectLoaded, test } from './support/story.ts';
import { smallTargets } from './support/targets.ts';

const open = [
  '/',
  '/faq',
  '/privacy',
  '/pricing',
  '/refunds',
  '/terms',
  '/status',
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/auth/reset-password',
  '/auth/reset-password?token=x',
  '/auth/google/callback?error=access_denied',
  '/auth/verify-email?token=x',
  '/auth/resend-verification',
  '/auth/check-mail',
  '/auth/answer?token=x',
  '/nowhere',
];
const signedIn = [
  '/dashboard',
  '/balance',
  '/balance/payment?payment_intent=pi_x',
  '/schedule/wizard',
  '/settings',
  ...['notifications', 'visa-accounts', 'account', 'security', 'devices', 'data', 'referral'].map(
    (topic) => `/settings/${topic}`,
  ),
  '/test-schedules',
];
/**
 * Documents of the server in which the code adds the balance and the avatar of a signed-in user.
 */
const documents = ['/', '/faq', '/privacy', '/pricing', '/refunds', '/terms', '/status'];
/** Returns the pages that show the demo's first task. */
const ofTask = (id: string) => [`/schedule/${id}`, `/schedule/edit/${id}`, `/schedule/${id}/receipt/1`];
async function expectAccessiblePage(page: Page, path: string, dark: boolean): Promise<void> {
  await page.goto(path);
  await expectLoaded(page);
  await expectAccessible(page, path, dark);
}

/** Checks that only the receipt is printed, dark on white in any theme. */
async function expectPrintable(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('article')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  for (const part of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('button')])
    await expect(part.filter({ visible: true })).toHaveCount(0);
  // Retries, because colour transitions take several frames.
  await expect(async () => {
    const { faint, unlisted } = await textContrast(page, false);
    expect([faint, unlisted], `${path} on paper`).toEqual([[], []]);
  }).toPass({ timeout: 5_000 });
  await page.emulateMedia({ media: null });
}

const scenes: Scene[] = [
  { language: 'zh', dark: false, width: 360 },
  { language: 'en', dark: true, width: 1280 },
  { language: 'zh', dark: true, width: 768 },
];

for (const { language, dark, width } of chosen(scenes)) {
  // spec: 6.02, 6.03
  test(`every page is accessible (${language}, ${dark ? 'dark' : 'light'}, ${width} px)`, async ({ browser }) => {
    const ready = readReady();
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width, height: 860 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      colorScheme: dark ? 'dark' : 'light',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    for (const path of open) await test.step(path, () => expectAccessiblePage(page, path, dark));
    await page.goto('/auth/login');
    await new Accounts(page, new PageTexts(language)).signIn(ready.email, ready.password, '/dashboard');
    for (const path of signedIn) await test.step(path, () => expectAccessiblePage(page, path, dark));
    await page.goto('/dashboard');
    const card = page.getByRole('article').first();
    await expect(card.getByText(new PageTexts(language).text('task.history'))).toBeVisible({ timeout: 120_000 });
    const id = ((await card.getAttribute('id')) ?? '').replace('task-', '');
    for (const path of ofTask(id)) await test.step(path, () => expectAccessiblePage(page, path, dark));
    await test.step('on paper', () => expectPrintable(page, `/schedule/${id}/receipt/1`));
    await context.close();
  });
}

for (const language of ['zh', 'en'] as const)
  test(`the documents fit a phone for a signed-in user (${language})`, async ({ browser }) => {
    const ready = readReady();
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width: 360, height: 860 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const texts = new PageTexts(language);
    await page.goto('/auth/login');
    await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
    for (const path of documents)
      await test.step(path, async () => {
        await page.goto(path);
        const header = page.getByRole('banner');
        await expect(header.locator('a[href$="#balance"]')).toBeVisible();
        await expect(header.getByRole('button', { name: texts.text('open.menu'), exact: true })).toBeInViewport({ ratio: 1 });
        for (const width of [320, 360, 390, 768]) {
          await page.setViewportSize({ width, height: 860 });
          await expectNoSidewaysScroll(page, `${path} at ${width} px`);
        }
        await page.setViewportSize({ width: 360, height: 860 });
      });
    await context.close();
  });

// spec: 10.17.03
test('targets are at least 44 px high on a phone', async ({ browser }) => {
  const ready = readReady();
  const context = await browser.newContext({
    baseURL: ready.url,
    viewport: { width: 390, height: 844 },
    locale: 'zh-CN',
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const expectRoom = async (path: string) => {
    await page.goto(path);
    await expectLoaded(page);
    expect(await smallTargets(page), path).toEqual([]);
  };
  for (const path of ['/', '/auth/login', '/auth/register']) await test.step(path, () => expectRoom(path));
  await page.goto('/auth/login');
  await new Accounts(page, new PageTexts('zh')).signIn(ready.email, ready.password, '/dashboard');
  for (const path of ['/balance', '/schedule/wizard']) await test.step(path, () => expectRoom(path));
  await context.close();
});

/** Sizes of a window of 1280 by 800 px at a zoom of 200 % and 400 %. */
const zoomed = [
  { width: 640, height: 400 },
  { width: 320, height: 200 },
];

// spec: 10.17.02, 10.17.03, 10.17.04
for (const language of ['en'] as ('en' | 'zh')[])
  test(`every control is visible and large enough at a zoom of 200 % and 400 % (${language})`, async ({ browser }) => {
    test.setTimeout(600_000);
    const ready = readReady();
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width: 1280, height: 800 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    const expectUsable = (path: string) =>
      test.step(path, async () => {
        for (const size of zoomed) {
          await page.setViewportSize(size);
          await page.goto(path);
          await expectLoaded(page);
          await expectNoSidewaysScroll(page, `${path} at ${size.width} px`);
          expect(await hiddenStops(page), `${path} at ${size.width} px`).toEqual([]);
          expect(await smallTargets(page, 24), `${path} at ${size.width} px`).toEqual([]);
        }
      });
    for (const path of open) await expectUsable(path);
    await page.goto('/auth/login');
    await new Accounts(page, new PageTexts(language)).signIn(ready.email, ready.password, '/dashboard');
    const card = page.getByRole('article').first();
    await expect(card).toBeVisible();
    const id = ((await card.getAttribute('id')) ?? '').replace('task-', '');
    for (const path of [...signedIn, ...ofTask(id).slice(0, 2)]) await expectUsable(path);
    await context.close();
  });
