//! Referral terms, and the referrals made under them.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::UserId;
use domain::money::Money;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one};

/// Current referral terms.
#[derive(Clone, Copy, Debug)]
pub struct CurrentTerms {
    /// Discount on each applicant's price of a newcomer's first task.
    pub newcomer_discount: Money,
    /// Bonus of the referrer when that task is captured.
    pub referrer_bonus: Money,
    /// Time at which the terms were set.
    pub set_at: Instant,
}

/// First task of a newcomer, and the state of the referrer's bonus.
#[derive(Clone, Debug)]
pub struct Referral {
    /// Referred user.
    pub newcomer: UserId,
    /// Referrer.
    pub referrer: UserId,
    /// Bonus of the referrer.
    pub bonus: Money,
    /// State: `reserved`, `credited`, `returned`, `refused` or `void`.
    pub state: String,
    /// Reason for refusing or voiding it.
    pub why: Option<String>,
    /// Time at which the task was submitted.
    pub created_at: Instant,
}

/// Returns the current terms. `None` if they were never set.
pub async fn worth(tx: &mut Tx) -> Result<Option<CurrentTerms>, Error> {
    let row = one!(
        tx,
        (i64, i64, DateTime<Utc>),
        "SELECT newcomer_discount, referrer_bonus, set_at FROM referral_setting WHERE id = 1"
    )?;
    Ok(row.map(|(newcomer, referrer, set_at)| CurrentTerms {
        newcomer_discount: Money::cad(newcomer),
        referrer_bonus: Money::cad(referrer),
        set_at,
    }))
}

/// Sets the terms from now on. Agreed prices stay.
pub async fn set_worth(tx: &mut Tx, newcomer: Money, referrer: Money, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO referral_setting (id, newcomer_discount, referrer_bonus, currency, set_at)
         VALUES (1, $1, $2, $3, $4)
         ON CONFLICT (id) DO UPDATE SET newcomer_discount = excluded.newcomer_discount,
           referrer_bonus = excluded.referrer_bonus, currency = excluded.currency, set_at = excluded.set_at",
        newcomer.minor,
        referrer.minor,
        newcomer.currency.code(),
        now
    )?;
    Ok(())
}

/// Counts the referrals in each state, with the sum of their bonuses in minor units.
pub async fn counts(tx: &mut Tx) -> Result<Vec<(String, i64, i64)>, Error> {
    all!(
        tx,
        (String, i64, i64),
        "SELECT state, COUNT(*), CAST(SUM(bonus) AS BIGINT) FROM referral GROUP BY state ORDER BY state"
    )
}

/// Returns referrals, newest first.
pub async fn list(tx: &mut Tx, limit: i64) -> Result<Vec<Referral>, Error> {
    let rows = all!(
        tx,
        (Uuid, Uuid, i64, String, Option<String>, DateTime<Utc>),
        "SELECT newcomer, referrer, bonus, state, why, created_at FROM referral
         ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )?;
    let one = |(newcomer, referrer, bonus, state, why, created_at)| Referral {
        newcomer: UserId(newcomer),
        referrer: UserId(referrer),
        bonus: Money::cad(bonus),
        state,
        why,
        created_at,
    };
    Ok(rows.into_iter().map(one).collect())
}
