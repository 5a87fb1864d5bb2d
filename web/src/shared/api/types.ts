import type { components } from './schema.ts';

export type Schemas = components['schemas'];

/**
 * The server always writes every field, absent ones as null; its document calls those optional.
 * Only this file and money.ts know the names of the schema, so that a regenerated one is met here and nowhere else.
 */
export type Wire<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Key in keyof T]-?: Wire<T[Key]> }
    : T;

/** What a verdict rests on; which parts are there depends on its code. */
export interface Evidence {
  earliest_seen?: { date: string; facility: string } | null;
  cities_seen?: number | null;
  days_after_window?: number | null;
  looked_at?: string | null;
  target?: { date: string; time: string | null; facility: string } | null;
  /** Minutes between this account's empty look and days shown to another account; null when none was. */
  others_saw_minutes?: number | null;
}

type WireTask = Wire<Schemas['TaskView']>;

export type User = Wire<Schemas['UserView']> & SignInWays;
export type LoginAnswer = Wire<Schemas['SignedIn']>;
export type RefreshAnswer = Wire<Schemas['Tokens']>;
export type Credit = Wire<Schemas['Credit']>;
export type Movement = Wire<Schemas['MovementView']>;
export type TopupResult = Wire<Schemas['ToppedUp']>;
export type Support = Wire<Schemas['Support']>;
export type SearchParams = Wire<Schemas['SearchParams']>;
export type ExcludedDate = SearchParams['excluded_dates'][number];
export type Appointment = Wire<Schemas['AppointmentView']>;
export type Verification = Wire<Schemas['Verified']>;
/** How far a verification has come: `step` counts what is done, from 0 to `steps`. */
export type VerifyProgress = Wire<Schemas['VerifyProgress']>;
export type VerifiedGroup = Verification['schedules'][number];
export type VerifiedAppointment = VerifiedGroup['appointments'][number];
export type Verdict = Omit<Wire<Schemas['VerdictView']>, 'evidence'> & { evidence: Evidence | null };
export type SuccessEntry = Wire<Schemas['SuccessView']>;
/** What may be done with a task; the server decides, and says a stable word where it may not. */
export type TaskAction = keyof Schemas['ActionsView'];
export type Permission = Wire<Schemas['ActionView']>;
export type LookBudget = Wire<Schemas['LooksView']>;
export type DiscountLine = Wire<Schemas['DiscountLine']>;
/** A task people see: it has been configured, so it has conditions. */
export type Task = Omit<WireTask, 'engine' | 'schedule_config' | 'price'> & {
  engine: Omit<WireTask['engine'], 'verdict'> & { verdict: Verdict };
  schedule_config: Omit<WireTask['schedule_config'], 'search_params'> & { search_params: SearchParams };
  price: WireTask['price'] & {
    /** What the group's present size costs more, while the task waits for consent to it; absent from servers that know none. */
    difference?: { applicants_now: number; applicants_priced: number; amount: number } | null;
  };
};
export type TaskPage = Omit<Wire<Schemas['SchedulePage']>, 'schedules'> & { schedules: Task[] };
export type CostDetails = Wire<Schemas['CostDetails']>;
export type SubmitAnswer = Omit<Wire<Schemas['Submitted']>, 'schedules'> & { schedules: Task[] };
export type Stats = Wire<Schemas['Stats']>;
export type PublicStats = Wire<Schemas['PublicStats']>;
/** What the looks of one hour met at the portal. */
export type PortalHour = Wire<Schemas['PortalHour']>;
/** What the looks of one day, in Toronto, met at the portal. */
export type PortalDay = Wire<Schemas['PortalDay']>;
export type SystemStatus = Wire<Schemas['Status']>;
export type Incident = Wire<Schemas['Incident']>;
export type StatusHistory = Wire<Schemas['StatusHistory']>;
export type Facilities = Wire<Schemas['Countries']>;
/** A row of a task's journal; what `data` holds depends on `kind`. */
export type JournalEntry = Omit<Wire<Schemas['JournalEntry']>, 'data'> & { data: Record<string, unknown> };
export type JournalPage = Omit<Wire<Schemas['JournalPage']>, 'entries'> & { entries: JournalEntry[] };
/** What a task's cities showed, for the chart and the heat map. */
export type SeenCalendar = Wire<Schemas['SeenCalendar']>;
export type SeenCity = SeenCalendar['cities'][number];
export type SeenDay = SeenCity['days'][number];
export type EarliestPoint = SeenCalendar['series'][number]['points'][number];
export type SlotMark = SeenCalendar['marks'][number];
export type Widening = NonNullable<SeenCalendar['widen']>;
/** A day that was seen, with the rule that kept it from being taken. */
export type SeenPage = Wire<Schemas['SeenPage']>;
export type SeenEntry = SeenPage['entries'][number];

/** Which ways to sign in the server offers, and whether it can send mail. */
export interface SignInMethods {
  google: boolean;
  mail: boolean;
}
/** Whether a reset link may still be used. */
export interface ResetTokenState {
  valid: boolean;
  reason?: 'expired' | 'invalid' | null;
}
/** Where to go to sign in at Google. */
export interface GoogleDeparture {
  auth_url: string;
  state: string;
}

/** How somebody can prove who they are. */
export interface SignInWays {
  has_password: boolean;
  google_linked: boolean;
  totp_enabled: boolean;
}
/** A sign-in that counts. */
export interface SignIn {
  id: string;
  current: boolean;
  method: 'password' | 'google';
  remembered: boolean;
  /** Empty texts where nothing is known. */
  client: { browser: string; os: string; kind: 'phone' | 'tablet' | 'computer' | 'other' };
  /** The address without its last part. */
  network: string;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}
/** Whether there is a second factor. */
export interface SecondFactor {
  enabled: boolean;
  confirmed_at?: string | null;
  recovery_codes_left: number;
}
/** A second factor not yet confirmed. */
export interface NewSecondFactor {
  secret: string;
  otpauth_url: string;
  qr_svg: string;
}
/** A login at the official site that is kept here, with the tasks that use it. */
export interface PortalAccount {
  id: string;
  username: string;
  country_code: string;
  visa_type: string;
  /** As stored: valid, rejected, locked, captcha, cooling; more may come. */
  health: string;
  health_since: string | null;
  tested_at: string | null;
  /** No request of ours before this. */
  next_try_at?: string | null;
  tasks: { id: string; title: string; status: Task['status'] }[];
  /** When it is deleted by itself because nothing needs it. */
  removed_after?: string | null;
}
/** What deleting the account would mean now. */
export interface DeletionProspect {
  possible: boolean;
  blocked_by?: 'booking' | null;
  /** What is given up: available and on hold together. */
  balance: number;
  /** The part of it that is on hold. */
  on_hold: number;
  currency: string;
  tasks: number;
}
