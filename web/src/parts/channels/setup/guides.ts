import type { ChannelKind } from '../../../shared/api/channels.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';

/**
 * Instructions for adding a channel, step by step. `{{site}}` in a text is replaced by the
 * provider's site.
 */
interface Guide {
  steps: readonly TextKey[];
  /** Site that provides a key or an address, without `https://`. */
  site?: string;
  /** Notes to read before the setup, such as limits, or other users who can read the messages. */
  notes?: readonly TextKey[];
}

const GROUP_NOTE = ['reach.note.group'] as const satisfies TextKey[];

export const guides: Record<ChannelKind, Guide> = {
  web_push: { steps: [], notes: ['reach.note.chromeChina'] },
  telegram: {
    steps: ['reach.guide.telegram1', 'reach.guide.telegram2', 'reach.guide.link3'],
    notes: ['reach.note.telegramChina'],
  },
  wx_pusher: {
    steps: ['reach.guide.wxPusher1', 'reach.guide.wxPusher2', 'reach.guide.link3'],
    notes: ['reach.note.wxPusher'],
  },
  server_chan: { steps: ['reach.guide.serverChan1', 'reach.guide.serverChan2'], site: 'sct.ftqq.com' },
  push_plus: {
    steps: ['reach.guide.pushPlus1', 'reach.guide.pushPlus2'],
    site: 'www.pushplus.plus',
    notes: ['reach.note.pushPlus'],
  },
  we_com: { steps: ['reach.guide.weCom1', 'reach.guide.weCom2'], notes: GROUP_NOTE },
  ding_talk: { steps: ['reach.guide.dingTalk1', 'reach.guide.dingTalk2'], notes: GROUP_NOTE },
  feishu: { steps: ['reach.guide.feishu1', 'reach.guide.feishu2'], notes: GROUP_NOTE },
  bark: { steps: ['reach.guide.bark1', 'reach.guide.bark2'] },
  ntfy: { steps: ['reach.guide.ntfy1', 'reach.guide.ntfy2'], notes: ['reach.note.ntfy'] },
  pushover: { steps: ['reach.guide.pushover1', 'reach.guide.pushover2'], site: 'pushover.net' },
  discord: { steps: ['reach.guide.discord1', 'reach.guide.discord2'], notes: GROUP_NOTE },
  slack: { steps: ['reach.guide.slack1', 'reach.guide.slack2'], site: 'api.slack.com/apps', notes: GROUP_NOTE },
  webhook: { steps: ['reach.guide.webhook1', 'reach.guide.webhook2'] },
  sms: { steps: [], notes: ['reach.note.sms'] },
};
