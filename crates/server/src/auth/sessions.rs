//! Which sign-ins still count, asked of the database at most every 5 seconds each.

use std::collections::HashMap;

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::SessionId;
use parking_lot::Mutex;
use store::Db;

use crate::error::ApiError;

/// How long an answer is believed.
const BELIEVED: TimeDelta = TimeDelta::seconds(5);

/// A small cache of live sign-ins; dead ones are not kept.
#[derive(Debug, Default)]
pub struct Sessions(Mutex<HashMap<SessionId, Instant>>);

impl Sessions {
    /// Whether a sign-in counts, as of at most 5 seconds ago.
    pub async fn is_live(&self, db: &Db, id: SessionId, now: Instant) -> Result<bool, ApiError> {
        let known = self.0.lock().get(&id).is_some_and(|asked| now - *asked < BELIEVED && *asked <= now);
        if known {
            return Ok(true);
        }
        let mut tx = db.read().await?;
        let live = store::session::is_live(&mut tx, id, now).await?;
        let mut seen = self.0.lock();
        if seen.len() > 10_000 {
            seen.retain(|_, asked| now - *asked < BELIEVED);
        }
        if live {
            seen.insert(id, now);
        } else {
            seen.remove(&id);
        }
        Ok(live)
    }

    /// Asks again next time.
    pub fn forget(&self, id: SessionId) {
        self.0.lock().remove(&id);
    }
}
