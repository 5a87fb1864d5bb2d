//! `sooner serve`.

use anyhow::Context as _;
use server::config::Settings;
use store::keyring::KeyRing;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::service;

/// Serves until SIGTERM or Ctrl-C.
pub async fn run(settings: Settings) -> anyhow::Result<()> {
    let ring = KeyRing::load(&settings.key_ring).context("make one with: sooner keys init")?;
    let bind = settings.bind;
    let app = server::run::assemble(settings, ring, server::run::Ambient::system()?).await?;
    let listener = TcpListener::bind(bind).await.with_context(|| format!("cannot listen on {bind}"))?;
    tracing::info!(address = %listener.local_addr()?, public_url = app.settings.public_url, "serving");
    if !app.mail_configured() {
        tracing::warn!("no mail server is set: nobody has to prove an address, and no mail is sent");
    }
    let stop = CancellationToken::new();
    tokio::spawn(stop_on_signal(stop.clone()));
    tokio::spawn(service::feed_watchdog());
    tokio::spawn(say_stopping(stop.clone()));
    // The listener keeps who comes before the first request is taken.
    service::notify("READY=1");
    server::run::serve(app, listener, stop).await?;
    tracing::info!("stopped");
    Ok(())
}

async fn say_stopping(stop: CancellationToken) {
    stop.cancelled().await;
    service::notify("STOPPING=1");
}

/// Cancels on SIGTERM or Ctrl-C.
pub async fn stop_on_signal(stop: CancellationToken) {
    use tokio::signal::unix::{SignalKind, signal};
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    stop.cancel();
}
