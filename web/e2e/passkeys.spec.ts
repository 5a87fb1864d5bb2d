import type { Page } from '@playwright/test';
import type { Language } from '../src/shared/i18n/language.ts';
import type { TextKey } from '../src/shared/i18n/textKey.ts';
import { Accounts } from './pages/accounts.ts';
import { expectAccessible } from './support/accessible.ts';
import { expectMails, signInPath, verificationPath } from './support/inbox.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const PASSWORD = 'Sunrise#2026';
const runs: { language: Language; width: number }[] = [
  { language: 'zh', width: 360 },
  { language: 'en', width: 1280 },
];

/** Gives the browser an authenticator, which verifies its user at once. */
async function addAuthenticator(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

for (const { language, width } of runs) {
  test(`signing in without a password (${language}, ${width} px)`, async ({ browser }) => {
    const ready = readReady();
    const options = { baseURL: ready.url, viewport: { width, height: 860 }, locale: language === 'zh' ? 'zh-CN' : 'en-CA' };
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const texts = new PageTexts(language);
    const button = (key: TextKey) => page.getByRole('button', { name: texts.text(key), exact: true });
    const accounts = new Accounts(page, texts);
    const email = `pass-${language}-${Date.now()}@example.com`;
    await addAuthenticator(page);
    await accounts.register(email, PASSWORD);
    await accounts.confirm(await verificationPath(ready.inbox_url, email));

    // spec: 10.7.102
    await test.step('a passkey is added after a proof of identity, and the owner gets a mail', async () => {
      await page.goto('/settings/security#passkeys');
      await button('passkeys.add').click();
      await page.getByLabel(texts.text('passkeys.name')).fill('My phone');
      await button('passkeys.create').click();
      await page.getByLabel(texts.text('auth.password'), { exact: true }).fill(PASSWORD);
      await button('stepUp.confirm').click();
      await expect(page.locator('#passkeys').getByText('My phone', { exact: true })).toBeVisible();
      await expect(page.locator('#passkeys').getByText(texts.text('passkeys.unused'))).toBeVisible();
      await expectMails(ready.inbox_url, email, 2);
    });

    // spec: 10.7.100
    await test.step('it signs in, and confirms that it is the user', async () => {
      await accounts.signOut();
      await page.goto('/auth/login');
      await expectAccessible(page, 'the sign-in', false);
      await button('auth.passkey').click();
      await page.waitForURL('**/dashboard');
      await page.goto('/settings/security#passkeys');
      await page.getByRole('button', { name: texts.pattern('passkeys.removeWhat') }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: texts.text('passkeys.remove'), exact: true })
        .click();
      await expect(page.locator('#passkeys').getByText(texts.text('passkeys.none'))).toBeVisible();
      await accounts.signOut();
    });

    // spec: 10.7.101
    await test.step('a removed passkey is refused in words', async () => {
      await page.goto('/auth/login');
      await button('auth.passkey').click();
      await expect(page.getByText(texts.text('problem.passkeyRefused'))).toBeVisible();
    });

    // spec: 10.7.105
    await test.step('a mailed link signs in here; on another device it shows a code to type here', async () => {
      await page.getByRole('link', { name: texts.text('auth.mailLink') }).click();
      await page.getByLabel(texts.text('auth.email'), { exact: true }).fill(email);
      await button('signInLink.button').click();
      await expect(page.getByText(texts.text('signInLink.sentTitle'))).toBeVisible();
      await expectAccessible(page, 'the sign-in', false);
      const path = await signInPath(ready.inbox_url, email);
      const elsewhere = await browser.newContext(options);
      const other = await elsewhere.newPage();
      await other.goto(path);
      await expect(other.getByText(texts.text('signInLink.codeTitle'))).toBeVisible();
      await expectAccessible(other, 'the code of a link', false);
      const code = (await other.getByText(/^[a-z0-9]{4}-[a-z0-9]{4}$/).textContent()) ?? '';
      await elsewhere.close();
      await page.getByLabel(texts.text('signInLink.code'), { exact: true }).fill('aaaa-aaaa');
      await button('signInLink.useCode').click();
      await expect(page.getByText(texts.text('signInLink.codeWrong'))).toBeVisible();
      await page.getByLabel(texts.text('signInLink.code'), { exact: true }).fill(code);
      await button('signInLink.useCode').click();
      await page.waitForURL('**/dashboard');
    });
    await context.close();
  });
}
