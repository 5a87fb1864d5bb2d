//! One newtype per entity: UUIDv7 for our own rows, the portal's own numbers as text.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use uuid::Uuid;

use crate::clock::Instant;

/// Makes a UUIDv7 from an injected instant and 10 random bytes.
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
            /// A fresh id from an injected instant and random bytes.
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
    /// A person with an account here.
    UserId,
    /// One monitoring task (`schedule_id` on the wire).
    TaskId,
    /// One login at the portal, shared by every user who knows its password.
    PortalAccountId,
    /// One user's secret for a portal account.
    CredentialId,
    /// One booking attempt.
    AttemptId,
    /// A ledger account.
    LedgerAccountId,
    /// A ledger row; also names a hold.
    TransferId,
    /// A sign-in family.
    SessionId,
    /// One message on its way out.
    OutboxId,
    /// Something asked for that a mail answers.
    MailRequestId,
    /// A top-up code.
    TopupCodeId,
    /// A payment by card.
    CardPaymentId,
    /// Money on its way back to a card.
    CardRefundId,
    /// A right bought by a capture: 365 days of further earlier slots.
    EntitlementId,
    /// A pricing plan.
    PricingPlanId,
    /// A group of users who pay less.
    UserGroupId,
    /// A promotion's code.
    PromoId,
    /// A way to reach a user.
    ChannelId,
    /// A newcomer's first task, for which a friend may be rewarded.
    ReferralId,
}

/// The portal's own number for a group (`portal_schedule_id` on the wire).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PortalScheduleId(pub String);

impl fmt::Display for PortalScheduleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
