//! Signing in at the portal: the one place where portal passwords are opened.

use std::sync::Arc;

use domain::budget::Spend;
use domain::ids::{CredentialId, PortalAccountId};
use portal::{Credentials, PortalPath, Session, VisaType};
use secrecy::SecretString;
use store::credential::Credential;
use store::keyring::Sealed;
use store::portal_account::PortalAccount;
use store::task::Task;

use crate::turn::Turn;
use crate::{Context, Engine, Fault};

/// The portal path of a country and visa type.
pub(crate) fn path(country: &str, visa_type: &str) -> Result<PortalPath, Fault> {
    let visa_type = if visa_type == "iv" { VisaType::Iv } else { VisaType::Niv };
    PortalPath::new(country, visa_type).map_err(|_| Fault::Gone)
}

/// Opens the session that was sealed before a restart, if it still opens.
pub(crate) fn import(engine: &Engine, row: &PortalAccount) -> Option<Arc<Session>> {
    let (kid, blob, version) = row.session.clone()?;
    let place = store::portal_account::session_place(row.id, version);
    let text = engine.ctx.keyring.open(&place, &Sealed { kid, blob }).ok()?;
    Session::import(&text).ok().map(Arc::new)
}

/// Seals and writes a session, so that a restart need not sign in again.
pub(crate) async fn save(
    ctx: &Context,
    tx: &mut store::Tx,
    account: PortalAccountId,
    session: &Session,
    version: i32,
) -> Result<(), Fault> {
    let place = store::portal_account::session_place(account, version);
    let sealed = ctx.keyring.seal(&place, &session.export(), &ctx.random);
    store::portal_account::set_session(
        tx,
        account,
        Some((&sealed.kid, &sealed.blob, version)),
        ctx.wall.now(),
    )
    .await?;
    Ok(())
}

/// The session of this turn, signing in when there is none and `spend` allows.
pub(crate) async fn ensure(
    engine: &Arc<Engine>,
    turn: &mut Turn,
    task: &Task,
    spend: Spend,
) -> Result<Arc<Session>, Fault> {
    let wanted = path(&task.country, &task.visa_type)?;
    if let Some(session) = turn.session.clone().filter(|s| *s.path() == wanted) {
        return Ok(session);
    }
    let now = engine.ctx.portal_time.now();
    let locked = engine.state.lock().accounts.get(&turn.account).and_then(|account| {
        account.not_before.filter(|at| *at > now && matches!(account.health.as_str(), "locked" | "captcha"))
    });
    if let Some(until) = locked {
        return Err(Fault::Rest(until));
    }
    if spend == Spend::SignIn {
        turn.allowed(Spend::SignIn, engine.ctx.portal_time.now())?;
    }
    let credential = usable_credential(engine, task).await?;
    let (place, sealed) = credential.sealed();
    let password = engine.ctx.keyring.open(&place, &sealed).map_err(|_| Fault::Secret)?;
    let login = Credentials::new(SecretString::from(credential.username.clone()), password);
    let signed_in = engine.ctx.client.sign_in(&turn.meter, wanted, &login).await;
    turn.settle_budget(engine.ctx.portal_time.now());
    let session = match signed_in {
        Ok(session) => Arc::new(session),
        Err(trouble) => return Err(trouble.into()),
    };
    engine.parsed(&task.country, &[portal::PageKind::SignIn, portal::PageKind::SignInAnswer]);
    turn.session = Some(session.clone());
    let signed_in_at = Some(engine.ctx.portal_time.now());
    {
        let mut state = engine.state.lock();
        let account = state.accounts.entry(turn.account).or_default();
        account.signed_in_at = signed_in_at;
        if session.home().is_none() {
            session.set_home(account.home.clone());
        }
    }
    let version = next_version(engine, turn.account);
    let mut tx = engine.ctx.db.begin().await?;
    save(&engine.ctx, &mut tx, turn.account, &session, version).await?;
    store::credential::set_health(&mut tx, credential.id, "valid", engine.ctx.wall.now()).await?;
    tx.commit().await?;
    Ok(session)
}

fn next_version(engine: &Engine, account: PortalAccountId) -> i32 {
    let mut state = engine.state.lock();
    let known = state.accounts.entry(account).or_default();
    known.session_version += 1;
    known.session_version
}

/// Forgets a session the portal no longer honours.
pub(crate) async fn forget(engine: &Arc<Engine>, turn: &mut Turn) -> Result<(), Fault> {
    let ended = turn.session.take();
    if let Some(home) = ended.and_then(|session| session.home()) {
        engine.state.lock().accounts.entry(turn.account).or_default().home = Some(home);
    }
    let mut tx = engine.ctx.db.begin().await?;
    store::portal_account::set_session(&mut tx, turn.account, None, engine.ctx.wall.now()).await?;
    tx.commit().await?;
    Ok(())
}

/// The task's own secret if the portal has not rejected it: a rejected password is never tried again.
async fn usable_credential(engine: &Engine, task: &Task) -> Result<Credential, Fault> {
    let id: CredentialId = task.credential_id.ok_or(Fault::Gone)?;
    let mut tx = engine.ctx.db.read().await?;
    let credential = store::credential::get(&mut tx, id).await?.ok_or(Fault::Gone)?;
    tx.commit().await?;
    if credential.health == "rejected" {
        return Err(portal::Trouble::CredentialsRejected.into());
    }
    Ok(credential)
}
