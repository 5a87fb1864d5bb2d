/** Written by hand in the shape of openapi-typescript until the server's document is generated (`npm run generate`). */
export interface components {
  schemas: {
    User: {
      id: string;
      username: string;
      email: string;
      credit: number;
      language: 'en' | 'zh';
      emailVerified: boolean;
      createdAt: string;
      updatedAt: string;
      profile: { autoStopScheduler: boolean };
    };
    LoginAnswer: { access_token: string; refresh_token: string; user: components['schemas']['User'] };
    RefreshAnswer: { access_token: string; refresh_token: string };
    Credit: { credit: number; on_hold: number; currency: string };
    Movement: {
      id: string;
      kind: 'topup' | 'hold' | 'capture' | 'release';
      amount: number;
      currency: string;
      at: string;
      source: string | null;
      schedule_id?: string | null;
      note?: string | null;
    };
    LedgerPage: { movements: components['schemas']['Movement'][]; page: number; page_size: number; total: number };
    TopupResult: { message: string; amount: number; currency: string; balance_before: number; balance_after: number };
    Pricing: {
      calculation: {
        base_price: number;
        user_group_discount: number;
        personal_discount: number;
        promo_code_discount: number;
        user_specific_price: number;
        currency: string;
      };
      unit_price: number;
      total_price: number;
      discount_amount: number;
      original_price: number;
      currency: string;
    };
    Plans: { plans: { id: string; name: string; unit_price: number; currency: string }[] };
    Support: { wechat_id: string | null; email: string | null; xiaohongshu_id: string | null; hours: string | null };
    ExcludedDate: string | { type: ''; date: string } | { type: 'range'; start: string; end: string };
    SearchParams: {
      start_date: string;
      end_date: string;
      required_cities: string[];
      excluded_dates: components['schemas']['ExcludedDate'][];
      minimum_days_from_current: number;
      min_improvement_days?: number;
      max_reschedules?: number;
      last_attempt_until?: string | null;
    };
    Appointment: {
      schedule_id: string;
      ivr_account_number: string | null;
      applicant_names: string[];
      applicant_ids: string[];
      applicants_count: number;
      appointment_date: string | null;
      appointment_time: string | null;
      facility: string | null;
      status: string;
      payment_expiry_date: string | null;
      is_tcn_yes: boolean | null;
      visa_class: string | null;
      visa_type: string | null;
      country_code: string;
    };
    VerifiedAppointment: components['schemas']['Appointment'] & { selectable: boolean; reason: string | null };
    VerifiedGroup: { id: string; status: string; portal_schedule_id: string; appointments: components['schemas']['VerifiedAppointment'][] };
    Verification: { schedules: components['schemas']['VerifiedGroup'][]; verified_at: string };
    Verdict: {
      code: string;
      since: string;
      next_try_at: string | null;
      evidence: {
        earliest_seen?: { date: string; facility: string } | null;
        cities_seen?: number | null;
        days_after_window?: number | null;
        looked_at?: string | null;
        target?: { date: string; time: string | null; facility: string } | null;
      };
    };
    SuccessEntry: { date: string; time: string | null; toLocation: string; timestamp: string; daysAdvanced: number | null };
    Task: {
      id: string;
      status: string;
      status_reason: string | null;
      status_since: string;
      auto_stopped: boolean;
      portal_schedule_id: string;
      country_code: string;
      visa_type: string;
      visa_credentials: { username: string; health: string; health_since: string | null };
      appointments: components['schemas']['Appointment'][];
      schedule_config: {
        search_params: components['schemas']['SearchParams'];
        keep_current_appointment: boolean;
        balance_total: number;
        priority: number | null;
      };
      monitoring_cities: string[];
      price: {
        unit_price: number;
        applicants_count: number;
        total: number;
        on_hold: number;
        captured: number;
        unpaid_remainder: number;
        currency: string;
        captured_at: string | null;
      };
      engine: {
        checks: number;
        last_check_at: string | null;
        next_check_at: string | null;
        slots_seen: number;
        verdict: components['schemas']['Verdict'];
      };
      seen_dates: { date: string; facility: string; wanted: boolean; last_seen_at: string }[];
      earliest_seen: { date: string; facility: string; seen_at: string } | null;
      attempts_left: number | null;
      change_deadline: string | null;
      success_history: components['schemas']['SuccessEntry'][];
      version: number;
      created_at: string;
      updated_at: string;
      submitted_at: string | null;
    };
    TaskPage: { schedules: components['schemas']['Task'][]; page: number; page_size: number; total: number };
    CostDetails: {
      total_amount: number;
      currency: string;
      applicants_count: number;
      price_per_applicant: number;
      schedule_breakdown: {
        schedule_id: string;
        applicants_count: number;
        base_price: number;
        discounts: number;
        final_price_per_person: number;
        total_price: number;
      }[];
    };
    SubmitAnswer: {
      cost_details: components['schemas']['CostDetails'];
      user_balance: { balance_before: number; balance_after: number; currency: string };
      schedules: components['schemas']['Task'][];
    };
    Stats: {
      checks_total: number;
      days_saved: number;
      success_rate: number | null;
      active: number;
      tasks_submitted: number;
      tasks_succeeded: number;
    };
    SystemStatus: {
      portal: { state: 'ok' | 'slow' | 'down' | 'unknown'; last_answer_at: string | null };
      engine: { active: boolean; last_look_at: string | null; looks_last_hour: number };
      demo: boolean;
      currency: string;
    };
    Facilities: {
      countries: {
        code: string;
        nameEn: string;
        nameZh: string;
        available: boolean;
        facilities: { id: number | null; nameEn: string; nameZh: string }[];
      }[];
    };
  };
}
