//! What is told of an event, for how long it is worth telling, and why something was not sent.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use super::{ChannelKind, EventKind, Priority};
use crate::question::SENT_WITHIN;

/// A fallback is sent so long after the notice, and each further one so long after the one before it.
pub const FALLBACK_AFTER: TimeDelta = TimeDelta::seconds(30);
/// An opening is told of within this time, or not at all.
const OPENING_LIVES: TimeDelta = TimeDelta::minutes(2);
/// The same by mail: mail servers let strangers wait for minutes.
const OPENING_MAIL_LIVES: TimeDelta = TimeDelta::minutes(15);
const DIGEST_LIVES: TimeDelta = TimeDelta::days(1);

/// Why something was not sent, where it was not the provider that refused.
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
pub enum NotSent {
    /// It would have come in quiet hours, and be of no use afterwards.
    QuietHours,
    /// It was of no use any more.
    TooLate,
    /// Another channel's provider took it.
    AnotherAccepted,
    /// The channel was removed, switched off, or is no longer chosen for this.
    ChannelOff,
    /// It was tried as often as anything is, or cannot be worded.
    GaveUp,
    /// The limit of text messages is reached.
    Quota,
    /// Its user said that they have seen it.
    Acknowledged,
}

impl Priority {
    /// As the outbox sorts by it.
    #[must_use]
    pub const fn rank(self) -> i32 {
        match self {
            Self::Urgent => 0,
            Self::Normal => 1,
            Self::Low => 2,
        }
    }
}

impl EventKind {
    /// What a mail of this template is about.
    #[must_use]
    pub fn of_template(template: &str) -> Self {
        match template {
            "booked" => Self::Booked,
            "needs_you" | "silence" | "credential_leaving" | "credential_rejected" | "channel_broken" => {
                Self::NeedsYou
            }
            "appointment_alert" | "answer_ended" => Self::Opening,
            "question" => Self::AskFirst,
            "credited" | "hold_released" | "refund" => Self::Money,
            "verify_email" | "reset_password" | "email_change" | "already_registered" | "account_deleted" => {
                Self::Verification
            }
            "digest" => Self::Digest,
            "operator_alarm" => Self::OperatorAlarm,
            _ => Self::Security,
        }
    }

    /// For how long it is worth sending over a channel; none where it always is.
    #[must_use]
    pub fn lives(self, over: ChannelKind) -> Option<TimeDelta> {
        match self {
            Self::AskFirst => Some(SENT_WITHIN),
            Self::Opening if over == ChannelKind::Email => Some(OPENING_MAIL_LIVES),
            Self::Opening => Some(OPENING_LIVES),
            Self::Digest => Some(DIGEST_LIVES),
            Self::Booked
            | Self::NeedsYou
            | Self::Security
            | Self::Verification
            | Self::Test
            | Self::OperatorAlarm
            | Self::Money => None,
        }
    }

    /// Whether people say that they have seen it: until then it repeats where a provider repeats, and others stand in.
    #[must_use]
    pub fn is_acknowledged(self) -> bool {
        self == Self::NeedsYou
    }

    /// Whether it is told over channels besides mail.
    #[must_use]
    pub fn goes_over_channels(self) -> bool {
        self == Self::OperatorAlarm || Self::OF_USERS.contains(&self)
    }

    /// Whether channels that its user has not chosen for it are tried once no chosen one has taken it.
    #[must_use]
    pub fn falls_back(self) -> bool {
        Self::OF_USERS.contains(&self) && self.priority() == Priority::Urgent
    }
}
