//! One newtype per entity: UUIDv7 for rows of this service, text for the portal's numbers.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

use crate::clock::Instant;

/// Creates a UUIDv7 from an injected time and 10 random bytes.
#[must_use]
pub fn uuid_v7(now: Instant, random: [u8; 10]) -> Uuid {
    let millis = u64::try_from(now.timestamp_millis()).unwrap_or_default();
    uuid::Builder::from_unix_timestamp_millis(millis, &random).into_uuid()
}

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Creates an id from an injected time and random bytes.
            #[must_use]
            pub fn new(now: Instant, random: [u8; 10]) -> Self { Self(uuid_v7(now, random)) }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.fmt(f) }
        }
        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(s: &str) -> Result<Self, Self::Err> { s.parse().map(Self) }
        }
        impl From<Uuid> for $name { fn from(u: Uuid) -> Self { Self(u) } }
        impl From<$name> for Uuid { fn from(id: $name) -> Self { id.0 } }
    )+};
}

id! {
    /// A user of this service.
    UserId,
    /// One monitoring task (`schedule_id` on the wire).
    TaskId,
    /// One account at the portal, shared by every user who knows its password.
    PortalAccountId,
    /// One user's secret for a portal account.
    CredentialId,
    /// One booking attempt.
    AttemptId,
    /// A ledger account.
    LedgerAccountId,
    /// A ledger row; also names a hold.
    TransferId,
    /// A family of session tokens from one sign-in.
    SessionId,
    /// One outgoing message.
    OutboxId,
    /// A request that a mail answers.
    MailRequestId,
    /// A top-up code.
    TopupCodeId,
    /// A card payment.
    CardPaymentId,
    /// A refund to a card.
    CardRefundId,
    /// A right acquired by a capture: 365 days of further earlier slots.
    EntitlementId,
    /// A pricing plan.
    PricingPlanId,
    /// A group of users with reduced prices.
    UserGroupId,
    /// A promotion code.
    PromoId,
    /// A notification channel of a user.
    ChannelId,
    /// A new user's first task, for which a referrer may be rewarded.
    ReferralId,
}

/// The portal's number of a group (`portal_schedule_id` on the wire).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PortalScheduleId(pub String);

impl fmt::Display for PortalScheduleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
