import { request } from './client.ts';
import { accessToken, loadSession } from './tokens.ts';
import type {
  Credit,
  Facilities,
  GoogleDeparture,
  LoginAnswer,
  PublicStats,
  ResetTokenState,
  SearchParams,
  SignInMethods,
  Stats,
  StatusHistory,
  SubmitAnswer,
  Support,
  SystemStatus,
  Task,
  TaskPage,
  TopupResult,
  User,
  Verification,
} from './types.ts';

export interface PortalCredentials {
  username: string;
  password: string;
  countryCode: string;
  visaType: string;
}

/** Statuses the dashboard asks for: everything but draft and configured. */
export const SHOWN_STATUSES = 'submitted,processing,active,stopped,error';

/** Every call the web makes, one line each, grouped as the API groups them. */
export const api = {
  register: (body: { username: string; email: string; password: string; language: string; referral_code?: string }) =>
    request<unknown>('POST', '/auth/register', { body }),
  verifyEmail: (token: string) => request<unknown>('GET', '/auth/verify-email', { query: { token } }),
  resendVerification: (email: string) => request<unknown>('POST', '/auth/resend-verification', { body: { email } }),
  login: (body: { username: string; password: string; rememberMe: boolean; totp_code?: string }) =>
    request<LoginAnswer>('POST', '/auth/login', { body }),
  logout: () =>
    request<unknown>('POST', '/auth/logout', { body: { refresh_token: loadSession()?.refreshToken }, keepalive: true }),
  methods: () => request<SignInMethods>('GET', '/auth/methods'),
  forgotPassword: (email: string) => request<unknown>('POST', '/auth/forgot-password', { body: { email } }),
  verifyResetToken: (token: string, signal?: AbortSignal) =>
    request<ResetTokenState>('GET', '/auth/verify-reset-token', { query: { token }, signal }),
  resetPassword: (token: string, password: string) =>
    request<unknown>('POST', '/auth/reset-password', { body: { token, password } }),
  googleLogin: (body: { language: string; rememberMe?: boolean; purpose?: 'sign_in' | 'step_up' }) =>
    request<GoogleDeparture>('POST', '/auth/google/login', { body }),
  profile: () => request<{ user: User }>('GET', '/user/profile').then((data) => data.user),
  profileOf: (bearer: string) => request<{ user: User }>('GET', '/user/profile', { bearer }).then((data) => data.user),
  setLanguage: (language: string) => request<{ language: string }>('PUT', '/user/language', { body: { language } }),
  setAutoStop: (enabled: boolean) =>
    request<{ autoStopScheduler: boolean }>('PUT', '/user/auto-stop-scheduler', { body: { auto_stop_scheduler: enabled } }),

  credit: () => request<Credit>('GET', '/users/credit'),
  validateCode: (code: string, signal?: AbortSignal) =>
    request<{ valid: boolean }>('POST', '/topup/validate', { body: { code }, signal }),
  redeemCode: (code: string, idempotencyKey: string) =>
    request<TopupResult>('POST', '/topup/use', { body: { code }, idempotencyKey }),
  support: () => request<Support>('GET', '/support'),

  verifyCredentials: (credentials: PortalCredentials, forceRefresh: boolean) =>
    request<Verification>('POST', '/schedules/verify-credentials', { body: { ...credentials, force_refresh: forceRefresh } }),
  configure: (body: {
    schedule_id: string;
    selected_appointments: { schedule_id: string; ivr_account_number: string | null }[];
    search_params: SearchParams;
    appointment_management: { keep_current_appointment: boolean };
  }) => request<{ schedule: Task }>('POST', '/schedules/configure', { body }),
  submit: (
    body: {
      schedule_ids: string[];
      appointment_management: { keep_current_appointment: boolean };
      expected_total?: number;
      promo_code?: string;
      referral_code?: string;
    },
    idempotencyKey: string,
  ) => request<SubmitAnswer>('POST', '/schedules/submit', { body, idempotencyKey }),
  tasks: (page = 1, pageSize = 20, status = SHOWN_STATUSES) =>
    request<TaskPage>('GET', '/schedules', { query: { page, page_size: pageSize, status } }),
  task: (id: string) => request<{ schedule: Task }>('GET', `/schedules/${id}/status`).then((data) => data.schedule),
  startTask: (id: string, idempotencyKey: string, expectedTotal?: number) =>
    request<{ schedule: Task }>('POST', `/schedules/${id}/start`, {
      idempotencyKey,
      ...(expectedTotal === undefined ? {} : { body: { expected_total: expectedTotal } }),
    }),
  stopTask: (id: string, idempotencyKey: string) =>
    request<{ schedule: Task }>('POST', `/schedules/${id}/stop`, { idempotencyKey }),
  deleteTask: (id: string, keepalive = false) =>
    request<{ released_amount: number; currency: string }>('DELETE', `/schedules/${id}`, { keepalive }),
  /** `based_on` is the version of the conditions the edit began with; others are refused by `SCHEDULE_CHANGED`. */
  updateTask: (id: string, body: { search_params: SearchParams; keep_current_appointment: boolean; based_on: number }) =>
    request<{ schedule: Task }>('PUT', `/schedules/${id}`, { body }),
  updateFacilities: (id: string, cities: string[], based_on: number) =>
    request<{ schedule: Task }>('PUT', `/schedules/${id}/facilities`, { body: { required_cities: cities, based_on } }),

  stats: () => request<Stats>('GET', '/stats'),
  publicStats: () => request<PublicStats>('GET', '/stats/public'),
  status: () => request<SystemStatus>('GET', '/status'),
  statusHistory: () => request<StatusHistory>('GET', '/status/history'),
  facilities: () => request<Facilities>('GET', '/facilities'),
};

/** Whether a bearer token is at hand; the event stream waits for one. */
export const hasToken = () => accessToken.get() !== null;
