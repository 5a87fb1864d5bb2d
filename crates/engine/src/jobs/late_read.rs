//! Late reading job. The portal may still apply an attempt that counts as not booked, or that was
//! left to the operator. The engine therefore reads the group's page a few times within a week,
//! even if the task no longer polls.
//!
//! A late reading books nothing, and stays within the budgets of the account and the host. It is
//! never made while the engine backs off from either, because no user waits for it.

use domain::appointment::Appointment;
use domain::booking::evidence::Printed;
use domain::booking::{ObservedState, counts_late, next_late_reading};
use domain::budget::Spend;
use domain::ids::AttemptId;
use portal::PortalError;
use store::booking_attempt::BookingAttempt;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::gateway::translate::{Details, translate};
use crate::jobs::JobOutcome;
use crate::persist::late_attempt::{LateReading, confirm, reschedule};

/// Reads the group's appointment. Confirms the attempt if the appointment is the slot of the
/// attempt.
pub(crate) async fn late_read(
    gateway: &Gateway,
    id: AttemptId,
    guard: LeaseGuard,
) -> Result<JobOutcome, JobError> {
    let mut tx = gateway.records.db.read().await?;
    let found =
        store::booking_attempt::get(&mut tx, id).await?.filter(|attempt| attempt.next_read_at.is_some());
    let Some(attempt) = found else { return Ok(JobOutcome::Done) };
    let task = store::task::get(&mut tx, attempt.task_id).await?;
    tx.commit().await?;
    // The engine may not read the account after its password was deleted.
    let Some(task) = task.filter(|task| task.credential_id.is_some()) else {
        reschedule(&gateway.records, &attempt, None, |_| None).await?;
        return Ok(JobOutcome::Done);
    };
    let mut lease = AccountLease::begin(guard).await?;
    let seen = poll(gateway, &mut lease, &attempt, &task).await;
    lease.finish().await?;
    let now = gateway.records.portal_time.now();
    let read = match seen {
        Ok(seen) => {
            let confirmed = confirm(&gateway.records, &attempt, &seen).await;
            // A failure of the database must not cause repeated requests to the portal.
            reschedule(&gateway.records, &attempt, Some(&seen), |t0| next_late_reading(t0, now))
                .await
                .and(confirmed)
        }
        // No request was sent to the portal.
        Err(JobError::Rest(until)) => {
            let until = until.max(now + crate::config::SWEEP_EVERY);
            reschedule(&gateway.records, &attempt, None, |t0| Some(until).filter(|at| counts_late(t0, *at)))
                .await
        }
        Err(error) => {
            tracing::info!(%error, task = %task.id, "late reading of a booking failed");
            if let JobError::Portal(portal_error) = &error {
                gateway.outward.failed(attempt.portal_account_id.0.as_u128(), portal_error, now);
            }
            reschedule(&gateway.records, &attempt, None, |t0| next_late_reading(t0, now)).await
        }
    };
    read.map(|()| JobOutcome::Done)
}

async fn poll(
    gateway: &Gateway,
    lease: &mut AccountLease,
    attempt: &BookingAttempt,
    task: &Task,
) -> Result<LateReading, JobError> {
    let mut seen = ask(gateway, lease, attempt, task).await;
    if matches!(seen, Err(JobError::Portal(PortalError::SignedOut))) {
        crate::gateway::session::forget(gateway, lease).await?;
        seen = ask(gateway, lease, attempt, task).await;
    }
    lease.settle_budget(gateway.records.portal_time.now());
    seen
}

/// Reads the instructions page, which shows changes earlier than the groups page. If it prints
/// another appointment than the task's, reads the groups page for the city of that appointment.
/// Also reads it if a fingerprint appointment belongs to the booking.
async fn ask(
    gateway: &Gateway,
    lease: &mut AccountLease,
    attempt: &BookingAttempt,
    task: &Task,
) -> Result<LateReading, JobError> {
    let at = gateway.records.portal_time.now();
    lease.allowed(Spend::Other, at)?;
    let session = crate::gateway::session::ensure_to_read_back(gateway, lease, task, Spend::SignIn).await?;
    let group = attempt.portal_schedule_id.clone();
    let page = crate::gateway::pages::printed(gateway, lease, &session, &group).await?;
    let deadline = page.deadline.map(|at| at.date.and_time(at.time));
    let shown = match crate::gateway::translate::printed(&page) {
        Printed::None => ObservedState::None,
        Printed::Unreadable => ObservedState::Unreadable,
        Printed::Appointment { date, time } => {
            let is_printed = |held: &Appointment| (held.consular.date, held.consular.time) == (date, time);
            // The instructions page does not show a fingerprint appointment.
            let has_fingerprints = |held: Option<Appointment>| held.is_some_and(|h| h.fingerprints.is_some());
            let is_enough = !has_fingerprints(task.booked) && !has_fingerprints(attempt.target);
            let mut held = task.booked.filter(is_printed).filter(|_| is_enough);
            if held.is_none() {
                lease.allowed(Spend::Other, gateway.records.portal_time.now())?;
                let page = crate::gateway::pages::groups(gateway, lease, &session).await?;
                let read = page
                    .group(&group)
                    .and_then(|page| translate(page, task.country, Details::of(&task.group)).ok());
                held = read.and_then(|read| read.booked).filter(is_printed);
            }
            // Pages that contradict each other do not show the city, so the next late reading
            // decides.
            held.map_or(ObservedState::Unreadable, |appointment| ObservedState::Appointment { appointment })
        }
    };
    Ok(LateReading { at, shown, deadline })
}
