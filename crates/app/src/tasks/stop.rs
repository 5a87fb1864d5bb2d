//! Stops a task: the only place where one that was submitted comes to rest.

use domain::condition::TaskCondition;
use domain::journal::JournalEvent;
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::money::{ReturnedAfter, later_if_frozen, release, release_unless_alerted, tell_returned};
use crate::{Ctx, Error, Refusal};

/// Why a task stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Its user pauses it. The hold stays.
    Paused,
    /// Its user removes the portal password. It no longer keeps others from the group; the hold stays.
    PasswordRemoved,
    /// It was booked, and nothing more is to be booked. The user reads of the booking, not of the stop.
    Booked(Reason),
    /// The engine or the operator found a reason. The user is notified if needed; a hold that can never be captured is
    /// released.
    Found {
        /// Stopped or error.
        to: TaskStatus,
        /// The reason that is shown.
        reason: Reason,
    },
}

impl Cause {
    const fn status(self) -> TaskStatus {
        match self {
            Self::Paused | Self::Booked(_) => TaskStatus::Stopped,
            Self::PasswordRemoved => TaskStatus::Error,
            Self::Found { to, .. } => to,
        }
    }

    const fn reason(self) -> Reason {
        match self {
            Self::Paused => Reason::ByUser,
            Self::PasswordRemoved => Reason::CredentialsRemoved,
            Self::Booked(reason) | Self::Found { reason, .. } => reason,
        }
    }

    /// The journal entry, if the stop has one of its own.
    const fn entry(self) -> Option<JournalEvent> {
        match self {
            Self::Paused => Some(JournalEvent::Paused {}),
            Self::PasswordRemoved | Self::Found { .. } => {
                Some(JournalEvent::Status { status: self.status(), reason: Some(self.reason()) })
            }
            Self::Booked(_) => None,
        }
    }

    /// What the task shows from now on, with its evidence; none when it shows something more important.
    async fn condition(self, tx: &mut Tx, task: &Task) -> Result<Option<(TaskCondition, Value)>, Error> {
        let reason = json!({ "reason": self.reason().as_str() });
        Ok(match self {
            Self::Paused if store::booking_attempt::has_open(tx, task.id).await? => None,
            Self::Paused => Some((TaskCondition::Paused, json!({}))),
            Self::PasswordRemoved => Some((TaskCondition::Paused, reason)),
            Self::Booked(_) => None,
            Self::Found { reason: Reason::CredentialsRejected, .. } => {
                Some((TaskCondition::CredentialsRejected, reason))
            }
            Self::Found { reason: Reason::AccountLocked, .. } => Some((TaskCondition::Locked, reason)),
            Self::Found { reason: Reason::Captcha, .. } => Some((TaskCondition::Captcha, reason)),
            Self::Found { reason: Reason::BookingUnconfirmed, .. } => {
                Some((TaskCondition::BookingUnconfirmed, reason))
            }
            Self::Found { .. } => Some((TaskCondition::Paused, reason)),
        })
    }
}

/// What a stop did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// Released from hold, in minor units.
    pub released: i64,
    /// What the task shows from now on, where that changed.
    pub condition: Option<TaskCondition>,
}

/// Stops a task in the caller's transaction, which has locked it.
///
/// # Errors
/// [`Refusal::StatusChanged`] when its status is no longer the one that was read; [`store::Error::Illegal`] for a task that
/// cannot stop as it is; when the database fails.
pub async fn stop(ctx: &Ctx, tx: &mut Tx, task: &Task, cause: Cause) -> Result<Stopped, Error> {
    let (wall, portal) = (ctx.wall.now(), ctx.portal_time.now());
    let (to, reason) = (cause.status(), cause.reason());
    let booked = matches!(cause, Cause::Booked(_));
    if !booked {
        // The attempt's row first, then the task's, in the order of `give_up`: otherwise the two can deadlock.
        store::booking_attempt::release_prepared(tx, task.id, portal).await?;
    }
    if !store::task::set_status(tx, task.id, (task.status, to), Some(reason), wall).await? {
        return Err(Refusal::StatusChanged.into());
    }
    store::question::close_of_task(tx, task.id, wall).await?;
    store::journal::close_alerts_of_task(tx, task.id, portal).await?;
    if booked {
        return Ok(Stopped::default());
    }
    if let Some(event) = cause.entry() {
        ctx.journal(tx, task.id, &event).await?;
    }
    let condition = cause.condition(tx, task).await?;
    if let Some((condition, evidence)) = &condition {
        store::task::set_condition(tx, task.id, *condition, evidence, None, wall).await?;
    }
    let released = match cause {
        Cause::Paused => {
            crate::money::keep_if_alerted(ctx, tx, task).await?;
            0
        }
        Cause::PasswordRemoved | Cause::Booked(_) => 0,
        Cause::Found { .. } => {
            let released = release_if_over(ctx, tx, task, reason).await?;
            if reason.needs_the_user() {
                mail(ctx, tx, task, reason, released).await?;
            }
            released
        }
    };
    Ok(Stopped { released, condition: condition.map(|(condition, _)| condition) })
}

/// Whether a task that rests for `reason` can never succeed as it is: an uncaptured hold is released whole.
///
/// A limit of its user's own can be raised at any time, and the hold waits for that; the portal's cannot.
#[must_use]
pub fn never_succeeds(task: &Task, reason: Reason) -> bool {
    reason.makes_impossible() || (reason == Reason::ReschedulesUsed && task.attempts_left == Some(0))
}

async fn release_if_over(ctx: &Ctx, tx: &mut Tx, task: &Task, reason: Reason) -> Result<i64, Error> {
    if !never_succeeds(task, reason) {
        return Ok(0);
    }
    // What time or the portal's count alone has decided says nothing about a slot its user was told of and may have taken.
    let silent = matches!(reason, Reason::RangeOver | Reason::AppointmentPassed | Reason::ReschedulesUsed);
    let released =
        if silent { release_unless_alerted(ctx, tx, task).await } else { release(ctx, tx, task).await };
    later_if_frozen(released)
}

/// Releases the hold of a task that stopped for good while the ledger was frozen, and notifies its user. Returns what was
/// released, in minor units.
///
/// # Errors
/// When the database fails or the ledger is still frozen.
pub async fn release_if_never(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    let over = task.reason.is_some_and(|reason| never_succeeds(task, reason));
    if task.status.is_running() || task.deleted_at.is_some() || !over {
        return Ok(0);
    }
    let released = release_unless_alerted(ctx, tx, task).await?;
    tell_returned(ctx, tx, task, released, ReturnedAfter::Stop).await?;
    Ok(released)
}

async fn mail(ctx: &Ctx, tx: &mut Tx, task: &Task, reason: Reason, released: i64) -> Result<(), Error> {
    let now = ctx.wall.now();
    let data = json!({
        "reason": reason.as_str(),
        "names": task.group.names(),
        "released": (released > 0).then(|| Money::cad(released).to_string()),
        "task_id": task.id.to_string(),
    });
    let key = format!("needs_you:{}:{}", task.id, now.timestamp_micros());
    store::outbox::enqueue_mail(tx, &ctx.random, task.user_id, "needs_you", &key, &data, now).await?;
    Ok(())
}
