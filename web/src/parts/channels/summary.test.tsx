import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { ChannelSummary } from './ChannelSummary.tsx';

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;
const rows = async (name: string) => {
  await screen.findByText(name);
  return screen.getAllByRole('listitem').map((row) => row.textContent);
};

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it.each(['zh', 'en'])('lists in %s the channels and the messages of one task', async (language) => {
  await i18next.changeLanguage(language);
  const { sent } = fakeBackend();
  renderAt(<ChannelSummary taskId="0193-on" hidden={false} />);
  expect(await rows('Telegram')).toEqual([
    `${t('channels.kind.email')}lin@example.com${t('channels.state.verified')}`,
    `Telegram@linzhixia${t('channels.state.verified')}`,
    `${t('channels.kind.server_chan')}…3f2a${t('channels.state.needs_attention')}`,
    `${t('channels.kind.sms')}+1 ••• ••• 0123${t('channels.state.pending')}`,
  ]);
  fireEvent.click(screen.getByRole('button', { name: t('channels.history') }));
  expect(await screen.findByText(t('channels.why.quiet_hours'))).toBeTruthy();
  expect(screen.getByText(t('channels.notArrived', { code: '30003' }))).toBeTruthy();
  for (const [textKey, around] of [
    ['channels.arrived', { zh: /^已于 .* 送达手机$/, en: /^Reached the phone at / }],
    ['channels.seen', { zh: /^您已于 .* 确认知道$/, en: /^You confirmed at / }],
  ] as const)
    expect(screen.getByText(around[language as 'zh' | 'en']), textKey).toBeTruthy();
  expect(screen.queryByText(t('channels.event.security'))).toBeNull();
  expect(screen.queryByRole('link')).toBeNull();
  expect(sent).toContain('GET /user/notifications?task_id=0193-on&limit=10');
});

it('masks addresses', async () => {
  fakeBackend();
  renderAt(<ChannelSummary taskId="0193-on" hidden />);
  expect((await rows('Telegram')).slice(0, 2)).toEqual([
    `${t('channels.kind.email')}l***@example.com${t('channels.state.verified')}`,
    `Telegram${t('channels.state.verified')}`,
  ]);
});

it('lists planned channels if only mail exists, and suggests a channel if there is no mail', async () => {
  fakeBackend('mailonly@example.com');
  const { unmount } = renderAt(<ChannelSummary taskId="0193-on" hidden={false} />);
  expect(await rows(t('channels.kind.email'))).toContain(t('settings.channelSms') + t('settings.comingSoon'));
  unmount();
  queryClient.clear();
  fakeBackend('nomail@example.com');
  renderAt(<ChannelSummary taskId="0193-on" hidden={false} />);
  expect(await screen.findByText(t('channels.none'))).toBeTruthy();
});

it('reports that the history could not be loaded, or that no message was sent yet', async () => {
  const { broken } = fakeBackend('fresh@example.com');
  broken.add('GET /user/channels');
  renderAt(<ChannelSummary taskId="0193-on" hidden={false} />);
  const alert = within(await screen.findByRole('alert'));
  broken.clear();
  fireEvent.click(alert.getByRole('button', { name: t('problem.retry') }));
  expect(await screen.findByText(t('channels.kind.email'))).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: t('channels.history') }));
  expect(await screen.findByText(t('channels.historyEmpty'))).toBeTruthy();
});
