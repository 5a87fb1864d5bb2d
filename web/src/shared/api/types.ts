import type { components, operations } from './schema.ts';

export type Schemas = components['schemas'];

/**
 * Evidence of a condition, which is the displayed state of a task. The code of the condition
 * decides which fields exist.
 */
interface Evidence {
  /**
   * Earliest date in the last lists of the task's cities, and the time at which that list was
   * requested.
   */
  earliest_listed?: { date: string; facility: string; at: string | null } | null;
  cities_seen?: number | null;
  /** The condition that the engine stored, if the displayed condition differs. */
  engine_says?: string | null;
  days_after_window?: number | null;
  target?: { date: string; time: string | null; facility: string } | null;
  /** Date of the task's latest question, and the deadline of an approval (RFC 3339). */
  asked?: { date: string; facility: string; until: string } | null;
  /**
   * Minutes between an empty list for this account and dates in the list of another account, or
   * null.
   */
  others_saw_minutes?: number | null;
}

type WireTask = Schemas['TaskView'];

export type User = Schemas['UserView'];
export type LoginAnswer = Schemas['SignedIn'];
export type RefreshAnswer = Schemas['Tokens'];
export type Credit = Schemas['Credit'];
export type TopupResult = Schemas['ToppedUp'];
export type Support = Schemas['Support'];
/** Conditions for the fingerprint appointment before an interview, with every field. */
export type FingerprintParams = Required<Schemas['FingerprintParams']>;
/** Search criteria with every field, as in responses. A request may omit fields. */
export type SearchParams = Required<Omit<Schemas['SearchParams'], 'fingerprints'>> & { fingerprints: FingerprintParams | null };
export type ExcludedDate = SearchParams['excluded_dates'][number];
export type Appointment = Schemas['AppointmentView'];
export type Fingerprints = Schemas['NamedFingerprints'];
export type Verification = Schemas['Verified'];
/** Progress of a verification. `step` counts completed steps, from 0 to `steps`. */
export type VerifyProgress = Schemas['VerifyProgress'];
export type VerifiedGroup = Verification['schedules'][number];
export type VerifiedAppointment = VerifiedGroup['appointments'][number];
/** Reaction of a task to a matching date: book it, ask first, or notify only. */
export type BookingMode = Schemas['BookingMode'];
/** Date in a question of a task, with the state of the question. */
export type Question = Schemas['QuestionView'];
export type TaskCondition = Omit<Schemas['VerdictView'], 'evidence'> & { evidence: Evidence | null };
export type SuccessEntry = Schemas['SuccessView'];
/**
 * Action that the user can request for a task. The server decides whether it is allowed, and
 * returns a stable code if not.
 */
export type TaskAction = keyof Schemas['ActionsView'];
export type Permission = Schemas['ActionView'];
/** Reason why the next check of a task is delayed. */
export type PollWait = Schemas['PollWait'];
export type LookBudget = Schemas['LooksView'];
/** Result of a test of the booking steps, which books nothing. */
export type PathChecked = Schemas['PathChecked'];
/** Task as the user sees it. It always has search criteria, because drafts are never requested. */
export type Task = Omit<WireTask, 'engine' | 'schedule_config'> & {
  engine: Omit<WireTask['engine'], 'verdict'> & { verdict: TaskCondition };
  schedule_config: Omit<WireTask['schedule_config'], 'search_params'> & { search_params: SearchParams };
};
/**
 * Narrows the type of a task. The server returns tasks without criteria only to requests for
 * drafts, which this app never sends.
 */
export const asTask = (view: Schemas['TaskView']) => view as Task;
/** Filter list of the dashboard that contains a task. */
export type TaskStage = Schemas['TaskStage'];
/** Sort order of a list of tasks. */
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
/** Entry of a task's journal. The content of `data` depends on `kind`. */
export type JournalEntry = Schemas['JournalEntry'];
export type JournalPage = Schemas['JournalPage'];
/** Dates that were seen in a task's cities, for the chart and the heat map. */
export type SeenCalendar = Schemas['SeenCalendar'];
export type SeenCity = SeenCalendar['cities'][number];
export type SeenDay = SeenCity['days'][number];
export type EarliestPoint = SeenCalendar['series'][number]['points'][number];
export type SlotMark = SeenCalendar['marks'][number];
export type Widening = NonNullable<SeenCalendar['widen']>;
/** Page of seen dates. Each entry names the rule that rejected its date. */
type SeenPage = Schemas['SeenPage'];
export type SeenEntry = SeenPage['entries'][number];

/** Sign-in methods of the server, and whether the server can send mail. */
export type SignInMethods = Schemas['Methods'];
/** Result of opening a mailed link. */
export type LinkUse = Schemas['LinkUse'];
/** Session of the user on one device. */
export type SignIn = Schemas['SignInView'];
export type SignInLinkResult = Schemas['SignInLinkResult'];
export type PasskeyList = Schemas['PasskeyList'];
export type Passkey = Schemas['PasskeyView'];
export type SecurityEvent = Schemas['SecurityEvent'];
/** State of the second factor. */
export type SecondFactor = Schemas['SecondFactor'];
/** A second factor that is not confirmed yet. */
export type NewSecondFactor = Schemas['NewSecondFactor'];
/** Stored credentials of a portal account, with the tasks that use them. */
export type PortalAccount = Schemas['PortalLogin'];
/** Consequences that deleting the account would have now. */
export type DeletionProspect = Schemas['Prospect'];
