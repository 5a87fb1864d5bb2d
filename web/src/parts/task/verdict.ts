import {
  Activity,
  ArrowLeftRight,
  CalendarCheck,
  CircleCheck,
  CircleX,
  Clock,
  Gauge,
  Lock,
  type LucideIcon,
  Pause,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { LookBudget, Task } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** Tones of the verdict line; `won` is the solid one. */
type VerdictTone = 'ok' | 'won' | 'quiet' | 'warn' | 'err';

/** The one thing a person can do about it, where there is one. */
export type VerdictAction = 'updatePassword' | 'start' | 'edit' | 'acceptGroup' | null;

/** A conclusion with its evidence: keys of the locale files; the values are filled in by the component. */
export interface VerdictView {
  tone: VerdictTone;
  icon: LucideIcon;
  title: Words;
  detail: Words;
  action: VerdictAction;
  /** When the next try is due (RFC 3339), for the ring. */
  nextAt: string | null;
}

/** Statuses shown as running. */
export const RUNNING = ['submitted', 'processing', 'active'];

type Row = [VerdictTone, LucideIcon, Words, Words, VerdictAction?];

const errors: Record<string, Row> = {
  credentials_rejected: ['err', CircleX, 'verdict.rejected', 'verdict.rejectedText', 'updatePassword'],
  credentials_removed: ['quiet', Lock, 'verdict.removed', 'verdict.removedText'],
  account_locked: ['err', Lock, 'verdict.locked', 'verdict.lockedText', 'start'],
  captcha: ['err', TriangleAlert, 'verdict.captcha', 'verdict.captchaText', 'start'],
  fee_expired: ['err', CircleX, 'verdict.feeExpired', 'verdict.feeExpiredText'],
  group_gone: ['err', CircleX, 'verdict.groupGone', 'verdict.groupGoneText'],
  group_changed: ['warn', Users, 'verdict.groupChanged', 'verdict.groupChangedText', 'acceptGroup'],
  appointment_passed: ['quiet', Clock, 'verdict.passed', 'verdict.passedText'],
  form_asks_fingerprints: ['err', CircleX, 'verdict.formFingerprints', 'verdict.formFingerprintsText'],
  city_not_offered: ['err', CircleX, 'verdict.cityNotOffered', 'verdict.cityNotOfferedText', 'edit'],
  cancelled_outside: ['warn', TriangleAlert, 'verdict.cancelledOutside', 'verdict.cancelledOutsideText', 'start'],
  booking_unconfirmed: ['err', TriangleAlert, 'verdict.manual', 'verdict.manualText'],
};

const stops: Record<string, Row> = {
  by_user: ['quiet', Pause, 'verdict.byUser', 'verdict.byUserText'],
  auto_stop: ['ok', CalendarCheck, 'verdict.autoStop', 'verdict.autoStopText'],
  range_over: ['quiet', Clock, 'verdict.rangeOver', 'verdict.rangeOverText', 'edit'],
  reschedules_used: ['quiet', ArrowLeftRight, 'verdict.reschedulesUsed', 'verdict.reschedulesUsedText', 'edit'],
  group_changed: errors.group_changed as Row,
  released_by_operator: ['warn', TriangleAlert, 'verdict.released', 'verdict.releasedText'],
  appointment_passed: errors.appointment_passed as Row,
  cancelled_outside: errors.cancelled_outside as Row,
};

/** The reschedules that were allowed are used, and an earlier date is booked. */
const allDone: Row = ['won', CalendarCheck, 'verdict.allDone', 'verdict.reschedulesUsedText', 'edit'];

const running: Record<string, Row> = {
  waiting_first_look: ['ok', Gauge, 'verdict.first', 'verdict.firstText'],
  watching: ['ok', CircleCheck, 'verdict.watching', 'verdict.watchingText'],
  booking: ['ok', ArrowLeftRight, 'verdict.booking', 'verdict.bookingText'],
  booked: ['won', CalendarCheck, 'verdict.booked', 'verdict.bookedText'],
  booking_unconfirmed: ['warn', TriangleAlert, 'verdict.unconfirmed', 'verdict.unconfirmedText'],
  restricted_hours: ['quiet', Clock, 'verdict.restricted', 'verdict.restrictedText'],
  cooling_down: ['warn', TriangleAlert, 'verdict.cooling', 'verdict.coolingText'],
  portal_down: ['quiet', Activity, 'verdict.portalDown', 'verdict.portalDownText'],
  overloaded: ['quiet', Activity, 'verdict.overloaded', 'verdict.overloadedText'],
  layout_changed: ['warn', TriangleAlert, 'verdict.layout', 'verdict.layoutText'],
  captcha: errors.captcha as Row,
  locked: errors.account_locked as Row,
  credentials_rejected: errors.credentials_rejected as Row,
  deadline_passed: ['quiet', Clock, 'verdict.deadlinePassed', 'verdict.deadlinePassedText'],
  paused: stops.by_user as Row,
  budget_rest: ['quiet', Clock, 'verdict.budget', 'verdict.budgetText'],
};

/** Never checked yet, and other tasks have used what its account may be asked. */
const turn: Row = ['quiet', Clock, 'verdict.turn', 'verdict.turnText'];

const unknownError: Row = ['err', TriangleAlert, 'verdict.error', 'verdict.errorText', 'start'];

const isUsedUp = (looks: LookBudget | null) =>
  looks !== null && (looks.hour_used >= looks.hour_limit || looks.ten_hours_used >= looks.ten_hours_limit);

function rowFor(task: Task): Row {
  if (task.status === 'error') return errors[task.status_reason ?? ''] ?? unknownError;
  if (task.status === 'stopped') {
    if (task.status_reason === 'reschedules_used' && isCompleted(task)) return allDone;
    if (task.status_reason && stops[task.status_reason]) return stops[task.status_reason] as Row;
    return (task.auto_stopped ? stops.auto_stop : stops.by_user) as Row;
  }
  if (!RUNNING.includes(task.status)) return unknownError;
  if (task.engine.checks === 0 && isUsedUp(task.engine.looks)) return turn;
  const row = running[task.engine.verdict.code];
  if (row) return row;
  return (task.engine.checks === 0 ? running.waiting_first_look : running.watching) as Row;
}

/** What the verdict line says about a task. */
export function verdictView(task: Task): VerdictView {
  const [tone, icon, title, detail, action = null] = rowFor(task);
  const nextAt = RUNNING.includes(task.status) ? (task.engine.next_check_at ?? task.engine.verdict.next_try_at) : null;
  return { tone, icon, title, detail, action, nextAt };
}
