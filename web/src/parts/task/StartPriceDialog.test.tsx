import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { actionsOf } from '../../../mock/actions.ts';
import { doneTask } from '../../../mock/story.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { backend, show, t } from '../balance/testing.tsx';
import { capability } from './capabilities.ts';
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

it('shows the missing amount if the balance does not cover a start, and starts once it does', async () => {
  const { world, calls } = backend();
  const task = world.tasks.get('0193-on');
  if (!task) throw new Error('the story has no such task');
  task.status = 'stopped';
  task.status_reason = 'range_over';
  task.price.on_hold = 0;
  task.actions = actionsOf(task);
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
  fireEvent.click((await screen.findAllByRole('button', { name: t('task.start') }))[0] as HTMLElement);
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  const dialog = within(await screen.findByRole('dialog', { name: t('problem.insufficient') }));
  const values = { required: '76.00', available: '46.00', missing: '30.00', currency: 'CAD' };
  expect(dialog.getByText(t('submit.insufficientText', values))).toBeTruthy();
  world.credit = 96;
  await act(() => queryClient.invalidateQueries({ queryKey: ['credit'] }));
  fireEvent.click(await dialog.findByRole('button', { name: t('submit.goOn') }));
  await act(() => vi.advanceTimersByTimeAsync(LONGEST_WAIT_MS));
  await waitFor(() => expect(world.tasks.get(task.id)?.status).toBe('active'));
  expect(calls(`/schedules/${task.id}/start`)).toHaveLength(2);
});

it('asks for consent again if the start price differs from the agreed one, and starts at the new price', async () => {
  const { world, money, calls } = backend();
  const task = world.tasks.get('0193-on');
  if (!task) throw new Error('the story has no such task');
  task.status = 'stopped';
  task.status_reason = 'range_over';
  task.actions = actionsOf(task);
  money.startTotals.set(task.id, 96);
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
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

/**
 * Returns a task that has used its two permitted reschedules. The official site permits `left`
 * more.
 */
function usedUp(world: ReturnType<typeof backend>['world'], left: number | null) {
  const task = structuredClone({
    ...doneTask,
    id: 'used',
    status_reason: 'reschedules_used' as const,
    auto_stopped: false,
    attempts_left: left,
    change_deadline: null,
    reschedules_used: 2,
  });
  task.actions = actionsOf(task);
  world.tasks.set(task.id, task);
  return task;
}

// spec: 10.1.07
it('offers one more reschedule if the allowed ones are used, and starts once it is allowed', async () => {
  const { world, calls } = backend();
  const task = usedUp(world, 3);
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: t('condition.allowMore') }));
  expect(screen.queryByRole('button', { name: t('task.start') }), 'one button for one thing').toBeNull();
  const dialog = within(await screen.findByRole('dialog', { name: t('more.title') }));
  expect(dialog.getByText(t('more.usedOf', { used: 2, allowed: 2 }))).toBeTruthy();
  expect(dialog.getByText(t('more.officialLeft', { count: 3 }))).toBeTruthy();
  expect(dialog.getByText(t('more.priceIncluded'))).toBeTruthy();
  expect(dialog.queryByRole('checkbox'), 'others are left on the official site').toBeNull();
  expect(calls(`/schedules/${task.id}`)).toHaveLength(0);
  fireEvent.click(dialog.getByRole('button', { name: t('more.allow') }));
  await waitFor(() => expect(world.tasks.get(task.id)?.status).toBe('active'));
  expect(world.tasks.get(task.id)?.schedule_config.search_params.max_reschedules).toBe(3);
  expect(calls(`/schedules/${task.id}/start`)).toHaveLength(1);
  await waitFor(() => expect(screen.queryByRole('dialog', { name: t('more.title') })).toBeNull());
});

// spec: 10.1.06
it('requires consent to the last reschedule of the official site before it allows one more', async () => {
  const { world } = backend();
  const task = usedUp(world, 1);
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: t('condition.allowMore') }));
  const dialog = within(await screen.findByRole('dialog', { name: t('more.title') }));
  const allow = dialog.getByRole<HTMLButtonElement>('button', { name: t('more.allow') });
  expect(allow.disabled).toBe(true);
  fireEvent.click(dialog.getByRole('checkbox', { name: t('editor.lastAttempt') }));
  expect(allow.disabled).toBe(false);
  fireEvent.click(allow);
  await waitFor(() => expect(world.tasks.get(task.id)?.status).toBe('active'));
  const { search_params } = world.tasks.get(task.id)?.schedule_config ?? doneTask.schedule_config;
  expect(search_params.last_attempt_until).toBe(search_params.end_date);
});

it('names the fingerprint appointment that the user has now', async () => {
  const { world } = backend();
  const task = usedUp(world, 3);
  for (const one of task.appointments)
    one.fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
  show(<TaskCard task={task} alone onDelete={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: t('condition.allowMore') }));
  const dialog = within(await screen.findByRole('dialog', { name: t('more.title') }));
  expect(dialog.getByText(/^Fingerprints: /)).toBeTruthy();
});

it('links to the criteria, and offers no further reschedule if the official site permits none', async () => {
  const { world } = backend();
  const { unmount } = show(<TaskCard task={usedUp(world, null)} alone onDelete={() => undefined} />);
  fireEvent.click(await screen.findByRole('button', { name: t('condition.allowMore') }));
  const dialog = within(await screen.findByRole('dialog', { name: t('more.title') }));
  expect(dialog.getByText(t('more.officialUnknown'))).toBeTruthy();
  fireEvent.click(dialog.getByRole('button', { name: t('more.conditions') }));
  expect(await screen.findByRole('dialog', { name: t('editor.title') })).toBeTruthy();
  expect(screen.queryByRole('dialog', { name: t('more.title') })).toBeNull();
  unmount();
  const none = usedUp(world, 0);
  const { unmount: close } = show(<TaskCard task={none} alone onDelete={() => undefined} />);
  expect((await screen.findAllByText(t('condition.noneLeftText')))[0]).toBeTruthy();
  expect(screen.queryByRole('button', { name: t('condition.allowMore') })).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>('button', { name: t('task.start') }).disabled).toBe(true);
  close();
  // The server counts with an assumed limit, which the page must not present as the site's.
  show(<TaskCard task={{ ...none, attempts_left: null }} alone onDelete={() => undefined} />);
  expect((await screen.findAllByText(t('condition.noneCountedText')))[0]).toBeTruthy();
  expect(screen.queryByText(t('condition.noneLeftText'))).toBeNull();
  expect(capability({ ...none, attempts_left: null }, 'start').why).toBe('cap.none_counted');
  expect(capability(none, 'start').why).toBe('cap.none_left');
});
