//! Independent check of the ledger. It compares the results that callers got with sums over the
//! rows, computed by separate SQL.

use std::collections::HashMap;

use domain::ids::{TransferId, UserId};
use store::ledger::Resolution;
use store::{Db, Tx, all};
use uuid::Uuid;

/// Result that a caller got after the commit.
#[derive(Clone, Copy, Debug)]
pub enum Told {
    /// Money was credited.
    In { who: UserId, cents: i64 },
    /// A hold was placed.
    Held { hold: TransferId, who: UserId, cents: i64 },
    /// A hold was captured or released by this call.
    Resolved { hold: TransferId, captured: bool },
    /// A hold was already resolved by another call.
    Was { hold: TransferId, captured: bool },
}

/// Money of one user, in minor units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purse {
    pub posted: i64,
    pub held: i64,
}

/// Computes the expected money of all users from the results. Also returns a description of each
/// contradiction.
pub fn add_up(told: &[Told]) -> (HashMap<UserId, Purse>, Vec<String>) {
    let mut purses: HashMap<UserId, Purse> = HashMap::new();
    let mut holds: HashMap<TransferId, (UserId, i64, Vec<bool>)> = HashMap::new();
    let mut broken = Vec::new();
    for one in told {
        match *one {
            Told::In { who, cents } => purses.entry(who).or_default().posted += cents,
            Told::Held { hold, who, cents } => {
                purses.entry(who).or_default().held += cents;
                holds.insert(hold, (who, cents, Vec::new()));
            }
            Told::Resolved { .. } | Told::Was { .. } => {}
        }
    }
    // A resolution may come before its hold in the list, because workers append concurrently.
    for one in told {
        let Told::Resolved { hold, captured } = *one else { continue };
        let Some((who, cents, resolutions)) = holds.get_mut(&hold) else {
            broken.push(format!("promise 2: {hold} was resolved and never told to be held"));
            continue;
        };
        let purse = purses.entry(*who).or_default();
        purse.held -= *cents;
        purse.posted -= if captured { *cents } else { 0 };
        resolutions.push(captured);
    }
    for (hold, (.., resolutions)) in &holds {
        if resolutions.len() > 1 {
            broken.push(format!("promise 2: {hold} was resolved {} times", resolutions.len()));
        }
    }
    for one in told {
        let Told::Was { hold, captured } = *one else { continue };
        if holds.get(&hold).is_none_or(|(.., resolutions)| !resolutions.contains(&captured)) {
            broken.push(format!("promise 2: {hold} was said to be resolved before, captured: {captured}"));
        }
    }
    (purses, broken)
}

/// Returns the stored balance of every user, and a description of each difference from the rows.
pub async fn stored(db: &Db) -> (HashMap<UserId, Purse>, Vec<String>) {
    let mut tx = db.read().await.unwrap();
    let mut broken = Vec::new();
    let accounts = all!(
        &mut tx,
        (Uuid, String, Uuid, i64, i64),
        "SELECT id, kind, owner, posted, held FROM ledger_account"
    )
    .unwrap();
    let rows = all!(
        &mut tx,
        (Uuid, String, Uuid, Uuid, i64, Option<Uuid>),
        "SELECT id, kind, debit_account, credit_account, amount, resolves_id FROM ledger_transfer"
    )
    .unwrap();
    if accounts.iter().map(|a| a.3).sum::<i64>() != 0 {
        broken.push("promise 1: posted does not sum to nothing".to_owned());
    }
    let mut sums: HashMap<Uuid, Purse> = HashMap::new();
    for (_, kind, debit, credit, amount, _) in &rows {
        match kind.as_str() {
            "hold" => sums.entry(*debit).or_default().held += amount,
            "release" => sums.entry(*debit).or_default().held -= amount,
            _ => {
                sums.entry(*debit).or_default().posted -= amount;
                sums.entry(*credit).or_default().posted += amount;
            }
        }
        if kind == "capture" {
            sums.entry(*debit).or_default().held -= amount;
        }
    }
    let mut purses = HashMap::new();
    for (id, kind, owner, posted, held) in accounts {
        let purse = Purse { posted, held };
        let sum = sums.get(&id).copied().unwrap_or_default();
        if purse != sum {
            broken.push(format!("promise 1: {kind} {id} has {purse:?}, its rows say {sum:?}"));
        }
        if kind == "user" {
            if posted < held || held < 0 {
                broken.push(format!("promise 1: {id} is below nothing: {purse:?}"));
            }
            purses.insert(UserId(owner), purse);
        }
    }
    broken.extend(chains(&mut tx).await);
    drop(tx);
    (purses, broken)
}

/// Checks the running balance of each movement. Movements must be numbered without a gap. Each
/// balance must equal the one before plus the movement's amount.
async fn chains(tx: &mut Tx) -> Vec<String> {
    let rows = all!(
        tx,
        (Uuid, i64, String, i64, Uuid, i64, i64),
        "SELECT user_account, position, kind, amount, credit_account, posted_after, held_after FROM ledger_transfer
         WHERE user_account IS NOT NULL ORDER BY user_account, position"
    )
    .unwrap();
    let mut broken = Vec::new();
    let mut before = (Uuid::nil(), 0, Purse::default());
    for (account, position, kind, amount, credited, posted, held) in rows {
        if account != before.0 {
            before = (account, 0, Purse::default());
        }
        let mut purse = before.2;
        match kind.as_str() {
            "hold" => purse.held += amount,
            "release" => purse.held -= amount,
            "capture" => purse = Purse { posted: purse.posted - amount, held: purse.held - amount },
            _ if credited == account => purse.posted += amount,
            _ => purse.posted -= amount,
        }
        let says = Purse { posted, held };
        if position != before.1 + 1 || says != purse {
            broken
                .push(format!("promise 1: movement {position} of {account} says {says:?}, it is {purse:?}"));
        }
        before = (account, position, says);
    }
    broken
}

/// Returns descriptions of all contradictions between results, stored balances and rows.
pub async fn contradictions(db: &Db, told: &[Told]) -> Vec<String> {
    let (expected, mut broken) = add_up(told);
    let (found, more) = stored(db).await;
    broken.extend(more);
    for (who, purse) in &expected {
        let has = found.get(who).copied().unwrap_or_default();
        if has != *purse {
            broken.push(format!("promise 1: {who} was told {purse:?} and has {has:?}"));
        }
    }
    for (who, purse) in &found {
        if !expected.contains_key(who) && *purse != Purse::default() {
            broken.push(format!("promise 1: {who} was told nothing and has {purse:?}"));
        }
    }
    broken
}

/// Returns the result for a hold that another call had already resolved.
pub fn was(hold: TransferId, resolution: Resolution) -> Option<Told> {
    match resolution {
        Resolution::Now => None,
        Resolution::AlreadyCaptured => Some(Told::Was { hold, captured: true }),
        Resolution::AlreadyReleased => Some(Told::Was { hold, captured: false }),
    }
}
