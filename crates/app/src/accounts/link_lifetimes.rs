//! Lifetimes of the links that users receive.

use chrono::TimeDelta;

/// Lifetime of a link that resets a password.
pub const RESET_LIFE: TimeDelta = TimeDelta::hours(1);
/// Lifetime of a mailed sign-in link.
pub const SIGN_IN_LINK_LIFE: TimeDelta = TimeDelta::minutes(15);
/// Lifetime of a link that verifies an address.
pub(super) const VERIFY_LIFE: TimeDelta = TimeDelta::hours(24);
/// Time for which the browser that registered shows that a mail must be opened.
pub const REGISTRATION_LIFE: TimeDelta = TimeDelta::days(30);
/// Time within which the link of a registration also signs in the browser that registered.
pub const BROWSER_LIFE: TimeDelta = TimeDelta::hours(24);
/// Lifetime of an invitation.
pub const INVITATION_LIFE: TimeDelta = TimeDelta::days(7);
/// Lifetime of the owner's sign-in link.
pub const OWNER_LINK_LIFE: TimeDelta = TimeDelta::minutes(10);
