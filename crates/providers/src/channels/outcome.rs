//! Outcome of a provider call: accepted, wait, or broken.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::target::Target;

/// Outcome of one try to deliver a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The provider accepted the message. This does not mean that the user has seen it.
    Accepted {
        /// Provider's id of the message.
        receipt: Option<String>,
    },
    /// Not accepted, or not known to be accepted. Retry after this time, which is zero if the
    /// provider names none.
    Wait(Duration),
    /// Retrying cannot help.
    Broken(Reason),
}

/// Reason that a message will never be accepted.
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
    /// The target does not exist any more: the subscription ended, the group was dissolved, or the
    /// address was given up.
    Gone,
    /// The receiver blocked the sender (a bot, a number).
    Blocked,
    /// The user's key, token or signature is refused.
    Credentials,
    /// The target is malformed: an invalid address, phone number or key.
    Malformed,
    /// This server does not call that address.
    AddressRefused,
    /// Refused for another reason, which the answer names.
    Refused,
    /// The operator's key, account or template is refused. Only the operator can fix this.
    Operator,
    /// The operator has not set this channel up.
    NotConfigured,
}

impl Reason {
    /// Returns `true` if the operator has to act. The user's channel itself is in order then.
    #[must_use]
    pub fn is_operators(self) -> bool {
        matches!(self, Self::Operator | Self::NotConfigured)
    }
}

/// Result of one try of a delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// Outcome of the try.
    pub outcome: Outcome,
    /// Beginning of the provider's answer, or the reason why there is none. Printable; shown after
    /// *Send test* and in the history.
    pub answer: String,
    /// New target, if the provider reports that the old one has moved. The caller must store it.
    pub moved_to: Option<Target>,
}

impl Outcome {
    /// Accepted, without an id from the provider.
    pub(super) const ACCEPTED: Self = Self::Accepted { receipt: None };
    /// Retry at any time, because the provider names none.
    pub(super) const AGAIN: Self = Self::Wait(Duration::ZERO);
    /// Retry after a minute, the period over which providers count calls.
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
