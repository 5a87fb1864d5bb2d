//! verify-credentials: a real sign-in with *this* password, then one draft per group.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::{Calls, Limits, Spend};
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use portal::{Credentials, Meter, Session, Trouble};
use secrecy::{ExposeSecret, SecretString};
use store::credential::Credential;
use store::keyring::Sealed;
use store::task::{Found, Task};

use crate::start::{Read, translate};
use crate::{Context, Fault, session};

/// Failed verifications allowed per portal login and hour, over all users: the portal locks accounts.
const FAILURES_PER_HOUR: i64 = 3;
/// Sign-ins of one login by verifications and engine together; a person may mistype or refresh.
const SIGN_INS_PER_HOUR: u32 = 3;
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

/// What a verification does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The portal is being reached.
    Connecting,
    /// Name and password are being sent.
    SigningIn,
    /// The account's groups are being read.
    ReadingGroups,
    /// The groups' fees are being read.
    ReadingDetails {
        /// Groups read so far.
        read: usize,
        /// Groups of the account.
        found: usize,
    },
    /// What was found is being kept.
    Saving,
}

/// Who is told what a verification does.
pub type Tell<'a> = &'a (dyn Fn(Stage) + Send + Sync);

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

/// The user's stored secret for this login, if there is one.
pub async fn stored(ctx: &Context, login: &Login) -> Result<Option<Credential>, Fault> {
    let login_fp = fingerprint(ctx, &login.username);
    let mut tx = ctx.db.read().await?;
    let Some(account) = store::portal_account::find(&mut tx, &login_fp).await? else { return Ok(None) };
    Ok(store::credential::of_user(&mut tx, login.user, account).await?)
}

/// Whether a stored secret is the password that was typed.
#[must_use]
pub fn is_stored(ctx: &Context, stored: &Credential, login: &Login) -> bool {
    let (place, sealed) = stored.sealed();
    let Ok(password) = ctx.keyring.open(&place, &sealed) else { return false };
    let keyed = |text: &SecretString| ctx.keyring.fingerprint(&format!("same|{}", text.expose_secret()));
    // Keyed hashes are compared: how long it takes tells nothing of the secret.
    keyed(&password) == keyed(&login.password)
}

/// Signs in at the portal, reads all groups and upserts a draft for each; the secret is stored only now.
pub async fn verify(ctx: &Context, login: &Login) -> Result<Vec<Task>, NotVerified> {
    verify_telling(ctx, login, &|_| {}).await
}

/// As [`verify`]; says each stage as it begins.
pub async fn verify_telling(ctx: &Context, login: &Login, tell: Tell<'_>) -> Result<Vec<Task>, NotVerified> {
    let login_fp = fingerprint(ctx, &login.username);
    let attempt = reserve(ctx, &login_fp).await?;
    let meter = Meter::new();
    let read = read_portal(ctx, login, &meter, tell).await;
    let rejected = matches!(&read, Err(Trouble::CredentialsRejected | Trouble::Locked { .. }));
    if !rejected {
        give_back(ctx, attempt).await?;
    }
    let (session, groups) = match read {
        Ok(read) => read,
        Err(trouble) => {
            crate::figures::note_layout(ctx, &trouble).await;
            count_calls(ctx, &login_fp, &meter).await?;
            return Err(trouble.into());
        }
    };
    tell(Stage::Saving);
    keep(ctx, login, &login_fp, &session, groups, &meter).await
}

/// Counts an attempt as rejected before it is made, so that many at once can not lock the account; refuses when the
/// login was rejected too often lately, or when its account has no calls left.
async fn reserve(ctx: &Context, login_fp: &[u8]) -> Result<uuid::Uuid, NotVerified> {
    let now = ctx.wall.now();
    let id = ctx.uuid(now);
    let mut tx = ctx.db.begin().await?;
    store::portal_account::add_verify_failure(&mut tx, id, login_fp, now).await?;
    let since = now - TimeDelta::hours(1);
    let counted = store::portal_account::verify_failures(&mut tx, login_fp, since).await?;
    if counted > FAILURES_PER_HOUR {
        return Err(NotVerified::TooMany);
    }
    if let Some(account) = store::portal_account::find(&mut tx, login_fp).await?
        && let Some(row) = store::portal_account::get(&mut tx, account).await?
    {
        let limits = Limits { sign_ins_per_hour: SIGN_INS_PER_HOUR, ..ctx.config.limits };
        if row.budget.check(Spend::SignIn, &limits, ctx.portal_time.now()).is_err() {
            return Err(NotVerified::TooMany);
        }
    }
    tx.commit().await?;
    Ok(id)
}

async fn give_back(ctx: &Context, attempt: uuid::Uuid) -> Result<(), NotVerified> {
    let mut tx = ctx.db.begin().await?;
    store::portal_account::forget_verify_failure(&mut tx, attempt).await?;
    tx.commit().await?;
    Ok(())
}

/// Counts the calls of a verification that brought nothing, where the account is known.
async fn count_calls(ctx: &Context, login_fp: &[u8], meter: &Meter) -> Result<(), NotVerified> {
    let mut tx = ctx.db.begin().await?;
    if let Some(account) = store::portal_account::find(&mut tx, login_fp).await?
        && let Some(row) = store::portal_account::get(&mut tx, account).await?
    {
        let mut budget = row.budget;
        budget.spend(calls(meter), ctx.portal_time.now());
        store::portal_account::set_budget(&mut tx, account, &budget).await?;
        tx.commit().await?;
    }
    Ok(())
}

fn calls(meter: &Meter) -> Calls {
    let spent = meter.take();
    Calls { requests: spent.requests, looks: spent.looks, sign_ins: spent.sign_ins }
}

type FoundGroups = Vec<(PortalScheduleId, Read)>;

async fn read_portal(
    ctx: &Context,
    login: &Login,
    meter: &Meter,
    tell: Tell<'_>,
) -> Result<(Session, FoundGroups), Trouble> {
    let path = session::path(&login.country, &login.visa_type).map_err(|_| Trouble::NotFound)?;
    let credentials =
        Credentials::new(SecretString::from(login.username.trim().to_owned()), login.password.clone());
    tell(Stage::Connecting);
    let session = ctx.client.sign_in_telling(meter, path, &credentials, &|| tell(Stage::SigningIn)).await?;
    tell(Stage::ReadingGroups);
    let pages = ctx.client.groups(meter, &session).await?;
    let mut groups = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        tell(Stage::ReadingDetails { read: at, found: pages.len() });
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
    // The portal took its time: nothing of an account that was deleted meanwhile is kept.
    if !store::user::is_still(&mut tx, login.user, None).await? {
        return Err(Fault::Gone.into());
    }
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
    budget.spend(calls(meter), portal_now);
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
    let place = store::credential::place(id, login.user, version);
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
    let (place, sealed) = credential.sealed();
    let Ok(password) = ctx.keyring.open(&place, &sealed) else {
        return true;
    };
    let Ok(path) = session::path(country, visa_type) else {
        return true;
    };
    let login = Credentials::new(SecretString::from(credential.username.clone()), password);
    let meter = Meter::new();
    let rejected =
        matches!(ctx.client.sign_in(&meter, path, &login).await, Err(Trouble::CredentialsRejected));
    let health = if rejected { "rejected" } else { "valid" };
    let written = async {
        let mut tx = ctx.db.begin().await?;
        store::credential::set_health(&mut tx, credential.id, health, ctx.wall.now()).await?;
        if let Some(row) = store::portal_account::get(&mut tx, credential.portal_account_id).await? {
            let mut budget = row.budget;
            budget.spend(calls(&meter), ctx.portal_time.now());
            store::portal_account::set_budget(&mut tx, row.id, &budget).await?;
        }
        tx.commit().await
    };
    if let Err(error) = written.await {
        tracing::warn!(%error, "the health of a credential was not written");
    }
    !rejected
}
