import type { Frame, Page } from '@playwright/test';
import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { holdStill, places, scripts, shifted, strongestDifference, untilAlive } from './support/openPage.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const still = { animations: 'disabled', caret: 'hide' } as const;

async function opened(page: Page, address: string): Promise<void> {
  await holdStill(page);
  await page.goto(address, { waitUntil: 'networkidle' });
  await page.evaluate(() => document.fonts.ready);
  expect(await scripts(page), `${address} asks for script before it is touched`).toEqual({ files: 0, bytes: 0 });
}

const scenes: { language: Language; scheme: 'light' | 'dark'; width: number }[] = [
  { language: 'zh', scheme: 'light', width: 360 },
  { language: 'en', scheme: 'dark', width: 360 },
  { language: 'zh', scheme: 'dark', width: 1280 },
  { language: 'en', scheme: 'light', width: 1280 },
];

test.describe('an open page after a touch', () => {
  for (const { language, scheme, width } of scenes)
    test(`alive: renders as before the touch, ${language}, ${scheme}, ${width}`, async ({ browser }) => {
      const context = await browser.newContext({
        baseURL: readReady().url,
        locale: language === 'zh' ? 'zh-CN' : 'en-CA',
        colorScheme: scheme,
        reducedMotion: 'reduce',
        viewport: { width, height: 900 },
      });
      for (const address of ['/', '/faq', '/privacy', '/pricing']) {
        const page = await context.newPage();
        await opened(page, address);
        const [before, seenBefore, shiftedBefore] = [await places(page), await page.screenshot(still), await shifted(page)];
        await page.mouse.move(3, 450);
        await untilAlive(page);
        await page.waitForLoadState('networkidle');
        expect(await places(page), `${address}: something moved`).toEqual(before);
        const difference = await strongestDifference(page, seenBefore, await page.screenshot(still));
        expect(difference, `${address} looks different`).toBeLessThanOrEqual(2);
        expect(await shifted(page), `${address} shifted`).toBe(shiftedBefore);
        await page.close();
      }
      await context.close();
    });

  test('alive: a key press hydrates the page and keeps the focus', async ({ browser }) => {
    const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA' });
    await opened(page, '/faq');
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: new PageTexts('en').text('shell.skip') });
    await expect(skip).toBeFocused();
    await untilAlive(page);
    await expect(skip).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('banner').getByRole('link').first()).toBeFocused();
    await page.close();
  });

  test('alive: the form loads at a touch and keeps typed values', async ({ browser }) => {
    const texts = new PageTexts('en');
    const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
    await opened(page, '/');
    // Types and submits before the page's code has loaded.
    await page.locator('input[name="email"]').fill('lin@example.com');
    await page.getByRole('button', { name: texts.text('auth.registerButton') }).click();
    await expect(page.getByText(texts.text('auth.passwordRequired')).first()).toBeVisible();
    await expect(page.locator('input[name="email"]')).toHaveValue('lin@example.com');
    await expect(page.getByText(texts.text('auth.emailRequired'))).toHaveCount(0);
    expect(new URL(page.url()).search).toBe('');
    await page.close();
  });

  // spec: 2.2.35
  test('alive: a gallery picture opens large, and Escape restores the focus', async ({ browser }) => {
    const texts = new PageTexts('en');
    const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
    await opened(page, '/');
    const tile = page.getByRole('button', { name: texts.text('gallery.seen') });
    // Presses before the page's code has loaded.
    await tile.click();
    const large = page.getByRole('dialog', { name: texts.text('gallery.title') });
    await expect(large.getByText('2 / 8')).toBeVisible();
    await page.keyboard.press('ArrowRight');
    await expect(large.getByText('3 / 8')).toBeVisible();
    await page.keyboard.press('Tab');
    await expect(large.locator(':focus')).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(large).toHaveCount(0);
    await expect(tile).toBeFocused();
    await page.close();
  });

  test('alive: the other language is another document at the same position', async ({ browser }) => {
    const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
    // Opening a fragment scrolls, which counts as a touch, so the page becomes interactive.
    await page.goto('/?lang=en#contact');
    await page.getByRole('button', { name: new PageTexts('en').text('shell.zh') }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    expect(page.url()).toMatch(/\/#contact$/);
    await page.goto('/faq');
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await page.close();
  });

  test('alive: a referral link shows the invitation before any code loads, and at the next visit', async ({ browser }) => {
    const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA', viewport: { width: 360, height: 900 } });
    const invited = page.getByText(new PageTexts('en').text('landing.invited'));
    await opened(page, '/');
    await expect(invited).toBeHidden();
    await opened(page, '/?ref=MINE42');
    await expect(invited).toBeVisible();
    await opened(page, '/');
    await expect(invited).toBeVisible();
    await page.close();
  });

  test('alive: a signed-in user sees a link to the dashboard and no registration', async ({ browser }) => {
    const texts = new PageTexts('en');
    const ready = readReady();
    const context = await browser.newContext({ baseURL: ready.url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto('/auth/login');
    await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
    await page.goto('/', { waitUntil: 'commit' });
    // Checks both before and after the page's code has loaded.
    const way = page.getByRole('link', { name: texts.text('landing.toDashboard') });
    await expect(way).toBeVisible();
    await expect(page.locator('#sign-up')).toBeHidden();
    await expect(page.getByRole('button', { name: texts.pattern('shell.account') })).toBeVisible();
    await expect(page.locator('#sign-up')).toBeHidden();
    await way.click();
    await expect(page).toHaveURL(/\/dashboard$/);
    await context.close();
  });

  test('alive: an open page restores the session once and shows the account', async ({ browser }) => {
    const texts = new PageTexts('en');
    const ready = readReady();
    const context = await browser.newContext({ baseURL: ready.url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto('/auth/login');
    await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
    for (const address of ['/', '/privacy', '/faq', '/terms']) {
      const visits: string[] = [];
      const count = (frame: Frame) => frame === page.mainFrame() && visits.push(new URL(frame.url()).pathname);
      page.on('framenavigated', count);
      await page.goto(address);
      await expect(page.getByRole('button', { name: texts.pattern('shell.account') })).toBeVisible();
      // By then, code that redirects would have loaded and run.
      await page.waitForLoadState('networkidle');
      expect(visits, address).toEqual([address]);
      page.off('framenavigated', count);
    }
    await context.close();
  });
});
