//! Configuration of the engine.

use chrono::TimeDelta;
use domain::budget::Limits;
use domain::pricing::Billing;
use inference::planner::Pace;

/// Pacing, limits and permissions of the engine.
#[derive(Clone, Debug)]
pub struct Config {
    /// Name of this node as holder of the lease.
    pub node: String,
    /// Lets this node acquire the lease when it is free. A node without this flag only verifies
    /// logins.
    pub leads: bool,
    /// Time after which a lease that is not renewed expires, in seconds of wall time.
    pub lease_seconds: i64,
    /// Limits on the calls of one portal account.
    pub limits: Limits,
    /// Spacing of polls.
    pub pace: Pace,
    /// Polls per second over all accounts (portal time).
    pub polls_per_second: f64,
    /// Speed of portal time relative to wall time.
    pub speed: f64,
    /// Maximum wait for the answer to a booking request, in seconds of wall time. It must not be
    /// below the timeout of the portal client.
    pub post_timeout_seconds: i64,
    /// Makes the engine poll and match, but never book.
    pub dry_run: bool,
    /// Requires that the engine has read all pages up to a country's booking form once, before
    /// tasks there book automatically.
    pub walks_first: bool,
    /// Decides if tasks have a price.
    pub billing: Billing,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            node: "single".to_owned(),
            leads: true,
            lease_seconds: 15,
            limits: Limits::default(),
            pace: Pace::default(),
            polls_per_second: 1.2,
            speed: 1.0,
            post_timeout_seconds: 45,
            dry_run: false,
            walks_first: false,
            billing: Billing::On,
        }
    }
}

/// Interval between writes of poll counters. An event stream adds up to 0.7 s, so a user sees a
/// poll within 5 s.
pub(crate) const FLUSH_EVERY: TimeDelta = TimeDelta::seconds(4);

/// Interval between sweeps.
pub(crate) const SWEEP_EVERY: TimeDelta = TimeDelta::seconds(60);
