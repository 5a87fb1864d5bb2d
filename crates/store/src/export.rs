//! Rows of one user as they are handed to them; nothing here reads a secret.

use chrono::{DateTime, Utc};
use domain::ids::UserId;
use serde_json::Value;
use uuid::Uuid;

use crate::{Error, Tx, all};

/// A line of a task's journal.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct JournalLine {
    /// Whose.
    pub task_id: Uuid,
    /// When.
    pub at: DateTime<Utc>,
    /// What, as a stable word.
    pub kind: String,
    /// What its text names.
    pub data: Value,
}

/// The newest journal lines over all tasks of a user.
pub async fn journal(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<JournalLine>, Error> {
    all!(
        tx,
        JournalLine,
        "SELECT task_id, at, kind, data FROM journal WHERE task_id IN (SELECT id FROM task WHERE user_id = $1)
         ORDER BY at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}

/// A mail that was sent or waits: what it was about, not its words, which may hold a link.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct MailLine {
    /// The kind of mail.
    pub template: String,
    /// To which address.
    pub recipient: String,
    /// In which language.
    pub language: String,
    /// When it was decided.
    pub created_at: DateTime<Utc>,
    /// When the mail server took it.
    pub delivered_at: Option<DateTime<Utc>>,
}

/// The newest mails to a user.
pub async fn mails(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<MailLine>, Error> {
    all!(
        tx,
        MailLine,
        "SELECT template, recipient, language, created_at, delivered_at FROM outbox WHERE user_id = $1
         ORDER BY created_at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}

/// A sign-in, whether or not it still counts.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct SignInLine {
    /// `password` or `google`.
    pub method: String,
    /// With which browser.
    pub browser: String,
    /// On which system.
    pub os: String,
    /// The kind of device.
    pub kind: String,
    /// The address without its last part.
    pub network: String,
    /// When it began.
    pub created_at: DateTime<Utc>,
    /// When its tokens were last renewed.
    pub last_used_at: Option<DateTime<Utc>>,
    /// When it ends or ended by itself.
    pub expires_at: DateTime<Utc>,
    /// When it was ended.
    pub revoked_at: Option<DateTime<Utc>>,
}

/// The newest sign-ins of a user that are still known.
pub async fn sign_ins(tx: &mut Tx, user: UserId, limit: i64) -> Result<Vec<SignInLine>, Error> {
    all!(
        tx,
        SignInLine,
        "SELECT method, browser, os, kind, network, created_at, last_used_at, expires_at, revoked_at FROM session
         WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2",
        user.0,
        limit
    )
}
