//! What a provider's answer means: one of three things.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::target::Target;

/// What became of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The provider took it. That is not: somebody has seen it.
    Accepted {
        /// The provider's word for it.
        receipt: Option<String>,
    },
    /// Not taken, or not known to be: try again, never before this time. Zero where the provider names none.
    Wait(Duration),
    /// It will not be taken, however often it is tried.
    Broken(Reason),
}

/// Why a message will not be taken.
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
    /// The target is no more: a subscription ended, a group was dissolved, an address was given up.
    Gone,
    /// The receiver blocked the sender (a bot, a number).
    Blocked,
    /// The key, token or signature given by the user is refused.
    Credentials,
    /// The target cannot be one: no address, no phone number, no key.
    Malformed,
    /// The address is one that this server does not call.
    AddressRefused,
    /// Refused for another reason; the answer says which.
    Refused,
    /// Our own key, account or template is refused: the operator has to act, the user cannot.
    Operator,
    /// The operator has not set this channel up.
    NotConfigured,
}

impl Reason {
    /// Whether the operator has to act. The user's channel is then in order.
    #[must_use]
    pub fn is_operators(self) -> bool {
        matches!(self, Self::Operator | Self::NotConfigured)
    }
}

/// One try of a delivery.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What became of it.
    pub outcome: Outcome,
    /// The beginning of the provider's answer, or why there is none: printable, for *Send test* and the history.
    pub answer: String,
    /// The target has another address from now on: store this one.
    pub moved_to: Option<Target>,
}

impl Outcome {
    /// Taken, without a word for it.
    pub(super) const ACCEPTED: Self = Self::Accepted { receipt: None };
    /// To be tried again, at no time that the provider has named.
    pub(super) const AGAIN: Self = Self::Wait(Duration::ZERO);
    /// To be tried again after the minute for which providers count.
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
