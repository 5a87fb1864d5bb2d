//! Which accounts are lent to jobs, written before their first request: an engine that dies costs those accounts what the
//! job may have spent, and no other account anything.

use std::collections::BTreeMap;

use domain::clock::Instant;
use domain::ids::PortalAccountId;
use store::account_lease::{StoredLease, Use};

use crate::model::job::Job;

/// Leases whose rows are in the database, by account, and the number of the last one.
#[derive(Debug, Default)]
pub(crate) struct WrittenLeases {
    pub written: BTreeMap<PortalAccountId, i64>,
    last: i64,
}

/// A booking attempt and its read-back have a row of their own that tells of them.
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
    /// A number for each lease, greater than any before: also than those of a process that ran before this one.
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

    /// Rows that were deleted.
    pub fn given_back(&mut self, written_leases: &[(PortalAccountId, i64)]) {
        for (account, turn) in written_leases {
            if self.written.get(account) == Some(turn) {
                self.written.remove(account);
            }
        }
    }

    /// All rows were deleted by the node that took the lease.
    pub fn clear(&mut self) {
        self.written.clear();
    }
}
