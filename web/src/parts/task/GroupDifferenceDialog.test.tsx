import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { backend, show, t } from '../balance/testing.tsx';
import { TaskCard } from './TaskCard.tsx';

/** Opens the first example task, whose group has grown from two to three applicants. */
async function open(credit: number, difference = { applicants_now: 3, applicants_priced: 2, amount: 38 }) {
  const server = backend();
  const { world } = server;
  world.credit = credit;
  const task = world.tasks.get('0193-on');
  if (!task) throw new Error('the story has no such task');
  task.status = 'error';
  task.status_reason = 'group_changed';
  task.price = { ...task.price, difference };
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: t('condition.acceptGroup') }));
  const dialog = within(await screen.findByRole('dialog', { name: t('group.title') }));
  return { ...server, dialog };
}

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

it('shows the difference for a group that has grown, and the task continues after the user accepts it', async () => {
  const { dialog, calls, world } = await open(100);
  expect(dialog.getByText(t('unit.applicants', { count: 2 }))).toBeTruthy();
  expect(dialog.getByText(t('unit.applicants', { count: 3 }))).toBeTruthy();
  expect(dialog.getByText('38.00 CAD')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: t('group.agree', { amount: '38.00', currency: 'CAD' }) }));
  await waitFor(() => expect(world.tasks.get('0193-on')?.status).toBe('active'));
  const [call] = calls('/schedules/0193-on/accept-group');
  expect(call?.body).toEqual({ expected_total: 38 });
  expect(call?.key).toBeTruthy();
  expect(world.credit).toBe(62);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it('opens the top-up if the balance is insufficient', async () => {
  const { dialog } = await open(10);
  fireEvent.click(dialog.getByRole('button', { name: t('group.agree', { amount: '38.00', currency: 'CAD' }) }));
  const short = within(await screen.findByRole('dialog', { name: 'Insufficient balance' }));
  expect(short.getByText('You need 38.00 CAD but only have 10.00 CAD available. You need to top up 28.00 CAD.')).toBeTruthy();
});

it('shows a difference that has changed again, and asks for consent again', async () => {
  const { dialog, world, calls } = await open(100);
  const task = world.tasks.get('0193-on');
  if (task) task.price = { ...task.price, difference: { applicants_now: 4, applicants_priced: 2, amount: 76 } };
  fireEvent.click(dialog.getByRole('button', { name: t('group.agree', { amount: '38.00', currency: 'CAD' }) }));
  expect(await dialog.findByText(t('group.moved'))).toBeTruthy();
  expect(dialog.getByText(t('unit.applicants', { count: 4 }))).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: t('group.agree', { amount: '76.00', currency: 'CAD' }) }));
  await waitFor(() => expect(world.credit).toBe(24));
  expect(calls('/schedules/0193-on/accept-group').map((call) => call.body.expected_total)).toEqual([38, 76]);
});

it('refunds the difference of a smaller group', async () => {
  const { dialog, world } = await open(100, { applicants_now: 1, applicants_priced: 2, amount: -38 });
  expect(dialog.getByText(t('group.back'))).toBeTruthy();
  expect(dialog.getByText('38.00 CAD')).toBeTruthy();
  expect(await dialog.findByText('138.00')).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: t('group.agreeFree') }));
  await waitFor(() => expect(world.credit).toBe(138));
});
