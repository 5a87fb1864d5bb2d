//! Users' accounts at identity providers, the sign-in flows to and from them, and the bootstrap
//! tokens that end a flow.

use domain::clock::Instant;
use domain::ids::{SessionId, UserId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::session::Method;
use crate::{Error, Tx, exec, one, scalar};

/// Purpose of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sign in.
    SignIn,
    /// Repeat the proof of identity within a session.
    StepUp {
        /// User of the session.
        user: UserId,
        /// Session of the flow.
        session: SessionId,
    },
    /// Link the provider account, after a proof of identity here.
    Link {
        /// User of the session.
        user: UserId,
        /// Session of the flow.
        session: SessionId,
    },
}

/// Sign-in flow at the provider.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Purpose of the flow.
    pub purpose: Purpose,
    /// Language of a new account: `en` or `zh`.
    pub language: String,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
    /// Time at which the flow began.
    pub created_at: Instant,
    /// Time at which the flow expires.
    pub expires_at: Instant,
}

/// Result of redeeming a flow's state.
#[derive(Clone, Debug)]
pub enum Returned {
    /// Redeemed by this call.
    Now(Flow),
    /// Valid, but expired.
    Expired,
    /// Never issued, redeemed before, or issued to another browser.
    Unknown,
}

/// Session data that a bootstrap token is exchanged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bootstrap {
    /// User who signs in.
    pub user: UserId,
    /// Method of the sign-in.
    pub method: Method,
    /// `true` if "remember me" was ticked.
    pub remembered: bool,
}

/// Account at an identity provider.
#[derive(Clone, Copy, Debug)]
pub struct ProviderAccount<'a> {
    /// Identity provider.
    pub issuer: &'a str,
    /// Stable id of the account at the provider.
    pub subject: &'a str,
    /// Address at the provider, for display only; it may change.
    pub email: Option<&'a str>,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: Option<Uuid>,
    session_id: Option<Uuid>,
    language: String,
    remembered: bool,
    created_at: Instant,
    expires_at: Instant,
    links: bool,
}

/// Returns the user linked to an account at a provider.
pub async fn user_of(tx: &mut Tx, issuer: &str, subject: &str) -> Result<Option<UserId>, Error> {
    let row = one!(
        tx,
        (Uuid,),
        "SELECT user_id FROM identity WHERE issuer = $1 AND subject = $2",
        issuer.to_owned(),
        subject.to_owned()
    )?;
    Ok(row.map(|(id,)| UserId(id)))
}

/// Links an account at a provider to a user, or records another use of the link. An existing link
/// is never moved. Returns `false` if the account is linked to another user.
pub async fn link(
    tx: &mut Tx,
    known: &ProviderAccount<'_>,
    user: UserId,
    now: Instant,
) -> Result<bool, Error> {
    let owner = one!(
        tx,
        (Uuid,),
        "INSERT INTO identity (issuer, subject, user_id, created_at, used_at, email) VALUES ($1, $2, $3, $4, $4, $5)
         ON CONFLICT (issuer, subject) DO UPDATE SET used_at = excluded.used_at, email = excluded.email
         RETURNING user_id",
        known.issuer.to_owned(),
        known.subject.to_owned(),
        user.0,
        now,
        known.email.map(str::to_owned)
    )?;
    Ok(owner == Some((user.0,)))
}

/// Returns `true` if a user's link was removed, so that only an explicit action of the user creates
/// another.
pub async fn links_only_explicitly(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let row = one!(tx, (bool,), "SELECT links_by_hand FROM users WHERE id = $1", user.0)?;
    Ok(row.is_some_and(|(by_hand,)| by_hand))
}

/// Returns `true` if any provider account is linked to this user.
pub async fn is_linked(tx: &mut Tx, user: UserId) -> Result<bool, Error> {
    let count = scalar!(tx, i64, "SELECT COUNT(*) FROM identity WHERE user_id = $1", user.0)?;
    Ok(count > 0)
}

/// Returns the address of the linked account, if its provider reported one since addresses are
/// stored.
pub async fn linked_email(tx: &mut Tx, user: UserId) -> Result<Option<String>, Error> {
    let sql = "SELECT email FROM identity WHERE user_id = $1 ORDER BY used_at DESC LIMIT 1";
    Ok(one!(tx, (Option<String>,), sql, user.0)?.and_then(|(email,)| email))
}

/// Removes a user's links. No new link is created until the user links explicitly. Returns the
/// number of removed links.
pub async fn unlink(tx: &mut Tx, user: UserId) -> Result<u64, Error> {
    exec!(tx, "UPDATE users SET links_by_hand = TRUE WHERE id = $1", user.0)?;
    exec!(tx, "DELETE FROM bootstrap WHERE user_id = $1", user.0)?;
    exec!(tx, "DELETE FROM identity WHERE user_id = $1", user.0)
}

/// Assigns an unproven account to the user who proved its address at the provider. Removes the
/// password set by the unproven registration. Returns `false` if the address was proven meanwhile.
pub async fn adopt(tx: &mut Tx, user: UserId, language: &str, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE users SET email_verified_at = $2, updated_at = $2, password_hash = NULL, language = $3,
           contested = FALSE
         WHERE id = $1 AND email_verified_at IS NULL",
        user.0,
        now,
        language.to_owned()
    )?;
    Ok(rows == 1)
}

/// Inserts a flow, with the hashes of its state and of the browser's cookie.
pub async fn insert_flow(tx: &mut Tx, state: &[u8; 32], cookie: &[u8; 32], flow: &Flow) -> Result<(), Error> {
    let links = matches!(flow.purpose, Purpose::Link { .. });
    let (purpose, user, session) = match flow.purpose {
        Purpose::SignIn => ("sign_in", None, None),
        Purpose::StepUp { user, session } | Purpose::Link { user, session } => {
            ("step_up", Some(user.0), Some(session.0))
        }
    };
    exec!(
        tx,
        "INSERT INTO oidc_flow (state_hash, cookie_hash, purpose, user_id, session_id, language, remembered,
           created_at, expires_at, links)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        hash(state),
        hash(cookie),
        purpose,
        user,
        session,
        flow.language.clone(),
        flow.remembered,
        flow.created_at,
        flow.expires_at,
        links
    )?;
    Ok(())
}

/// Redeems a state, once, and only in the browser that began the flow.
pub async fn redeem_state(
    tx: &mut Tx,
    state: &[u8; 32],
    cookie: &[u8; 32],
    now: Instant,
) -> Result<Returned, Error> {
    let row = one!(
        tx,
        Row,
        "UPDATE oidc_flow SET used_at = $3 WHERE state_hash = $1 AND cookie_hash = $2 AND used_at IS NULL
         RETURNING user_id, session_id, language, remembered, created_at, expires_at, links",
        hash(state),
        hash(cookie),
        now
    )?;
    Ok(match row {
        None => Returned::Unknown,
        Some(row) if row.expires_at <= now => Returned::Expired,
        Some(row) => Returned::Now(row.into()),
    })
}

/// Inserts a bootstrap token for a user who returned from the provider or followed a link in a
/// mail.
pub async fn insert_bootstrap(
    tx: &mut Tx,
    (token, cookie): (&[u8; 32], &[u8; 32]),
    kept: &Bootstrap,
    (now, expires_at): (Instant, Instant),
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO bootstrap (token_hash, cookie_hash, user_id, method, remembered, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        hash(token),
        hash(cookie),
        kept.user.0,
        kept.method.as_str(),
        kept.remembered,
        now,
        expires_at
    )?;
    Ok(())
}

/// Returns the user and method of a bootstrap token without redeeming it.
pub async fn peek_bootstrap(
    tx: &mut Tx,
    token: &[u8; 32],
    cookie: &[u8; 32],
    now: Instant,
) -> Result<Option<(UserId, Method)>, Error> {
    let row = one!(
        tx,
        (Uuid, String),
        "SELECT user_id, method FROM bootstrap
         WHERE token_hash = $1 AND cookie_hash = $2 AND used_at IS NULL AND expires_at > $3",
        hash(token),
        hash(cookie),
        now
    )?;
    Ok(row.map(|(user, method)| (UserId(user), method_of(&method))))
}

fn method_of(word: &str) -> Method {
    if word == Method::MailLink.as_str() { Method::MailLink } else { Method::Google }
}

/// Redeems a bootstrap token, once, before it expires, and only in the same browser.
pub async fn redeem_bootstrap(
    tx: &mut Tx,
    token: &[u8; 32],
    cookie: &[u8; 32],
    now: Instant,
) -> Result<Option<Bootstrap>, Error> {
    let row = one!(
        tx,
        (Uuid, String, bool),
        "UPDATE bootstrap SET used_at = $3
         WHERE token_hash = $1 AND cookie_hash = $2 AND used_at IS NULL AND expires_at > $3
         RETURNING user_id, method, remembered",
        hash(token),
        hash(cookie),
        now
    )?;
    Ok(row.map(|(user, method, remembered)| Bootstrap {
        user: UserId(user),
        method: method_of(&method),
        remembered,
    }))
}

/// Deletes a user's links, flows and bootstrap tokens, before the user is deleted.
pub async fn forget_user(tx: &mut Tx, user: UserId) -> Result<(), Error> {
    exec!(tx, "DELETE FROM bootstrap WHERE user_id = $1", user.0)?;
    exec!(tx, "DELETE FROM oidc_flow WHERE user_id = $1", user.0)?;
    exec!(tx, "DELETE FROM identity WHERE user_id = $1", user.0)?;
    Ok(())
}

fn hash(raw: &[u8; 32]) -> Vec<u8> {
    Sha256::digest(raw).to_vec()
}

impl From<Row> for Flow {
    fn from(row: Row) -> Self {
        let purpose = match (row.user_id, row.session_id) {
            (Some(user), Some(session)) if row.links => {
                Purpose::Link { user: UserId(user), session: SessionId(session) }
            }
            (Some(user), Some(session)) => {
                Purpose::StepUp { user: UserId(user), session: SessionId(session) }
            }
            _ => Purpose::SignIn,
        };
        Self {
            purpose,
            language: row.language,
            remembered: row.remembered,
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}
