import { Accounts } from './pages/accounts.ts';
import { Dashboard } from './pages/dashboard.ts';
import { Wizard } from './pages/wizard.ts';
import { answerPath, verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
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
