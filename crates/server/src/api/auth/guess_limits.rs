//! Enforcement of the limits of [`crate::http::rate_limit`]: rejects attempts that are too
//! frequent, and returns the time to wait.

use std::net::IpAddr;

use chrono::TimeDelta;
use domain::ids::UserId;
use providers::channels::message::Message;
use store::Tx;
use store::guess_limits::{Attempt, Subject};
use store::outward::{OverLimit, VerifyRequest};
use uuid::Uuid;

use crate::AppState;
use crate::auth::events::SecurityNotice;
use crate::http::error::{ApiError, Code};
use crate::http::rate_limit::{
    CODES_A_DAY, CODES_BEFORE_NOTICE, LimitedAction, PASSWORDS_BEFORE_NOTICE, SMS_CODES, a_day, address,
    guesses, subnet,
};

/// A guess that is counted as wrong until its result is known.
#[must_use]
pub struct CountedGuess {
    /// Count of one address at one account; `None` if guesses of this action are not counted.
    pair: Option<(Subject, Attempt)>,
    others: Vec<Attempt>,
    /// Number of all guesses at the account, if they are counted.
    at_account: i64,
}

/// A code of the second factor that is counted as wrong until its result is known.
#[must_use]
pub struct CountedCode {
    counted: CountedGuess,
    today: Option<Attempt>,
}

impl CountedCode {
    /// Returns the notification that the owner gets if the code is wrong.
    pub fn security_notice(&self) -> Option<SecurityNotice> {
        let tries = self.today.as_ref().map_or(0, Attempt::failures);
        (tries >= CODES_BEFORE_NOTICE).then_some(SecurityNotice::CodesGuessed)
    }

    /// Undoes the count, because the code was right.
    pub async fn right(self, app: &AppState) -> Result<(), ApiError> {
        if let Some(today) = &self.today {
            let mut tx = app.db.begin().await?;
            store::guess_limits::undo(&mut tx, today).await?;
            tx.commit().await?;
        }
        self.counted.right(app).await
    }
}

/// A verification at the portal, counted before the request is sent.
#[must_use]
pub struct CountedVerification(Uuid);

/// Counts one call of the action `act`. `account` is the account that the caller named; it need not
/// exist.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub fn call(app: &AppState, act: LimitedAction, account: Option<&str>, from: IpAddr) -> Result<(), ApiError> {
    let account = account.map(|who| app.keyring.fingerprint(&format!("{act:?}|{who}")));
    app.limits.count(act, account, from, app.wall.now()).map_err(too_many)
}

/// Rejects a subject with too many recent failures; [`store::guess_limits::fail`] counts failures.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn demand_no_wait(app: &AppState, tx: &mut Tx, subject: &Subject) -> Result<(), ApiError> {
    let Some(wait) = store::guess_limits::wait(tx, subject, app.wall.now()).await? else { return Ok(()) };
    Err(ApiError::new(Code::TooManyAttempts).retry_after(wait.num_seconds().unsigned_abs() + 1))
}

/// Counts one call of the action, and a guess. The guess is counted before it is checked, so that
/// concurrent guesses cannot exceed the limit.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn guess(
    app: &AppState,
    act: LimitedAction,
    account: &str,
    from: IpAddr,
) -> Result<CountedGuess, ApiError> {
    guess_as(app, act, account, from, false).await
}

/// Does the same as [`guess`]. `known` is `true` if the account's owner has signed in with this
/// client before. Guesses of unknown clients at one account slow each other down, but do not lock
/// out its owner.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn guess_as(
    app: &AppState,
    act: LimitedAction,
    account: &str,
    from: IpAddr,
    known: bool,
) -> Result<CountedGuess, ApiError> {
    call(app, act, Some(account), from)?;
    count_guess(app, Guess { act, account, from, known }).await
}

/// A guess at a secret.
#[derive(Clone, Copy, Debug)]
pub struct Guess<'a> {
    /// Limited action.
    pub act: LimitedAction,
    /// Account whose secret is guessed.
    pub account: &'a str,
    /// Address of the client.
    pub from: IpAddr,
    /// `true` if the account's owner has signed in with this client before.
    pub known: bool,
}

/// Does the same as [`guess_as`], for a call that was counted before.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn count_guess(app: &AppState, guess: Guess<'_>) -> Result<CountedGuess, ApiError> {
    let Guess { act, account, from, known } = guess;
    let Some(policies) = guesses(act) else {
        return Ok(CountedGuess { pair: None, others: Vec::new(), at_account: 0 });
    };
    let (one, many) = (address(from), subnet(from));
    let subject = |who: String, policy| {
        let key = hex::encode(app.keyring.fingerprint(&format!("guess|{act:?}|{who}")));
        Subject { key, policy }
    };
    let pair = subject(format!("pair|{account}|{one}"), policies.pair);
    // The order is always the same, so that concurrent guesses never deadlock.
    let whole = (!known).then(|| subject(format!("account|{account}"), policies.account));
    let others = whole.into_iter().chain([
        subject(format!("address|{one}"), policies.address),
        subject(format!("subnet|{many}"), policies.subnet),
    ]);
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let at_pair = store::guess_limits::attempt(&mut tx, &pair, now).await?.map_err(too_many)?;
    let mut counted = Vec::new();
    for subject in others {
        counted.push(store::guess_limits::attempt(&mut tx, &subject, now).await?.map_err(too_many)?);
    }
    tx.commit().await?;
    let at_account = if known { 0 } else { counted.first().map_or(0, Attempt::failures) };
    Ok(CountedGuess { pair: Some((pair, at_pair)), others: counted, at_account })
}

/// Does the same as [`guess_as`], for a code of the second factor. Codes of the authenticator app
/// are checked at most [`CODES_A_DAY`] times a day.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait. Returns `SECOND_FACTOR_LIMIT` if only
/// recovery codes are accepted until tomorrow.
pub async fn guess_code(
    app: &AppState,
    user: UserId,
    code: &str,
    from: IpAddr,
    known: bool,
) -> Result<CountedCode, ApiError> {
    let counted = guess_as(app, LimitedAction::SecondFactor, &user.to_string(), from, known).await?;
    let is_recovery = crate::auth::totp::is_recovery_code(code);
    if is_recovery {
        return Ok(CountedCode { counted, today: None });
    }
    let now = app.wall.now();
    let who = format!("guess|codes|{user}|{known}|{}", now.date_naive());
    let subject = Subject { key: hex::encode(app.keyring.fingerprint(&who)), policy: CODES_A_DAY };
    let mut tx = app.db.begin().await?;
    let Ok(attempt) = store::guess_limits::attempt(&mut tx, &subject, now).await? else {
        drop(tx);
        counted.unseen(app).await;
        let midnight = (now.date_naive() + chrono::Days::new(1)).and_time(chrono::NaiveTime::MIN).and_utc();
        return Err(ApiError::new(Code::SecondFactorLimit).retry_after(seconds_of(midnight - now)));
    };
    tx.commit().await?;
    Ok(CountedCode { counted, today: Some(attempt) })
}

/// Counts an action that stores a row or sends a mail for any caller. `most` is the limit per day.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn daily(app: &AppState, what: &'static str, who: &str, most: i64) -> Result<(), ApiError> {
    let now = app.wall.now();
    let who = format!("daily|{what}|{}|{who}", now.date_naive());
    let subject = Subject {
        key: hex::encode(app.keyring.fingerprint(&who)),
        // Attempts up to the limit do not wait.
        policy: a_day(most),
    };
    let mut tx = app.db.begin().await?;
    store::guess_limits::attempt(&mut tx, &subject, now).await?.map_err(too_many)?;
    Ok(tx.commit().await?)
}

/// A text message that a user requests.
#[derive(Clone, Copy, Debug)]
pub struct AskedText<'a> {
    /// Purpose; each purpose is counted separately.
    pub purpose: TextPurpose,
    /// User who requests the message.
    pub user: UserId,
    /// Number of the recipient.
    pub phone: &'a str,
    /// Address of the client.
    pub from: IpAddr,
    /// Text of the message.
    pub message: &'a Message,
}

/// Purpose of a requested text message.
#[derive(Clone, Copy, Debug)]
pub enum TextPurpose {
    /// A code.
    Code,
    /// A test.
    Test,
}

/// Counts a requested text message before it is sent, and spends its cost from the operator's daily
/// budget.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn asked_text(app: &AppState, asked: AskedText<'_>) -> Result<(), ApiError> {
    let AskedText { purpose, user, phone, from, message } = asked;
    let prefix: String = phone.chars().take(phone.chars().count().saturating_sub(4)).collect();
    let limits = SMS_CODES;
    let now = app.wall.now();
    let today = now.date_naive();
    let subjects = [
        (format!("pair|{user}|{phone}"), limits.pair),
        (format!("number|{phone}"), limits.number),
        // The date is part of the key, because these subjects are never quiet for a whole day.
        (format!("prefix|{today}|{prefix}"), limits.prefix),
        (format!("address|{today}|{}", address(from)), limits.address),
        (format!("user|{today}|{user}"), limits.user),
    ];
    let mut tx = app.db.begin().await?;
    for (who, policy) in subjects {
        let key = hex::encode(app.keyring.fingerprint(&format!("sms-{purpose:?}|{who}")));
        let counted = store::guess_limits::attempt(&mut tx, &Subject { key, policy }, now).await?;
        counted.map_err(too_many)?;
    }
    let settings = &app.settings.channels;
    let cost = settings.sms_cost(app.channels.text_segments(phone, message));
    let paid = store::outbox::arrival::spend(&mut tx, settings.sms_ceiling(now), cost).await?;
    if !paid {
        // The count of the message is rolled back, because it is not sent. The refusal by the
        // budget is stored.
        drop(tx);
        let mut tx = app.db.begin().await?;
        store::outbox::arrival::spend(&mut tx, settings.sms_ceiling(now), cost).await?;
        tx.commit().await?;
        let tomorrow = (today + chrono::Days::new(1)).and_time(chrono::NaiveTime::MIN).and_utc();
        return Err(too_many(tomorrow - now));
    }
    Ok(tx.commit().await?)
}

/// Counts a verification of a portal login before it is made; `login` is the login name at the
/// portal.
///
/// # Errors
/// Returns `TOO_MANY_ATTEMPTS` or `VERIFY_LOGINS_LIMIT` with the time to wait.
pub async fn verification(
    app: &AppState,
    user: UserId,
    login: &str,
    from: IpAddr,
) -> Result<CountedVerification, ApiError> {
    let hashed = |kind: &str, what: &str| app.keyring.fingerprint(&format!("verification|{kind}|{what}"));
    let asked = VerifyRequest {
        who: hashed("user", &user.to_string()),
        login: hashed("login", &login.trim().to_lowercase()),
        address: hashed("address", &address(from).to_string()),
        subnet: hashed("subnet", &subnet(from).to_string()),
    };
    let now = app.wall.now();
    let id = app.engine.context().uuid(now);
    let mut tx = app.db.begin().await?;
    let limits = &app.settings.verifications;
    match store::outward::count_verification(&mut tx, id, &asked, limits, now).await? {
        Ok(()) => {
            tx.commit().await?;
            Ok(CountedVerification(id))
        }
        Err(OverLimit::Hour(wait)) => Err(too_many(wait)),
        Err(OverLimit::Logins(wait)) => {
            Err(ApiError::new(Code::VerifyLoginsLimit).retry_after(seconds_of(wait)))
        }
    }
}

impl CountedVerification {
    /// Undoes the count, because no request was sent to the portal. An error is only logged,
    /// because the caller already gets the reason for the missing request.
    pub async fn not_made(self, app: &AppState) {
        let taken_back = async {
            let mut tx = app.db.begin().await?;
            store::outward::uncount_verification(&mut tx, self.0).await?;
            tx.commit().await
        };
        if let Err(error) = taken_back.await {
            tracing::warn!(%error, "failed to undo the count of a verification that was not made");
        }
    }
}

impl CountedGuess {
    /// Returns the notification that the account's owner gets if the guess is wrong.
    pub const fn security_notice(&self) -> Option<SecurityNotice> {
        if self.at_account >= PASSWORDS_BEFORE_NOTICE { Some(SecurityNotice::PasswordsGuessed) } else { None }
    }

    /// Undoes the count, because the guess was right. The count of this address at this account is
    /// cleared. Failures of other clients and of the network stay counted, so that one correct
    /// password does not hide many wrong ones.
    pub async fn right(self, app: &AppState) -> Result<(), ApiError> {
        let mut tx = app.db.begin().await?;
        if let Some((pair, _)) = &self.pair {
            store::guess_limits::clear(&mut tx, &pair.key).await?;
        }
        for attempt in &self.others {
            store::guess_limits::undo(&mut tx, attempt).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Undoes the count, because a failure of the server prevented the check of the guess. An error
    /// is only logged, because the caller already gets that failure.
    pub async fn unseen(self, app: &AppState) {
        let taken_back = async {
            let mut tx = app.db.begin().await?;
            for attempt in self.pair.iter().map(|(_, attempt)| attempt).chain(&self.others) {
                store::guess_limits::undo(&mut tx, attempt).await?;
            }
            tx.commit().await
        };
        if let Err(error) = taken_back.await {
            tracing::warn!(%error, "failed to undo the count of an unchecked guess");
        }
    }
}

fn too_many(wait: TimeDelta) -> ApiError {
    ApiError::new(Code::TooManyAttempts).retry_after(seconds_of(wait))
}

fn seconds_of(wait: TimeDelta) -> u64 {
    wait.num_milliseconds().unsigned_abs().div_ceil(1000).max(1)
}

/// Clears the count of guesses at an account's password, after its owner set a new password with a
/// mailed link.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn forget_guesses(app: &AppState, tx: &mut Tx, email: &str) -> Result<(), ApiError> {
    let who = format!("guess|{:?}|account|{}", LimitedAction::SignIn, store::user::normalise(email));
    let key = hex::encode(app.keyring.fingerprint(&who));
    Ok(store::guess_limits::clear(tx, &key).await?)
}
