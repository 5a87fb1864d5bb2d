import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { channelsOf } from '../../../../mock/channels.ts';
import { fakeBackend, renderAt } from '../../../../mock/kit.tsx';
import { securityOf } from '../../../../mock/security.ts';
import { StepUpGate } from '../../../parts/stepUp/StepUpGate.tsx';
import { sessionStore } from '../../../shared/api/identity.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../../shared/api/session.ts';
import type { LoginAnswer } from '../../../shared/api/types.ts';
import { ownPush } from '../../../shared/browser/ownPush.ts';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { toastManager } from '../../../shared/ui/toastManager.ts';
import { NotificationSetting } from '../NotificationSetting.tsx';

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

/** Renders the channels of a signed-in user with the fake backend. */
function open(email = 'lin@example.com', proven = true) {
  const backend = fakeBackend(email);
  acceptLogin({ access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: email, email } } as LoginAnswer, true);
  renderAt(
    <>
      <NotificationSetting />
      <StepUpGate />
    </>,
    '/settings',
  );
  if (proven) securityOf(backend.world).provenUntil = Date.now() + 300_000;
  return { ...backend, reached: channelsOf(backend.world) };
}

const panel = () => within(document.getElementById('notifications') as HTMLElement);
const dialog = async () => within(await screen.findByRole('dialog'));
type Scope = ReturnType<typeof within>;
const press = async (scope: Scope, name: string | RegExp) => fireEvent.click(await scope.findByRole('button', { name }));
const fill = (scope: Scope, key: TextKey, value: string) => fireEvent.change(scope.getByLabelText(t(key)), { target: { value } });
const agree = (scope: Scope) => fireEvent.click(scope.getByRole('checkbox', { name: t('reach.agree') }));
const shut = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
const rowOf = async (name: string) => within((await panel().findByText(name)).closest('li') as HTMLElement);

/** Opens the dialog for a new channel of one kind. */
async function choose(kind: TextKey) {
  await press(panel(), t('reach.add'));
  const scope = await dialog();
  await press(scope, new RegExp(`^${t(kind)}`));
  return scope;
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  toastManager.close();
  cleanup();
  endSession();
  localStorage.clear();
  vi.unstubAllGlobals();
});

describe('the channels', () => {
  it.each(['zh', 'en'])('show in %s the state of each channel, the reason, and the remedy', async (language) => {
    await i18next.changeLanguage(language);
    const { reached } = open();
    const mail = await rowOf(t('channels.kind.email'));
    expect(mail.getByText('lin@example.com')).toBeTruthy();
    const telegram = await rowOf('Telegram');
    expect(telegram.getByText(t('channels.state.verified'))).toBeTruthy();
    expect(telegram.getByText(t('reach.lastOk', { when: t('settings.hoursAgo', { count: 3 }) }))).toBeTruthy();
    const broken = await rowOf(t('channels.kind.server_chan'));
    expect(broken.getByText(t('channels.state.needs_attention'))).toBeTruthy();
    const gap = language === 'zh' ? '' : ' ';
    expect(broken.getByText(`${t('reach.reason.credentials')}${gap}${t('reach.repair.credentials')}`)).toBeTruthy();
    const sms = await rowOf(t('channels.kind.sms'));
    expect(sms.getByText(t('reach.waitsCode'))).toBeTruthy();
    expect(sms.queryByRole('button', { name: new RegExp(t('reach.test')) })).toBeNull();
    expect(document.body.textContent).not.toMatch(/\{\{|reach\.|channels\./);
    expect(reached.channels).toHaveLength(3);
  });

  it('are not offered if the server has none; mail is not offered without a mail server', async () => {
    open('nomail@example.com');
    expect(await panel().findByText(t('reach.noMail'))).toBeTruthy();
    expect(panel().queryByText(t('channels.kind.email'))).toBeNull();
    expect(panel().queryByText(t('settings.comingSoon'))).toBeNull();
    expect(panel().getByRole('button', { name: t('reach.add') })).toBeTruthy();
  });

  it('report that they could not be loaded, and retry', async () => {
    const backend = fakeBackend();
    backend.broken.add('GET /user/channels');
    renderAt(<NotificationSetting />, '/settings');
    expect(await panel().findByText(t('channels.failed'))).toBeTruthy();
    backend.broken.clear();
    await press(panel(), t('problem.retry'));
    expect(await panel().findByText('Telegram')).toBeTruthy();
  });

  it.each(['zh', 'en'])('show in %s the provider’s answer to a test', async (language) => {
    await i18next.changeLanguage(language);
    open();
    await press(await rowOf('Telegram'), t('reach.testWhat', { what: 'Telegram @linzhixia' }));
    const telegram = await rowOf('Telegram');
    expect(await telegram.findByText('{"ok":true,"result":{"message_id":4711}}')).toBeTruthy();
    expect(telegram.getByRole('status').textContent).toMatch(/\d\d:\d\d:\d\d/);
    const name = t('channels.kind.server_chan');
    await press(await rowOf(name), t('reach.testWhat', { what: `${name} …3f2a` }));
    expect((await (await rowOf(name)).findByText(/40001/)).closest('[role=status]')?.textContent).toContain(
      t('reach.reason.credentials'),
    );
  });

  it('change their order, and restore it if saving fails', async () => {
    const { bodies, broken } = open();
    await press(panel(), t('reach.order'));
    await press(panel(), t('reach.down', { what: 'Telegram @linzhixia' }));
    await waitFor(() => expect(bodies.get('PUT /user/channels/order')).toEqual({ ids: ['n2', 'n1', 'n3'] }));
    broken.add('PUT /user/channels/order');
    await waitFor(() =>
      expect(
        (panel().getByRole('button', { name: t('reach.up', { what: 'Telegram @linzhixia' }) }) as HTMLButtonElement).disabled,
      ).toBe(false),
    );
    await press(panel(), t('reach.up', { what: 'Telegram @linzhixia' }));
    expect(await screen.findByText(t('reach.orderFailed'))).toBeTruthy();
    await waitFor(() =>
      expect(
        panel()
          .getAllByText(/^\d\. /)
          .map((one) => one.textContent?.split(' ')[1]),
      ).toEqual(['ServerChan', 'Telegram', 'SMS']),
    );
  });

  it('change the events of a channel, switch it off, and remove it after a confirmation', async () => {
    const { bodies, reached } = open();
    await press(panel(), t('reach.manageWhat', { what: 'Telegram @linzhixia' }));
    const manage = await dialog();
    fireEvent.click(manage.getByRole('checkbox', { name: t('channels.event.opening') }));
    fireEvent.click(manage.getByRole('switch', { name: t('reach.on') }));
    await press(manage, t('reach.save'));
    await shut();
    const body = { events: ['booked', 'needs_you', 'security', 'ask_first'], on: false };
    expect(bodies.get('PUT /user/channels/{id}') ?? bodies.get('PUT /user/channels/n1')).toEqual(body);
    expect(await (await rowOf('Telegram')).findByText(t('channels.state.off'))).toBeTruthy();
    await press(panel(), t('reach.manageWhat', { what: 'Telegram @linzhixia' }));
    await press(await dialog(), t('reach.remove'));
    const sure = within(await screen.findByRole('dialog', { name: t('reach.removeTitle', { what: 'Telegram @linzhixia' }) }));
    await press(sure, t('reach.remove'));
    await waitFor(() => expect(panel().queryByText('Telegram')).toBeNull());
    expect(reached.channels.map(({ id }) => id)).toEqual(['n2', 'n3']);
  });

  it('offer no choice of events for text messages', async () => {
    open();
    const name = t('channels.kind.sms');
    await press(panel(), t('reach.manageWhat', { what: `${name} +1 ••• ••• 0123` }));
    const boxes = (await dialog()).getAllByRole('checkbox') as HTMLInputElement[];
    expect(boxes.map(({ checked, disabled }) => [checked, disabled])).toEqual([
      [true, true],
      [true, true],
    ]);
  });

  it('have quiet hours at night, in the user’s zone', async () => {
    const { bodies } = open();
    await press(panel(), t('reach.timesChange'));
    const times = await dialog();
    fireEvent.click(times.getByRole('switch', { name: t('reach.quiet') }));
    fill(times, 'reach.to', '22:00');
    await press(times, t('reach.save'));
    expect(await times.findByText(t('reach.hoursWrong'))).toBeTruthy();
    fill(times, 'reach.to', '07:30');
    fireEvent.click(times.getByRole('checkbox', { name: t('reach.asks') }));
    await press(times, t('reach.save'));
    await shut();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/Toronto';
    expect(bodies.get('PUT /user/notifications')).toEqual({
      quiet_from: '22:00',
      quiet_to: '07:30',
      zone,
      questions_at_night: true,
      digest: 'weekly',
    });
  });

  it.each(['zh', 'en'])('send a digest in %s on Mondays until the user chooses, in the browser’s zone', async (language) => {
    await i18next.changeLanguage(language);
    const { bodies, reached } = open();
    await press(panel(), t('reach.timesChange'));
    const times = await dialog();
    const choice = times.getByRole('combobox', { name: t('reach.digest') });
    expect(choice.textContent).toBe(t('reach.digestWeekly'));
    choice.focus();
    fireEvent.click(choice);
    const daily = await screen.findByRole('option', { name: t('reach.digestDaily') });
    fireEvent.mouseMove(daily);
    fireEvent.click(daily);
    expect(await times.findByRole('combobox', { name: t('reach.zoneLabel') })).toBeTruthy();
    await press(times, t('reach.save'));
    await shut();
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'America/Toronto';
    const body = { quiet_from: null, quiet_to: null, zone, questions_at_night: false, digest: 'daily' };
    expect(bodies.get('PUT /user/notifications')).toEqual(body);
    expect(reached.setting.digest).toBe('daily');
    expect(await panel().findByText(new RegExp(t('reach.digestNowDaily')))).toBeTruthy();
  });

  it.each(['zh', 'en'])('have a history in %s with the reason why a message was not sent', async (language) => {
    await i18next.changeLanguage(language);
    open();
    await press(panel(), t('channels.history'));
    for (const textKey of ['quiet_hours', 'too_late', 'another_accepted', 'credentials'] as const)
      expect(await panel().findByText(t(`channels.why.${textKey}`))).toBeTruthy();
    expect(panel().getByText(t('channels.acceptedNote'))).toBeTruthy();
    const first = panel().getAllByText(/\d\d:\d\d:\d\d/)[0]?.textContent;
    expect(first).toMatch(language === 'zh' ? /^Telegram 已于 .* 接受$/ : /^Accepted by Telegram at /);
    expect(
      panel()
        .getAllByRole('link', { name: t('channels.toTask') })[0]
        ?.getAttribute('href'),
    ).toBe('/schedule/0193-on');
  });
});

describe('adding a channel', () => {
  it.each(['zh', 'en'])('names in %s the recipient, and requires consent, a valid key, and the code', async (language) => {
    await i18next.changeLanguage(language);
    const { bodies, sent } = open('fresh@example.com');
    const add = await choose('channels.kind.push_plus');
    expect(add.getByText(t('reach.by.push_plus'))).toBeTruthy();
    expect(add.getByText(t('reach.sent.all'))).toBeTruthy();
    fill(add, 'reach.field.push_token', 'short');
    await press(add, t('reach.sendCode'));
    expect(await add.findByText(t('reach.wrong.push_token'))).toBeTruthy();
    expect(add.getByText(t('reach.agreeMissing'))).toBeTruthy();
    fill(add, 'reach.field.push_token', '0123456789abcdef0123456789abcdef');
    await press(add, t('reach.sendCode'));
    // Waits longer than a request needs to start.
    await new Promise((go) => setTimeout(go, 50));
    expect(sent.filter((call) => call.startsWith('POST'))).toEqual([]);
    agree(add);
    await press(add, t('reach.sendCode'));
    const code = await add.findByLabelText(t('reach.enterCode'));
    expect(bodies.get('POST /user/channels')).toEqual({
      target: { kind: 'push_plus', token: '0123456789abcdef0123456789abcdef' },
      consent: true,
      language,
    });
    fireEvent.change(code, { target: { value: '000000' } });
    await press(add, t('reach.verify'));
    expect(await add.findByText(t('reach.problem.codeWrong'))).toBeTruthy();
    fireEvent.change(code, { target: { value: '123 456' } });
    await press(add, t('reach.verify'));
    expect(await add.findByText(t('reach.added', { name: 'PushPlus' }))).toBeTruthy();
    await press(add, t('reach.test'));
    expect(await add.findByText(/message_id/)).toBeTruthy();
    await press(add, t('reach.done'));
    await shut();
    expect(await (await rowOf('PushPlus')).findByText(t('channels.state.verified'))).toBeTruthy();
  });

  it('waits for the proof of identity', async () => {
    const { sent } = open('fresh@example.com', false);
    const add = await choose('channels.kind.telegram');
    agree(add);
    await press(add, t('reach.getLink'));
    const question = within(await screen.findByRole('dialog', { name: t('stepUp.title') }));
    fireEvent.change(question.getByLabelText(t('auth.password'), { selector: 'input' }), { target: { value: 'Right-1234' } });
    await press(question, t('stepUp.confirm'));
    expect(await screen.findByRole('link', { name: t('reach.openLink', { name: 'Telegram' }) })).toBeTruthy();
    expect(sent.filter((line) => line === 'POST /user/channels/link')).toHaveLength(2);
  });

  it('shows why an address is refused, with the provider’s message', async () => {
    open('fresh@example.com');
    const add = await choose('channels.kind.webhook');
    fill(add, 'reach.field.hook_url', 'https://127.0.0.1/in');
    agree(add);
    await press(add, t('reach.sendCode'));
    expect((await add.findByRole('alert')).textContent).toContain(t('reach.reason.address_refused'));
    fill(add, 'reach.field.hook_url', 'https://example.com/wrong');
    await press(add, t('reach.sendCode'));
    await waitFor(() => expect(add.getByRole('alert').textContent).toContain('{"code":401}'));
  });

  it.each(['zh', 'en'])('links a Telegram chat in %s with a tap and *This is me*', async (language) => {
    await i18next.changeLanguage(language);
    open('fresh@example.com');
    const add = await choose('channels.kind.telegram');
    expect(add.getByText(t('reach.note.telegramChina'))).toBeTruthy();
    agree(add);
    await press(add, t('reach.getLink'));
    const link = await add.findByRole('link', { name: t('reach.openLink', { name: 'Telegram' }) });
    expect(link.getAttribute('href')).toMatch(/^https:\/\/t\.me\/.*\?start=/);
    expect(add.getByRole('img', { name: t('reach.qr', { name: 'Telegram' }) })).toBeTruthy();
    expect(await add.findByText('林知夏 (@linzhixia)')).toBeTruthy();
    await press(add, t('reach.isMe'));
    expect(await add.findByText(t('reach.added', { name: 'Telegram' }))).toBeTruthy();
  });

  it('deletes an unconfirmed chat, and a link that the user did not open', async () => {
    const { reached } = open('fresh@example.com');
    const add = await choose('channels.kind.wx_pusher');
    agree(add);
    await press(add, t('reach.getLink'));
    await press(add, t('reach.notMe'));
    expect(await add.findByText(t('reach.by.wx_pusher'))).toBeTruthy();
    await waitFor(() => expect(reached.channels).toEqual([]));
    agree(add);
    await press(add, t('reach.getLink'));
    await press(add, t('settings.cancel'));
    await shut();
    await waitFor(() => expect(reached.channels).toEqual([]));
  });

  it('replaces a broken key with a new one', async () => {
    const { reached } = open();
    await press(await rowOf(t('channels.kind.server_chan')), new RegExp(`^${t('reach.again')}`));
    const add = await dialog();
    fill(add, 'reach.field.send_key', 'SCT9876543210');
    agree(add);
    await press(add, t('reach.sendCode'));
    fireEvent.change(await add.findByLabelText(t('reach.enterCode')), { target: { value: '123456' } });
    await press(add, t('reach.verify'));
    await add.findByText(t('reach.addedText'));
    await waitFor(() => expect(reached.channels.map(({ id }) => id)).toEqual(['n1', 'n3', 'n13']));
  });

  it('continues with a code that is still valid', async () => {
    open();
    const name = `${t('channels.kind.sms')} +1 ••• ••• 0123`;
    await press(panel(), t('reach.doWhat', { action: t('reach.goOn'), what: name }));
    const code = (await dialog()).getByLabelText(t('reach.enterCode'));
    fireEvent.change(code, { target: { value: '12' } });
    await press(await dialog(), t('reach.verify'));
    expect(await (await dialog()).findByText(t('reach.codeFormat'))).toBeTruthy();
  });
});

describe('browser notifications', () => {
  /** Simulates a browser with this `userAgent`, and a push service that returns one address. */
  function browser(userAgent: string, permission: NotificationPermission = 'granted') {
    const subscription = {
      options: { applicationServerKey: null },
      unsubscribe: vi.fn(async () => true),
      toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/x', keys: { p256dh: 'p', auth: 's' } }),
    };
    const pushManager = { getSubscription: vi.fn(async () => null as unknown), subscribe: vi.fn(async () => subscription) };
    const serviceWorker = { ready: Promise.resolve({ pushManager }), getRegistration: async () => ({ pushManager }) };
    vi.stubGlobal('navigator', { userAgent, platform: '', maxTouchPoints: 0, language: 'en', serviceWorker });
    vi.stubGlobal('isSecureContext', true);
    vi.stubGlobal('PushManager', class {});
    const requestPermission = vi.fn(async () => permission);
    vi.stubGlobal('Notification', { permission: permission === 'denied' ? 'denied' : 'default', requestPermission });
    return { pushManager, subscription, requestPermission };
  }

  const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1';

  it('ask for permission only after a press, and mark this device in the list', async () => {
    const { requestPermission, pushManager, subscription } = browser('Chrome');
    const { bodies } = open('fresh@example.com');
    const add = await choose('channels.kind.web_push');
    expect(add.getByText(t('reach.note.chromeChina'))).toBeTruthy();
    agree(add);
    expect(requestPermission).not.toHaveBeenCalled();
    await press(add, t('reach.push.allow'));
    expect(await add.findByText(t('reach.added', { name: t('channels.kind.web_push') }))).toBeTruthy();
    expect(pushManager.subscribe).toHaveBeenCalledWith(expect.objectContaining({ userVisibleOnly: true }));
    expect(bodies.get('POST /user/channels')).toMatchObject({
      target: { kind: 'web_push', endpoint: 'https://fcm.googleapis.com/x', p256dh: 'p', auth: 's' },
    });
    expect(ownPush()).toMatchObject({ user: sessionStore.get()?.id, endpoint: 'https://fcm.googleapis.com/x' });
    await press(add, t('reach.done'));
    expect(await panel().findByText(t('reach.thisDevice'))).toBeTruthy();
    pushManager.getSubscription.mockResolvedValue(subscription);
    await press(panel(), new RegExp(`^${t('reach.manageWhat', { what: t('channels.kind.web_push') })}`));
    await press(await dialog(), t('reach.remove'));
    await press(await dialog(), t('reach.remove'));
    await waitFor(() => expect(subscription.unsubscribe).toHaveBeenCalledOnce());
    expect(ownPush()).toBeNull();
  });

  it.each(['zh', 'en'])('require in %s on an iPhone that the app is on the home screen', async (language) => {
    await i18next.changeLanguage(language);
    browser(IPHONE);
    open('fresh@example.com');
    const add = await choose('channels.kind.web_push');
    expect(add.getByText(t('reach.home.text'))).toBeTruthy();
    expect(add.getAllByRole('listitem')).toHaveLength(3);
    expect(add.queryByRole('button', { name: t('reach.push.allow') })).toBeNull();
  });

  it.each(['zh', 'en'])('do not work in WeChat, which shows in %s an alternative', async (language) => {
    await i18next.changeLanguage(language);
    browser(`${IPHONE} MicroMessenger/8.0`);
    open('fresh@example.com');
    const add = await choose('channels.kind.web_push');
    expect(add.getByText(t('reach.push.weChat'))).toBeTruthy();
    expect(add.getByText(new RegExp(`WxPusher.*${t('channels.kind.server_chan')}.*PushPlus`))).toBeTruthy();
  });

  it('explain how to undo a denied permission', async () => {
    browser('Chrome', 'denied');
    open('fresh@example.com');
    const add = await choose('channels.kind.web_push');
    expect(add.getByText(t('reach.push.denied'))).toBeTruthy();
    browser('Chrome', 'default');
    await press(add, t('reach.push.check'));
    agree(add);
    await press(add, t('reach.push.allow'));
    expect((await add.findByRole('alert')).textContent).toBe(t('reach.push.closed'));
  });
});
