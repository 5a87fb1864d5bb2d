//! Portal sessions stored in the rows of their accounts, encrypted, each with the secret that
//! opened it.

use std::sync::Arc;

use portal::Session;
use store::portal_account::PortalAccount;

use crate::gateway::Gateway;
use crate::model::account::HeldSession;

/// Decrypts the session in an account's row. Returns `None` if there is none, or if it cannot be
/// decrypted or parsed.
pub(crate) fn import(gateway: &Gateway, row: &PortalAccount) -> Option<HeldSession> {
    let stored = row.session.as_ref()?;
    let place = store::portal_account::session_place(row.id, stored.version);
    let text = gateway.records.keyring.open(&place, &stored.sealed).ok()?;
    let session = Session::import(&text).ok().map(Arc::new)?;
    Some(HeldSession { session, secret: stored.secret, version: stored.version })
}
