//! Sign-in at the portal, and ownership of sessions. For jobs, only this module decrypts portal
//! passwords.
//!
//! A secret is a stored portal password. Several users may have stored one for the same account. A
//! session belongs to the secret that signed in. A task polls, prepares and books only with a
//! session of its own accepted secret. The read-back of a sent attempt may use any session of the
//! account.

use domain::health::AccountHealth;
use std::sync::Arc;

use domain::budget::{Calls, Spend};
use domain::ids::{CredentialId, PortalAccountId};
use domain::secret::Tested;
use portal::{Credentials, PortalError, PortalPath, Session};
use secrecy::SecretString;
use store::credential::binding;
use store::credential::binding::{Bound, SecretStatus};
use store::keyring::SecretHash;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::model::account::HeldSession;
use crate::persist::credential::Test;

/// Returns a session of the task's own accepted secret. Signs in if there is none and `spend`
/// allows it.
///
/// # Errors
/// [`JobError::Rest`] if the account is locked or its budget is used up.
/// [`PortalError::CredentialsRejected`] if the portal rejects the secret, or rejected it before.
pub(crate) async fn ensure(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    spend: Spend,
) -> Result<Arc<Session>, JobError> {
    let wanted = PortalPath::new(task.country, task.visa_type);
    let own = usable(gateway, task).await?;
    if let Some(session) = own_session(lease, &own, &wanted) {
        return Ok(session);
    }
    // A login verification may have stored a session meanwhile.
    lease.take_stored().await?;
    if let Some(session) = own_session(lease, &own, &wanted) {
        return Ok(session);
    }
    sign_in(gateway, lease, task, (own.id, wanted), spend).await
}

/// Returns any session of the account, for a read-back. If there is none, signs in with the task's
/// own secret, as `spend` allows.
pub(crate) async fn ensure_to_read_back(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    spend: Spend,
) -> Result<Arc<Session>, JobError> {
    let wanted = PortalPath::new(task.country, task.visa_type);
    let any = |lease: &AccountLease| lease.session.clone().filter(|session| *session.path() == wanted);
    if let Some(session) = any(lease) {
        return Ok(session);
    }
    lease.take_stored().await?;
    match any(lease) {
        Some(session) => Ok(session),
        None => ensure(gateway, lease, task, spend).await,
    }
}

/// Returns the lease's session if the secret `own` opened it and that secret is valid.
fn own_session(lease: &AccountLease, own: &Bound, wanted: &PortalPath) -> Option<Arc<Session>> {
    let held = lease.held().filter(|held| held.session.path() == wanted)?;
    let opened_it = own.standing == SecretStatus::Valid && own.secret == Some(held.secret);
    opened_it.then(|| held.session.clone())
}

/// Returns the task's own secret.
///
/// # Errors
/// [`PortalError::CredentialsRejected`] if the portal has rejected it: a rejected password is never
/// tried again.
async fn usable(gateway: &Gateway, task: &Task) -> Result<Bound, JobError> {
    let id: CredentialId = task.credential_id.ok_or(JobError::Gone)?;
    let mut tx = gateway.records.db.read().await?;
    let bound = binding::bound(&mut tx, id).await?.ok_or(JobError::Gone)?;
    tx.commit().await?;
    if bound.standing == SecretStatus::Rejected {
        return Err(PortalError::CredentialsRejected.into());
    }
    Ok(bound)
}

/// Signs in with the secret `own`, and returns the new session. Adds each request to the stored
/// budget before it is sent.
async fn sign_in(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    (own, wanted): (CredentialId, PortalPath),
    spend: Spend,
) -> Result<Arc<Session>, JobError> {
    let now = gateway.records.portal_time.now();
    let locked = gateway.records.memory.account(lease.account, |account| {
        account.not_before.filter(|at| {
            *at > now && matches!(account.health, AccountHealth::Locked | AccountHealth::Captcha)
        })
    });
    if let Some(until) = locked {
        return Err(JobError::Rest(until));
    }
    if spend == Spend::SignIn {
        lease.allowed(Spend::SignIn, now)?;
    }
    let (login, secret) = open(gateway, lease.account, own).await?;
    lease.count_before_sending(spend, Calls { requests: 1, ..Calls::default() }).await?;
    let form = gateway.client.sign_in_form(&lease.meter, wanted).await;
    lease.settle_budget(gateway.records.portal_time.now());
    let form = form?;
    lease.count_before_sending(spend, Calls { requests: 1, polls: 0, sign_ins: 1 }).await?;
    crate::fail_point::fail_point("sign_in.counted");
    let sent = gateway.records.wall.now();
    let answer = gateway.client.send_sign_in(&lease.meter, form, &login).await;
    let tested = Tested { sent, answered: gateway.records.wall.now() };
    lease.settle_budget(gateway.records.portal_time.now());
    let test = Test { account: lease.account, secret, tested };
    let session = match answer {
        Ok(session) => Arc::new(session),
        Err(PortalError::CredentialsRejected) => {
            crate::persist::credential::rejected(&gateway.records, &test, Some(own)).await?;
            return Err(PortalError::CredentialsRejected.into());
        }
        Err(portal_error) => return Err(portal_error.into()),
    };
    gateway.parsed(task.country, &[portal::PageKind::SignIn, portal::PageKind::SignInAnswer]);
    accepted(gateway, lease, own, (session, &test)).await
}

/// Decrypts a stored password. Returns the sign-in data and the password's hash.
async fn open(
    gateway: &Gateway,
    account: PortalAccountId,
    id: CredentialId,
) -> Result<(Credentials, SecretHash), JobError> {
    let mut tx = gateway.records.db.read().await?;
    let credential = store::credential::get(&mut tx, id).await?.ok_or(JobError::Gone)?;
    tx.commit().await?;
    let (place, sealed) = credential.sealed();
    let password = gateway.records.keyring.open(&place, &sealed).map_err(|_| JobError::Secret)?;
    let secret = gateway.records.keyring.secret_hash(account, &password);
    Ok((Credentials::new(SecretString::from(credential.username), password), secret))
}

/// Stores the session of a successful sign-in, and records that its secret was accepted.
///
/// # Errors
/// A [`PortalError`] if the portal accepted a different password of the account at the same time or
/// later.
async fn accepted(
    gateway: &Gateway,
    lease: &mut AccountLease,
    own: CredentialId,
    (session, test): (Arc<Session>, &Test),
) -> Result<Arc<Session>, JobError> {
    let (standing, kept) =
        crate::persist::session::accepted(&gateway.records, test, own, &session.export()).await?;
    let Some(version) = kept else {
        return match standing {
            SecretStatus::Rejected => Err(PortalError::CredentialsRejected.into()),
            // The untested secret is tested again as soon as the budget allows a sign-in.
            _ => Err(PortalError::SignedOut.into()),
        };
    };
    gateway.records.memory.update_account(lease.account, |account| {
        account.signed_in_at = Some(gateway.records.portal_time.now());
        if session.home().is_none() {
            session.set_home(account.home.clone());
        }
    });
    lease.hold(HeldSession { session: session.clone(), secret: test.secret, version });
    Ok(session)
}

/// Discards the lease's session, because the portal no longer accepts it. A newer session in the
/// account's row is kept.
pub(crate) async fn forget(gateway: &Gateway, lease: &mut AccountLease) -> Result<(), JobError> {
    let Some(ended) = lease.drop_session() else { return Ok(()) };
    if let Some(home) = ended.session.home() {
        gateway.records.memory.update_account(lease.account, |account| account.home = Some(home));
    }
    crate::persist::session::forget(&gateway.records, lease.account, ended.version).await
}
