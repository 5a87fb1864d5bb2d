//! Lifetime of a session, from its sign-in. Nothing extends it.

use chrono::TimeDelta;

const REMEMBERED: TimeDelta = TimeDelta::days(30);
const FORGOTTEN_BY_BROWSER: TimeDelta = TimeDelta::hours(24);

/// Returns the lifetime of a session that the browser remembers after it is closed, or of one that
/// it does not.
#[must_use]
pub const fn of(remembered: bool) -> TimeDelta {
    if remembered { REMEMBERED } else { FORGOTTEN_BY_BROWSER }
}
