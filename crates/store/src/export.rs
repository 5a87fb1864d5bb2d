//! Rows of one user for the data export. No function here reads a secret.

use chrono::{DateTime, NaiveDate, Utc};
use domain::ids::UserId;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{Error, Tx, all};

/// Entry of a task's journal.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct JournalRow {
    /// Task of the entry.
    pub task_id: Uuid,
    /// Time of the entry.
    pub at: DateTime<Utc>,
    /// Kind of the entry, as a stable name.
    pub kind: String,
    /// Values for the text of the entry.
    pub data: Value,
}

/// Returns the newest journal entries of all tasks of a user.
pub async fn journal(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<JournalRow>, Error> {
    all!(
        tx,
        JournalRow,
        "SELECT task_id, at, kind, data FROM journal WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)
         ORDER BY at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}

/// Outbox row that was sent or waits. Its text is left out, because it may contain a link.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct OutboxRow {
    /// Template of the message.
    pub template: String,
    /// Address of the mail, or label of the channel.
    pub recipient: String,
    /// Language of the message.
    pub language: String,
    /// Time at which the message was queued.
    pub created_at: DateTime<Utc>,
    /// Time at which the mail server or the channel's provider accepted the message. `None` if
    /// neither has.
    pub delivered_at: Option<DateTime<Utc>>,
}

/// Returns the newest outbox rows of a user.
pub async fn mails(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<OutboxRow>, Error> {
    all!(
        tx,
        OutboxRow,
        "SELECT template, recipient, language, created_at, delivered_at FROM outbox WHERE user_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}

/// Sign-in session, current or past.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SignInLine {
    /// Method: `password`, `google` or `mail_link`.
    pub method: String,
    /// Browser of the session.
    pub browser: String,
    /// Operating system of the session.
    pub os: String,
    /// Kind of device.
    pub kind: String,
    /// Network address without its last part.
    pub network: String,
    /// Time at which the session began.
    pub created_at: DateTime<Utc>,
    /// Time at which its tokens were last renewed.
    pub last_used_at: Option<DateTime<Utc>>,
    /// Time at which it expires or expired.
    pub expires_at: DateTime<Utc>,
    /// Time at which it was revoked.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// Returns the newest stored sessions of a user.
pub async fn sign_ins(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<SignInLine>, Error> {
    all!(
        tx,
        SignInLine,
        "SELECT CASE WHEN by_passkey THEN 'passkey' ELSE method END AS method, browser, os, kind, network, created_at,
           last_used_at, expires_at, revoked_at FROM session
         WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}

/// Other data stored for a user, each kind as rows of plain values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportedData {
    /// Accounts at identity providers.
    Identities,
    /// Passkeys, without their keys.
    Passkeys,
    /// Hashes of the devices that the user signed in from.
    KnownDevices,
    /// Ratings of bookings.
    Ratings,
    /// Referrals by the user and of the user.
    Referrals,
    /// Used promotions.
    Promos,
    /// Booking attempts for the user.
    Attempts,
}

impl ExportedData {
    /// Returns the name of the export file.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Identities => "identities",
            Self::Passkeys => "passkeys",
            Self::KnownDevices => "known_devices",
            Self::Ratings => "ratings",
            Self::Referrals => "referrals",
            Self::Promos => "promotions",
            Self::Attempts => "booking_attempts",
        }
    }

    /// Returns the names of its columns.
    #[must_use]
    pub const fn columns(self) -> &'static [&'static str] {
        match self {
            Self::Identities => &["issuer", "subject", "email", "created_at", "used_at"],
            Self::Passkeys => &["name", "host", "created_at", "used_at"],
            Self::KnownDevices => &["fingerprint", "seen_at"],
            Self::Ratings => &["task_id", "stars", "comment", "rated_at"],
            Self::Referrals => &["role", "task_id", "discount_cents", "bonus_cents", "state", "created_at"],
            Self::Promos => &["code", "task_id", "amount_cents", "state", "created_at"],
            Self::Attempts => &[
                "task_id",
                "state",
                "facility",
                "date",
                "time",
                "fingerprints_city",
                "fingerprints_date",
                "fingerprints_time",
                "prepared_at",
                "sent_at",
                "settled_at",
            ],
        }
    }
}

/// Returns the rows of one kind, newest first.
pub async fn rows(tx: &mut Tx, user: UserId, what: ExportedData, limit: i64) -> Result<Vec<Value>, Error> {
    let id = user.0;
    Ok(match what {
        ExportedData::Identities => {
            let sql = "SELECT issuer, subject, email, created_at, used_at FROM identity WHERE user_id = $1
                       ORDER BY created_at DESC LIMIT $2";
            let rows =
                all!(tx, (String, String, Option<String>, DateTime<Utc>, DateTime<Utc>), sql, id, limit)?;
            let row = |(issuer, subject, email, made, used)| json!({ "issuer": issuer, "subject": subject, "email": email, "created_at": made, "used_at": used });
            rows.into_iter().map(row).collect()
        }
        ExportedData::Passkeys => {
            let sql = "SELECT name, host, created_at, used_at FROM passkey WHERE user_id = $1
                       ORDER BY created_at DESC LIMIT $2";
            let rows = all!(tx, (String, String, DateTime<Utc>, Option<DateTime<Utc>>), sql, id, limit)?;
            let row = |(name, host, made, used)| json!({ "name": name, "host": host, "created_at": made, "used_at": used });
            rows.into_iter().map(row).collect()
        }
        ExportedData::KnownDevices => {
            let sql = "SELECT client_fp, seen_at FROM known_client WHERE user_id = $1 ORDER BY seen_at DESC LIMIT $2";
            let rows = all!(tx, (Vec<u8>, DateTime<Utc>), sql, id, limit)?;
            rows.into_iter()
                .map(|(print, at)| json!({ "fingerprint": hex::encode(print), "seen_at": at }))
                .collect()
        }
        ExportedData::Ratings => {
            let sql = "SELECT task_id, stars, comment, rated_at FROM rating WHERE user_id = $1
                       ORDER BY rated_at DESC LIMIT $2";
            let rows = all!(tx, (Uuid, Option<i32>, Option<String>, DateTime<Utc>), sql, id, limit)?;
            let row = |(task, stars, comment, at)| json!({ "task_id": task, "stars": stars, "comment": comment, "rated_at": at });
            rows.into_iter().map(row).collect()
        }
        ExportedData::Referrals => {
            let sql = "SELECT newcomer, task_id, discount, bonus, state, created_at FROM referral
                       WHERE newcomer = $1 OR referrer = $1 ORDER BY created_at DESC LIMIT $2";
            let rows = all!(tx, (Uuid, Uuid, i64, i64, String, DateTime<Utc>), sql, id, limit)?;
            let row = |(newcomer, task, discount, bonus, state, at): (
                Uuid,
                Uuid,
                i64,
                i64,
                String,
                DateTime<Utc>,
            )| {
                // The other user's task is not disclosed.
                let own = newcomer == id;
                json!({
                    "role": if own { "newcomer" } else { "referrer" }, "task_id": own.then_some(task),
                    "discount_cents": own.then_some(discount), "bonus_cents": (!own).then_some(bonus), "state": state,
                    "created_at": at,
                })
            };
            rows.into_iter().map(row).collect()
        }
        ExportedData::Promos => {
            let sql = "SELECT p.code, u.task_id, u.amount, u.state, u.created_at FROM promo_use u
                       JOIN promo p ON p.id = u.promo_id WHERE u.user_id = $1 ORDER BY u.created_at DESC LIMIT $2";
            let rows = all!(tx, (String, Uuid, i64, String, DateTime<Utc>), sql, id, limit)?;
            let row = |(code, task, amount, state, at)| json!({ "code": code, "task_id": task, "amount_cents": amount, "state": state, "created_at": at });
            rows.into_iter().map(row).collect()
        }
        ExportedData::Attempts => {
            let sql =
                "SELECT task_id, state, target_facility, target_date, target_time, target_fingerprints_city,
                         target_fingerprints_date, target_fingerprints_time, armed_at, acting_at, settled_at
                       FROM intent WHERE user_id = $1 ORDER BY armed_at DESC LIMIT $2";
            let rows = all!(tx, AttemptRow, sql, id, limit)?;
            rows.into_iter().map(AttemptRow::shown).collect()
        }
    })
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    task_id: Uuid,
    state: String,
    target_facility: i32,
    target_date: NaiveDate,
    target_time: Option<String>,
    target_fingerprints_city: Option<String>,
    target_fingerprints_date: Option<NaiveDate>,
    target_fingerprints_time: Option<String>,
    armed_at: DateTime<Utc>,
    acting_at: Option<DateTime<Utc>>,
    settled_at: Option<DateTime<Utc>>,
}

impl AttemptRow {
    fn shown(self) -> Value {
        json!({
            "task_id": self.task_id, "state": self.state, "facility": self.target_facility, "date": self.target_date,
            "time": self.target_time, "fingerprints_city": self.target_fingerprints_city,
            "fingerprints_date": self.target_fingerprints_date, "fingerprints_time": self.target_fingerprints_time,
            "prepared_at": self.armed_at, "sent_at": self.acting_at, "settled_at": self.settled_at,
        })
    }
}
