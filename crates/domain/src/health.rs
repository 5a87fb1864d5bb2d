//! How portal accounts and their passwords stand with the portal.

use serde::{Deserialize, Serialize};
use strum::{AsRefStr, Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;

use crate::clock::Instant;

/// How the portal treats an account.
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
    /// It may be used.
    #[default]
    Valid,
    /// The portal has locked it.
    Locked,
    /// The portal asks it for something only a person may answer.
    Captcha,
    /// Soft-banned: its lists are empty until it has rested.
    Cooling,
}

/// What the portal last said of a password.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, AsRefStr, Display, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum CredentialHealth {
    /// It was accepted.
    Valid,
    /// It was rejected.
    Rejected,
}

/// How a saved sign-in is shown: the password goes before the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SignInHealth {
    /// It may be used.
    Valid,
    /// The portal has rejected the password.
    Rejected,
    /// The portal has locked the account.
    Locked,
    /// The portal asks for something only a person may answer.
    Captcha,
    /// The account is soft-banned.
    Cooling,
    /// The password was deleted here.
    Deleted,
}

impl SignInHealth {
    /// What is shown, and since when.
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
