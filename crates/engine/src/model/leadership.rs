//! State of the engine's lease on this node, and restrictions after a database failover.

use chrono::TimeDelta;
use domain::clock::Instant;
use store::timeline::{Guard, History};

/// State of this node's lease. The epoch increases each time a node takes the lease.
#[derive(Default)]
pub(crate) struct Leadership {
    /// Epoch of the lease that this node holds.
    epoch: Option<i64>,
    /// Wall time of the last renewal.
    renewed_at: Option<Instant>,
    /// The highest epoch that this process ever held.
    highest_epoch: i64,
    /// Restrictions after a failover of the database.
    guard: Guard,
    /// `true` if the log already reports that the database has no timeline.
    is_unguarded: bool,
    /// `true` if the log already reports a database of a newer build. This node does not lead on
    /// such a database.
    is_outdated: bool,
}

impl Leadership {
    /// Returns the epoch of the lease that this node believes it holds.
    pub const fn epoch(&self) -> Option<i64> {
        self.epoch
    }

    /// Returns `true` if this node believes it holds the lease.
    pub const fn leads(&self) -> bool {
        self.epoch.is_some()
    }

    /// Returns the highest epoch that this process ever held.
    pub const fn highest_epoch(&self) -> i64 {
        self.highest_epoch
    }

    /// Returns `true` if the lease was renewed less than `span` ago.
    pub fn is_renewed_within(&self, span: TimeDelta, now: Instant) -> bool {
        self.leads() && self.renewed_at.is_some_and(|at| now - at < span)
    }

    /// Records that the lease was taken or renewed at `now` (wall time).
    pub fn hold(&mut self, epoch: i64, now: Instant) {
        self.epoch = Some(epoch);
        self.highest_epoch = self.highest_epoch.max(epoch);
        self.renewed_at = Some(now);
    }

    /// Records that another node holds the lease, or that this node releases it. Returns the epoch
    /// that this node held.
    pub const fn release(&mut self) -> Option<i64> {
        self.epoch.take()
    }

    /// Makes the next round renew the lease.
    pub const fn renew_at_once(&mut self) {
        self.renewed_at = None;
    }

    /// Replaces the restrictions after a failover.
    pub fn set_guard(&mut self, guard: Guard) {
        self.guard = guard;
    }

    /// Returns the time until which nothing may be booked, because the database may have lost
    /// bookings.
    pub const fn quiet_until(&self) -> Option<Instant> {
        self.guard.quiet_until
    }

    /// Returns `true` if nothing may be booked for now.
    pub fn is_quiet(&self, now: Instant) -> bool {
        self.guard.quiet_until.is_some_and(|until| now < until)
    }

    /// Records if a newer build has migrated the database. Returns `true` if the caller must log
    /// it.
    pub const fn note_newer_build(&mut self, newer: Option<&String>) -> bool {
        let logged = std::mem::replace(&mut self.is_outdated, newer.is_some());
        newer.is_some() && !logged
    }

    /// Records if the database reports no timeline. Returns `true` if the caller must log it.
    pub fn note_history(&mut self, history: History) -> bool {
        let is_unguarded = history == History::Unknown;
        let logged = std::mem::replace(&mut self.is_unguarded, is_unguarded);
        is_unguarded && !logged
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`. Only the database's
    /// time decides how long the lease is held, so the lease is renewed at once.
    pub fn shift(&mut self, by: TimeDelta) {
        self.guard.quiet_until = self.guard.quiet_until.map(|at| at + by);
        self.renewed_at = None;
    }
}
