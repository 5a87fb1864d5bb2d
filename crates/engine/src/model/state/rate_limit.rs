//! The ceiling of polls over all accounts: a token bucket.

use domain::clock::Instant;

use crate::model::state::State;

pub(crate) fn refill(state: &mut State, per_second: f64, now: Instant) {
    let passed = state.poll_tokens_at.map_or(10.0, |at| (now - at).num_milliseconds() as f64 / 1000.0);
    state.poll_tokens = (state.poll_tokens + passed.max(0.0) * per_second).min(4.0);
    state.poll_tokens_at = Some(now);
}
