//! Tasks: one monitored group each, with its state, criteria, price and latest condition.

use domain::country::{CountryCode, VisaType};
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::appointment::{Appointment, FingerprintSlot, Group, Slot};
use domain::booking::{Allowance, Attempts};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TransferId, UserId};
use domain::task::{Reason, TaskStatus};
use serde::de::DeserializeOwned;
use serde_json::Value;
use uuid::Uuid;

use crate::Error;

mod bench_seed;
mod changes;
mod counted;
mod doubt;
mod find;
mod outline;
mod price;
mod relations;
mod watch;
mod write;

pub use bench_seed::multiply;
pub use changes::{Change, ChangedUser, changed_of_user, moved_users};
pub use counted::{Counts, CountsByCalendar, Difference, count_from, count_up, settle_counts, shown};
pub use doubt::{doubt, set_doubt};
pub use find::{
    Listing, TaskStats, TroubledTasks, all_of_user, deleted_with_hold, get, last_reads, list, of_credential,
    of_group, of_user, owed, still_with_hold, task_stats, troubled,
};
pub use outline::{ChangeMarker, Outline, change_marker, changed, newest_change, running};
pub(crate) use price::discount_lines;
pub use price::{AgreedPrice, Regrouped};
pub(crate) use relations::ids_json;
pub use relations::{Relations, relations_of};
pub use watch::{CityWatch, TaskWatch, watches};
pub use write::{
    FoundGroup, count_reschedule, delete, forget_allowance, set_allowance, set_booked, set_captured,
    set_condition, set_criteria, set_group, set_hold, set_last_read, set_price, set_priority, set_status,
    submit, sweep_drafts, touch, upsert_found,
};

/// Task as stored in the database.
#[derive(Clone, Debug)]
pub struct Task {
    /// Id of the task (`schedule_id` on the wire).
    pub id: TaskId,
    /// User who owns the task.
    pub user_id: UserId,
    /// Secret that the task signs in with. `None` after the secret was deleted.
    pub credential_id: Option<CredentialId>,
    /// Portal account of the task.
    pub portal_account_id: PortalAccountId,
    /// Locale of the portal, e.g. `en-ca`.
    pub country: CountryCode,
    /// Visa type: `niv` or `iv`.
    pub visa_type: VisaType,
    /// Number of the group at the portal.
    pub portal_schedule_id: PortalScheduleId,
    /// Current status.
    pub status: TaskStatus,
    /// Reason for the status.
    pub reason: Option<Reason>,
    /// Time at which the status began.
    pub status_since: Instant,
    /// Group as last read from the portal.
    pub group: Group,
    /// Time at which the group was last read.
    pub group_read_at: Instant,
    /// Appointment that the group holds.
    pub booked: Option<Appointment>,
    /// Number of reschedules that the portal still allows, if the portal stated it.
    pub attempts_left: Option<u32>,
    /// Portal's deadline for changes, if known.
    pub change_deadline: Option<Instant>,
    /// Number of reschedules that this task has used, unknown outcomes included.
    pub reschedules_used: u32,
    /// Accepted cities and dates. `None` while the task is a draft.
    pub criteria: Option<SearchCriteria>,
    /// Version of the criteria; it grows with each change of them.
    pub criteria_version: i32,
    /// Priority set by the operator (`domain::task::priority`). Higher values are served first.
    pub priority: i32,
    /// Price that the user agreed to at submit.
    pub price: Option<AgreedPrice>,
    /// Ledger hold for the price, if one was ever needed.
    pub hold_id: Option<TransferId>,
    /// Time of the final reading, after which the hold is resolved (portal time). `None` if none is
    /// planned.
    pub last_read_at: Option<Instant>,
    /// Time of the capture.
    pub captured_at: Option<Instant>,
    /// Captured amount, in minor units.
    pub captured_amount: Option<i64>,
    /// Time of the submit.
    pub submitted_at: Option<Instant>,
    /// Condition shown to the user.
    pub condition: TaskCondition,
    /// Time at which the condition began.
    pub condition_since: Instant,
    /// Facts behind the condition: a JSON object.
    pub condition_evidence: Value,
    /// Wait that was written with the condition (portal time). [`watches`] derives the time of the
    /// next poll.
    pub next_try_at: Option<Instant>,
    /// Number of polls that covered this task, as counted in its row. [`shown`] adds the polls that
    /// its calendars have counted since.
    pub checks: i64,
    /// Number of days seen in the task's cities, acceptable or not.
    pub slots_seen: i64,
    /// Time of the last poll that covered the task.
    pub last_check_at: Option<Instant>,
    /// Counts of the task's calendars at the time its row was written. `None` if no calendar counts
    /// for the task.
    pub counted: Option<CountsByCalendar>,
    /// Time at which `counted` was written (portal time). Since then polls of its calendars cover
    /// the task.
    pub counted_at: Option<Instant>,
    /// Time at which verify-credentials first found the group.
    pub created_at: Instant,
    /// Time of the last change, which is the version on the wire.
    pub updated_at: Instant,
    /// Time at which the user deleted the task.
    pub deleted_at: Option<Instant>,
}

impl Task {
    /// Returns the numbers of reschedules left and used.
    #[must_use]
    pub const fn attempts(&self) -> Attempts {
        Attempts { left: self.attempts_left, used_here: self.reschedules_used }
    }

    /// Returns the changes that the task may still make. `None` while it is a draft.
    #[must_use]
    pub fn allowance(&self) -> Option<Allowance<'_>> {
        let (booked, change_deadline) = (self.interview(), self.change_deadline);
        self.criteria.as_ref().map(|criteria| Allowance {
            criteria,
            booked,
            change_deadline,
            attempts: self.attempts(),
        })
    }

    /// Returns the interview that the group holds.
    #[must_use]
    pub fn interview(&self) -> Option<&Slot> {
        self.booked.as_ref().map(|booked| &booked.consular)
    }

    /// Returns the version number, which grows with each change.
    #[must_use]
    pub fn version(&self) -> i64 {
        self.updated_at.timestamp_micros()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    user_id: Uuid,
    credential_id: Option<Uuid>,
    portal_account_id: Uuid,
    country: String,
    visa_type: String,
    portal_schedule_id: String,
    status: String,
    reason: Option<String>,
    status_since: DateTime<Utc>,
    applicant_group: Value,
    group_read_at: DateTime<Utc>,
    booked_facility: Option<i32>,
    booked_date: Option<NaiveDate>,
    booked_time: Option<String>,
    booked_fingerprints_city: Option<String>,
    booked_fingerprints_date: Option<NaiveDate>,
    booked_fingerprints_time: Option<String>,
    attempts_left: Option<i32>,
    change_deadline: Option<DateTime<Utc>>,
    reschedules_used: i32,
    #[sqlx(rename = "wish")]
    criteria: Option<Value>,
    #[sqlx(rename = "wish_version")]
    criteria_version: i32,
    priority: i32,
    unit_price: Option<i64>,
    unit_discount: Option<i64>,
    priced_for: Option<i32>,
    total_price: Option<i64>,
    discount_lines: Option<Value>,
    priced_entitled: i32,
    last_read_at: Option<DateTime<Utc>>,
    hold_id: Option<Uuid>,
    captured_at: Option<DateTime<Utc>>,
    captured_amount: Option<i64>,
    submitted_at: Option<DateTime<Utc>>,
    #[sqlx(rename = "verdict")]
    condition: String,
    #[sqlx(rename = "verdict_since")]
    condition_since: DateTime<Utc>,
    #[sqlx(rename = "verdict_evidence")]
    condition_evidence: Value,
    next_try_at: Option<DateTime<Utc>>,
    checks: i64,
    slots_seen: i64,
    last_check_at: Option<DateTime<Utc>>,
    counted: Option<sqlx::types::Json<CountsByCalendar>>,
    counted_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
}

/// Converts a stored JSON value to its domain type.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|_| Error::Corrupt(what))
}

/// Converts a stored enum text to its domain type.
pub(crate) fn parse_stored<T: FromStr>(what: &'static str, word: &str) -> Result<T, Error> {
    word.parse().map_err(|_| Error::Corrupt(what))
}

/// Converts a stored facility number to a facility.
pub(crate) fn facility(number: i32) -> Result<FacilityId, Error> {
    let known = u16::try_from(number).ok().and_then(|number| FacilityId::try_from(number).ok());
    known.ok_or(Error::Corrupt("facility"))
}

/// Builds a slot from its three stored columns. Returns `None` if any of them is missing.
pub(crate) fn slot(
    facility: Option<i32>,
    date: Option<NaiveDate>,
    time: Option<&str>,
) -> Result<Option<Slot>, Error> {
    let (Some(facility), Some(date), Some(time)) = (facility, date, time) else {
        return Ok(None);
    };
    Ok(Some(Slot { facility: self::facility(facility)?, date, time: read_time(time)? }))
}

/// Builds a fingerprint slot from its three stored columns. Returns `None` if any of them is
/// missing.
pub(crate) fn fingerprint_slot(
    city: Option<&str>,
    date: Option<NaiveDate>,
    time: Option<&str>,
) -> Result<Option<FingerprintSlot>, Error> {
    let (Some(city), Some(date), Some(time)) = (city, date, time) else {
        return Ok(None);
    };
    Ok(Some(FingerprintSlot { city: parse_stored("city", city)?, date, time: read_time(time)? }))
}

fn read_time(text: &str) -> Result<NaiveTime, Error> {
    NaiveTime::parse_from_str(text, "%H:%M").map_err(|_| Error::Corrupt("time"))
}

/// Formats a time as stored, `HH:MM`.
pub(crate) fn time_text(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

fn count(value: i32) -> u32 {
    u32::try_from(value).unwrap_or_default()
}

impl TryFrom<Row> for Task {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let price = match row.unit_price.zip(row.priced_for) {
            Some((unit, applicants)) => Some(AgreedPrice {
                unit,
                discounts: price::read_discounts(row.unit_discount.unwrap_or(0), row.discount_lines)?,
                applicants: count(applicants),
                entitled: count(row.priced_entitled),
                total: row.total_price.unwrap_or(0),
            }),
            None => None,
        };
        let fingerprints = fingerprint_slot(
            row.booked_fingerprints_city.as_deref(),
            row.booked_fingerprints_date,
            row.booked_fingerprints_time.as_deref(),
        )?;
        Ok(Self {
            id: TaskId(row.id),
            user_id: UserId(row.user_id),
            credential_id: row.credential_id.map(CredentialId),
            portal_account_id: PortalAccountId(row.portal_account_id),
            country: parse_stored("task.country", &row.country)?,
            visa_type: parse_stored("task.visa_type", &row.visa_type)?,
            portal_schedule_id: PortalScheduleId(row.portal_schedule_id),
            status: TaskStatus::parse(&row.status).ok_or(Error::Corrupt("task.status"))?,
            reason: row.reason.map(|r| read("task.reason", Value::String(r))).transpose()?,
            status_since: row.status_since,
            group: read("task.applicant_group", row.applicant_group)?,
            group_read_at: row.group_read_at,
            booked: slot(row.booked_facility, row.booked_date, row.booked_time.as_deref())?
                .map(|consular| Appointment { consular, fingerprints }),
            attempts_left: row.attempts_left.map(count),
            change_deadline: row.change_deadline,
            reschedules_used: count(row.reschedules_used),
            criteria: row.criteria.map(|w| read("task.wish", w)).transpose()?,
            criteria_version: row.criteria_version,
            priority: row.priority,
            price,
            hold_id: row.hold_id.map(TransferId),
            last_read_at: row.last_read_at,
            captured_at: row.captured_at,
            captured_amount: row.captured_amount,
            submitted_at: row.submitted_at,
            condition: read("task.verdict", Value::String(row.condition))?,
            condition_since: row.condition_since,
            condition_evidence: row.condition_evidence,
            next_try_at: row.next_try_at,
            checks: row.checks,
            slots_seen: row.slots_seen,
            last_check_at: row.last_check_at,
            counted: row.counted.map(|counted| counted.0),
            counted_at: row.counted_at,
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: row.deleted_at,
        })
    }
}

fn tasks(rows: Vec<Row>) -> Result<Vec<Task>, Error> {
    rows.into_iter().map(Task::try_from).collect()
}
