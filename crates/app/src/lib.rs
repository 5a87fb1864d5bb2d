//! Use cases without HTTP, run in the caller's transaction. The engine, the server and the admin
//! commands call the same functions. Each rule about tasks, passwords and money thus exists once.

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

/// Reason that a use case failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A rule refuses it. Unless the use case states otherwise, the caller must roll back, because
    /// some rows may be written.
    #[error("refused: {0:?}")]
    Refused(Refusal),
    /// The database failed, or the ledger is frozen.
    #[error(transparent)]
    Store(#[from] store::Error),
}

/// Rules that refuse a use case.
#[derive(Clone, Debug)]
pub enum Refusal {
    /// The object does not exist or belongs to another user.
    NotFound,
    /// The caller's session has ended, or its account is gone.
    SignedOut,
    /// The mailed link was valid but has expired.
    LinkExpired,
    /// The mailed link is unknown, used, or replaced by a newer one.
    LinkInvalid,
    /// The top-up code does not exist or is revoked.
    TopupUnknown,
    /// The top-up code was already used, by any user.
    TopupUsed,
    /// The top-up code has expired.
    TopupExpired,
    /// The balance differs from the one that the user saw.
    BalanceChanged(Balance),
    /// The requested refund is too large; this amount can be refunded.
    RefundableChanged(Money),
    /// Too many refunds were requested today.
    RefundsToday {
        /// Time until the next request is allowed.
        wait: TimeDelta,
    },
    /// A booking in the portal account is being sent, or its outcome is unknown.
    AccountBusy,
    /// The task's status does not allow it, or has changed since it was read.
    StatusChanged,
    /// The action is not available for the task.
    Action(actions::ActionRefusal),
    /// The criteria were changed since the edit began.
    CriteriaChanged,
    /// The picked appointment is not the task's.
    OtherAppointment,
    /// A wanted city is not in the country of the task.
    CityOfOtherCountry,
    /// The portal's data rules out monitoring of the group.
    NotMonitorable,
    /// Another task holds the group.
    GroupTaken {
        /// Ids of the same user's tasks that hold it.
        own: Vec<TaskId>,
    },
    /// The promotion code gives no discount.
    Promo(CodeStatus),
    /// The referral code gives no discount.
    Referral(CodeStatus),
    /// The total of a submission differs from the one that the user saw; these are the prices.
    TotalChanged(Vec<TaskPrice>),
    /// The price of a submitted task differs from the one that the user saw.
    PriceChanged {
        /// Present price.
        price: Box<TaskPrice>,
        /// Additional cost of a group of another size, in minor units.
        difference: Option<i64>,
    },
    /// The user has the maximum number of notification channels.
    TooManyChannels,
    /// Channels of this kind do not send such events.
    NotOverThisChannel,
    /// The available balance is too small.
    Insufficient {
        /// Required amount.
        required: Money,
        /// Available amount.
        available: Money,
    },
    /// The user has a debt from a disputed payment, which must be paid first.
    InDebt {
        /// Required amount without the debt.
        required: Money,
        /// Debt.
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

/// Clocks and random numbers of a use case. Cheap to clone.
#[derive(Clone)]
pub struct Ctx {
    /// Clock for row timestamps; never scaled.
    pub wall: Clock,
    /// Clock in portal time, for journals, budgets and deadlines.
    pub portal_time: Clock,
    /// Source of random bytes for ids.
    pub random: Random,
    /// Billing setting, which determines whether tasks have a price.
    pub billing: Billing,
}

impl Ctx {
    /// Returns a new UUIDv7 with the timestamp `now`.
    #[must_use]
    pub fn uuid(&self, now: Instant) -> Uuid {
        domain::ids::uuid_v7(now, self.random.bytes())
    }

    /// Adds an entry to a task's journal.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn journal(&self, tx: &mut Tx, task: TaskId, event: &JournalEvent) -> Result<(), store::Error> {
        let now = self.portal_time.now();
        store::journal::add(tx, self.uuid(now), task, event, now).await
    }
}
