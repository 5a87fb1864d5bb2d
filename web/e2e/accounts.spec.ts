import type { BrowserContext, Page } from '@playwright/test';
import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { expectMails, resetPath, verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { type Ready, readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';
import { appCode } from './support/totp.ts';

const OLD = 'Sunrise#2026';
const NEW = 'Harbour2027';
const runs: { language: Language; width: number }[] = [
  { language: 'zh', width: 360 },
  { language: 'en', width: 1280 },
];

interface Scene {
  ready: Ready;
  context: BrowserContext;
  page: Page;
  texts: PageTexts;
  accounts: Accounts;
  email: string;
}

for (const { language, width } of runs) {
  const scene = (title: string, story: (scene: Scene) => Promise<void>) =>
    test(`${title} (${language}, ${width} px)`, async ({ browser }) => {
      const ready = readReady();
      const context = await browser.newContext({
        baseURL: ready.url,
        viewport: { width, height: 860 },
        locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      });
      const page = await context.newPage();
      const texts = new PageTexts(language);
      const email = `acc-${language}-${Date.now()}@example.com`;
      await story({ ready, context, page, texts, accounts: new Accounts(page, texts), email });
      await context.close();
    });

  scene('a forgotten password is reset by mail', async ({ ready, page, texts, accounts, email }) => {
    await accounts.register(email, OLD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    await accounts.signOut();
    // spec: 2.1.04, 2.4.05, 2.5.01, 2.5.02, 4.1.11
    await test.step('requesting a link gives the same response for every address', async () => {
      await page.getByRole('link', { name: texts.text('auth.forgotLink') }).click();
      await expect(page.getByRole('heading', { name: texts.text('auth.forgotTitle') })).toBeVisible();
      await accounts.forgot(`nobody-${email}`);
      await page.getByRole('button', { name: texts.text('auth.forgotOther') }).click();
      await accounts.forgot(email);
    });
    const path = await resetPath(ready.inbox_url, email);
    // spec: 2.1.05, 2.5.03, 2.5.05, 6.02
    await test.step('opening the link does not use it up, and the page shows the rules', async () => {
      await page.goto(path);
      await page.goto(path);
      await accounts.reset('harbour2027', texts.text('auth.resetClasses'));
    });
    // spec: 2.5.06
    await test.step('the new password works, and the page links to the sign-in', async () => {
      await accounts.reset(NEW, texts.text('auth.resetDone'));
      await page.waitForURL(/\/auth\/login(\?|$)/);
      await expect(page.getByText(texts.text('auth.resetSignIn'))).toBeVisible();
      await accounts.fillSignIn(email, OLD);
      await expect(page.getByText(texts.text('problem.invalidCredentials'))).toBeVisible();
      await accounts.signIn(email, NEW, '/dashboard');
    });
    // spec: 2.5.04, 4.1.10
    await test.step('the link is used up and the account holder is notified', async () => {
      await accounts.signOut();
      await page.goto(path);
      await expect(page.getByText(texts.text('auth.resetInvalid'))).toBeVisible();
      await page.getByRole('link', { name: texts.text('auth.resetRequestNew') }).click();
      await page.waitForURL('**/auth/forgot-password');
      await expectMails(ready.inbox_url, email, 3);
    });
  });

  // spec: 10.7.42
  scene('a link opened on another device requires the password', async ({ ready, page, texts, accounts, email }) => {
    await accounts.register(email, OLD);
    const path = await verificationPath(ready.inbox_url, email);
    const browser = page.context().browser();
    if (!browser) throw new Error('a browser of its own');
    const locale = texts.language === 'zh' ? 'zh-CN' : 'en-CA';
    const elsewhere = await browser.newContext({ baseURL: ready.url, locale });
    const there = new Accounts(await elsewhere.newPage(), texts);
    await there.confirmElsewhere(path, email);
    await test.step('an unproven address stays unproven after the reset', async () => {
      await accounts.expectUnverified(email, OLD);
    });
    await there.signIn(email, OLD, '/dashboard');
    await accounts.signIn(email, OLD, '/dashboard');
    await elsewhere.close();
  });

  scene('tabs share one session and sign out together', async ({ ready, context, page, texts, accounts }) => {
    await page.goto('/settings');
    await page.waitForURL(/\/auth\/login(\?|$)/);
    await accounts.signIn(ready.email, ready.password, '/settings');
    const stored = () => page.evaluate(() => [localStorage.getItem('sooner.refresh'), sessionStorage.getItem('sooner.refresh')]);
    expect((await stored())[0]).toBeNull();
    const second = await context.newPage();
    await second.goto('/auth/login');
    await second.waitForURL('**/dashboard');
    await accounts.signOut();
    await second.waitForURL(/\/auth\/login(\?|$)/);
    await expect(second.getByText(texts.text('auth.endedElsewhere'))).toBeVisible();
    expect(await stored()).toEqual([null, null]);
    // spec: 2.4.03
    await test.step('with remember-me the session outlives its tabs', async () => {
      await page.getByLabel(texts.text('auth.rememberMe')).check();
      await accounts.signIn(ready.email, ready.password, '/dashboard');
      expect((await stored())[1]).toBeNull();
      const third = await context.newPage();
      await third.goto('/dashboard');
      await expect(third.getByRole('heading', { level: 1 })).toBeVisible();
      expect(new URL(third.url()).pathname).toBe('/dashboard');
    });
  });

  scene('sign-in requires the second factor, or a recovery code', async ({ ready, page, texts, accounts, email }) => {
    await accounts.register(email, OLD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));
    const call = async <T>(path: string, data: object): Promise<T> => {
      const Authorization = `Bearer ${await page.evaluate(() => localStorage.getItem('sooner.access'))}`;
      const response = await page.request.post(`/api/v1${path}`, { data, headers: { Authorization } });
      expect(response.status(), path).toBe(200);
      return (await response.json()).data as T;
    };
    await call('/auth/step-up', { password: OLD });
    const { secret } = await call<{ secret: string }>('/user/totp', {});
    const { recovery_codes: codes } = await call<{ recovery_codes: string[] }>('/user/totp/confirm', {
      code: appCode(secret, -1),
    });
    await accounts.signOut();
    const code = page.getByLabel(texts.text('auth.totpCode'), { exact: true });
    // spec: 10.7.21
    await test.step('a wrong code shows an error, the right one signs in', async () => {
      await accounts.fillSignIn(email, OLD);
      await code.fill(appCode(secret, -5));
      await page.getByRole('button', { name: texts.text('auth.totpButton') }).click();
      await expect(page.getByText(texts.text('auth.totpWrong'))).toBeVisible();
      await code.fill(appCode(secret));
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard');
    });
    // spec: 2.2.08
    await test.step('a recovery code signs in too', async () => {
      await accounts.signOut();
      await accounts.fillSignIn(email, OLD);
      await page.getByRole('button', { name: texts.text('auth.totpUseRecovery') }).click();
      await page.getByLabel(texts.text('auth.totpRecovery'), { exact: true }).fill(codes[0] ?? '');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/dashboard');
    });
  });

  scene('an expired token is refreshed once, a refused one ends the session', async ({ ready, page, accounts }) => {
    await page.goto('/dashboard');
    await accounts.signIn(ready.email, ready.password, '/dashboard');
    // Opens a page without scripts before changing the tokens. A page of the app would renew them.
    const elsewhere = async () => void (await page.goto('/robots.txt'));
    await elsewhere();
    await page.evaluate(() => localStorage.setItem('sooner.access', 'stale'));
    let refreshes = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/auth/refresh')) refreshes += 1;
    });
    await page.goto('/dashboard');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('sooner.access'))).not.toBe('stale');
    expect(refreshes).toBe(1);
    await test.step('a refused refresh token redirects to the sign-in', async () => {
      await elsewhere();
      await page.evaluate(() => {
        const session = JSON.parse(sessionStorage.getItem('sooner.refresh') ?? '{}');
        sessionStorage.setItem('sooner.refresh', JSON.stringify({ ...session, refreshToken: 'broken' }));
        localStorage.setItem('sooner.access', 'stale');
      });
      await page.goto('/dashboard');
      await page.waitForURL(/\/auth\/login(\?|$)/);
    });
  });

  scene('a sign-in by Google ends at the requested page', async ({ page, texts, accounts, email }) => {
    const google = (person: string) => accounts.goByGoogle(person, email);
    await page.goto('/settings');
    await page.waitForURL(/\/auth\/login(\?|$)/);
    // spec: 2.6.03, 10.7.39
    await test.step('a refusal at Google and an invalid response show an error', async () => {
      for (const [person, said] of [
        ['Bu Yuan', 'auth.callbackDenied'],
        ['Huai Ling', 'auth.callbackToken'],
        ['Mo Weizhi', 'auth.callbackUnverified'],
      ] as const) {
        await google(person);
        await expect(page.getByText(texts.text(said))).toBeVisible();
        await page.getByRole('link', { name: texts.text('auth.backToSignIn') }).click();
        await page.waitForURL(/\/auth\/login(\?|$)/);
      }
    });
    // spec: 1.11, 2.1.06, 2.1.10, 2.4.04, 2.6.02, 4.1.02
    await test.step('a new user is signed in at once, with the chosen remember-me', async () => {
      await page.getByLabel(texts.text('auth.rememberMe')).check();
      await google('Sign in');
      await page.waitForURL('**/settings');
      await expect(page.getByText(email).first()).toBeVisible();
      expect(await page.evaluate(() => sessionStorage.getItem('sooner.refresh'))).toBeNull();
    });
    // spec: 2.6.02
    await test.step('the history contains no token', async () => {
      await page.goBack();
      expect(page.url()).not.toContain('refresh_token');
    });
  });

  scene('a failed return from Google leads back to the sign-in', async ({ page, texts }) => {
    await page.goto('/auth/google/callback?error=access_denied');
    await expect(page.getByText(texts.text('auth.callbackDenied'))).toBeVisible();
    expect(new URL(page.url()).search).toBe('');
    await page.goto('/auth/google/callback?success=true&token=e30.e30.x&refresh_token=stranger');
    await expect(page.getByText(texts.text('auth.callbackMismatch'))).toBeVisible();
    await page.getByRole('link', { name: texts.text('auth.backToSignIn') }).click();
    await page.waitForURL(/\/auth\/login(\?|$)/);
  });
}
