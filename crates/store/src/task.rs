//! Tasks: one monitored group each, with its state, criteria, price and latest condition.

use domain::country::{CountryCode, VisaType};
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::appointment::{Group, Slot};
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
pub use changes::{Change, Moved, changed_of_user, moved_users};
pub use counted::{Counted, Counts, Difference, count_from, count_up, settle_counts, shown};
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

/// A task as it stands in the database.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its id (`schedule_id` on the wire).
    pub id: TaskId,
    /// Whose it is.
    pub user_id: UserId,
    /// The secret it signs in with; none once the secret was deleted.
    pub credential_id: Option<CredentialId>,
    /// The portal login it belongs to.
    pub portal_account_id: PortalAccountId,
    /// The portal's locale, e.g. `en-ca`.
    pub country: CountryCode,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
    /// The portal's number of the group.
    pub portal_schedule_id: PortalScheduleId,
    /// Where it stands.
    pub status: TaskStatus,
    /// Why it stands there.
    pub reason: Option<Reason>,
    /// Since when.
    pub status_since: Instant,
    /// The group as it was last read.
    pub group: Group,
    /// When it was last read.
    pub group_read_at: Instant,
    /// The appointment the group holds.
    pub booked: Option<Slot>,
    /// Reschedules the portal still allows, when it said so.
    pub attempts_left: Option<u32>,
    /// The portal's deadline for changes, when known.
    pub change_deadline: Option<Instant>,
    /// Reschedules this task has used, unknown outcomes included.
    pub reschedules_used: u32,
    /// What it accepts; none while a draft.
    pub criteria: Option<SearchCriteria>,
    /// Grows with each change of the criteria.
    pub criteria_version: i32,
    /// The operator's priority (`domain::task::priority`); higher is served first.
    pub priority: i32,
    /// What was agreed at submit.
    pub price: Option<AgreedPrice>,
    /// The hold for it, if one was ever needed.
    pub hold_id: Option<TransferId>,
    /// When it is read once more although it was deleted (portal time).
    pub last_read_at: Option<Instant>,
    /// When it was paid.
    pub captured_at: Option<Instant>,
    /// What was paid, in minor units.
    pub captured_amount: Option<i64>,
    /// When it was submitted.
    pub submitted_at: Option<Instant>,
    /// What its user is told.
    pub condition: TaskCondition,
    /// Since when.
    pub condition_since: Instant,
    /// What the condition rests on: a JSON object.
    pub condition_evidence: Value,
    /// The wait that was written with its condition (portal time); [`watches`] derives when it is polled next.
    pub next_try_at: Option<Instant>,
    /// Polls that answered this task, as far as its row says; [`shown`] adds what its calendars have counted since.
    pub checks: i64,
    /// Acceptable or not, days seen in its cities.
    pub slots_seen: i64,
    /// The last poll that answered it.
    pub last_check_at: Option<Instant>,
    /// What its calendars had counted when its row was written; none when no calendar counts for it.
    pub counted: Option<Counted>,
    /// When that was written (portal time): since then its calendars answer it.
    pub counted_at: Option<Instant>,
    /// When verify-credentials first found it.
    pub created_at: Instant,
    /// The last change; its version on the wire.
    pub updated_at: Instant,
    /// When its user deleted it.
    pub deleted_at: Option<Instant>,
}

impl Task {
    /// Reschedules left and used.
    #[must_use]
    pub const fn attempts(&self) -> Attempts {
        Attempts { left: self.attempts_left, used_here: self.reschedules_used }
    }

    /// What it may still change; none while a draft.
    #[must_use]
    pub fn allowance(&self) -> Option<Allowance<'_>> {
        let (booked, change_deadline) = (self.booked.as_ref(), self.change_deadline);
        self.criteria.as_ref().map(|criteria| Allowance {
            criteria,
            booked,
            change_deadline,
            attempts: self.attempts(),
        })
    }

    /// The number that grows with each change.
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
    counted: Option<sqlx::types::Json<Counted>>,
    counted_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
}

/// Reads a stored word or JSON object into its domain type.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|_| Error::Corrupt(what))
}

/// Reads a stored word of a list.
pub(crate) fn word<T: FromStr>(what: &'static str, word: &str) -> Result<T, Error> {
    word.parse().map_err(|_| Error::Corrupt(what))
}

/// Reads a stored facility number.
pub(crate) fn facility(number: i32) -> Result<FacilityId, Error> {
    let known = u16::try_from(number).ok().and_then(|number| FacilityId::try_from(number).ok());
    known.ok_or(Error::Corrupt("facility"))
}

/// Reads a stored slot from its three columns.
pub(crate) fn slot(
    facility: Option<i32>,
    date: Option<NaiveDate>,
    time: Option<&str>,
) -> Result<Option<Slot>, Error> {
    let (Some(facility), Some(date), Some(time)) = (facility, date, time) else {
        return Ok(None);
    };
    let time = NaiveTime::parse_from_str(time, "%H:%M").map_err(|_| Error::Corrupt("time"))?;
    Ok(Some(Slot { facility: self::facility(facility)?, date, time }))
}

/// A time as it is stored, `HH:MM`.
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
        Ok(Self {
            id: TaskId(row.id),
            user_id: UserId(row.user_id),
            credential_id: row.credential_id.map(CredentialId),
            portal_account_id: PortalAccountId(row.portal_account_id),
            country: word("task.country", &row.country)?,
            visa_type: word("task.visa_type", &row.visa_type)?,
            portal_schedule_id: PortalScheduleId(row.portal_schedule_id),
            status: TaskStatus::parse(&row.status).ok_or(Error::Corrupt("task.status"))?,
            reason: row.reason.map(|r| read("task.reason", Value::String(r))).transpose()?,
            status_since: row.status_since,
            group: read("task.applicant_group", row.applicant_group)?,
            group_read_at: row.group_read_at,
            booked: slot(row.booked_facility, row.booked_date, row.booked_time.as_deref())?,
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
