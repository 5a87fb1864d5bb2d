//! Answers to questions of tasks. A question can be read any number of times and answered once.

use chrono::NaiveDate;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::journal::{CityName, JournalEvent};
use domain::question::{ApprovalRefusal, AskedTask};
use store::Tx;
use store::question::StoredQuestion;
use store::task::Task;

use crate::{Ctx, Error, Refusal};

/// A question with its task, in their present state.
#[derive(Clone, Debug)]
pub struct QuestionWithTask {
    /// Question as stored.
    pub stored: StoredQuestion,
    /// Task that asked.
    pub task: Task,
    /// `Ok` if an approval is accepted, otherwise the reason of the refusal.
    pub counts: Result<(), ApprovalRefusal>,
}

/// Reads the question of a link without changing anything.
///
/// # Errors
/// Returns [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn read(ctx: &Ctx, tx: &mut Tx, raw: &[u8; 32]) -> Result<QuestionWithTask, Error> {
    let kept = store::question::of_link(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
    with_task(ctx, tx, kept).await
}

/// Date that a task asked about.
#[derive(Clone, Copy, Debug)]
pub struct AskedDate {
    /// The task.
    pub task: TaskId,
    /// The city.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
}

/// A user's answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionAnswer {
    /// Book the date, if the question is still open.
    Yes,
    /// Book the date if it is still listed, even if the time for an answer has ended.
    YesIfListed,
    /// Do not book the date, and do not ask about it again while it is listed.
    No,
}

/// Answers the question of a link, in the caller's transaction. It is approved at most once; the
/// engine then tries to book. An approval that is not accepted changes nothing, and the result
/// holds the reason.
///
/// # Errors
/// Returns [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn answer(
    ctx: &Ctx,
    tx: &mut Tx,
    raw: &[u8; 32],
    answer: QuestionAnswer,
) -> Result<QuestionWithTask, Error> {
    let kept = store::question::of_link(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
    store::lock::exclusive(tx, kept.question.task.0).await?;
    let kept = store::question::get(tx, kept.id).await?.ok_or(Refusal::LinkInvalid)?;
    // Others may have the link. After a no, only the signed-in user can approve.
    if answer != QuestionAnswer::No && kept.question.declined_at.is_some() {
        let mut asked = with_task(ctx, tx, kept).await?;
        asked.counts = Err(ApprovalRefusal::Spent);
        return Ok(asked);
    }
    record(ctx, tx, &kept, answer).await
}

/// Answers a task's latest question about a date, like [`answer`]. The caller must have checked
/// that the task belongs to the user.
///
/// # Errors
/// Returns [`Refusal::NotFound`] if the task has no such question, or an error if the database
/// fails.
pub async fn answer_on_page(
    ctx: &Ctx,
    tx: &mut Tx,
    asked: AskedDate,
    answer: QuestionAnswer,
) -> Result<QuestionWithTask, Error> {
    let AskedDate { task, facility, day } = asked;
    let kept = store::question::latest(tx, task, facility, day).await?.ok_or(Refusal::NotFound)?;
    record(ctx, tx, &kept, answer).await
}

async fn record(
    ctx: &Ctx,
    tx: &mut Tx,
    seen: &StoredQuestion,
    answer: QuestionAnswer,
) -> Result<QuestionWithTask, Error> {
    // With the lock, a pause, an edit or another approval is either visible below or waits for this
    // transaction.
    store::lock::exclusive(tx, seen.question.task.0).await?;
    let kept = store::question::get(tx, seen.id).await?.ok_or(Refusal::LinkInvalid)?;
    let mut asked = with_task(ctx, tx, kept).await?;
    let now = ctx.wall.now();
    if answer == QuestionAnswer::No {
        return decline(ctx, tx, asked).await;
    }
    if answer == QuestionAnswer::YesIfListed {
        asked.counts = asked.stored.question.accepts_late(&asked_task(&asked.task), now);
    }
    if asked.counts.is_err() {
        return Ok(asked);
    }
    if !store::question::answer(tx, asked.stored.id, now).await? {
        asked.counts = Err(ApprovalRefusal::Spent);
        return Ok(asked);
    }
    let (facility, date) = (CityName(asked.stored.question.facility), asked.stored.question.day);
    ctx.journal(tx, asked.task.id, &JournalEvent::SaidYes { facility, date }).await?;
    // The engine, in whatever process, polls for changed rows.
    store::task::touch(tx, asked.task.id, now).await?;
    asked.stored.question.answered_at = Some(now);
    Ok(asked)
}

/// Records a *no*. It changes nothing after an approval of the date, by any question about it.
async fn decline(ctx: &Ctx, tx: &mut Tx, mut asked: QuestionWithTask) -> Result<QuestionWithTask, Error> {
    let question = &mut asked.stored.question;
    let is_booked = asked
        .task
        .interview()
        .is_some_and(|held| held.facility == question.facility && held.date == question.day);
    let approved = store::question::latest_yes(tx, question.task, question.facility, question.day).await?;
    if question.answered_at.is_some() || question.declined_at.is_some() || is_booked || approved.is_some() {
        return Ok(asked);
    }
    let now = ctx.wall.now();
    store::question::decline(tx, asked.stored.id, question, now).await?;
    store::task::touch(tx, asked.task.id, now).await?;
    question.declined_at = Some(now);
    Ok(asked)
}

/// Returns the facts of a task that an approval depends on.
fn asked_task(task: &Task) -> AskedTask<'_> {
    AskedTask {
        runs: task.deleted_at.is_none() && task.status.is_running(),
        criteria_version: task.criteria_version,
        booked: task.interview(),
    }
}

/// Combines a question with its task as read, at `now` (wall time).
#[must_use]
pub fn combine(kept: StoredQuestion, task: Task, now: Instant) -> QuestionWithTask {
    let counts = kept.question.accepts(&asked_task(&task), now);
    // The engine may be down, so the page does not wait for ever.
    let outcome = kept.outcome.or_else(|| kept.question.untold(now));
    QuestionWithTask { stored: StoredQuestion { outcome, ..kept }, task, counts }
}

/// Combines a question with the present state of its task.
async fn with_task(ctx: &Ctx, tx: &mut Tx, kept: StoredQuestion) -> Result<QuestionWithTask, Error> {
    let task = store::task::get(tx, kept.question.task).await?.ok_or(Refusal::LinkInvalid)?;
    Ok(combine(kept, task, ctx.wall.now()))
}
