//! Data shown with a task but stored in other tables: password, account, bookings, rating,
//! entitlement.

use domain::health::{AccountHealth, CredentialHealth};
use std::collections::HashMap;

use chrono::{DateTime, Utc};
use domain::budget::Budget;
use domain::clock::Instant;
use domain::ids::TaskId;
use serde_json::{Value, json};
use sqlx::types::Json;
use uuid::Uuid;

use super::parse_stored;
use crate::rating::Rating;
use crate::{Error, Tx, all};

/// Related data of one task.
#[derive(Clone, Debug, Default)]
pub struct Relations {
    /// Login name at the portal. `None` after the password was deleted.
    pub username: Option<String>,
    /// Health of the password as last reported by the portal, and its start. `None` after the
    /// password was deleted.
    pub credential: Option<(CredentialHealth, Instant)>,
    /// Health of the account at the portal, and its start.
    pub account: Option<(AccountHealth, Instant)>,
    /// Time before which the account makes no request.
    pub not_before: Option<Instant>,
    /// Start of the account's session.
    pub session_at: Option<Instant>,
    /// Spent request budget of the account.
    pub budget: Budget,
    /// `true` if a booking was sent whose outcome is not known yet.
    pub booking: bool,
    /// `true` if an operator must settle the outcome of a booking.
    pub unconfirmed: bool,
    /// `true` if at least one booking succeeded.
    pub succeeded: bool,
    /// Rating by the user, or the user's refusal to rate.
    pub rating: Option<Rating>,
    /// End of the time in which further bookings of its group are paid for.
    pub entitled_until: Option<Instant>,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    username: Option<String>,
    credential_health: Option<String>,
    credential_since: Option<DateTime<Utc>>,
    account_health: Option<String>,
    account_since: Option<DateTime<Utc>>,
    not_before: Option<DateTime<Utc>>,
    session_at: Option<DateTime<Utc>>,
    budget: Option<Json<Budget>>,
    booking: bool,
    unconfirmed: bool,
    succeeded: bool,
    stars: Option<i32>,
    comment: Option<String>,
    rated_at: Option<DateTime<Utc>>,
    entitled_until: Option<DateTime<Utc>>,
}

impl TryFrom<Row> for Relations {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let credential =
            row.credential_health.map(|health| parse_stored("credential.health", &health)).transpose()?;
        let account =
            row.account_health.map(|health| parse_stored("portal_account.health", &health)).transpose()?;
        Ok(Self {
            username: row.username,
            credential: credential.zip(row.credential_since),
            account: account.zip(row.account_since),
            not_before: row.not_before,
            session_at: row.session_at,
            budget: row.budget.map(|budget| budget.0).unwrap_or_default(),
            booking: row.booking,
            unconfirmed: row.unconfirmed,
            succeeded: row.succeeded,
            rating: row.rated_at.map(|rated_at| Rating {
                stars: row.stars.and_then(|stars| u8::try_from(stars).ok()),
                comment: row.comment,
                rated_at,
            }),
            entitled_until: row.entitled_until,
        })
    }
}

/// Encodes task ids as the JSON array that SQL statements take.
pub(crate) fn ids_json(ids: impl Iterator<Item = TaskId>) -> Value {
    json!(ids.map(|id| id.0.simple().to_string()).collect::<Vec<_>>())
}

/// Returns the related data of these tasks, in one statement. Entitlements count if they are valid
/// at `now`.
pub async fn relations_of(
    tx: &mut Tx,
    ids: &[TaskId],
    now: Instant,
) -> Result<HashMap<TaskId, Relations>, Error> {
    const SQLITE: &str = concat!(
        "SELECT t.id, c.username, c.health AS credential_health, c.health_since AS credential_since,
           a.health AS account_health, a.health_since AS account_since, a.not_before, a.session_at, a.budget,
           EXISTS (SELECT 1 FROM intent i WHERE i.task_id = t.id AND i.state IN ('acting', 'unknown')) AS booking,
           EXISTS (SELECT 1 FROM intent i WHERE i.task_id = t.id AND i.state = 'manual') AS unconfirmed,
           EXISTS (SELECT 1 FROM success s WHERE s.task_id = t.id) AS succeeded,
           r.stars, r.comment, r.rated_at,
           (SELECT MAX(e.ends_at) FROM entitlement e WHERE e.user_id = t.user_id AND e.country = t.country
             AND e.portal_schedule_id = t.portal_schedule_id AND e.ends_at > $2) AS entitled_until
         FROM task t LEFT JOIN credential c ON c.id = t.credential_id
           LEFT JOIN portal_account a ON a.id = t.portal_account_id LEFT JOIN rating r ON r.task_id = t.id
         WHERE t.id IN ",
        "(SELECT unhex(value) FROM json_each($1))"
    );
    const POSTGRES: &str = concat!(
        "SELECT t.id, c.username, c.health AS credential_health, c.health_since AS credential_since,
           a.health AS account_health, a.health_since AS account_since, a.not_before, a.session_at, a.budget,
           EXISTS (SELECT 1 FROM intent i WHERE i.task_id = t.id AND i.state IN ('acting', 'unknown')) AS booking,
           EXISTS (SELECT 1 FROM intent i WHERE i.task_id = t.id AND i.state = 'manual') AS unconfirmed,
           EXISTS (SELECT 1 FROM success s WHERE s.task_id = t.id) AS succeeded,
           r.stars, r.comment, r.rated_at,
           (SELECT MAX(e.ends_at) FROM entitlement e WHERE e.user_id = t.user_id AND e.country = t.country
             AND e.portal_schedule_id = t.portal_schedule_id AND e.ends_at > $2) AS entitled_until
         FROM task t LEFT JOIN credential c ON c.id = t.credential_id
           LEFT JOIN portal_account a ON a.id = t.portal_account_id LEFT JOIN rating r ON r.task_id = t.id
         WHERE t.id IN ",
        "(SELECT CAST(jsonb_array_elements_text($1) AS UUID))"
    );
    let sql = tx.pick(SQLITE, POSTGRES);
    let rows = all!(tx, Row, sql, ids_json(ids.iter().copied()), now)?;
    rows.into_iter().map(|row| Ok((TaskId(row.id), row.try_into()?))).collect()
}
