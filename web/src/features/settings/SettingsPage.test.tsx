import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import type { ComponentType } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { paidOf } from '../../../mock/refunds.ts';
import { securityOf } from '../../../mock/security.ts';
import { answerCalls, answerFrom } from '../../../mock/wire.ts';
import { createWorld, seed } from '../../../mock/world.ts';
import { StepUpGate } from '../../parts/stepUp/StepUpGate.tsx';
import { sessionStore } from '../../shared/api/identity.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import type { LoginAnswer } from '../../shared/api/types.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { amount } from '../../shared/i18n/format.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import type { SettingsTopic } from '../../shared/routing/paths.ts';
import { Toaster } from '../../shared/ui/Toast.tsx';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { AccountPage } from './AccountPage.tsx';
import { DataPage } from './DataPage.tsx';
import { DevicesPage } from './DevicesPage.tsx';
import { NotificationsPage } from './NotificationsPage.tsx';
import { ReferralPage } from './ReferralPage.tsx';
import { SecurityPage } from './SecurityPage.tsx';
import { SettingsPage } from './SettingsPage.tsx';
import { VisaAccountsPage } from './VisaAccountsPage.tsx';

vi.mock('../../shared/browser/saveFile.ts', () => ({ saveFile: vi.fn() }));

configure({ asyncUtilTimeout: 30_000 });

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;

const pages = {
  notifications: NotificationsPage,
  'visa-accounts': VisaAccountsPage,
  account: AccountPage,
  security: SecurityPage,
  devices: DevicesPage,
  data: DataPage,
  referral: ReferralPage,
} satisfies Record<SettingsTopic, ComponentType>;

/** Renders the page with the fake backend. `broken` contains paths that fail. */
function open(email = 'lin@example.com') {
  const world = createWorld();
  seed(world, email);
  const broken = new Set<string>();
  const sent: string[] = [];
  const bodies = new Map<string, unknown>();
  answerCalls((call) => {
    const { method, path, body } = call;
    sent.push(`${method} ${path}`);
    if (broken.has(path)) return 'no network';
    bodies.set(`${method} ${path}`, body);
    return answerFrom(world, call);
  });
  acceptLogin({ access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: email, email } } as LoginAnswer, true);
  const router = createMemoryRouter(
    [
      { path: '/settings', Component: SettingsPage },
      ...Object.entries(pages).map(([topic, Component]) => ({ path: `/settings/${topic}`, Component })),
      { path: '*', element: null },
    ],
    { initialEntries: ['/settings'] },
  );
  const show = (at = '') => {
    void router.navigate(`/settings${at}`);
    return render(
      <Frame>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
          <StepUpGate />
          <Toaster />
        </QueryClientProvider>
      </Frame>,
    );
  };
  return { world, broken, sent, bodies, show, router };
}

const section = (id: string) => within(document.getElementById(id) as HTMLElement);
const dialog = async (title: TextKey) => within(await screen.findByRole('dialog', { name: t(title) }));
type Scope = ReturnType<typeof within>;
const press = async (scope: Scope, name: string | RegExp) => fireEvent.click(await scope.findByRole('button', { name }));
const fill = (scope: Scope, key: TextKey, value: string, values = {}) =>
  fireEvent.change(scope.getByLabelText(t(key, values), { selector: 'input' }), { target: { value } });
const gone = (title: TextKey) => waitFor(() => expect(screen.queryByRole('dialog', { name: t(title) })).toBeNull());

async function prove(password = 'right1234') {
  const stepUp = await dialog('stepUp.title');
  fill(stepUp, 'auth.password', password);
  fireEvent.click(stepUp.getByRole('button', { name: t('stepUp.confirm') }));
  return stepUp;
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  toastManager.close();
  endSession();
  cleanup();
  vi.unstubAllGlobals();
});

describe('settings', () => {
  // spec: 2.1.10
  it.each(['zh', 'en'])('shows the topics in %s with their states, and portal logins masked by default', async (language) => {
    await i18next.changeLanguage(language);
    const { world, show, router } = open();
    show();
    const index = within(screen.getByRole('navigation', { name: t('settings.sections') }));
    const states: [TextKey, string][] = [
      ['settings.notifications', t('settings.state.mailAnd', { count: 3 })],
      ['portalAccounts.title', t('settings.state.attention', { count: 1 })],
      ['account.title', 'lin@example.com'],
      ['settings.security', t('settings.state.twoStepOff')],
      ['settings.devices', t('settings.state.devices', { count: securityOf(world).signIns.length })],
      ['settings.data', t('settings.state.data')],
    ];
    const link = (title: TextKey) => index.getByText(t(title)).closest('a') as HTMLElement;
    for (const [title, state] of states) await waitFor(() => expect(link(title).textContent).toContain(state));
    const leadsTo = (link: HTMLElement) => link.getAttribute('href') ?? '';
    await act(() => router.navigate(leadsTo(link('portalAccounts.title'))));
    expect(router.state.location.pathname).toBe('/settings/visa-accounts');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(t('portalAccounts.title'));
    const portal = section('portal-accounts');
    expect(await portal.findByText('z***@example.com')).toBeTruthy();
    expect(portal.getByText(t('portalAccounts.rejected'))).toBeTruthy();
    fireEvent.click(portal.getAllByRole('button', { name: t('portalAccounts.show') })[1] as HTMLElement);
    expect(portal.getByText('zhao.mingyuan@example.com')).toBeTruthy();
    expect(leadsTo(screen.getByRole('link', { name: t('nav.settings') }))).toBe('/settings');
  });

  // spec: 2.11.80
  it.each([
    ['#notifications', '/settings/notifications'],
    ['#two-step', '/settings/security#two-step'],
    ['#sign-ins', '/settings/devices#sign-ins'],
    ['#portal-accounts', '/settings/visa-accounts'],
    ['#delete-account', '/settings/data#delete-account'],
    ['#language', '/settings#language'],
    ['#constructor', '/settings#constructor'],
  ])('leads the former address /settings%s to %s', async (hash, address) => {
    const { show, router } = open();
    show(hash);
    await waitFor(() => expect(router.state.location.pathname + router.state.location.hash).toBe(address));
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
  });

  it('shows a state that could not be loaded as such', async () => {
    const { broken, show } = open();
    broken.add('/user/channels');
    show();
    const index = within(screen.getByRole('navigation', { name: t('settings.sections') }));
    expect((await index.findByText(t('settings.state.failed'))).closest('a')?.textContent).toContain(t('settings.notifications'));
  });

  // spec: 2.11.81
  it('sets the appearance in this browser, or follows the system', () => {
    open().show();
    const choose = (key: TextKey) => fireEvent.click(section('appearance').getByRole('button', { name: t(key) }));
    choose('settings.scheme.dark');
    expect([document.documentElement.dataset.theme, localStorage.getItem('sooner.mode')]).toEqual(['dark', 'dark']);
    choose('settings.scheme.system');
    expect([document.documentElement.dataset.theme, localStorage.getItem('sooner.mode')]).toEqual(['light', null]);
  });

  // spec: 10.7.44
  it('changes the display name; the page and the session of this browser use it at once', async () => {
    const { bodies, show } = open();
    show('/account');
    const account = section('account');
    expect(await account.findByText('lin')).toBeTruthy();
    await press(account, t('account.changeName'));
    const form = await dialog('account.changeName');
    fill(form, 'account.name', '林知夏');
    await press(form, t('account.saveName'));
    await gone('account.changeName');
    expect(bodies.get('PUT /auth/profile')).toEqual({ display_name: '林知夏' });
    expect(account.getByText('林知夏')).toBeTruthy();
    expect(sessionStore.get()?.display_name).toBe('林知夏');
    await press(account, t('account.changeName'));
    const again = await dialog('account.changeName');
    fill(again, 'account.name', '');
    await press(again, t('account.saveName'));
    expect(await account.findByText('lin')).toBeTruthy();
    expect(sessionStore.get()?.display_name).toBeNull();
  });

  it('shows what could not be loaded, and retries', async () => {
    const { broken, show } = open();
    broken.add('/user/sessions');
    show('/devices');
    const part = section('sign-ins');
    expect(await part.findByText(t('settings.loadFailed'))).toBeTruthy();
    broken.clear();
    await press(part, t('problem.retry'));
    expect(await part.findByText(t('signIns.current'))).toBeTruthy();
  });

  // spec: 2.11.01, 5.3.09
  it.each([
    ['en', 'zh', '中文'],
    ['zh', 'en', 'English'],
  ])('changes the language from %s to %s, here and at the server', async (from, to, name) => {
    await i18next.changeLanguage(from);
    const { world, show } = open();
    world.language = from as 'en' | 'zh';
    show();
    const choice = (label: string) => section('language').getByRole('button', { name: label });
    expect(choice(name).getAttribute('aria-pressed')).toBe('false');
    fireEvent.click(choice(name));
    await waitFor(() => expect(world.language).toBe(to));
    expect(await screen.findByText(i18next.t('settings.languageSaved', { lng: to }))).toBeTruthy();
    expect(choice(name).getAttribute('aria-pressed')).toBe('true');
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(i18next.t('nav.settings', { lng: to }));
  });

  // spec: 5.3.09, 8.2.23
  it.each([
    ['zh', 'English', 'Failed to update language preference'],
    ['en', '中文', '语言保存失败，请再试一次'],
  ])('reports that the language could not be saved, from %s', async (from, name, text) => {
    await i18next.changeLanguage(from);
    const { broken, show } = open();
    broken.add('/user/language');
    show();
    fireEvent.click(section('language').getByRole('button', { name }));
    expect(await screen.findByText(text)).toBeTruthy();
  });

  // spec: 2.11.02, 5.3.10
  it.each(['zh', 'en'])('turns stopping after a booking on and off in %s, and reports it', async (language) => {
    await i18next.changeLanguage(language);
    const { world, show } = open();
    world.autoStop = false;
    show();
    const auto = screen.getByRole('switch', { name: t('settings.autoStop') }) as HTMLInputElement;
    await waitFor(() => expect(auto.disabled).toBe(false));
    expect(auto.checked).toBe(false);
    fireEvent.click(auto);
    expect(await screen.findByText(t('settings.autoStopOn'))).toBeTruthy();
    expect([auto.checked, world.autoStop]).toEqual([true, true]);
    fireEvent.click(auto);
    expect(await screen.findByText(t('settings.autoStopOff'))).toBeTruthy();
    expect([auto.checked, world.autoStop]).toEqual([false, false]);
  });

  // spec: 5.3.10, 8.2.24
  it.each([
    ['en', 'Failed to update auto-stop scheduler preference'],
    ['zh', '设置保存失败，请再试一次'],
  ])('keeps the stop setting when saving fails in %s', async (language, text) => {
    await i18next.changeLanguage(language);
    const { world, broken, show } = open();
    world.autoStop = false;
    broken.add('/user/auto-stop-scheduler');
    show();
    const auto = screen.getByRole('switch', { name: t('settings.autoStop') }) as HTMLInputElement;
    await waitFor(() => expect(auto.disabled).toBe(false));
    fireEvent.click(auto);
    expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect([auto.checked, auto.disabled, world.autoStop]).toEqual([false, false, false]));
  });

  // spec: 2.11.03
  it.each([
    ['en', 'coming soon'],
    ['zh', '即将开通'],
  ])('marks in %s the coming notifications where only mail exists', async (language, text) => {
    await i18next.changeLanguage(language);
    open('mailonly@example.com').show('/notifications');
    await section('notifications').findByText('mailonly@example.com');
    const rows = section('notifications').getAllByRole('listitem');
    const soon = rows.filter((row) => row.textContent?.endsWith(text));
    expect(rows.map((row) => soon.includes(row))).toEqual([false, true, true, true]);
    expect(soon[0]?.textContent).toBe(t('settings.channelWechat') + text);
    expect(section('notifications').queryByRole('button', { name: t('reach.add') })).toBeNull();
  });

  // spec: 8.2.22
  it.each([
    ['en', 'Failed to get user profile'],
    ['zh', '账号资料加载失败'],
  ])('reports in %s that the profile could not be loaded', async (language, text) => {
    await i18next.changeLanguage(language);
    const { broken, show } = open();
    broken.add('/user/profile');
    show('/account');
    expect(await section('account').findByText(text)).toBeTruthy();
    broken.clear();
    await press(section('account'), t('problem.retry'));
    expect(await section('account').findByText('lin@example.com')).toBeTruthy();
  });

  // spec: 10.7.19
  it('ends one sign-in, then all others', async () => {
    const { sent, show } = open();
    show('/devices');
    const part = section('sign-ins');
    await press(part, t('signIns.endWhat', { what: 'Safari on iOS' }));
    await waitFor(() => expect(part.queryByText('Safari on iOS')).toBeNull());
    await press(part, t('signIns.endOthers'));
    await press(await dialog('signIns.endOthers'), t('signIns.end'));
    expect(await part.findByText(t('signIns.only'))).toBeTruthy();
    expect(sent).toContain('DELETE /user/sessions/s2');
  });

  // spec: 5.1.16
  it('changes the password by the rules, and reports a wrong current one', async () => {
    const { sent, show, router } = open();
    show('/security');
    await press(section('password'), t('account.changePassword'));
    const form = await dialog('account.changePassword');
    const send = () => fireEvent.click(form.getByRole('button', { name: t('account.changePassword') }));
    fill(form, 'account.currentPassword', 'wrong-one1');
    fill(form, 'auth.newPassword', 'Sunrise2026');
    fill(form, 'auth.confirmNewPassword', 'Sunrise2026');
    send();
    expect(await form.findByText(t('auth.passwordClasses'))).toBeTruthy();
    fill(form, 'auth.newPassword', 'Sunrise#2026');
    fill(form, 'auth.confirmNewPassword', 'Sunrise#2026');
    send();
    expect(await form.findByText(t('account.currentWrong'))).toBeTruthy();
    fill(form, 'account.currentPassword', 'Old#2025x');
    send();
    await gone('account.changePassword');
    expect(sent.filter((call) => call === 'POST /auth/change-password')).toHaveLength(2);
    await act(() => router.navigate('/settings/devices'));
    expect(await section('sign-ins').findByText(t('signIns.only'))).toBeTruthy();
  });

  // spec: 10.7.16
  it('changes the address by a mailed link after a proof of identity', async () => {
    const { show } = open();
    show('/account');
    await press(section('account'), t('account.changeEmail'));
    const form = await dialog('account.changeEmail');
    fill(form, 'account.newEmail', 'LIN@example.com');
    fireEvent.click(form.getByRole('button', { name: t('account.sendLink') }));
    expect(await form.findByText(t('account.emailSame'))).toBeTruthy();
    fill(form, 'account.newEmail', 'new@example.com');
    fireEvent.click(form.getByRole('button', { name: t('account.sendLink') }));
    const stepUp = await prove('wrong1234');
    expect(await stepUp.findByText(t('stepUp.wrongPassword'))).toBeTruthy();
    await prove();
    expect(await form.findByText(t('account.linkSent'))).toBeTruthy();
  });

  // spec: 10.7.21
  it('sets the second factor up: proof, first code, recovery codes that must be saved', async () => {
    const { sent, show } = open();
    show('/security');
    await press(section('two-step'), t('second.setUp'));
    await prove();
    const set = await dialog('second.setUpTitle');
    expect(await set.findByRole('img', { name: t('second.qr') })).toBeTruthy();
    fill(set, 'second.enterCode', '000 000');
    fireEvent.click(set.getByRole('button', { name: t('second.turnOn') }));
    expect(await set.findByText(t('second.codeWrong'))).toBeTruthy();
    fill(set, 'second.enterCode', '123 456');
    fireEvent.click(set.getByRole('button', { name: t('second.turnOn') }));
    const codes = await dialog('second.codesTitle');
    expect(codes.getAllByRole('listitem')).toHaveLength(10);
    const done = codes.getByRole('button', { name: t('second.done') }) as HTMLButtonElement;
    expect(done.disabled).toBe(true);
    fireEvent.click(codes.getByLabelText(t('second.saved')));
    fireEvent.click(done);
    expect(await section('two-step').findByText(t('second.codesLeft', { count: 10 }))).toBeTruthy();
    expect(sent.filter((call) => call === 'POST /user/totp')).toHaveLength(2);
  });

  it('also asks for a code if there is a second factor', async () => {
    open('totp@example.com').show('/security');
    await press(section('two-step'), t('second.turnOff'));
    await press(await dialog('second.turnOffTitle'), t('second.turnOff'));
    const stepUp = await prove();
    expect(await stepUp.findByText(t('stepUp.codeRequired'))).toBeTruthy();
    fill(stepUp, 'stepUp.code', '123456');
    await prove();
    expect(await section('two-step').findByText(t('second.off'))).toBeTruthy();
  });

  // spec: 10.7.33
  it('deletes a portal account after naming the tasks that stop; declining changes nothing', async () => {
    const { show } = open();
    show('/visa-accounts');
    const part = section('portal-accounts');
    await press(part, t('portalAccounts.deleteWhat', { what: 'l***@example.com' }));
    const confirm = await dialog('portalAccounts.deleteTitle');
    expect(confirm.getByText('Lin Zhixia, Chen Yuhang')).toBeTruthy();
    await press(confirm, t('portalAccounts.delete'));
    await press(await dialog('stepUp.title'), t('settings.cancel'));
    await gone('stepUp.title');
    expect(part.getByText('l***@example.com')).toBeTruthy();
    expect(confirm.queryByRole('alert')).toBeNull();
    await press(confirm, t('portalAccounts.delete'));
    await prove();
    await waitFor(() => expect(part.queryByText('l***@example.com')).toBeNull());
  });

  it('verifies a new portal password with the visa type of its account', async () => {
    const { bodies, show } = open();
    show('/visa-accounts');
    await press(section('portal-accounts'), t('portalAccounts.updateWhat', { what: 'z***@example.com' }));
    const stepUp = await dialog('condition.updatePassword');
    fill(stepUp, 'portal.password', 'Fresh-1');
    fireEvent.click(stepUp.getByRole('button', { name: t('portal.verify') }));
    await gone('condition.updatePassword');
    expect(bodies.get('POST /schedules/verify-credentials')).toMatchObject({
      username: 'zhao.mingyuan@example.com',
      visa_type: 'iv',
      force_refresh: true,
    });
  });

  // spec: 10.7.28
  it('sends users of Google to Google', async () => {
    open('google@example.com').show('/data');
    await press(section('export'), t('exportData.button'));
    expect((await dialog('stepUp.title')).getByRole('button', { name: t('stepUp.google') })).toBeTruthy();
  });

  // spec: 10.7.72
  it.each(['en', 'zh'])('unlinks Google in %s after a proof, and offers to link it again', async (language) => {
    await i18next.changeLanguage(language);
    open('linked@example.com').show('/security');
    expect(await section('password').findByText('at.google@example.com'), 'which account it is').toBeTruthy();
    await press(section('password'), t('account.unlinkGoogle'));
    await press(await dialog('account.unlinkGoogle'), t('account.unlink'));
    await prove();
    await gone('account.unlinkGoogle');
    expect(await section('password').findByRole('button', { name: t('account.linkGoogle') })).toBeTruthy();
    expect(section('password').getByText(t('account.googleOff'))).toBeTruthy();
    expect(section('password').queryByText('at.google@example.com')).toBeNull();
    await i18next.changeLanguage('en');
  });

  // spec: 10.7.72
  it('opens Google to link an account, after a proof', async () => {
    const { sent, bodies, show } = open();
    show('/security');
    await press(section('password'), t('account.linkGoogle'));
    await prove();
    const left = () => JSON.parse(sessionStorage.getItem('sooner.google') ?? 'null');
    await waitFor(() => expect(left()).toMatchObject({ purpose: 'link', returnTo: '/settings/security#password' }));
    sessionStorage.removeItem('sooner.google');
    expect(sent.filter((line) => line === 'POST /auth/google/login').length, 'repeated after the proof').toBe(2);
    expect(bodies.get('POST /auth/google/login')).toMatchObject({ purpose: 'link' });
  });

  // spec: 10.7.72
  it('keeps the only sign-in: a password is set before unlinking', async () => {
    open('google@example.com').show('/security');
    expect(await section('password').findByRole('button', { name: t('account.unlinkGoogle') })).toHaveProperty('disabled', true);
    expect(section('password').getByText(t('account.googleOnly'))).toBeTruthy();
  });

  // spec: 10.7.22
  it('saves the export', async () => {
    open().show('/data');
    await press(section('export'), t('exportData.button'));
    await prove();
    expect(await section('export').findByText(t('exportData.done', { name: 'sooner-export.zip' }))).toBeTruthy();
    expect(saveFile).toHaveBeenCalledWith(expect.objectContaining({ size: 180_000 }), 'sooner-export.zip');
  });

  // spec: 10.7.23
  it('deletes the account only with the present balance typed, and signs out', async () => {
    const { world, show, router } = open();
    show('/data');
    await press(section('delete-account'), t('deletion.button'));
    const confirm = await dialog('deletion.confirmTitle');
    const type = (shown: string, typed: string) => {
      fill(confirm, 'deletion.typeBalance', typed, { amount: shown });
      fireEvent.click(confirm.getByRole('button', { name: t('deletion.forGood') }));
    };
    type('122.00', '46');
    expect(await confirm.findByText(t('deletion.typeWrong'))).toBeTruthy();
    world.credit = 40;
    type('122.00', '122,00');
    await prove();
    expect(await confirm.findByText(t('deletion.changed'))).toBeTruthy();
    await confirm.findByLabelText(t('deletion.typeBalance', { amount: '116.00' }));
    type('116.00', '116');
    await waitFor(() => expect(sessionStore.get()).toBeNull());
    expect(router.state.location.pathname).toBe('/auth/login');
  });

  it('requires no typing if the balance is zero', async () => {
    const { world, show } = open();
    world.credit = 0;
    world.onHold = 0;
    world.tasks.clear();
    show('/data');
    await press(section('delete-account'), t('deletion.button'));
    const confirm = await dialog('deletion.confirmTitle');
    expect(confirm.queryByRole('textbox')).toBeNull();
    expect(confirm.queryByText(/0\.00/)).toBeNull();
    fireEvent.click(confirm.getByRole('button', { name: t('deletion.forGood') }));
    await prove();
    await waitFor(() => expect(sessionStore.get()).toBeNull());
  });

  // spec: 10.10.26
  it.each(['zh', 'en'])('gives up card money only after consent, and offers its refund (%s)', async (language) => {
    await i18next.changeLanguage(language);
    const { world, show } = open('refund@example.com');
    show('/data');
    await press(section('delete-account'), t('deletion.button'));
    const confirm = await dialog('deletion.confirmTitle');
    const shown = amount(world.credit + world.onHold);
    expect(confirm.getByRole('link', { name: t('deletion.refundLink') }).getAttribute('href')).toBe('/balance');
    fill(confirm, 'deletion.typeBalance', shown, { amount: shown });
    fireEvent.click(confirm.getByRole('button', { name: t('deletion.forGood') }));
    expect(await confirm.findByText(t('deletion.giveUpMissing'))).toBeTruthy();
    fireEvent.click(confirm.getByRole('checkbox', { name: t('deletion.giveUpRefund', { amount: '36.00', currency: 'CAD' }) }));
    fireEvent.click(confirm.getByRole('button', { name: t('deletion.forGood') }));
    await prove();
    await waitFor(() => expect(sessionStore.get()).toBeNull());
  });

  it('does not delete the account during a pending refund', async () => {
    const { world, show } = open('refund@example.com');
    paidOf(world).refunds = [{ id: 'r1', amount: 5, state: 'pending', at: '2026-11-20T12:00:00Z', settled_at: null }];
    show('/data');
    expect(await section('delete-account').findByText(t('deletion.blockedRefund'))).toBeTruthy();
  });

  it('does not delete the account during a booking', async () => {
    open('blocked@example.com').show('/data');
    const part = section('delete-account');
    expect(await part.findByText(t('deletion.blocked'))).toBeTruthy();
    expect((part.getByRole('button', { name: t('deletion.button') }) as HTMLButtonElement).disabled).toBe(true);
  });
});
