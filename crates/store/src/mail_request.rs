//! Mail requests, most of them of users who are not signed in. Known and unknown addresses get the
//! same single row, so that neither the response nor its time reveals an account. A separate
//! transaction decides the result later.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{MailRequestId, UserId};
use uuid::Uuid;

use crate::token::{Browser, Registration};
use crate::user::normalise;
use crate::{Error, Random, Tx, all, exec, one, scalar};

/// Lock key: requests are processed one after the other, over all processes, because the newest
/// registration must win.
const QUEUE: Uuid = Uuid::from_u128(0x6d61_696c_2d72_6571_7565_7374_2d31_3200);

/// Requested action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MailAction {
    /// Registration of an account.
    Register {
        /// Password and language.
        registration: Registration,
        /// Code of the referrer.
        referral_code: Option<String>,
        /// Browser of the request. `None` for requests from before browsers were stored.
        browser: Option<Browser>,
    },
    /// Another verification mail.
    VerifyEmail,
    /// Link to set a new password.
    ResetPassword,
    /// Link to sign in.
    SignIn {
        /// Browser of the request.
        browser: Browser,
        /// `true` if "remember me" was ticked.
        remembered: bool,
    },
    /// Another address for this user's account.
    ChangeEmail(UserId),
}

/// Request to process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailRequest {
    /// Id of the request.
    pub id: MailRequestId,
    /// Address as the user typed it.
    pub email: String,
    /// Requested action.
    pub wanted: MailAction,
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    kind: String,
    email: String,
    user_id: Option<Uuid>,
    password_hash: Option<String>,
    language: Option<String>,
    referral_code: Option<String>,
    browser_hash: Option<Vec<u8>>,
    browser_until: Option<DateTime<Utc>>,
    signs_in: bool,
    remembered: bool,
}

impl MailAction {
    const fn as_str(&self) -> &'static str {
        match self {
            Self::Register { .. } => "register",
            Self::VerifyEmail => "verify_email",
            // An older build mails a link that sets a password instead.
            Self::ResetPassword | Self::SignIn { .. } => "reset_password",
            Self::ChangeEmail(_) => "change_email",
        }
    }
}

/// Inserts a request.
pub async fn insert(
    tx: &mut Tx,
    random: &Random,
    email: &str,
    wanted: &MailAction,
    now: Instant,
) -> Result<(), Error> {
    let (registration, referral_code, browser) = match wanted {
        MailAction::Register { registration, referral_code, browser } => {
            (Some(registration), referral_code.clone(), browser.as_ref())
        }
        MailAction::SignIn { browser, .. } => (None, None, Some(browser)),
        _ => (None, None, None),
    };
    let user = if let MailAction::ChangeEmail(user) = wanted { Some(user.0) } else { None };
    let remembered = matches!(wanted, MailAction::SignIn { remembered: true, .. });
    exec!(
        tx,
        "INSERT INTO mail_request (id, kind, email, email_normalised, user_id, password_hash, language, referral_code,
           browser_hash, browser_until, created_at, due_at, signs_in, remembered)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13)",
        MailRequestId::new(now, random.bytes()).0,
        wanted.as_str(),
        email.trim().to_owned(),
        normalise(email),
        user,
        registration.map(|r| r.password_hash.clone()),
        registration.map(|r| r.language.clone()),
        referral_code,
        browser.map(|b| b.hash.clone()),
        browser.map(|b| b.until),
        now,
        matches!(wanted, MailAction::SignIn { .. }),
        remembered
    )?;
    Ok(())
}

/// Returns `true` if a request is due.
pub async fn any_due(tx: &mut Tx, now: Instant) -> Result<bool, Error> {
    let count = scalar!(
        tx,
        i64,
        "SELECT COUNT(*) FROM mail_request WHERE resolved_at IS NULL AND due_at <= $1",
        now
    )?;
    Ok(count > 0)
}

/// Claims the oldest due request. It counts as processed when this transaction commits, together
/// with the caller's effects.
pub async fn claim(tx: &mut Tx, now: Instant) -> Result<Option<MailRequest>, Error> {
    crate::lock::exclusive(tx, QUEUE).await?;
    let row = one!(
        tx,
        Row,
        "UPDATE mail_request SET resolved_at = $1
         WHERE id = (SELECT id FROM mail_request WHERE resolved_at IS NULL AND due_at <= $1
             ORDER BY due_at, id LIMIT 1)
         RETURNING id, kind, email, user_id, password_hash, language, referral_code, browser_hash, browser_until,
           signs_in, remembered",
        now
    )?;
    let Some(row) = row else { return Ok(None) };
    // The referral code is no longer needed. The row stays for its password hash.
    exec!(tx, "UPDATE mail_request SET referral_code = NULL WHERE id = $1", row.id)?;
    MailRequest::try_from(row).map(Some)
}

/// Moves a request that could not be processed behind the others.
pub async fn postpone(tx: &mut Tx, id: MailRequestId, due: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE mail_request SET due_at = $2 WHERE id = $1 AND resolved_at IS NULL", id.0, due)?;
    Ok(())
}

/// Returns the password hashes of all registrations of an address since `since`, successful or not.
pub async fn passwords(tx: &mut Tx, email: &str, since: Instant) -> Result<Vec<String>, Error> {
    let rows = all!(
        tx,
        (String,),
        "SELECT password_hash FROM mail_request
         WHERE email_normalised = $1 AND created_at > $2 AND password_hash IS NOT NULL ORDER BY created_at DESC LIMIT 50",
        normalise(email),
        since
    )?;
    Ok(rows.into_iter().map(|(hash,)| hash).collect())
}

/// Deletes the password hash of a registration that became the account or was superseded.
pub async fn forget_password(tx: &mut Tx, email: &str, hash: &str) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE mail_request SET password_hash = NULL
         WHERE email_normalised = $1 AND password_hash = $2 AND resolved_at IS NOT NULL",
        normalise(email),
        hash.to_owned()
    )?;
    Ok(())
}

/// Returns the number of waiting requests, and the time of the oldest.
pub async fn waiting(tx: &mut Tx) -> Result<(i64, Option<Instant>), Error> {
    let row = one!(
        tx,
        (i64, Option<DateTime<Utc>>),
        "SELECT COUNT(*), MIN(created_at) FROM mail_request WHERE resolved_at IS NULL"
    )?;
    Ok(row.unwrap_or((0, None)))
}

impl TryFrom<Row> for MailRequest {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        let browser = row.browser_hash.zip(row.browser_until).map(|(hash, until)| Browser { hash, until });
        let wanted = match (row.kind.as_str(), row.user_id) {
            ("register", _) => MailAction::Register {
                registration: Registration {
                    password_hash: row.password_hash.ok_or(Error::Corrupt("mail_request.password_hash"))?,
                    language: row.language.ok_or(Error::Corrupt("mail_request.language"))?,
                },
                referral_code: row.referral_code,
                browser,
            },
            ("verify_email", _) => MailAction::VerifyEmail,
            ("reset_password", _) if row.signs_in => MailAction::SignIn {
                browser: browser.ok_or(Error::Corrupt("mail_request.browser_hash"))?,
                remembered: row.remembered,
            },
            ("reset_password", _) => MailAction::ResetPassword,
            ("change_email", Some(user)) => MailAction::ChangeEmail(UserId(user)),
            _ => return Err(Error::Corrupt("mail_request.kind")),
        };
        Ok(Self { id: MailRequestId(row.id), email: row.email, wanted })
    }
}
