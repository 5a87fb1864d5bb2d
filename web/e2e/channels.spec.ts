import type { Language } from '../src/shared/i18n/language.ts';
import { Accounts } from './pages/accounts.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { expect, test } from './support/story.ts';

const TOKEN = { zh: '0123456789abcdef0123456789abcdef', en: 'fedcba9876543210fedcba9876543210' };

/**
 * Returns the messages that the simulated channels received for one provider, newest first, as JSON
 * text.
 */
async function arrived(provider: string): Promise<string> {
  const { channels_url } = readReady();
  return (await fetch(`${channels_url}.json?provider=${provider}`)).text();
}

for (const language of ['zh', 'en'] as const satisfies Language[])
  test(`${language}, a channel is added by its code, another by a tap and "This is me"; a test is delivered`, async ({
    browser,
  }) => {
    const { url, email, password } = readReady();
    const texts = new PageTexts(language);
    const context = await browser.newContext({
      baseURL: url,
      locale: language === 'zh' ? 'zh-CN' : 'en-CA',
      viewport: { width: 360, height: 760 },
    });
    const page = await context.newPage();
    await page.goto('/auth/login');
    await new Accounts(page, texts).fillSignIn(email, password);
    await page.waitForURL(/\/dashboard/);
    await page.goto('/settings/notifications');
    const section = page.locator('#notifications');
    const dialog = page.getByRole('dialog');
    const add = (kind: 'push_plus' | 'telegram') =>
      test.step(`${kind}: shows content, recipient and consent`, async () => {
        await section.getByRole('button', { name: texts.text('reach.add') }).click();
        await dialog.getByRole('button', { name: texts.text(`channels.kind.${kind}`) }).click();
        await expect(dialog.getByText(texts.text(`reach.by.${kind}`))).toBeVisible();
        await dialog.getByRole('checkbox', { name: texts.text('reach.agree') }).check();
      });
    const finish = async () => {
      await dialog.getByRole('button', { name: texts.text('reach.test') }).click();
      await expect(dialog.getByText(texts.pattern('reach.testAccepted'))).toBeVisible();
      await dialog.getByRole('button', { name: texts.text('reach.done') }).click();
      await expect(dialog).toHaveCount(0);
    };

    await add('push_plus');
    await test.step('the delivered code proves the channel', async () => {
      await dialog.getByLabel(texts.text('reach.field.push_token')).fill(TOKEN[language]);
      const before = await arrived('pushplus');
      await dialog.getByRole('button', { name: texts.text('reach.sendCode') }).click();
      const field = dialog.getByRole('textbox', { name: texts.text('reach.enterCode') });
      await expect(field).toBeFocused();
      await expect.poll(() => arrived('pushplus')).not.toBe(before);
      const code = /\b\d{6}\b/.exec((await arrived('pushplus')).slice(0, 2_000))?.[0] ?? '';
      await field.fill(code);
      await dialog.getByRole('button', { name: texts.text('reach.verify') }).click();
      await finish();
    });

    await add('telegram');
    await test.step('the user taps the link in Telegram, and confirms its name here', async () => {
      await dialog.getByRole('button', { name: texts.text('reach.getLink') }).click();
      const link = dialog.getByRole('link', { name: texts.pattern('reach.openLink') });
      const telegram = await context.newPage();
      await telegram.goto((await link.getAttribute('href')) ?? '');
      await telegram.getByRole('button', { name: 'Start' }).first().click();
      // Waits for the navigation, because a tab that closes earlier may not send its request.
      await telegram.waitForURL(/\/telegram\/chats\//);
      await telegram.close();
      await dialog.getByRole('button', { name: texts.text('reach.isMe'), exact: true }).click();
      await finish();
    });

    await test.step('both channels are on, and are removed again', async () => {
      for (const kind of ['push_plus', 'telegram'] as const) {
        const row = section.getByRole('listitem').filter({ hasText: texts.text(`channels.kind.${kind}`) });
        await expect(row.getByText(texts.text('channels.state.verified'))).toBeVisible();
        await row.getByRole('button', { name: texts.pattern('reach.manageWhat') }).click();
        await dialog.getByRole('button', { name: texts.text('reach.remove') }).click();
        await dialog.getByRole('button', { name: texts.text('reach.remove') }).click();
        await expect(row).toHaveCount(0);
      }
    });
    await context.close();
  });
