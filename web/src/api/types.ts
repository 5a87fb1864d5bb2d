import type { components } from './schema.ts';

type Schemas = components['schemas'];

/** The shapes on the wire under the names the rest of the web app uses; only this file knows the schema's own names. */
export type User = Schemas['User'];
export type LoginAnswer = Schemas['LoginAnswer'];
export type RefreshAnswer = Schemas['RefreshAnswer'];
export type Credit = Schemas['Credit'];
export type Movement = Schemas['Movement'];
export type LedgerPage = Schemas['LedgerPage'];
export type TopupResult = Schemas['TopupResult'];
export type Pricing = Schemas['Pricing'];
export type Plans = Schemas['Plans'];
export type Support = Schemas['Support'];
export type ExcludedDate = Schemas['ExcludedDate'];
export type SearchParams = Schemas['SearchParams'];
export type Appointment = Schemas['Appointment'];
export type VerifiedAppointment = Schemas['VerifiedAppointment'];
export type VerifiedGroup = Schemas['VerifiedGroup'];
export type Verification = Schemas['Verification'];
export type Verdict = Schemas['Verdict'];
export type SuccessEntry = Schemas['SuccessEntry'];
export type Task = Schemas['Task'];
export type TaskPage = Schemas['TaskPage'];
export type CostDetails = Schemas['CostDetails'];
export type SubmitAnswer = Schemas['SubmitAnswer'];
export type Stats = Schemas['Stats'];
export type SystemStatus = Schemas['SystemStatus'];
export type Facilities = Schemas['Facilities'];
