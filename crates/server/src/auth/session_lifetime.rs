//! Lifetimes of a session, from its sign-in. Nothing extends them.

use chrono::TimeDelta;

/// Lifetime of a session that the browser remembers after it is closed.
pub const REMEMBERED: TimeDelta = TimeDelta::days(30);
/// Lifetime of a session that ends with the browser.
pub const UNTIL_BROWSER_CLOSES: TimeDelta = TimeDelta::hours(24);
