//! verify-credentials: a real sign-in with *this* password, then one draft per group.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use domain::secret::SecretKind;
use portal::{Credentials, Meter, Session, Trouble};
use secrecy::{ExposeSecret, SecretString};
use store::credential::Credential;
use store::keyring::{Sealed, SecretPlace};
use store::task::{Found, Task};

use crate::start::{Read, translate};
use crate::{Context, Fault, session};

/// Failed verifications allowed per portal login and hour, over all users: the portal locks accounts.
const FAILURES_PER_HOUR: i64 = 3;
/// Payment pages read for fee receipts in one verification.
const RECEIPTS: usize = 6;

/// What a user typed.
pub struct Login {
    /// Who asks.
    pub user: UserId,
    /// The portal's login name.
    pub username: String,
    /// The portal's password.
    pub password: SecretString,
    /// The portal's locale.
    pub country: String,
    /// `niv` or `iv`.
    pub visa_type: String,
}

/// Why a verification brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// This login was rejected too often lately.
    #[error("too many rejected verifications of this login")]
    TooMany,
    /// The portal: rejected, locked, captcha, down …
    #[error(transparent)]
    Portal(#[from] Trouble),
    /// Ours.
    #[error(transparent)]
    Fault(Fault),
}

impl From<store::Error> for NotVerified {
    fn from(error: store::Error) -> Self {
        Self::Fault(error.into())
    }
}

impl From<Fault> for NotVerified {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Portal(trouble) => Self::Portal(trouble),
            fault => Self::Fault(fault),
        }
    }
}

/// The fingerprint a portal login is known by.
fn fingerprint(ctx: &Context, username: &str) -> [u8; 32] {
    ctx.keyring.fingerprint(&format!("portal-login|{}", username.trim().to_lowercase()))
}

/// Signs in at the portal, reads all groups and upserts a draft for each; the secret is stored only now.
pub async fn verify(ctx: &Context, login: &Login) -> Result<Vec<Task>, NotVerified> {
    let login_fp = fingerprint(ctx, &login.username);
    let mut tx = ctx.db.read().await?;
    let since = ctx.wall.now() - TimeDelta::hours(1);
    let failures = store::portal_account::verify_failures(&mut tx, &login_fp, since).await?;
    tx.commit().await?;
    if failures >= FAILURES_PER_HOUR {
        return Err(NotVerified::TooMany);
    }
    let meter = Meter::new();
    let read = read_portal(ctx, login, &meter).await;
    if let Err(trouble) = &read {
        note_failure(ctx, &login_fp, trouble).await?;
    }
    let (session, groups) = read.map_err(NotVerified::Portal)?;
    keep(ctx, login, &login_fp, &session, groups, &meter).await
}

async fn note_failure(ctx: &Context, login_fp: &[u8], trouble: &Trouble) -> Result<(), NotVerified> {
    if !matches!(trouble, Trouble::CredentialsRejected | Trouble::Locked { .. }) {
        return Ok(());
    }
    let now = ctx.wall.now();
    let mut tx = ctx.db.begin().await?;
    store::portal_account::add_verify_failure(&mut tx, ctx.uuid(now), login_fp, now).await?;
    tx.commit().await?;
    Ok(())
}

type FoundGroups = Vec<(PortalScheduleId, Read)>;

async fn read_portal(ctx: &Context, login: &Login, meter: &Meter) -> Result<(Session, FoundGroups), Trouble> {
    let path = session::path(&login.country, &login.visa_type).map_err(|_| Trouble::NotFound)?;
    let credentials =
        Credentials::new(SecretString::from(login.username.trim().to_owned()), login.password.clone());
    let session = ctx.client.sign_in(meter, path, &credentials).await?;
    let pages = ctx.client.groups(meter, &session).await?;
    let mut groups = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let paid = if at < RECEIPTS { receipt(ctx, meter, &session, page).await } else { None };
        if let Some(read) = translate(page, paid) {
            groups.push((PortalScheduleId(page.portal_schedule_id.as_str().to_owned()), read));
        }
    }
    Ok((session, groups))
}

/// The day the fee was paid, where the payment page says so; a page that can not be read says nothing.
async fn receipt(
    ctx: &Context,
    meter: &Meter,
    session: &Session,
    page: &portal::pages::groups::Group,
) -> Option<chrono::NaiveDate> {
    let payment = ctx.client.payment(meter, session, &page.portal_schedule_id).await.ok()?;
    payment.receipt_date
}

async fn keep(
    ctx: &Context,
    login: &Login,
    login_fp: &[u8],
    session: &Session,
    groups: FoundGroups,
    meter: &Meter,
) -> Result<Vec<Task>, NotVerified> {
    let (wall, portal_now) = (ctx.wall.now(), ctx.portal_time.now());
    let mut tx = ctx.db.begin().await?;
    let fresh = PortalAccountId::new(wall, ctx.random.bytes());
    let account =
        store::portal_account::ensure(&mut tx, fresh, login_fp, &login.country, &login.visa_type, wall)
            .await?;
    let credential = keep_credential(ctx, &mut tx, login, account).await?;
    let row = store::portal_account::get(&mut tx, account).await?.ok_or(Fault::Gone)?;
    let version = row.session.as_ref().map_or(1, |s| s.2 + 1);
    session::save(ctx, &mut tx, account, session, version).await?;
    if row.health != "cooling" {
        store::portal_account::set_health(&mut tx, account, "valid", None, wall).await?;
    }
    let mut budget = row.budget;
    let spent = meter.take();
    let calls =
        domain::budget::Calls { requests: spent.requests, looks: spent.looks, sign_ins: spent.sign_ins };
    budget.spend(calls, portal_now);
    store::portal_account::set_budget(&mut tx, account, &budget).await?;
    let mut tasks = Vec::new();
    for (portal_schedule_id, read) in groups {
        let found = Found {
            id: TaskId::new(wall, ctx.random.bytes()),
            user_id: login.user,
            credential_id: credential,
            portal_account_id: account,
            country: login.country.clone(),
            visa_type: login.visa_type.clone(),
            portal_schedule_id,
            group: read.group,
            booked: read.booked,
        };
        let id = store::task::upsert_found(&mut tx, &found, wall).await?;
        tasks.extend(store::task::get(&mut tx, id).await?);
    }
    tx.commit().await?;
    Ok(tasks)
}

/// Seals the password, replacing the user's old one for that login.
async fn keep_credential(
    ctx: &Context,
    tx: &mut store::Tx,
    login: &Login,
    account: PortalAccountId,
) -> Result<CredentialId, NotVerified> {
    let wall = ctx.wall.now();
    let old = store::credential::of_user(tx, login.user, account).await?;
    let id = old.as_ref().map_or_else(|| CredentialId::new(wall, ctx.random.bytes()), |c| c.id);
    let version = old.as_ref().map_or(1, |c| c.secret_version + 1);
    let place = SecretPlace {
        kind: SecretKind::PortalPassword,
        table: "credential",
        column: "secret_blob",
        row: id.0,
        owner: login.user.0,
        version,
    };
    let password = SecretString::from(login.password.expose_secret().to_owned());
    let Sealed { kid, blob } = ctx.keyring.seal(&place, &password, &ctx.random);
    let credential = Credential {
        id,
        user_id: login.user,
        portal_account_id: account,
        username: login.username.trim().to_owned(),
        secret_kid: kid,
        secret_blob: blob,
        secret_version: version,
        health: "valid".to_owned(),
        health_since: wall,
        tested_at: Some(wall),
    };
    store::credential::put(tx, &credential, wall).await?;
    Ok(id)
}

/// Whether a stored secret is still accepted; tested at most once a day, for the sake of squatted groups.
pub async fn still_valid(
    ctx: &Arc<Context>,
    credential: &Credential,
    country: &str,
    visa_type: &str,
) -> bool {
    let recently = credential.tested_at.is_some_and(|at| ctx.wall.now() - at < TimeDelta::days(1));
    if recently || credential.health == "rejected" {
        return credential.health != "rejected";
    }
    let sealed = Sealed { kid: credential.secret_kid.clone(), blob: credential.secret_blob.clone() };
    let Ok(password) = ctx.keyring.open(&session::password_place(credential), &sealed) else {
        return true;
    };
    let Ok(path) = session::path(country, visa_type) else {
        return true;
    };
    let login = Credentials::new(SecretString::from(credential.username.clone()), password);
    let rejected =
        matches!(ctx.client.sign_in(&Meter::new(), path, &login).await, Err(Trouble::CredentialsRejected));
    let health = if rejected { "rejected" } else { "valid" };
    let written = async {
        let mut tx = ctx.db.begin().await?;
        store::credential::set_health(&mut tx, credential.id, health, ctx.wall.now()).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, "the health of a credential was not written");
    }
    !rejected
}
