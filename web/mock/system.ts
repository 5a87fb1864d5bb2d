import type { PortalHour, SystemStatus } from '../src/api/types.ts';
import { type Answer, ok, type World } from './handler.ts';
import { ago } from './story.ts';

const HOUR_MS = 3_600_000;

function hours(): PortalHour[] {
  const first = Math.floor(Date.now() / HOUR_MS) - 23;
  return Array.from({ length: 24 }, (_, n): PortalHour => {
    const hour = new Date((first + n) * HOUR_MS).toISOString();
    if (n === 7) return { hour, state: 'slow', looks: 5, failures: 2 };
    if (n === 11 || n === 12) return { hour, state: 'none', looks: 0, failures: 0 };
    return { hour, state: 'ok', looks: 6, failures: 0 };
  });
}

/** GET /status of the fake backend. */
export function system(world: World): Answer {
  const status: SystemStatus = {
    portal: { state: 'ok', last_answer_at: ago(1), latency_ms: 1_200, hours: hours() },
    engine: { active: true, last_look_at: ago(2), looks_last_hour: 42, next_look_at: ago(-4) },
    delivery: { mail: 'ok', waiting: 0, delivered_day: 3 },
    demo: world.email.startsWith('rich'),
    currency: 'CAD',
  };
  return ok(status);
}

/** GET /stats of the fake backend. */
export function stats(world: World): Answer {
  const all = [...world.tasks.values()];
  const won = all.filter((entry) => entry.success_history.length > 0);
  const gains = won.flatMap((entry) => entry.success_history.map((success) => success.daysAdvanced ?? 0));
  return ok({
    checks_total: all.length ? 2061 : 0,
    checks_today: all.length ? 42 : 0,
    days_saved: gains.reduce((sum, days) => sum + days, 0),
    most_days_saved: gains.length ? Math.max(...gains) : null,
    success_rate: all.length ? won.length / all.length : null,
    active: all.filter((entry) => ['active', 'processing', 'submitted'].includes(entry.status)).length,
    completed: all.filter((entry) => entry.status === 'stopped' && entry.auto_stopped).length,
    tasks_submitted: all.length,
    tasks_succeeded: won.length,
    attempts: gains.length ? gains.length + 1 : 0,
    booked: gains.length,
  });
}
