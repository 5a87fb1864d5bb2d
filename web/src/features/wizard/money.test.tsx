import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handle } from '../../../mock/handler.ts';
import { ChargedNotice } from '../../parts/balance/ChargedNotice.tsx';
import { storeCharge } from '../../parts/balance/lastCharge.ts';
import { backend, show, t } from '../../parts/balance/testing.tsx';
import { defaultForm } from '../../parts/criteria/searchForm.ts';
import { queryClient } from '../../shared/api/queries.ts';
import type { SubmitAnswer, VerifiedGroup } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { CostCard } from './CostCard.tsx';
import { forgetPriceCodes } from './priceCodes.ts';
import { StepConfirm } from './StepConfirm.tsx';

const form = { ...defaultForm('2026-11-24'), cities: ['Ottawa'] };
const SHORT_WAIT_MS = 3_100;
const noSpace = (text: string | null | undefined) => text?.replaceAll('\u2060', '') ?? '';
const page = () => noSpace(document.body.textContent);

/**
 * Opens step 3 with the first two groups of the example (one and two applicants), and waits for the
 * price.
 */
function open(email = 'lin@example.com', prepare: (server: ReturnType<typeof backend>) => void = () => undefined) {
  const server = backend(email);
  const { world } = server;
  const post = (path: string, body: Record<string, unknown>) => handle(world, 'POST', path, new URLSearchParams(), body);
  post('/schedules/verify-credentials', { username: 'lin', password: 'right' });
  const chosen = [...world.drafts.values()].slice(0, 2).map((group: VerifiedGroup) => {
    post('/schedules/configure', {
      schedule_id: group.id,
      search_params: { required_cities: ['Ottawa'], start_date: '2027-01-01' },
    });
    const appointment = group.appointments[0];
    if (!appointment) throw new Error('the story has a group without an appointment');
    return { group, appointment };
  });
  prepare(server);
  const submitted = vi.fn((_: SubmitAnswer) => undefined);
  const none = () => undefined;
  show(
    <>
      <StepConfirm chosen={chosen} form={form} onPrevious={none} onSubmitted={submitted} onOtherAccount={none} />
      <CostCard chosen={chosen} codes />
      <ChargedNotice />
    </>,
  );
  return { ...server, chosen, submitted };
}

async function submit() {
  const box = screen.getAllByRole('checkbox')[0] as HTMLInputElement;
  if (!box.checked) fireEvent.click(box);
  const button = screen.getByRole<HTMLButtonElement>('button', { name: t('submit.button') });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
  await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
}

/**
 * Opens step 3 for a user who spends money in another window: the server has a lower balance than
 * the page, and answers with 402.
 */
async function openRace(left: number) {
  const server = open('rich@example.com');
  await screen.findAllByText('114.00 CAD');
  await screen.findByText('132.00');
  server.world.credit = left;
  return server;
}

/** Gives the consent and presses the button of the step once it is enabled. */
async function pressAction(name: string) {
  const box = screen.getAllByRole('checkbox')[0] as HTMLInputElement;
  if (!box.checked) fireEvent.click(box);
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}

async function typeCode(value: string) {
  fireEvent.change(await screen.findByLabelText(t('topup.label'), { selector: 'input' }), { target: { value } });
  await act(() => vi.advanceTimersByTimeAsync(600));
}

async function give(kind: 'promo' | 'referral', code: string) {
  const label = t(kind === 'promo' ? 'codes.havePromo' : 'codes.haveReferral');
  const button = screen.queryByRole('button', { name: label });
  if (button) fireEvent.click(button);
  const field = await screen.findByLabelText(t(kind === 'promo' ? 'codes.promo' : 'codes.referral'));
  fireEvent.change(field, { target: { value: code } });
  fireEvent.click(within(field.closest('form') as HTMLElement).getByRole('button', { name: t('codes.apply') }));
}

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 300_000 } });
});

afterEach(() => {
  cleanup();
  forgetPriceCodes();
  storeCharge(null);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the price of a submission', () => {
  // spec: 3.12, 9.20
  it('is itemised before the submit, with each discount by name, and a warning below 100 remaining', async () => {
    const { world } = open('lin@example.com', (server) => {
      server.world.credit = 213.99;
      server.money.entitled.set('0193-draft-1', 1);
    });
    expect(await screen.findAllByText('76.00 CAD')).toBeTruthy();
    expect(page()).toContain(`${t('cost.off', { name: 'Your personal discount', amount: '10.00' })}`);
    expect(page()).toContain(t('cost.entitled', { count: 1 }));
    expect(page()).toContain(t('cost.line', { price: '38.00', count: 1 }));
    const left = (credit: number) => (credit - 76).toFixed(2);
    expect(await screen.findByText(left(213.99))).toBeTruthy();
    expect(page()).not.toContain(t('cost.lowAfter', { amount: '100.00', currency: 'CAD' }));
    world.credit = 175.99;
    await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
    expect(await screen.findByText(left(175.99))).toBeTruthy();
    expect(page()).toContain(t('cost.lowAfter', { amount: '100.00', currency: 'CAD' }));
  });

  it('is shown after the submission with the hold and the remaining balance, until the user dismisses it', async () => {
    const { submitted } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    await submit();
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    const notice = within(await screen.findByRole('region', { name: t('cost.charged') }));
    expect(notice.getByText('114.00 CAD')).toBeTruthy();
    expect(notice.getByText('246.00')).toBeTruthy();
    expect(notice.getByText('132.00')).toBeTruthy();
    fireEvent.click(notice.getByRole('button', { name: t('cost.putAway') }));
    expect(screen.queryByRole('region', { name: t('cost.charged') })).toBeNull();
  });

  it('is hidden once nothing is on hold', async () => {
    const { world, submitted } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    await submit();
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
    expect(screen.getByRole('region', { name: t('cost.charged') })).toBeTruthy();
    world.onHold = 0;
    await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
    await waitFor(() => expect(screen.queryByRole('region', { name: t('cost.charged') })).toBeNull());
  });

  // spec: 8.2.26
  it('is never an estimate: the submit waits for a real price', async () => {
    const { instead, calls } = open('rich@example.com', (server) => {
      for (const path of ['/pricing/calculate', '/pricing/plans']) server.instead.set(path, { status: 503, code: 'UNAVAILABLE' });
    });
    expect((await screen.findAllByText(t('cost.loadFailed'))).length).toBeGreaterThan(0);
    expect(page()).toContain('15.00 CAD');
    fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: t('submit.button') }).disabled).toBe(true);
    instead.clear();
    fireEvent.click(screen.getAllByRole('button', { name: t('problem.retry') })[0] as HTMLElement);
    expect(await screen.findAllByText('114.00 CAD')).toBeTruthy();
    await submit();
    expect(calls('/schedules/submit')[0]?.body.expected_total).toBe(114);
  });

  it('is sent to the server as shown; a changed price is shown beside the old one and needs new consent', async () => {
    const { money, calls, submitted } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    money.base = 50;
    await submit();
    const dialog = within(await screen.findByRole('dialog', { name: t('submit.priceChanged') }));
    expect(dialog.getByText('114.00 CAD').tagName).toBe('S');
    expect(dialog.getAllByText('120.00 CAD').length).toBeGreaterThan(0);
    expect(submitted).not.toHaveBeenCalled();
    fireEvent.click(dialog.getByRole('button', { name: t('submit.agreeNewPrice') }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    const [first, second] = calls('/schedules/submit');
    expect([first?.body.expected_total, second?.body.expected_total]).toEqual([114, 120]);
    expect(first?.key).not.toBe(second?.key);
  });
});

describe('a notify-only task', () => {
  it('states when it is charged, and does not mention bookings', () => {
    backend('lin@example.com');
    show(<CostCard chosen={[]} notifyOnly />);
    expect(page()).toContain(t('cost.promiseNotify'));
    expect(page()).not.toContain(t('cost.promise'));
  });
});

describe('an insufficient balance', () => {
  it('is shown before the user chooses a group, by the price of one applicant, and not as a remaining balance', async () => {
    const { world } = backend('lin@example.com');
    world.credit = 5;
    show(<CostCard chosen={[]} />);
    await waitFor(() => expect(page()).toMatch(/You will need \d+\.00 CAD per applicant; you have 5\.00 CAD\./));
    expect(page()).not.toContain(t('cost.left'));
    expect(page()).not.toContain(t('cost.lowAfter', { amount: '100.00', currency: 'CAD' }));
    world.credit = 60;
    await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
    expect(await screen.findByText(t('cost.left'))).toBeTruthy();
    expect(page(), 'nothing is taken yet').not.toContain(t('cost.lowAfter', { amount: '100.00', currency: 'CAD' }));
  });

  // spec: 8.2.11, 8.2.12, 8.2.13
  it("shows 'You need X but only have Y available. You need to top up Z.', with the parts, the amount to top up, and the balance card", async () => {
    await openRace(46);
    await submit();
    const dialog = within(await screen.findByRole('dialog', { name: 'Insufficient balance' }));
    expect(dialog.getByText('You need 114.00 CAD but only have 46.00 CAD available. You need to top up 68.00 CAD.')).toBeTruthy();
    expect(dialog.getByText(t('submit.recommended', { amount: '68.00', minimum: '68.00', currency: 'CAD' }))).toBeTruthy();
    expect(dialog.getByText('114.00 CAD')).toBeTruthy();
    expect(dialog.getByRole('region', { name: t('balance.title') })).toBeTruthy();
    expect(dialog.getByLabelText(t('topup.label'))).toBeTruthy();
  });

  it('recommends at least 50', async () => {
    await openRace(100);
    await submit();
    const dialog = within(await screen.findByRole('dialog', { name: 'Insufficient balance' }));
    expect(dialog.getByText(t('submit.recommended', { amount: '50.00', minimum: '14.00', currency: 'CAD' }))).toBeTruthy();
  });

  // spec: 8.2.13
  it('is submitted only by the named button, once a code has covered it', async () => {
    const { calls, submitted } = await openRace(46);
    await submit();
    const dialog = within(await screen.findByRole('dialog', { name: 'Insufficient balance' }));
    fireEvent.change(dialog.getByLabelText(t('topup.label')), { target: { value: '3f9ac2047b1e88d0' } });
    await act(() => vi.advanceTimersByTimeAsync(600));
    fireEvent.click(dialog.getByRole('button', { name: t('topup.button') }));
    const done = within(await screen.findByRole('dialog', { name: t('topup.done') }));
    fireEvent.click(done.getByRole('button', { name: t('topup.close') }));
    const covered = within(await screen.findByRole('dialog', { name: t('submit.coveredTitle') }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    expect(calls('/schedules/submit')).toHaveLength(1);
    fireEvent.click(await covered.findByRole('button', { name: t('submit.button') }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    expect(calls('/schedules/submit')).toHaveLength(2);
    expect(screen.queryByRole('dialog', { name: 'Insufficient balance' })).toBeNull();
  });
});

describe('the missing amount', () => {
  // spec: 5.3.03, 2.9.03, 10.13.25
  it('is redeemed and submitted by one press, without a dialog', async () => {
    const { calls, submitted, world } = open();
    const short = await screen.findByText(t('submit.foreseen', { missing: '68.00', available: '46.00', currency: 'CAD' }));
    expect(short.closest('[role="status"]')?.className).toContain('warning');
    expect(screen.queryByRole('button', { name: t('submit.button') })).toBeNull();
    expect(screen.queryByRole('button', { name: t('topup.button') }), 'one button').toBeNull();
    await pressAction(t('submit.redeem'));
    expect(screen.getByText(t('confirm.codeNeeded'))).toBeTruthy();
    await typeCode('3f9ac2047b1e88d0');
    fireEvent.click(screen.getByRole('button', { name: t('submit.redeem') }));
    expect(screen.getByText(/Paying and submitting in \d s/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: t('task.undo') }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    expect(calls('/topup/use'), 'undone before anything was spent').toHaveLength(0);
    fireEvent.click(screen.getByRole('button', { name: t('submit.redeem') }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    expect(calls('/topup/use')).toHaveLength(1);
    expect(calls('/schedules/submit')).toHaveLength(1);
    expect(world.credit).toBe(32);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is still required after a code that is too small, and nothing is submitted', async () => {
    const { calls } = open('lin@example.com', (server) => {
      server.world.credit = 6;
    });
    await typeCode('3f9ac2047b1e88d0');
    await pressAction(t('submit.redeem'));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    expect(await screen.findByText(t('submit.stillShort', { missing: '8.00', currency: 'CAD' }))).toBeTruthy();
    expect(calls('/schedules/submit')).toHaveLength(0);
    await typeCode('aaaabbbbccccddd0');
    await pressAction(t('submit.redeem'));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await waitFor(() => expect(calls('/schedules/submit')).toHaveLength(1));
  });

  it('is still required after a refused code, and the field shows the reason', async () => {
    const { calls, instead } = open();
    instead.set('/topup/use', { status: 409, code: 'TOPUP_CODE_USED' });
    await typeCode('3f9ac2047b1e88d0');
    await pressAction(t('submit.redeem'));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    expect(await screen.findByText(t('problem.codeUsed'))).toBeTruthy();
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: t('submit.redeem') }).disabled).toBe(false));
    expect(calls('/schedules/submit')).toHaveLength(0);
  });

  /** Dispatches a message of the card page. */
  const post = (message: Record<string, unknown>) => {
    const { contentWindow: source } = screen.getByTitle<HTMLIFrameElement>(t('card.frame'));
    const data = { source: 'sooner-pay', ...message };
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin: window.location.origin, source })));
  };

  async function openCard(credit = 46) {
    const server = open('card-empty@example.com', ({ world }) => {
      world.credit = credit;
    });
    fireEvent.click(await screen.findByRole('button', { name: t('topup.byCard') }));
    const frame = await screen.findByTitle<HTMLIFrameElement>(t('card.frame'));
    const orders = vi.spyOn(frame.contentWindow as Window, 'postMessage').mockImplementation(() => undefined);
    // The frame is rendered before its message listener is registered, so the test repeats the
    // message.
    await waitFor(() => {
      post({ type: 'ready' });
      expect(frame.dataset.ready).toBe('true');
    });
    /** Waits until the card page has received the payment. Before that it sends no result. */
    const ordered = () => waitFor(() => expect(orders).toHaveBeenCalledTimes(1));
    return { ...server, ordered };
  }

  // spec: 2.9.03
  it('is filled in as 50 if less is missing', async () => {
    await openCard(80);
    expect(await screen.findByText(t('submit.foreseen', { missing: '34.00', available: '80.00', currency: 'CAD' }))).toBeTruthy();
    expect(await screen.findByRole('button', { name: t('submit.pay', { amount: '50.00', currency: 'CAD' }) })).toBeTruthy();
  });

  // spec: 2.9.03, 2.8.13, 10.13.25
  it('is paid by card and submitted by one press that names the amount, without typing', async () => {
    const { calls, ordered, submitted } = await openCard();
    const presets = within(screen.getByRole('group', { name: t('card.presets') }));
    expect(presets.getAllByRole('button').map((button) => button.textContent)).toEqual([
      `68.00${t('card.presetMissing')}`,
      `76.00${t('unit.applicants', { count: 2 })}`,
      `114.00${t('unit.applicants', { count: 3 })}`,
    ]);
    const pay = (amount: string) => t('submit.pay', { amount, currency: 'CAD' });
    fireEvent.click(presets.getByRole('button', { name: /^114/ }));
    expect(await screen.findByRole('button', { name: pay('114.00') })).toBeTruthy();
    fireEvent.click(presets.getByRole('button', { name: /^68/ }));
    await pressAction(pay('68.00'));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await ordered();
    expect(calls('/payment/stripe/create-intent').map(({ body }) => body.amount)).toEqual([68]);
    post({ type: 'succeeded' });
    await waitFor(() => expect(submitted).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('is not submitted if the card is refused, and a smaller amount only tops up', async () => {
    const { calls, ordered } = await openCard();
    await pressAction(t('submit.pay', { amount: '68.00', currency: 'CAD' }));
    await act(() => vi.advanceTimersByTimeAsync(SHORT_WAIT_MS));
    await ordered();
    post({ type: 'failed', code: 'card_declined' });
    expect(await screen.findByText(t('card.declined'))).toBeTruthy();
    await pressAction(t('submit.pay', { amount: '68.00', currency: 'CAD' }));
    expect(screen.queryByText(t('card.declined')), 'while the next try counts down').toBeNull();
    fireEvent.click(screen.getByRole('button', { name: t('task.undo') }));
    fireEvent.change(screen.getByLabelText(t('card.amount')), { target: { value: '20' } });
    expect(await screen.findByRole('button', { name: t('card.pay', { amount: '20.00', currency: 'CAD' }) })).toBeTruthy();
    expect(calls('/schedules/submit')).toHaveLength(0);
  });
});

describe('promo and referral codes', () => {
  // spec: 3.12
  it('discount each applicant, are named in the price, are sent with the submit and can be removed', async () => {
    const { calls } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    await give('promo', 'maple5');
    expect(await screen.findAllByText('99.00 CAD')).toBeTruthy();
    expect(page()).toContain(t('codes.applied', { code: 'MAPLE5', amount: '5.00', currency: 'CAD' }));
    expect(page()).toContain(t('cost.off', { name: t('cost.discountPromo'), amount: '5.00' }));
    await give('referral', 'FRIEND7');
    expect(await screen.findAllByText('75.00 CAD')).toBeTruthy();
    expect(page()).toContain(t('cost.off', { name: t('cost.discountReferral'), amount: '8.00' }));
    fireEvent.click(screen.getByRole('button', { name: t('codes.removeWhat', { code: 'FRIEND7' }) }));
    expect(await screen.findAllByText('99.00 CAD')).toBeTruthy();
    await submit();
    expect(calls('/schedules/submit')[0]?.body).toMatchObject({ promo_code: 'maple5', expected_total: 99 });
    expect(calls('/schedules/submit')[0]?.body).not.toHaveProperty('referral_code');
  });

  it.each([
    ['promo', 'NOSUCH', 'codes.unknown'],
    ['promo', 'WINTER', 'codes.notYet'],
    ['promo', 'SUMMER', 'codes.expired'],
    ['promo', 'FIRST100', 'codes.usedUp'],
    ['promo', 'ONCE', 'codes.usedByYou'],
    ['promo', 'TEACHER', 'codes.notYours'],
    ['promo', 'FREE', 'codes.nothingLeft'],
    ['referral', 'MINE42', 'codes.ownCode'],
    ['referral', 'LATE', 'codes.notFirst'],
  ] as const)('explain why a %s code is refused: %s', async (kind, code, textKey) => {
    const { calls } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    await give(kind, code);
    expect(await screen.findByText(t(textKey))).toBeTruthy();
    await submit();
    expect(calls('/schedules/submit')[0]?.body).not.toHaveProperty(`${kind}_code`);
  });

  it('that could not be checked after too many attempts are an error without a price, and can be omitted', async () => {
    const { instead } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    instead.set('POST /pricing/calculate', { status: 429, code: 'TOO_MANY_ATTEMPTS', retryAfter: 600 });
    await give('promo', 'MAPLE5');
    const alert = (await screen.findByText(t('codes.unchecked'))).closest('[role="alert"]') as HTMLElement;
    expect(alert.textContent).toContain(t('problem.tooManyWait', { wait: t('problem.waitMinutes', { count: 10 }) }));
    expect(page(), 'no full price').not.toContain('114.00 CAD');
    fireEvent.click(screen.getAllByRole('checkbox')[0] as HTMLElement);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: t('submit.button') }).disabled).toBe(true);
    instead.clear();
    fireEvent.click(within(alert).getByRole('button', { name: t('codes.without') }));
    expect(await screen.findAllByText('114.00 CAD')).toBeTruthy();
  });

  it('that the server refuses on submission are removed with the reason, and nothing is submitted', async () => {
    const { money, submitted } = open('rich@example.com');
    await screen.findAllByText('114.00 CAD');
    await give('promo', 'MAPLE5');
    await screen.findAllByText('99.00 CAD');
    money.promos.set('MAPLE5', { status: 'used_up', amount: 0 });
    await submit();
    expect((await screen.findByRole('alert')).textContent).toContain(t('codes.usedUp'));
    expect(await screen.findAllByText('114.00 CAD')).toBeTruthy();
    expect(submitted).not.toHaveBeenCalled();
  });
});
