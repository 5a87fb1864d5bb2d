//! Works off what people who are not signed in asked for by mail.
//!
//! The request itself only leaves a row, the same for every address. What comes of it is decided here, once, in the
//! transaction that takes the row, and at moments of our own choosing: nobody can measure it.

use std::time::Duration;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{MailRequestId, UserId};
use serde_json::{Value, json};
use store::Tx;
use store::mail_request::{MailRequest, Wanted};
use store::outbox::NewMail;
use store::token::{Registration, TokenKind};
use store::user::{NewUser, User};
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// How long the link to a new password works.
pub const RESET_LIFE: TimeDelta = TimeDelta::hours(1);
/// How long a verification link works.
const VERIFY_LIFE: TimeDelta = TimeDelta::hours(24);
/// How long who registered is told that their mail waits to be read.
pub const REGISTRATION_LIFE: TimeDelta = TimeDelta::days(30);
/// Between two links of a kind to one person.
const BETWEEN: TimeDelta = TimeDelta::minutes(1);
/// Never woken by a request: what follows one must not tell by its time what the last one led to.
const TICK: Duration = Duration::from_millis(500);
/// How long a request waits that could not be worked off.
const LATER: TimeDelta = TimeDelta::minutes(1);

/// Works off requests until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = resolve_due(&app).await {
            tracing::warn!(%error, "requests for mail cannot be read");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(TICK) => {}
        }
    }
}

/// Works off everything that waits; returns how many requests.
///
/// # Errors
/// When the database fails.
pub async fn resolve_due(app: &AppState) -> Result<usize, ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let any = store::mail_request::any_due(&mut tx, now).await?;
    drop(tx);
    let mut count = 0;
    while any && resolve_next(app, now).await? {
        count += 1;
    }
    if count > 0 {
        app.mail.notify_one();
    }
    Ok(count)
}

async fn resolve_next(app: &AppState, now: Instant) -> Result<bool, ApiError> {
    let mut tx = app.db.begin().await?;
    let Some(request) = store::mail_request::take(&mut tx, now).await? else { return Ok(false) };
    let id = request.id;
    match resolve(app, &mut tx, request, now).await {
        Ok(()) => tx.commit().await?,
        Err(error) if error.code == Code::Unavailable => return Err(error),
        Err(error) => {
            tracing::error!(%id, %error, "a request for mail waits");
            tx.rollback().await?;
            let mut tx = app.db.begin().await?;
            store::mail_request::postpone(&mut tx, id, now + LATER).await?;
            tx.commit().await?;
        }
    }
    Ok(true)
}

async fn resolve(app: &AppState, tx: &mut Tx, request: MailRequest, now: Instant) -> Result<(), ApiError> {
    let MailRequest { id, email, wanted } = request;
    match wanted {
        Wanted::Register { registration, referral_code } => {
            register(app, tx, (id, &email), &registration, referral_code.as_deref(), now).await
        }
        Wanted::VerifyEmail => verify_again(app, tx, (id, &email), now).await,
        Wanted::ResetPassword => match store::user::by_email(tx, &email).await? {
            Some(user) => reset(app, tx, id, &user, now).await,
            None => Ok(()),
        },
        Wanted::ChangeEmail(user) => change_email(app, tx, (id, &email), user, now).await,
    }
}

async fn register(
    app: &AppState,
    tx: &mut Tx,
    (id, email): (MailRequestId, &str),
    newest: &Registration,
    referral_code: Option<&str>,
    now: Instant,
) -> Result<(), ApiError> {
    let referred_by = match referral_code.map(str::trim).filter(|c| !c.is_empty()) {
        Some(code) => store::user::by_referral_code(tx, code).await?,
        None => None,
    };
    let new = NewUser {
        id: UserId::new(now, app.random.bytes()),
        email: email.to_owned(),
        password_hash: Some(newest.password_hash.clone()),
        language: newest.language.clone(),
        referral_code: hex::encode(app.random.bytes::<5>()),
        referred_by,
        // Without mail nobody proves an address; whoever links to it later must know that.
        email_verified_at: None,
    };
    let fresh = store::user::insert(tx, &new, now).await?;
    // Without mail nobody proves an address, and an account may be in use unproven: it is never taken over.
    if !fresh && app.mail_configured() {
        store::user::register_again(tx, email, newest, now).await?;
    }
    let user = store::user::by_email(tx, email).await?;
    let user = user.ok_or_else(|| ApiError::internal(&"a registered user is gone"))?;
    if user.email_verified_at.is_none() {
        // Not held back by a mail of this minute: that may be a stranger's, and this person would use its link.
        send_verification(app, tx, id, &user, now).await?;
    } else if !fresh {
        let data = json!({ "link": format!("{}/auth/login", app.settings.public_url) });
        // At most once an hour.
        let key = format!("already_registered:{}:{}", user.id, now.timestamp() / 3600);
        crate::auth::mail::queue(app, tx, &user, ("already_registered", &key), &data, now).await?;
    }
    Ok(())
}

/// The verification mail once more. Where an address was registered with several passwords nobody knows which is its
/// owner's: then who reads the mail chooses a new one.
async fn verify_again(
    app: &AppState,
    tx: &mut Tx,
    (id, email): (MailRequestId, &str),
    now: Instant,
) -> Result<(), ApiError> {
    let Some(user) = store::user::by_email(tx, email).await?.filter(|u| u.email_verified_at.is_none()) else {
        return Ok(());
    };
    if store::user::is_contested(tx, user.id).await? || user.password_hash.is_none() {
        return reset(app, tx, id, &user, now).await;
    }
    let lately = store::token::count_since(tx, user.id, TokenKind::VerifyEmail, now - BETWEEN).await? > 0;
    if lately || store::outbox::waits(tx, user.id, "verify_email").await? {
        return Ok(());
    }
    send_verification(app, tx, id, &user, now).await
}

/// Issues a link for the newest registration and queues its mail.
///
/// Anyone can register an address that is not theirs. So until it is proven, each registration has a link of its own
/// which carries its password: the link that is used makes its registration the account, and the others die.
async fn send_verification(
    app: &AppState,
    tx: &mut Tx,
    id: MailRequestId,
    user: &User,
    now: Instant,
) -> Result<(), ApiError> {
    // Registering somebody else's address again and again is no way to fill their mailbox: a link they can ask for.
    let lately =
        store::token::count_since(tx, user.id, TokenKind::VerifyEmail, now - TimeDelta::hours(1)).await?;
    if lately >= MAILS_AN_HOUR {
        return Ok(());
    }
    let contested = store::user::is_contested(tx, user.id).await?;
    let words = json!({ "hours": VERIFY_LIFE.num_hours(), "contested": contested, "at": stamp(now) });
    let (seed, data) = with_link(app, words, "/auth/verify-email", VERIFY_LIFE);
    if crate::auth::mail::queue(app, tx, user, ("verify_email", &format!("verify:{id}")), &data, now).await? {
        let language = user.language.clone();
        let registration =
            user.password_hash.clone().map(|hash| Registration { password_hash: hash, language });
        let kind = (user.id, TokenKind::VerifyEmail);
        store::token::issue(tx, kind, &seed, (now, now + VERIFY_LIFE), registration.as_ref()).await?;
    }
    Ok(())
}

/// Registrations of one unproven address that are mailed within an hour.
const MAILS_AN_HOUR: i64 = 5;

/// Mails a link to a new password, unless one went out within the minute or still waits for its mail server.
async fn reset(
    app: &AppState,
    tx: &mut Tx,
    id: MailRequestId,
    user: &User,
    now: Instant,
) -> Result<(), ApiError> {
    let lately = store::token::count_since(tx, user.id, TokenKind::ResetPassword, now - BETWEEN).await? > 0;
    if lately || store::outbox::waits(tx, user.id, "reset_password").await? {
        return Ok(());
    }
    let words = json!({ "minutes": RESET_LIFE.num_minutes() });
    let (raw, data) = with_link(app, words, "/auth/reset-password", RESET_LIFE);
    if crate::auth::mail::queue(app, tx, user, ("reset_password", &format!("reset:{id}")), &data, now).await?
    {
        let kind = (user.id, TokenKind::ResetPassword);
        store::token::issue(tx, kind, &raw, (now, now + RESET_LIFE), None).await?;
    }
    Ok(())
}

/// A link to the new address and a word to the old one. Somebody else's proven address gets nothing; without mail
/// nobody proves an address, so one that any account has is left alone.
async fn change_email(
    app: &AppState,
    tx: &mut Tx,
    (id, email): (MailRequestId, &str),
    user: UserId,
    now: Instant,
) -> Result<(), ApiError> {
    if !store::user::is_still(tx, user, None).await? {
        return Ok(());
    }
    let Some(user) = store::user::get(tx, user).await? else { return Ok(()) };
    if !app.mail_configured() {
        store::user::set_unproven_email(tx, user.id, email, now).await?;
        return Ok(());
    }
    let taken = store::user::by_email(tx, email).await?;
    let taken = taken.is_some_and(|u| u.id != user.id && u.email_verified_at.is_some());
    let link = format!("{}/auth/forgot-password", app.settings.public_url);
    let notice = json!({ "new": masked(email), "link": link });
    let key = format!("email_change_notice:{id}");
    crate::auth::mail::queue(app, tx, &user, ("email_change_notice", &key), &notice, now).await?;
    if taken {
        return Ok(());
    }
    let words = json!({ "hours": VERIFY_LIFE.num_hours(), "old": masked(&user.email) });
    let (raw, data) = with_link(app, words, "/auth/verify-email", VERIFY_LIFE);
    let mail = NewMail {
        user: Some(user.id),
        recipient: email,
        language: &user.language,
        template: "email_change",
        data: &data,
        dedup_key: &format!("email_change:{id}"),
    };
    if store::outbox::enqueue(tx, &app.random, &mail, now).await? {
        store::email_change::issue(tx, user.id, email, &raw, (now, now + VERIFY_LIFE)).await?;
    }
    Ok(())
}

/// A fresh token, and what the outbox keeps of it: a seed that is worth nothing without the key ring.
fn with_link(app: &AppState, mut words: Value, page: &str, life: TimeDelta) -> ([u8; 32], Value) {
    let seed = hex::encode(app.random.bytes::<16>());
    let raw = store::token::mailed(&app.keyring, &seed);
    words["link"] = json!({ "page": page, "seed": seed, "minutes": life.num_minutes() });
    (raw, words)
}

/// An instant as mails show it.
#[must_use]
pub fn stamp(at: Instant) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}

/// An address for eyes that need not know it: its first letter and its host.
fn masked(email: &str) -> String {
    let (local, host) = email.rsplit_once('@').unwrap_or((email, ""));
    format!("{}***@{host}", local.chars().next().map(String::from).unwrap_or_default())
}
