import { describe, expect, it } from 'vitest';
import { doneTask, stateTasks, task } from '../../../mock/story.ts';
import { belongs } from '../../shared/api/taskList.ts';
import type { BookingMode, PollWait, Task } from '../../shared/api/types.ts';
import { offeredMove } from './capabilities.ts';
import { conditionView, silenceCause } from './condition.ts';
import { earlierDates, expiryBand, progressOf, statusView } from './taskView.ts';

const byId = (id: string) => stateTasks.find((one) => one.id === id) ?? task({ id });

const NOW = Date.parse('2026-11-24T21:43:00Z');

describe('the condition line', () => {
  it.each([
    ['0193-first', 'proc', 'condition.first', 'stop'],
    ['0193-paused', 'off', 'condition.byUser', 'start'],
    ['0193-rejected', 'err', 'condition.rejected', 'start'],
    ['0193-unknown', 'on', 'condition.unconfirmed', 'stop'],
    ['0193-quiet', 'on', 'condition.restricted', 'stop'],
  ])('%s', (id, tone, title, move) => {
    const one = byId(id);
    expect([statusView(one).tone, conditionView(one, NOW).title, offeredMove(one)]).toEqual([tone, title, move]);
  });

  it.each([
    ['fingerprints_differ', 'condition.fingerprintsDiffer'],
    ['booking_unconfirmed', 'condition.manual'],
    ['form_asks_fingerprints', 'condition.formFingerprints'],
  ] as const)('shows %s as an error that no button of the user solves', (status_reason, title) => {
    const one = task({ id: 'a', status: 'error', status_reason });
    expect(conditionView(one, NOW)).toMatchObject({ tone: 'err', title, detail: `${title}Text`, action: null, nextAt: null });
  });

  it('shows a task as done after all permitted reschedules, but not a task that booked nothing', () => {
    const used = { id: 'a', status: 'stopped', status_reason: 'reschedules_used' };
    const won = task({ ...used, success_history: doneTask.success_history });
    expect([statusView(won).label, statusView(won).tone, conditionView(won, NOW).title]).toEqual([
      'task.completed',
      'done',
      'condition.allDone',
    ]);
    expect(belongs('done', won)).toBe(true);
    const none = task({ ...used, success_history: [] });
    expect([statusView(none).label, conditionView(none, NOW).title]).toEqual(['task.paused', 'condition.reschedulesUsed']);
  });

  it.each([
    [{ allowed: false, reason: 'reschedules_used' }, 'allowMore'],
    [{ allowed: true, reason: null }, 'keepLooking'],
    [{ allowed: false, reason: 'none_left' }, null],
  ] as const)('offers the action that continues an ended search (%o)', (start, action) => {
    for (const status_reason of ['auto_stop', 'reschedules_used'] as const) {
      const auto_stopped = status_reason === 'auto_stop';
      const won = task({ id: 'a', status: 'stopped', status_reason, auto_stopped, success_history: doneTask.success_history });
      expect(conditionView({ ...won, actions: { ...won.actions, start } }, NOW).action).toBe(action);
    }
  });

  it('states that a task without a check waits while its account must not be polled', () => {
    const waiting = { ...byId('0193-limit') };
    waiting.engine = { ...waiting.engine, checks: 0 };
    expect(conditionView(waiting, NOW).title).toBe('condition.turn');
    waiting.engine.checks = 3;
    expect(conditionView(waiting, NOW)).toMatchObject({ title: 'condition.hourLimit', titleReplacesCountdown: true });
  });

  it('shows a used limit only together with the time of the next check', () => {
    const used = byId('0193-limit');
    const view = (reason: PollWait | null, next_check_at: string | null) => {
      const verdict = { ...used.engine.verdict, reason };
      return conditionView({ ...used, engine: { ...used.engine, next_check_at, verdict } }, NOW).title;
    };
    const next = new Date(NOW + 34 * 60_000).toISOString();
    expect(view('ten_hour_limit', next)).toBe('condition.tenHourLimit');
    expect(view('request_limit', next)).toBe('condition.requestLimit');
    expect(view('hour_limit', null)).toBe('condition.budget');
    expect(view(null, next)).toBe('condition.budget');
  });

  it('shows since when and why there are no checks, by the reason of the next check, else by the problem of the engine', () => {
    const silent = byId('0193-silent');
    expect(conditionView(silent, NOW)).toMatchObject({ title: 'condition.silent', tone: 'warn' });
    const cause = (reason: PollWait | null, engine_says: string | null) => {
      const verdict = { ...silent.engine.verdict, reason, evidence: { engine_says } };
      return silenceCause({ ...silent, engine: { ...silent.engine, verdict } });
    };
    expect(cause('operator_pause', 'portal_down')).toBe('because.operatorPause');
    expect(cause(null, 'portal_down')).toBe('because.portalDown');
    expect(cause(null, 'watching')).toBe('because.unknown');
  });

  it('shows an open question until its deadline', () => {
    const one = task({ id: 'a' });
    const until = new Date(NOW + 90_000).toISOString();
    const evidence = { ...one.engine.verdict.evidence, asked: { date: '2027-01-12', facility: 'Ottawa', until } };
    const asking = { ...one, engine: { ...one.engine, verdict: { ...one.engine.verdict, code: 'watching', evidence } } };
    expect(conditionView(asking, NOW)).toMatchObject({
      title: 'condition.asked',
      tone: 'warn',
      nextAt: until,
      awaitsApproval: true,
    });
    expect(conditionView(asking, NOW + 90_000)).toMatchObject({ title: 'condition.watching', awaitsApproval: false });
    asking.engine.verdict.code = 'restricted_hours';
    expect(conditionView(asking, NOW).title, 'whatever the account is shown meanwhile').toBe('condition.asked');
  });

  it('offers to update a rejected password', () => {
    expect(conditionView(byId('0193-rejected'), NOW).action).toBe('updatePassword');
  });

  it('counts down only while a task runs', () => {
    expect(conditionView(byId('0193-paused'), NOW).nextAt).toBeNull();
    expect(conditionView(task({ id: 'a' }), NOW).nextAt).not.toBeNull();
  });

  // spec: 4.2.02
  it('shows an unknown status as an error, and an unknown condition as watching', () => {
    expect(statusView(task({ id: 'a', status: 'vanished' })).tone).toBe('err');
    const odd = task({ id: 'a' });
    expect(
      conditionView({ ...odd, engine: { ...odd.engine, verdict: { ...odd.engine.verdict, code: 'new_code' } } }, NOW).title,
    ).toBe('condition.watching');
  });

  it('computes the earlier dates from the gain of each booking', () => {
    const dates = earlierDates(doneTask);
    expect(dates).toHaveLength(2);
    expect([...dates].sort().reverse()).toEqual(dates);
  });
});

// spec: 2.7.28
it('names every status of the dashboard', () => {
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

describe('a suitable date', () => {
  const listed = (booking_mode: BookingMode, seen: Partial<Task['seen_dates'][number]> = {}) => {
    const one = task({ id: 'a' });
    const toronto = one.engine.cities.find(({ facility }) => facility === 'Toronto');
    if (!toronto?.earliest_listed) throw new Error('the story lists nothing in Toronto');
    one.schedule_config = { ...one.schedule_config, booking_mode };
    const first = { date: toronto.earliest_listed, facility: 'Toronto', wanted: true, last_seen_at: toronto.listed_at ?? '' };
    one.seen_dates = [{ ...first, ...seen }];
    return one;
  };

  it.each([
    ['ask', 'warn', 'condition.listedAsk'],
    ['auto', 'ok', 'condition.listedText'],
    ['notify', 'ok', 'condition.listedNotify'],
  ] as const)('is shown while the portal lists it, in mode %s', (mode, tone, detail) => {
    expect(conditionView(listed(mode), NOW)).toMatchObject({ tone, title: 'condition.listed', detail });
  });

  it('asks first until the portal’s form was read once, even in automatic mode', () => {
    const one = listed('auto');
    one.schedule_config = { ...one.schedule_config, asks_first_for_now: true };
    expect(conditionView(one, NOW)).toMatchObject({ tone: 'warn', detail: 'condition.listedAsk' });
  });

  it.each([
    ['is not wanted', { wanted: false }],
    ['is before the earliest of the last list', { date: '2026-12-01' }],
    ['was not on the last list', { date: '2029-12-01', last_seen_at: '2026-01-01T00:00:00Z' }],
    ['is of a city that is not watched', { facility: 'Halifax' }],
  ])('is not shown if it %s', (_, seen) => {
    expect(conditionView(listed('ask', seen), NOW).title).toBe('condition.watching');
  });

  it('needs the user only while its question is open', () => {
    const one = listed('ask');
    const until = '2026-11-24T21:45:00Z';
    one.engine.verdict.evidence = { ...one.engine.verdict.evidence, asked: { date: '2027-02-09', facility: 'Toronto', until } };
    expect([statusView(one, NOW).label, conditionView(one, NOW).title]).toEqual(['task.asksYou', 'condition.asked']);
    const later = Date.parse(until);
    expect([statusView(one, later).label, conditionView(one, later).title]).toEqual(['task.monitoring', 'condition.listed']);
  });
});
