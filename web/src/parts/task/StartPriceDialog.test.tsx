import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { actionsOf } from '../../../mock/actions.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { backend, show, t } from '../balance/testing.tsx';
import { TaskCard } from './TaskCard.tsx';

const LONGEST_WAIT_MS = 3_100;

beforeEach(async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
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

it('says what is missing where the balance does not cover a start, and starts once it does', async () => {
  const { world, calls } = backend();
  const task = world.tasks.get('0193-on');
  if (!task) throw new Error('the story has no such task');
  task.status = 'stopped';
  task.status_reason = 'range_over';
  task.price.on_hold = 0;
  task.actions = actionsOf(task);
  show(<TaskCard task={task} onDelete={() => undefined} />);
  fireEvent.click((await screen.findAllByRole('button', { name: t('task.start') }))[0] as HTMLElement);
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  const dialog = within(await screen.findByRole('dialog', { name: t('problem.insufficient') }));
  const said = { required: '76.00', available: '46.00', missing: '30.00', currency: 'CAD' };
  expect(dialog.getByText(t('submit.insufficientText', said))).toBeTruthy();
  world.credit = 96;
  await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
  fireEvent.click(await dialog.findByRole('button', { name: t('submit.goOn') }));
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  await waitFor(() => expect(world.tasks.get(task.id)?.status).toBe('active'));
  expect(calls(`/schedules/${task.id}/start`)).toHaveLength(2);
});

it('asks again where starting costs something else than was agreed, and starts at the price agreed to', async () => {
  const { world, money, calls } = backend();
  const task = world.tasks.get('0193-on');
  if (!task) throw new Error('the story has no such task');
  task.status = 'stopped';
  task.status_reason = 'range_over';
  task.actions = actionsOf(task);
  money.startTotals.set(task.id, 96);
  show(<TaskCard task={task} onDelete={() => undefined} />);
  fireEvent.click((await screen.findAllByRole('button', { name: t('task.start') }))[0] as HTMLElement);
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  const dialog = within(await screen.findByRole('dialog', { name: t('submit.priceChanged') }));
  expect(dialog.getByText('76.00 CAD').tagName).toBe('S');
  expect(dialog.getAllByText('96.00 CAD').length).toBeGreaterThan(0);
  expect(task.status).toBe('stopped');
  fireEvent.click(dialog.getByRole('button', { name: t('group.agreeFree') }));
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  await waitFor(() => expect(world.tasks.get(task.id)?.status).toBe('active'));
  expect(calls(`/schedules/${task.id}/start`).map((call) => call.body)).toEqual([{}, { expected_total: 96 }]);
});
