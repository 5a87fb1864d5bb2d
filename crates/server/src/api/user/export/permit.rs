//! Limits of exports in progress: one of each user, and a few in all.

use std::collections::HashSet;
use std::sync::Arc;

use domain::ids::UserId;
use parking_lot::Mutex;

/// Users with an export in progress. Each export holds all data of a user in memory.
#[derive(Clone, Debug, Default)]
pub struct Exports(Arc<Mutex<HashSet<UserId>>>);

/// Maximum number of concurrent exports, each of a different user.
const AT_ONCE: usize = 4;

/// Permit for an export; it is returned when dropped.
#[derive(Debug)]
pub struct ExportPermit {
    of: Exports,
    user: UserId,
}

impl Exports {
    /// Takes a permit. Returns `None` if an export of the user, or too many of other users, are in
    /// progress.
    #[must_use]
    pub fn begin(&self, user: UserId) -> Option<ExportPermit> {
        let mut people = self.0.lock();
        let may = people.len() < AT_ONCE && people.insert(user);
        may.then(|| ExportPermit { of: self.clone(), user })
    }
}

impl Drop for ExportPermit {
    fn drop(&mut self) {
        self.of.0.lock().remove(&self.user);
    }
}
