import { act, cleanup, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Cost } from '../../shared/api/pricing.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { useHiddenApplicants } from '../../shared/hooks/useHiddenApplicants.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import uiWords from '../../shared/ui/words/en.json';
import { BalanceCard } from './BalanceCard.tsx';
import { storeCharge } from './lastCharge.ts';
import { balanceQueries } from './queries.ts';
import { backend, show, t } from './testing.tsx';

const card = () => document.getElementById('balance') as HTMLElement;
/** Opens the contacts of support, which are closed at first. */
const askSupport = async () => fireEvent.click(await screen.findByRole('button', { name: t('support.title') }));
const cardText = () => card().textContent?.replaceAll('\u2060', '') ?? '';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the balance card', () => {
  // spec: 2.7.10, 2.8.01
  it('shows the balance with two decimals and its currency, the amount on hold, and its age', async () => {
    const { world } = backend();
    world.credit = 46.5;
    show(<BalanceCard />);
    expect((await screen.findAllByText('46.50')).length).toBeGreaterThan(0);
    expect(cardText()).toContain('46.50 CAD');
    expect(cardText()).toContain(t('balance.onHold', { amount: '76.00' }));
    expect(cardText()).toMatch(/\d s ago/);
  });

  // spec: 2.8.02
  it('refreshes by hand, but not while it is busy', async () => {
    const { world, instead, calls } = backend();
    show(<BalanceCard />);
    await screen.findByText('46.00');
    world.credit = 60;
    let answer: (value: unknown) => void = () => undefined;
    instead.set(
      '/users/credit',
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    const before = calls('/users/credit').length;
    fireEvent.click(screen.getByRole('button', { name: t('balance.refresh') }));
    const busy = await screen.findByRole<HTMLButtonElement>('button', { name: t('balance.refreshing') });
    expect(busy.disabled).toBe(true);
    fireEvent.click(busy);
    answer(null);
    expect(await screen.findByText('60.00')).toBeTruthy();
    expect(calls('/users/credit')).toHaveLength(before + 1);
  });

  // spec: 7.4.03
  it('is refreshed every 30 seconds', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { world } = backend();
    show(<BalanceCard />);
    await screen.findByText('46.00');
    world.credit = 77;
    await act(() => vi.advanceTimersByTimeAsync(30_500));
    expect(await screen.findByText('77.00')).toBeTruthy();
  });

  // spec: 2.8.03, 9.19
  it.each([
    [49.99, true],
    [50, false],
  ])('at %s shows that the balance is low: %s', async (credit, low) => {
    const { world } = backend();
    world.credit = credit;
    show(<BalanceCard />);
    await screen.findByText(credit.toFixed(2));
    expect(screen.queryByText(t('balance.low')) !== null).toBe(low);
    expect(cardText().includes(t('balance.lowText', { currency: 'CAD' }))).toBe(low);
  });

  it('shows a low balance without a warning soon after a submission', async () => {
    const { world } = backend();
    world.credit = 12;
    show(<BalanceCard />);
    const chip = await screen.findByText(t('balance.low'));
    expect(chip.querySelector('svg')).not.toBeNull();
    const balance = { balance_before: 88, balance_after: 12, currency: 'CAD' };
    act(() => storeCharge({ cost: { total_amount: 76 } as Cost, balance, names: {}, at: Date.now() }));
    expect(screen.getByText(t('balance.low')).querySelector('svg')).toBeNull();
    expect(card().querySelector('[class*="warning"]')).toBeNull();
    act(() => storeCharge(null));
    expect(card().querySelector('[class*="warning"]')).not.toBeNull();
  });

  it('warns of the low balance ten minutes after the submission', async () => {
    const { world } = backend();
    world.credit = 12;
    const balance = { balance_before: 88, balance_after: 12, currency: 'CAD' };
    storeCharge({ cost: { total_amount: 76 } as Cost, balance, names: {}, at: Date.now() - 10 * 60_000 });
    show(<BalanceCard />);
    expect((await screen.findByText(t('balance.low'))).querySelector('svg')).not.toBeNull();
    act(() => storeCharge(null));
  });

  it('does not warn a new account, and shows the first step', async () => {
    const { world } = backend();
    Object.assign(world, { credit: 0, onHold: 0 });
    show(<BalanceCard />);
    expect(await screen.findByText(t('balance.zeroText'))).toBeTruthy();
    expect(screen.queryByText(t('balance.low'))).toBeNull();
  });

  // spec: 2.8.04, 2.8.05, 2.8.06, 2.8.07, 3.08
  it('shows the unit price, its old value, the saving, how many tasks the balance covers, and when the fee is charged', async () => {
    const { world } = backend();
    world.credit = 75.99;
    show(<BalanceCard />);
    expect(await screen.findByText(t('balance.allows', { count: 1 }))).toBeTruthy();
    expect(cardText()).toContain('38.00 CAD');
    expect(screen.getByText('48.00').tagName).toBe('S');
    expect(cardText()).toContain(t('balance.saved', { amount: '10.00' }));
    expect(cardText()).toContain(t('balance.priceNote'));
    world.credit = 76;
    await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
    expect(await screen.findByText(t('balance.allows', { count: 2 }))).toBeTruthy();
  });

  // spec: 8.2.26
  it('marks 5 CAD as an estimate if no price could be loaded, and retries', async () => {
    const { instead } = backend();
    for (const path of ['/pricing/calculate', '/pricing/plans']) instead.set(path, { status: 500, code: 'INTERNAL' });
    show(<BalanceCard />);
    expect(await screen.findByText(t('cost.loadFailed'))).toBeTruthy();
    expect(cardText()).toContain('All pricing endpoints failed');
    expect(cardText()).toContain('5.00 CAD');
    expect(screen.getByText(t('cost.estimateTag'))).toBeTruthy();
    instead.clear();
    fireEvent.click(screen.getByRole('button', { name: t('problem.retry') }));
    await waitFor(() => expect(cardText()).toContain('38.00 CAD'));
    expect(screen.queryByText(t('cost.estimateTag'))).toBeNull();
  });

  // spec: 8.1.18, 8.1.19, 8.1.20
  it.each([
    [{ status: 401, code: 'UNAUTHORIZED' }, 'User not authenticated'],
    ['network' as const, 'Network error while fetching credit balance'],
    [{ status: 500, code: 'INTERNAL' }, 'Failed to get credit balance'],
  ])('shows why the balance could not be read: %s', async (answer, text) => {
    const { instead } = backend();
    instead.set('/users/credit', answer);
    show(<BalanceCard />);
    expect(await screen.findByText(text)).toBeTruthy();
    expect(screen.getByRole('button', { name: t('problem.retry') })).toBeTruthy();
  });

  // spec: 2.8.09, 9.31
  it('copies a contact and confirms it for 3 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const writeText = vi.fn(async () => undefined);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator) as Navigator, { clipboard: { writeText } }));
    backend();
    show(<BalanceCard />);
    await askSupport();
    fireEvent.click(await screen.findByRole('button', { name: t('support.copyWhat', { what: 'help@sooner.example' }) }));
    expect(await screen.findByRole('button', { name: t('support.copied') })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith('help@sooner.example');
    await act(() => vi.advanceTimersByTimeAsync(2_800));
    expect(screen.queryByRole('button', { name: t('support.copied') })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(300));
    expect(screen.queryByRole('button', { name: t('support.copied') })).toBeNull();
  });

  it('hides the names of a task among the movements while its card hides them', async () => {
    backend();
    show(<BalanceCard />);
    await screen.findByRole('link', { name: t('ledger.allMovements') });
    expect(cardText()).toContain('Zhao Mingyuan');
    const other = renderHook(() => useHiddenApplicants('0193-done'));
    act(() => other.result.current[1]());
    expect(cardText()).toContain(`${t('ledger.capture')} · Z***`);
    expect(cardText()).not.toContain('Zhao Mingyuan');
    expect(cardText(), 'the other task is not hidden').toContain('Lin Zhixia, Chen Yuhang');
    act(() => other.result.current[1]());
    expect(cardText()).toContain('Zhao Mingyuan');
  });

  // spec: 2.8.10
  it('shows the QR codes of the messaging app and of the group chat', async () => {
    backend();
    show(<BalanceCard />);
    await askSupport();
    const wechat = t('support.wechat', { id: 'sooner-help' });
    fireEvent.click(await screen.findByRole('button', { name: t('support.qrOf', { what: wechat }) }));
    const first = within(await screen.findByRole('dialog', { name: t('support.qrWechatTitle') }));
    expect(first.getByRole('img', { name: t('support.qrOf', { what: wechat }) })).toBeTruthy();
    expect(first.getByText(t('support.qrSearch', { id: 'sooner-help' }))).toBeTruthy();
    fireEvent.click(first.getByRole('button', { name: uiWords.close }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const group = t('support.group', { name: '早签交流群' });
    fireEvent.click(screen.getByRole('button', { name: t('support.qrOf', { what: group }) }));
    expect(within(await screen.findByRole('dialog', { name: t('support.qrGroupTitle') })).getByRole('img')).toBeTruthy();
  });

  it('shows a contact without a QR code if the operator has set none', async () => {
    const { instead } = backend();
    const none = { wechat_qr: null, wechat_picture: null, group_name: null, group_qr: null, group_picture: null };
    const social = { xiaohongshu_id: null, xiaohongshu_qr: null, xiaohongshu_picture: null };
    queryClient.setQueryData(balanceQueries.support().queryKey, {
      ...none,
      ...social,
      wechat_id: 'sooner-help',
      email: null,
      hours: '9am-11pm EDT',
    });
    instead.set('/support', 'network');
    show(<BalanceCard />);
    await askSupport();
    const wechat = t('support.wechat', { id: 'sooner-help' });
    expect(await screen.findByRole('button', { name: t('support.copyWhat', { what: wechat }) })).toBeTruthy();
    expect(screen.queryByRole('button', { name: t('support.qrOf', { what: wechat }) })).toBeNull();
  });

  // spec: 2.8.08
  it.each([
    ['lin@example.com', false],
    ['card@example.com', true],
  ])('offers both ways to top up only if cards are accepted: %s', async (email, offered) => {
    const { calls } = backend(email);
    show(<BalanceCard />);
    await screen.findByText('46.00');
    await waitFor(() => expect(calls('/payment/stripe/config')).toHaveLength(1));
    await waitFor(() => expect(screen.queryByRole('button', { name: t('topup.byCard') }) !== null).toBe(offered));
    expect(screen.queryByRole('button', { name: t('topup.byCode') }) !== null).toBe(offered);
    expect(screen.getByLabelText(t('topup.label'))).toBeTruthy();
  });

  it('lists the last movements, with a link to all of them', async () => {
    backend();
    show(<BalanceCard />);
    const link = await screen.findByRole('link', { name: t('ledger.allMovements') });
    expect(link.getAttribute('href')).toBe('/balance');
    expect(cardText()).toContain(`${t('ledger.capture')} · Zhao Mingyuan`);
    expect(cardText()).toContain('−76.00');
    expect(cardText(), 'a charge was taken from what is available when it was set aside').not.toContain('−38.00');
  });
});
