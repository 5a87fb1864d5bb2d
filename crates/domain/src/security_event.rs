//! What happens to somebody's account that they, and the operator, can look up afterwards.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

/// What happened.
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
    /// A code of the second factor was wrong, after the right password.
    SecondFactor,
    /// Its owner proved again who they are, or failed to.
    StepUp,
    /// A sign-in was ended by its owner.
    SignOut,
    /// A used refresh token came back, and its sign-in was ended.
    SessionReused,
    /// The password was changed by somebody signed in.
    PasswordChanged,
    /// The password was set by a mailed link.
    PasswordReset,
    /// Another address was asked for.
    EmailChangeAsked,
    /// The address was changed.
    EmailChanged,
    /// A second factor is in force, or another one.
    SecondFactorOn,
    /// There is no second factor any more.
    SecondFactorOff,
    /// New recovery codes took the place of the old ones.
    RecoveryCodesRenewed,
    /// A recovery code was used.
    RecoveryCodeUsed,
    /// Signing in with Google became possible.
    GoogleLinked,
    /// Signing in with Google is no longer possible.
    GoogleUnlinked,
    /// Everything stored was handed out.
    Exported,
    /// A task may book what it could not book before.
    TaskWidened,
    /// Too many wrong passwords or codes: the owner was told.
    Guessed,
    /// An operator ended sign-ins.
    SignedOutByOperator,
    /// An operator suspended the account.
    Suspended,
    /// An operator let the account in again.
    Resumed,
    /// An operator took the second factor away.
    SecondFactorReset,
}
