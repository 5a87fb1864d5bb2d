//! Life cycle of a task: states, transitions, reasons and allowed actions.

use serde::{Deserialize, Serialize};

pub mod actions;
pub mod listing;
pub mod priority;
pub mod watch;

/// Status of a task.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
    strum::IntoStaticStr,
    strum::VariantArray,
    strum::EnumString,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum TaskStatus {
    /// Created by verify-credentials; hidden.
    Draft,
    /// Parameters are chosen; hidden.
    Configured,
    /// Money is on hold; the task waits for the engine.
    Submitted,
    /// The engine signs in and makes the first poll.
    Processing,
    /// The task is monitored.
    Active,
    /// Stopped by the user or automatically.
    Stopped,
    /// The task needs an action of a user or operator.
    Error,
}

impl TaskStatus {
    /// Every status.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// Returns the value in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses the stored value.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// Returns the progress shown for the status, in percent.
    #[must_use]
    pub const fn progress(self) -> u8 {
        match self {
            Self::Draft => 15,
            Self::Configured => 30,
            Self::Submitted => 50,
            Self::Processing => 75,
            Self::Active | Self::Stopped => 100,
            Self::Error => 0,
        }
    }

    /// Returns `true` if the engine works on the task.
    #[must_use]
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Submitted | Self::Processing | Self::Active)
    }

    /// Returns `true` if the task prevents other users from monitoring the same group.
    #[must_use]
    pub const fn holds_the_group(self) -> bool {
        self.is_running() || matches!(self, Self::Stopped)
    }

    /// Returns `true` if the product allows the transition to `next`.
    #[must_use]
    pub const fn may_become(self, next: Self) -> bool {
        use TaskStatus::{Active, Configured, Draft, Error, Processing, Stopped, Submitted};
        matches!(
            (self, next),
            (Draft | Configured, Configured)
                | (Configured, Submitted)
                | (Submitted, Processing | Stopped | Error)
                | (Processing, Active | Stopped | Error)
                | (Active, Stopped | Error | Processing)
                | (Stopped, Active | Processing | Error)
                | (Error, Processing | Stopped)
        )
    }
}

/// Reason for a task's status. The locale files contain the texts.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
    strum::VariantArray,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
#[schema(as = TaskReason)]
pub enum Reason {
    /// The portal refused the password.
    CredentialsRejected,
    /// The portal locked the account.
    AccountLocked,
    /// The portal asks a question that only a human can answer.
    Captcha,
    /// The visa fee has expired.
    FeeExpired,
    /// The group is no longer in the account.
    GroupGone,
    /// The window has passed.
    RangeOver,
    /// The reschedules of this task are used up.
    ReschedulesUsed,
    /// The outcome of a booking stayed unknown for a day.
    BookingUnconfirmed,
    /// The portal shows the interview of a booking with another fingerprint appointment.
    FingerprintsDiffer,
    /// The date of the appointment has passed.
    AppointmentPassed,
    /// The appointment was cancelled outside this service.
    CancelledOutside,
    /// The size of the group differs from the priced size.
    GroupChanged,
    /// The portal's booking form asks for a fingerprint appointment in a way that this service does
    /// not support.
    FormAsksFingerprints,
    /// The portal's booking form does not offer the city of a date that was seen.
    CityNotOffered,
    /// The user paused the task.
    ByUser,
    /// The task stopped automatically after a booking.
    AutoStop,
    /// The operator released the task.
    ReleasedByOperator,
    /// The portal password of the task was deleted.
    CredentialsRemoved,
}

impl Reason {
    /// Returns the value in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns `true` if the task can never succeed. Then an uncaptured hold is released in full.
    #[must_use]
    pub const fn makes_impossible(self) -> bool {
        matches!(
            self,
            Self::FeeExpired
                | Self::GroupGone
                | Self::RangeOver
                | Self::AppointmentPassed
                | Self::CancelledOutside
                | Self::FormAsksFingerprints
                | Self::ReleasedByOperator
        )
    }

    /// Returns `true` if the task waits until the user or the operator settles a booking.
    #[must_use]
    pub const fn waits_for_settlement(self) -> bool {
        matches!(self, Self::BookingUnconfirmed | Self::FingerprintsDiffer)
    }

    /// Returns `true` if the user is notified when the engine stops the task for this reason.
    #[must_use]
    pub const fn needs_the_user(self) -> bool {
        !matches!(self, Self::ByUser | Self::AutoStop)
    }
}
