//! Limits of failed sign-ins by verifications, for each portal login. They keep the portal from
//! locking the account. Failures of other users must not block the account holder.
//!
//! A holder of a login is a user with a password that the portal accepted. Once a login has a
//! holder, every other user is a non-holder.

use std::collections::VecDeque;
use std::time::Duration;

use chrono::TimeDelta;
use domain::budget::{Calls, Limits, Spend};
use domain::clock::Instant;
use domain::ids::{PortalAccountId, UserId};
use parking_lot::Mutex;
use serde_json::json;
use store::credential::binding;
use store::verify_failure;
use store::verify_failure::{Attempt, Failures};

use crate::error::NotVerified;
use crate::gateway::Gateway;
use crate::verify_login::{Stage, Tell};

/// Failed verifications allowed per portal login and hour, over all users.
const FAILURES_PER_HOUR: i64 = 3;

/// Failed verifications allowed to all non-holders of a login together, per hour.
const STRANGERS_PER_HOUR: i64 = 1;

/// Failed verifications allowed to all non-holders of a login together, per day.
const STRANGERS_PER_DAY: i64 = 3;

/// Sign-ins allowed per login and hour, by verifications and engine together. A user may mistype
/// the password or reload the page.
const SIGN_INS_PER_HOUR: u32 = 3;

/// Maximum wait (wall time) for other attempts in progress at the same login, which may fail and
/// use up the limit.
const MAX_WAIT: Duration = Duration::from_secs(15);

/// Interval (wall time) at which a waiting attempt checks if the others have ended.
const ASK_AGAIN: Duration = Duration::from_millis(100);

/// Durations of the portal's last rejections. A refusal without a request to the portal takes as
/// long, so that a user cannot distinguish the two.
static REJECTIONS: Mutex<VecDeque<TimeDelta>> = Mutex::new(VecDeque::new());

const REMEMBERED: usize = 32;

/// Assumed duration before any rejection was measured.
const TYPICAL: TimeDelta = TimeDelta::milliseconds(1_300);

/// Decision about an attempt.
pub(super) enum Admitted {
    /// The attempt may sign in at the portal. It reserves a share of the limits until it ends.
    Asked(Ticket),
    /// The attempt sends no request to the portal and is answered as if the password were wrong.
    /// The user must not learn that another user has this account.
    Refused,
}

/// An admitted attempt. Its share of the limits is reserved before it is made, so that concurrent
/// attempts cannot lock the account.
pub(super) struct Ticket {
    attempt: uuid::Uuid,
    /// The login's account, if it was known before.
    pub(super) account: Option<PortalAccountId>,
    is_stranger: bool,
}

impl Ticket {
    /// Charges requests to the account's budget before they are made. Requests of a non-holder
    /// count in the account's total, but in none of its shares.
    pub(super) async fn count(&self, gateway: &Gateway, calls: Calls) -> Result<(), NotVerified> {
        let Some(account) = self.account else { return Ok(()) };
        let now = gateway.records.portal_time.now();
        let mut tx = gateway.records.db.begin().await?;
        store::portal_account::change_budget(&mut tx, account, |budget| match self.is_stranger {
            true => budget.spend_by_non_holder(calls.requests, now),
            false => budget.spend(calls, now),
        })
        .await?;
        tx.commit().await?;
        Ok(())
    }

    /// Returns `true` if a task polls through the login's account.
    pub(super) async fn is_watched(&self, gateway: &Gateway) -> Result<bool, NotVerified> {
        let Some(account) = self.account else { return Ok(false) };
        let mut tx = gateway.records.db.read().await?;
        Ok(store::portal_account::is_watched(&mut tx, account).await?)
    }

    /// Releases the reserved share, because the attempt was not rejected.
    pub(super) async fn give_back(&self, gateway: &Gateway) -> Result<(), NotVerified> {
        let mut tx = gateway.records.db.begin().await?;
        verify_failure::forget(&mut tx, self.attempt).await?;
        tx.commit().await?;
        Ok(())
    }
}

/// Reserves a share of the limits for an attempt. Refuses if the login was rejected too often
/// recently, or if its account has no calls left. Waits for attempts in progress that would use up
/// the limit if they failed.
pub(super) async fn admit(gateway: &Gateway, user: UserId, login_fp: &[u8]) -> Result<Admitted, NotVerified> {
    let mut waited = Duration::ZERO;
    loop {
        if let Some(admitted) = try_admit(gateway, user, login_fp).await? {
            return Ok(admitted);
        }
        if waited >= MAX_WAIT {
            return Err(NotVerified::Busy);
        }
        waited += ASK_AGAIN;
        tokio::time::sleep(ASK_AGAIN).await;
    }
}

/// Share of the limits that is available to the next attempt at a login.
#[derive(Debug, PartialEq, Eq)]
enum Share {
    Free,
    /// The limit of all users is used up.
    UsedUp,
    /// The limit of non-holders is used up.
    RefusedToNonHolders,
    /// The share depends on the results of attempts in progress.
    Reserved,
}

fn share(hour: &Failures, day: &Failures, is_stranger: bool) -> Share {
    let counted = if is_stranger { hour.seen } else { hour.asked };
    if counted >= FAILURES_PER_HOUR {
        return Share::UsedUp;
    }
    let strangers = [(hour, STRANGERS_PER_HOUR), (day, STRANGERS_PER_DAY)];
    if is_stranger
        && (hour.asked >= FAILURES_PER_HOUR || strangers.iter().any(|(of, most)| of.strangers >= *most))
    {
        return Share::RefusedToNonHolders;
    }
    let is_reserved = |(of, most): &(&Failures, i64)| of.strangers + of.strangers_under_way >= *most;
    if hour.asked + hour.under_way >= FAILURES_PER_HOUR || (is_stranger && strangers.iter().any(is_reserved))
    {
        return Share::Reserved;
    }
    Share::Free
}

/// Decides on an attempt. Returns `None` while the decision depends on attempts in progress.
async fn try_admit(
    gateway: &Gateway,
    user: UserId,
    login_fp: &[u8],
) -> Result<Option<Admitted>, NotVerified> {
    let now = gateway.records.wall.now();
    let mut tx = gateway.records.db.begin().await?;
    verify_failure::queue(&mut tx, login_fp).await?;
    let hour = verify_failure::count(&mut tx, login_fp, now - TimeDelta::hours(1), now).await?;
    let day = verify_failure::count(&mut tx, login_fp, now - TimeDelta::days(1), now).await?;
    let account = store::portal_account::find(&mut tx, login_fp).await?;
    let holders = match account {
        Some(account) => binding::holders(&mut tx, account).await?,
        None => Vec::new(),
    };
    let is_stranger = !holders.is_empty() && !holders.contains(&user);
    let share = share(&hour, &day, is_stranger);
    if share == Share::UsedUp {
        return Err(NotVerified::TooMany);
    }
    let id = gateway.records.uuid(now);
    let rests = match account {
        Some(account) => !may_sign_in(gateway, &mut tx, account).await?,
        None => false,
    };
    if is_stranger && (share == Share::RefusedToNonHolders || rests) {
        verify_failure::add(&mut tx, id, login_fp, Attempt::Unasked, now).await?;
        tx.commit().await?;
        return Ok(Some(Admitted::Refused));
    }
    if rests {
        return Err(NotVerified::TooMany);
    }
    if share == Share::Reserved {
        return Ok(None);
    }
    let attempt = if is_stranger { Attempt::Stranger } else { Attempt::Known };
    verify_failure::add(&mut tx, id, login_fp, attempt, now).await?;
    tx.commit().await?;
    Ok(Some(Admitted::Asked(Ticket { attempt: id, account, is_stranger })))
}

async fn may_sign_in(
    gateway: &Gateway,
    tx: &mut store::Tx,
    account: PortalAccountId,
) -> Result<bool, NotVerified> {
    let Some(row) = store::portal_account::get(tx, account).await? else { return Ok(true) };
    let limits = Limits { sign_ins_per_hour: SIGN_INS_PER_HOUR, ..gateway.records.config.limits };
    Ok(row.budget.check(Spend::SignIn, &limits, gateway.records.portal_time.now()).is_ok())
}

/// Records that the portal rejected an attempt that began at `began`. After an attempt by a
/// non-holder, the holders are notified, at most once a day.
pub(super) async fn rejected(gateway: &Gateway, ticket: &Ticket, began: Instant) -> Result<(), NotVerified> {
    let now = gateway.records.wall.now();
    {
        let mut rejections = REJECTIONS.lock();
        rejections.truncate(REMEMBERED - 1);
        rejections.push_front(now - began);
    }
    let mut tx = gateway.records.db.begin().await?;
    verify_failure::rejected(&mut tx, ticket.attempt).await?;
    let Some(account) = ticket.account.filter(|_| ticket.is_stranger) else { return Ok(tx.commit().await?) };
    for user in binding::holders(&mut tx, account).await? {
        let Some(own) = store::credential::of_user(&mut tx, user, account).await? else { continue };
        let data = json!({ "username": own.username });
        let key = format!("login_failures:{account}:{user}:{}", now.date_naive());
        crate::persist::notify::mail(&gateway.records, &mut tx, user, "login_failures", key, data).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Imitates an attempt that the portal rejects: takes as long and reports the same stages.
pub(super) async fn pretend(gateway: &Gateway, tell: Tell<'_>) {
    let half = {
        let rejections = REJECTIONS.lock();
        let [pick] = gateway.records.random.bytes::<1>();
        let took = match rejections.len() {
            0 => TYPICAL,
            known => rejections.get(usize::from(pick) % known).copied().unwrap_or(TYPICAL),
        };
        (took / 2).to_std().unwrap_or_default()
    };
    tell(Stage::Connecting);
    tokio::time::sleep(half).await;
    tell(Stage::SigningIn);
    tokio::time::sleep(half).await;
}
