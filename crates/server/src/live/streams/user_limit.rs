//! Limit on the open event streams of one user.

use std::collections::HashMap;
use std::sync::Arc;

use domain::ids::UserId;
use parking_lot::Mutex;

/// Maximum number of open streams per user. Each one reads the database after a change. The web app
/// opens one per browser.
pub const MOST_STREAMS: usize = 24;
/// Number of open streams by user.
#[derive(Debug, Default)]
pub struct Streams(Mutex<HashMap<UserId, usize>>);

/// Permit for an open stream of a user; dropping it frees its place.
pub(super) struct OwnPlace {
    streams: Arc<Streams>,
    user: UserId,
}

impl OwnPlace {
    pub(super) fn acquire(streams: &Arc<Streams>, user: UserId) -> Option<Self> {
        let mut open = streams.0.lock();
        let own = open.entry(user).or_default();
        if *own >= MOST_STREAMS {
            return None;
        }
        *own += 1;
        Some(Self { streams: streams.clone(), user })
    }
}

impl Drop for OwnPlace {
    fn drop(&mut self) {
        let mut open = self.streams.0.lock();
        if let Some(own) = open.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                open.remove(&self.user);
            }
        }
    }
}
