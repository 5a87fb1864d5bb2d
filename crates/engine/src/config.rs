//! How the engine paces.

use chrono::TimeDelta;
use domain::budget::Limits;
use domain::pricing::Billing;
use inference::planner::Pace;

/// How the engine paces and what it may do.
#[derive(Clone, Debug)]
pub struct Config {
    /// Who holds the lease.
    pub node: String,
    /// Takes the lease when it is free; a node without this only verifies logins.
    pub leads: bool,
    /// How long the lease lasts without renewal, wall seconds.
    pub lease_seconds: i64,
    /// Calls allowed per portal account.
    pub limits: Limits,
    /// How looks are spaced.
    pub pace: Pace,
    /// Polls a second over all accounts (portal time).
    pub polls_per_second: f64,
    /// How much faster than the wall portal time runs.
    pub speed: f64,
    /// The POST's answer may take this long, wall seconds; not below the client's own timeout.
    pub post_timeout_seconds: i64,
    /// Looks and matches, but never books.
    pub dry_run: bool,
    /// Whether a country's portal must be walked whole once before tasks book by themselves.
    pub walks_first: bool,
    /// Whether tasks have a price.
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

/// How often what looks add up to is written: with the 0.7 s of an event stream, who watches sees a poll within 5 s.
pub(crate) const FLUSH_EVERY: TimeDelta = TimeDelta::seconds(4);

/// How often the sweep runs.
pub(crate) const SWEEP_EVERY: TimeDelta = TimeDelta::seconds(60);
