import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { manyTasks } from '../../../mock/scenes.ts';
import { book } from '../../../mock/tasks.ts';
import { TaskList } from '../../features/dashboard/TaskList.tsx';
import type { ServerEvent } from '../../shared/api/events.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { ListView } from '../../shared/api/taskList.ts';
import type { Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { gatherEvents, LiveUpdates } from './liveUpdates.ts';

const listeners = vi.hoisted(() => new Set<(event: ServerEvent) => void>());
vi.mock('../../shared/api/events.ts', () => ({
  listenForEvents: (onEvent: (event: ServerEvent) => void) => {
    listeners.add(onEvent);
    return () => listeners.delete(onEvent);
  },
}));

vi.mock('./TaskCard.tsx', async () => ({
  TaskCard: (await import('../../../mock/lightCard.tsx')).LightCard,
}));

const emit = (event: ServerEvent) => act(() => [...listeners].map((teller) => teller(event)));
const changed = (id: string, deleted = false) => emit({ kind: 'task', id, deleted });

function Live({ view }: { view: ListView }) {
  return (
    <>
      <TaskList view={view} onView={() => undefined} />
      <LiveUpdates />
    </>
  );
}

const headings = () => [...document.querySelectorAll('article h3')].map((heading) => heading.textContent);
const cardOf = (id: string) => document.getElementById(`task-${id}`);

async function open(view: ListView, howMany = 25) {
  const backend = fakeBackend('empty@example.com');
  for (const one of manyTasks(howMany)) backend.world.tasks.set(one.id, structuredClone(one));
  const { router } = renderAt(<Live view={view} />);
  await waitFor(() => expect(headings().length).toBeGreaterThan(0));
  const change = (id: string, over: Partial<Task>) => {
    const one = backend.world.tasks.get(id) as Task;
    Object.assign(one, over, { version: one.version + 1 });
  };
  const calls = (text: string) => backend.sent.filter((call) => call.startsWith(text)).length;
  return { ...backend, change, calls, router };
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 300_000 } });
  streamState.set('live');
});

afterEach(() => {
  toastManager.close();
  cleanup();
  vi.unstubAllGlobals();
});

describe('live updates', () => {
  it('change a card on the second page after requesting only its task', async () => {
    const { change, calls } = await open({ filter: 'all', order: 'submitted', page: 2 });
    const lists = calls('GET /schedules?');
    change('0193-0022', { status: 'stopped', status_reason: 'by_user' });
    changed('0193-0022');
    await waitFor(() => expect(cardOf('0193-0022')?.textContent).toContain(i18next.t('task.paused')));
    expect(cardOf('0193-0022')?.dataset.highlighted).toBe('true');
    expect([calls('GET /schedules/0193-0022/status'), calls('GET /schedules?')]).toEqual([1, lists]);
  });

  it('remove a task from the list of monitored tasks when it is no longer monitored', async () => {
    const { change } = await open({ filter: 'running', order: 'submitted', page: 1 }, 6);
    expect(cardOf('0193-0001')).not.toBeNull();
    change('0193-0001', { status: 'stopped', status_reason: 'by_user' });
    changed('0193-0001');
    await waitFor(() => expect(cardOf('0193-0001')).toBeNull());
  });

  it('add a task that was started elsewhere', async () => {
    const { world } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    const fresh = manyTasks(3)[2] as Task;
    world.tasks.set(fresh.id, fresh);
    changed(fresh.id);
    await waitFor(() => expect(cardOf(fresh.id)).not.toBeNull());
  });

  it('add a task that changes soon after another unlisted one, because it may ask the user', async () => {
    const { world } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    const [, , soon, later] = manyTasks(4) as [Task, Task, Task, Task];
    world.tasks.set(soon.id, soon);
    changed(soon.id);
    await waitFor(() => expect(cardOf(soon.id)).not.toBeNull());
    world.tasks.set(later.id, later);
    changed(later.id);
    await waitFor(() => expect(cardOf(later.id)).not.toBeNull(), { timeout: 8_000 });
  });

  it('remove a task that was deleted in another window, show the next task, and report it', async () => {
    const { world } = await open({ filter: 'all', order: 'submitted', page: 1 }, 21);
    expect(cardOf('0193-0021')).toBeNull();
    world.tasks.delete('0193-0003');
    changed('0193-0003', true);
    await waitFor(() => expect(cardOf('0193-0003')).toBeNull());
    await waitFor(() => expect(cardOf('0193-0021')).not.toBeNull());
    expect(screen.getByText(i18next.t('toast.deletedElsewhere'))).toBeTruthy();
  });

  it('announce a booking, highlight its card, and reload the balance', async () => {
    const { world, calls } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    book(world, '0193-0001');
    changed('0193-0001');
    emit({ kind: 'credit' });
    expect(await screen.findByText(/^Booked: Ottawa /)).toBeTruthy();
    expect(cardOf('0193-0001')?.dataset.highlighted).toBe('true');
    expect(cardOf('0193-0001')?.textContent).toContain(i18next.t('task.captured'));
    expect(calls('GET /schedules/0193-0001/status')).toBe(1);
  });

  it('link from the announcement of a booking to its task', async () => {
    const { world, router } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    book(world, '0193-0001');
    changed('0193-0001');
    await screen.findByText(/^Booked: Ottawa /);
    fireEvent.click(screen.getByRole('button', { name: i18next.t('toast.view') }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/schedule/0193-0001'));
  });

  it('announce a booking once, although two requests for its task find it', async () => {
    const { world } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    const booked: string[] = [];
    const gathered = gatherEvents({ onBooked: (task) => booked.push(task.id), onGone: () => undefined });
    book(world, '0193-0001');
    const slow = globalThis.fetch;
    const waiting: (() => void)[] = [];
    vi.stubGlobal('fetch', async (...args: Parameters<typeof fetch>) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return slow(...args);
    });
    gathered.add({ kind: 'task', id: '0193-0001', deleted: false });
    await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
    const before = waiting.length;
    gathered.add({ kind: 'task', id: '0193-0001', deleted: false });
    await waitFor(() => expect(waiting.length).toBeGreaterThan(before));
    for (const go of waiting) go();
    await waitFor(() => expect(booked).toEqual(['0193-0001']));
    gathered.stop();
  });

  it('request the list once for many changes, and still announce a booking among them', async () => {
    const { world, calls } = await open({ filter: 'all', order: 'submitted', page: 1 }, 20);
    const lists = calls('GET /schedules?');
    book(world, '0193-0002');
    for (const id of [...world.tasks.keys()].slice(0, 12)) changed(id);
    expect(await screen.findByText(/^Booked: Ottawa /)).toBeTruthy();
    expect(calls('GET /schedules?')).toBe(lists + 1);
    expect(calls('GET /schedules/0193')).toBe(0);
  });

  it('do not reload the balance at the start of the stream, unless it has changed', async () => {
    const { calls } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    const credit = queries.credit();
    const first = await queryClient.fetchQuery(credit);
    const isStale = () => queryClient.getQueryState(credit.queryKey)?.isInvalidated;
    emit({ kind: 'connected', resumed: true });
    emit({ kind: 'credit', ...first });
    changed('0193-0001');
    await waitFor(() => expect(calls('GET /schedules/0193-0001/status')).toBe(1));
    expect(isStale()).toBe(false);
    emit({ kind: 'credit', ...first, credit: first.credit + 5 });
    await waitFor(() => expect(isStale()).toBe(true));
    // The balance was reloaded without its movements, which may therefore be older.
    const again = await queryClient.fetchQuery(credit);
    expect(isStale()).toBe(false);
    emit({ kind: 'credit', ...again });
    await waitFor(() => expect(isStale()).toBe(true));
  });

  it('reload everything if events may have been missed, and nothing after a resumed connection', async () => {
    const { change, calls } = await open({ filter: 'all', order: 'submitted', page: 1 }, 2);
    const lists = calls('GET /schedules?');
    change('0193-0002', { status: 'error', status_reason: 'account_locked' });
    emit({ kind: 'connected', resumed: true });
    changed('0193-0001');
    await waitFor(() => expect(calls('GET /schedules/0193-0001/status')).toBe(1));
    expect(calls('GET /schedules?')).toBe(lists);
    emit({ kind: 'connected', resumed: false });
    await waitFor(() => expect(cardOf('0193-0002')?.textContent).toContain(i18next.t('task.needsYou')));
  });
});
