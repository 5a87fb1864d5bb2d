import type { components, operations } from './schema.ts';

export type Schemas = components['schemas'];

/** Evidence of a condition. Its code decides which parts exist. */
interface Evidence {
  /** The earliest date of the last lists of the task's cities, and when that list was read. */
  earliest_listed?: { date: string; facility: string; at: string | null } | null;
  cities_seen?: number | null;
  /** The condition that the engine wrote, if the row shows another. */
  engine_says?: string | null;
  days_after_window?: number | null;
  target?: { date: string; time: string | null; facility: string } | null;
  /** The day of the task's latest question, and the deadline of an approval (RFC 3339). */
  asked?: { date: string; facility: string; until: string } | null;
  /** Minutes between this account's empty poll and days shown to another account, or null. */
  others_saw_minutes?: number | null;
}

type WireTask = Schemas['TaskView'];

export type User = Schemas['UserView'];
export type LoginAnswer = Schemas['SignedIn'];
export type RefreshAnswer = Schemas['Tokens'];
export type Credit = Schemas['Credit'];
export type TopupResult = Schemas['ToppedUp'];
export type Support = Schemas['Support'];
/** Criteria with every field, as in responses. A request may omit some. */
export type SearchParams = Required<Schemas['SearchParams']>;
export type ExcludedDate = SearchParams['excluded_dates'][number];
export type Appointment = Schemas['AppointmentView'];
export type Verification = Schemas['Verified'];
/** Progress of a verification. `step` counts completed steps, from 0 to `steps`. */
export type VerifyProgress = Schemas['VerifyProgress'];
export type VerifiedGroup = Verification['schedules'][number];
export type VerifiedAppointment = VerifiedGroup['appointments'][number];
/** Action of a task for a day that it accepts. */
export type BookingMode = Schemas['BookingMode'];
/** A day in a task's question, and the question's state. */
export type Question = Schemas['QuestionView'];
export type TaskCondition = Omit<Schemas['VerdictView'], 'evidence'> & { evidence: Evidence | null };
export type SuccessEntry = Schemas['SuccessView'];
/** Actions on a task. The server decides, and returns a stable code for a refusal. */
export type TaskAction = keyof Schemas['ActionsView'];
export type Permission = Schemas['ActionView'];
/** Delays of a task's next check, besides its turn. */
export type PollWait = Schemas['PollWait'];
export type LookBudget = Schemas['LooksView'];
/** Result of a check without booking. */
export type PathChecked = Schemas['PathChecked'];
/** A visible task. It is configured, so it has criteria. */
export type Task = Omit<WireTask, 'engine' | 'schedule_config'> & {
  engine: Omit<WireTask['engine'], 'verdict'> & { verdict: TaskCondition };
  schedule_config: Omit<WireTask['schedule_config'], 'search_params'> & { search_params: SearchParams };
};
/**
 * The server lists tasks without criteria only if drafts are requested, which this app never does.
 */
export const asTask = (view: Schemas['TaskView']) => view as Task;
/** The dashboard list of a task. */
export type TaskStage = Schemas['TaskStage'];
/** The order of a list of tasks. */
export type TaskOrder = NonNullable<NonNullable<operations['list_schedules']['parameters']['query']>['sort']>;
export type TaskPage = Omit<Schemas['SchedulePage'], 'schedules'> & { schedules: Task[] };
export type CostDetails = Schemas['CostDetails'];
export type SubmitAnswer = Omit<Schemas['Submitted'], 'schedules'> & { schedules: Task[] };
export type Stats = Schemas['Stats'];
/** Results of one hour's polls at the portal. */
export type PortalHour = Schemas['PortalHour'];
/** Results of one day's polls at the portal, by Toronto's date. */
export type PortalDay = Schemas['PortalDay'];
export type SystemStatus = Schemas['Status'];
export type Incident = Schemas['Incident'];
export type StatusHistory = Schemas['StatusHistory'];
/** A row of a task's journal. The content of `data` depends on `kind`. */
export type JournalEntry = Schemas['JournalEntry'];
export type JournalPage = Schemas['JournalPage'];
/** Seen dates of a task's cities, for the chart and the heat map. */
export type SeenCalendar = Schemas['SeenCalendar'];
export type SeenCity = SeenCalendar['cities'][number];
export type SeenDay = SeenCity['days'][number];
export type EarliestPoint = SeenCalendar['series'][number]['points'][number];
export type SlotMark = SeenCalendar['marks'][number];
export type Widening = NonNullable<SeenCalendar['widen']>;
/** A seen day, with the rule that rejected it. */
type SeenPage = Schemas['SeenPage'];
export type SeenEntry = SeenPage['entries'][number];

/** Sign-in methods of the server, and whether it can send mail. */
export type SignInMethods = Schemas['Methods'];
/** Outcome of a mailed link. */
export type LinkUse = Schemas['LinkUse'];
/** A valid session. */
export type SignIn = Schemas['SignInView'];
export type SecurityEvent = Schemas['SecurityEvent'];
/** State of the second factor. */
export type SecondFactor = Schemas['SecondFactor'];
/** A second factor that is not confirmed yet. */
export type NewSecondFactor = Schemas['NewSecondFactor'];
/** A stored login of the official site, with the tasks that use it. */
export type PortalAccount = Schemas['PortalLogin'];
/** Present consequences of deleting the account. */
export type DeletionProspect = Schemas['Prospect'];
