//! Path check: reads the pages up to the booking form and the lists of at most two cities, without
//! booking. The check uses the session that a verification stored. It changes nothing at the portal
//! and does not sign in.

use std::sync::Arc;

use chrono::NaiveDate;
use domain::budget::{Calls, Rest, Spend};
use domain::facility::FacilityId;
use portal::pages::appointment::AppointmentForm;
use portal::{ApplicantId, Days, Meter, PageKind, PortalError, Session};
use store::Tx;
use store::credential::binding;
use store::credential::binding::SecretStatus;
use store::task::Task;

use crate::JobError;
use crate::error::NotVerified;
use crate::gateway::Gateway;
use crate::gateway::form::{form_agrees, knows_fingerprints_somewhere};
use crate::gateway::stored_session::import;

/// Maximum number of cities whose lists are read.
pub const MOST_CITIES: usize = 2;

/// Maximum number of pages that are read on the way to the booking form.
const MOST_PAGES: u32 = 4;

/// Result of reading the booking form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormReading {
    /// The engine understands the whole form, so a booking would be possible.
    Understood,
    /// The form or a page before it has an unknown layout, so the engine would book nothing.
    NotAsKnown,
    /// The portal allows no further reschedule of this group.
    NoChangeLeft,
    /// The form handles fingerprint appointments in a way that the engine does not know, in all
    /// cities of the task.
    AsksFingerprints,
}

/// Result of reading one city.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CityReading {
    /// The city.
    pub facility: FacilityId,
    /// `true` if the form offers the city, or if the form was not read.
    pub is_offered: bool,
    /// Free dates in order; `None` if the list is unknown or was not requested.
    pub days: Option<Vec<NaiveDate>>,
}

/// Result of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathCheck {
    /// The form.
    pub form: FormReading,
    /// Reschedules left, if the portal prints them.
    pub attempts_left: Option<u32>,
    /// The cities in the order of the request.
    pub cities: Vec<CityReading>,
}

/// Reason why a check failed.
#[derive(Debug, thiserror::Error)]
pub enum NotChecked {
    /// No session of the user's own password is stored any more. The account must be verified
    /// again.
    #[error("no session at the portal")]
    SignedOut,
    /// The engine already uses this account, and a check would use up the same limits.
    #[error("the account is watched already")]
    Watched,
    /// An error of a verification.
    #[error(transparent)]
    Verification(#[from] NotVerified),
}

impl From<store::Error> for NotChecked {
    fn from(error: store::Error) -> Self {
        Self::Verification(error.into())
    }
}

impl From<PortalError> for NotChecked {
    fn from(error: PortalError) -> Self {
        match error {
            PortalError::SignedOut => Self::SignedOut,
            error => Self::Verification(error.into()),
        }
    }
}

/// Checks the path of a task that is not running, for the first [`MOST_CITIES`] of `cities`.
pub(crate) async fn check(
    gateway: &Gateway,
    task: &Task,
    cities: &[FacilityId],
) -> Result<PathCheck, NotChecked> {
    let cities = &cities[..cities.len().min(MOST_CITIES)];
    // The check waits for admission first, because the wait may be long. The account is examined
    // and charged right before it is used.
    let entered = crate::verify_login::admission::enter(gateway).await?;
    let began = begin(gateway, task, cities.len()).await;
    let (session, version) = match began {
        Ok(began) => began,
        Err(why) => {
            entered.leave(gateway).await;
            return Err(why);
        }
    };
    let read = read(gateway, Over { meter: &entered.meter, session: &session }, task, cities).await;
    let made = entered.meter.spent();
    entered.leave(gateway).await;
    note_host(gateway, task, &read);
    let spent = Calls { requests: made.requests, polls: made.polls, sign_ins: 0 };
    settle(gateway, task, cities.len(), spent).await?;
    if let Err(NotChecked::SignedOut) = &read {
        crate::persist::session::forget(&gateway.records, task.portal_account_id, version)
            .await
            .map_err(NotVerified::from)?;
    }
    read
}

/// Returns the calls that are charged before the first request.
fn ahead(cities: usize) -> Calls {
    let polls = u32::try_from(cities).unwrap_or_default();
    Calls { requests: MOST_PAGES + polls, polls, sign_ins: 0 }
}

/// Loads the session that the user's own password opened, and charges the account in advance.
async fn begin(gateway: &Gateway, task: &Task, cities: usize) -> Result<(Arc<Session>, i32), NotChecked> {
    let (account, now) = (task.portal_account_id, gateway.records.portal_time.now());
    let credential = task.credential_id.ok_or(NotChecked::SignedOut)?;
    let mut tx = gateway.records.db.begin().await?;
    let gone = || NotVerified::Fault(JobError::Gone);
    let row = store::portal_account::get(&mut tx, account).await?.ok_or_else(gone)?;
    let own = binding::bound(&mut tx, credential).await?.ok_or_else(gone)?;
    // This check comes first: a caller without the account's password learns nothing about the
    // account.
    let held = import(gateway, &row)
        .filter(|held| own.standing == SecretStatus::Valid && own.secret == Some(held.secret))
        .ok_or(NotChecked::SignedOut)?;
    free(&mut tx, task).await?;
    if let Some(until) = row.not_before.filter(|until| *until > now) {
        return Err(NotVerified::Resting(until - now).into());
    }
    let limits = gateway.records.config.limits;
    // The budget is examined and charged under one lock, so that concurrent checks share it.
    let charged = store::portal_account::change_budget(&mut tx, account, |budget| {
        for _ in 0..cities {
            budget.check(Spend::Poll, &limits, now)?;
            budget.spend(Calls { requests: 1, polls: 1, sign_ins: 0 }, now);
        }
        for _ in 0..MOST_PAGES {
            budget.check(Spend::Other, &limits, now)?;
            budget.spend(Calls { requests: 1, ..Calls::default() }, now);
        }
        Ok::<(), Rest>(())
    });
    let (_, charged) = charged.await?.ok_or_else(gone)?;
    charged.map_err(|rest| NotVerified::Resting(rest.until - now))?;
    tx.commit().await?;
    Ok((held.session, held.version))
}

/// Checks that no task polls through the account and no job uses it. Otherwise the error is
/// [`NotChecked::Watched`].
async fn free(tx: &mut Tx, task: &Task) -> Result<(), NotChecked> {
    let account = task.portal_account_id;
    let is_used = store::portal_account::is_watched(tx, account).await?
        || store::account_lease::leased(tx).await?.contains(&account);
    if is_used { Err(NotChecked::Watched) } else { Ok(()) }
}

/// Repeats [`free`] before each request. A booking may have begun meanwhile, and a read of the
/// form's page would make the portal forget the applicants that the booking chose.
async fn still_free(gateway: &Gateway, task: &Task) -> Result<(), NotChecked> {
    let mut tx = gateway.records.db.read().await?;
    free(&mut tx, task).await
}

/// Charges the requests that a check made beyond those that were charged in advance.
async fn settle(gateway: &Gateway, task: &Task, cities: usize, made: Calls) -> Result<(), NotChecked> {
    let mut ahead = ahead(cities);
    let more = ahead.cover(made);
    if more == Calls::default() {
        return Ok(());
    }
    let now = gateway.records.portal_time.now();
    let mut tx = gateway.records.db.begin().await?;
    store::portal_account::change_budget(&mut tx, task.portal_account_id, |budget| budget.spend(more, now))
        .await?;
    tx.commit().await?;
    Ok(())
}

/// Records the outcome of a check in the state of the portal's host, like that of any other
/// request. A check that ended before a request is not recorded.
fn note_host(gateway: &Gateway, task: &Task, read: &Result<PathCheck, NotChecked>) {
    let now = gateway.records.portal_time.now();
    match read {
        Ok(_) | Err(NotChecked::SignedOut) => gateway.outward.answered(now),
        Err(NotChecked::Verification(NotVerified::Portal(portal_error))) => {
            gateway.outward.failed(task.portal_account_id.0.as_u128(), portal_error, now);
        }
        Err(_) => {}
    }
}

/// Session of a check, and the meter that counts its requests.
#[derive(Clone, Copy)]
struct Over<'a> {
    meter: &'a Meter,
    session: &'a Session,
}

async fn read(
    gateway: &Gateway,
    over: Over<'_>,
    task: &Task,
    cities: &[FacilityId],
) -> Result<PathCheck, NotChecked> {
    still_free(gateway, task).await?;
    let (form, attempts_left, offered) = read_form(gateway, over, task).await?;
    let mut found = Vec::new();
    for facility in cities {
        still_free(gateway, task).await?;
        let is_offered = offered.as_ref().is_none_or(|form| form.require_offer(*facility).is_ok());
        let days = if is_offered { read_days(gateway, over, task, *facility).await? } else { None };
        found.push(CityReading { facility: *facility, is_offered, days });
    }
    Ok(PathCheck { form, attempts_left, cities: found })
}

/// Reads the pages up to the form. Returns the reading, the reschedules left, and the form if the
/// portal showed one.
async fn read_form(
    gateway: &Gateway,
    over: Over<'_>,
    task: &Task,
) -> Result<(FormReading, Option<u32>, Option<AppointmentForm>), PortalError> {
    let people: Vec<ApplicantId> =
        task.group.applicants.iter().filter_map(|person| person.id.clone()).map(ApplicantId::from).collect();
    let visit = gateway.client.form_afresh(over.meter, over.session, &task.portal_schedule_id, &people).await;
    match visit {
        // The engine would not fill a form for other applicants or for another purpose.
        Ok(visit)
            if !form_agrees(&visit.form, task.booked.as_ref())
                || !people.is_empty() && visit.listed.iter().any(|id| !people.contains(id)) =>
        {
            Ok((FormReading::NotAsKnown, visit.remaining, Some(visit.form)))
        }
        Ok(visit) => {
            gateway.parsed(task.country, &crate::model::page_breaker::TO_THE_FORM);
            let asks = !knows_fingerprints_somewhere(&visit.form, task);
            let form = if asks { FormReading::AsksFingerprints } else { FormReading::Understood };
            Ok((form, visit.remaining, Some(visit.form)))
        }
        Err(PortalError::LimitReached) => Ok((FormReading::NoChangeLeft, Some(0), None)),
        Err(unread @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &unread).await;
            Ok((FormReading::NotAsKnown, None, None))
        }
        Err(portal_error) => Err(portal_error),
    }
}

/// Reads the list of one city; returns `None` if the list is unknown.
async fn read_days(
    gateway: &Gateway,
    over: Over<'_>,
    task: &Task,
    facility: FacilityId,
) -> Result<Option<Vec<NaiveDate>>, PortalError> {
    over.session.forget_etag(&task.portal_schedule_id, facility);
    match gateway.client.days(over.meter, over.session, &task.portal_schedule_id, facility).await {
        Ok(Days::List(days)) => {
            gateway.parsed(task.country, &[PageKind::Days]);
            Ok(Some(days))
        }
        Ok(Days::Unchanged) => Ok(None),
        Err(unread @ PortalError::LayoutChanged(_)) => {
            crate::persist::parse_failure::record_parse_failure(&gateway.records, &unread).await;
            Ok(None)
        }
        Err(portal_error) => Err(portal_error),
    }
}
