import type { Page } from '@playwright/test';
import { Counted } from './support/counted.ts';
import { verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { PORTAL_PASSWORD, portalAccount } from './support/portalAccount.ts';
import { type Ready, readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';
const texts = new PageTexts('zh');

test.use({ locale: 'zh-CN', timezoneId: 'America/Toronto', viewport: { width: 360, height: 780 }, hasTouch: true });

/** Redeems a code with the API, for a user who already has a balance. */
async function giveBalance(page: Page, { url }: Ready, code: string): Promise<void> {
  const Authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('sooner.access'))}`;
  const response = await page.request.post(`${url}/api/v1/topup/use`, { data: { code }, headers: { Authorization } });
  expect(response.status()).toBe(200);
}

interface Way {
  name: string;
  /** Index of the demo's top-up code. */
  code: number;
  /**
   * True if the balance suffices before the task is created. Otherwise the code is redeemed with
   * the submission.
   */
  before: boolean;
  taps: number;
  fields: number;
}

const ways: Way[] = [
  { name: 'with a balance', code: 2, before: true, taps: 9, fields: 5 },
  { name: 'with a top-up code', code: 3, before: false, taps: 11, fields: 6 },
];

// spec: 10.13.26
for (const way of ways)
  test(`a guest has an active task after at most ${way.taps} taps and ${way.fields} fields, ${way.name} (zh, 360 px)`, async ({
    page,
  }) => {
    const ready = readReady();
    const name = `taps-${way.code}-${Date.now()}`;
    const [email, username] = [`${name}@example.com`, await portalAccount(ready, `portal-${name}`)];
    const code = ready.topup_codes[way.code];
    if (!code) throw new Error(`the ready file has no top-up code number ${way.code}`);
    const person = new Counted();
    const main = page.getByRole('main');
    const field = (label: string) => main.getByLabel(label, { exact: true });
    const button = (label: string) => main.getByRole('button', { name: label, exact: true });

    await page.goto(ready.url);
    // The landing page has a form too. The test takes the longer path.
    await person.tap(main.locator('a[href="/auth/register"]').filter({ hasText: texts.text('landing.ctaButton') }));
    await page.waitForURL('**/auth/register');
    await person.fill(field(texts.text('auth.email')), email);
    await person.fill(field(texts.text('auth.password')), PASSWORD);
    await person.fill(field(texts.text('auth.confirmPassword')), PASSWORD);
    await person.tap(button(texts.text('auth.registerButton')));
    await page.waitForURL(/\/auth\/check-mail(\?|$)/);

    // Opens the mailed link in the same browser.
    await page.goto(`${ready.url}${await verificationPath(ready.inbox_url, email)}`);
    await person.tap(button(texts.text('auth.verifyButton')));
    await page.waitForURL('**/dashboard');
    await expect(page.getByText(texts.text('dashboard.emptyTitle'))).toBeVisible();
    if (way.before) {
      await giveBalance(page, ready, code);
      await page.reload();
    }

    await person.tap(main.getByRole('link', { name: texts.text('dashboard.newTask'), exact: true }).first());
    await person.fill(field(texts.text('portal.username')), username);
    await person.fill(field(texts.text('portal.password')), PORTAL_PASSWORD);
    await person.tap(button(texts.text('portal.verify')));
    await page.waitForURL('**/schedule/wizard?step=2', { timeout: 60_000 });
    await person.tap(
      page
        .getByRole('region', { name: texts.text('editor.where') })
        .getByRole('button')
        .first(),
    );
    await person.tap(button(texts.text('wizard.next')));
    await page.waitForURL('**/schedule/wizard?step=3');
    await person.tap(page.getByRole('checkbox', { name: texts.text('confirm.agree') }));
    if (way.before) {
      await person.tap(button(texts.text('submit.button')));
    } else {
      await person.fill(field(texts.text('topup.label')), code);
      await expect(page.getByText(texts.text('topup.valid'))).toBeVisible();
      await person.tap(button(texts.text('submit.redeem')));
    }
    await page.waitForURL('**/dashboard', { timeout: 30_000 });
    const card = page.getByRole('article').first();
    await expect(card.getByText(texts.text('task.monitoring'), { exact: true }).first()).toBeVisible({ timeout: 60_000 });

    expect(person.taps, 'taps').toBeLessThanOrEqual(way.taps);
    expect(person.fields, 'fields').toBeLessThanOrEqual(way.fields);
  });
