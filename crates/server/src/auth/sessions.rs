//! Which sign-ins still count, asked of the database at most every 5 seconds each.

use std::collections::HashMap;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::SessionId;
use parking_lot::Mutex;
use store::Db;

use super::access_token;
use crate::http::error::ApiError;

/// How long an answer is believed.
const BELIEVED: TimeDelta = TimeDelta::seconds(5);
const MANY: usize = 10_000;

/// A small cache of live sign-ins, and of those that ended here.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<SessionCache>);

#[derive(Debug, Default)]
struct SessionCache {
    // When the database said so.
    live: HashMap<SessionId, Instant>,
    // Kept as long as an access token of theirs may be around.
    ended: HashMap<SessionId, Instant>,
}

impl Sessions {
    /// Whether a sign-in counts, as of at most 5 seconds ago.
    pub async fn is_live(&self, db: &Db, id: SessionId, now: Instant) -> Result<bool, ApiError> {
        if let Some(known) = self.0.lock().known(id, now) {
            return Ok(known);
        }
        let mut tx = db.read().await?;
        let live = store::session::is_live(&mut tx, id, now).await?;
        let mut known = self.0.lock();
        // It may have ended here after the database was asked.
        let live = live && !known.ended.contains_key(&id);
        if known.live.len() > MANY {
            known.live.retain(|_, asked| now - *asked < BELIEVED);
        }
        if live {
            known.live.insert(id, now);
        } else {
            known.live.remove(&id);
        }
        Ok(live)
    }

    /// Asks again next time.
    pub fn forget(&self, id: SessionId) {
        self.0.lock().live.remove(&id);
    }

    /// These ended for good: nothing under them counts in this process from now on. Call after the commit.
    pub fn end(&self, ids: &[SessionId], now: Instant) {
        let mut known = self.0.lock();
        if known.ended.len() > MANY {
            known.ended.retain(|_, at| now - *at < access_token::LIFE);
        }
        for id in ids {
            known.live.remove(id);
            known.ended.insert(*id, now);
        }
    }
}

impl SessionCache {
    fn known(&self, id: SessionId, now: Instant) -> Option<bool> {
        if self.ended.contains_key(&id) {
            return Some(false);
        }
        self.live.get(&id).is_some_and(|asked| now - *asked < BELIEVED && *asked <= now).then_some(true)
    }
}
