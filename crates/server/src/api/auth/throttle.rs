//! Refuses what is tried too often, by the limits of [`crate::limits`], and says when to come back.

use std::net::IpAddr;

use chrono::TimeDelta;
use store::throttle::{Attempt, Subject};

use crate::AppState;
use crate::error::{ApiError, Code};
use crate::limits::{Act, address, guesses, subnet};

/// Guesses that count as wrong until they are taken back.
#[must_use]
pub struct Counted {
    pair: Option<Subject>,
    others: Vec<Attempt>,
}

/// Takes one call of `act`; `account` is whom it is about, known or not.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub fn call(app: &AppState, act: Act, account: Option<&str>, from: IpAddr) -> Result<(), ApiError> {
    let account = account.map(|who| app.keyring.fingerprint(&format!("{act:?}|{who}")));
    app.limits.take(act, account, from, app.wall.now()).map_err(too_many)
}

/// Takes one call of `act` and counts a guess before it is looked at: a thousand at once wait for each other's count.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn guess(app: &AppState, act: Act, account: &str, from: IpAddr) -> Result<Counted, ApiError> {
    call(app, act, Some(account), from)?;
    let Some(policies) = guesses(act) else { return Ok(Counted { pair: None, others: Vec::new() }) };
    let (one, many) = (address(from), subnet(from));
    let subject = |who: String, policy| {
        let key = hex::encode(app.keyring.fingerprint(&format!("guess|{act:?}|{who}")));
        Subject { key, policy }
    };
    let pair = subject(format!("pair|{account}|{one}"), policies.pair);
    // Always in this order, so that two guesses never wait for each other.
    let others = [
        subject(format!("account|{account}"), policies.account),
        subject(format!("address|{one}"), policies.address),
        subject(format!("subnet|{many}"), policies.subnet),
    ];
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    store::throttle::attempt(&mut tx, &pair, now).await?.map_err(too_many)?;
    let mut counted = Vec::new();
    for subject in &others {
        counted.push(store::throttle::attempt(&mut tx, subject, now).await?.map_err(too_many)?);
    }
    tx.commit().await?;
    Ok(Counted { pair: Some(pair), others: counted })
}

impl Counted {
    /// It was right after all. Whose it is starts afresh from here; what others failed at stays, and so does the network's
    /// record: one good password must not cover a thousand bad ones.
    pub async fn right(self, app: &AppState) -> Result<(), ApiError> {
        let mut tx = app.db.begin().await?;
        if let Some(pair) = &self.pair {
            store::throttle::clear(&mut tx, pair).await?;
        }
        for attempt in &self.others {
            store::throttle::undo(&mut tx, attempt).await?;
        }
        Ok(tx.commit().await?)
    }
}

fn too_many(wait: TimeDelta) -> ApiError {
    let seconds = wait.num_milliseconds().unsigned_abs().div_ceil(1000).max(1);
    ApiError::new(Code::TooManyAttempts).retry_after(seconds)
}
