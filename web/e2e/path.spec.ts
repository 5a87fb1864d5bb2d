import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { Dashboard } from './pages/dashboard.ts';
import { Wizard } from './pages/wizard.ts';
import { verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';
const runs: { language: Language; width: number; group: 'first' | 'last' }[] = [
  { language: 'zh', width: 360, group: 'first' },
  { language: 'en', width: 1280, group: 'last' },
];

for (const [index, { language, width, group }] of runs.entries()) {
  test(`a new user gets from registration to a booked earlier date (${language}, ${width} px)`, async ({ browser }) => {
    const ready = readReady();
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width, height: 860 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      timezoneId: 'America/Toronto',
    });
    const page = await context.newPage();
    const texts = new PageTexts(language);
    const accounts = new Accounts(page, texts);
    const dashboard = new Dashboard(page, texts);
    const wizard = new Wizard(page, texts);
    const email = `e2e-${language}-${Date.now()}@example.com`;

    // spec: 2.1.16, 6.01
    await test.step('a guest who opens the dashboard is redirected to the sign-in', async () => {
      await page.goto('/dashboard');
      await page.waitForURL(/\/auth\/login(\?|$)/);
      await expect(page.locator('html')).toHaveAttribute('lang', language === 'zh' ? 'zh-CN' : 'en');
    });
    // spec: 2.1.02, 2.3.01, 2.3.04
    await test.step('register with a valid password', () => accounts.register(email, PASSWORD));
    // spec: 8.1.06
    await test.step('sign-in is refused before the confirmation', () => accounts.expectUnverified(email, PASSWORD));
    // spec: 2.1.07, 7.1.02, 7.1.07, 10.7.42
    await test.step('confirm by mail', async () => accounts.confirm(await verificationPath(ready.inbox_url, email)));
    // spec: 1.10, 2.1.03, 2.4.01, 2.4.07, 4.1.01, 7.1.03
    await test.step('sign in and arrive at the requested page', async () => {
      await accounts.signOut();
      await accounts.signIn(email, PASSWORD, '/dashboard');
    });
    // spec: 2.1.08, 2.7.09
    await test.step('an empty dashboard shows the first steps', async () => {
      await expect(page.getByText(texts.text('dashboard.emptyTitle'))).toBeVisible();
      await dashboard.expectNoSidewaysScroll();
    });
    // spec: 1.19, 2.8.12, 4.4.06, 4.4.08, 7.2.06, 7.2.07
    await test.step('redeem a top-up code', async () => {
      const code = ready.topup_codes[index];
      if (!code) throw new Error(`the ready file has no top-up code number ${index}`);
      await dashboard.redeem(code);
    });
    // spec: 2.1.11, 2.9.01, 3.17, 4.4.01, 5.2.01, 7.3.01
    await test.step('wizard 1: sign in at the portal', () => wizard.verify(ready.portal_username, ready.portal_password));
    // spec: 2.9.02, 4.4.02, 5.2.02, 7.3.02
    await test.step('wizard 2: enter the criteria', () => wizard.configure(group));
    // spec: 2.9.03, 4.4.03, 5.2.31, 7.3.03
    await test.step('wizard 3: agree and submit', () => wizard.submit());
    await test.step('the task is listed and nothing overflows', async () => {
      await expect(dashboard.card).toBeVisible();
      await dashboard.expectNoSidewaysScroll();
    });
    // spec: 2.7.22
    await test.step('a booking appears live and is charged', () => dashboard.expectBooking());
    // spec: 10.1.19
    await test.step('it is announced and animated once', () => dashboard.expectNews());
    // spec: 2.7.15, 6.06
    await test.step('hide and show personal data', () => dashboard.mask());
    // spec: 2.7.17, 4.2.04, 4.2.05, 7.3.07, 7.3.08
    await test.step('pause and start', () => dashboard.pauseAndStart());
    // spec: 2.7.11, 2.7.16, 7.3.11
    await test.step('edit', () => dashboard.edit());
    // spec: 7.3.09
    await test.step('delete with undo', () => dashboard.remove());
    await context.close();
  });
}
