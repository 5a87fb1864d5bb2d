//! JSON format of a task.

use chrono::{DateTime, NaiveDate, Utc};
use domain::appointment::Slot;
use domain::clock::Instant;
use domain::country::{CountryCode, VisaType};
use domain::criteria::BookingMode;
use domain::health::SignInHealth;
use domain::journal::NamedFingerprints;
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
use crate::api::questions::QuestionState;

/// A group of applicants of a portal account, with its appointment.
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
    /// The fingerprint appointment before it; null without one.
    pub fingerprints: Option<NamedFingerprints>,
    /// Status of the group: `attend_appointment`, `schedule_appointment`, `pay_visa_fee`,
    /// `interview`, `expired` or `unknown`.
    pub status: String,
    /// Last date on which the paid visa fee is valid; null if the portal does not show the receipt.
    pub payment_expiry_date: Option<NaiveDate>,
    /// Answer to the third-country national question; null if the portal does not ask it.
    pub is_tcn_yes: Option<bool>,
    /// Visa class, as the portal prints it.
    pub visa_class: Option<String>,
    /// Visa type: `niv` or `iv`.
    pub visa_type: VisaType,
    /// Locale of the portal, for example `en-ca`.
    pub country_code: CountryCode,
}

/// A booking that the service made, usually of an earlier slot.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SuccessView {
    /// Date of the new appointment.
    pub date: NaiveDate,
    /// Local time of the new appointment, `HH:MM`.
    pub time: String,
    /// City of the new appointment, in English.
    pub to_location: String,
    /// The fingerprint appointment before it; null without one.
    pub fingerprints: Option<NamedFingerprints>,
    /// Time of the booking.
    pub timestamp: DateTime<Utc>,
    /// Number of days gained; null for a first booking.
    pub days_advanced: Option<i64>,
    /// Date of the previous appointment; null for a first booking.
    pub from_date: Option<NaiveDate>,
}

/// Portal login of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CredentialView {
    /// Login name at the portal.
    pub username: String,
    /// Health of the login, e.g. if the portal accepts its password.
    pub health: SignInHealth,
    /// Time since which the login has this health.
    pub health_since: Option<DateTime<Utc>>,
    /// Time of the last sign-in with the login; null once the server no longer stores that session.
    pub last_sign_in_at: Option<DateTime<Utc>>,
    /// The server sends no request to the portal with this login before this time.
    pub next_try_at: Option<DateTime<Utc>>,
    /// Number of sign-ins within the last ten hours.
    pub sign_ins_ten_hours: u32,
}

/// A change of the group's size after the price was agreed. The user must accept the difference in
/// price.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
pub struct DifferenceView {
    /// Number of applicants in the group now.
    pub applicants_now: u32,
    /// Number of applicants in the agreed price.
    pub applicants_priced: u32,
    /// Amount that is put on hold if the user accepts; negative if an amount is released.
    pub amount: f64,
}

/// Search criteria and mode of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConfigView {
    /// Criteria for acceptable slots; null before they are set.
    pub search_params: Option<SearchParams>,
    /// Action for an acceptable date.
    pub booking_mode: BookingMode,
    /// `true` if the mode is `notify`: the server sends notifications and never books.
    pub keep_current_appointment: bool,
    /// `true` if the task books by itself, but asks first until the portal's booking form was read
    /// once.
    pub asks_first_for_now: bool,
    /// Total price of the task.
    pub balance_total: f64,
    /// Priority set by the operator; null if none is set.
    pub priority: Option<f64>,
    /// Version of the criteria and mode. It grows only when they change. An edit sends the version
    /// that it changes.
    pub version: i32,
}

/// Price of a task, with the amounts on hold and charged.
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
    /// Time until which further bookings of this group are free; null before the first charge.
    pub entitled_until: Option<DateTime<Utc>>,
}

/// State of a task in the engine.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EngineView {
    /// Number of polls for the task that the portal answered.
    pub checks: i64,
    /// Time of the last of these polls.
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
    /// Maximum age of the last answered poll, in seconds. When it is reached, the city is polled
    /// before other work. Null while the engine has no plan for the city.
    pub checked_within_seconds: Option<i64>,
}

/// Limits of the requests for dates and times of a portal account, with the number of requests
/// made.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct LooksView {
    /// Number of requests within the last hour, at most `hour_limit`.
    pub hour_used: u32,
    /// Maximum number of requests for dates within an hour.
    pub hour_limit: u32,
    /// Number of further requests within the last hour that were for bookings and beyond the limit.
    pub hour_for_booking: u32,
    /// Number of requests within the last ten hours, at most `ten_hours_limit`.
    pub ten_hours_used: u32,
    /// Maximum number of requests within ten hours, including those reserved for bookings.
    pub ten_hours_limit: u32,
}

/// Rating of a task by its user after a booking.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RatingView {
    /// Number of stars, 1 to 5.
    pub stars: u8,
    /// Comment by the user.
    pub comment: Option<String>,
    /// Time of the rating.
    pub rated_at: DateTime<Utc>,
}

/// Current condition of a task, e.g. that it is monitored, with evidence.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerdictView {
    /// Stable code, for example `watching`.
    pub code: String,
    /// Time at which the condition began.
    pub since: DateTime<Utc>,
    /// Reason for which the next poll is delayed; null if the poll only waits until it is due.
    pub reason: Option<PollWait>,
    /// Time of the next attempt, if one is planned. Never in the past.
    pub next_try_at: Option<DateTime<Utc>>,
    /// Facts that explain the condition.
    pub evidence: Value,
}

/// A date that was listed in one of the task's cities.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SeenView {
    /// The date.
    pub date: NaiveDate,
    /// City, in English.
    pub facility: String,
    /// `true` if the task's criteria accept the date.
    pub wanted: bool,
    /// Time of the last answered poll that showed the date.
    pub last_seen_at: DateTime<Utc>,
}

/// The earliest date that was listed recently.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestView {
    /// The date.
    pub date: NaiveDate,
    /// City, in English.
    pub facility: String,
    /// Time of the last answered poll that showed the date.
    pub seen_at: DateTime<Utc>,
}

/// The latest question of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LatestQuestionView {
    /// State of the question.
    pub state: QuestionState,
    /// Date of the question.
    pub date: NaiveDate,
    /// City of the date, in English.
    pub facility: String,
    /// Time of the poll that showed the date.
    pub asked_at: DateTime<Utc>,
    /// Time until which the question can be approved.
    pub valid_until: DateTime<Utc>,
    /// Time of the city's last list, if that list still contained the date and a late approval is
    /// accepted; otherwise null.
    pub listed_at: Option<DateTime<Utc>>,
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
    /// `true` if the task stopped because a booking succeeded.
    pub auto_stopped: bool,
    /// Stage of the task, which is the dashboard's list that contains it.
    pub stage: TaskStage,
    /// The portal's identifier of the group.
    pub portal_schedule_id: String,
    /// Locale of the portal, for example `en-ca`.
    pub country_code: CountryCode,
    /// Visa type: `niv` or `iv`.
    pub visa_type: VisaType,
    /// Portal login of the task.
    pub visa_credentials: CredentialView,
    /// The group, as a list with one element.
    pub appointments: Vec<AppointmentView>,
    /// Search criteria and mode of the task.
    pub schedule_config: ConfigView,
    /// Names of the cities, in English.
    pub monitoring_cities: Vec<String>,
    /// Price of the task.
    pub price: PriceView,
    /// State of the task in the engine.
    pub engine: EngineView,
    /// The latest question of the last 24 hours; null if there is none.
    pub latest_question: Option<LatestQuestionView>,
    /// Dates that were listed in the task's cities within the last two weeks.
    pub seen_dates: Vec<SeenView>,
    /// Earliest of `seen_dates`; null if there is none.
    pub earliest_seen: Option<EarliestView>,
    /// Number of reschedules that the portal still allows.
    pub attempts_left: Option<u32>,
    /// Number of reschedules that the task has used. A reschedule with an unknown outcome counts.
    /// The user limits the number with `max_reschedules`.
    pub reschedules_used: u32,
    /// Deadline of the portal for changes.
    pub change_deadline: Option<DateTime<Utc>>,
    /// Bookings of earlier slots, newest first.
    pub success_history: Vec<SuccessView>,
    /// Version of the task; grows with each change.
    pub version: i64,
    /// Time at which a verification found the group at the portal.
    pub created_at: DateTime<Utc>,
    /// Time of the last change.
    pub updated_at: DateTime<Utc>,
    /// Time of the submission.
    pub submitted_at: Option<DateTime<Utc>>,
    /// Actions on the task, each with a reason if it is not allowed now.
    pub actions: ActionsView,
    /// Rating by the user; null if there is none.
    pub rating: Option<RatingView>,
    /// `true` if the client may ask for a rating: a booking succeeded, and the user has not rated
    /// the task or dismissed the request.
    pub rating_wanted: bool,
}

/// Returns the JSON view of a task's group.
#[must_use]
pub fn appointment(task: &Task) -> AppointmentView {
    AppointmentView {
        schedule_id: task.portal_schedule_id.0.clone(),
        ivr_account_number: task.group.ivr_account_number.clone(),
        applicant_names: task.group.applicants.iter().map(|a| a.name.clone()).collect(),
        applicant_ids: task.group.applicants.iter().filter_map(|a| a.id.clone()).collect(),
        applicants_count: task.group.party_size(),
        appointment_date: task.interview().map(|held| held.date),
        appointment_time: task.interview().map(time),
        facility: task.interview().map(|held| held.facility.name().to_owned()),
        facility_id: task.interview().map(|held| held.facility.number()),
        fingerprints: task.booked.and_then(|held| held.fingerprints).as_ref().map(NamedFingerprints::from),
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

/// Returns the JSON view of a successful booking.
#[must_use]
pub fn success(success: &Success) -> SuccessView {
    SuccessView {
        date: success.new.consular.date,
        time: time(&success.new.consular),
        to_location: success.new.consular.facility.name().to_owned(),
        fingerprints: success.new.fingerprints.as_ref().map(NamedFingerprints::from),
        timestamp: success.found_at,
        days_advanced: success.days_advanced,
        from_date: success.old.map(|old| old.consular.date),
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
