//! A task as it goes over the wire.

use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Slot;
use domain::booking::BookingMode;
use domain::clock::Instant;
use domain::country::{CountryCode, VisaType};
use domain::health::SignInHealth;
use domain::money::Money;
use domain::task::listing::TaskStage;
use domain::task::watch::PollWait;
use serde::Serialize;
use serde_json::Value;
use store::journal::Success;
use store::task::Task;
use utoipa::ToSchema;

use super::actions::ActionsView;
use super::params::SearchParams;
use crate::api::pricing::{DiscountLine, discount_lines};

/// One group of a portal account with its appointment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppointmentView {
    /// The portal's number of the group.
    pub schedule_id: String,
    /// The IVR account number, as the portal prints it.
    pub ivr_account_number: Option<String>,
    /// Names as the portal prints them.
    pub applicant_names: Vec<String>,
    /// The portal's numbers of the people, where shown.
    pub applicant_ids: Vec<String>,
    /// People in the group.
    pub applicants_count: u32,
    /// The civil day of the appointment.
    pub appointment_date: Option<NaiveDate>,
    /// Its local time, `HH:MM`.
    pub appointment_time: Option<String>,
    /// Its city, in English.
    pub facility: Option<String>,
    /// The portal's number of that city.
    pub facility_id: Option<u16>,
    /// `attend_appointment`, `schedule_appointment`, `pay_visa_fee`, `interview`, `expired` or `unknown`.
    pub status: String,
    /// The day the visa fee stops being valid, when the portal shows the receipt.
    pub payment_expiry_date: Option<NaiveDate>,
    /// Third-country national, when asked.
    pub is_tcn_yes: Option<bool>,
    /// The class as the portal prints it.
    pub visa_class: Option<String>,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// The portal's locale.
    pub country_code: CountryCode,
}

/// An earlier slot that was booked.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuccessView {
    /// The new appointment's day.
    pub date: NaiveDate,
    /// Its local time, `HH:MM`.
    pub time: String,
    /// Its city, in English.
    pub to_location: String,
    /// When it was booked.
    pub timestamp: DateTime<Utc>,
    /// Days gained; null for a first booking.
    pub days_advanced: Option<i64>,
    /// The appointment's day before.
    pub from_date: Option<NaiveDate>,
}

/// The secret a task signs in with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CredentialView {
    /// The portal's login name.
    pub username: String,
    /// Whether it can be used.
    pub health: SignInHealth,
    /// Since when.
    pub health_since: Option<DateTime<Utc>>,
    /// When we last signed in with it, while that session is kept.
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// Nothing is asked of the portal with it before this.
    pub next_try_at: Option<DateTime<Utc>>,
    /// Sign-ins of the last ten hours.
    pub sign_ins_ten_hours: u32,
}

/// A group that is of another size than what was agreed: its user must accept the difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct DifferenceView {
    /// People in the group now.
    pub applicants_now: u32,
    /// People it was priced for.
    pub applicants_priced: u32,
    /// What accepting sets aside; below zero: what it gives back.
    pub amount: f64,
}

/// The parameters a task works by.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConfigView {
    /// What it accepts.
    pub search_params: Option<SearchParams>,
    /// What it does with a day that it accepts.
    pub booking_mode: BookingMode,
    /// Only tell, never book: the mode is `notify`.
    pub keep_current_appointment: bool,
    /// A task that books by itself asks first for now, because nobody has read the whole way to the portal's booking form yet.
    pub asks_first_for_now: bool,
    /// The whole price.
    pub balance_total: f64,
    /// The operator's priority, when one was set.
    pub priority: Option<f64>,
    /// Grows with each change of these, and with nothing else: an edit says from which it was made.
    pub version: i32,
}

/// What a task costs and what became of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PriceView {
    /// Final price per person.
    pub unit_price: f64,
    /// What discounts took off per person.
    pub discount: f64,
    /// For how many people.
    pub applicants_count: u32,
    /// The whole price.
    pub total: f64,
    /// Set aside, not charged.
    pub on_hold: f64,
    /// Charged.
    pub captured: f64,
    /// Not yet charged.
    pub unpaid_remainder: f64,
    /// ISO 4217.
    pub currency: String,
    /// When it was charged.
    pub captured_at: Option<DateTime<Utc>>,
    /// Price per person before discounts.
    pub original_unit_price: f64,
    /// What discounts took off in all.
    pub total_discount: f64,
    /// What they were for.
    pub discount_lines: Vec<DiscountLine>,
    /// What its user must accept before it goes on, while its group is of another size than was agreed.
    pub difference: Option<DifferenceView>,
    /// Until when further bookings of this group cost nothing more; none before the first charge.
    pub entitled_until: Option<DateTime<Utc>>,
}

/// What the engine says of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EngineView {
    /// Polls that answered it.
    pub checks: i64,
    /// The last of them.
    pub last_check_at: Option<DateTime<Utc>>,
    /// The next poll of any of its cities at the soonest; null where it is due now or unknown. Never past.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Days that appeared in its cities.
    pub slots_seen: i64,
    /// What its portal account may look; none without an account.
    pub looks: Option<LooksView>,
    /// When each of its cities was polled, and is polled next, in the order of the criteria.
    pub cities: Vec<CityView>,
    /// What it means.
    pub verdict: VerdictView,
}

/// When a city of a task was polled, and is polled next.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CityView {
    /// The city, in English.
    pub facility: String,
    /// The last poll that the portal answered, with dates, without, or unchanged; null before the first.
    pub last_answer_at: Option<DateTime<Utc>>,
    /// The earliest date listed by the last list that was believed.
    pub earliest_listed: Option<NaiveDate>,
    /// When that list was read.
    pub listed_at: Option<DateTime<Utc>>,
    /// The next poll at the soonest; null where it is due now or unknown. Never past.
    pub next_check_at: Option<DateTime<Utc>>,
    /// How old the last answered poll may become before the city is polled whatever else waits, seconds; null before
    /// the engine planned it, and while no city is polled at all.
    pub checked_within_seconds: Option<i64>,
}

/// How many requests for dates and times a portal account may make, and how many it made.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct LooksView {
    /// Requests within the last hour, at most `hour_limit`.
    pub hour_used: u32,
    /// How many it may make to look for dates.
    pub hour_limit: u32,
    /// Requests beyond that within the last hour, made for a booking, which need not wait.
    pub hour_for_booking: u32,
    /// Requests within the last ten hours, at most `ten_hours_limit`.
    pub ten_hours_used: u32,
    /// How many it may, those kept for a booking included.
    pub ten_hours_limit: u32,
}

/// What a user said of a task after its success.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingView {
    /// 1 to 5.
    pub stars: u8,
    /// A line of their own.
    pub comment: Option<String>,
    /// When.
    pub rated_at: DateTime<Utc>,
}

/// A condition with its evidence.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerdictView {
    /// A stable word, e.g. `watching`.
    pub code: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// What keeps the next poll from being made now; null while it only waits for its turn.
    pub reason: Option<PollWait>,
    /// The next try, when it waits for one. Never past.
    pub next_try_at: Option<DateTime<Utc>>,
    /// What it rests on.
    pub evidence: Value,
}

/// A day that was seen in one of the task's cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenView {
    /// The day.
    pub date: NaiveDate,
    /// The city, in English.
    pub facility: String,
    /// Whether the task's window wants it.
    pub wanted: bool,
    /// The last answered poll that showed it.
    pub last_seen_at: DateTime<Utc>,
}

/// The earliest day seen lately.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestView {
    /// The day.
    pub date: NaiveDate,
    /// The city, in English.
    pub facility: String,
    /// The last answered poll that showed it.
    pub seen_at: DateTime<Utc>,
}

/// A monitoring task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TaskView {
    /// Its id.
    pub id: uuid::Uuid,
    /// Where it stands.
    pub status: String,
    /// Why.
    pub status_reason: Option<String>,
    /// Since when.
    pub status_since: DateTime<Utc>,
    /// Stopped by itself after a booking.
    pub auto_stopped: bool,
    /// The list of the dashboard it stands in.
    pub stage: TaskStage,
    /// The portal's number of the group.
    pub portal_schedule_id: String,
    /// The portal's locale.
    pub country_code: CountryCode,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// The secret it signs in with.
    pub visa_credentials: CredentialView,
    /// The group, as a list of one.
    pub appointments: Vec<AppointmentView>,
    /// Its parameters.
    pub schedule_config: ConfigView,
    /// English city names.
    pub monitoring_cities: Vec<String>,
    /// What it costs.
    pub price: PriceView,
    /// What the engine says.
    pub engine: EngineView,
    /// Days seen in its cities in the last two weeks.
    pub seen_dates: Vec<SeenView>,
    /// The earliest of them still wanted by anyone's appointment.
    pub earliest_seen: Option<EarliestView>,
    /// Reschedules the portal still allows.
    pub attempts_left: Option<u32>,
    /// Reschedules this task has used, of those its user allows; one whose outcome nobody knows counts.
    pub reschedules_used: u32,
    /// The portal's deadline for changes.
    pub change_deadline: Option<DateTime<Utc>>,
    /// Earlier slots booked so far, newest first.
    pub success_history: Vec<SuccessView>,
    /// Grows with each change.
    pub version: i64,
    /// When it was found.
    pub created_at: DateTime<Utc>,
    /// Its last change.
    pub updated_at: DateTime<Utc>,
    /// When it was submitted.
    pub submitted_at: Option<DateTime<Utc>>,
    /// What may be asked of it now, each with the reason where it may not.
    pub actions: ActionsView,
    /// What its user said of it; none before, and when the question was waved away.
    pub rating: Option<RatingView>,
    /// Whether to ask: it succeeded, was never rated and never waved away.
    pub rating_wanted: bool,
}

/// The group of a task, as the specification's appointment.
#[must_use]
pub fn appointment(task: &Task) -> AppointmentView {
    AppointmentView {
        schedule_id: task.portal_schedule_id.0.clone(),
        ivr_account_number: task.group.ivr_account_number.clone(),
        applicant_names: task.group.applicants.iter().map(|a| a.name.clone()).collect(),
        applicant_ids: task.group.applicants.iter().filter_map(|a| a.id.clone()).collect(),
        applicants_count: task.group.party_size(),
        appointment_date: task.booked.map(|b| b.date),
        appointment_time: task.booked.map(|b| time(&b)),
        facility: task.booked.map(|b| b.facility.name().to_owned()),
        facility_id: task.booked.map(|b| b.facility.number()),
        status: task.group.status.as_str().to_owned(),
        payment_expiry_date: task.group.fee_expires_on(),
        is_tcn_yes: task.group.is_tcn,
        visa_class: task.group.visa_class.clone(),
        visa_type: task.visa_type,
        country_code: task.country,
    }
}

fn time(slot: &Slot) -> String {
    slot.time.format("%H:%M").to_string()
}

/// One success as the specification's history entry.
#[must_use]
pub fn success(success: &Success) -> SuccessView {
    SuccessView {
        date: success.new.date,
        time: time(&success.new),
        to_location: success.new.facility.name().to_owned(),
        timestamp: success.found_at,
        days_advanced: success.days_advanced,
        from_date: success.old.map(|o| o.date),
    }
}

pub(super) fn price(task: &Task, entitled_until: Option<Instant>) -> PriceView {
    let wire = |minor: i64| Money::cad(minor).to_wire();
    let total = task.price.map_or(0, |p| p.total);
    let captured = task.captured_amount.unwrap_or(0);
    let open = task.captured_at.is_none();
    let difference = task.regrouped().filter(|_| task.reason == Some(domain::task::Reason::GroupChanged));
    PriceView {
        unit_price: wire(task.price.map_or(0, |p| p.unit)),
        discount: wire(task.price.map_or(0, |p| p.discount())),
        applicants_count: task.price.map_or_else(|| task.group.party_size(), |p| p.applicants),
        total: wire(total),
        on_hold: wire(if open && task.hold_id.is_some() { total - captured } else { 0 }),
        captured: wire(captured),
        unpaid_remainder: wire(if open { total - captured } else { 0 }),
        currency: "CAD".to_owned(),
        captured_at: task.captured_at,
        original_unit_price: wire(task.price.map_or(0, |p| p.unit + p.discount())),
        total_discount: wire(task.price.map_or(0, |p| p.discount() * i64::from(p.paying()))),
        discount_lines: task.price.map(|p| discount_lines(&p.discounts)).unwrap_or_default(),
        difference: difference.map(|new| DifferenceView {
            applicants_now: new.price.applicants,
            applicants_priced: task.price.map_or(0, |p| p.applicants),
            amount: wire(new.difference),
        }),
        entitled_until,
    }
}
