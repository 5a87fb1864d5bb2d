//! Tasks: one monitored group each, with its state, wish, price and latest verdict.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::appointment::{Group, Slot};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TransferId, UserId};
use domain::money::Money;
use domain::pricing::{DiscountKind, Discounts};
use domain::task::{Reason, TaskStatus};
use domain::verdict::Verdict;
use domain::wish::Wish;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Error, Tx, all, one, scalar};

mod beside;
mod counted;
mod multiply;
mod outline;
mod write;

pub(crate) use beside::ids_json;
pub use beside::{Beside, beside};
pub use counted::{Counted, Counts, Difference, count_from, count_up, settle_counts, shown};
pub use multiply::multiply;
pub use outline::{Glance, Outline, changed, glance, newest_change, running};
pub use write::{
    Found, count_reschedule, delete, forget_allowance, set_allowance, set_booked, set_captured, set_group,
    set_hold, set_last_read, set_price, set_status, set_verdict, set_wish, submit, sweep_drafts,
    upsert_found,
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
    pub country: String,
    /// `niv` or `iv`.
    pub visa_type: String,
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
    pub wish: Option<Wish>,
    /// Grows with each change of the wish.
    pub wish_version: i32,
    /// The operator's priority; higher is served first.
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
    pub verdict: Verdict,
    /// Since when.
    pub verdict_since: Instant,
    /// What the verdict rests on: a JSON object.
    pub verdict_evidence: Value,
    /// When the engine will try next.
    pub next_try_at: Option<Instant>,
    /// Looks that answered this task, as far as its row says; [`shown`] adds what its calendars have counted since.
    pub checks: i64,
    /// Acceptable or not, days seen in its cities.
    pub slots_seen: i64,
    /// The last look that answered it.
    pub last_check_at: Option<Instant>,
    /// What its calendars had counted when its row was written; none when no calendar counts for it.
    pub counted: Option<Counted>,
    /// When verify-credentials first found it.
    pub created_at: Instant,
    /// The last change; its version on the wire.
    pub updated_at: Instant,
    /// When its user deleted it.
    pub deleted_at: Option<Instant>,
}

/// The price a user agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedPrice {
    /// Final price per person, minor units.
    pub unit: i64,
    /// What was taken off per person.
    pub discounts: Discounts,
    /// People in the group when it was priced.
    pub applicants: u32,
    /// How many of them had nothing to pay, because an earlier capture covers them.
    pub entitled: u32,
    /// The whole price, minor units.
    pub total: i64,
}

impl AgreedPrice {
    /// A price without discounts, for people who have paid nothing before.
    #[must_use]
    pub const fn plain(unit: i64, applicants: u32) -> Self {
        let total = unit * applicants as i64;
        Self { unit, discounts: Discounts::NONE, applicants, entitled: 0, total }
    }

    /// What discounts took off per person, minor units.
    #[must_use]
    pub const fn discount(&self) -> i64 {
        self.discounts.total().minor
    }

    /// How many people pay.
    #[must_use]
    pub const fn paying(&self) -> u32 {
        self.applicants.saturating_sub(self.entitled)
    }
}

/// Discounts as they are stored: `[{"type": "promo", "amount": minor}]`.
pub(crate) fn discount_lines(discounts: &Discounts) -> Value {
    let line =
        |(kind, amount): (DiscountKind, Money)| json!({ "type": kind.as_str(), "amount": amount.minor });
    discounts.lines().map(line).collect()
}

/// Reads stored discounts; a sum without lines, of before there were any, counts as personal.
fn read_discounts(sum: i64, lines: Option<Value>) -> Result<Discounts, Error> {
    #[derive(serde::Deserialize)]
    struct Line {
        r#type: String,
        amount: i64,
    }
    let Some(lines) = lines else { return Ok(Discounts::NONE.with(DiscountKind::Personal, Money::cad(sum))) };
    let mut discounts = Discounts::NONE;
    for line in read::<Vec<Line>>("discount_lines", lines)? {
        let kind = DiscountKind::ALL.into_iter().find(|kind| kind.as_str() == line.r#type);
        let kind = kind.ok_or(Error::Corrupt("discount_lines"))?;
        discounts = discounts.with(kind, Money::cad(line.amount));
    }
    Ok(discounts)
}

/// What a task costs for the people its group has now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regrouped {
    /// The price to agree on.
    pub price: AgreedPrice,
    /// What must be set aside for it, minor units, in place of the hold there is.
    pub hold: i64,
    /// That less the hold there is.
    pub difference: i64,
}

impl Task {
    /// The price for the people its group has now, where they are not as many as were priced.
    #[must_use]
    pub fn regrouped(&self) -> Option<Regrouped> {
        let (agreed, people) = (self.price?, self.group.party_size());
        if agreed.applicants == people {
            return None;
        }
        let captured = self.captured_amount.unwrap_or(0);
        let covered = if self.captured_at.is_some() { agreed.applicants } else { agreed.entitled };
        let entitled = covered.min(people);
        let hold = agreed.unit.checked_mul(i64::from(people - entitled))?;
        let open = self.captured_at.is_none() && self.hold_id.is_some();
        let held = if open { agreed.total - captured } else { 0 };
        let price = AgreedPrice { applicants: people, entitled, total: captured + hold, ..agreed };
        Some(Regrouped { price, hold, difference: hold - held })
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
    wish: Option<Value>,
    wish_version: i32,
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
    verdict: String,
    verdict_since: DateTime<Utc>,
    verdict_evidence: Value,
    next_try_at: Option<DateTime<Utc>>,
    checks: i64,
    slots_seen: i64,
    last_check_at: Option<DateTime<Utc>>,
    counted: Option<sqlx::types::Json<Counted>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    deleted_at: Option<DateTime<Utc>>,
}

/// Reads a stored word or JSON object into its domain type.
pub(crate) fn read<T: DeserializeOwned>(what: &'static str, value: Value) -> Result<T, Error> {
    serde_json::from_value(value).map_err(|_| Error::Corrupt(what))
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
    let facility = FacilityId(u16::try_from(facility).map_err(|_| Error::Corrupt("facility"))?);
    Ok(Some(Slot { facility, date, time }))
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
                discounts: read_discounts(row.unit_discount.unwrap_or(0), row.discount_lines)?,
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
            country: row.country,
            visa_type: row.visa_type,
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
            wish: row.wish.map(|w| read("task.wish", w)).transpose()?,
            wish_version: row.wish_version,
            priority: row.priority,
            price,
            hold_id: row.hold_id.map(TransferId),
            last_read_at: row.last_read_at,
            captured_at: row.captured_at,
            captured_amount: row.captured_amount,
            submitted_at: row.submitted_at,
            verdict: read("task.verdict", Value::String(row.verdict))?,
            verdict_since: row.verdict_since,
            verdict_evidence: row.verdict_evidence,
            next_try_at: row.next_try_at,
            checks: row.checks,
            slots_seen: row.slots_seen,
            last_check_at: row.last_check_at,
            counted: row.counted.map(|counted| counted.0),
            created_at: row.created_at,
            updated_at: row.updated_at,
            deleted_at: row.deleted_at,
        })
    }
}

fn tasks(rows: Vec<Row>) -> Result<Vec<Task>, Error> {
    rows.into_iter().map(Task::try_from).collect()
}

/// One task by id, deleted ones included.
pub async fn get(tx: &mut Tx, id: TaskId) -> Result<Option<Task>, Error> {
    one!(tx, Row, "SELECT * FROM task WHERE id = $1", id.0)?.map(Task::try_from).transpose()
}

/// One task by id if `user` owns it and has not deleted it, as it is shown.
pub async fn of_user(tx: &mut Tx, user: UserId, id: TaskId) -> Result<Option<Task>, Error> {
    let row = one!(
        tx,
        Row,
        "SELECT * FROM task WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL",
        id.0,
        user.0
    )?;
    let tasks = row.map(Task::try_from).transpose()?;
    Ok(shown(tx, tasks.into_iter().collect()).await?.pop())
}

/// Every task a user ever had, deleted ones included, in the order of their ids.
pub async fn all_of_user(tx: &mut Tx, user: UserId) -> Result<Vec<Task>, Error> {
    tasks(all!(tx, Row, "SELECT * FROM task WHERE user_id = $1 ORDER BY id", user.0)?)
}

/// A page of a user's tasks, as they are shown, in the given statuses (comma-separated), newest first, and how many there are.
pub async fn list(
    tx: &mut Tx,
    user: UserId,
    statuses: &str,
    page: i64,
    page_size: i64,
) -> Result<(Vec<Task>, i64), Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT * FROM task WHERE user_id = $1 AND deleted_at IS NULL
           AND (',' || $2 || ',') LIKE ('%,' || status || ',%')
         ORDER BY COALESCE(submitted_at, created_at) DESC, created_at DESC, id DESC LIMIT $3 OFFSET $4",
        user.0,
        statuses.to_owned(),
        page_size,
        (page - 1).max(0) * page_size
    )?;
    let total = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE user_id = $1 AND deleted_at IS NULL
           AND (',' || $2 || ',') LIKE ('%,' || status || ',%')",
        user.0,
        statuses.to_owned()
    )?;
    Ok((shown(tx, tasks(rows)?).await?, total))
}

/// Every task of a user changed or looked at after `after`, deleted ones included, as shown, oldest change first.
pub async fn changed_of_user(tx: &mut Tx, user: UserId, after: Instant) -> Result<Vec<Task>, Error> {
    let sql = tx.pick(
        "SELECT * FROM task WHERE user_id = $1 AND status NOT IN ('draft', 'configured')
           AND (updated_at > $2 OR EXISTS (SELECT 1 FROM json_each(task.counted) AS had
             JOIN calendar ON calendar.key = had.key WHERE calendar.moved_at > $2))
         ORDER BY updated_at LIMIT 200",
        "SELECT * FROM task WHERE user_id = $1 AND status NOT IN ('draft', 'configured')
           AND (updated_at > $2 OR EXISTS (SELECT 1 FROM jsonb_object_keys(task.counted) AS had (key)
             JOIN calendar ON calendar.key = had.key WHERE calendar.moved_at > $2))
         ORDER BY updated_at LIMIT 200",
    );
    let changed = tasks(all!(tx, Row, sql, user.0, after)?)?;
    let mut changed = shown(tx, changed).await?;
    changed.sort_by_key(|task| task.updated_at);
    Ok(changed)
}

/// The tasks of one portal group that nobody has deleted, any user.
pub async fn of_group(tx: &mut Tx, country: &str, group: &PortalScheduleId) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE country = $1 AND portal_schedule_id = $2 AND deleted_at IS NULL ORDER BY created_at",
        country.to_owned(),
        group.0.clone()
    )?)
}

/// The tasks that use a credential and are not deleted.
pub async fn of_credential(tx: &mut Tx, credential: CredentialId) -> Result<Vec<Task>, Error> {
    tasks(all!(tx, Row, "SELECT * FROM task WHERE credential_id = $1 AND deleted_at IS NULL", credential.0)?)
}

/// Deleted tasks whose hold is still open and whose bookings are all settled. A success that was paid does not keep a hold
/// for people who joined since.
pub async fn deleted_with_hold(tx: &mut Tx) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE deleted_at IS NOT NULL AND hold_id IS NOT NULL AND captured_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM intent WHERE intent.task_id = task.id
             AND (state IN ('armed', 'acting', 'unknown') OR (state = 'confirmed' AND task.captured_amount IS NULL)))
         LIMIT 100"
    )?)
}

/// Deleted tasks whose portal is read once more by now (portal time), with their logins.
pub async fn last_reads(tx: &mut Tx, now: Instant) -> Result<Vec<(TaskId, PortalAccountId)>, Error> {
    let rows = all!(
        tx,
        (Uuid, Uuid),
        "SELECT id, portal_account_id FROM task WHERE last_read_at <= $1 ORDER BY last_read_at LIMIT 100",
        now
    )?;
    Ok(rows.into_iter().map(|(task, account)| (TaskId(task), PortalAccountId(account))).collect())
}

/// A user's figures over all tasks ever submitted.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub struct Figures {
    /// Looks that answered any of them.
    pub checks: i64,
    /// Ever submitted, deleted ones included.
    pub submitted: i64,
    /// With at least one success.
    pub succeeded: i64,
    /// Being watched.
    pub active: i64,
}

/// Sums a user's tasks up.
pub async fn figures(tx: &mut Tx, user: UserId, active: &str) -> Result<Figures, Error> {
    let row = one!(
        tx,
        Figures,
        "SELECT CAST(COALESCE(SUM(checks), 0) AS BIGINT) AS checks, COUNT(*) AS submitted,
           CAST(COALESCE(SUM(CASE WHEN EXISTS (SELECT 1 FROM success WHERE success.task_id = task.id)
             THEN 1 ELSE 0 END), 0) AS BIGINT) AS succeeded,
           CAST(COALESCE(SUM(CASE WHEN status = $2 AND deleted_at IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS active
         FROM task WHERE user_id = $1 AND submitted_at IS NOT NULL",
        user.0,
        active.to_owned()
    )?;
    let mut figures = row.ok_or(Error::Corrupt("figures"))?;
    let watched = all!(tx, Row, "SELECT * FROM task WHERE user_id = $1 AND counted IS NOT NULL", user.0)?;
    let watched = tasks(watched)?;
    let written: i64 = watched.iter().map(|task| task.checks).sum();
    let counted: i64 = shown(tx, watched).await?.iter().map(|task| task.checks).sum();
    figures.checks += counted - written;
    Ok(figures)
}

/// How many running tasks are told `verdict`.
pub async fn running_with_verdict(tx: &mut Tx, verdict: Verdict) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE deleted_at IS NULL AND status IN ('submitted', 'processing', 'active')
           AND verdict = $1",
        verdict.as_str()
    )
}

/// Tasks whose booking is confirmed and whose hold is still open: money was frozen meanwhile. Not those that were paid once
/// and have a hold for people who joined since: the booking of before does not pay for them.
pub async fn owed(tx: &mut Tx) -> Result<Vec<Task>, Error> {
    tasks(all!(
        tx,
        Row,
        "SELECT * FROM task WHERE captured_at IS NULL AND captured_amount IS NULL AND hold_id IS NOT NULL
           AND id IN (SELECT task_id FROM intent WHERE state = 'confirmed') LIMIT 100"
    )?)
}
