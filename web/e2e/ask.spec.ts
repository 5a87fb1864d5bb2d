import { Accounts } from './pages/accounts.ts';
import { Dashboard } from './pages/dashboard.ts';
import { Wizard } from './pages/wizard.ts';
import { expectAccessible } from './support/accessible.ts';
import { answerPath, verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { PORTAL_PASSWORD, portalAccount } from './support/portalAccount.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';

// spec: 10.1.15
test('a task asks first by mail, one tap on the phone approves, and the page shows the outcome (zh, 360 px)', async ({
  browser,
}) => {
  const ready = readReady();
  const options = { baseURL: ready.url, viewport: { width: 360, height: 780 }, locale: 'zh-CN', timezoneId: 'America/Toronto' };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const texts = new PageTexts('zh');
  const [accounts, dashboard, wizard] = [new Accounts(page, texts), new Dashboard(page, texts), new Wizard(page, texts)];
  const email = `asked-${Date.now()}@example.com`;

  await test.step('a task that asks first', async () => {
    await page.goto('/dashboard');
    await accounts.register(email, PASSWORD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    const code = ready.topup_codes[4];
    if (!code) throw new Error('the ready file has no top-up code number 4');
    await dashboard.redeem(code);
    await wizard.verify(ready.portal_username, ready.portal_password);
    await wizard.configure('last', 'ask');
    await wizard.submit('confirm.agreeAsk');
    await expect(dashboard.card.getByText(texts.text('task.asking'))).toBeVisible();
  });
  await test.step('the mail’s link opens on a phone without a session, and changes nothing by itself', async () => {
    const phone = await browser.newContext({ ...options, hasTouch: true, isMobile: true });
    const answering = await phone.newPage();
    const yes = answering.getByRole('button', { name: texts.text('answer.yes'), exact: true });
    // A question lasts two minutes. If it has expired, the test opens the link of the next mail.
    await expect(async () => {
      await answering.goto(await answerPath(ready.inbox_url, email));
      await expect(yes).toBeVisible({ timeout: 5_000 });
    }).toPass({ timeout: 180_000 });
    // On the other device the question has taken the screen. Put aside, it stays on its card.
    await expect(page.locator('[data-dialog]')).toBeVisible();
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-dialog]')).toHaveCount(0, { timeout: 1_000 });
    }).toPass();
    await expect(dashboard.card.getByText(texts.text('condition.asked'))).toBeVisible();
    await expect(dashboard.card.getByRole('button', { name: texts.text('condition.yes') })).toBeVisible();
    await expect(dashboard.card.getByRole('button', { name: texts.text('condition.no') })).toBeVisible();
    await answering.reload();
    await yes.tap();
    await expect(answering.getByText(texts.text('answer.booked'))).toBeVisible({ timeout: 60_000 });
    await answering.reload();
    await expect(answering.getByText(texts.text('answer.booked'))).toBeVisible();
    await expect(yes).toHaveCount(0);
    await phone.close();
  });
  await test.step('the dashboard shows the booking and the charge', () => dashboard.expectBooking());
  await context.close();
});

// spec: 10.1.20, 10.1.22
test('a question takes the screen in the middle of the wizard, and a press there books the date (en, 1280 px)', async ({
  browser,
}) => {
  const ready = readReady();
  const options = { baseURL: ready.url, viewport: { width: 1280, height: 800 }, locale: 'en-CA', timezoneId: 'America/Toronto' };
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const texts = new PageTexts('en');
  const [accounts, dashboard, wizard] = [new Accounts(page, texts), new Dashboard(page, texts), new Wizard(page, texts)];
  const name = `screen-${Date.now()}`;
  const email = `${name}@example.com`;
  const username = await portalAccount(ready, `portal-${name}`);
  const typing = await context.newPage();
  const question = typing.getByRole('dialog', { name: texts.text('ask.title') });
  const field = typing.getByRole('main').getByLabel(texts.text('portal.username'), { exact: true });

  await test.step('a task is almost submitted, and another tab is in the wizard', async () => {
    await page.goto('/dashboard');
    await accounts.register(email, PASSWORD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    const code = ready.topup_codes[1];
    if (!code) throw new Error('the ready file has no top-up code number 1');
    await dashboard.redeem(code);
    await wizard.verify(username, PORTAL_PASSWORD);
    await wizard.configure('last', 'ask');
    await typing.goto('/schedule/wizard');
    await field.pressSequentially('half typed');
  });
  await test.step('after the submission the dashboard shows what happens next', async () => {
    await wizard.submit('confirm.agreeAsk');
    // A question may already be open above it.
    for (const key of ['watching.title_one', 'watching.night', 'watching.pause'] as const)
      await expect(page.getByText(texts.text(key))).toBeVisible();
  });
  await test.step('the question opens over the wizard, whose text stays', async () => {
    await typing.bringToFront();
    await expect(question).toBeVisible({ timeout: 180_000 });
    await expect(question.getByText(/days sooner$/)).toBeVisible();
    await expect(typing).toHaveTitle(/^\d:\d\d .+ \d{4}-\d\d-\d\d\? · /);
    await expectAccessible(typing, 'the question', false, '[data-dialog]');
    // Keys that were meant for the field answer nothing.
    await typing.keyboard.press('Enter');
    await expect(question).toBeVisible();
  });
  await test.step('Yes books the date, and the field has the focus again', async () => {
    await question.getByRole('button', { name: texts.text('ask.yes'), exact: true }).click();
    const dialog = typing.getByRole('dialog', { name: texts.text('ask.over') });
    await expect(dialog.getByText(texts.text('ask.booked'))).toBeVisible({ timeout: 60_000 });
    await dialog.getByRole('button', { name: texts.text('ask.close'), exact: true }).click();
    await expect(field).toHaveValue('half typed');
    await expect(field).toBeFocused();
    await expect(typing).not.toHaveTitle(/^\d:/);
  });
  await context.close();
});
