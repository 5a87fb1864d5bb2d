//! Verification of a portal login: signs in at the portal with the entered password, then stores
//! one draft task per group.

pub(crate) mod admission;
mod first_form;
mod limits;

use domain::budget::Calls;
use domain::country::{CountryCode, VisaType};
use domain::health::{AccountHealth, CredentialHealth};
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, UserId};
use domain::secret::{Order, Tested};
use portal::{Credentials, Meter, PortalError, Session};
use secrecy::{ExposeSecret, SecretString};
use store::credential::binding::SecretStatus;
use store::credential::{Credential, binding};
use store::keyring::{KeyRing, Sealed};
use store::task::{FoundGroup, Task};

pub use crate::error::NotVerified;
use crate::gateway::Gateway;
pub use crate::gateway::translate::LeftOut;
use crate::gateway::translate::{Details, translate};
use crate::model::group::GroupReading;
use crate::persist::credential::Test;
use crate::verify_login::limits::{Admitted, Ticket};
use crate::{Context, JobError};

/// Maximum number of groups whose detail pages one verification reads. These are the payment page,
/// for its receipt, and one applicant's page, for the country of origin.
const DETAILED: usize = 6;

/// A portal login that a user entered.
pub struct Login {
    /// The user who requests the verification.
    pub user: UserId,
    /// The portal's login name.
    pub username: String,
    /// The portal's password.
    pub password: SecretString,
    /// Country of the portal.
    pub country: CountryCode,
    /// `niv` or `iv`.
    pub visa_type: VisaType,
}

/// Current step of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The portal is being reached.
    Connecting,
    /// Name and password are being sent.
    SigningIn,
    /// The account's groups are being read.
    ReadingGroups,
    /// The groups' details are being read.
    ReadingDetails {
        /// Number of groups read so far.
        read: usize,
        /// Number of groups of the account.
        found: usize,
    },
    /// The results are being stored.
    Saving,
}

/// Result of a verification.
#[derive(Debug)]
pub struct Verification {
    /// The drafts and tasks of the account's groups.
    pub tasks: Vec<Task>,
    /// Groups that the product cannot hold.
    pub left_out: Vec<(PortalScheduleId, LeftOut)>,
}

/// Callback that receives the steps of a verification.
pub type Tell<'a> = &'a (dyn Fn(Stage) + Send + Sync);

/// Returns the fingerprint by which the database identifies a portal login.
#[must_use]
pub fn fingerprint(keyring: &KeyRing, username: &str) -> [u8; 32] {
    keyring.fingerprint(&format!("portal-login|{}", username.trim().to_lowercase()))
}

/// Returns the user's stored secret for this login, if there is one.
pub async fn stored(ctx: &Context, login: &Login) -> Result<Option<Credential>, JobError> {
    let login_fp = fingerprint(&ctx.keyring, &login.username);
    let mut tx = ctx.db.read().await?;
    let Some(account) = store::portal_account::find(&mut tx, &login_fp).await? else { return Ok(None) };
    Ok(store::credential::of_user(&mut tx, login.user, account).await?)
}

/// Returns `true` if the stored secret equals the entered password.
#[must_use]
pub fn is_stored(ctx: &Context, stored: &Credential, login: &Login) -> bool {
    let (place, sealed) = stored.sealed();
    let Ok(password) = ctx.keyring.open(&place, &sealed) else { return false };
    // Keyed hashes are compared, so that the duration reveals nothing about the secret.
    let keyed = |text: &SecretString| ctx.keyring.secret_hash(stored.portal_account_id, text);
    keyed(&password) == keyed(&login.password)
}

/// Signs in at the portal, reads all groups and upserts a draft for each. Reports each stage when
/// it begins.
pub(crate) async fn verify(
    gateway: &Gateway,
    login: &Login,
    tell: Tell<'_>,
) -> Result<Verification, NotVerified> {
    let entered = crate::verify_login::admission::enter(gateway).await?;
    let verified = verify_within(gateway, login, &entered.meter, tell).await;
    crate::metrics::verification(outcome_of(&verified));
    entered.leave(gateway).await;
    verified
}

/// Returns the result of a verification as a metric label.
fn outcome_of(verified: &Result<Verification, NotVerified>) -> &'static str {
    match verified {
        Ok(_) => "verified",
        Err(NotVerified::Portal(portal_error)) => portal_error.code(),
        Err(NotVerified::Fault(_)) => "fault",
        Err(_) => "refused",
    }
}

/// Records the result of a verification in the state of the portal's host, like that of any other
/// request.
fn note_host<T>(gateway: &Gateway, login_fp: &[u8; 32], found: &Result<T, NotVerified>) {
    let now = gateway.records.portal_time.now();
    match found {
        Ok(_) => gateway.outward.answered(now),
        Err(NotVerified::Portal(portal_error)) => {
            let account = login_fp.first_chunk().map_or(0, |bytes| u128::from_be_bytes(*bytes));
            gateway.outward.failed(account, portal_error, now);
        }
        Err(_) => {}
    }
}

async fn verify_within(
    gateway: &Gateway,
    login: &Login,
    meter: &Meter,
    tell: Tell<'_>,
) -> Result<Verification, NotVerified> {
    let login_fp = fingerprint(&gateway.records.keyring, &login.username);
    let began = gateway.records.wall.now();
    let ticket = match limits::admit(gateway, login.user, &login_fp).await? {
        Admitted::Asked(ticket) => ticket,
        Admitted::Refused => {
            limits::pretend(gateway, tell).await;
            return Err(PortalError::CredentialsRejected.into());
        }
    };
    let found = ask(gateway, login, (&ticket, meter), tell).await;
    note_host(gateway, &login_fp, &found);
    let rejected = matches!(
        &found,
        Err(NotVerified::Portal(PortalError::CredentialsRejected | PortalError::Locked { .. }))
    );
    if rejected {
        limits::rejected(gateway, &ticket, began).await?;
    } else {
        ticket.give_back(gateway).await?;
    }
    let found = match found {
        Ok(found) => found,
        Err(why) => {
            if let NotVerified::Portal(portal_error) = &why {
                crate::persist::parse_failure::record_parse_failure(&gateway.records, portal_error).await;
            }
            return Err(why);
        }
    };
    tell(Stage::Saving);
    keep(gateway, login, &login_fp, (&ticket, meter), found).await
}

fn calls(meter: &Meter) -> Calls {
    let spent = meter.drain();
    Calls { requests: spent.requests, polls: spent.polls, sign_ins: spent.sign_ins }
}

/// Data that the portal showed after the sign-in.
struct FoundThere {
    session: Session,
    tested: Tested,
    groups: Vec<(PortalScheduleId, GroupReading)>,
    left_out: Vec<(PortalScheduleId, LeftOut)>,
}

/// Requests the pages from the portal. Charges every request to the account's budget before it is
/// made.
async fn ask(
    gateway: &Gateway,
    login: &Login,
    (ticket, meter): (&Ticket, &Meter),
    tell: Tell<'_>,
) -> Result<FoundThere, NotVerified> {
    let path = portal::PortalPath::new(login.country, login.visa_type);
    let credentials =
        Credentials::new(SecretString::from(login.username.trim().to_owned()), login.password.clone());
    tell(Stage::Connecting);
    ticket.count(gateway, Calls { requests: 1, ..Calls::default() }).await?;
    let form = gateway.client.sign_in_form(meter, path).await?;
    tell(Stage::SigningIn);
    ticket.count(gateway, Calls { requests: 1, polls: 0, sign_ins: 1 }).await?;
    let sent = gateway.records.wall.now();
    let answer = gateway.client.send_sign_in(meter, form, &credentials).await;
    let tested = Tested { sent, answered: gateway.records.wall.now() };
    if let (Err(PortalError::CredentialsRejected), Some(account)) = (&answer, ticket.account) {
        // Every user who stored this password has a wrong one.
        let test =
            Test { account, secret: gateway.records.keyring.secret_hash(account, &login.password), tested };
        crate::persist::credential::rejected(&gateway.records, &test, None).await?;
    }
    let session = answer?;
    tell(Stage::ReadingGroups);
    ticket.count(gateway, Calls { requests: 1, ..Calls::default() }).await?;
    let pages = gateway.client.groups(meter, &session).await?.groups;
    let country = login.country.country();
    let first_form = first_form::read(gateway, country, ticket, meter, &session, &pages).await?;
    let detailed = pages.iter().take(DETAILED);
    let requests: usize = detailed.map(|page| 1 + usize::from(person(page).is_some())).sum();
    let requests = u32::try_from(requests).unwrap_or_default();
    ticket.count(gateway, Calls { requests, ..Calls::default() }).await?;
    let (mut groups, mut left_out) = (Vec::new(), Vec::new());
    for (at, page) in pages.iter().enumerate() {
        tell(Stage::ReadingDetails { read: at, found: pages.len() });
        let mut details =
            if at < DETAILED { details(gateway, meter, &session, page).await } else { Details::default() };
        let group = page.portal_schedule_id.clone();
        let own_form = first_form.as_ref().filter(|form| form.group == group);
        details.asks_fingerprints = own_form.map(|form| form.asks_fingerprints);
        details.has_unknown_form = own_form.is_some_and(|form| form.has_unknown_fields);
        match translate(page, login.country, details) {
            Ok(read) => groups.push((group, read)),
            Err(why) => left_out.push((group, why)),
        }
    }
    Ok(FoundThere { session, tested, groups, left_out })
}

/// Returns the applicant whose page is read for the whole group, because its details are the same
/// for all applicants.
fn person(page: &portal::pages::groups::Group) -> Option<&portal::ApplicantId> {
    page.applicants.iter().find_map(|person| person.id.as_ref())
}

/// Reads the payment date of the fee, and if the applicants come from another country. A value is
/// `None` if its page cannot be read.
async fn details(
    gateway: &Gateway,
    meter: &Meter,
    session: &Session,
    page: &portal::pages::groups::Group,
) -> Details {
    let group = &page.portal_schedule_id;
    let fee_paid_on = gateway.client.payment(meter, session, group).await.ok().and_then(|p| p.receipt_date);
    let is_tcn = match person(page) {
        Some(person) => {
            let read = gateway.client.applicant(meter, session, group, person).await;
            read.ok().and_then(|page| page.from_another_country)
        }
        None => None,
    };
    Details { fee_paid_on, is_tcn, ..Details::default() }
}

/// Begins a transaction that locks the login's account and its tasks. Returns it with the account,
/// which is created if it is new.
async fn begin_at_account(
    gateway: &Gateway,
    login: &Login,
    login_fp: &[u8],
) -> Result<(store::Tx, PortalAccountId), NotVerified> {
    loop {
        let wall = gateway.records.wall.now();
        let mut tx = gateway.records.db.begin().await?;
        let fresh = PortalAccountId::new(wall, gateway.records.random.bytes());
        let account = match store::portal_account::find(&mut tx, login_fp).await? {
            Some(known) => {
                crate::persist::credential::queue(&mut tx, known).await?;
                known
            }
            None => {
                let (country, visa_type) = (login.country, login.visa_type);
                let made =
                    store::portal_account::ensure(&mut tx, fresh, login_fp, country, visa_type, wall).await?;
                if made != fresh {
                    // Another verification has just created the account. Retry, so that its tasks
                    // are locked before its row.
                    continue;
                }
                made
            }
        };
        // Nothing may be stored for a user who was deleted during the sign-in. This check comes
        // last, because a deletion locks the tasks, then the login, then the user.
        if !store::user::is_still(&mut tx, login.user, None).await? {
            return Err(JobError::Gone.into());
        }
        return Ok((tx, account));
    }
}

async fn keep(
    gateway: &Gateway,
    login: &Login,
    login_fp: &[u8],
    (ticket, meter): (&Ticket, &Meter),
    found: FoundThere,
) -> Result<Verification, NotVerified> {
    let (wall, portal_now) = (gateway.records.wall.now(), gateway.records.portal_time.now());
    let (mut tx, account) = begin_at_account(gateway, login, login_fp).await?;
    let secret = gateway.records.keyring.secret_hash(account, &login.password);
    let test = Test { account, secret, tested: found.tested };
    let (credential, stopped) = keep_secret(gateway, &mut tx, login, (&test, &found.session)).await?;
    let row = store::portal_account::get(&mut tx, account).await?.ok_or(JobError::Gone)?;
    if row.health != AccountHealth::Cooling {
        store::portal_account::set_health(&mut tx, account, AccountHealth::Valid, None, wall).await?;
    }
    if ticket.account.is_none() {
        let made = calls(meter);
        store::portal_account::change_budget(&mut tx, account, |budget| budget.spend(made, portal_now))
            .await?;
    }
    let Some(credential) = credential else {
        // The portal accepted another password after this one, so this one is stored as wrong.
        tx.commit().await?;
        return Err(PortalError::CredentialsRejected.into());
    };
    let mut tasks = Vec::new();
    for (portal_schedule_id, read) in found.groups {
        let found = FoundGroup {
            id: TaskId::new(wall, gateway.records.random.bytes()),
            user_id: login.user,
            credential_id: credential,
            portal_account_id: account,
            country: login.country,
            visa_type: login.visa_type,
            portal_schedule_id,
            group: read.group,
            booked: read.booked,
        };
        let id = store::task::upsert_found(&mut tx, &found, wall).await?;
        tasks.extend(store::task::get(&mut tx, id).await?);
    }
    tx.commit().await?;
    crate::persist::credential::stopped(&gateway.records, &stopped).await?;
    Ok(Verification { tasks, left_out: found.left_out })
}

/// Stores the password and its session, and records that the portal accepted it. Returns the
/// credential, or `None` if the portal accepted another password later. Also returns the tasks with
/// other passwords, which were stopped.
async fn keep_secret(
    gateway: &Gateway,
    tx: &mut store::Tx,
    login: &Login,
    (test, session): (&Test, &Session),
) -> Result<(Option<CredentialId>, Vec<TaskId>), NotVerified> {
    let old = store::credential::of_user(tx, login.user, test.account).await?;
    let before = match &old {
        Some(old) => binding::bound(tx, old.id).await?,
        None => None,
    };
    let order = before
        .filter(|before| before.secret != Some(test.secret) && before.standing != SecretStatus::Rejected)
        .and_then(|before| before.accepted)
        .map_or(Order::Before, |accepted| accepted.order(test.tested));
    if order == Order::After {
        return Ok((None, Vec::new()));
    }
    let credential = keep_credential(gateway, tx, login, (test.account, old)).await?;
    let (standing, stopped) =
        crate::persist::credential::accepted(&gateway.records, tx, test, credential).await?;
    match standing {
        SecretStatus::Rejected => return Ok((None, stopped)),
        SecretStatus::Valid if order == Order::Before => {
            crate::persist::session::save(&gateway.records, tx, test, &session.export()).await?;
        }
        SecretStatus::Valid | SecretStatus::Untested => {
            binding::set_untested(tx, credential, gateway.records.wall.now()).await?;
        }
    }
    Ok((Some(credential), stopped))
}

/// Encrypts and stores the password. Replaces the user's old password for this login.
async fn keep_credential(
    gateway: &Gateway,
    tx: &mut store::Tx,
    login: &Login,
    (account, old): (PortalAccountId, Option<Credential>),
) -> Result<CredentialId, NotVerified> {
    let wall = gateway.records.wall.now();
    let id = old.as_ref().map_or_else(|| CredentialId::new(wall, gateway.records.random.bytes()), |c| c.id);
    let version = old.as_ref().map_or(1, |c| c.secret_version + 1);
    let place = store::credential::place(id, login.user, version);
    let password = SecretString::from(login.password.expose_secret().to_owned());
    let Sealed { kid, blob } = gateway.records.keyring.seal(&place, &password, &gateway.records.random);
    let credential = Credential {
        id,
        user_id: login.user,
        portal_account_id: account,
        username: login.username.trim().to_owned(),
        secret_kid: kid,
        secret_blob: blob,
        secret_version: version,
        health: CredentialHealth::Valid,
        health_since: wall,
        tested_at: Some(wall),
    };
    store::credential::save(tx, &credential, wall).await?;
    Ok(id)
}
