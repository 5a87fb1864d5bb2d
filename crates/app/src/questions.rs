//! Answers to what a task asked: looked at however often, given once.

use chrono::NaiveDate;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use domain::journal::{CityName, JournalEvent};
use domain::question::{AskedTask, Refusal as NoYes};
use store::Tx;
use store::question::Kept;
use store::task::Task;

use crate::{Ctx, Error, Refusal};

/// A question with its task, as both stand.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The question.
    pub kept: Kept,
    /// Its task.
    pub task: Task,
    /// Whether a yes counts, and why not.
    pub counts: Result<(), NoYes>,
}

/// Reads the question of a link; nothing changes.
///
/// # Errors
/// [`Refusal::LinkInvalid`]; when the database fails.
pub async fn read(ctx: &Ctx, tx: &mut Tx, raw: &[u8; 32]) -> Result<Asked, Error> {
    let kept = store::question::of_link(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
    asked(ctx, tx, kept).await
}

/// Says yes by a link, once, in the caller's transaction: from then on the engine tries. A yes that does not count changes
/// nothing, and the answer says why.
///
/// # Errors
/// [`Refusal::LinkInvalid`]; when the database fails.
pub async fn say_yes(ctx: &Ctx, tx: &mut Tx, raw: &[u8; 32]) -> Result<Asked, Error> {
    let kept = store::question::of_link(tx, raw).await?.ok_or(Refusal::LinkInvalid)?;
    answer(ctx, tx, &kept).await
}

/// Says yes to what one of the caller's tasks asked last about a day, as [`say_yes`] does; that the task is theirs, the caller
/// of this has made sure.
///
/// # Errors
/// [`Refusal::NotFound`] when it never asked; when the database fails.
pub async fn say_yes_on_page(
    ctx: &Ctx,
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Asked, Error> {
    let kept = store::question::latest(tx, task, facility, day).await?.ok_or(Refusal::NotFound)?;
    answer(ctx, tx, &kept).await
}

async fn answer(ctx: &Ctx, tx: &mut Tx, seen: &Kept) -> Result<Asked, Error> {
    // A pause, an edit or another yes is either seen below or waits for this transaction.
    store::lock::exclusive(tx, seen.question.task.0).await?;
    let kept = store::question::get(tx, seen.id).await?.ok_or(Refusal::LinkInvalid)?;
    let mut asked = asked(ctx, tx, kept).await?;
    if asked.counts.is_err() {
        return Ok(asked);
    }
    let now = ctx.wall.now();
    if !store::question::answer(tx, asked.kept.id, now).await? {
        asked.counts = Err(NoYes::Spent);
        return Ok(asked);
    }
    let (facility, date) = (CityName(asked.kept.question.facility), asked.kept.question.day);
    ctx.journal(tx, asked.task.id, &JournalEvent::SaidYes { facility, date }).await?;
    // The engine, wherever it runs, reads rows that changed.
    store::task::touch(tx, asked.task.id, now).await?;
    asked.kept.question.answered_at = Some(now);
    Ok(asked)
}

/// A question beside its task as it stands now.
async fn asked(ctx: &Ctx, tx: &mut Tx, kept: Kept) -> Result<Asked, Error> {
    let task = store::task::get(tx, kept.question.task).await?.ok_or(Refusal::LinkInvalid)?;
    let stands = AskedTask {
        runs: task.deleted_at.is_none() && task.status.is_running(),
        criteria_version: task.criteria_version,
        booked: task.booked.as_ref(),
    };
    let now = ctx.wall.now();
    let counts = kept.question.accepts(&stands, now);
    // The engine may be away: the page does not wait for ever.
    let outcome = kept.outcome.or_else(|| kept.question.untold(now));
    let kept = Kept { outcome, ..kept };
    Ok(Asked { kept, task, counts })
}
