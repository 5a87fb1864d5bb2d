//! Mailed links of a user that still permit something, whatever their kind. A link is identified by
//! the SHA-256 of its token.

use chrono::{DateTime, NaiveDate, Utc};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::question::{FROM_SIGHTING, valid_until};
use strum::EnumString;
use uuid::Uuid;

use crate::task::{facility, parse_stored};
use crate::{Error, Tx, all, exec};

/// Length of a SHA-256.
const HASH_BYTES: usize = 32;

/// Effect of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum OpenLinkKind {
    /// Answers a question.
    Answer,
    /// Proves the address of a registration.
    VerifyEmail,
    /// Sets a new password.
    ResetPassword,
    /// Proves a new address.
    EmailChange,
    /// Signs in.
    SignIn,
}

/// Link that was not used and has not expired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLink {
    /// SHA-256 of the token.
    pub token_hash: Vec<u8>,
    /// Effect of the link.
    pub kind: OpenLinkKind,
    /// Time at which the link was created.
    pub created_at: Instant,
    /// Time from which the link permits nothing.
    pub expires_at: Instant,
    /// Question that the link answers.
    pub question: Option<LinkedQuestion>,
}

/// Question of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkedQuestion {
    /// Task that asked.
    pub task: TaskId,
    /// City of the date.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
}

#[derive(sqlx::FromRow)]
struct QuestionRow {
    token_hash: Vec<u8>,
    seen_at: DateTime<Utc>,
    accepted_at: Option<DateTime<Utc>>,
    task_id: Uuid,
    facility: i32,
    day: NaiveDate,
}

/// Returns a user's open links, those that expire first in front.
pub async fn of_user(tx: &mut Tx, user: UserId, now: Instant) -> Result<Vec<OpenLink>, Error> {
    let rows = all!(
        tx,
        (Vec<u8>, String, DateTime<Utc>, DateTime<Utc>),
        "SELECT token_hash, kind, created_at, expires_at FROM token
         WHERE user_id = $1 AND used_at IS NULL AND ended_at IS NULL AND expires_at > $2
         UNION ALL SELECT token_hash, 'email_change', created_at, expires_at FROM email_change
         WHERE user_id = $1 AND used_at IS NULL AND ended_at IS NULL AND expires_at > $2
         UNION ALL SELECT token_hash, 'sign_in', created_at, expires_at FROM sign_in_link
         WHERE user_id = $1 AND used_at IS NULL AND expires_at > $2
         UNION ALL SELECT token_hash, 'sign_in', created_at, expires_at FROM mailed_sign_in
         WHERE user_id = $1 AND used_at IS NULL AND expires_at > $2",
        user.0,
        now
    )?;
    let mut links = answers(tx, user, now).await?;
    for (token_hash, kind, created_at, expires_at) in rows {
        let kind = parse_stored("token.kind", &kind)?;
        links.push(OpenLink { token_hash, kind, created_at, expires_at, question: None });
    }
    links.sort_by_key(|link| link.expires_at);
    Ok(links)
}

/// Returns the links of a user's questions that can still be answered.
async fn answers(tx: &mut Tx, user: UserId, now: Instant) -> Result<Vec<OpenLink>, Error> {
    let rows = all!(
        tx,
        QuestionRow,
        "SELECT q.token_hash, q.seen_at, q.accepted_at, q.task_id, q.facility, q.day
         FROM question q JOIN task t ON t.id = q.task_id
         WHERE t.user_id = $1 AND q.seen_at > $2 AND q.answered_at IS NULL AND q.gone_at IS NULL
           AND length(q.token_hash) = 32",
        user.0,
        now - FROM_SIGHTING
    )?;
    let mut links = Vec::with_capacity(rows.len());
    for row in rows {
        let expires_at = valid_until(row.seen_at, row.accepted_at);
        if expires_at <= now {
            continue;
        }
        let question =
            LinkedQuestion { task: TaskId(row.task_id), facility: facility(row.facility)?, day: row.day };
        links.push(OpenLink {
            token_hash: row.token_hash,
            kind: OpenLinkKind::Answer,
            created_at: row.seen_at,
            expires_at,
            question: Some(question),
        });
    }
    Ok(links)
}

/// Ends an open link of a user. A question stays open on the task's page. Returns `false` if the
/// user has no such link.
pub async fn revoke(tx: &mut Tx, user: UserId, token_hash: &[u8], now: Instant) -> Result<bool, Error> {
    if token_hash.len() != HASH_BYTES {
        return Ok(false);
    }
    // The question's id takes the place of the hash. It is shorter than any hash, so no token fits.
    let sql = tx.pick(
        "UPDATE question SET token_hash = id WHERE token_hash = $2
           AND task_id IN (SELECT id FROM task WHERE user_id = $1)",
        "UPDATE question SET token_hash = uuid_send(id) WHERE token_hash = $2
           AND task_id IN (SELECT id FROM task WHERE user_id = $1)",
    );
    let mut ended = exec!(tx, sql, user.0, token_hash.to_vec())?;
    for sql in [
        "UPDATE token SET ended_at = $3, password_hash = NULL, language = NULL
         WHERE token_hash = $2 AND user_id = $1 AND used_at IS NULL AND ended_at IS NULL",
        "UPDATE email_change SET ended_at = $3
         WHERE token_hash = $2 AND user_id = $1 AND used_at IS NULL AND ended_at IS NULL",
        "UPDATE sign_in_link SET expires_at = $3
         WHERE token_hash = $2 AND user_id = $1 AND used_at IS NULL AND expires_at > $3",
        "UPDATE mailed_sign_in SET expires_at = $3
         WHERE token_hash = $2 AND user_id = $1 AND used_at IS NULL AND expires_at > $3",
    ] {
        ended += exec!(tx, sql, user.0, token_hash.to_vec(), now)?;
    }
    Ok(ended > 0)
}
