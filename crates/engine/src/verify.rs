//! verify-credentials: a real sign-in with *this* password, then one draft per group.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::budget::Calls;
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use domain::secret::{Order, Tested};
use portal::{Credentials, Meter, PortalError, Session};
use secrecy::{ExposeSecret, SecretString};
use store::credential::Credential;
use store::credential::binding::{self, Standing};
use store::keyring::Sealed;
use store::task::{Found, Task};

use crate::secret::Test;
use crate::start::{Read, translate};
use crate::{Context, Engine, Fault, session};

mod limits;

use limits::{Admitted, Ticket};

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
    /// An operator paused all requests to the portal.
    #[error("requests to the portal are paused")]
    Paused,
    /// The portal is left alone for so long: it asked for that, or failed.
    #[error("the portal is left alone for {0}")]
    Resting(TimeDelta),
    /// Too many stand in line.
    #[error("too many verifications at once")]
    Busy,
    /// The portal: rejected, locked, captcha, down …
    #[error(transparent)]
    Portal(#[from] PortalError),
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
            Fault::Portal(portal_error) => Self::Portal(portal_error),
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
    // Keyed hashes are compared: how long it takes tells nothing of the secret.
    let keyed = |text: &SecretString| ctx.keyring.secret_hash(stored.portal_account_id, text);
    keyed(&password) == keyed(&login.password)
}

/// Signs in at the portal, reads all groups and upserts a draft for each; the secret is stored only now, and every
/// different one that the portal accepted before is rejected. `ctx` is the engine's own, over whatever connections the
/// caller has.
pub async fn verify(engine: &Arc<Engine>, ctx: &Context, login: &Login) -> Result<Vec<Task>, NotVerified> {
    verify_telling(engine, ctx, login, &|_| {}).await
}

/// As [`verify`]; says each stage as it begins.
pub async fn verify_telling(
    engine: &Arc<Engine>,
    ctx: &Context,
    login: &Login,
    tell: Tell<'_>,
) -> Result<Vec<Task>, NotVerified> {
    let entered = crate::outward::verification::enter(ctx).await?;
    let verified = verify_within((engine, ctx), login, &entered.meter, tell).await;
    crate::metrics::verification(outcome_of(&verified));
    entered.leave(ctx).await;
    verified
}

/// How a verification ended, in a word.
fn outcome_of(verified: &Result<Vec<Task>, NotVerified>) -> &'static str {
    match verified {
        Ok(_) => "verified",
        Err(NotVerified::Portal(portal_error)) => portal_error.code(),
        Err(NotVerified::Fault(_)) => "fault",
        Err(_) => "refused",
    }
}

/// What a verification met counts for the host like any other request.
fn note_host<T>(ctx: &Context, login_fp: &[u8; 32], found: &Result<T, NotVerified>) {
    let now = ctx.portal_time.now();
    match found {
        Ok(_) => ctx.outward.answered(now),
        Err(NotVerified::Portal(portal_error)) => {
            let account = login_fp.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
            ctx.outward.failed(account, portal_error, now);
        }
        Err(_) => {}
    }
}

async fn verify_within(
    both: (&Arc<Engine>, &Context),
    login: &Login,
    meter: &Meter,
    tell: Tell<'_>,
) -> Result<Vec<Task>, NotVerified> {
    let (_, ctx) = both;
    let login_fp = fingerprint(ctx, &login.username);
    let began = ctx.wall.now();
    let ticket = match limits::admit(ctx, login.user, &login_fp).await? {
        Admitted::Asked(ticket) => ticket,
        Admitted::Refused => {
            limits::pretend(ctx, tell).await;
            return Err(PortalError::CredentialsRejected.into());
        }
    };
    let found = ask(both, login, (&ticket, meter), tell).await;
    note_host(ctx, &login_fp, &found);
    let rejected = matches!(
        &found,
        Err(NotVerified::Portal(PortalError::CredentialsRejected | PortalError::Locked { .. }))
    );
    if rejected {
        limits::rejected(both, &ticket, began).await?;
    } else {
        ticket.give_back(ctx).await?;
    }
    let found = match found {
        Ok(found) => found,
        Err(why) => {
            if let NotVerified::Portal(portal_error) = &why {
                crate::figures::note_layout(ctx, portal_error).await;
            }
            return Err(why);
        }
    };
    tell(Stage::Saving);
    keep(both, login, &login_fp, (&ticket, meter), found).await
}

fn calls(meter: &Meter) -> Calls {
    let spent = meter.take();
    Calls { requests: spent.requests, polls: spent.polls, sign_ins: spent.sign_ins }
}

/// What the portal showed whoever signed in.
struct FoundThere {
    session: Session,
    tested: Tested,
    groups: Vec<(PortalScheduleId, Read)>,
}

/// Asks the portal; every request is counted before it is made.
async fn ask(
    (engine, ctx): (&Arc<Engine>, &Context),
    login: &Login,
    (ticket, meter): (&Ticket, &Meter),
    tell: Tell<'_>,
) -> Result<FoundThere, NotVerified> {
    let path = session::path(&login.country, &login.visa_type).map_err(|_| PortalError::NotFound)?;
    let credentials =
        Credentials::new(SecretString::from(login.username.trim().to_owned()), login.password.clone());
    tell(Stage::Connecting);
    ticket.count(ctx, Calls { requests: 1, ..Calls::default() }).await?;
    let form = ctx.client.sign_in_form(meter, path).await?;
    tell(Stage::SigningIn);
    ticket.count(ctx, Calls { requests: 1, polls: 0, sign_ins: 1 }).await?;
    let sent = ctx.wall.now();
    let answer = ctx.client.send_sign_in(meter, form, &credentials).await;
    let tested = Tested { sent, answered: ctx.wall.now() };
    if let (Err(PortalError::CredentialsRejected), Some(account)) = (&answer, ticket.account) {
        // Whoever left this very password with us has a wrong one.
        let test = Test { account, secret: ctx.keyring.secret_hash(account, &login.password), tested };
        crate::secret::rejected((engine, &ctx.db), &test, None).await?;
    }
    let session = answer?;
    tell(Stage::ReadingGroups);
    ticket.count(ctx, Calls { requests: 1, ..Calls::default() }).await?;
    let pages = ctx.client.groups(meter, &session).await?;
    let receipts = u32::try_from(pages.len().min(RECEIPTS)).unwrap_or_default();
    ticket.count(ctx, Calls { requests: receipts, ..Calls::default() }).await?;
    let mut groups = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        tell(Stage::ReadingDetails { read: at, found: pages.len() });
        let paid = if at < RECEIPTS { receipt(ctx, meter, &session, page).await } else { None };
        if let Some(read) = translate(page, paid) {
            groups.push((page.portal_schedule_id.clone(), read));
        }
    }
    Ok(FoundThere { session, tested, groups })
}

/// The day the fee was paid, where the payment page says so; a page that cannot be read says nothing.
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
    (engine, ctx): (&Arc<Engine>, &Context),
    login: &Login,
    login_fp: &[u8],
    (ticket, meter): (&Ticket, &Meter),
    found: FoundThere,
) -> Result<Vec<Task>, NotVerified> {
    let (wall, portal_now) = (ctx.wall.now(), ctx.portal_time.now());
    let mut tx = ctx.db.begin().await?;
    // The portal took its time: nothing of an account that was deleted meanwhile is kept.
    if !store::user::is_still(&mut tx, login.user, None).await? {
        return Err(Fault::Gone.into());
    }
    if let Some(account) = store::portal_account::find(&mut tx, login_fp).await? {
        crate::secret::queue(&mut tx, account).await?;
    }
    let fresh = PortalAccountId::new(wall, ctx.random.bytes());
    let account =
        store::portal_account::ensure(&mut tx, fresh, login_fp, &login.country, &login.visa_type, wall)
            .await?;
    let secret = ctx.keyring.secret_hash(account, &login.password);
    let test = Test { account, secret, tested: found.tested };
    let (credential, stopped) = keep_secret(engine, &mut tx, login, (&test, &found.session)).await?;
    let row = store::portal_account::get(&mut tx, account).await?.ok_or(Fault::Gone)?;
    if row.health != "cooling" {
        store::portal_account::set_health(&mut tx, account, "valid", None, wall).await?;
    }
    if ticket.account.is_none() {
        let made = calls(meter);
        store::portal_account::change_budget(&mut tx, account, |budget| budget.spend(made, portal_now))
            .await?;
    }
    let Some(credential) = credential else {
        // Another password was accepted since this one was: it is kept as what it is, a wrong one.
        tx.commit().await?;
        return Err(PortalError::CredentialsRejected.into());
    };
    let mut tasks = Vec::new();
    for (portal_schedule_id, read) in found.groups {
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
    crate::secret::stopped(engine, &stopped).await?;
    Ok(tasks)
}

/// Stores the password and its session, and says that the portal accepted it: returns the credential, none where a later
/// one was accepted since, and the tasks of other passwords that were stopped.
async fn keep_secret(
    engine: &Arc<Engine>,
    tx: &mut store::Tx,
    login: &Login,
    (test, session): (&Test, &Session),
) -> Result<(Option<CredentialId>, Vec<TaskId>), NotVerified> {
    let ctx = &engine.ctx;
    let old = store::credential::of_user(tx, login.user, test.account).await?;
    let before = match &old {
        Some(old) => binding::bound(tx, old.id).await?,
        None => None,
    };
    let order = before
        .filter(|before| before.secret != Some(test.secret) && before.standing != Standing::Rejected)
        .and_then(|before| before.accepted)
        .map_or(Order::Before, |accepted| accepted.order(test.tested));
    if order == Order::After {
        return Ok((None, Vec::new()));
    }
    let credential = keep_credential(ctx, tx, login, (test.account, old)).await?;
    let (standing, stopped) = crate::secret::accepted(engine, tx, test, credential).await?;
    match standing {
        Standing::Rejected => return Ok((None, stopped)),
        Standing::Valid if order == Order::Before => {
            session::save(ctx, tx, test.account, (session, test.secret, test.tested.sent)).await?;
        }
        Standing::Valid | Standing::Untested => {
            binding::set_untested(tx, credential, ctx.wall.now()).await?;
        }
    }
    Ok((Some(credential), stopped))
}

/// Seals the password, replacing the user's old one for that login.
async fn keep_credential(
    ctx: &Context,
    tx: &mut store::Tx,
    login: &Login,
    (account, old): (PortalAccountId, Option<Credential>),
) -> Result<CredentialId, NotVerified> {
    let wall = ctx.wall.now();
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
