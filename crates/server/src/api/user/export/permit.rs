//! Limits of exports in progress: one of each user, and a few in all.

use std::collections::HashSet;
use std::sync::Arc;

use domain::ids::UserId;
use parking_lot::Mutex;

/// Users with an export in progress. An export holds all data of its user in memory.
#[derive(Clone, Debug, Default)]
pub struct Exports(Arc<Mutex<HashSet<UserId>>>);

/// Maximum number of concurrent exports of different users.
const AT_ONCE: usize = 4;

/// Permit for one export. Dropping it frees its place.
#[derive(Debug)]
pub struct ExportPermit {
    of: Exports,
    user: UserId,
}

impl Exports {
    /// Returns a permit, or `None` if an export of this user or too many other exports are in
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

#[cfg(test)]
mod tests {
    use domain::ids::UserId;

    use super::Exports;

    // spec: 10.7.78
    #[test]
    fn exports_are_limited_per_user_and_overall() {
        let (exports, id) = (Exports::default(), |n: u128| UserId(uuid::Uuid::from_u128(n)));
        let first = exports.begin(id(1));
        assert!(first.is_some() && exports.begin(id(1)).is_none(), "each user has one export at a time");
        let others: Vec<_> = (2..5).map(|n| exports.begin(id(n))).collect();
        assert!(others.iter().all(Option::is_some));
        assert!(exports.begin(id(9)).is_none(), "no more than the maximum at once");
        drop(first);
        assert!(exports.begin(id(9)).is_some());
    }
}
