import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { scripts } from './support/openPage.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

/** Price per applicant in the demo. */
const PRICE = '38.00 CAD';

// spec: 10.13.15
for (const language of ['zh', 'en'] satisfies Language[])
  test(`rules: a guest reads the price before registering, ${language}, on a phone`, async ({ browser }) => {
    const texts = new PageTexts(language);
    const context = await browser.newContext({
      baseURL: readReady().url,
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      viewport: { width: 360, height: 800 },
    });
    const page = await context.newPage();
    await page.goto('/');
    const main = page.getByRole('main');
    await expect(main.getByText(texts.pattern('landing.priceLine')).first()).toContainText(PRICE);
    await page.goto(
      await main.getByRole('link', { name: texts.text('landing.priceMore') }).evaluate((a) => (a as HTMLAnchorElement).href),
    );
    await expect(page.getByRole('heading', { level: 1, name: texts.text('pricing.title') })).toBeVisible();
    await expect(main).toContainText(PRICE);
    await expect(main).toContainText('13% HST');
    expect(await scripts(page), 'read without script').toEqual({ files: 0, bytes: 0 });
    for (const [name, title] of [
      ['footer.terms', 'terms.title'],
      ['footer.refunds', 'refunds.title'],
    ] as const) {
      await page
        .getByRole('contentinfo')
        .getByRole('link', { name: texts.text(name), exact: true })
        .click();
      await expect(page.getByRole('heading', { level: 1, name: texts.text(title) })).toBeVisible();
    }
    await page.emulateMedia({ media: 'print' });
    for (const part of [page.getByRole('banner'), page.getByRole('navigation', { name: texts.text('policy.contents') })])
      await expect(part.filter({ visible: true }), 'on paper').toHaveCount(0);
    await context.close();
  });

// spec: 10.13.15
test('rules: the other language is the same page', async ({ browser }) => {
  const [en, zh] = [new PageTexts('en'), new PageTexts('zh')];
  const context = await browser.newContext({ baseURL: readReady().url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto('/terms');
  await expect(page.getByRole('heading', { level: 1, name: en.text('terms.title') })).toBeVisible();
  await expect(page.getByRole('main'), 'who runs it').toContainText('Sooner Demonstration Ltd.');
  await page.getByRole('button', { name: en.text('shell.zh'), exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: zh.text('terms.title') })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/terms');
  await context.close();
});

// spec: 10.11.26
test('rules: transactions have four columns, and a payment has a confirmation', async ({ browser }) => {
  const texts = new PageTexts('en');
  const ready = readReady();
  const context = await browser.newContext({ baseURL: ready.url, locale: 'en-CA', viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto('/auth/login');
  await new Accounts(page, texts).signIn(ready.email, ready.password, '/dashboard');
  await page.goto('/balance');
  const heads = page.getByRole('columnheader');
  const names = [
    'movements.colAt',
    'movements.colAbout',
    'movements.colChange',
    'movements.colBalance',
    'movements.colPaper',
  ] as const;
  await expect(heads).toHaveText(names.map((name) => texts.pattern(name)));
  await page.getByRole('switch', { name: texts.text('movements.showHeld') }).click();
  await expect(heads).toHaveCount(7);
  await page.reload();
  await expect(heads, 'the address keeps it').toHaveCount(7);
  await page.goto('/balance?kind=topup');
  await page
    .getByRole('link', { name: texts.pattern('movements.paymentOf') })
    .last()
    .click();
  const sheet = page.getByRole('article', { name: texts.text('receipt.payment') });
  await expect(sheet).toContainText('Sooner Demonstration Ltd., 1 Example Street, Ottawa ON');
  await expect(sheet).toContainText(texts.text('receipt.paymentText'));
  await expect(sheet, 'the tax is that of what is bought with it').not.toContainText('HST');
  await context.close();
});
