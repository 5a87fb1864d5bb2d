//! The engine's conditions of a task, which notifications report to its user.

use serde::{Deserialize, Serialize};

/// Condition of a task's search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum TaskCondition {
    /// No poll was answered yet.
    #[serde(rename = "waiting_first_look")]
    #[strum(serialize = "waiting_first_look")]
    WaitingFirstPoll,
    /// Polls are answered; no suitable date was found yet.
    Watching,
    /// A booking is in progress.
    Booking,
    /// An earlier slot was booked.
    Booked,
    /// The outcome of a booking cannot be determined yet.
    BookingUnconfirmed,
    /// Accounts with an appointment see no dates at this hour.
    RestrictedHours,
    /// The portal seems to hide the dates from this account for a while.
    CoolingDown,
    /// The portal does not answer.
    PortalDown,
    /// The portal answers, but is overloaded.
    Overloaded,
    /// The portal's pages have changed.
    LayoutChanged,
    /// The portal shows a captcha, which only a human can solve.
    Captcha,
    /// The portal locked the account.
    Locked,
    /// The portal refused the password.
    CredentialsRejected,
    /// The account has used up its request budget for now.
    BudgetRest,
    /// The portal's deadline for changing the appointment has passed; no date can be booked for it.
    DeadlinePassed,
    /// The task is not monitored.
    Paused,
    /// No poll of any of its cities was answered for hours. Derived ([`crate::task::watch`]), never
    /// stored.
    Silent,
    /// An operator paused all requests to the portal. Derived, never stored.
    OperatorPause,
    /// The portal's host backs off after failures or at its own request. Derived, never stored.
    HostBackOff,
}

impl TaskCondition {
    /// Returns the value on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
