//! Mails about money received or returned, queued in the same transaction as the movement.

use domain::ids::{CardPaymentId, TopupCodeId, UserId};
use domain::money::Money;
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::{Ctx, Error};

/// Source of a payment.
#[derive(Clone, Copy, Debug)]
pub enum PaidBy<'a> {
    /// A top-up code.
    Code {
        /// Id of the code.
        id: TopupCodeId,
        /// Last four characters of the code.
        tail: &'a str,
    },
    /// A card payment.
    Card {
        /// Id of the payment.
        id: CardPaymentId,
        /// Payer's own text.
        description: Option<&'a str>,
    },
}

/// Reason that a hold was released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnedAfter {
    /// The task was deleted.
    Deletion,
    /// The task had ended, and its final reading found no booking.
    LastRead,
    /// The outcome of a booking could not be determined in time.
    UnknownOutcome,
    /// The task had ended while the ledger was frozen.
    Stop,
}

impl ReturnedAfter {
    /// Returns the value that the mail's template uses.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Deletion => "deletion",
            Self::LastRead => "last_read",
            Self::UnknownOutcome => "unknown_outcome",
            Self::Stop => "stop",
        }
    }
}

/// Notifies a user of received money, once per payment or code.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn tell_credited(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    amount: Money,
    by: PaidBy<'_>,
) -> Result<(), Error> {
    // A deleted account has no balance to report.
    if !store::user::is_still(tx, user, None).await? {
        return Ok(());
    }
    let available = store::ledger::balance(tx, user).await?.available.to_string();
    let mut data =
        json!({ "amount": amount.to_string(), "available": available, "tail": null, "description": null });
    let key = match by {
        PaidBy::Code { id, tail } => {
            data["tail"] = Value::from(tail);
            format!("credited:code:{}", id.0)
        }
        PaidBy::Card { id, description } => {
            data["description"] = Value::from(description);
            format!("credited:card:{}", id.0)
        }
    };
    Ok(store::outbox::enqueue_mail(tx, &ctx.random, user, "credited", &key, &data, ctx.wall.now()).await?)
}

/// Notifies a task's user that its hold was released, once per hold. Sends nothing if `released`
/// (minor units) is 0.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn tell_returned(
    ctx: &Ctx,
    tx: &mut Tx,
    task: &Task,
    released: i64,
    after: ReturnedAfter,
) -> Result<(), Error> {
    if released == 0 {
        return Ok(());
    }
    let data = json!({
        "names": task.group.names(),
        "released": Money::cad(released).to_string(),
        "after": after.as_str(),
        "task_id": task.id.to_string(),
    });
    // `task` was read before the release, so this is the id of the released hold.
    let key = format!("hold_released:{}", task.hold_id.map_or(task.id.0, |hold| hold.0));
    let now = ctx.wall.now();
    Ok(store::outbox::enqueue_mail(tx, &ctx.random, task.user_id, "hold_released", &key, &data, now).await?)
}
