import type { Locator, Page } from '@playwright/test';
import { handle } from '../../mock/handler.ts';
import { securityOf } from '../../mock/security.ts';
import { createWorld } from '../../mock/world.ts';
import type { ChannelKind } from '../../src/shared/api/channels.ts';
import type { PageTexts } from './pageTexts.ts';
import { expect } from './story.ts';

/**
 * Answers the page's requests about channels from the fake backend, which has channels in every
 * state.
 */
export async function fakeChannels(page: Page): Promise<void> {
  const world = createWorld();
  // The user has just proved their identity, so adding a channel needs no further proof.
  securityOf(world).provenUntil = Number.POSITIVE_INFINITY;
  await page.route(/\/api\/v1\/user\/(?:channels|notifications)/, async (route) => {
    const request = route.request();
    const url = new URL(request.url());
    const body = (request.postDataJSON() ?? {}) as Record<string, unknown>;
    const { status, body: json } = handle(world, request.method(), url.pathname.slice('/api/v1'.length), url.searchParams, body);
    await route.fulfill({ status, json });
  });
}

/** User agents of browsers that do not support notifications. */
export const agents = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
  weChat:
    'Mozilla/5.0 (Linux; Android 14; V2309A) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0 Mobile Safari/537.36 MicroMessenger/8.0.50',
} as const;

const typed = [
  'server_chan',
  'push_plus',
  'we_com',
  'ding_talk',
  'feishu',
  'bark',
  'ntfy',
  'pushover',
  'discord',
  'slack',
  'webhook',
  'sms',
];
const filled: Partial<Record<string, string>> = { phone: '+1 416 555 0123', send_key: 'SCT123456abcdef' };

/** Page object that opens the dialogs of the notification channels one after another. */
export class ChannelDialogs {
  private readonly section: Locator;
  private readonly dialog: Locator;

  constructor(
    private readonly page: Page,
    private readonly texts: PageTexts,
    /** Checks the present content of the page. */
    private readonly look: (name: string) => Promise<void>,
  ) {
    this.section = page.locator('#notifications');
    this.dialog = page.getByRole('dialog');
  }

  private press(name: string, within: Locator = this.dialog): Promise<void> {
    return within.getByRole('button', { name, exact: true }).click();
  }

  private async begin(kind: ChannelKind): Promise<void> {
    await this.press(this.texts.text('reach.add'), this.section);
    await this.dialog.getByRole('button', { name: this.texts.text(`channels.kind.${kind}`) }).click();
    await expect(this.dialog.getByRole('group', { name: this.texts.pattern('reach.addKind') })).toBeVisible();
  }

  private async close(): Promise<void> {
    await this.page.keyboard.press('Escape');
    await expect(this.dialog).toHaveCount(0);
  }

  private agree(): Promise<void> {
    return this.dialog.getByRole('checkbox', { name: this.texts.text('reach.agree') }).check();
  }

  /** Checks the step for this browser: why it is unsupported, or the request for permission. */
  async thisDevice(name: string): Promise<void> {
    await this.begin('web_push');
    await this.look(name);
    await this.close();
  }

  /** Checks the choice of a channel, then each form, submitted without its required values. */
  async forms(kinds: readonly string[] = typed): Promise<void> {
    await this.press(this.texts.text('reach.add'), this.section);
    await expect(this.dialog.getByRole('button', { name: this.texts.text('channels.kind.telegram') })).toBeVisible();
    await this.look('kinds');
    await this.close();
    for (const kind of kinds) {
      await this.begin(kind as ChannelKind);
      await this.press(this.texts.text('reach.sendCode'));
      await this.look(kind);
      await this.close();
    }
  }

  /** Checks the steps of a channel with a link: requested, shown, opened, and confirmed. */
  async link(kind: 'telegram' | 'wx_pusher'): Promise<void> {
    const { texts, dialog } = this;
    await this.begin(kind);
    await this.look(kind);
    await this.agree();
    await this.press(texts.text('reach.getLink'));
    await expect(dialog.getByRole('img', { name: texts.pattern('reach.qr') })).toBeVisible();
    await this.look(`${kind}-link`);
    await expect(dialog.getByRole('button', { name: texts.text('reach.isMe'), exact: true })).toBeVisible({ timeout: 30_000 });
    await this.look(`${kind}-confirm`);
    await this.press(texts.text('reach.isMe'));
    await expect(dialog.getByText(texts.text('reach.addedText'))).toBeVisible();
    await this.press(texts.text('reach.test'));
    await expect(dialog.getByText(texts.pattern('reach.testAccepted'))).toBeVisible();
    await this.look(`${kind}-done`);
    await this.press(texts.text('reach.done'));
  }

  /** Checks the entry of a code with a wrong one, then a refused phone number. */
  async code(): Promise<void> {
    const { texts, dialog } = this;
    await this.begin('sms');
    await dialog.getByLabel(texts.text('reach.field.phone')).fill(filled.phone ?? '');
    await this.agree();
    await this.press(texts.text('reach.sendCode'));
    await dialog.getByRole('textbox', { name: texts.text('reach.enterCode') }).fill('000000');
    await this.look('code');
    await this.press(texts.text('reach.verify'));
    await expect(dialog.getByText(texts.text('reach.problem.codeWrong'))).toBeVisible();
    await this.look('code-wrong');
    await this.close();
    await this.begin('server_chan');
    await dialog.getByLabel(texts.text('reach.field.send_key')).fill('SCTwrong0001wrong');
    await this.agree();
    await this.press(texts.text('reach.sendCode'));
    await expect(dialog.getByText(texts.pattern('reach.answer'))).toBeVisible();
    await this.look('refused');
    await this.close();
  }

  /** Checks the list: a broken channel with the provider's message, the order, the history. */
  async list(): Promise<void> {
    const { texts, section } = this;
    const broken = section.getByRole('listitem').filter({ hasText: texts.text('channels.state.needs_attention') });
    await broken.getByRole('button', { name: texts.pattern('reach.testWhat') }).click();
    await expect(broken.getByText(texts.pattern('reach.answer'))).toBeVisible();
    await this.press(texts.text('reach.order'), section);
    await this.press(texts.text('channels.history'), section);
    await expect(section.getByText(texts.text('channels.kind.email')).nth(1)).toBeVisible();
    await section.scrollIntoViewIfNeeded();
    await this.look('list');
  }

  /** Checks the events of a channel, its removal, and the quiet hours. */
  async settings(): Promise<void> {
    const { texts, dialog, section } = this;
    for (const kind of ['telegram', 'sms'] as const) {
      const row = section.getByRole('listitem').filter({ hasText: texts.text(`channels.kind.${kind}`) });
      await row
        .first()
        .getByRole('button', { name: texts.pattern('reach.manageWhat') })
        .click();
      await expect(dialog).toBeVisible();
      await this.look(`manage-${kind}`);
      await this.press(texts.text('reach.remove'));
      await this.look(`remove-${kind}`);
      await this.press(texts.text('settings.cancel'));
      await this.close();
    }
    await this.press(texts.text('reach.timesChange'), section);
    await dialog.getByRole('switch', { name: texts.text('reach.quiet') }).click();
    await dialog.getByLabel(texts.text('reach.to'), { exact: true }).fill('22:00');
    await this.press(texts.text('reach.save'));
    await expect(dialog.getByText(texts.text('reach.hoursWrong'))).toBeVisible();
    await this.look('times-wrong');
    await dialog.getByLabel(texts.text('reach.to'), { exact: true }).fill('08:00');
    await this.press(texts.text('reach.save'));
    await expect(dialog).toHaveCount(0);
  }
}
