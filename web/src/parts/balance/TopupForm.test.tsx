import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { BalanceCard } from './BalanceCard.tsx';
import { backend, type Instead, show, t } from './testing.tsx';

const GOOD = '3f9ac2047b1e88d0';
const BAD = '3f9ac2047b1e88d1';
const field = () => screen.getByLabelText<HTMLInputElement>(t('topup.label'));
const button = () => screen.getByRole<HTMLButtonElement>('button', { name: t('topup.button') });
const type = (text: string) => fireEvent.change(field(), { target: { value: text } });

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

describe('the top-up code form', () => {
  it('accepts a pasted code with spaces, dashes and capitals', () => {
    backend();
    show(<BalanceCard />);
    type('3F9A-C204 7b1e–88D0');
    expect(field().value).toBe('3f9a c204 7b1e 88d0');
    type('3f9ac2047b1e88d0ffff, thanks');
    expect(field().value).toBe('3f9a c204 7b1e 88d0');
  });

  // spec: 4.4.05, 9.23
  it('checks a complete code once, 500 ms after the last key', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { calls } = backend();
    show(<BalanceCard />);
    type(GOOD.slice(0, 15));
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    expect(calls('/topup/validate')).toHaveLength(0);
    expect(screen.getByText(t('topup.missing', { count: 1 }))).toBeTruthy();
    type(BAD);
    await act(() => vi.advanceTimersByTimeAsync(450));
    type(GOOD);
    await act(() => vi.advanceTimersByTimeAsync(450));
    expect(calls('/topup/validate')).toHaveLength(0);
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(calls('/topup/validate').map((call) => call.body)).toEqual([{ code: GOOD }]);
  });

  // spec: 4.4.06, 4.4.07
  it('shows Validating, Valid and Invalid, and cannot be sent while invalid', async () => {
    const { calls } = backend();
    show(<BalanceCard />);
    type(GOOD);
    expect(screen.getByText(t('topup.checking'))).toBeTruthy();
    expect(await screen.findByText(t('topup.valid'))).toBeTruthy();
    expect(button().disabled).toBe(false);
    type(BAD);
    expect(await screen.findByText('Invalid topup code')).toBeTruthy();
    expect(button().disabled).toBe(true);
    fireEvent.submit(button());
    expect(calls('/topup/use')).toHaveLength(0);
  });

  // spec: 5.3.02
  it('requires a complete code', async () => {
    const { calls } = backend();
    show(<BalanceCard />);
    type('3f9a');
    fireEvent.click(button());
    expect(await screen.findByText('Please enter a valid topup code')).toBeTruthy();
    expect(calls('/topup/use')).toHaveLength(0);
  });

  // spec: 4.4.09
  it('credits once, clears itself, confirms in a dialog and reloads the balance', async () => {
    const { calls } = backend();
    show(<BalanceCard />);
    await screen.findByText('46.00');
    type(GOOD);
    await screen.findByText(t('topup.valid'));
    fireEvent.click(button());
    fireEvent.submit(button());
    const done = within(await screen.findByRole('dialog', { name: t('topup.done') }));
    expect(done.getByText(t('topup.added', { amount: '100.00', currency: 'CAD' }))).toBeTruthy();
    expect(done.getByText(t('topup.balance', { before: '46.00', after: '146.00', currency: 'CAD' }))).toBeTruthy();
    expect(calls('/topup/use')).toHaveLength(1);
    expect(calls('/topup/use')[0]?.key).toBeTruthy();
    expect(await screen.findByText('146.00')).toBeTruthy();
    fireEvent.click(done.getByRole('button', { name: t('topup.close') }));
    expect(field().value).toBe('');
  });

  // spec: 4.4.07
  it('is disabled while a code is being redeemed', async () => {
    const { instead } = backend();
    let answer: (value: unknown) => void = () => undefined;
    instead.set(
      '/topup/use',
      new Promise((resolve) => {
        answer = resolve;
      }),
    );
    show(<BalanceCard />);
    type(GOOD);
    await screen.findByText(t('topup.valid'));
    const send = button();
    fireEvent.click(send);
    await waitFor(() => expect(send.getAttribute('aria-disabled')).toBe('true'));
    expect(field().disabled).toBe(true);
    answer(null);
    expect(await screen.findByRole('dialog', { name: t('topup.done') })).toBeTruthy();
  });

  // spec: 8.3.02, 8.3.03, 8.3.04, 8.3.05
  it.each<[Instead, string, string]>([
    [{ status: 409, code: 'TOPUP_CODE_USED' }, 'Topup code has already been used', '这个充值码已被使用'],
    [{ status: 404, code: 'TOPUP_CODE_INVALID' }, 'Invalid topup code', '充值码无效，请核对后再试'],
    [{ status: 404, code: 'NOT_FOUND' }, 'Topup code not found', '没有找到这个充值码'],
    [{ status: 410, code: 'TOPUP_CODE_EXPIRED' }, 'Topup code has expired', '这个充值码已过期'],
    [{ status: 500, code: 'INTERNAL' }, 'Failed to use topup code', '充值码使用失败，请稍后再试'],
    ['network', 'Network error, please try again', '网络出错，请重试'],
    [{ status: 418, code: 'TEAPOT' }, 'Topup failed, please try again', '充值失败，请再试一次'],
    [{ status: 400, code: 'OLD', message: 'Topup code has expired' }, 'Topup code has expired', '这个充值码已过期'],
  ])('explains in both languages why a code was refused: %s', async (answer, english, chinese) => {
    const { instead } = backend();
    instead.set('/topup/use', answer);
    show(<BalanceCard />);
    type(GOOD);
    await screen.findByText(t('topup.valid'));
    fireEvent.click(button());
    expect((await screen.findByRole('alert')).textContent?.trim()).toBe(english);
    await act(() => i18next.changeLanguage('zh'));
    expect(screen.getByRole('alert').textContent?.trim()).toBe(chinese);
  });

  // spec: 8.3.06
  it('reports that a code could not be checked, and still permits its use', async () => {
    const { instead } = backend();
    instead.set('/topup/validate', { status: 503, code: 'UNAVAILABLE' });
    show(<BalanceCard />);
    type(GOOD);
    expect(await screen.findByText(/Failed to validate topup code/)).toBeTruthy();
    expect(button().disabled).toBe(false);
  });

  it('shows how long to wait after too many wrong codes', async () => {
    backend();
    show(<BalanceCard />);
    type('f'.repeat(16));
    const wait = t('problem.waitMinutes', { count: 30 });
    expect(await screen.findByText(t('problem.tooManyWait', { wait }))).toBeTruthy();
    expect(button().disabled).toBe(true);
  });
});
