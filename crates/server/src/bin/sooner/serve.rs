//! Command `sooner serve`.

use std::path::Path;

use anyhow::Context as _;
use server::config::Settings;
use store::keyring::KeyRing;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::{service, solo};

/// Serves until SIGTERM or Ctrl-C.
pub async fn run(mut settings: Settings, settings_file: Option<&Path>) -> anyhow::Result<()> {
    let ambient = server::run::Ambient::system()?;
    let new_ring = if settings.solo { solo::prepare(&mut settings, &ambient)? } else { None };
    let ring = KeyRing::load(&settings.key_ring).with_context(|| {
        format!(
            "cannot load the key ring; create one with \"sooner keys init --key-ring {}\"",
            settings.key_ring.display()
        )
    })?;
    keep_apart(&settings)?;
    let (bind, is_solo) = (settings.bind, settings.solo);
    let app = server::run::assemble(settings, ring, ambient.clone()).await?;
    if is_solo {
        solo::make_personal(&app, &ambient, settings_file).await?;
    }
    let listener = TcpListener::bind(bind).await.with_context(|| format!("cannot listen on {bind}"))?;
    tracing::info!(address = %listener.local_addr()?, public_url = app.settings.public_url, "serving requests");
    if !app.mail_configured() {
        tracing::warn!("no mail server is configured; addresses are not verified, and no mail is sent");
    }
    if is_solo {
        solo::greet(&app, &ambient, new_ring.as_deref()).await?;
    }
    let stop = CancellationToken::new();
    let (terminated, on_signal) = (termination()?, stop.clone());
    tokio::spawn(async move {
        terminated.await;
        on_signal.cancel();
    });
    tokio::spawn(service::feed_watchdog());
    tokio::spawn(say_stopping(stop.clone()));
    // The listener already accepts connections and queues them until the server handles them.
    service::notify("READY=1");
    server::run::serve(app, listener, stop).await?;
    tracing::info!("server stopped");
    Ok(())
}

/// Returns an error if the key ring is in the folder of the database or below. A copy of that
/// folder would be enough to read every portal password. Logs a warning if other users can read the
/// key ring.
fn keep_apart(settings: &Settings) -> anyhow::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let ring = settings.key_ring.canonicalize().context("cannot find the key ring")?;
    let mode = std::fs::metadata(&ring).map(|meta| meta.permissions().mode());
    if mode.is_ok_and(|mode| mode & 0o077 != 0) {
        tracing::warn!(key_ring = %ring.display(), "other users of this machine can read the key ring; run chmod 600 on it");
    }
    let Some(file) = settings.database_url.strip_prefix("sqlite:") else { return Ok(()) };
    let file = Path::new(file.trim_start_matches("//").split('?').next().unwrap_or_default());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    anyhow::ensure!(
        settings.keys_beside_data || !ring.starts_with(&folder),
        "the key ring {} is in the folder of the database: one copy of the folder would reveal every portal password. \
         Move the key ring and name its path with --key-ring, or add --keys-beside-data",
        ring.display()
    );
    Ok(())
}

async fn say_stopping(stop: CancellationToken) {
    stop.cancelled().await;
    service::notify("STOPPING=1");
}

/// Installs handlers for SIGTERM and Ctrl-C immediately; before this call the signals end the
/// process without a shutdown. Returns a future that resolves at the first signal.
///
/// # Errors
/// Returns an error if the handlers cannot be installed.
pub fn termination() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
