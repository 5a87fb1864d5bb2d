//! Erases a user account: deletes personal data and keeps the rows that the ledger refers to under
//! a pseudonym.

use domain::clock::Instant;
use domain::ids::UserId;
use serde_json::{Value, json};

use crate::user::User;
use crate::{Error, Tx, exec, scalar};

/// Returns `true` if a booking of the user is in progress or its outcome is unknown.
pub async fn has_open_booking(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let open = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM intent WHERE state IN ('acting', 'unknown')
           AND task_id IN (SELECT id FROM task WHERE user_id = $1)",
        user.0
    )?;
    Ok(open > 0)
}

/// Counts the user's submitted tasks that are not deleted.
pub async fn living_tasks(tx: &mut Tx, user: UserId) -> Result<i64, Error> {
    scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM task WHERE user_id = $1 AND deleted_at IS NULL
           AND status NOT IN ('draft', 'configured')",
        user.0
    )
}

/// Returns search criteria without personal data that accept no date, for tasks that must have
/// criteria.
fn nothing_wanted() -> Value {
    json!({
        "cities": [], "start_date": "1970-01-01", "end_date": "1970-01-01", "minimum_days_from_current": 0,
        "min_improvement_days": 1, "max_reschedules": 0, "last_attempt_until": null, "notify_only": true,
    })
}

/// Deletes all personal data and replaces the email address by a pseudonym, so that the address can
/// be registered again. The caller must have deleted the tasks and resolved the holds.
pub async fn erase(tx: &mut Tx, user: &User, now: Instant) -> Result<(), Error> {
    let id = user.id.0;
    // The portal's id of the group identifies a visa application. Criteria and bookings are
    // personal data too.
    let tasks = tx.pick(
        "UPDATE task SET credential_id = NULL, hold_id = NULL, portal_schedule_id = 'gone-' || lower(hex(id)),
           verdict_evidence = $2, wish = CASE WHEN wish IS NULL THEN NULL ELSE $3 END,
           booked_facility = NULL, booked_date = NULL, booked_time = NULL,
           booked_fingerprints_city = NULL, booked_fingerprints_date = NULL, booked_fingerprints_time = NULL
         WHERE user_id = $1",
        "UPDATE task SET credential_id = NULL, hold_id = NULL, portal_schedule_id = 'gone-' || CAST(id AS TEXT),
           verdict_evidence = $2, wish = CASE WHEN wish IS NULL THEN NULL ELSE $3 END,
           booked_facility = NULL, booked_date = NULL, booked_time = NULL,
           booked_fingerprints_city = NULL, booked_fingerprints_date = NULL, booked_fingerprints_time = NULL
         WHERE user_id = $1",
    );
    exec!(tx, tasks, id, json!({}), nothing_wanted())?;
    let attempts = tx.pick(
        "UPDATE intent SET portal_schedule_id = 'gone-' || lower(hex(task_id)), evidence = $2, readings = $3,
           next_read_at = NULL
         WHERE user_id = $1",
        "UPDATE intent SET portal_schedule_id = 'gone-' || CAST(task_id AS TEXT), evidence = $2, readings = $3,
           next_read_at = NULL
         WHERE user_id = $1",
    );
    exec!(tx, attempts, id, json!({}), json!({ "readings": [] }))?;
    // Without a password, the cookies of a portal account must not remain.
    exec!(
        tx,
        "UPDATE portal_account SET session_kid = NULL, session_blob = NULL, session_secret = NULL, session_at = NULL
         WHERE id IN (SELECT portal_account_id FROM credential WHERE user_id = $1)
           AND NOT EXISTS (SELECT 1 FROM credential other
             WHERE other.portal_account_id = portal_account.id AND other.user_id <> $1)",
        id
    )?;
    exec!(tx, "DELETE FROM credential WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM journal WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)", id)?;
    exec!(tx, "DELETE FROM alert WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)", id)?;
    exec!(tx, "DELETE FROM question WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)", id)?;
    exec!(tx, "DELETE FROM watch WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)", id)?;
    exec!(tx, "DELETE FROM rating WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM entitlement WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM personal_discount WHERE user_id = $1", id)?;
    crate::identity::forget_user(tx, user.id).await?;
    crate::card::forget_words(tx, user.id).await?;
    exec!(tx, "DELETE FROM recovery_code WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM totp WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM known_client WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM token WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM sign_in_link WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM mailed_sign_in WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM passkey WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM solo_owner WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM email_change WHERE user_id = $1", id)?;
    exec!(
        tx,
        "DELETE FROM mail_request WHERE user_id = $1 OR email_normalised = $2",
        id,
        crate::user::normalise(&user.email)
    )?;
    exec!(tx, "DELETE FROM idempotency WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM outbox WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM channel WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM notification_setting WHERE user_id = $1", id)?;
    exec!(
        tx,
        "DELETE FROM refresh_token WHERE session_id IN (SELECT id FROM session WHERE user_id = $1)",
        id
    )?;
    exec!(tx, "DELETE FROM session WHERE user_id = $1", id)?;
    exec!(tx, "DELETE FROM security_event WHERE user_id = $1", id)?;
    let pseudonym = format!("deleted-{id}");
    exec!(
        tx,
        "UPDATE users SET email = $2, email_normalised = $2, display_name = NULL, password_hash = NULL,
           email_verified_at = NULL, auto_stop = FALSE, referral_code = $3, referred_by = NULL, group_id = NULL, updated_at = $4 WHERE id = $1",
        id,
        format!("{pseudonym}@deleted.invalid"),
        pseudonym,
        now
    )?;
    Ok(())
}
