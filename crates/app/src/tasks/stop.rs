//! Stops a task. Every stop of a submitted task happens here.

use domain::appointment::Appointment;
use domain::condition::TaskCondition;
use domain::journal::{JournalEvent, NamedSlot};
use domain::money::Money;
use domain::task::{Reason, TaskStatus};
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::money::{ReturnedAfter, later_if_frozen, release, release_unless_alerted, tell_returned};
use crate::{Ctx, Error, Refusal};

/// Cause of a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The user paused the task. The hold remains.
    Paused,
    /// The user removed the portal password. The task no longer blocks the group for others. The
    /// hold remains.
    PasswordRemoved,
    /// The task booked, and nothing more is to be booked. The user is notified of the booking, not
    /// of the stop.
    Booked(Reason),
    /// The portal booked the interview with another fingerprint appointment. The hold remains until
    /// the user or the operator settles the booking.
    HalfBooked {
        /// The appointment that the booking request named.
        wanted: Appointment,
        /// The appointment that the portal shows.
        shown: Appointment,
    },
    /// The engine or the operator found a reason. The user is notified if needed. A hold that can
    /// never be captured is released.
    Found {
        /// New status: stopped or error.
        to: TaskStatus,
        /// Reason to be shown.
        reason: Reason,
    },
}

impl Cause {
    const fn status(self) -> TaskStatus {
        match self {
            Self::Paused | Self::Booked(_) => TaskStatus::Stopped,
            Self::PasswordRemoved | Self::HalfBooked { .. } => TaskStatus::Error,
            Self::Found { to, .. } => to,
        }
    }

    const fn reason(self) -> Reason {
        match self {
            Self::Paused => Reason::ByUser,
            Self::PasswordRemoved => Reason::CredentialsRemoved,
            Self::HalfBooked { .. } => Reason::FingerprintsDiffer,
            Self::Booked(reason) | Self::Found { reason, .. } => reason,
        }
    }

    /// Returns the journal entry, if the stop has one of its own.
    fn entry(self) -> Option<JournalEvent> {
        match self {
            Self::Paused => Some(JournalEvent::Paused {}),
            Self::PasswordRemoved | Self::Found { .. } => {
                Some(JournalEvent::Status { status: self.status(), reason: Some(self.reason()) })
            }
            Self::HalfBooked { wanted, shown } => Some(JournalEvent::FingerprintsDiffer {
                wanted: NamedSlot::from(&wanted),
                shown: NamedSlot::from(&shown),
            }),
            Self::Booked(_) => None,
        }
    }

    /// Returns the condition to be shown, with its evidence. Returns `None` if the task shows a
    /// more important one.
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
            Self::HalfBooked { .. } | Self::Found { reason: Reason::BookingUnconfirmed, .. } => {
                Some((TaskCondition::BookingUnconfirmed, reason))
            }
            Self::Found { .. } => Some((TaskCondition::Paused, reason)),
        })
    }
}

/// Result of a stop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stopped {
    /// Amount released from hold, in minor units.
    pub released: i64,
    /// New condition of the task, if it changed.
    pub condition: Option<TaskCondition>,
}

/// Stops a task in the caller's transaction, which has locked it.
///
/// # Errors
/// Returns [`Refusal::StatusChanged`] if the status differs from the one that was read. Returns
/// [`store::Error::Illegal`] for a task that cannot stop in its present status. Returns an error if
/// the database fails.
pub async fn stop(ctx: &Ctx, tx: &mut Tx, task: &Task, cause: Cause) -> Result<Stopped, Error> {
    let (wall, portal) = (ctx.wall.now(), ctx.portal_time.now());
    let (to, reason) = (cause.status(), cause.reason());
    let booked = matches!(cause, Cause::Booked(_));
    if !booked {
        // Lock the attempt's row before the task's, in the order of `give_up`. Otherwise the two
        // can deadlock.
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
        Cause::HalfBooked { wanted, shown } => {
            mail(ctx, tx, task, reason, both(&wanted, &shown)).await?;
            0
        }
        Cause::Found { .. } => {
            let released = release_if_over(ctx, tx, task, reason).await?;
            if reason.needs_the_user() {
                let released = (released > 0).then(|| Money::cad(released).to_string());
                mail(ctx, tx, task, reason, json!({ "released": released })).await?;
            }
            released
        }
    };
    Ok(Stopped { released, condition: condition.map(|(condition, _)| condition) })
}

/// Notifies the user of a task that had ended before only the interview of its booking was found.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn notify_half_booked(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    wanted: &Appointment,
    shown: &Appointment,
) -> Result<(), Error> {
    let (named_wanted, named_shown) = (NamedSlot::from(wanted), NamedSlot::from(shown));
    let event = JournalEvent::FingerprintsDiffer { wanted: named_wanted, shown: named_shown };
    ctx.journal(tx, task.id, &event).await?;
    mail(ctx, tx, task, Reason::FingerprintsDiffer, both(wanted, shown)).await
}

/// Returns the facts of a half-booked pair for its mail.
fn both(wanted: &Appointment, shown: &Appointment) -> Value {
    json!({ "released": null, "wanted": NamedSlot::from(wanted), "shown": NamedSlot::from(shown) })
}

/// Returns `true` if a task stopped for `reason` can never succeed as it is. An uncaptured hold is
/// then released in full.
///
/// The user can raise their own limit at any time, so the hold remains for that. The portal's limit
/// cannot be raised.
#[must_use]
pub fn never_succeeds(task: &Task, reason: Reason) -> bool {
    reason.makes_impossible() || (reason == Reason::ReschedulesUsed && task.attempts_left == Some(0))
}

async fn release_if_over(ctx: &Ctx, tx: &mut Tx, task: &Task, reason: Reason) -> Result<i64, Error> {
    if !never_succeeds(task, reason) {
        return Ok(0);
    }
    // These reasons follow from the calendar or the portal's count alone. The user may still have
    // taken a slot that an alert named.
    let silent = matches!(reason, Reason::RangeOver | Reason::AppointmentPassed | Reason::ReschedulesUsed);
    let released =
        if silent { release_unless_alerted(ctx, tx, task).await } else { release(ctx, tx, task).await };
    later_if_frozen(released)
}

/// Releases the hold of a task that stopped for good while the ledger was frozen, and notifies its
/// user. Returns the released amount in minor units.
///
/// # Errors
/// Returns an error if the database fails or the ledger is still frozen.
pub async fn release_if_never(ctx: &Ctx, tx: &mut Tx, task: &Task) -> Result<i64, Error> {
    let over = task.reason.is_some_and(|reason| never_succeeds(task, reason));
    if task.status.is_running() || task.deleted_at.is_some() || !over {
        return Ok(0);
    }
    let released = release_unless_alerted(ctx, tx, task).await?;
    tell_returned(ctx, tx, task, released, ReturnedAfter::Stop).await?;
    Ok(released)
}

/// Queues the mail about a stop. `data` are the facts of this cause.
async fn mail(ctx: &Ctx, tx: &mut Tx, task: &Task, reason: Reason, mut data: Value) -> Result<(), Error> {
    let now = ctx.wall.now();
    data["reason"] = json!(reason.as_str());
    data["names"] = json!(task.group.names());
    data["task_id"] = json!(task.id.to_string());
    let key = format!("needs_you:{}:{}", task.id, now.timestamp_micros());
    store::outbox::enqueue_mail(tx, &ctx.random, task.user_id, "needs_you", &key, &data, now).await?;
    Ok(())
}
