//! A task as it goes over the wire.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use domain::appointment::Slot;
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::money::Money;
use serde::Serialize;
use serde_json::{Value, json};
use store::Tx;
use store::journal::Success;
use store::task::Task;
use utoipa::ToSchema;

use super::params::SearchParams;
use crate::error::ApiError;

/// How long a seen day stays on the date line.
const SEEN_FOR: TimeDelta = TimeDelta::days(14);
const SEEN_DAYS: usize = 60;

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
    /// `attend_appointment`, `schedule_appointment`, `pay_visa_fee`, `interview`, `expired` or `unknown`.
    pub status: String,
    /// The day the visa fee stops being valid, when the portal shows the receipt.
    pub payment_expiry_date: Option<NaiveDate>,
    /// Third-country national, when asked.
    pub is_tcn_yes: Option<bool>,
    /// The class as the portal prints it.
    pub visa_class: Option<String>,
    /// `niv` or `iv`.
    pub visa_type: String,
    /// The portal's locale.
    pub country_code: String,
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
    /// `valid`, `rejected`, `locked`, `captcha` or `cooling`.
    pub health: String,
    /// Since when.
    pub health_since: Option<DateTime<Utc>>,
}

/// The parameters a task works by.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ConfigView {
    /// What it accepts.
    pub search_params: Option<SearchParams>,
    /// Only tell, never book.
    pub keep_current_appointment: bool,
    /// The whole price.
    pub balance_total: f64,
    /// The operator's priority, when one was set.
    pub priority: Option<f64>,
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
}

/// What the engine says of a task.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EngineView {
    /// Looks that answered it.
    pub checks: i64,
    /// The last of them.
    pub last_check_at: Option<DateTime<Utc>>,
    /// The next, at the soonest.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Days that appeared in its cities.
    pub slots_seen: i64,
    /// What it means.
    pub verdict: VerdictView,
}

/// A verdict with its evidence.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct VerdictView {
    /// A stable word, e.g. `watching`.
    pub code: String,
    /// Since when.
    pub since: DateTime<Utc>,
    /// The next try, when it waits for one.
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
    /// When it last appeared.
    pub last_seen_at: DateTime<Utc>,
}

/// The earliest day on the lists as they stand.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EarliestView {
    /// The day.
    pub date: NaiveDate,
    /// The city, in English.
    pub facility: String,
    /// When it last appeared.
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
    /// The portal's number of the group.
    pub portal_schedule_id: String,
    /// The portal's locale.
    pub country_code: String,
    /// `niv` or `iv`.
    pub visa_type: String,
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
        status: task.group.status.as_str().to_owned(),
        payment_expiry_date: task.group.fee_expires_on(),
        is_tcn_yes: task.group.is_tcn,
        visa_class: task.group.visa_class.clone(),
        visa_type: task.visa_type.clone(),
        country_code: task.country.clone(),
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

fn price(task: &Task) -> PriceView {
    let wire = |minor: i64| Money::cad(minor).to_wire();
    let total = task.price.map_or(0, |p| p.total);
    let captured = task.captured_amount.unwrap_or(0);
    let open = task.captured_at.is_none();
    PriceView {
        unit_price: wire(task.price.map_or(0, |p| p.unit)),
        discount: wire(task.price.map_or(0, |p| p.discount())),
        applicants_count: task.price.map_or_else(|| task.group.party_size(), |p| p.applicants),
        total: wire(total),
        on_hold: wire(if open && task.hold_id.is_some() { total } else { 0 }),
        captured: wire(captured),
        unpaid_remainder: wire(if open { total } else { 0 }),
        currency: "CAD".to_owned(),
        captured_at: task.captured_at,
    }
}

/// Builds the whole view of a task; a handful of reads.
pub async fn task(tx: &mut Tx, task: &Task, now: Instant) -> Result<TaskView, ApiError> {
    let credential = match task.credential_id {
        Some(id) => store::credential::get(tx, id).await?,
        None => None,
    };
    let account = store::portal_account::get(tx, task.portal_account_id).await?;
    let (seen, cities_seen) = seen_days(tx, task, now).await?;
    let successes = store::journal::successes(tx, task.id).await?;
    let earliest = seen.iter().min_by_key(|s| s.date).map(|s| EarliestView {
        date: s.date,
        facility: s.facility.clone(),
        seen_at: s.last_seen_at,
    });
    let health = match (&credential, account) {
        (Some(c), _) if c.health != "valid" => (c.health.clone(), Some(c.health_since)),
        (Some(_), Some(a)) => (a.health.clone(), Some(a.health_since)),
        (Some(c), None) => (c.health.clone(), Some(c.health_since)),
        (None, _) => ("deleted".to_owned(), None),
    };
    let wish = task.wish.as_ref();
    Ok(TaskView {
        id: task.id.0,
        status: task.status.as_str().to_owned(),
        status_reason: task.reason.map(|r| r.as_str().to_owned()),
        status_since: task.status_since,
        auto_stopped: task.reason == Some(domain::task::Reason::AutoStop),
        portal_schedule_id: task.portal_schedule_id.0.clone(),
        country_code: task.country.clone(),
        visa_type: task.visa_type.clone(),
        visa_credentials: CredentialView {
            username: credential.map(|c| c.username).unwrap_or_default(),
            health: health.0,
            health_since: health.1,
        },
        appointments: vec![appointment(task)],
        schedule_config: ConfigView {
            search_params: wish.map(SearchParams::of),
            keep_current_appointment: wish.is_some_and(|w| w.notify_only),
            balance_total: Money::cad(task.price.map_or(0, |p| p.total)).to_wire(),
            priority: (task.priority != 0).then(|| f64::from(task.priority)),
        },
        monitoring_cities: wish
            .map(|w| w.cities.iter().map(|c| c.name().to_owned()).collect())
            .unwrap_or_default(),
        price: price(task),
        engine: engine(task, earliest.as_ref(), cities_seen),
        seen_dates: seen,
        earliest_seen: earliest,
        attempts_left: task.attempts_left,
        change_deadline: task.change_deadline,
        success_history: successes.iter().map(success).collect(),
        version: task.version(),
        created_at: task.created_at,
        updated_at: task.updated_at,
        submitted_at: task.submitted_at,
    })
}

/// What the engine says; the margins are reckoned here, so that they are never older than the page.
#[must_use]
pub fn engine(task: &Task, earliest: Option<&EarliestView>, cities_seen: usize) -> EngineView {
    let mut evidence = task.verdict_evidence.clone();
    if let (Some(object), Some(earliest)) = (evidence.as_object_mut(), earliest) {
        object.insert(
            "earliest_seen".to_owned(),
            json!({ "date": earliest.date, "facility": earliest.facility }),
        );
        let over = task.wish.as_ref().map(|w| (earliest.date - w.end_date).num_days());
        object.insert("days_after_window".to_owned(), json!(over.map(|d| d.max(0))));
    }
    if let Some(object) = evidence.as_object_mut() {
        object.insert("cities_seen".to_owned(), json!(cities_seen));
    }
    EngineView {
        checks: task.checks,
        last_check_at: task.last_check_at,
        next_check_at: task.next_try_at.filter(|_| task.status.is_running()),
        slots_seen: task.slots_seen,
        verdict: VerdictView {
            code: task.verdict.as_str().to_owned(),
            since: task.verdict_since,
            next_try_at: task.next_try_at,
            evidence,
        },
    }
}

/// Days seen in the task's cities, and how many of the cities have been looked at.
async fn seen_days(tx: &mut Tx, task: &Task, now: Instant) -> Result<(Vec<SeenView>, usize), ApiError> {
    let Some(wish) = &task.wish else { return Ok((Vec::new(), 0)) };
    let mut looked = 0;
    let kind = Kind::of(&task.country, &task.visa_type, &task.group, task.booked.is_some());
    let mut days = Vec::new();
    for city in &wish.cities {
        let key = CalendarKey { kind: kind.clone(), facility: *city };
        let today = city.today(now);
        looked += usize::from(store::observation::last_look(tx, &key).await?.is_some());
        for seen in store::observation::seen_days(tx, &key, now - SEEN_FOR, SEEN_DAYS as i64).await? {
            if seen.day < today {
                continue;
            }
            days.push(SeenView {
                date: seen.day,
                facility: city.name().to_owned(),
                wanted: wish.judge(*city, seen.day, task.booked.as_ref(), today).is_ok(),
                last_seen_at: seen.last_seen_at,
            });
        }
    }
    days.sort_by_key(|d| d.date);
    days.truncate(SEEN_DAYS);
    Ok((days, looked))
}
