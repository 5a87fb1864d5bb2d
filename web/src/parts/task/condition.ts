import {
  Activity,
  ArrowLeftRight,
  CalendarCheck,
  CircleCheck,
  CircleX,
  Clock,
  EyeOff,
  Gauge,
  Lock,
  type LucideIcon,
  MailQuestion,
  Pause,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { BookingMode, PollWait, Task } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { lapsedQuestion, lapseInLastList } from './lapse.ts';
import { listedWanted } from './lastList.ts';
import { pendingApproval } from './pendingApproval.ts';
import { isSameQuestion, modeNow, openQuestion } from './question.ts';

/** Tone of the condition line. `won` has a solid background. */
type ConditionTone = 'ok' | 'won' | 'quiet' | 'warn' | 'err';

/** Action of the user that solves the problem, or null. */
export type ConditionAction = MoveAction | 'updatePassword' | 'edit' | 'acceptGroup' | null;

/** Action of the start button. It depends on the reason why the search ended. */
export type MoveAction = 'start' | 'keepLooking' | 'allowMore';

/**
 * Condition of a task for display. Texts are keys of the locale files, and the component inserts
 * the values.
 */
export interface ConditionView {
  tone: ConditionTone;
  icon: LucideIcon;
  title: TextKey;
  detail: TextKey;
  action: ConditionAction;
  /** Time of the next check, or the deadline of a question (RFC 3339), for the countdown. */
  nextAt: string | null;
  /** True if `nextAt` is the deadline of a question. */
  awaitsApproval: boolean;
  /**
   * True if a closed card shows the title in place of the countdown. The title then contains the
   * time of the next check, or reports a booking in progress.
   */
  titleReplacesCountdown: boolean;
}

/** Statuses that count as running. */
export const RUNNING = ['submitted', 'processing', 'active'];

type Row = [ConditionTone, LucideIcon, TextKey, TextKey, ConditionAction?];

const errorRows: Record<string, Row> = {
  credentials_rejected: ['err', CircleX, 'condition.rejected', 'condition.rejectedText', 'updatePassword'],
  credentials_removed: ['quiet', Lock, 'condition.removed', 'condition.removedText'],
  account_locked: ['err', Lock, 'condition.locked', 'condition.lockedText', 'start'],
  captcha: ['err', TriangleAlert, 'condition.captcha', 'condition.captchaText', 'start'],
  fee_expired: ['err', CircleX, 'condition.feeExpired', 'condition.feeExpiredText'],
  group_gone: ['err', CircleX, 'condition.groupGone', 'condition.groupGoneText'],
  group_changed: ['warn', Users, 'condition.groupChanged', 'condition.groupChangedText', 'acceptGroup'],
  appointment_passed: ['quiet', Clock, 'condition.passed', 'condition.passedText'],
  form_asks_fingerprints: ['err', CircleX, 'condition.formFingerprints', 'condition.formFingerprintsText'],
  city_not_offered: ['err', CircleX, 'condition.cityNotOffered', 'condition.cityNotOfferedText', 'edit'],
  cancelled_outside: ['warn', TriangleAlert, 'condition.cancelledOutside', 'condition.cancelledOutsideText', 'start'],
  booking_unconfirmed: ['err', TriangleAlert, 'condition.manual', 'condition.manualText'],
  fingerprints_differ: ['err', TriangleAlert, 'condition.fingerprintsDiffer', 'condition.fingerprintsDifferText'],
};

const stopRows: Record<string, Row> = {
  by_user: ['quiet', Pause, 'condition.byUser', 'condition.byUserText'],
  range_over: ['quiet', Clock, 'condition.rangeOver', 'condition.rangeOverText', 'edit'],
  reschedules_used: ['quiet', ArrowLeftRight, 'condition.reschedulesUsed', 'condition.reschedulesUsedText'],
  group_changed: errorRows.group_changed as Row,
  released_by_operator: ['warn', TriangleAlert, 'condition.released', 'condition.releasedText'],
  appointment_passed: errorRows.appointment_passed as Row,
  cancelled_outside: errorRows.cancelled_outside as Row,
};

/** Conditions in which the task books nothing more. */
const doneRows: Record<string, Row> = {
  auto_stop: ['won', CalendarCheck, 'condition.allDone', 'condition.autoStopText'],
  reschedules_used: ['won', CalendarCheck, 'condition.allDone', 'condition.allDoneText'],
};

/**
 * Returns the row of an ended search with the action that continues it. If all permitted
 * reschedules are used, the user must permit one more, and the official site must allow it. If the
 * site's number is unknown, the server counts with an assumed one, which the text does not present
 * as the site's.
 */
function endedRow(row: Row, reason: string, { actions: { start }, attempts_left }: Task): Row {
  const [tone, icon, title, detail] = row;
  const used = reason === 'reschedules_used';
  const none = attempts_left === null ? 'condition.noneCountedText' : 'condition.noneLeftText';
  if (start.reason === 'none_left') return [tone, icon, title, used ? none : detail];
  if (start.reason === 'reschedules_used') return [tone, icon, title, detail, 'allowMore'];
  return [tone, icon, title, used && start.allowed ? 'condition.moreAllowedText' : detail, 'keepLooking'];
}

const runningRows: Record<string, Row> = {
  waiting_first_look: ['ok', Gauge, 'condition.first', 'condition.firstText'],
  watching: ['ok', CircleCheck, 'condition.watching', 'condition.watchingText'],
  booking: ['ok', ArrowLeftRight, 'condition.booking', 'condition.bookingText'],
  booked: ['won', CalendarCheck, 'condition.booked', 'condition.bookedText'],
  booking_unconfirmed: ['warn', TriangleAlert, 'condition.unconfirmed', 'condition.unconfirmedText'],
  restricted_hours: ['quiet', Clock, 'condition.restricted', 'condition.restrictedText'],
  cooling_down: ['warn', TriangleAlert, 'condition.cooling', 'condition.coolingText'],
  portal_down: ['quiet', Activity, 'condition.portalDown', 'condition.portalDownText'],
  overloaded: ['quiet', Activity, 'condition.overloaded', 'condition.overloadedText'],
  layout_changed: ['warn', TriangleAlert, 'condition.layout', 'condition.layoutText'],
  captcha: errorRows.captcha as Row,
  locked: errorRows.account_locked as Row,
  credentials_rejected: errorRows.credentials_rejected as Row,
  deadline_passed: ['quiet', Clock, 'condition.deadlinePassed', 'condition.deadlinePassedText'],
  paused: stopRows.by_user as Row,
  budget_rest: ['quiet', Clock, 'condition.budget', 'condition.budgetText'],
  silent: ['warn', EyeOff, 'condition.silent', 'condition.silentText'],
  operator_pause: ['warn', Pause, 'condition.operatorPause', 'condition.operatorPauseText'],
  host_back_off: ['quiet', Activity, 'condition.hostBackOff', 'condition.hostBackOffText'],
};

/**
 * Titles for a used limit, by the reason that delays the next check. Each contains the time of the
 * next check.
 */
const limitTitles: { [wait in PollWait]?: TextKey } = {
  hour_limit: 'condition.hourLimit',
  ten_hour_limit: 'condition.tenHourLimit',
  request_limit: 'condition.requestLimit',
};

/**
 * Texts for the reasons why there are no checks: the reason that delays the next check, or the
 * condition code of the engine.
 */
const causes: Record<string, TextKey> = {
  hour_limit: 'because.hourLimit',
  ten_hour_limit: 'because.tenHourLimit',
  request_limit: 'because.requestLimit',
  account_rest: 'because.accountRest',
  restricted_hours: 'because.restricted',
  host_back_off: 'because.hostBackOff',
  operator_pause: 'because.operatorPause',
  engine_away: 'because.engineAway',
  portal_down: 'because.portalDown',
  overloaded: 'because.overloaded',
  layout_changed: 'because.layout',
};

/** Returns the text for the reason why a task is not checked. */
export function silenceCause({ engine: { verdict } }: Task): TextKey {
  return causes[verdict.reason ?? ''] ?? causes[verdict.evidence?.engine_says ?? ''] ?? 'because.unknown';
}

/** The user was asked to approve a date, and the question is open. */
const askedRow: Row = ['warn', MailQuestion, 'condition.asked', 'condition.askedText'];

/** The user has approved the date, and the engine has not reported a newer state yet. */
const approvedRow: Row = ['ok', ArrowLeftRight, 'condition.answered', 'condition.bookingText'];

/** Rows for a matching date that the portal lists but that is not booked, by the task's mode. */
const listedRows: Record<BookingMode, Row> = {
  auto: ['ok', CircleCheck, 'condition.listed', 'condition.listedText'],
  ask: ['warn', MailQuestion, 'condition.listed', 'condition.listedAsk'],
  notify: ['ok', CircleCheck, 'condition.listed', 'condition.listedNotify'],
};

/** Texts about the date of an unanswered question: in the last list of its city, or not. */
const lapseDetails = { yes: 'condition.lapsedListed', no: 'condition.lapsedGone', unknown: 'condition.lapsedOnly' } as const;

/** Returns the row for an unanswered question of a task without problems, or null. */
function lapsedRow(task: Task): Row | null {
  const lapse = lapsedQuestion(task);
  if (!lapse) return null;
  const last = lapseInLastList(task, lapse);
  const detail = lapseDetails[last ? (last.listed ? 'yes' : 'no') : 'unknown'];
  return ['warn', MailQuestion, 'condition.lapsed', detail];
}

/** The task was never checked, because other tasks have used the budget of its account. */
const turnRow: Row = ['quiet', Clock, 'condition.turn', 'condition.turnText'];

const unknownErrorRow: Row = ['err', TriangleAlert, 'condition.error', 'condition.errorText', 'start'];

function budgetRow({ engine: { checks, next_check_at, verdict } }: Task): Row {
  if (checks === 0) return turnRow;
  const [tone, icon, title, detail] = runningRows.budget_rest as Row;
  return [tone, icon, (next_check_at && verdict.reason && limitTitles[verdict.reason]) || title, detail];
}

function rowFor(task: Task): Row {
  if (task.status === 'error') return errorRows[task.status_reason ?? ''] ?? unknownErrorRow;
  if (task.status === 'stopped') {
    const reason = task.auto_stopped ? 'auto_stop' : (task.status_reason ?? '');
    const row = ((isCompleted(task) && doneRows[reason]) || stopRows[reason] || stopRows.by_user) as Row;
    return reason === 'reschedules_used' || reason === 'auto_stop' ? endedRow(row, reason, task) : row;
  }
  if (!RUNNING.includes(task.status)) return unknownErrorRow;
  if (task.engine.verdict.code === 'budget_rest') return budgetRow(task);
  const row =
    runningRows[task.engine.verdict.code] ?? (task.engine.checks === 0 ? runningRows.waiting_first_look : runningRows.watching);
  if (row !== runningRows.watching) return row as Row;
  return lapsedRow(task) ?? (listedWanted(task) ? listedRows[modeNow(task)] : (row as Row));
}

/** Labels of the start button. */
export const startTexts: Record<MoveAction, TextKey> = {
  start: 'task.start',
  keepLooking: 'condition.keepLooking',
  allowMore: 'condition.allowMore',
};

/** Returns whether the start button performs this action. */
export const isMove = (action: ConditionAction): action is MoveAction => action !== null && action in startTexts;

/** Titles that contain the time of the next check. */
const titlesOfNextCheck = new Set<TextKey>([...Object.values(limitTitles), 'condition.hostBackOff']);

/** Returns the condition of a task for display. */
export function conditionView(task: Task, nowMs: number): ConditionView {
  const question = openQuestion(task, nowMs);
  const approval = pendingApproval(task, nowMs);
  if (approval && RUNNING.includes(task.status) && (!question || isSameQuestion(question, approval))) {
    const [tone, icon, title, detail] = approvedRow;
    return { tone, icon, title, detail, action: null, nextAt: null, awaitsApproval: false, titleReplacesCountdown: true };
  }
  // The server reports a question only while an approval is possible. The question is shown before
  // any other state.
  if (question) {
    const [tone, icon, title, detail] = askedRow;
    return {
      tone,
      icon,
      title,
      detail,
      action: null,
      nextAt: question.until,
      awaitsApproval: true,
      titleReplacesCountdown: false,
    };
  }
  const [tone, icon, title, detail, action = null] = rowFor(task);
  const nextAt = RUNNING.includes(task.status) ? (task.engine.next_check_at ?? task.engine.verdict.next_try_at) : null;
  return {
    tone,
    icon,
    title,
    detail,
    action,
    nextAt,
    awaitsApproval: false,
    titleReplacesCountdown: titlesOfNextCheck.has(title),
  };
}
