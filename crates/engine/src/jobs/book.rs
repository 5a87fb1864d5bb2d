//! One booking try, as a sequence of steps. Each step returns its own type: [`Prepared`],
//! `Preflighted`, `Sending` and [`Sent`]. The read-back then settles the try.
//!
//! | step | function of `steps.rs` | ends the try if |
//! |---|---|---|
//! | [`Prepared`] | `prepare_attempt` | a rule or the budget forbids it, or the group is taken |
//! | `Preflighted` | `preflight` | the pages disagree, or show no acceptable appointment |
//! | `Sending` | `commit` | the database cannot commit the state *sending* |
//! | [`Sent`] | `send` | no byte was sent |
//!
//! Nothing in this module repeats a request that may book. The answer to the booking request (POST)
//! is only evidence. `jobs/read_back.rs` reads the portal's pages and alone decides the outcome:
//! confirmed, not booked, to be read again later, or left to the operator.

mod steps;

use domain::account_problem::ProblemKind;
use domain::budget::Spend;
use domain::ids::{AttemptId, TaskId};
use domain::journal::GoneReason;
use portal::PortalError;
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::{AccountLease, LeaseGuard};
use crate::jobs::JobOutcome;
use crate::model::attempts::Settled;
use crate::model::openings::{Opening, TryOutcome};
use crate::persist::prepare::give_up;
use steps::{Prepared, TryEnd, commit, preflight, prepare_attempt, send, slot_gone};

/// A try that has sent the POST, or may have sent it. The read-back decides its outcome.
pub(crate) struct Sent {
    pub attempt: AttemptId,
    attempted: Attempted,
}

/// One task's try to book a date.
struct Attempted {
    task: TaskId,
    /// The task as it was read first; `None` if it could not be read or does not run.
    row: Option<Task>,
    opening: Opening,
    had_session: bool,
}

/// Tries to book a date for one task.
pub(crate) async fn book(
    gateway: &Gateway,
    task: TaskId,
    guard: LeaseGuard,
    opening: Opening,
) -> Result<JobOutcome, JobError> {
    match AccountLease::begin(guard).await {
        Ok(lease) => book_over(gateway, lease, task, opening).await,
        Err(error) => {
            let now = gateway.records.portal_time.now();
            gateway.records.memory.tried(task, &opening, &Ok(TryOutcome::NothingSent), now);
            Err(error)
        }
    }
}

/// Tries to book a date over a lease.
pub(crate) async fn book_over(
    gateway: &Gateway,
    mut lease: AccountLease,
    task: TaskId,
    opening: Opening,
) -> Result<JobOutcome, JobError> {
    lease.mark_dirty();
    let had_session = lease.session.is_some();
    let (row, sent) = match gateway.records.known_task(task).await {
        Ok(Some(row)) => {
            let sent = attempt(gateway, &mut lease, &row, &opening).await;
            (Some(row), sent)
        }
        Ok(None) => (None, Err(TryEnd::Outcome(TryOutcome::NothingSent))),
        Err(error) => (None, Err(error.into())),
    };
    let attempted = Attempted { task, row, opening, had_session };
    let result = match sent {
        Ok(attempt) => return Ok(JobOutcome::Sent(lease, Box::new(Sent { attempt, attempted }))),
        Err(TryEnd::Outcome(outcome)) => Ok(outcome),
        Err(TryEnd::Failed(error)) => Err(error),
    };
    finish(gateway, lease, attempted, result).await.map(|()| JobOutcome::Done)
}

/// Ends a try with the result of its read-back.
pub(crate) async fn settle(
    gateway: &Gateway,
    lease: AccountLease,
    sent: Sent,
    settled: Result<Settled, JobError>,
) -> Result<(), JobError> {
    let tried = settled.map(|settled| match settled {
        Settled::Confirmed => TryOutcome::Booked,
        Settled::Recorded | Settled::NotLeader => TryOutcome::Acted,
    });
    finish(gateway, lease, sent.attempted, tried).await
}

/// Records the outcome of a try, on which the other candidates for the date depend. Ends the
/// account lease.
async fn finish(
    gateway: &Gateway,
    mut lease: AccountLease,
    attempted: Attempted,
    result: Result<TryOutcome, JobError>,
) -> Result<(), JobError> {
    let Attempted { task, row, opening, had_session } = attempted;
    let outcome = match (result, &row) {
        (Err(error), Some(row)) => recover_from(gateway, &mut lease, row, had_session, error).await,
        (result, _) => result,
    };
    gateway.records.memory.end_try(lease.account);
    let asked = (task, opening.key.facility, opening.date);
    let answered = gateway.records.answer_tried(asked, outcome.as_ref()).await;
    let now = gateway.records.portal_time.now();
    let losers = gateway.records.memory.tried(task, &opening, &outcome, now);
    if let Some(row) = &row {
        gateway.records.memory.end_outdated_cool_offs(task, row.criteria.as_ref());
    }
    let written = async {
        notify_losers(gateway, &opening, &losers).await?;
        if matches!(
            outcome,
            Ok(TryOutcome::NothingThere
                | TryOutcome::NoTimeFits
                | TryOutcome::NoFingerprints
                | TryOutcome::NoFingerprintsFit)
        ) {
            crate::persist::observation::rematch(&gateway.records, &opening.key).await?;
        }
        outcome.map(|_| ())
    };
    let written = written.await;
    lease.finish().await.and(written).and(answered)
}

/// Adds a journal entry to the tasks that were still queued when the last time of the date was
/// booked. It reports that a task ahead in the queue booked the date.
async fn notify_losers(gateway: &Gateway, opening: &Opening, losers: &[TaskId]) -> Result<(), JobError> {
    let event = slot_gone(opening, GoneReason::TakenForAnother);
    crate::persist::notify::journal_now(&gateway.records, losers, &event).await
}

/// Handles the error that stopped a try. Returns `Again` if the try may be repeated in a new
/// session, else `Hindered`.
async fn recover_from(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    had_session: bool,
    error: JobError,
) -> Result<TryOutcome, JobError> {
    let ended = matches!(error, JobError::Portal(PortalError::SignedOut));
    if matches!(error, JobError::Rest(_)) {
        crate::persist::problem::record(&gateway.records, lease.account, ProblemKind::BudgetSpent).await?;
    }
    crate::gateway::recovery::recover(gateway, lease, task, error).await?;
    let signs_in = lease.allowed(Spend::SignIn, gateway.records.portal_time.now()).is_ok();
    let may = lease.session.is_some() || signs_in;
    Ok(if ended && had_session && may { TryOutcome::Again } else { TryOutcome::Hindered })
}

/// Makes one attempt, up to the end of its POST. Returns its id for the read-back. Gives up an
/// attempt of which nothing was sent.
async fn attempt(
    gateway: &Gateway,
    lease: &mut AccountLease,
    task: &Task,
    opening: &Opening,
) -> Result<AttemptId, TryEnd> {
    let Prepared { attempt, task, pages } = prepare_attempt(gateway, lease, task, opening).await?;
    let sent = async {
        let preflighted = preflight(gateway, lease, &task, opening, pages?).await?;
        let sending = commit(gateway, &task, attempt, opening, preflighted).await?;
        send(gateway, lease, &task, attempt, sending).await
    };
    let sent = sent.await;
    if !matches!(sent, Ok(()) | Err(TryEnd::Outcome(TryOutcome::Acted))) {
        give_up(&gateway.records, task.id, attempt).await?;
    }
    sent.map(|()| attempt)
}
