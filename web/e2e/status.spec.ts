import type { Page } from '@playwright/test';
import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { holdStill, scripts, shifted } from './support/openPage.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const part = (page: Page, name: string) => page.getByRole('region', { name });
const alive = (page: Page) => expect(page.getByRole('slider')).toHaveCount(2);

for (const [language, width] of [
  ['zh', 360],
  ['en', 1280],
] as [Language, number][]) {
  const texts = new PageTexts(language);
  const context = () => ({
    baseURL: readReady().url,
    locale: language === 'zh' ? 'zh-CN' : 'en-CA',
    viewport: { width, height: 900 },
  });

  test(`status: the document shows every state without script (${language}, ${width} px)`, async ({ browser }) => {
    const page = await browser.newPage({ ...context(), javaScriptEnabled: false });
    await page.goto('/status');
    const banner = page.locator('main').getByRole('status').or(page.locator('main').getByRole('alert'));
    await expect(banner).toBeVisible();
    await expect(banner).not.toHaveText('');
    await expect(part(page, texts.text('status.engine')).getByText(texts.text('status.engineOn'), { exact: true })).toBeVisible();
    await expect(part(page, texts.text('status.delivery')).getByText(texts.text('status.mailOk'), { exact: true })).toBeVisible();
    await expect(part(page, texts.text('status.portal')).getByText(texts.text('status.hoursTitle'))).toBeVisible();
    await expect(page.getByText(texts.text('status.incidentsMethod'))).toBeVisible();
    await expect(page.getByText('⟦')).toHaveCount(0);
    // Without scripts there must be no control that needs them.
    await expect(page.getByRole('slider')).toHaveCount(0);
    await page.close();
  });

  test(`status: goes live at a touch, without a layout shift (${language}, ${width} px)`, async ({ browser }) => {
    const page = await browser.newPage(context());
    await holdStill(page);
    await page.goto('/status', { waitUntil: 'networkidle' });
    expect(await scripts(page)).toEqual({ files: 0, bytes: 0 });
    const moved = await shifted(page);
    await page.mouse.move(3, 450);
    await alive(page);
    await expect(page.getByText(texts.text('status.justNow')).first()).toBeVisible();
    // Lines of text may become slightly longer, but the layout must not move.
    expect((await shifted(page)) - moved).toBeLessThan(0.01);
    await page.getByRole('slider').last().press('Home');
    await expect(page.getByText(texts.pattern('status.every'))).toBeVisible();
    await page.close();
  });
}

test('status: goes live after half a minute without a touch', async ({ browser }) => {
  const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA' });
  await page.clock.install();
  await page.goto('/status', { waitUntil: 'networkidle' });
  await page.clock.fastForward(29_000);
  expect((await scripts(page)).files).toBe(0);
  await page.clock.fastForward(2_000);
  await alive(page);
  await page.close();
});

test('status: shows that the server is silent, with its last report', async ({ browser }) => {
  const texts = new PageTexts('en');
  const page = await browser.newPage({ baseURL: readReady().url, locale: 'en-CA' });
  await page.route('**/api/v1/status', (route) => route.abort());
  await page.goto('/status');
  await page.mouse.move(3, 450);
  await expect(page.getByRole('alert')).toContainText(texts.text('status.unreachable'));
  await expect(part(page, texts.text('status.engine'))).toBeVisible();
  await page.unroute('**/api/v1/status');
  await page.getByRole('button', { name: texts.text('status.retry') }).click();
  await alive(page);
  await expect(page.getByText(texts.text('status.unreachable'))).toHaveCount(0);
  await page.close();
});

test('status: shows a signed-in user their account in the header, and opens from the app by a link', async ({ browser }) => {
  const { url, email, password } = readReady();
  const texts = new PageTexts('en');
  const page = await browser.newPage({ baseURL: url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
  await page.goto('/auth/login');
  await new Accounts(page, texts).signIn(email, password, '/dashboard');
  await page
    .getByRole('link', { name: texts.text('nav.status') })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: texts.text('status.title') })).toBeVisible();
  await alive(page);
  await expect(page.getByRole('banner').getByRole('link', { name: texts.text('nav.login') })).toBeHidden();
  await page.close();
});
