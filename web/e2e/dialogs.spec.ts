import { Accounts } from './pages/accounts.ts';
import { expectAccessible } from './support/accessible.ts';
import { agents, ChannelDialogs, fakeChannels } from './support/channelDialogs.ts';
import { PageTexts } from './support/pageTexts.ts';
import { readReady } from './support/ready.ts';
import { chosen, type Scene } from './support/scenes.ts';
import { test } from './support/story.ts';

const scenes: Scene[] = [
  { language: 'zh', dark: false, width: 360 },
  { language: 'en', dark: true, width: 1280 },
  { language: 'en', dark: true, width: 360 },
  { language: 'zh', dark: true, width: 1280 },
  { language: 'en', dark: false, width: 1280 },
];

for (const { language, dark, width } of chosen(scenes))
  test(`every step of adding and managing a channel is accessible (${language}, ${dark ? 'dark' : 'light'}, ${width} px)`, async ({
    browser,
  }) => {
    // The test performs about thirty accessibility checks.
    test.setTimeout(600_000);
    const ready = readReady();
    const texts = new PageTexts(language);
    const open = async (userAgent?: string) => {
      const context = await browser.newContext({
        baseURL: ready.url,
        viewport: { width, height: 780 },
        locale: language === 'zh' ? 'zh-CN' : 'en-CA',
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
        ...(userAgent && { userAgent }),
      });
      await context.grantPermissions(['notifications']);
      const page = await context.newPage();
      await page.goto('/auth/login');
      await new Accounts(page, texts).fillSignIn(ready.email, ready.password);
      await page.waitForURL(/\/dashboard/);
      await fakeChannels(page);
      await page.goto('/settings/notifications');
      const look = (name: string) =>
        test.step(name, async () => {
          const within = (await page.getByRole('dialog').count()) > 0 ? '[role="dialog"]' : undefined;
          await expectAccessible(page, name, dark, within);
        });
      return { context, dialogs: new ChannelDialogs(page, texts, look) };
    };
    const { context, dialogs } = await open();
    await dialogs.list();
    await dialogs.thisDevice('web_push');
    await dialogs.forms();
    await dialogs.code();
    await dialogs.settings();
    for (const kind of ['telegram', 'wx_pusher'] as const) await dialogs.link(kind);
    await context.close();
    for (const [name, agent] of Object.entries(agents)) {
      const other = await open(agent);
      await other.dialogs.thisDevice(name);
      await other.context.close();
    }
  });
