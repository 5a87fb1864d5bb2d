//! Answers to questions of tasks. A question can be read any number of times and answered once.

use chrono::NaiveDate;
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

/// Approves the question of a link, once, in the caller's transaction. The engine then tries to
/// book. An approval that is not accepted changes nothing, and the result holds the reason.
///
/// # Errors
/// Returns [`Refusal::LinkInvalid`], or an error if the database fails.
pub async fn approve(ctx: &Ctx, tx: &mut Tx, raw: &[u8; 32]) -> Result<QuestionWithTask, Error> {
    let kept = store::question::of_link(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
    answer(ctx, tx, &kept).await
}

/// Approves a task's latest question about a date, like [`approve`]. The caller must have checked
/// that the task belongs to the user.
///
/// # Errors
/// Returns [`Refusal::NotFound`] if the task has no such question, or an error if the database
/// fails.
pub async fn approve_on_page(
    ctx: &Ctx,
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<QuestionWithTask, Error> {
    let kept = store::question::latest(tx, task, facility, day).await?.ok_or(Refusal::NotFound)?;
    answer(ctx, tx, &kept).await
}

async fn answer(ctx: &Ctx, tx: &mut Tx, seen: &StoredQuestion) -> Result<QuestionWithTask, Error> {
    // With the lock, a pause, an edit or another approval is either visible below or waits for this
    // transaction.
    store::lock::exclusive(tx, seen.question.task.0).await?;
    let kept = store::question::get(tx, seen.id).await?.ok_or(Refusal::LinkInvalid)?;
    let mut asked = with_task(ctx, tx, kept).await?;
    if asked.counts.is_err() {
        return Ok(asked);
    }
    let now = ctx.wall.now();
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

/// Combines a question with the present state of its task.
async fn with_task(ctx: &Ctx, tx: &mut Tx, kept: StoredQuestion) -> Result<QuestionWithTask, Error> {
    let task = store::task::get(tx, kept.question.task).await?.ok_or(Refusal::LinkInvalid)?;
    let stands = AskedTask {
        runs: task.deleted_at.is_none() && task.status.is_running(),
        criteria_version: task.criteria_version,
        booked: task.interview(),
    };
    let now = ctx.wall.now();
    let counts = kept.question.accepts(&stands, now);
    // The engine may be down, so the page does not wait for ever.
    let outcome = kept.outcome.or_else(|| kept.question.untold(now));
    let kept = StoredQuestion { outcome, ..kept };
    Ok(QuestionWithTask { stored: kept, task, counts })
}
