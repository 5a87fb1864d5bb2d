//! Lifetimes of the links that users receive.

use chrono::TimeDelta;

/// Lifetime of a link that resets a password.
pub const RESET_LIFE: TimeDelta = TimeDelta::hours(1);
/// Lifetime of a verification link.
pub(super) const VERIFY_LIFE: TimeDelta = TimeDelta::hours(24);
/// Time for which a registrant is informed that their mail waits to be read.
pub const REGISTRATION_LIFE: TimeDelta = TimeDelta::days(30);
/// Time within which a registration's link signs in the browser of that registration.
pub const BROWSER_LIFE: TimeDelta = TimeDelta::hours(24);
/// Lifetime of an invitation.
pub const INVITATION_LIFE: TimeDelta = TimeDelta::days(7);
/// Lifetime of the owner's link.
pub const OWNER_LINK_LIFE: TimeDelta = TimeDelta::minutes(10);
