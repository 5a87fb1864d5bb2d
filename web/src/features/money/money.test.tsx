import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backend, show, t } from '../../parts/balance/testing.tsx';
import { FactsProvider } from '../../shared/api/facts.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { RegisterPage } from '../auth/RegisterPage.tsx';
import { ReferralSetting } from '../settings/ReferralSetting.tsx';
import { MovementsPage } from './MovementsPage.tsx';
import { ReceiptPage } from './ReceiptPage.tsx';

vi.mock('../../shared/browser/saveFile.ts', () => ({ saveFile: vi.fn() }));

const pages = (
  <Routes>
    <Route path="/balance" element={<MovementsPage />} />
    <Route path="/balance/receipt/:id" element={<ReceiptPage />} />
  </Routes>
);
const rows = () => screen.getAllByRole('row').slice(1);
const textOf = (element: HTMLElement) => element.textContent?.replaceAll('\u2060', '') ?? '';

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.mocked(saveFile).mockClear();
});

describe('the movements', () => {
  it.each(['zh', 'en'])('are listed newest first with the balance after each (%s)', async (language) => {
    await i18next.changeLanguage(language);
    backend();
    const { router } = show(pages, '/balance');
    await screen.findByText(t('movements.end'));
    expect(rows()).toHaveLength(6);
    // Columns: date, kind, amount, balance, link. Columns for the hold are optional.
    expect(screen.getAllByRole('columnheader')).toHaveLength(5);
    const [bonus, capture] = rows().map(textOf);
    expect(bonus).toContain(t('ledger.bonus'));
    expect(bonus).toContain(t('ledger.forReferral'));
    expect(bonus).toContain('+10.00');
    expect(bonus).toContain('46.00');
    expect(capture).toContain(`${t('ledger.capture')} · Zhao Mingyuan`);
    expect(capture).toContain(t('ledger.captureNote', { amount: '38.00' }));
    expect(capture).not.toContain('−38.00');
    fireEvent.click(screen.getByRole('switch', { name: t('movements.showHeld') }));
    await waitFor(() => expect(router.state.location.search).toBe('?held=1'));
    expect(screen.getAllByRole('columnheader')).toHaveLength(7);
    expect(rows().map(textOf)[1]).toContain('−38.00');
  });

  it('are filtered by kind and dates, which are stored in the address', async () => {
    const { calls } = backend();
    const { router } = show(pages, '/balance?kind=hold');
    await screen.findByText(t('movements.end'));
    expect(rows()).toHaveLength(2);
    await router.navigate('/balance?kind=hold&from=2026-11-01&to=2026-11-30');
    await waitFor(() => expect(calls('/users/ledger').at(-1)?.query.get('from')).toBe('2026-11-01T04:00:00.000Z'));
    expect(calls('/users/ledger').at(-1)?.query.get('to')).toBe('2026-12-01T05:00:00.000Z');
    fireEvent.click(screen.getByRole('button', { name: t('movements.clear') }));
    await waitFor(() => expect(router.state.location.search).toBe(''));
    await waitFor(() => expect(rows()).toHaveLength(6));
  });

  it('explain that nothing matches, that the dates are reversed, or that loading failed', async () => {
    const { instead } = backend();
    const { router } = show(pages, '/balance?kind=refund');
    expect(await screen.findByText(t('movements.emptyFiltered'))).toBeTruthy();
    await router.navigate('/balance?from=2026-11-02&to=2026-11-01');
    expect(await screen.findByText(t('movements.badRange'))).toBeTruthy();
    instead.set('/users/ledger', { status: 500, code: 'INTERNAL' });
    await router.navigate('/balance?kind=card&from=nonsense');
    expect(await screen.findByText(t('movements.failed'))).toBeTruthy();
    instead.clear();
    fireEvent.click(screen.getByRole('button', { name: t('problem.retry') }));
    expect(await screen.findByText(t('movements.emptyFiltered'))).toBeTruthy();
  });

  it('offer the kinds that occur as filters, whatever the present filter is', async () => {
    backend();
    show(pages, '/balance?kind=hold');
    await screen.findByText(t('movements.end'));
    fireEvent.click(screen.getByRole('combobox', { name: t('movements.kind') }));
    const kinds = (await screen.findAllByRole('option')).map(textOf);
    const there = ['topup', 'bonus', 'hold', 'capture'] as const;
    expect(kinds).toEqual([t('movements.allKinds'), ...there.map((kind) => t(`ledger.${kind}`))]);
  });

  it('load page by page', async () => {
    const { money, calls } = backend();
    const first = money.movements.at(-1);
    if (!first) throw new Error('the story has no movements');
    for (let n = 0; n < 20; n += 1) money.movements.push({ ...first, id: `old${n}` });
    show(pages, '/balance');
    fireEvent.click(await screen.findByRole('button', { name: t('movements.older') }));
    expect(await screen.findByText(t('movements.end'))).toBeTruthy();
    expect(rows()).toHaveLength(26);
    expect(calls('/users/ledger').map((call) => call.query.get('before'))).toEqual([null, 'old13']);
  });

  it.each([
    ['en', 'sooner-movements-', 'Referral bonus'],
    ['zh', '早签-余额变动-', '推荐奖励'],
  ])("are downloaded completely as CSV in the page's language (%s)", async (language, name, kind) => {
    await i18next.changeLanguage(language);
    backend();
    show(pages, '/balance');
    await screen.findByText(t('movements.end'));
    fireEvent.click(screen.getByRole('button', { name: t('movements.csv') }));
    await waitFor(() => expect(saveFile).toHaveBeenCalledTimes(1));
    const [file, called] = vi.mocked(saveFile).mock.calls[0] ?? [];
    expect(called?.startsWith(name)).toBe(true);
    const text = (await file?.text()) ?? '';
    expect(text.trim().split('\r\n')).toHaveLength(7);
    expect(text).toContain(kind);
  });
});

describe('a receipt', () => {
  it.each(['zh', 'en'])('shows the parts of the price and the payer, and can be printed (%s)', async (language) => {
    await i18next.changeLanguage(language);
    backend();
    const print = vi.fn();
    vi.stubGlobal('print', print);
    const { router } = show(pages, '/balance');
    const links = await screen.findAllByRole('link', { name: new RegExp(t('ledger.capture')) });
    fireEvent.click(links[0] as HTMLElement);
    const sheet = await screen.findByRole('article', { name: t('receipt.title') });
    expect(router.state.location.pathname).toBe('/balance/receipt/m5');
    expect(textOf(sheet)).toContain('lin@example.com');
    const lines = within(sheet).getAllByRole('row').map(textOf);
    expect(lines[1]).toContain(`${t('receipt.base')}`);
    expect(lines[1]).toContain('48.00');
    expect(lines[2]).toContain(t('cost.discountPersonal'));
    expect(lines[2]).toContain('−10.00');
    expect(lines[3]).toContain('38.00 CAD');
    expect(lines[4]).toContain(t('receipt.tax', { percent: '13', name: 'HST' }));
    expect(lines[4]).toContain('4.37 CAD');
    expect(textOf(sheet)).toContain('Sooner Demonstration Ltd., 1 Example Street, Ottawa ON');
    expect(textOf(sheet)).toContain('00000 0000 RT0001');
    fireEvent.click(screen.getByRole('button', { name: t('receipt.print') }));
    expect(print).toHaveBeenCalledTimes(1);
  });

  it.each(['zh', 'en'])('does not exist for a hold, whose confirmation states that nothing is paid (%s)', async (language) => {
    await i18next.changeLanguage(language);
    backend();
    show(pages, '/balance?kind=hold');
    const links = await screen.findAllByRole('link', { name: new RegExp(t('ledger.hold')) });
    expect(links.map(textOf)).toEqual(links.map(() => t('movements.slip')));
    fireEvent.click(links[0] as HTMLElement);
    const sheet = await screen.findByRole('article', { name: t('receipt.slip') });
    expect(textOf(sheet)).toContain(t('receipt.slipText'));
    expect(screen.queryByText(t('receipt.title'))).toBeNull();
  });

  it.each(['zh', 'en'])('does not exist for a top-up, so that a booking has only one (%s)', async (language) => {
    await i18next.changeLanguage(language);
    backend();
    show(pages, '/balance?kind=topup');
    const links = await screen.findAllByRole('link', { name: new RegExp(t('ledger.topup')) });
    fireEvent.click(links[0] as HTMLElement);
    const sheet = await screen.findByRole('article', { name: t('receipt.payment') });
    expect(textOf(sheet)).toContain(t('receipt.paymentText'));
    expect(textOf(sheet)).not.toContain('HST');
  });

  it('that does not exist is reported as missing', async () => {
    backend();
    show(pages, '/balance/receipt/nope');
    expect(await screen.findByText(t('receipt.notFound'))).toBeTruthy();
    expect(screen.getByRole('link', { name: t('receipt.back') }).getAttribute('href')).toBe('/balance');
  });
});

describe('referrals', () => {
  it('show the user’s code, the link to share, both rewards and the outcome', async () => {
    backend();
    show(<ReferralSetting />);
    expect(await screen.findByText(t('referral.code', { code: 'MINE42' }))).toBeTruthy();
    expect(document.body.textContent).toContain(t('referral.text', { off: '8.00', bonus: '10.00', currency: 'CAD' }));
    for (const name of [t('referral.code', { code: 'MINE42' }), t('referral.link')])
      expect(screen.getByRole('button', { name: t('support.copyWhat', { what: name }) })).toBeTruthy();
    expect(screen.getByText(t('referral.invited')).nextElementSibling?.textContent).toBe('3');
  });

  const register = async () => {
    const fill = (label: string, value: string) =>
      fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });
    fill(t('auth.email'), 'new@example.com');
    fill(t('auth.password'), 'Right-1234');
    fill(t('auth.confirmPassword'), 'Right-1234');
    fireEvent.click(screen.getByRole('button', { name: t('auth.registerButton') }));
  };

  it('are passed from the address to the registration, once', async () => {
    localStorage.setItem('sooner.referral', 'FRIEND7');
    const { calls } = backend();
    show(<RegisterPage />);
    const field = await screen.findByLabelText<HTMLInputElement>(t('codes.referralOptional'));
    expect(field.value).toBe('FRIEND7');
    await register();
    await waitFor(() => expect(calls('/auth/register')).toHaveLength(1));
    expect(calls('/auth/register')[0]?.body.referral_code).toBe('FRIEND7');
    await waitFor(() => expect(localStorage.getItem('sooner.referral')).toBeNull());
  });

  it('can be typed into a field that a button opens, and are omitted if empty', async () => {
    const { calls } = backend();
    show(
      <FactsProvider facts={{ referral_off: '10.00' }}>
        <RegisterPage />
      </FactsProvider>,
    );
    expect(screen.queryByLabelText(t('codes.referralOptional'))).toBeNull();
    fireEvent.click(await screen.findByRole('button', { name: t('codes.haveReferral') }));
    expect(screen.getByLabelText(t('codes.referralOptional'))).toBeTruthy();
    await register();
    await waitFor(() => expect(calls('/auth/register')).toHaveLength(1));
    expect(calls('/auth/register')[0]?.body).not.toHaveProperty('referral_code');
  });

  it('are not offered if they give no discount', async () => {
    backend();
    show(
      <FactsProvider facts={{}}>
        <RegisterPage />
      </FactsProvider>,
    );
    await screen.findByLabelText(t('auth.email'));
    expect(screen.queryByRole('button', { name: t('codes.haveReferral') })).toBeNull();
  });
});
