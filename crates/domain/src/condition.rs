//! What a user is told about a task: the engine's conditions.

use serde::{Deserialize, Serialize};

/// What a task is told about its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum TaskCondition {
    /// Nothing has been looked at yet.
    #[serde(rename = "waiting_first_look")]
    #[strum(serialize = "waiting_first_look")]
    WaitingFirstPoll,
    /// All is well, nothing suitable yet.
    Watching,
    /// A booking is under way.
    Booking,
    /// An earlier slot was booked.
    Booked,
    /// Nobody can tell yet whether a booking took place.
    BookingUnconfirmed,
    /// Booked accounts see nothing at this hour.
    RestrictedHours,
    /// The portal seems to hide the dates from this account for a while.
    CoolingDown,
    /// The portal does not answer.
    PortalDown,
    /// The portal answers, but is overloaded.
    Overloaded,
    /// The portal's pages have changed.
    LayoutChanged,
    /// Only a person may go on.
    Captcha,
    /// The portal locked the account.
    Locked,
    /// The portal refused the password.
    CredentialsRejected,
    /// The account has used its calls for now.
    BudgetRest,
    /// The portal's deadline for changing the appointment has passed: nothing can be booked for it.
    DeadlinePassed,
    /// Not being watched.
    Paused,
    /// No poll of any of its cities was answered for hours. Derived ([`crate::task::watch`]), never stored.
    Silent,
    /// An operator paused all requests to the portal. Derived, never stored.
    OperatorPause,
    /// The portal's host backs off after failures or at its own request. Derived, never stored.
    HostBackOff,
}

impl TaskCondition {
    /// The word on the wire and in the database.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
