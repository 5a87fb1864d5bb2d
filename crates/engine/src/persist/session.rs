//! Portal sessions, stored encrypted in their account's row, each with the secret that opened it.

use domain::ids::{CredentialId, PortalAccountId};
use secrecy::SecretString;
use store::Tx;
use store::credential::binding::SecretStatus;
use store::portal_account::StoredSession;

use crate::JobError;
use crate::persist::Records;
use crate::persist::credential::Test;

/// Records that the portal accepted the secret of `own` and opened a session. Writes the effects on
/// other secrets, and stores the session if the secret is valid. Returns the secret's status, and
/// the version of the session if it was stored.
pub(crate) async fn accepted(
    records: &Records,
    test: &Test,
    own: CredentialId,
    session: &SecretString,
) -> Result<(SecretStatus, Option<i32>), JobError> {
    let mut tx = records.db.begin().await?;
    crate::persist::credential::queue(&mut tx, test.account).await?;
    let (standing, stopped) = crate::persist::credential::accepted(records, &mut tx, test, own).await?;
    let kept = match standing {
        SecretStatus::Valid => Some(save(records, &mut tx, test, session).await?),
        SecretStatus::Untested | SecretStatus::Rejected => None,
    };
    tx.commit().await?;
    crate::persist::credential::stopped(records, &stopped).await?;
    Ok((standing, kept))
}

/// Encrypts and stores the session that a test opened. Returns the session's version.
pub(crate) async fn save(
    records: &Records,
    tx: &mut Tx,
    test: &Test,
    session: &SecretString,
) -> Result<i32, JobError> {
    let version = store::portal_account::next_session_version(tx, test.account).await?;
    let place = store::portal_account::session_place(test.account, version);
    let sealed = records.keyring.seal(&place, session, &records.random);
    let stored = StoredSession { sealed, version, secret: test.secret, sent_at: test.tested.sent };
    store::portal_account::set_session(tx, test.account, &stored, records.wall.now()).await?;
    Ok(version)
}

/// Deletes a session that the portal no longer accepts. A newer session in the account's row is
/// kept.
pub(crate) async fn forget(
    records: &Records,
    account: PortalAccountId,
    version: i32,
) -> Result<(), JobError> {
    let mut tx = records.db.begin().await?;
    store::portal_account::clear_session(&mut tx, account, version).await?;
    tx.commit().await?;
    Ok(())
}
