//! Security events of a user's account, which the user and the operator can list.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

/// Kind of a security event.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum SecurityEventKind {
    /// A sign-in began, or its password was wrong.
    SignIn,
    /// A code of the second factor was wrong, after a correct password.
    SecondFactor,
    /// The user's step-up authentication succeeded or failed.
    StepUp,
    /// The user ended a sign-in.
    SignOut,
    /// A used refresh token was presented again, and its sign-in was ended.
    SessionReused,
    /// A signed-in user changed the password.
    PasswordChanged,
    /// The password was set with a mailed link.
    PasswordReset,
    /// A change of the email address was requested.
    EmailChangeAsked,
    /// The email address was changed.
    EmailChanged,
    /// A second factor was enabled or replaced.
    SecondFactorOn,
    /// The second factor was disabled.
    SecondFactorOff,
    /// New recovery codes replaced the old ones.
    RecoveryCodesRenewed,
    /// A recovery code was used.
    RecoveryCodeUsed,
    /// Sign-in with Google was enabled.
    GoogleLinked,
    /// Sign-in with Google was disabled.
    GoogleUnlinked,
    /// A passkey was added.
    PasskeyAdded,
    /// A passkey was removed.
    PasskeyRemoved,
    /// All stored data was exported.
    Exported,
    /// The task may book slots that it could not book before.
    TaskWidened,
    /// Too many wrong passwords or codes were entered, and the user was notified.
    Guessed,
    /// An operator ended sign-ins.
    SignedOutByOperator,
    /// An operator suspended the account.
    Suspended,
    /// An operator ended the suspension of the account.
    Resumed,
    /// An operator removed the second factor.
    SecondFactorReset,
}
