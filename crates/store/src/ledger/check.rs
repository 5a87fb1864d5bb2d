//! Consistency check of the ledger, and the freeze after a failed check.

use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one};

/// Inconsistency in the ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Violated invariant, e.g. `M1`.
    pub promise: &'static str,
    /// Currency or account id with the inconsistency.
    pub place: String,
    /// Amount according to the rows, in minor units.
    pub expected: i64,
    /// Stored amount, in minor units.
    pub found: i64,
}

/// Number of accounts that one statement recomputes, so that none reaches the database's time-out.
/// Each internal account takes two plain sums over all transfers.
const AT_ONCE: i64 = 500;

/// Accounts with ids after `after`, up to `to`.
#[derive(Clone, Copy, Debug)]
struct Page {
    after: Uuid,
    to: Uuid,
}

/// Recomputes every balance from the rows, one page of accounts at a time. Returns the
/// inconsistencies.
///
/// M1: posted sums to zero per currency. M2: no user is below zero, and no debt is negative. M3:
/// resolutions match their holds. M4: held equals the open holds, posted equals the posted rows.
/// M5: a user's transfers are numbered without a gap, and each stores the sums of the transfers up
/// to it.
pub async fn check(tx: &mut Tx) -> Result<Vec<Difference>, Error> {
    let mut found = Vec::new();
    let sums = all!(
        tx,
        (String, i64),
        "SELECT currency, CAST(SUM(posted) AS BIGINT) FROM ledger_account GROUP BY currency HAVING SUM(posted) <> 0"
    )?;
    found.extend(sums.into_iter().map(|(place, sum)| difference("M1", place, 0, sum)));
    let below = all!(
        tx,
        (Uuid, i64),
        "SELECT id, posted - held FROM ledger_account
         WHERE (kind = 'user' AND posted - held < 0) OR (kind = 'debt' AND posted > 0)"
    )?;
    found.extend(below.into_iter().map(|(id, left)| difference("M2", id.to_string(), 0, left)));
    let mut after = Uuid::nil();
    while let Some(to) = end_of_page(tx, after).await? {
        let page = Page { after, to };
        found.extend(resolutions(tx, page).await?);
        found.extend(held(tx, page).await?);
        found.extend(posted(tx, page).await?);
        found.extend(running(tx, page).await?);
        after = to;
    }
    Ok(found)
}

/// Freezes the ledger: no transfer is possible until [`thaw`].
pub async fn freeze(tx: &mut Tx, now: Instant, why: &str) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO ledger_freeze (id, at, why) VALUES (1, $1, $2) ON CONFLICT DO NOTHING",
        now,
        why.to_owned()
    )?;
    Ok(())
}

/// Unfreezes the ledger.
pub async fn thaw(tx: &mut Tx) -> Result<(), Error> {
    exec!(tx, "DELETE FROM ledger_freeze")?;
    Ok(())
}

/// Returns the reason of the freeze, if the ledger is frozen.
pub async fn frozen(tx: &mut Tx) -> Result<Option<String>, Error> {
    Ok(one!(tx, (String,), "SELECT why FROM ledger_freeze WHERE id = 1")?.map(|(why,)| why))
}

async fn end_of_page(tx: &mut Tx, after: Uuid) -> Result<Option<Uuid>, Error> {
    let last = one!(
        tx,
        (Uuid,),
        "SELECT id FROM (SELECT id FROM ledger_account WHERE id > $1 ORDER BY id LIMIT $2) page ORDER BY id DESC LIMIT 1",
        after,
        AT_ONCE
    )?;
    Ok(last.map(|(id,)| id))
}

async fn resolutions(tx: &mut Tx, page: Page) -> Result<Vec<Difference>, Error> {
    let unlike = all!(
        tx,
        (Uuid, i64, i64),
        "SELECT r.id, h.amount, r.amount FROM ledger_transfer r JOIN ledger_transfer h ON h.id = r.resolves_id
         WHERE r.debit_account > $1 AND r.debit_account <= $2
           AND (h.kind <> 'hold' OR h.amount <> r.amount OR h.debit_account <> r.debit_account)",
        page.after,
        page.to
    )?;
    Ok(unlike.into_iter().map(|(id, hold, own)| difference("M3", id.to_string(), hold, own)).collect())
}

async fn held(tx: &mut Tx, page: Page) -> Result<Vec<Difference>, Error> {
    let rows = all!(
        tx,
        (Uuid, i64, i64),
        "SELECT a.id, a.held, (SELECT CAST(COALESCE(SUM(h.amount), 0) AS BIGINT) FROM ledger_transfer h
            WHERE h.kind = 'hold' AND h.debit_account = a.id
              AND NOT EXISTS (SELECT 1 FROM ledger_transfer r WHERE r.resolves_id = h.id))
         FROM ledger_account a WHERE a.id > $1 AND a.id <= $2",
        page.after,
        page.to
    )?;
    let unlike = rows.into_iter().filter(|(_, held, open)| held != open);
    Ok(unlike.map(|(id, held, open)| difference("M4", format!("held of {id}"), open, held)).collect())
}

async fn posted(tx: &mut Tx, page: Page) -> Result<Vec<Difference>, Error> {
    let rows = all!(
        tx,
        (Uuid, i64, i64),
        "SELECT a.id, a.posted,
           (SELECT CAST(COALESCE(SUM(c.amount), 0) AS BIGINT) FROM ledger_transfer c
              WHERE c.credit_account = a.id AND c.kind NOT IN ('hold', 'release'))
         - (SELECT CAST(COALESCE(SUM(d.amount), 0) AS BIGINT) FROM ledger_transfer d
              WHERE d.debit_account = a.id AND d.kind NOT IN ('hold', 'release'))
         FROM ledger_account a WHERE a.id > $1 AND a.id <= $2",
        page.after,
        page.to
    )?;
    let unlike = rows.into_iter().filter(|(_, posted, sum)| posted != sum);
    Ok(unlike.map(|(id, posted, sum)| difference("M4", format!("posted of {id}"), sum, posted)).collect())
}

/// Compares the balances stored with each transfer with the sums of the transfers up to it.
async fn running(tx: &mut Tx, page: Page) -> Result<Vec<Difference>, Error> {
    let rows = all!(
        tx,
        (Uuid, i64, i64),
        "SELECT id, CAST(posted + held AS BIGINT), posted_after + held_after FROM (
           SELECT t.id, t.position, t.posted_after, t.held_after, ROW_NUMBER() OVER upto AS number,
             SUM(CASE WHEN t.kind IN ('hold', 'release') THEN 0
                      WHEN t.credit_account = t.user_account THEN t.amount ELSE -t.amount END) OVER upto AS posted,
             SUM(CASE t.kind WHEN 'hold' THEN t.amount WHEN 'release' THEN -t.amount WHEN 'capture' THEN -t.amount
                 ELSE 0 END) OVER upto AS held
           FROM ledger_transfer t WHERE t.user_account > $1 AND t.user_account <= $2
           WINDOW upto AS (PARTITION BY t.user_account ORDER BY t.position)) n
         WHERE posted <> posted_after OR held <> held_after OR number <> position",
        page.after,
        page.to
    )?;
    let unlike = rows.into_iter().map(|(id, sum, said)| difference("M5", format!("after {id}"), sum, said));
    let mut found: Vec<_> = unlike.collect();
    let counts = all!(
        tx,
        (Uuid, i64, i64),
        "SELECT a.id, (SELECT COUNT(*) FROM ledger_transfer t WHERE t.user_account = a.id), a.moves FROM ledger_account a
         WHERE a.id > $1 AND a.id <= $2 AND a.moves <> (SELECT COUNT(*) FROM ledger_transfer t WHERE t.user_account = a.id)",
        page.after,
        page.to
    )?;
    found.extend(
        counts.into_iter().map(|(id, rows, moves)| difference("M5", format!("moves of {id}"), rows, moves)),
    );
    Ok(found)
}

const fn difference(promise: &'static str, place: String, expected: i64, found: i64) -> Difference {
    Difference { promise, place, expected, found }
}
