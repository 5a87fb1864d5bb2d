//! Refuses what is tried too often, by the limits of [`crate::http::rate_limit`], and says when to come back.

use std::net::IpAddr;

use chrono::TimeDelta;
use store::Tx;
use store::outward::{OverLimit, VerifyRequest};
use store::throttle::{Attempt, Subject};
use uuid::Uuid;

use crate::AppState;
use crate::http::error::{ApiError, Code};
use crate::http::rate_limit::{Act, address, guesses, sms_codes, subnet};

/// Guesses that count as wrong until they are taken back.
#[must_use]
pub struct Counted {
    /// One address at one account; none where nothing is counted.
    pair: Option<(Subject, Attempt)>,
    others: Vec<Attempt>,
}

/// A verification that was counted before it is made.
#[must_use]
pub struct CountedVerification(Uuid);

/// Takes one call of `act`; `account` is whom it is about, known or not.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub fn call(app: &AppState, act: Act, account: Option<&str>, from: IpAddr) -> Result<(), ApiError> {
    let account = account.map(|who| app.keyring.fingerprint(&format!("{act:?}|{who}")));
    app.limits.take(act, account, from, app.wall.now()).map_err(too_many)
}

/// Refuses whoever failed too often lately; failures are counted by [`store::throttle::fail`].
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn demand_no_wait(app: &AppState, tx: &mut Tx, subject: &Subject) -> Result<(), ApiError> {
    let Some(wait) = store::throttle::wait(tx, subject, app.wall.now()).await? else { return Ok(()) };
    Err(ApiError::new(Code::TooManyAttempts).retry_after(wait.num_seconds().unsigned_abs() + 1))
}

/// Takes one call of `act` and counts a guess before it is looked at: a thousand at once wait for each other's count.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn guess(app: &AppState, act: Act, account: &str, from: IpAddr) -> Result<Counted, ApiError> {
    guess_as(app, act, account, from, false).await
}

/// As [`guess`]. `known` is somebody who comes from where the account's owner has signed in before: many addresses that guess
/// at one account slow each other down, and must not keep its owner out.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn guess_as(
    app: &AppState,
    act: Act,
    account: &str,
    from: IpAddr,
    known: bool,
) -> Result<Counted, ApiError> {
    call(app, act, Some(account), from)?;
    let Some(policies) = guesses(act) else { return Ok(Counted { pair: None, others: Vec::new() }) };
    let (one, many) = (address(from), subnet(from));
    let subject = |who: String, policy| {
        let key = hex::encode(app.keyring.fingerprint(&format!("guess|{act:?}|{who}")));
        Subject { key, policy }
    };
    let pair = subject(format!("pair|{account}|{one}"), policies.pair);
    // Always in this order, so that two guesses never wait for each other.
    let whole = (!known).then(|| subject(format!("account|{account}"), policies.account));
    let others = whole.into_iter().chain([
        subject(format!("address|{one}"), policies.address),
        subject(format!("subnet|{many}"), policies.subnet),
    ]);
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let at_pair = store::throttle::attempt(&mut tx, &pair, now).await?.map_err(too_many)?;
    let mut counted = Vec::new();
    for subject in others {
        counted.push(store::throttle::attempt(&mut tx, &subject, now).await?.map_err(too_many)?);
    }
    tx.commit().await?;
    Ok(Counted { pair: Some((pair, at_pair)), others: counted })
}

/// Counts a code that is about to be sent by text message.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn sms_code(app: &AppState, user: &str, phone: &str, from: IpAddr) -> Result<(), ApiError> {
    let prefix: String = phone.chars().take(phone.chars().count().saturating_sub(4)).collect();
    let limits = sms_codes(app.settings.channels.sms_per_day);
    let now = app.wall.now();
    let today = now.date_naive();
    let subjects = [
        (format!("pair|{user}|{phone}"), limits.pair),
        (format!("number|{phone}"), limits.number),
        // Each day anew: these are never quiet for a day.
        (format!("prefix|{today}|{prefix}"), limits.prefix),
        (format!("address|{today}|{}", address(from)), limits.address),
        (format!("everybody|{today}"), limits.everybody),
    ];
    let mut tx = app.db.begin().await?;
    for (who, policy) in subjects {
        let key = hex::encode(app.keyring.fingerprint(&format!("sms-code|{who}")));
        let counted = store::throttle::attempt(&mut tx, &Subject { key, policy }, now).await?;
        counted.map_err(too_many)?;
    }
    Ok(tx.commit().await?)
}

/// Counts a verification of a portal login before it is made; `login` is the portal's name for it.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` or `VERIFY_LOGINS_LIMIT` with the time to wait.
pub async fn verification(
    app: &AppState,
    user: domain::ids::UserId,
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
    /// The portal was not asked: it counts against nobody. The caller is told why the portal was not asked, so a failure here is
    /// only logged.
    pub async fn not_made(self, app: &AppState) {
        let taken_back = async {
            let mut tx = app.db.begin().await?;
            store::outward::uncount_verification(&mut tx, self.0).await?;
            tx.commit().await
        };
        if let Err(error) = taken_back.await {
            tracing::warn!(%error, "a verification that was not made stays counted");
        }
    }
}

impl Counted {
    /// It was right after all. Whose it is starts afresh from here; what others failed at stays, and so does the network's
    /// record: one good password must not cover a thousand bad ones.
    pub async fn right(self, app: &AppState) -> Result<(), ApiError> {
        let mut tx = app.db.begin().await?;
        if let Some((pair, _)) = &self.pair {
            store::throttle::clear(&mut tx, pair).await?;
        }
        for attempt in &self.others {
            store::throttle::undo(&mut tx, attempt).await?;
        }
        Ok(tx.commit().await?)
    }

    /// Nobody could look at it, for a failure of ours: it was no guess. Whoever asks is told of that failure, so one of taking
    /// it back is only written down.
    pub async fn unseen(self, app: &AppState) {
        let taken_back = async {
            let mut tx = app.db.begin().await?;
            for attempt in self.pair.iter().map(|(_, attempt)| attempt).chain(&self.others) {
                store::throttle::undo(&mut tx, attempt).await?;
            }
            tx.commit().await
        };
        if let Err(error) = taken_back.await {
            tracing::warn!(%error, "a guess nobody looked at stays counted");
        }
    }
}

fn too_many(wait: TimeDelta) -> ApiError {
    ApiError::new(Code::TooManyAttempts).retry_after(seconds_of(wait))
}

fn seconds_of(wait: TimeDelta) -> u64 {
    wait.num_milliseconds().unsigned_abs().div_ceil(1000).max(1)
}
