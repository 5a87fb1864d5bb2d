//! Sealing of all secrets with the active key, while other processes read and write.

use uuid::Uuid;

use domain::ids::UserId;

use super::{KeyRing, Sealed, SecretPlace, canary};
use crate::{Db, Error, Random, Tx, all, channel, credential, exec, portal_account, totp};

/// Number of rows per batch. A transaction over one batch holds SQLite's one writer for
/// milliseconds.
const BATCH: i64 = 100;

/// Table with sealed secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealedTable {
    /// Portal passwords.
    Credential,
    /// Portal sessions.
    Session,
    /// Second factors.
    Totp,
    /// Targets of notification channels.
    Channel,
    /// Text that reveals a wrong key ring.
    Canary,
}

impl SealedTable {
    /// All tables.
    pub const ALL: [Self; 5] = [Self::Credential, Self::Session, Self::Totp, Self::Channel, Self::Canary];

    /// Returns a description of the contents, for operators.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Credential => "portal passwords",
            Self::Session => "portal sessions",
            Self::Totp => "second factors",
            Self::Channel => "notification channels",
            Self::Canary => "the canary",
        }
    }
}

/// Result of sealing again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RewrapResult {
    /// Number of secrets that are now sealed with the active key.
    pub wrapped: u64,
    /// Number of secrets that another process replaced meanwhile.
    pub overtaken: u64,
    /// Number of secrets that no key of this ring opens. They stay as they are.
    pub unreadable: u64,
}

/// Number of secrets of a table that are sealed with one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Table of the secrets.
    pub kept: SealedTable,
    /// Id of the key.
    pub kid: String,
    /// Number of secrets.
    pub secrets: i64,
}

/// Counts the secrets per table and key.
pub async fn counts(tx: &mut Tx) -> Result<Vec<Count>, Error> {
    let mut counts = Vec::new();
    for kept in SealedTable::ALL {
        let sql = match kept {
            SealedTable::Credential => {
                "SELECT secret_kid, COUNT(*) FROM credential GROUP BY secret_kid ORDER BY 1"
            }
            SealedTable::Session => {
                "SELECT session_kid, COUNT(*) FROM portal_account WHERE session_kid IS NOT NULL
                 GROUP BY session_kid ORDER BY 1"
            }
            SealedTable::Totp => "SELECT secret_kid, COUNT(*) FROM totp GROUP BY secret_kid ORDER BY 1",
            SealedTable::Channel => {
                "SELECT target_kid, COUNT(*) FROM channel WHERE target_kid IS NOT NULL GROUP BY target_kid ORDER BY 1"
            }
            SealedTable::Canary => "SELECT kid, COUNT(*) FROM canary GROUP BY kid ORDER BY 1",
        };
        let rows = all!(tx, (String, i64), sql)?;
        counts.extend(rows.into_iter().map(|(kid, secrets)| Count { kept, kid, secrets }));
    }
    Ok(counts)
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    owner: Uuid,
    kid: String,
    blob: Vec<u8>,
    version: i32,
}

/// Seals every secret under another key again with the active key, one batch at a time. Concurrent
/// readers get the old seal or the new one, whole. A concurrent writer wins.
pub async fn all(db: &Db, ring: &KeyRing, random: &Random) -> Result<RewrapResult, Error> {
    let mut done = RewrapResult::default();
    for kept in SealedTable::ALL {
        let mut after = None;
        while let Some(last) = batch(db, ring, random, (kept, after), &mut done).await? {
            after = Some(last);
        }
    }
    Ok(done)
}

/// Handles one batch of the rows after an id. Returns the last id, or `None` if there are no more
/// rows.
async fn batch(
    db: &Db,
    ring: &KeyRing,
    random: &Random,
    (kept, after): (SealedTable, Option<Uuid>),
    done: &mut RewrapResult,
) -> Result<Option<Uuid>, Error> {
    let mut tx = db.read().await?;
    let rows = others(&mut tx, kept, &ring.active(), after).await?;
    drop(tx);
    let Some(last) = rows.last().map(|row| row.id) else { return Ok(None) };
    let mut fresh = Vec::with_capacity(rows.len());
    for row in rows {
        let old = Sealed { kid: row.kid, blob: row.blob };
        let place = place(kept, row.id, row.owner, row.version);
        match ring.rewrap(&place, &old, random) {
            Ok(new) => fresh.push((row.id, old, new)),
            Err(_) => {
                tracing::error!(table = place.table, id = %row.id, kid = old.kid, "failed to decrypt a stored secret");
                done.unreadable += 1;
            }
        }
    }
    let mut tx = db.begin().await?;
    for (id, old, new) in fresh {
        match swap(&mut tx, kept, id, &old, new).await? {
            1 => done.wrapped += 1,
            _ => done.overtaken += 1,
        }
    }
    tx.commit().await?;
    Ok((kept != SealedTable::Canary).then_some(last))
}

fn place(kept: SealedTable, id: Uuid, owner: Uuid, version: i32) -> SecretPlace {
    match kept {
        SealedTable::Credential => credential::place(id.into(), UserId(owner), version),
        SealedTable::Session => portal_account::session_place(id.into(), version),
        SealedTable::Totp => totp::place(id, UserId(owner)),
        SealedTable::Channel => channel::place(id.into(), UserId(owner), version),
        SealedTable::Canary => canary::PLACE,
    }
}

async fn others(
    tx: &mut Tx,
    kept: SealedTable,
    active: &str,
    after: Option<Uuid>,
) -> Result<Vec<Row>, Error> {
    let sql = match kept {
        SealedTable::Credential => {
            "SELECT id, user_id AS owner, secret_kid AS kid, secret_blob AS blob, secret_version AS version
             FROM credential WHERE secret_kid <> $1 AND id > $2 ORDER BY id LIMIT $3"
        }
        SealedTable::Session => {
            "SELECT id, id AS owner, session_kid AS kid, session_blob AS blob, session_version AS version
             FROM portal_account WHERE session_kid <> $1 AND session_blob IS NOT NULL AND id > $2
             ORDER BY id LIMIT $3"
        }
        SealedTable::Totp => {
            "SELECT id, user_id AS owner, secret_kid AS kid, secret_blob AS blob, secret_version AS version
             FROM totp WHERE secret_kid <> $1 AND id > $2 ORDER BY id LIMIT $3"
        }
        SealedTable::Channel => {
            "SELECT id, user_id AS owner, target_kid AS kid, target_blob AS blob, target_version AS version
             FROM channel WHERE target_kid <> $1 AND id > $2 ORDER BY id LIMIT $3"
        }
        // The table has one row, whose id is not a UUID.
        SealedTable::Canary => {
            "SELECT $2 AS id, $2 AS owner, kid, blob, 1 AS version FROM canary WHERE kid <> $1 LIMIT $3"
        }
    };
    all!(tx, Row, sql, active.to_owned(), after.unwrap_or_default(), BATCH)
}

/// Replaces the old seal with the new one, if the old one is still stored. Returns the number of
/// changed rows.
async fn swap(tx: &mut Tx, kept: SealedTable, id: Uuid, old: &Sealed, new: Sealed) -> Result<u64, Error> {
    let sql = match kept {
        SealedTable::Credential => {
            "UPDATE credential SET secret_kid = $4, secret_blob = $5
             WHERE id = $1 AND secret_kid = $2 AND secret_blob = $3"
        }
        SealedTable::Session => {
            "UPDATE portal_account SET session_kid = $4, session_blob = $5
             WHERE id = $1 AND session_kid = $2 AND session_blob = $3"
        }
        SealedTable::Totp => {
            "UPDATE totp SET secret_kid = $4, secret_blob = $5
             WHERE id = $1 AND secret_kid = $2 AND secret_blob = $3"
        }
        SealedTable::Channel => {
            "UPDATE channel SET target_kid = $4, target_blob = $5
             WHERE id = $1 AND target_kid = $2 AND target_blob = $3"
        }
        SealedTable::Canary => {
            "UPDATE canary SET kid = $4, blob = $5 WHERE $1 IS NOT NULL AND kid = $2 AND blob = $3"
        }
    };
    exec!(tx, sql, id, old.kid.clone(), old.blob.clone(), new.kid, new.blob)
}
