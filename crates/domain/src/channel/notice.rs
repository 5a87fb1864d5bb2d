//! Notification rules by event: template, lifetime and acknowledgement; reasons for not sending.

use chrono::TimeDelta;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use utoipa::ToSchema;

use super::{ChannelKind, EventKind, Priority};
use crate::question::SENT_WITHIN;

/// Wait between a notice and its first fallback, and between further fallbacks.
pub const FALLBACK_AFTER: TimeDelta = TimeDelta::seconds(30);
/// Lifetime of an opening notification; after it the notification is dropped.
const OPENING_LIVES: TimeDelta = TimeDelta::minutes(2);
/// Lifetime of an opening notification by mail. Mail servers delay unknown senders for minutes.
const OPENING_MAIL_LIVES: TimeDelta = TimeDelta::minutes(15);
const DIGEST_LIVES: TimeDelta = TimeDelta::days(1);

/// Reason that a notification was not sent, other than a refusal by the provider.
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
    /// It would have arrived in quiet hours and be useless after them.
    QuietHours,
    /// Its lifetime was over.
    TooLate,
    /// Another channel's provider accepted it.
    AnotherAccepted,
    /// The channel was removed, switched off, or is no longer chosen for the event.
    ChannelOff,
    /// The maximum number of attempts is used up, or the text cannot be rendered.
    GaveUp,
    /// The limit of text messages is reached.
    Quota,
    /// The user has acknowledged it.
    Acknowledged,
}

impl Priority {
    /// Returns the sort key of the priority in the outbox.
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
    /// Returns the event of the mail template `template`.
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
            "submitted" => Self::Submitted,
            "digest" => Self::Digest,
            "operator_alarm" => Self::OperatorAlarm,
            _ => Self::Security,
        }
    }

    /// Returns the lifetime of a notification over a channel, or `None` if it does not expire.
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
            | Self::Money
            | Self::Submitted => None,
        }
    }

    /// Returns `true` if users acknowledge the event. Until then, providers that support it repeat
    /// the notification, and fallback channels are used.
    #[must_use]
    pub fn is_acknowledged(self) -> bool {
        self == Self::NeedsYou
    }

    /// Returns `true` if the event is sent over channels other than mail.
    #[must_use]
    pub fn goes_over_channels(self) -> bool {
        self == Self::OperatorAlarm || Self::OF_USERS.contains(&self)
    }

    /// Returns `true` if channels not chosen for the event are tried once no chosen channel has
    /// accepted it.
    #[must_use]
    pub fn falls_back(self) -> bool {
        Self::OF_USERS.contains(&self) && self.priority() == Priority::Urgent
    }
}
