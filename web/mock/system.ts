import type { PortalDay, PortalHour, Stats, StatusHistory, SystemStatus } from '../src/shared/api/types.ts';
import { addDays, civilToday } from '../src/shared/format/dates.ts';
import { type Handlers, ok } from './api.ts';
import { ago } from './story.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;
const DAYS = 90;
/** Number of days without records, before the first one. */
const UNRECORDED_DAYS = 22;

function hourAt(hoursAgo: number): string {
  return new Date((Math.floor(Date.now() / HOUR_MS) - hoursAgo) * HOUR_MS).toISOString();
}

function hours(): PortalHour[] {
  return Array.from({ length: 24 }, (_, n): PortalHour => {
    const hour = hourAt(23 - n);
    if (n === 7) return { hour, state: 'slow', looks: 5, failures: 2, latency_ms: 3_400 };
    if (n === 11 || n === 12) return { hour, state: 'none', looks: 0, failures: 0, latency_ms: null };
    return { hour, state: 'ok', looks: 6, failures: 0, latency_ms: 900 + ((n * 137) % 500) };
  });
}

/**
 * Returns the status of the system. For addresses that begin with quiet, there was never a poll.
 */
export function statusOf(world: World): SystemStatus {
  const never = world.email.startsWith('quiet');
  const none = (hour: PortalHour): PortalHour => ({ ...hour, state: 'none', looks: 0, failures: 0, latency_ms: null });
  return {
    at: ago(0),
    portal: {
      state: never ? 'unknown' : 'ok',
      since: null,
      last_answer_at: never ? null : ago(1),
      latency_ms: never ? null : 1_200,
      hours: never ? hours().map(none) : hours(),
    },
    engine: {
      active: true,
      last_look_at: never ? null : ago(2),
      next_look_at: never ? null : ago(-4),
      paused_since: null,
    },
    delivery: { mail: 'ok', waiting: 0, failing: 0, waiting_seconds: null, delivered_day: 3 },
    demo: world.email.startsWith('rich'),
    currency: 'CAD',
  };
}

function days(): PortalDay[] {
  const today = civilToday(Date.now());
  return Array.from({ length: DAYS }, (_, n): PortalDay => {
    const day = addDays(today, n - DAYS + 1);
    if (n < UNRECORDED_DAYS) return { day, state: 'none', looks: 0, failures: 0, latency_ms: null, bad_hours: 0 };
    if (n === 84) return { day, state: 'down', looks: 102, failures: 37, latency_ms: 1_900, bad_hours: 5 };
    if (n === 40 || n === 89) return { day, state: 'slow', looks: 131, failures: 4, latency_ms: 2_700, bad_hours: 2 };
    return { day, state: 'ok', looks: 120 + ((n * 31) % 25), failures: n % 9 === 0 ? 1 : 0, latency_ms: 1_100, bad_hours: 0 };
  });
}

export function historyOf(world: World): StatusHistory {
  const never = world.email.startsWith('quiet');
  return {
    at: ago(0),
    days: never
      ? days().map((day) => ({ ...day, state: 'none', looks: 0, failures: 0, latency_ms: null, bad_hours: 0 }))
      : days(),
    incidents: never
      ? []
      : [
          { begins: hourAt(16), ends: hourAt(15), state: 'slow', looks: 5, failures: 2, latency_ms: 3_400 },
          { begins: hourAt(132), ends: hourAt(127), state: 'down', looks: 9, failures: 37, latency_ms: 2_900 },
        ],
    // Uses the calendar, because days may have 23 or 25 hours.
    recorded_since: never ? null : `${days()[UNRECORDED_DAYS]?.day}T16:00:00Z`,
    watching: !never,
    overdue_seconds: null,
  };
}

function statsOf(world: World): Stats {
  const all = [...world.tasks.values()];
  const won = all.filter((entry) => entry.success_history.length > 0);
  const gains = won.flatMap((entry) => entry.success_history.map((success) => success.daysAdvanced ?? 0));
  return {
    checks_total: all.length ? 2061 : 0,
    checks_today: all.length ? 42 : 0,
    days_saved: gains.reduce((sum, days) => sum + days, 0),
    most_days_saved: gains.length ? Math.max(...gains) : null,
    success_rate: gains.length ? gains.length / (gains.length + 1) : null,
    active: all.filter((entry) => ['active', 'processing', 'submitted'].includes(entry.status)).length,
    tasks_submitted: all.length,
    tasks_succeeded: won.length,
    attempts: gains.length ? gains.length + 1 : 0,
    booked: gains.length,
  };
}

/** Handlers of the status page and the statistics. */
export const system: Handlers = {
  'GET /status': ({ world }) => ok(statusOf(world)),
  'GET /status/history': ({ world }) => ok(historyOf(world)),
  'GET /stats': ({ world }) => ok(statsOf(world)),
};
