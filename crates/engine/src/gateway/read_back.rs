//! Read-back of a booking: finds its state on newly requested pages of the portal.

use chrono::TimeDelta;
use domain::booking::{ExpectedOutcome, Observation, ObservedState};
use domain::budget::Spend;
use domain::clock::Instant;
use domain::health::AccountHealth;
use portal::PortalError;
use portal::pages::instructions::FlashTone;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::gateway::translate::{Details, translate};

/// Result of one reading of the portal's pages.
pub(crate) struct Pages {
    pub reading: Observation,
    /// Deadline for changes that the instructions page prints.
    pub deadline: Option<Instant>,
    /// `true` if a message on the instructions page reports that the portal refused the booking.
    pub refused: bool,
}

/// Reads the state of a booking once. Requests the instructions page first, as a browser does after
/// the POST. Requests the groups page if the instructions page does not print the target's
/// interview, or if the target has a fingerprint appointment too. A `late` reading that does not
/// find the target also reads the number of attempts left.
///
/// If no page can be read, the result is [`ObservedState::Unreadable`] and not an error.
pub(crate) async fn read_pages(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    late: bool,
) -> Result<Pages, JobError> {
    let at = gateway.records.portal_time.now();
    let unreadable = Observation { at, shown: ObservedState::Unreadable, attempts_left: None };
    let mut pages = Pages { reading: unreadable, deadline: None, refused: false };
    let mut read = read_once(gateway, lease, task, expected_outcome, &mut pages).await;
    if matches!(read, Err(JobError::Portal(PortalError::SignedOut))) {
        crate::gateway::session::forget(gateway, lease).await?;
        read = read_once(gateway, lease, task, expected_outcome, &mut pages).await;
    }
    lease.settle_budget(gateway.records.portal_time.now());
    match read {
        Ok(shown) => pages.reading.shown = shown,
        Err(JobError::Store(error)) => return Err(error.into()),
        Err(error) => {
            tracing::info!(%error, "failed to read back a booking");
            if let JobError::Portal(portal_error) = &error {
                crate::persist::parse_failure::record_parse_failure(&gateway.records, portal_error).await;
            }
            back_off_after(gateway, lease, &error).await?;
            return Ok(pages);
        }
    }
    let target = ObservedState::Appointment { appointment: expected_outcome.target };
    if late && pages.reading.shown != target && expected_outcome.attempts_before.is_some() {
        let session =
            crate::gateway::session::ensure_to_read_back(gateway, lease, task, Spend::Booking).await?;
        let group = task.portal_schedule_id.clone();
        pages.reading.attempts_left =
            gateway.client.limit(&lease.meter, &session, &group).await.ok().flatten();
        lease.settle_budget(gateway.records.portal_time.now());
    }
    Ok(pages)
}

async fn read_once(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    expected_outcome: &ExpectedOutcome,
    pages: &mut Pages,
) -> Result<ObservedState, JobError> {
    let session = crate::gateway::session::ensure_to_read_back(gateway, lease, task, Spend::Booking).await?;
    let group = task.portal_schedule_id.clone();
    let target = expected_outcome.target;
    let mut is_printed = false;
    match gateway.client.instructions(&lease.meter, &session, &group).await {
        Ok(page) => {
            let city = target.consular.facility;
            pages.deadline = page.deadline.and_then(|d| city.instant(d.date.and_time(d.time)));
            pages.refused |= page.tone() == Some(FlashTone::Refused);
            is_printed = page
                .interview
                .is_some_and(|at| (at.date, at.time) == (target.consular.date, target.consular.time));
            if is_printed && target.fingerprints.is_none() {
                return Ok(ObservedState::Appointment { appointment: target });
            }
        }
        Err(PortalError::SignedOut) => return Err(PortalError::SignedOut.into()),
        // The groups page can show the appointment as well.
        Err(_) => {}
    }
    let page = gateway.client.groups(&lease.meter, &session).await?;
    let read = page
        .group(&task.portal_schedule_id)
        .and_then(|page| translate(page, task.country, Details::default()).ok());
    let shown = read.map_or(ObservedState::Unreadable, |read| ObservedState::of(read.booked));
    let shows_interview = matches!(shown, ObservedState::Appointment { appointment }
        if appointment.consular == target.consular);
    // The page lags behind the instructions page, which does not show the fingerprint appointment.
    Ok(if is_printed && !shows_interview { ObservedState::Unreadable } else { shown })
}

/// Backs off from the account if the read-back found it locked or behind a captcha. A rejected
/// password needs nothing here: the sign-in has already recorded it.
async fn back_off_after(gateway: &Gateway, lease: &AccountLease, error: &JobError) -> Result<(), JobError> {
    let now = gateway.records.portal_time.now();
    let (health, until) = match error {
        JobError::Portal(PortalError::Locked { until, .. }) => {
            (AccountHealth::Locked, until.unwrap_or(now + TimeDelta::hours(1)))
        }
        JobError::Portal(PortalError::Captcha) => (AccountHealth::Captcha, now + TimeDelta::hours(1)),
        _ => return Ok(()),
    };
    crate::persist::account_health::back_off(&gateway.records, lease.account, health, until).await
}
