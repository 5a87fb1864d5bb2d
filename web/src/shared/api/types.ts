import type { components, operations } from './schema.ts';

export type Schemas = components['schemas'];

/** What a condition rests on; which parts are there depends on its code. */
interface Evidence {
  /** The earliest date of the last lists of the task's cities, and when that list was read. */
  earliest_listed?: { date: string; facility: string; at: string | null } | null;
  cities_seen?: number | null;
  /** The condition that the engine wrote, where the row says another. */
  engine_says?: string | null;
  days_after_window?: number | null;
  target?: { date: string; time: string | null; facility: string } | null;
  /** The day that the task has just asked about, and until when a yes counts (RFC 3339). */
  asked?: { date: string; facility: string; until: string } | null;
  /** Minutes between this account's empty look and days shown to another account; null when none was. */
  others_saw_minutes?: number | null;
}

type WireTask = Schemas['TaskView'];

export type User = Schemas['UserView'];
export type LoginAnswer = Schemas['SignedIn'];
export type RefreshAnswer = Schemas['Tokens'];
export type Credit = Schemas['Credit'];
export type TopupResult = Schemas['ToppedUp'];
export type Support = Schemas['Support'];
/** Criteria with every field, as answers have them; a request may leave some out. */
export type SearchParams = Required<Schemas['SearchParams']>;
export type ExcludedDate = SearchParams['excluded_dates'][number];
export type Appointment = Schemas['AppointmentView'];
export type Verification = Schemas['Verified'];
/** How far a verification has come: `step` counts what is done, from 0 to `steps`. */
export type VerifyProgress = Schemas['VerifyProgress'];
export type VerifiedGroup = Verification['schedules'][number];
export type VerifiedAppointment = VerifiedGroup['appointments'][number];
/** What a task does with a day that it accepts. */
export type BookingMode = Schemas['BookingMode'];
/** A day that a task asks about, and where the question stands. */
export type Question = Schemas['QuestionView'];
export type TaskCondition = Omit<Schemas['VerdictView'], 'evidence'> & { evidence: Evidence | null };
export type SuccessEntry = Schemas['SuccessView'];
/** What may be done with a task; the server decides, and says a stable word where it may not. */
export type TaskAction = keyof Schemas['ActionsView'];
export type Permission = Schemas['ActionView'];
/** What the next check of a task waits for beyond its turn. */
export type PollWait = Schemas['PollWait'];
export type LookBudget = Schemas['LooksView'];
/** What a check without booking found. */
export type PathChecked = Schemas['PathChecked'];
/** A task people see: it has been configured, so it has criteria. */
export type Task = Omit<WireTask, 'engine' | 'schedule_config'> & {
  engine: Omit<WireTask['engine'], 'verdict'> & { verdict: TaskCondition };
  schedule_config: Omit<WireTask['schedule_config'], 'search_params'> & { search_params: SearchParams };
};
/** The server lists no task without criteria unless it is asked for drafts, and nobody here asks. */
export const asTask = (view: Schemas['TaskView']) => view as Task;
/** The list of the dashboard a task stands in. */
export type TaskStage = Schemas['TaskStage'];
/** The order of a list of tasks. */
export type TaskOrder = NonNullable<NonNullable<operations['list_schedules']['parameters']['query']>['sort']>;
export type TaskPage = Omit<Schemas['SchedulePage'], 'schedules'> & { schedules: Task[] };
export type CostDetails = Schemas['CostDetails'];
export type SubmitAnswer = Omit<Schemas['Submitted'], 'schedules'> & { schedules: Task[] };
export type Stats = Schemas['Stats'];
/** What the looks of one hour met at the portal. */
export type PortalHour = Schemas['PortalHour'];
/** What the looks of one day, in Toronto, met at the portal. */
export type PortalDay = Schemas['PortalDay'];
export type SystemStatus = Schemas['Status'];
export type Incident = Schemas['Incident'];
export type StatusHistory = Schemas['StatusHistory'];
/** A row of a task's journal; what `data` holds depends on `kind`. */
export type JournalEntry = Schemas['JournalEntry'];
export type JournalPage = Schemas['JournalPage'];
/** What a task's cities showed, for the chart and the heat map. */
export type SeenCalendar = Schemas['SeenCalendar'];
export type SeenCity = SeenCalendar['cities'][number];
export type SeenDay = SeenCity['days'][number];
export type EarliestPoint = SeenCalendar['series'][number]['points'][number];
export type SlotMark = SeenCalendar['marks'][number];
export type Widening = NonNullable<SeenCalendar['widen']>;
/** A day that was seen, with the rule that kept it from being taken. */
type SeenPage = Schemas['SeenPage'];
export type SeenEntry = SeenPage['entries'][number];

/** Which ways to sign in the server offers, and whether it can send mail. */
export type SignInMethods = Schemas['Methods'];
/** What a mailed link came to. */
export type LinkUse = Schemas['LinkUse'];
/** A sign-in that counts. */
export type SignIn = Schemas['SignInView'];
export type SecurityEvent = Schemas['SecurityEvent'];
/** Whether there is a second factor. */
export type SecondFactor = Schemas['SecondFactor'];
/** A second factor not yet confirmed. */
export type NewSecondFactor = Schemas['NewSecondFactor'];
/** A login at the official site that is kept here, with the tasks that use it. */
export type PortalAccount = Schemas['PortalLogin'];
/** What deleting the account would mean now. */
export type DeletionProspect = Schemas['Prospect'];
