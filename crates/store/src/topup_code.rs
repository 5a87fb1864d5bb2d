//! Top-up codes: 16 hex characters, shown once and stored only as a keyed hash.

use chrono::{DateTime, Utc};
use domain::clock::Instant;
use domain::ids::{TopupCodeId, UserId};
use domain::money::{Currency, Money};
use uuid::Uuid;

use crate::keyring::KeyRing;
use crate::{Error, Random, Tx, all, exec, ledger, one};

/// Top-up code in clear text.
#[derive(Clone, PartialEq, Eq)]
pub struct Code(String);

/// Top-up code as operators see it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Id of the code.
    pub id: TopupCodeId,
    /// Last four characters of the code.
    pub tail: String,
    /// Value of the code.
    pub amount: Money,
    /// Time at which it expires.
    pub expires_at: Instant,
    /// Time at which it was revoked.
    pub revoked_at: Option<Instant>,
    /// Time at which it was redeemed.
    pub redeemed_at: Option<Instant>,
    /// User who redeemed it.
    pub redeemed_by: Option<UserId>,
    /// Operator's note.
    pub note: Option<String>,
}

/// Result of redeeming a code.
#[derive(Clone, Copy, Debug)]
pub struct TopupCredit {
    /// Id of the code.
    pub code: TopupCodeId,
    /// Value of the code.
    pub amount: Money,
    /// Available balance before.
    pub before: Money,
    /// Available balance after.
    pub after: Money,
}

/// Errors of [`redeem`].
#[derive(Debug, thiserror::Error)]
pub enum RedeemError {
    /// There is no such code, or it was revoked.
    #[error("Invalid topup code")]
    Unknown,
    /// The code was redeemed before, by any user.
    #[error("Topup code has already been used")]
    Used,
    /// The code has expired.
    #[error("Topup code has expired")]
    Expired,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] Error),
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    tail: String,
    amount: i64,
    currency: String,
    note: Option<String>,
    expires_at: DateTime<Utc>,
    revoked_at: Option<DateTime<Utc>>,
    redeemed_at: Option<DateTime<Utc>>,
    redeemed_by: Option<Uuid>,
}

impl Code {
    /// Creates a new code.
    #[must_use]
    pub fn generate(random: &Random) -> Self {
        Self(hex::encode(random.bytes::<8>()))
    }

    /// Parses a code as typed. Ignores spaces and dashes between groups.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code: String = text.chars().filter(|c| !c.is_whitespace() && *c != '-').collect();
        let code = code.to_ascii_lowercase();
        (code.len() == 16 && code.bytes().all(|b| b.is_ascii_hexdigit())).then_some(Self(code))
    }

    /// Returns the code in clear text, for showing it once.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the last four characters, which identify the code for users.
    #[must_use]
    pub fn tail(&self) -> &str {
        &self.0[12..]
    }

    fn fingerprint(&self, ring: &KeyRing) -> Vec<u8> {
        ring.fingerprint(&format!("topup-code|{}", self.0)).to_vec()
    }
}

impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Code")
    }
}

/// Inserts a new code that is valid until `expires_at`.
pub async fn mint(
    tx: &mut Tx,
    ring: &KeyRing,
    (id, code): (TopupCodeId, &Code),
    amount: Money,
    note: Option<&str>,
    (now, expires_at): (Instant, Instant),
) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO topup_code (id, code_fp, tail, amount, currency, note, created_at, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        id.0,
        code.fingerprint(ring),
        code.tail().to_owned(),
        amount.minor,
        amount.currency.code(),
        note.map(str::to_owned),
        now,
        expires_at
    )?;
    Ok(())
}

/// Returns `true` if a code can be redeemed now.
pub async fn is_valid(tx: &mut Tx, ring: &KeyRing, code: &Code, now: Instant) -> Result<bool, Error> {
    Ok(find(tx, ring, code)
        .await?
        .is_some_and(|row| row.revoked_at.is_none() && row.redeemed_at.is_none() && row.expires_at > now))
}

/// Credits a code to a user. Each code can be redeemed only once, by the first user.
pub async fn redeem(
    tx: &mut Tx,
    ring: &KeyRing,
    random: &Random,
    (user, code): (UserId, &Code),
    now: Instant,
) -> Result<TopupCredit, RedeemError> {
    // Serialises redemptions of one user, so that the two balances differ by this code alone.
    ledger::lock(tx, random, user, now).await?;
    let before = ledger::balance(tx, user).await?.available;
    let taken = exec!(
        tx,
        "UPDATE topup_code SET redeemed_at = $2, redeemed_by = $3
         WHERE code_fp = $1 AND redeemed_at IS NULL AND revoked_at IS NULL AND expires_at > $2",
        code.fingerprint(ring),
        now,
        user.0
    )?;
    let row = find(tx, ring, code).await?.ok_or(RedeemError::Unknown)?;
    if taken == 0 {
        return Err(match (row.revoked_at, row.redeemed_at) {
            (Some(_), _) => RedeemError::Unknown,
            (_, Some(_)) => RedeemError::Used,
            _ => RedeemError::Expired,
        });
    }
    let amount = amount(&row)?;
    ledger::topup(tx, random, user, amount, ("topup_code", row.id), now).await?;
    let after = ledger::balance(tx, user).await?.available;
    Ok(TopupCredit { code: TopupCodeId(row.id), amount, before, after })
}

/// Returns codes, newest first.
pub async fn list(tx: &mut Tx, limit: i64) -> Result<Vec<Listed>, Error> {
    let rows = all!(
        tx,
        Row,
        "SELECT id, tail, amount, currency, note, expires_at, revoked_at, redeemed_at, redeemed_by
         FROM topup_code ORDER BY created_at DESC, id DESC LIMIT $1",
        limit
    )?;
    rows.into_iter().map(Listed::try_from).collect()
}

/// Revokes an unused code. Returns `false` if it is unknown, redeemed or revoked already.
pub async fn revoke(tx: &mut Tx, id: TopupCodeId, now: Instant) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE topup_code SET revoked_at = $2 WHERE id = $1 AND redeemed_at IS NULL AND revoked_at IS NULL",
        id.0,
        now
    )?;
    Ok(rows == 1)
}

async fn find(tx: &mut Tx, ring: &KeyRing, code: &Code) -> Result<Option<Row>, Error> {
    one!(
        tx,
        Row,
        "SELECT id, tail, amount, currency, note, expires_at, revoked_at, redeemed_at, redeemed_by
         FROM topup_code WHERE code_fp = $1",
        code.fingerprint(ring)
    )
}

fn amount(row: &Row) -> Result<Money, Error> {
    let currency = Currency::parse(&row.currency).ok_or(Error::Corrupt("topup_code.currency"))?;
    Ok(Money { minor: row.amount, currency })
}

impl TryFrom<Row> for Listed {
    type Error = Error;

    fn try_from(row: Row) -> Result<Self, Error> {
        Ok(Self {
            id: TopupCodeId(row.id),
            amount: amount(&row)?,
            tail: row.tail,
            expires_at: row.expires_at,
            revoked_at: row.revoked_at,
            redeemed_at: row.redeemed_at,
            redeemed_by: row.redeemed_by.map(UserId),
            note: row.note,
        })
    }
}
