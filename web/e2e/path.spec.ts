import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { Dashboard } from './pages/dashboard.ts';
import { Wizard } from './pages/wizard.ts';
import { verificationPath } from './support/inbox.ts';
import { readReady } from './support/ready.ts';
import { expect, test, withLongCountdowns } from './support/story.ts';
import { WordBook } from './support/words.ts';

const PASSWORD = 'Sunrise#2026';
const runs: { language: Language; width: number; group: 'first' | 'last' }[] = [
  { language: 'zh', width: 360, group: 'first' },
  { language: 'en', width: 1280, group: 'last' },
];

for (const [index, { language, width, group }] of runs.entries()) {
  test(`a newcomer comes from registration to a booked earlier date (${language}, ${width} px)`, async ({ browser }) => {
    const ready = readReady();
    const context = await browser.newContext({
      baseURL: ready.url,
      viewport: { width, height: 860 },
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      timezoneId: 'America/Toronto',
    });
    await withLongCountdowns(context);
    const page = await context.newPage();
    const words = new WordBook(language);
    const accounts = new Accounts(page, words);
    const dashboard = new Dashboard(page, words);
    const wizard = new Wizard(page, words);
    const email = `e2e-${language}-${Date.now()}@example.com`;

    await test.step('a guest who opens the dashboard is asked to sign in', async () => {
      await page.goto('/dashboard');
      await page.waitForURL(/\/auth\/login(\?|$)/);
      await expect(page.locator('html')).toHaveAttribute('lang', language === 'zh' ? 'zh-CN' : 'en');
    });
    await test.step('register by the rules', () => accounts.register(email, PASSWORD));
    await test.step('sign-in waits for the confirmation', () => accounts.expectUnverified(email, PASSWORD));
    await test.step('confirm by the mail', async () => accounts.confirm(await verificationPath(ready.inbox_url, email)));
    await test.step('sign in and land where one was going', () => accounts.signIn(email, PASSWORD, '/dashboard'));
    await test.step('an empty dashboard says what to do', async () => {
      await expect(page.getByText(words.text('dashboard.emptyTitle'))).toBeVisible();
      await dashboard.expectNoSidewaysScroll();
    });
    await test.step('redeem a top-up code', async () => {
      const code = ready.topup_codes[index];
      if (!code) throw new Error(`the ready file has no top-up code number ${index}`);
      await dashboard.redeem(code);
    });
    await test.step('wizard 1: sign in at the portal', () => wizard.verify(ready.portal_username, ready.portal_password));
    await test.step('wizard 2: say what is better', () => wizard.configure(group));
    await test.step('wizard 3: agree and submit', () => wizard.submit());
    await test.step('the task is there and nothing overflows', async () => {
      await expect(dashboard.card).toBeVisible();
      await dashboard.expectNoSidewaysScroll();
    });
    await test.step('a booking arrives live and is charged', () => dashboard.expectBooking());
    await test.step('hide and show personal data', () => dashboard.mask());
    await test.step('pause and start', () => dashboard.pauseAndStart());
    await test.step('edit', () => dashboard.edit());
    await test.step('delete with undo', () => dashboard.remove());
    await context.close();
  });
}
