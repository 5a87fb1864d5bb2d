//! Changes of a task. Each sets `updated_at`, which is the version of the task.

use domain::appointment::{Appointment, Group};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::country::{CountryCode, VisaType};
use domain::criteria::SearchCriteria;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TransferId, UserId};
use domain::task::{Reason, TaskStatus};
use serde_json::Value;
use uuid::Uuid;

use super::{AgreedPrice, time_text};
use crate::{Error, Tx, exec, scalar};

/// Group as found by verify-credentials.
#[derive(Clone, Debug)]
pub struct FoundGroup {
    /// New id, used if the group is new for this user.
    pub id: TaskId,
    /// User who verifies the credentials.
    pub user_id: UserId,
    /// Secret that was just tested.
    pub credential_id: CredentialId,
    /// Portal account of the secret.
    pub portal_account_id: PortalAccountId,
    /// Locale of the portal.
    pub country: CountryCode,
    /// Visa type: `niv` or `iv`.
    pub visa_type: VisaType,
    /// Number of the group at the portal.
    pub portal_schedule_id: PortalScheduleId,
    /// Applicants and visa classes.
    pub group: Group,
    /// Appointment that the group holds.
    pub booked: Option<Appointment>,
}

/// Inserts a draft for a found group, or refreshes the user's task for it. Never resets a status.
pub async fn upsert_found(tx: &mut Tx, found: &FoundGroup, now: Instant) -> Result<TaskId, Error> {
    let group = serde_json::to_value(&found.group).map_err(|_| Error::Corrupt("group"))?;
    let existing = scalar!(
        tx,
        Option<Uuid>,
        "SELECT (SELECT id FROM task WHERE user_id = $1 AND country = $2 AND portal_schedule_id = $3
           AND deleted_at IS NULL)",
        found.user_id.0,
        found.country.as_str(),
        found.portal_schedule_id.0.clone()
    )?;
    if let Some(id) = existing {
        // The engine compares the appointment and group of a submitted task. A change written here
        // would go unnoticed there.
        exec!(
            tx,
            "UPDATE task SET credential_id = $2, portal_account_id = $3, updated_at = $4,
               applicant_group = CASE WHEN status IN ('draft', 'configured') THEN $5 ELSE applicant_group END
             WHERE id = $1",
            id,
            found.credential_id.0,
            found.portal_account_id.0,
            now,
            group
        )?;
        let editable = scalar!(
            tx,
            i64,
            "SELECT COUNT(*) FROM task WHERE id = $1 AND status IN ('draft', 'configured')",
            id
        )?;
        if editable == 1 {
            set_booked(tx, TaskId(id), found.booked, now).await?;
        }
        return Ok(TaskId(id));
    }
    exec!(
        tx,
        "INSERT INTO task (id, user_id, credential_id, portal_account_id, country, visa_type, portal_schedule_id,
           status, status_since, applicant_group, group_read_at, verdict, verdict_since, verdict_evidence,
           created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'draft', $8, $9, $8, 'waiting_first_look', $8, $10, $8, $8)",
        found.id.0,
        found.user_id.0,
        found.credential_id.0,
        found.portal_account_id.0,
        found.country.as_str(),
        found.visa_type.as_str(),
        found.portal_schedule_id.0.clone(),
        now,
        group,
        serde_json::json!({})
    )?;
    set_booked(tx, found.id, found.booked, now).await?;
    Ok(found.id)
}

/// Records the appointment that the portal shows for the group.
pub async fn set_booked(
    tx: &mut Tx,
    id: TaskId,
    booked: Option<Appointment>,
    now: Instant,
) -> Result<(), Error> {
    let interview = booked.map(|booked| booked.consular);
    let fingerprints = booked.and_then(|booked| booked.fingerprints);
    exec!(
        tx,
        "UPDATE task SET booked_facility = $2, booked_date = $3, booked_time = $4, booked_fingerprints_city = $5,
           booked_fingerprints_date = $6, booked_fingerprints_time = $7, group_read_at = $8, updated_at = $8
         WHERE id = $1",
        id.0,
        interview.map(|slot| i32::from(slot.facility.number())),
        interview.map(|slot| slot.date),
        interview.map(|slot| time_text(slot.time)),
        fingerprints.map(|slot| slot.city.to_string()),
        fingerprints.map(|slot| slot.date),
        fingerprints.map(|slot| time_text(slot.time)),
        now
    )?;
    Ok(())
}

/// Records the group as just read.
pub async fn set_group(tx: &mut Tx, id: TaskId, group: &Group, now: Instant) -> Result<(), Error> {
    let group = serde_json::to_value(group).map_err(|_| Error::Corrupt("group"))?;
    exec!(
        tx,
        "UPDATE task SET applicant_group = $2, group_read_at = $3, updated_at = $3 WHERE id = $1",
        id.0,
        group,
        now
    )?;
    Ok(())
}

/// Records the values of the limit page and the instructions page. `None` leaves the stored value.
pub async fn set_allowance(
    tx: &mut Tx,
    id: TaskId,
    attempts_left: Option<u32>,
    change_deadline: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET attempts_left = COALESCE($2, attempts_left),
           change_deadline = COALESCE($3, change_deadline), updated_at = $4 WHERE id = $1",
        id.0,
        attempts_left.map(|a| i32::try_from(a).unwrap_or(i32::MAX)),
        change_deadline,
        now
    )?;
    Ok(())
}

/// Clears the reschedules left and the deadline, because they were read for an appointment that the
/// group no longer holds.
pub async fn forget_allowance(tx: &mut Tx, id: TaskId, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET attempts_left = NULL, change_deadline = NULL, updated_at = $2 WHERE id = $1",
        id.0,
        now
    )?;
    Ok(())
}

/// Adds `by` to the number of used reschedules.
pub async fn count_reschedule(tx: &mut Tx, id: TaskId, by: i32, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET reschedules_used = reschedules_used + $2, updated_at = $3 WHERE id = $1",
        id.0,
        by,
        now
    )?;
    Ok(())
}

/// Sets the criteria. A draft becomes configured.
pub async fn set_criteria(
    tx: &mut Tx,
    id: TaskId,
    criteria: &SearchCriteria,
    now: Instant,
) -> Result<(), Error> {
    let criteria = serde_json::to_value(criteria).map_err(|_| Error::Corrupt("wish"))?;
    exec!(
        tx,
        "UPDATE task SET wish = $2, wish_version = wish_version + 1, updated_at = $3,
           status_since = CASE WHEN status = 'draft' THEN $3 ELSE status_since END,
           status = CASE WHEN status = 'draft' THEN 'configured' ELSE status END WHERE id = $1",
        id.0,
        criteria,
        now
    )?;
    Ok(())
}

/// Sets the priority over other tasks (`domain::task::priority`).
pub async fn set_priority(tx: &mut Tx, id: TaskId, priority: i32, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE task SET priority = $2, updated_at = $3 WHERE id = $1", id.0, priority, now)?;
    Ok(())
}

/// Submits a configured task, which fixes its price, hold and rank. Returns `false` if the task is
/// not configured or is deleted.
///
/// # Errors
/// Returns a conflict if another user's task already holds the group.
pub async fn submit(
    tx: &mut Tx,
    id: TaskId,
    price: AgreedPrice,
    hold: Option<TransferId>,
    now: Instant,
) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE task SET status = 'submitted', reason = NULL, status_since = $2, submitted_at = $2, updated_at = $2,
           unit_price = $3, unit_discount = $4, priced_for = $5, hold_id = $6, total_price = $7,
           discount_lines = $8, priced_entitled = $9,
           verdict = 'waiting_first_look', verdict_since = $2
         WHERE id = $1 AND status = 'configured' AND deleted_at IS NULL",
        id.0,
        now,
        price.unit,
        price.discount(),
        i32::try_from(price.applicants).unwrap_or(i32::MAX),
        hold.map(|h| h.0),
        price.total,
        super::discount_lines(&price.discounts),
        i32::try_from(price.entitled).unwrap_or(i32::MAX)
    )?;
    Ok(rows == 1)
}

/// Replaces the hold of a task that is started again after its hold was released.
pub async fn set_hold(tx: &mut Tx, id: TaskId, hold: Option<TransferId>, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE task SET hold_id = $2, updated_at = $3 WHERE id = $1", id.0, hold.map(|h| h.0), now)?;
    Ok(())
}

/// Sets another price for a submitted task, because its group size changed or a promo code is used
/// up. A new open hold marks the task as not yet paid.
pub async fn set_price(
    tx: &mut Tx,
    id: TaskId,
    price: AgreedPrice,
    hold: Option<TransferId>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET unit_price = $3, unit_discount = $4, discount_lines = $5, priced_for = $6, priced_entitled = $7,
           total_price = $8, hold_id = $9, captured_at = CASE WHEN $9 IS NULL THEN captured_at END, updated_at = $2
         WHERE id = $1",
        id.0,
        now,
        price.unit,
        price.discount(),
        super::discount_lines(&price.discounts),
        i32::try_from(price.applicants).unwrap_or(i32::MAX),
        i32::try_from(price.entitled).unwrap_or(i32::MAX),
        price.total,
        hold.map(|h| h.0)
    )?;
    Ok(())
}

/// Records the capture of a task. Adds to an earlier capture for fewer applicants.
pub async fn set_captured(tx: &mut Tx, id: TaskId, amount: i64, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET captured_at = $2, captured_amount = COALESCE(captured_amount, 0) + $3, updated_at = $2
         WHERE id = $1 AND captured_at IS NULL",
        id.0,
        now,
        amount
    )?;
    Ok(())
}

/// Changes a task's status from `from` to `to`. Returns `false` if the status was no longer `from`.
///
/// # Errors
/// Returns [`Error::Illegal`] if the product has no such transition.
pub async fn set_status(
    tx: &mut Tx,
    id: TaskId,
    (from, to): (TaskStatus, TaskStatus),
    reason: Option<Reason>,
    now: Instant,
) -> Result<bool, Error> {
    if from != to && !from.may_become(to) {
        return Err(Error::Illegal(from.as_str(), to.as_str()));
    }
    let rows = exec!(
        tx,
        "UPDATE task SET status = $3, reason = $4, status_since = $5, updated_at = $5
         WHERE id = $1 AND status = $2",
        id.0,
        from.as_str(),
        to.as_str(),
        reason.map(Reason::as_str),
        now
    )?;
    Ok(rows == 1)
}

/// Sets the condition shown to the user, and the time of the engine's next try.
pub async fn set_condition(
    tx: &mut Tx,
    id: TaskId,
    condition: TaskCondition,
    evidence: &Value,
    next_try_at: Option<Instant>,
    now: Instant,
) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET verdict_since = CASE WHEN verdict = $2 THEN verdict_since ELSE $5 END, verdict = $2,
           verdict_evidence = $3, next_try_at = $4, updated_at = $5 WHERE id = $1",
        id.0,
        condition.as_str(),
        evidence.clone(),
        next_try_at,
        now
    )?;
    Ok(())
}

/// Marks a task as changed, because data that belongs to it changed.
pub async fn touch(tx: &mut Tx, id: TaskId, now: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE task SET updated_at = $2 WHERE id = $1", id.0, now)?;
    Ok(())
}

/// Marks a task as deleted. Returns `false` if it was deleted before.
pub async fn delete(tx: &mut Tx, id: TaskId, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE task SET deleted_at = $2, updated_at = $2 WHERE id = $1 AND deleted_at IS NULL",
        id.0,
        now
    )?;
    Ok(rows == 1)
}

/// Sets the time of a task's final reading, after which its hold is resolved. `None` clears it.
pub async fn set_last_read(tx: &mut Tx, id: TaskId, at: Option<Instant>) -> Result<(), Error> {
    exec!(tx, "UPDATE task SET last_read_at = $2 WHERE id = $1", id.0, at)?;
    Ok(())
}

/// Deletes drafts untouched since `before`, a limited number at a time. Returns the number deleted.
pub async fn sweep_drafts(tx: &mut Tx, before: Instant, now: Instant) -> Result<u64, Error> {
    exec!(
        tx,
        "UPDATE task SET deleted_at = $2, updated_at = $2 WHERE id IN (
           SELECT id FROM task WHERE deleted_at IS NULL AND updated_at < $1 AND status IN ('draft', 'configured')
           LIMIT 200)",
        before,
        now
    )
}
