//! Which sign-ins still count, asked of the database at most every 5 seconds each.

use std::collections::HashMap;
use std::sync::Arc;

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
/// How long an open page believes it: its sign-in is asked for with those of all others ([`Sessions::renew`]), more often
/// than that, and only where these questions failed for so long it asks by itself.
const PAGES_BELIEVE: TimeDelta = TimeDelta::seconds(15);
/// Sign-ins asked for in one query.
const AT_ONCE: usize = 2_000;

/// A small cache of live sign-ins, and of those that ended here.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<SessionCache>);

#[derive(Debug, Default)]
struct SessionCache {
    // When the database said so.
    live: HashMap<SessionId, Instant>,
    // Kept as long as an access token of theirs may be around.
    ended: HashMap<SessionId, Instant>,
    // Sign-ins of open pages, and of how many.
    pages: HashMap<SessionId, usize>,
}

/// An open page of a sign-in, which is asked for as long as this lives.
pub struct Page {
    sessions: Arc<Sessions>,
    id: SessionId,
}

impl Page {
    /// One more page.
    #[must_use]
    pub fn open(sessions: &Arc<Sessions>, id: SessionId) -> Self {
        *sessions.0.lock().pages.entry(id).or_default() += 1;
        Self { sessions: sessions.clone(), id }
    }

    /// Whether its sign-in counts, as of a few seconds ago.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_live(&self, db: &Db, now: Instant) -> Result<bool, ApiError> {
        if let Some(known) = self.sessions.0.lock().known(self.id, now, PAGES_BELIEVE) {
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
    /// Whether a sign-in counts, as of at most 5 seconds ago.
    pub async fn is_live(&self, db: &Db, id: SessionId, now: Instant) -> Result<bool, ApiError> {
        if let Some(known) = self.0.lock().known(id, now, BELIEVED) {
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

    /// Asks for the sign-ins of all open pages at once.
    ///
    /// # Errors
    /// When the database fails.
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
    fn known(&self, id: SessionId, now: Instant, believed: TimeDelta) -> Option<bool> {
        if self.ended.contains_key(&id) {
            return Some(false);
        }
        self.live.get(&id).is_some_and(|asked| now - *asked < believed && *asked <= now).then_some(true)
    }
}
