//! Cache of live sessions. A session is queried in the database at most once per `BELIEVED`.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::SessionId;
use parking_lot::Mutex;
use store::Db;

use super::access_token;
use crate::http::error::ApiError;

/// Time for which a cached result is valid.
const BELIEVED: TimeDelta = TimeDelta::seconds(5);
const MANY: usize = 10_000;
/// Time for which a cached result is valid for an open page. [`Sessions::renew`] queries the
/// sessions of all pages together, more often than that. A page queries its own session only if
/// those queries fail for this long.
const PAGES_BELIEVE: TimeDelta = TimeDelta::seconds(15);
/// Maximum number of sessions in one query.
const AT_ONCE: usize = 2_000;

/// Cache of live sessions, and of sessions that ended in this process.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<SessionCache>);

#[derive(Debug, Default)]
struct SessionCache {
    // Live sessions, with the time of the query.
    live: HashMap<SessionId, Instant>,
    // Ended sessions; each is stored as long as an access token of it may exist.
    ended: HashMap<SessionId, Instant>,
    // Sessions of open pages, with the number of pages.
    pages: HashMap<SessionId, usize>,
}

/// An open page of a session. The session is renewed as long as this value exists.
pub struct Page {
    sessions: Arc<Sessions>,
    id: SessionId,
}

impl Page {
    /// Registers an open page of a session.
    #[must_use]
    pub fn open(sessions: &Arc<Sessions>, id: SessionId) -> Self {
        *sessions.0.lock().pages.entry(id).or_default() += 1;
        Self { sessions: sessions.clone(), id }
    }

    /// Returns `true` if the session was live a few seconds ago.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn is_live(&self, db: &Db, now: Instant) -> Result<bool, ApiError> {
        if let Some(known) = self.sessions.0.lock().cached(self.id, now, PAGES_BELIEVE) {
            return Ok(known);
        }
        self.sessions.is_live(db, self.id, now).await
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let mut known = self.sessions.0.lock();
        if let Some(pages) = known.pages.get_mut(&self.id) {
            *pages -= 1;
            if *pages == 0 {
                known.pages.remove(&self.id);
            }
        }
    }
}

impl Sessions {
    /// Returns `true` if the session is live, or was live at most `BELIEVED` ago.
    pub async fn is_live(&self, db: &Db, id: SessionId, now: Instant) -> Result<bool, ApiError> {
        if let Some(known) = self.0.lock().cached(id, now, BELIEVED) {
            return Ok(known);
        }
        let mut tx = db.read().await?;
        let live = store::session::is_live(&mut tx, id, now).await?;
        let mut known = self.0.lock();
        // The session may have ended in this process after the query.
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

    /// Queries the sessions of all open pages together, and updates the cache.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn renew(&self, db: &Db, now: Instant) -> Result<(), store::Error> {
        let ids: Vec<SessionId> = self.0.lock().pages.keys().copied().collect();
        for ids in ids.chunks(AT_ONCE) {
            let mut tx = db.read().await?;
            let live = store::session::live_of(&mut tx, ids, now).await?;
            tx.commit().await?;
            let mut known = self.0.lock();
            for id in ids {
                if live.contains(id) && !known.ended.contains_key(id) {
                    known.live.insert(*id, now);
                } else {
                    known.live.remove(id);
                }
            }
        }
        Ok(())
    }

    /// Removes a session from the cache, so that the next check queries it.
    pub fn forget(&self, id: SessionId) {
        self.0.lock().live.remove(&id);
    }

    /// Marks sessions as ended in this process. Must be called after the commit.
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
    fn cached(&self, id: SessionId, now: Instant, believed: TimeDelta) -> Option<bool> {
        if self.ended.contains_key(&id) {
            return Some(false);
        }
        self.live.get(&id).is_some_and(|asked| now - *asked < believed && *asked <= now).then_some(true)
    }
}
