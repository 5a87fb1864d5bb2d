//! Account leases of jobs. Each is written before the job's first request. After a crash, the calls
//! that a job may have made are charged to the budget of its leased account alone.

use std::collections::BTreeMap;

use domain::clock::Instant;
use domain::ids::PortalAccountId;
use store::account_lease::{StoredLease, Use};

use crate::model::job::Job;

/// Leases whose rows are in the database, by account, and the number of the last one.
#[derive(Debug, Default)]
pub(crate) struct WrittenLeases {
    written: BTreeMap<PortalAccountId, i64>,
    last: i64,
}

/// Returns the use of an account by a job. Returns `None` for a booking attempt and its read-back,
/// which have a row of their own.
const fn kind(job: &Job) -> Option<Use> {
    match job {
        Job::Poll { .. } => Some(Use::Poll),
        Job::WarmUp { .. } => Some(Use::WarmUp),
        Job::Prewarm { .. }
        | Job::Visit { .. }
        | Job::Probe { .. }
        | Job::FinalRead { .. }
        | Job::LateRead { .. } => Some(Use::Read),
        Job::Book { .. } | Job::ReadBack { .. } => None,
    }
}

impl WrittenLeases {
    /// Creates a numbered lease for each job that needs one. Numbers increase, also from one
    /// process to the next.
    pub fn number(&mut self, jobs: &[Job], wall: Instant) -> Vec<StoredLease> {
        self.last = self.last.max(wall.timestamp_micros());
        let known = jobs.iter().filter_map(|job| kind(job).map(|what| (job.account(), what)));
        known
            .map(|(account, what)| {
                self.last += 1;
                (account, self.last, what)
            })
            .collect()
    }

    /// Adds leases whose rows are written.
    pub fn add(&mut self, leases: Vec<StoredLease>) {
        self.written.extend(leases.into_iter().map(|(account, turn, _)| (account, turn)));
    }

    /// Returns the account and the number of each lease whose row is written.
    pub fn written(&self) -> impl Iterator<Item = (PortalAccountId, i64)> {
        self.written.iter().map(|(account, turn)| (*account, *turn))
    }

    /// Removes leases whose rows were deleted.
    pub fn given_back(&mut self, written_leases: &[(PortalAccountId, i64)]) {
        for (account, turn) in written_leases {
            if self.written.get(account) == Some(turn) {
                self.written.remove(account);
            }
        }
    }

    /// Removes all leases, after the node that took over the engine's lease deleted all rows.
    pub fn clear(&mut self) {
        self.written.clear();
    }
}
