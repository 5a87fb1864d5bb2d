//! `sooner serve`: the web service with its engine and deliveries.

use std::sync::Arc;

use anyhow::Context as _;
use server::config::Settings;
use server::node::{Ambient, Node};
use store::keyring::KeyRing;

/// Serves until Ctrl-C or SIGTERM; refuses to start without a key ring.
///
/// # Errors
/// Anything that keeps it from starting.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let keyring = KeyRing::load(&settings.key_ring).context("no usable key ring; make one with `sooner keys init`")?;
    let ambient =
        Ambient { wall: crate::ambient::wall(), random: crate::ambient::random()?, keyring: Arc::new(keyring) };
    let node = Node::start(settings, ambient).await?;
    println!("Sooner is listening on {}", node.app.settings.public_url);
    crate::ambient::stopped().await;
    node.shutdown().await;
    Ok(())
}
