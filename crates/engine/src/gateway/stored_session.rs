//! Stored sessions: sealed, each with the secret that opened it.

use std::sync::Arc;

use portal::Session;
use store::portal_account::PortalAccount;

use crate::gateway::Gateway;
use crate::model::account::HeldSession;

/// Opens the session that was sealed before a restart or by a verification; `None` if it cannot be
/// opened.
pub(crate) fn import(gateway: &Gateway, row: &PortalAccount) -> Option<HeldSession> {
    let stored = row.session.as_ref()?;
    let place = store::portal_account::session_place(row.id, stored.version);
    let text = gateway.records.keyring.open(&place, &stored.sealed).ok()?;
    let session = Session::import(&text).ok().map(Arc::new)?;
    Some(HeldSession { session, secret: stored.secret, version: stored.version })
}
