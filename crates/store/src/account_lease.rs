//! Portal accounts leased to jobs whose requests the stored budget does not count yet.

use chrono::TimeDelta;
use domain::budget::{Budget, Calls};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use serde_json::json;
use uuid::Uuid;

use crate::portal_account::{self, SpentCalls};
use crate::{Error, Tx, all, exec};

/// Kind of job that an account is leased to. It determines the requests that the job may have
/// spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum Use {
    /// One request for a list.
    Poll,
    /// The pages of the group and the first polls.
    WarmUp,
    /// One or two pages.
    Read,
}

impl Use {
    /// Returns the stored text.
    fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the usual maximum number of requests of such a job, without sign-ins. A sign-in is
    /// recorded before it is made.
    #[must_use]
    pub const fn calls(self) -> Calls {
        match self {
            Self::Poll => Calls { requests: 1, polls: 1, sign_ins: 0 },
            Self::WarmUp => Calls { requests: 6, polls: 2, sign_ins: 0 },
            Self::Read => Calls { requests: 3, polls: 0, sign_ins: 0 },
        }
    }
}

/// Leased account: its id, the number of the lease, and the kind of job. Numbers increase.
pub type StoredLease = (PortalAccountId, i64, Use);

/// Records that these accounts are leased from now on. Replaces the row of an earlier lease of the
/// same account. The caller commits this before the first request of the jobs.
pub async fn record(tx: &mut Tx, lent: &[StoredLease], now: Instant) -> Result<(), Error> {
    let rows: Vec<_> =
        lent.iter().map(|(id, turn, what)| (id.0.simple().to_string(), turn, what.as_str())).collect();
    let sql = tx.pick(
        "INSERT INTO account_lease (portal_account_id, turn, job, taken_at)
         SELECT unhex(json_extract(new.value, '$[0]')), json_extract(new.value, '$[1]'),
           json_extract(new.value, '$[2]'), $2 FROM json_each($1) AS new WHERE TRUE
         ON CONFLICT (portal_account_id) DO UPDATE SET turn = excluded.turn, job = excluded.job,
           taken_at = excluded.taken_at",
        "INSERT INTO account_lease (portal_account_id, turn, job, taken_at)
         SELECT CAST(new.value ->> 0 AS UUID), CAST(new.value ->> 1 AS BIGINT), new.value ->> 2, $2
         FROM jsonb_array_elements($1) AS new (value)
         ON CONFLICT (portal_account_id) DO UPDATE SET turn = excluded.turn, job = excluded.job,
           taken_at = excluded.taken_at",
    );
    exec!(tx, sql, json!(rows), now)?;
    Ok(())
}

/// Deletes leases, given as account and number, whose requests the stored budgets count. The caller
/// commits both together.
pub async fn give_back(tx: &mut Tx, turns: &[(PortalAccountId, i64)]) -> Result<(), Error> {
    if turns.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = turns.iter().map(|(id, turn)| (id.0.simple().to_string(), turn)).collect();
    let sql = tx.pick(
        "DELETE FROM account_lease WHERE (portal_account_id, turn) IN
           (SELECT unhex(json_extract(value, '$[0]')), json_extract(value, '$[1]') FROM json_each($1))",
        "DELETE FROM account_lease WHERE (portal_account_id, turn) IN
           (SELECT CAST(value ->> 0 AS UUID), CAST(value ->> 1 AS BIGINT) FROM jsonb_array_elements($1))",
    );
    exec!(tx, sql, json!(rows))?;
    Ok(())
}

/// Adds the requests that jobs of an ended engine may have made to the budgets, and deletes all
/// leases. Covers each leased account, and each account with a recently prepared booking attempt.
/// Returns the updated budgets.
pub async fn settle_left_over(tx: &mut Tx, now: Instant) -> Result<Vec<(PortalAccountId, Budget)>, Error> {
    let rows = all!(tx, (Uuid, String), "SELECT portal_account_id, job FROM account_lease")?;
    let mut spent: Vec<(PortalAccountId, Vec<SpentCalls>)> = Vec::new();
    for (id, job) in rows {
        let what: Use = job.parse().map_err(|_| Error::Corrupt("account_lease.job"))?;
        spent.push((PortalAccountId(id), vec![(what.calls(), now)]));
    }
    let booking = Calls { requests: BOOKING_REQUESTS, polls: 1, sign_ins: 0 };
    let sql = "SELECT portal_account_id FROM intent WHERE state IN ('armed', 'acting', 'unknown') AND armed_at > $1";
    for (id,) in all!(tx, (Uuid,), sql, now - UNDER_WAY)? {
        let id = PortalAccountId(id);
        if !spent.iter().any(|(known, _)| *known == id) {
            spent.push((id, vec![(booking, now)]));
        }
    }
    let budgets = portal_account::spend(tx, &spent).await?;
    exec!(tx, "DELETE FROM account_lease")?;
    Ok(budgets)
}

/// Approximate number of requests from the preparation of a booking to its first reading, and
/// maximum age of an interrupted booking.
const BOOKING_REQUESTS: u32 = 7;
const UNDER_WAY: TimeDelta = TimeDelta::minutes(10);

/// Returns the accounts that are leased now, for stories and operators.
pub async fn leased(tx: &mut Tx) -> Result<Vec<PortalAccountId>, Error> {
    let rows = all!(tx, (Uuid,), "SELECT portal_account_id FROM account_lease ORDER BY portal_account_id")?;
    Ok(rows.into_iter().map(|(id,)| PortalAccountId(id)).collect())
}
