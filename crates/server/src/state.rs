//! What every handler can reach.

use std::sync::Arc;

use engine::{Context, Engine};

use crate::config::Settings;

/// Shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// Database, keys, portal client, clocks, randomness.
    pub ctx: Context,
    /// The engine of this process, nudged when rows change.
    pub engine: Arc<Engine>,
    /// How this server is set up.
    pub settings: Arc<Settings>,
    /// What access tokens are checked with and against.
    pub tokens: Arc<crate::token::Tokens>,
}

impl AppState {
    /// The wall clock's present.
    #[must_use]
    pub fn now(&self) -> domain::clock::Instant {
        self.ctx.wall.now()
    }
}
