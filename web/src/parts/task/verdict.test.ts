import { describe, expect, it } from 'vitest';
import { doneTask, stateTasks, task } from '../../../mock/story.ts';
import { belongs } from '../../shared/api/taskList.ts';
import type { LookBudget } from '../../shared/api/types.ts';
import { offeredMove } from './capabilities.ts';
import { earlierDates, expiryBand, progressOf, statusView } from './taskView.ts';
import { verdictView } from './verdict.ts';

const byId = (id: string) => stateTasks.find((one) => one.id === id) ?? task({ id });

describe('what a card says', () => {
  it.each([
    ['0193-first', 'proc', 'verdict.first', 'stop'],
    ['0193-paused', 'off', 'verdict.byUser', 'start'],
    ['0193-rejected', 'err', 'verdict.rejected', 'start'],
    ['0193-unknown', 'on', 'verdict.unconfirmed', 'stop'],
    ['0193-quiet', 'on', 'verdict.restricted', 'stop'],
  ])('%s', (id, tone, title, move) => {
    const one = byId(id);
    expect([statusView(one).tone, verdictView(one).title, offeredMove(one)]).toEqual([tone, title, move]);
  });

  it('calls a task done that has used the reschedules it was allowed, and not one that booked nothing', () => {
    const used = { id: 'a', status: 'stopped', status_reason: 'reschedules_used' };
    const won = task({ ...used, success_history: doneTask.success_history });
    expect([statusView(won).label, statusView(won).tone, verdictView(won).title]).toEqual([
      'task.completed',
      'done',
      'verdict.allDone',
    ]);
    expect(belongs.done(won)).toBe(true);
    const none = task({ ...used, success_history: [] });
    expect([statusView(none).label, verdictView(none).title]).toEqual(['task.paused', 'verdict.reschedulesUsed']);
  });

  it('says of a task that was never checked that it waits, while its account may not be asked', () => {
    const waiting = task({ id: 'a' });
    waiting.engine = {
      ...waiting.engine,
      checks: 0,
      looks: { ...(waiting.engine.looks as LookBudget), hour_used: 6, hour_limit: 6 },
    };
    expect(verdictView(waiting).title).toBe('verdict.turn');
    waiting.engine.checks = 3;
    expect(verdictView(waiting).title).not.toBe('verdict.turn');
  });

  it('offers the one thing that mends a rejected password', () => {
    expect(verdictView(byId('0193-rejected')).action).toBe('updatePassword');
  });

  it('counts down only while something runs', () => {
    expect(verdictView(byId('0193-paused')).nextAt).toBeNull();
    expect(verdictView(task({ id: 'a' })).nextAt).not.toBeNull();
  });

  // spec: 4.2.02
  it('shows a status it does not know as an error, and a verdict it does not know as watching', () => {
    expect(statusView(task({ id: 'a', status: 'vanished' })).tone).toBe('err');
    const odd = task({ id: 'a' });
    expect(verdictView({ ...odd, engine: { ...odd.engine, verdict: { ...odd.engine.verdict, code: 'new_code' } } }).title).toBe(
      'verdict.watching',
    );
  });

  it('finds the dates held before from what each success gained', () => {
    const dates = earlierDates(doneTask);
    expect(dates).toHaveLength(2);
    expect([...dates].sort().reverse()).toEqual(dates);
  });
});

// spec: 2.7.28
it('names every status the dashboard may show', () => {
  const label = (status: string, auto_stopped = false) => statusView(task({ id: 'a', status, auto_stopped })).label;
  expect(['configured', 'active', 'submitted', 'processing', 'stopped'].map((status) => label(status))).toEqual([
    'task.configured',
    'task.monitoring',
    'task.monitoring',
    'task.monitoring',
    'task.paused',
  ]);
  expect(label('stopped', true)).toBe('task.completed');
});

// spec: 4.3.08, 9.34
it('follows the tables of the specification', () => {
  expect(['draft', 'configured', 'submitted', 'processing', 'active', 'stopped', 'error'].map(progressOf)).toEqual([
    15, 30, 50, 75, 100, 100, 0,
  ]);
  expect([-1, 0, 7, 8, 30, 31].map(expiryBand)).toEqual(['expired', 'warning', 'warning', 'caution', 'caution', 'good']);
});
