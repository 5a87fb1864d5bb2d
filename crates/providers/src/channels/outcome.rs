//! Outcome of sending a message to a provider: accepted, wait, or broken.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::target::Target;

/// Outcome of one attempt to deliver a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The provider accepted the message. The user has not necessarily seen it.
    Accepted {
        /// Identifier that the provider gave to the message.
        receipt: Option<String>,
    },
    /// The provider did not accept the message, or the result is unknown. Retry after this time,
    /// which is zero if the provider requested no wait.
    Wait(Duration),
    /// The message can never be delivered to this target. Do not retry.
    Broken(Reason),
}

/// Reason why no retry can succeed.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    strum::AsRefStr,
    strum::IntoStaticStr,
    strum::Display,
    strum::EnumString,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Reason {
    /// The target no longer exists: the subscription ended, the group was dissolved, or the address
    /// was abandoned.
    Gone,
    /// The receiver blocked the bot or the sending number.
    Blocked,
    /// The provider refused the user's key, token or signature.
    Credentials,
    /// The address, phone number or key of the target is malformed.
    Malformed,
    /// This server may not call the target's address.
    AddressRefused,
    /// The provider refused for another reason, which its response states.
    Refused,
    /// The provider refused the operator's key, account or template. Only the operator can fix
    /// this.
    Operator,
    /// The operator has not configured this kind of channel.
    NotConfigured,
}

impl Reason {
    /// Returns `true` if the operator must act. The user's channel itself is then valid.
    #[must_use]
    pub fn is_operators(self) -> bool {
        matches!(self, Self::Operator | Self::NotConfigured)
    }
}

/// Result of one delivery attempt.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Outcome of the attempt.
    pub outcome: Outcome,
    /// Beginning of the provider's response, or the reason why there is none. Contains no control
    /// characters. Displayed after *Send test* and in the delivery history.
    pub answer: String,
    /// New target, if the provider reports that the target has moved. The caller must store it.
    pub moved_to: Option<Target>,
}

impl Outcome {
    /// Accepted without an identifier from the provider.
    pub(super) const ACCEPTED: Self = Self::Accepted { receipt: None };
    /// Retry at any time, because the provider requested no wait.
    pub(super) const AGAIN: Self = Self::Wait(Duration::ZERO);
    /// Retry after a minute, the period in which providers count requests.
    pub(super) const NEXT_MINUTE: Self = Self::Wait(Duration::from_secs(60));

    pub(super) fn accepted(receipt: impl Into<String>) -> Self {
        Self::Accepted { receipt: Some(receipt.into()) }
    }
}

impl Delivery {
    pub(super) fn new(outcome: Outcome, answer: String) -> Self {
        Self { outcome, answer, moved_to: None }
    }

    pub(super) fn broken(reason: Reason) -> Self {
        Self::new(Outcome::Broken(reason), String::new())
    }
}
