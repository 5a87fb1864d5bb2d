//! Sessions as they are stored: sealed, each with the secret that opened it.

use std::sync::Arc;

use domain::clock::Instant;
use domain::ids::PortalAccountId;
use portal::Session;
use store::keyring::SecretHash;
use store::portal_account::{PortalAccount, StoredSession};

use crate::JobError;
use crate::gateway::Gateway;
use crate::model::account::HeldSession;
use crate::persist::Records;

/// Opens the session that was sealed before a restart or by a verification, if it still opens.
pub(crate) fn import(gateway: &Gateway, row: &PortalAccount) -> Option<HeldSession> {
    let stored = row.session.as_ref()?;
    let place = store::portal_account::session_place(row.id, stored.version);
    let text = gateway.records.keyring.open(&place, &stored.sealed).ok()?;
    let session = Session::import(&text).ok().map(Arc::new)?;
    Some(HeldSession { session, secret: stored.secret, version: stored.version })
}

/// Seals and writes a session with the secret that opened it; returns its version.
pub(crate) async fn save(
    records: &Records,
    tx: &mut store::Tx,
    account: PortalAccountId,
    (session, secret, sent_at): (&Session, SecretHash, Instant),
) -> Result<i32, JobError> {
    let version = store::portal_account::next_session_version(tx, account).await?;
    let place = store::portal_account::session_place(account, version);
    let sealed = records.keyring.seal(&place, &session.export(), &records.random);
    let stored = StoredSession { sealed, version, secret, sent_at };
    store::portal_account::set_session(tx, account, &stored, records.wall.now()).await?;
    Ok(version)
}
