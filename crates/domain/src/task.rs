//! The life of a task: states, moves, reasons, and what may be done when.

use serde::{Deserialize, Serialize};

pub mod actions;
pub mod listing;
pub mod priority;
pub mod watch;

/// Where a task stands.
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
    /// Found by verify-credentials; hidden.
    Draft,
    /// Parameters chosen; hidden.
    Configured,
    /// Money held, waiting for the engine.
    Submitted,
    /// The engine signs in and takes the first poll.
    Processing,
    /// Watched.
    Active,
    /// Paused by the user, or by itself.
    Stopped,
    /// Needs somebody.
    Error,
}

impl TaskStatus {
    /// Every status.
    pub const ALL: &'static [Self] = <Self as strum::VariantArray>::VARIANTS;

    /// The word in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the stored word.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        word.parse().ok()
    }

    /// The progress shown for it, in percent.
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

    /// Whether the engine works for it.
    #[must_use]
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Submitted | Self::Processing | Self::Active)
    }

    /// Whether it keeps others from monitoring the same group.
    #[must_use]
    pub const fn holds_the_group(self) -> bool {
        self.is_running() || matches!(self, Self::Stopped)
    }

    /// Whether the move to `next` is one of the product's.
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

/// Why a task stands where it stands; words for it live in the locale files.
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
    /// The portal asks for something only a person may answer.
    Captcha,
    /// The visa fee has expired.
    FeeExpired,
    /// The group is no longer in the account.
    GroupGone,
    /// The window has passed.
    RangeOver,
    /// The reschedules this task may use are spent.
    ReschedulesUsed,
    /// Nobody could tell within a day whether a booking took place.
    BookingUnconfirmed,
    /// The appointment's day has passed.
    AppointmentPassed,
    /// The appointment was cancelled outside.
    CancelledOutside,
    /// The group's size differs from what was priced.
    GroupChanged,
    /// The portal's booking form asks for a fingerprint appointment too, which is not served here.
    FormAsksFingerprints,
    /// The portal's booking form does not offer the city of a day that was seen.
    CityNotOffered,
    /// Paused by the user.
    ByUser,
    /// Stopped by itself after a booking.
    AutoStop,
    /// Released by the operator.
    ReleasedByOperator,
    /// Its portal password is no longer kept here.
    CredentialsRemoved,
}

impl Reason {
    /// The word in the database and on the wire.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the task can never succeed: an uncaptured hold is released whole.
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

    /// Whether only the user can mend it.
    #[must_use]
    pub const fn needs_the_user(self) -> bool {
        !matches!(self, Self::ByUser | Self::AutoStop)
    }
}
