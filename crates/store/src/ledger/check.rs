//! The books checked against themselves, and what happens when they do not add up.

use domain::clock::Instant;
use uuid::Uuid;

use crate::{Error, Tx, all, exec, one};

/// One way in which the books do not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which promise is broken, e.g. `M1`.
    pub promise: &'static str,
    /// Where: a currency or an account id.
    pub place: String,
    /// What the rows say, in minor units.
    pub expected: i64,
    /// What is stored, in minor units.
    pub found: i64,
}

/// Accounts that are recomputed by one statement, so that none runs into the database's time-out. The house's own accounts are two plain
/// sums over all movements.
const AT_ONCE: i64 = 500;

/// Accounts with ids beyond `after`, up to `to`.
#[derive(Clone, Copy, Debug)]
struct Page {
    after: Uuid,
    to: Uuid,
}

/// Recomputes every balance from the rows, some accounts at a time; empty when all is well.
///
/// M1: posted sums to nothing per currency. M2: no user is below zero, and nobody owes less than nothing. M3: resolutions
/// match their holds. M4: held equals the open holds, posted equals the posted rows. M5: a user's movements are numbered
/// without a gap, and each says what the ones up to it add up to.
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

/// Stops all movements of money until [`thaw`].
pub async fn freeze(tx: &mut Tx, now: Instant, why: &str) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO ledger_freeze (id, at, why) VALUES (1, $1, $2) ON CONFLICT DO NOTHING",
        now,
        why.to_owned()
    )?;
    Ok(())
}

/// Lets money move again.
pub async fn thaw(tx: &mut Tx) -> Result<(), Error> {
    exec!(tx, "DELETE FROM ledger_freeze")?;
    Ok(())
}

/// Why money is stopped, if it is.
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

/// The balances that stand beside each movement, against the sums of the movements up to it.
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
