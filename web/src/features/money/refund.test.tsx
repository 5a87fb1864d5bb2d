import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { paidOf } from '../../../mock/refunds.ts';
import { backend, show, t } from '../../parts/balance/testing.tsx';
import { StepUpGate } from '../../parts/stepUp/StepUpGate.tsx';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { MovementsPage } from './MovementsPage.tsx';
import { refundSplit } from './refundSplit.ts';

const textOf = (element: HTMLElement) => element.textContent?.replaceAll('\u2060', '') ?? '';
const page = (
  <>
    <MovementsPage />
    <StepUpGate />
  </>
);
const card = () => screen.findByRole('region', { name: t('refund.title') });
const open = async () => {
  fireEvent.click(within(await card()).getByRole('button', { name: t('refund.button') }));
  return screen.findByRole('dialog', { name: t('refund.dialogTitle') });
};
const prove = async () => {
  const dialog = await screen.findByRole('dialog', { name: t('stepUp.title') });
  fireEvent.change(within(dialog).getByLabelText(t('auth.password'), { selector: 'input' }), { target: { value: 'Right-1234' } });
  fireEvent.click(within(dialog).getByRole('button', { name: t('stepUp.confirm') }));
};

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe('a refund to the card', () => {
  it('is not mentioned to users who never paid by card', async () => {
    backend();
    show(page, '/balance');
    await screen.findByText(t('movements.end'));
    expect(screen.queryByText(t('refund.title'))).toBeNull();
  });

  it('goes to the newest payment first, exact to the cent', () => {
    const payment = (id: string, amount: number) => ({ payment: id, amount, paid: amount, paid_at: '', until: '' });
    const parts = (value: number) =>
      refundSplit(value, [payment('new', 20.1), payment('old', 50)]).map((part) => [part.payment, part.amount]);
    expect(parts(0.3)).toEqual([['new', 0.3]]);
    expect(parts(20.1)).toEqual([['new', 20.1]]);
    expect(parts(20.35)).toEqual([
      ['new', 20.1],
      ['old', 0.25],
    ]);
  });

  // spec: 10.10.24
  it.each(['zh', 'en'])('is shown by payment, requested once after a proof, and followed (%s)', async (language) => {
    await i18next.changeLanguage(language);
    const { calls, world } = backend('refund@example.com');
    show(page, '/balance');
    expect(textOf(await card())).toContain(t('refund.can', { amount: '36.00', currency: 'CAD' }));
    expect(textOf(await card())).toContain(t('refund.returned'));
    const dialog = await open();
    const field = within(dialog).getByLabelText(t('refund.amount'));
    expect((field as HTMLInputElement).value).toBe('36.00');
    const parts = () => within(dialog).getAllByRole('listitem').map(textOf);
    expect(parts()).toHaveLength(2);
    expect(parts()[1]).toContain('16.00 CAD');
    fireEvent.change(field, { target: { value: '36.01' } });
    fireEvent.click(within(dialog).getByRole('button', { name: t('refund.button') }));
    expect(await within(dialog).findByText(t('refund.wrong', { amount: '36.00', currency: 'CAD' }))).toBeTruthy();
    fireEvent.change(field, { target: { value: '20' } });
    expect(parts()).toHaveLength(1);
    fireEvent.click(within(dialog).getByRole('button', { name: t('refund.send', { amount: '20.00', currency: 'CAD' }) }));
    await prove();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const sent = calls('/payment/refunds').filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).toEqual([{ amount: 20 }, { amount: 20 }]);
    expect(sent[0]?.key).toBeTruthy();
    expect(sent[1]?.key).toBe(sent[0]?.key);
    expect(world.credit).toBe(26);
    expect(textOf(await card())).toContain(t('refund.pending'));
    expect(textOf(await card())).toContain(t('refund.can', { amount: '16.00', currency: 'CAD' }));
  });

  it('shows the new refundable amount if it has changed', async () => {
    const { world } = backend('refund@example.com');
    const money = paidOf(world);
    show(page, '/balance');
    const dialog = await open();
    money.refundable = money.refundable.slice(0, 1);
    fireEvent.click(within(dialog).getByRole('button', { name: t('refund.send', { amount: '36.00', currency: 'CAD' }) }));
    await prove();
    expect(await within(dialog).findByText(t('refund.changed', { amount: '20.00', currency: 'CAD' }))).toBeTruthy();
  });

  it('is refused after two refunds within a day', async () => {
    const { world } = backend('refund@example.com');
    const money = paidOf(world);
    const pending = { id: 'a', amount: 1, state: 'pending', at: '2026-11-20T12:00:00Z', settled_at: null } as const;
    money.refunds = [pending, { ...pending, id: 'b' }];
    show(page, '/balance');
    const button = within(await card()).getByRole('button', { name: t('refund.button') });
    expect((button as HTMLButtonElement).disabled).toBe(true);
  });
});
