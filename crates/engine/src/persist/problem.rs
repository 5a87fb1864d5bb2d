//! Records evidence that an account cannot book, and notifies its users. The rule for notifications
//! is in [`domain::account_problem`].

use domain::account_problem::{Episode, ProblemKind};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::health::AccountHealth;
use domain::ids::PortalAccountId;
use domain::journal::{JournalEvent, PortalErrorEvent};
use serde_json::json;
use store::Tx;
use store::account_problem::AccountProblem;
use store::booking_attempt::BookingAttempt;

use crate::JobError;
use crate::model::availability::inferred::InferredEffects;
use crate::persist::Records;

/// Counts an occurrence of a problem of the account, in the caller's transaction. Notifies the
/// account's users if the rule requires it.
pub(crate) async fn record_in(
    records: &Records,
    tx: &mut Tx,
    account: PortalAccountId,
    kind: ProblemKind,
) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let known = store::account_problem::of_account(tx, account).await?;
    let before = known.iter().find(|problem| problem.kind == kind).map(|problem| problem.episode);
    let mut problem = AccountProblem { account, kind, episode: Episode::after(before, now) };
    if problem.episode.is_due(now) {
        notify(records, tx, &problem).await?;
        problem.episode.notified_at = Some(now);
    }
    store::account_problem::set(tx, &problem).await?;
    records.memory.update(|state| state.accounts.add_problem(account, kind));
    Ok(())
}

/// Counts an occurrence of a problem of the account, in a transaction of its own.
pub(crate) async fn record(
    records: &Records,
    account: PortalAccountId,
    kind: ProblemKind,
) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    record_in(records, &mut tx, account, kind).await?;
    tx.commit().await?;
    Ok(())
}

/// Ends the account's episode of this kind, if there is one.
pub(crate) async fn end(
    records: &Records,
    account: PortalAccountId,
    kind: ProblemKind,
) -> Result<(), JobError> {
    if !records.memory.has_problem(account, kind) {
        return Ok(());
    }
    let mut tx = records.begin_leading().await?;
    store::account_problem::delete(&mut tx, account, kind).await?;
    tx.commit().await?;
    records.memory.update(|state| state.accounts.end_problem(account, kind));
    Ok(())
}

/// Counts the bans that a poll's list indicates, and ends the bans of accounts that have recovered.
pub(crate) async fn inferred(records: &Records, inferred: &InferredEffects) -> Result<(), JobError> {
    for (account, _, _) in &inferred.soft_banned {
        record(records, *account, ProblemKind::Banned).await?;
    }
    for account in &inferred.recovered {
        end(records, *account, ProblemKind::Banned).await?;
    }
    Ok(())
}

/// Counts a problem of each other account that recently found no times for the date of a confirmed
/// booking. Ends the problems of the account that booked.
pub(crate) async fn booked(records: &Records, attempt: &BookingAttempt) -> Result<(), JobError> {
    let now = records.portal_time.now();
    let others =
        records.memory.update(|state| state.accounts.take_no_times(attempt.facility, attempt.date, now));
    for account in others.into_iter().filter(|account| *account != attempt.portal_account_id) {
        record(records, account, ProblemKind::NoTimes).await?;
    }
    for kind in [ProblemKind::NoTimes, ProblemKind::BudgetSpent, ProblemKind::Banned] {
        end(records, attempt.portal_account_id, kind).await?;
    }
    Ok(())
}

/// Notifies users of problems that have lasted long, and ends single occurrences that have passed.
/// A failure for one account does not prevent the others. Returns the last failure.
pub(crate) async fn notify_lasting(records: &Records) -> Result<(), JobError> {
    if !records.memory.read(|state| state.accounts.any_problem()) {
        return Ok(());
    }
    let now = records.portal_time.now();
    let mut tx = records.db.read().await?;
    let mut due = store::account_problem::list(&mut tx).await?;
    tx.commit().await?;
    due.retain(|problem| problem.episode.is_due(now));
    let mut notified = Ok(());
    for problem in due {
        let done = if is_over(records, &problem) {
            end(records, problem.account, problem.kind).await
        } else {
            notify_one(records, problem, now).await
        };
        notified = done.and(notified);
    }
    notified
}

/// Notifies the users of one account, and records the time.
async fn notify_one(records: &Records, problem: AccountProblem, now: Instant) -> Result<(), JobError> {
    let mut tx = records.begin_leading().await?;
    notify(records, &mut tx, &problem).await?;
    let episode = Episode { notified_at: Some(now), ..problem.episode };
    store::account_problem::set(&mut tx, &AccountProblem { episode, ..problem }).await?;
    tx.commit().await?;
    Ok(())
}

/// Returns `true` if the account's tasks and health no longer show the problem.
fn is_over(records: &Records, problem: &AccountProblem) -> bool {
    let tasks = records.memory.tasks_of(problem.account);
    let shows = |condition| tasks.iter().any(|(_, shown)| *shown == condition);
    match problem.kind {
        // Only a booking proves that the problem has passed.
        ProblemKind::NoTimes => false,
        ProblemKind::CardUnreadable | ProblemKind::PageUnreadable => !shows(TaskCondition::LayoutChanged),
        ProblemKind::BudgetSpent => !shows(TaskCondition::BudgetRest),
        ProblemKind::Banned => {
            records.memory.account(problem.account, |account| account.health != AccountHealth::Cooling)
        }
    }
}

/// Journals the problem for every running task of the account. Queues one mail for each user of
/// those tasks.
async fn notify(records: &Records, tx: &mut Tx, problem: &AccountProblem) -> Result<(), JobError> {
    let AccountProblem { account, kind, episode } = problem;
    tracing::warn!(%account, %kind, occurrences = episode.occurrences, "an account cannot book; notifying its users");
    for (id, _) in records.memory.tasks_of(*account) {
        let Some(task) = store::task::get(tx, id).await?.filter(|task| task.deleted_at.is_none()) else {
            continue;
        };
        let event = JournalEvent::PortalError(PortalErrorEvent {
            code: kind.code().to_owned(),
            since: Some(episode.began_at),
            ..PortalErrorEvent::default()
        });
        crate::persist::notify::journal(records, tx, id, &event).await?;
        let data = json!({
            "reason": kind.code(), "names": task.group.names(), "released": null, "task_id": id.to_string(),
        });
        let began = episode.began_at.timestamp_micros();
        let key = format!("account_problem:{account}:{kind}:{began}:{}", task.user_id);
        crate::persist::notify::mail(records, tx, task.user_id, "needs_you", key, data).await?;
    }
    Ok(())
}
