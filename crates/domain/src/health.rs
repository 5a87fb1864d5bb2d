//! Health of portal accounts and of their passwords at the portal.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;

use crate::clock::Instant;

/// Status of an account at the portal.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    AsRefStr,
    Display,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum AccountHealth {
    /// The account may be used.
    #[default]
    Valid,
    /// The portal has locked the account.
    Locked,
    /// The portal shows the account a question that only a human can answer.
    Captcha,
    /// The account is soft-banned: its lists are empty until its cool-down ends.
    Cooling,
}

/// The portal's last answer to a password.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, AsRefStr, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CredentialHealth {
    /// The password was accepted.
    Valid,
    /// The password was rejected.
    Rejected,
}

/// Displayed status of a saved sign-in. The password's status takes precedence over the account's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignInHealth {
    /// The sign-in may be used.
    Valid,
    /// The portal has rejected the password.
    Rejected,
    /// The portal has locked the account.
    Locked,
    /// The portal shows a question that only a human can answer.
    Captcha,
    /// The account is soft-banned.
    Cooling,
    /// The password was deleted in this service.
    Deleted,
}

impl SignInHealth {
    /// Returns the displayed status and the time since which it applies.
    #[must_use]
    pub const fn of(
        credential: (CredentialHealth, Instant),
        account: Option<(AccountHealth, Instant)>,
    ) -> (Self, Instant) {
        match (credential, account) {
            ((CredentialHealth::Rejected, since), _) => (Self::Rejected, since),
            ((CredentialHealth::Valid, since), None) | (_, Some((AccountHealth::Valid, since))) => {
                (Self::Valid, since)
            }
            (_, Some((AccountHealth::Locked, since))) => (Self::Locked, since),
            (_, Some((AccountHealth::Captcha, since))) => (Self::Captcha, since),
            (_, Some((AccountHealth::Cooling, since))) => (Self::Cooling, since),
        }
    }
}
