import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ok } from '../../mock/api.ts';
import { fakeBackend, renderAt } from '../../mock/kit.tsx';
import { boxes, button, press, renderRoutes, STORY_MS, signIn, stage, t, tile } from '../../mock/wizardKit.tsx';
import { seed } from '../../mock/world.ts';
import { DashboardPage } from '../features/dashboard/DashboardPage.tsx';
import { DataPage } from '../features/settings/DataPage.tsx';
import { SettingsPage } from '../features/settings/SettingsPage.tsx';
import { BookingReceiptPage } from '../features/task/BookingReceiptPage.tsx';
import { EditPage } from '../features/task/EditPage.tsx';
import { TaskPage } from '../features/task/TaskPage.tsx';
import { WizardPage } from '../features/wizard/WizardPage.tsx';
import { billingStore } from '../shared/api/billing.ts';
import { storeMethods } from '../shared/api/methods.ts';
import { queryClient } from '../shared/api/queries.ts';
import { endSession } from '../shared/api/session.ts';
import { i18nReady } from '../shared/i18n/i18n.ts';
import { appPages } from './pages.ts';
import { prefetch } from './prefetch.ts';
import { AppShell } from './shell/AppShell.tsx';

vi.setConfig({ testTimeout: STORY_MS * 2 });

/** Requests that must never be sent if the server charges nothing. */
const MONEY_CALL = /\/(users\/(credit|ledger|referral)|user\/referral|pricing|topup|payment)/;
/**
 * Words about money that must not appear if the server charges nothing. The visa fee is not meant.
 */
const MONEY =
  /CAD|balance|top.?up|on hold|\bheld\b|charged|refund|receipt for|promo code|referral|余额|充值|冻结|扣款|收费|付款|退款|优惠码|推荐码/i;

const free = { google: true, mail: true, passkeys: true, registration: 'open', billing: false, link: false } as const;

/** Prepares a signed-in user on a server that charges nothing. */
function freeStage(email: string) {
  const staged = stage(email);
  staged.world.methods = free;
  seed(staged.world, email);
  storeMethods(free);
  return staged;
}

const bodyText = () => (document.body.textContent ?? '').replaceAll('\u2060', '');
const quiet = () => new Promise((done) => setTimeout(done, 50));

beforeEach(async () => {
  await i18nReady;
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  endSession();
  billingStore.set(true);
  vi.unstubAllGlobals();
});

const screens = [
  ['the dashboard', 'states@example.com', '/dashboard', { '/dashboard': DashboardPage }, () => screen.findAllByRole('article')],
  [
    'the dashboard before the first task',
    'empty@example.com',
    '/dashboard',
    { '/dashboard': DashboardPage },
    () => screen.findByRole('region', { name: t('quick.title') }),
  ],
  [
    'a task',
    'lin@example.com',
    '/schedule/0193-on',
    { '/schedule/:id': TaskPage },
    () => screen.findByRole('button', { name: t('rail.deleteTask') }),
  ],
  [
    'the record of a booking',
    'lin@example.com',
    '/schedule/0193-done/receipt/1',
    { '/schedule/:id/receipt/:n': BookingReceiptPage },
    () => screen.findByText(t('stub.number')),
  ],
  [
    'the editor',
    'lin@example.com',
    '/schedule/edit/0193-on',
    { '/schedule/edit/:id': EditPage },
    () => screen.findByText(t('editor.save')),
  ],
  [
    'the settings',
    'lin@example.com',
    '/settings',
    { '/settings': SettingsPage },
    () => screen.findByText(t('settings.state.data')),
  ],
  [
    'the export and the deletion of the account',
    'lin@example.com',
    '/settings/data',
    { '/settings/data': DataPage },
    () => screen.findAllByText(t('deletion.button')),
  ],
] as const;

describe.each(['en', 'zh'])('if the server charges nothing (%s)', (language) => {
  beforeEach(() => i18next.changeLanguage(language));

  it.each(screens)('%s neither requests nor mentions money', async (_, email, path, pages, arrived) => {
    const { sent } = freeStage(email);
    renderRoutes(pages, [path]);
    await arrived();
    for (const row of document.querySelectorAll<HTMLElement>('article [aria-expanded="false"]')) fireEvent.click(row);
    await act(quiet);
    expect(bodyText()).not.toMatch(MONEY);
    expect(sent.map(({ call }) => call).filter((call) => MONEY_CALL.test(call))).toEqual([]);
  });

  it('a task is submitted without a price', async () => {
    const { sent, calls } = freeStage('empty@example.com');
    renderRoutes({ '/schedule/wizard': WizardPage, '/dashboard': DashboardPage }, ['/schedule/wizard']);
    await signIn();
    fireEvent.click(await tile(language === 'en' ? 'Ottawa' : '渥太华'));
    fireEvent.click(boxes()[0] as HTMLElement);
    press('wizard.next');
    const consent = await screen.findByLabelText(t('confirm.agree'));
    expect(bodyText()).not.toMatch(MONEY);
    expect(button('submit.button').disabled).toBe(true);
    fireEvent.click(consent);
    press('submit.button');
    await screen.findByText(t('submit.done'), {}, { timeout: STORY_MS });
    const [order] = calls('POST /schedules/submit');
    expect(order?.body).not.toHaveProperty('expected_total');
    expect(sent.map(({ call }) => call).filter((call) => MONEY_CALL.test(call))).toEqual([]);
    await act(quiet);
    expect(bodyText()).not.toMatch(MONEY);
  });

  it('the page frame shows no balance and no link to one', async () => {
    const { sent } = freeStage('lin@example.com');
    renderAt(<AppShell />, '/dashboard');
    fireEvent.click(await screen.findByRole('button', { name: t('shell.account', { letter: 'L' }) }));
    const menu = within(await screen.findByRole('menu'));
    expect(menu.queryByRole('menuitem', { name: t('nav.balance') })).toBeNull();
    const ways = screen.getAllByRole('link', { hidden: true }).map((link) => link.getAttribute('href'));
    expect(ways.filter((way) => /balance|pricing|refunds/.test(way ?? ''))).toEqual([]);
    expect(sent.map(({ call }) => call).filter((call) => MONEY_CALL.test(call))).toEqual([]);
  });
});

it('has no balance pages without billing, and the other pages send no request about money', async () => {
  const { sent } = freeStage('lin@example.com');
  const money = Object.entries(appPages).filter(([, page]) => 'money' in page);
  expect(money.map(([name]) => name)).toEqual(['movements', 'payment', 'receipt', 'settingsReferral']);
  for (const name of ['dashboard', 'task', 'wizard', 'settings'] as const)
    await prefetch[name]?.({ params: { id: '0193-on' }, search: new URLSearchParams() });
  await quiet();
  expect(sent.length).toBeGreaterThan(8);
  expect(sent.map(({ call }) => call).filter((call) => MONEY_CALL.test(call))).toEqual([]);
});

it('hides texts about money when the server turns billing off, and shows them again', async () => {
  const { world } = fakeBackend('lin@example.com');
  expect(billingStore.get()).toBe(true);
  stage('lin@example.com');
  renderAt(<DashboardPage />);
  const title = () => screen.queryByText(t('balance.title'));
  await waitFor(() => expect(title()).toBeTruthy());
  act(() => storeMethods(free));
  await waitFor(() => expect(title()).toBeNull());
  expect(t('submit.done')).toBe(
    i18next.language === 'zh' ? '已提交，几分钟内开始第一次查询。' : expect.stringContaining('first check'),
  );
  act(() => storeMethods({ ...world.methods, billing: true }));
  await waitFor(() => expect(title()).toBeTruthy());
});

it('waits for the billing setting only if the browser has never stored it', async () => {
  vi.resetModules();
  localStorage.clear();
  const { replies, calls } = stage('lin@example.com');
  replies.set('GET /auth/methods', () => ok(free));
  const afresh = await import('../shared/api/methods.ts');
  const { billingStore: store } = await import('../shared/api/billing.ts');
  await afresh.whenBillingKnown();
  expect(calls('GET /auth/methods')).toHaveLength(1);
  expect([store.get(), localStorage.getItem('sooner.billing')]).toEqual([false, 'off']);
  vi.resetModules();
  const again = await import('../shared/api/methods.ts');
  await again.whenBillingKnown();
  expect(calls('GET /auth/methods')).toHaveLength(1);
  const { billingStore: kept } = await import('../shared/api/billing.ts');
  expect(kept.get()).toBe(false);
});

it('assumes billing if the server does not answer or does not report it', async () => {
  vi.resetModules();
  localStorage.clear();
  const { replies } = stage('lin@example.com');
  replies.set('GET /auth/methods', () => 'no network');
  const afresh = await import('../shared/api/methods.ts');
  await afresh.whenBillingKnown();
  const { billingStore: store } = await import('../shared/api/billing.ts');
  expect(store.get()).toBe(true);
  replies.set('GET /auth/methods', () => ok({ google: false, mail: true } as never));
  await afresh.loadMethods();
  expect([store.get(), localStorage.getItem('sooner.billing')]).toEqual([true, 'on']);
});
