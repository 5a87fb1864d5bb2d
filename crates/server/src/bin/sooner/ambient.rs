//! The ambient clock, randomness and signals: read here and nowhere else in the program.

use anyhow::Context as _;
use domain::clock::Clock;
use rand::TryRng as _;
use store::Random;

/// The wall's clock.
#[allow(clippy::disallowed_methods)]
pub fn wall() -> Clock {
    Clock::new(chrono::Utc::now)
}

/// Randomness seeded by the operating system.
pub fn random() -> anyhow::Result<Random> {
    let mut seed = [0; 32];
    rand::rngs::SysRng.try_fill_bytes(&mut seed).context("the operating system gives no randomness")?;
    Ok(Random::from_seed(seed))
}

/// Resolves on Ctrl-C or SIGTERM.
pub async fn stopped() {
    let mut terminate = match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
        Ok(terminate) => terminate,
        Err(error) => {
            tracing::warn!(%error, "SIGTERM can not be heard");
            let _ = tokio::signal::ctrl_c().await;
            return;
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => {}
        _ = terminate.recv() => {}
    }
}
