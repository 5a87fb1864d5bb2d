//! Mails about money that came in or went back, written with what they tell of.

use domain::ids::{CardPaymentId, TopupCodeId, UserId};
use domain::money::Money;
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::{Ctx, Error};

/// How money came in.
#[derive(Clone, Copy, Debug)]
pub enum PaidBy<'a> {
    /// With a top-up code.
    Code {
        /// The code's id.
        id: TopupCodeId,
        /// Its last four characters.
        tail: &'a str,
    },
    /// By card.
    Card {
        /// The payment's id.
        id: CardPaymentId,
        /// The payer's own words.
        description: Option<&'a str>,
    },
}

/// Why a hold went back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnedAfter {
    /// Its task was deleted.
    Deletion,
    /// Its task had ended, and its portal was read once more.
    LastRead,
    /// Nobody could find out in time whether a booking worked.
    UnknownOutcome,
    /// Its task had ended while the ledger was frozen.
    Stop,
}

impl ReturnedAfter {
    /// The word that the mail's template knows.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Deletion => "deletion",
            Self::LastRead => "last_read",
            Self::UnknownOutcome => "unknown_outcome",
            Self::Stop => "stop",
        }
    }
}

/// Tells a person that money came in: once per payment or code.
///
/// # Errors
/// When the database fails.
pub async fn tell_credited(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    amount: Money,
    by: PaidBy<'_>,
) -> Result<(), Error> {
    // A deleted account has no balance to read of.
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

/// Tells a task's user that its hold went back (`released`, minor units; nothing for 0): once per hold.
///
/// # Errors
/// When the database fails.
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
    // As it was read before the release: the hold that went back.
    let key = format!("hold_released:{}", task.hold_id.map_or(task.id.0, |hold| hold.0));
    let now = ctx.wall.now();
    Ok(store::outbox::enqueue_mail(tx, &ctx.random, task.user_id, "hold_released", &key, &data, now).await?)
}
