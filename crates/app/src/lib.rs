//! Use cases without HTTP, in the caller's transaction: the engine, the server and the operator's commands call the same
//! functions, so that what happens to a task, its password and its money is decided once.

use chrono::TimeDelta;
use domain::clock::{Clock, Instant};
use domain::ids::TaskId;
use domain::journal::JournalEvent;
use domain::money::Money;
use domain::pricing::{Billing, CodeStatus};
use domain::task::actions;
use store::ledger::Balance;
use store::task::{AgreedPrice, Task};
use store::{Random, Tx};
use uuid::Uuid;

use crate::money::TaskPrice;

pub mod accounts;
pub mod alarms;
pub mod channels;
pub mod credentials;
pub mod digests;
pub mod links;
pub mod money;
pub mod notices;
pub mod questions;
pub mod silence;
pub mod tasks;

/// Why a use case did not take place.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule speaks against it. Unless the use case says otherwise the caller rolls back: parts may be written.
    #[error("refused: {0:?}")]
    Refused(Refusal),
    /// The database failed, or the books are frozen.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// The rules that refuse a use case.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// Nothing there, or somebody else's.
    NotFound,
    /// The sign-in that asks has ended, or its account is gone.
    SignedOut,
    /// A mailed link was right once.
    LinkExpired,
    /// A mailed link is unknown, used, or replaced by a newer one.
    LinkInvalid,
    /// No such top-up code, or revoked.
    TopupUnknown,
    /// The top-up code was used before, by anyone.
    TopupUsed,
    /// The top-up code's time is over.
    TopupExpired,
    /// The balance is not the one that its user saw.
    BalanceChanged(Balance),
    /// Not so much card money can go back (any more); this much can.
    RefundableChanged(Money),
    /// Refunds were asked for too often today.
    RefundsToday {
        /// So long until one may ask again.
        wait: TimeDelta,
    },
    /// A booking in the portal account is being sent, or its outcome is not known yet.
    AccountBusy,
    /// The task's status does not allow it, or has changed since it was read.
    StatusChanged,
    /// The table of actions does not offer it.
    Action(actions::Refusal),
    /// The criteria were changed since the edit began.
    CriteriaChanged,
    /// The appointment that was picked is not the task's.
    OtherAppointment,
    /// The portal's own words keep the group from being monitored.
    NotMonitorable,
    /// Another task holds the group.
    GroupTaken {
        /// The tasks of the same user that do.
        own: Vec<TaskId>,
    },
    /// The promotion's code takes nothing off.
    Promo(CodeStatus),
    /// The friend's code takes nothing off.
    Referral(CodeStatus),
    /// The total of a submission is not the one that its user saw; these are the prices.
    TotalChanged(Vec<TaskPrice>),
    /// The price of a submitted task is not the one that its user saw.
    PriceChanged {
        /// The price now.
        price: Box<TaskPrice>,
        /// What a group of another size costs in addition, minor units.
        difference: Option<i64>,
    },
    /// A user has as many notification channels as they may.
    TooManyChannels,
    /// Such events are not sent over a channel of this kind.
    NotOverThisChannel,
    /// The available balance is too small.
    Insufficient {
        /// What is needed.
        required: Money,
        /// What there is.
        available: Money,
    },
    /// The user owes something since a disputed payment, which must be paid first.
    InDebt {
        /// What is needed besides.
        required: Money,
        /// What is owed.
        owed: Money,
    },
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl Refusal {
    fn price_changed(task: &Task, price: AgreedPrice) -> Self {
        let price = TaskPrice { task: task.id, price, promo: None, referral: None };
        Self::PriceChanged { price: price.into(), difference: task.regrouped().map(|new| new.difference) }
    }

    fn group_taken(task: &Task, holders: &[Task]) -> Self {
        let own = holders.iter().filter(|holder| holder.user_id == task.user_id && holder.id != task.id);
        Self::GroupTaken { own: own.filter(|t| t.status.holds_the_group()).map(|t| t.id).collect() }
    }
}

/// The clocks and random numbers of a use case; cheap to clone.
#[derive(Clone)]
pub struct Ctx {
    /// Stamps of rows; never scaled.
    pub wall: Clock,
    /// The portal's time: journals, budgets, deadlines.
    pub portal_time: Clock,
    /// Random bytes for ids.
    pub random: Random,
    /// Whether tasks have a price.
    pub billing: Billing,
}

impl Ctx {
    /// A fresh UUIDv7 stamped `now`.
    #[must_use]
    pub fn uuid(&self, now: Instant) -> Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }

    /// Adds an entry to a task's journal.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn journal(&self, tx: &mut Tx, task: TaskId, event: &JournalEvent) -> Result<(), store::Error> {
        let now = self.portal_time.now();
        store::journal::add(tx, self.uuid(now), task, event, now).await
    }
}
