//! Wire format of a task.

use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Slot;
use domain::clock::Instant;
use domain::country::{CountryCode, VisaType};
use domain::criteria::BookingMode;
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

/// A group of a portal account, with its appointment.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppointmentView {
    /// The portal's identifier of the group.
    pub schedule_id: String,
    /// IVR account number, as the portal prints it.
    pub ivr_account_number: Option<String>,
    /// Names of the applicants, as the portal prints them.
    pub applicant_names: Vec<String>,
    /// The portal's identifiers of the applicants, where the portal shows them.
    pub applicant_ids: Vec<String>,
    /// Number of applicants in the group.
    pub applicants_count: u32,
    /// Local date of the appointment; null without an appointment.
    pub appointment_date: Option<NaiveDate>,
    /// Local time of the appointment, `HH:MM`.
    pub appointment_time: Option<String>,
    /// City of the appointment, in English.
    pub facility: Option<String>,
    /// The portal's number of that city.
    pub facility_id: Option<u16>,
    /// Status of the group: `attend_appointment`, `schedule_appointment`, `pay_visa_fee`,
    /// `interview`, `expired` or `unknown`.
    pub status: String,
    /// Last date on which the visa fee is valid; null unless the portal shows the receipt.
    pub payment_expiry_date: Option<NaiveDate>,
    /// Answer to the third-country national question; null if the portal does not ask it.
    pub is_tcn_yes: Option<bool>,
    /// Visa class, as the portal prints it.
    pub visa_class: Option<String>,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// The portal's locale.
    pub country_code: CountryCode,
}

/// A booking of an earlier slot.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuccessView {
    /// Date of the new appointment.
    pub date: NaiveDate,
    /// Local time of the new appointment, `HH:MM`.
    pub time: String,
    /// City of the new appointment, in English.
    pub to_location: String,
    /// Time of the booking.
    pub timestamp: DateTime<Utc>,
    /// Days gained; null for a first booking.
    pub days_advanced: Option<i64>,
    /// Date of the previous appointment; null for a first booking.
    pub from_date: Option<NaiveDate>,
}

/// Portal login of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CredentialView {
    /// Login name at the portal.
    pub username: String,
    /// Health of the login: shows if the portal accepts it.
    pub health: SignInHealth,
    /// Time at which this health began.
    pub health_since: Option<DateTime<Utc>>,
    /// Time of the last sign-in with it, while the server stores that session.
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// The server sends no request to the portal with this login before this time.
    pub next_try_at: Option<DateTime<Utc>>,
    /// Number of sign-ins within the last ten hours.
    pub sign_ins_ten_hours: u32,
}

/// A change of the group's size since the price was agreed. The user must accept the difference in
/// price.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct DifferenceView {
    /// Number of applicants in the group now.
    pub applicants_now: u32,
    /// Number of applicants in the agreed price.
    pub applicants_priced: u32,
    /// Amount that accepting puts on hold; negative if accepting releases money.
    pub amount: f64,
}

/// Parameters of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConfigView {
    /// Criteria for acceptable slots; null before they are set.
    pub search_params: Option<SearchParams>,
    /// Action on an acceptable date.
    pub booking_mode: BookingMode,
    /// `true` if the mode is `notify`: the server sends notifications and never books.
    pub keep_current_appointment: bool,
    /// `true` if the task books by itself but asks first for now, until the portal's booking form
    /// was read once.
    pub asks_first_for_now: bool,
    /// Total price.
    pub balance_total: f64,
    /// Priority set by the operator; null if none is set.
    pub priority: Option<f64>,
    /// Version of these parameters. It grows only when they change; an edit sends the version on
    /// which it is based.
    pub version: i32,
}

/// Price of a task, with its hold and its charge.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PriceView {
    /// Final price per applicant.
    pub unit_price: f64,
    /// Discount per applicant.
    pub discount: f64,
    /// Number of applicants.
    pub applicants_count: u32,
    /// Total price.
    pub total: f64,
    /// Amount on hold, not charged.
    pub on_hold: f64,
    /// Amount charged.
    pub captured: f64,
    /// Amount not yet charged.
    pub unpaid_remainder: f64,
    /// Currency code (ISO 4217).
    pub currency: String,
    /// Time of the charge.
    pub captured_at: Option<DateTime<Utc>>,
    /// Price per applicant before discounts.
    pub original_unit_price: f64,
    /// Total of all discounts.
    pub total_discount: f64,
    /// Discounts by kind.
    pub discount_lines: Vec<DiscountLine>,
    /// Difference that the user must accept before the task continues; null unless the group's size
    /// changed.
    pub difference: Option<DifferenceView>,
    /// Further bookings of this group are free until this time; null before the first charge.
    pub entitled_until: Option<DateTime<Utc>>,
}

/// State of a task in the engine.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EngineView {
    /// Number of answered polls.
    pub checks: i64,
    /// Time of the last answered poll.
    pub last_check_at: Option<DateTime<Utc>>,
    /// Earliest time of the next poll of any of the task's cities; null if a poll is due now or not
    /// planned. Never in the past.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Number of dates that appeared in the task's cities.
    pub slots_seen: i64,
    /// Request limits of the portal account; null without an account.
    pub looks: Option<LooksView>,
    /// Last and next polls of each city, in the order of the criteria.
    pub cities: Vec<CityView>,
    /// Current condition of the task.
    pub verdict: VerdictView,
}

/// Last and next polls of one city of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CityView {
    /// City, in English.
    pub facility: String,
    /// Time of the last poll that the portal answered (with dates, without dates, or unchanged);
    /// null before the first one.
    pub last_answer_at: Option<DateTime<Utc>>,
    /// Earliest date in the last list of dates that the server accepted.
    pub earliest_listed: Option<NaiveDate>,
    /// Time at which that list was read.
    pub listed_at: Option<DateTime<Utc>>,
    /// Earliest time of the next poll; null if it is due now or not planned. Never in the past.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Maximum age of the last answered poll, in seconds. At that age the city is polled regardless
    /// of other work. Null before the engine has planned the city, and while no city is polled.
    pub checked_within_seconds: Option<i64>,
}

/// Request limits of a portal account for dates and times, with the requests made.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct LooksView {
    /// Number of requests within the last hour, at most `hour_limit`.
    pub hour_used: u32,
    /// Maximum number of requests for dates within an hour.
    pub hour_limit: u32,
    /// Number of further requests within the last hour for bookings. These need not wait.
    pub hour_for_booking: u32,
    /// Number of requests within the last ten hours, at most `ten_hours_limit`.
    pub ten_hours_used: u32,
    /// Maximum number of requests within ten hours, including those reserved for bookings.
    pub ten_hours_limit: u32,
}

/// Rating of a task by its user after a success.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingView {
    /// Number of stars, 1 to 5.
    pub stars: u8,
    /// Comment by the user.
    pub comment: Option<String>,
    /// Time of the rating.
    pub rated_at: DateTime<Utc>,
}

/// A condition of a task, with its evidence.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerdictView {
    /// Stable code, for example `watching`.
    pub code: String,
    /// Time at which the condition began.
    pub since: DateTime<Utc>,
    /// Reason that delays the next poll; null while the poll only waits for its turn.
    pub reason: Option<PollWait>,
    /// Time of the next try, if one is planned. Never in the past.
    pub next_try_at: Option<DateTime<Utc>>,
    /// Evidence for the condition.
    pub evidence: Value,
}

/// A date that was seen in one of the task's cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenView {
    /// The date.
    pub date: NaiveDate,
    /// City, in English.
    pub facility: String,
    /// `true` if the date is within the task's window.
    pub wanted: bool,
    /// Time of the last answered poll that showed the date.
    pub last_seen_at: DateTime<Utc>,
}

/// The earliest date seen recently.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestView {
    /// The date.
    pub date: NaiveDate,
    /// City, in English.
    pub facility: String,
    /// Time of the last answered poll that showed the date.
    pub seen_at: DateTime<Utc>,
}

/// A monitoring task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TaskView {
    /// Identifier of the task.
    pub id: uuid::Uuid,
    /// Status of the task.
    pub status: String,
    /// Reason for the status.
    pub status_reason: Option<String>,
    /// Time at which the status began.
    pub status_since: DateTime<Utc>,
    /// `true` if the task stopped by itself after a booking.
    pub auto_stopped: bool,
    /// List of the dashboard that contains the task.
    pub stage: TaskStage,
    /// The portal's identifier of the group.
    pub portal_schedule_id: String,
    /// The portal's locale.
    pub country_code: CountryCode,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// Portal login of the task.
    pub visa_credentials: CredentialView,
    /// The group, as a list with one element.
    pub appointments: Vec<AppointmentView>,
    /// Parameters of the task.
    pub schedule_config: ConfigView,
    /// Names of the cities, in English.
    pub monitoring_cities: Vec<String>,
    /// Price of the task.
    pub price: PriceView,
    /// State of the task in the engine.
    pub engine: EngineView,
    /// Dates seen in its cities within the last two weeks.
    pub seen_dates: Vec<SeenView>,
    /// Earliest of these dates; null if there is none.
    pub earliest_seen: Option<EarliestView>,
    /// Number of reschedules that the portal still allows.
    pub attempts_left: Option<u32>,
    /// Number of reschedules used of those that the user allows. A reschedule with an unknown
    /// outcome counts.
    pub reschedules_used: u32,
    /// Deadline of the portal for changes.
    pub change_deadline: Option<DateTime<Utc>>,
    /// Bookings of earlier slots, newest first.
    pub success_history: Vec<SuccessView>,
    /// Version of the task; grows with each change.
    pub version: i64,
    /// Time at which the task was found at the portal.
    pub created_at: DateTime<Utc>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// Time of the submission.
    pub submitted_at: Option<DateTime<Utc>>,
    /// Actions, each with the reason if it is not allowed now.
    pub actions: ActionsView,
    /// Rating by the user; null before the rating, or if the user dismissed the question.
    pub rating: Option<RatingView>,
    /// `true` if the client may ask for a rating: the task succeeded, and was neither rated nor
    /// dismissed.
    pub rating_wanted: bool,
}

/// Returns the group of a task as the wire's appointment.
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

/// Returns a success as an entry of the wire's history.
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
