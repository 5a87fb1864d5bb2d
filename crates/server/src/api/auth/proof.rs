//! What a signed-in person proves themselves with again, and how slowly it can be guessed.

use std::net::IpAddr;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::UserId;
use secrecy::SecretString;
use store::Tx;
use store::throttle::{Attempt, Policy, Subject};
use store::user::User;

use crate::AppState;
use crate::auth::totp;
use crate::error::{ApiError, Code, Fields};
use crate::limits::network;

/// One network guessing at one person.
const PER_PAIR: Policy = Policy { free: 5, first: TimeDelta::seconds(1), longest: TimeDelta::minutes(15) };
/// Everybody guessing at one person: shorter, because its owner waits too.
const PER_PERSON: Policy = Policy { free: 20, first: TimeDelta::seconds(1), longest: TimeDelta::minutes(5) };

/// What is being guessed at.
#[derive(Clone, Copy, Debug)]
pub enum Guess {
    /// The password, by somebody who is signed in.
    Password,
    /// A code of the second factor.
    Totp,
}

/// Attempts that count as failed until they are taken back.
#[must_use]
pub struct Counted {
    pair: Subject,
    person: Attempt,
}

/// Counts a guess before it is looked at: a thousand at once wait for each other's count.
///
/// # Errors
/// `TOO_MANY_ATTEMPTS` with the time to wait.
pub async fn count(app: &AppState, what: Guess, user: UserId, address: IpAddr) -> Result<Counted, ApiError> {
    let word = match what {
        Guess::Password => "again",
        Guess::Totp => "totp",
    };
    let subject = |text: String, policy| Subject { key: hex::encode(app.keyring.fingerprint(&text)), policy };
    let now = app.wall.now();
    let pair = subject(format!("{word}|{user}|{}", network(address)), PER_PAIR);
    let person = subject(format!("{word}|{user}"), PER_PERSON);
    let mut tx = app.db.begin().await?;
    // Always in this order, so that two guesses never wait for each other.
    take(&mut tx, &pair, now).await?;
    let person = take(&mut tx, &person, now).await?;
    tx.commit().await?;
    Ok(Counted { pair, person })
}

async fn take(tx: &mut Tx, guard: &Subject, now: Instant) -> Result<Attempt, ApiError> {
    store::throttle::attempt(tx, guard, now).await?.map_err(|wait| {
        ApiError::new(Code::TooManyAttempts).retry_after(wait.num_seconds().unsigned_abs() + 1)
    })
}

impl Counted {
    /// It was right after all; what others failed at from elsewhere stays.
    pub async fn right(self, app: &AppState) -> Result<(), ApiError> {
        let mut tx = app.db.begin().await?;
        store::throttle::clear(&mut tx, &self.pair).await?;
        store::throttle::undo(&mut tx, &self.person).await?;
        Ok(tx.commit().await?)
    }
}

/// Checks the password, and the code where a second factor is in force.
///
/// # Errors
/// `VALIDATION_FAILED` naming `password` or `totp_code`; `TOO_MANY_ATTEMPTS`.
pub async fn check(
    app: &AppState,
    user: &User,
    password: Option<SecretString>,
    given: Option<String>,
    address: IpAddr,
) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let second = store::totp::confirmed(&mut tx, user.id).await?;
    drop(tx);
    let given = given.filter(|code| !code.trim().is_empty());
    if user.password_hash.is_none() {
        return Err(Fields::one("password", "not_set"));
    }
    let Some(password) = password else { return Err(Fields::one("password", "required")) };
    if second.is_some() && given.is_none() {
        return Err(Fields::one("totp_code", "required"));
    }
    let counted = count(app, Guess::Password, user.id, address).await?;
    if !app.passwords.verify(password, user.password_hash.clone()).await? {
        return Err(Fields::one("password", "wrong"));
    }
    counted.right(app).await?;
    let (Some(second), Some(given)) = (second, given) else { return Ok(()) };
    if code(app, &second, &given, address).await? { Ok(()) } else { Err(Fields::one("totp_code", "wrong")) }
}

/// Uses a code of the second factor, slowly guessed at; false when it is wrong or was used before.
pub async fn code(
    app: &AppState,
    second: &store::totp::Totp,
    given: &str,
    address: IpAddr,
) -> Result<bool, ApiError> {
    let counted = count(app, Guess::Totp, second.user, address).await?;
    let mut tx = app.db.begin().await?;
    let right = totp::spend(app, &mut tx, second, given, app.wall.now()).await?;
    tx.commit().await?;
    if right {
        counted.right(app).await?;
    }
    Ok(right)
}
