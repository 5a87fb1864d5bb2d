//! One process of the service: database, engine, deliveries and web server, started and stopped together.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use domain::clock::Clock;
use domain::ids::PricingPlanId;
use domain::money::Money;
use engine::{Config, Context, Engine};
use providers::mail::Mailer;
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::config::Settings;

/// What only `main` may make: the ambient clock and randomness, and the keys.
pub struct Ambient {
    /// The wall's clock.
    pub wall: Clock,
    /// Randomness seeded by the operating system.
    pub random: Random,
    /// The key ring.
    pub keyring: Arc<KeyRing>,
}

/// A running node.
pub struct Node {
    /// What its handlers share.
    pub app: AppState,
    /// Where it listens.
    pub address: SocketAddr,
    stop: CancellationToken,
    tasks: Vec<JoinHandle<()>>,
}

/// How long a node may take to stop.
const STOP_WITHIN: Duration = Duration::from_secs(10);

impl Node {
    /// Opens and migrates the database, checks the keys, and starts engine, deliveries and web server.
    ///
    /// # Errors
    /// Anything that keeps it from starting, in words for the operator.
    pub async fn start(mut settings: Settings, ambient: Ambient) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(settings.bind)
            .await
            .with_context(|| format!("cannot listen on {}", settings.bind))?;
        let address = listener.local_addr()?;
        if settings.bind.port() == 0 || settings.public_url.is_empty() {
            settings.public_url = format!("http://{address}");
        }
        let ctx = context(&settings, ambient).await?;
        prepare(&ctx, &settings).await?;
        let mailer = settings
            .smtp_url
            .as_deref()
            .map(|url| Mailer::new(url, &settings.mail_from))
            .transpose()?;
        let engine = Engine::new(ctx);
        let app = AppState::new(engine.clone(), settings);
        let stop = CancellationToken::new();
        let mut tasks = vec![
            tokio::spawn(engine.run(stop.clone())),
            tokio::spawn(serve(listener, app.clone(), stop.clone())),
        ];
        if let Some(mailer) = mailer {
            let (ctx, nudge, stop) = (app.engine.context().clone(), app.mail.clone(), stop.clone());
            tasks.push(tokio::spawn(engine::deliver::run(ctx, mailer, nudge, stop)));
        }
        Ok(Self { app, address, stop, tasks })
    }

    /// Stops claiming work, finishes what is under way, closes the database.
    pub async fn shutdown(self) {
        self.stop.cancel();
        for task in self.tasks {
            if tokio::time::timeout(STOP_WITHIN, task).await.is_err() {
                tracing::warn!("a part of the node did not stop in time");
            }
        }
        self.app.db.close().await;
    }
}

async fn context(settings: &Settings, ambient: Ambient) -> anyhow::Result<Context> {
    let Ambient { wall, random, keyring } = ambient;
    let db = Db::open(&settings.database_url).await.context("cannot open the database")?;
    let anchor = settings.time_anchor.unwrap_or_else(|| wall.now());
    let portal_time =
        if settings.speed == 1.0 { wall.clone() } else { wall.scaled(anchor, settings.speed) };
    let host = portal::PortalHost::new(settings.portal_url.parse().context("the portal's URL is not one")?);
    let time = wall.clone();
    let mut portal = portal::Settings::new(host, Arc::new(move || time.now()));
    if let Some(agent) = &settings.user_agent {
        portal.user_agent.clone_from(agent);
    }
    let config = Config {
        node: settings.node.clone(),
        speed: settings.speed,
        dry_run: settings.dry_run,
        post_timeout_seconds: i64::try_from(portal.timeouts.booking.as_secs()).unwrap_or(45),
        ..Config::default()
    };
    let client = Arc::new(portal::Client::new(portal)?);
    Ok(Context { db, keyring, client, wall, portal_time, random, config })
}

/// Schema, keys, price.
async fn prepare(ctx: &Context, settings: &Settings) -> anyhow::Result<()> {
    let applied = store::migrate::migrate(&ctx.db).await.context("cannot migrate the database")?;
    if !applied.is_empty() {
        tracing::info!(?applied, "the database was migrated");
    }
    store::keyring::check_canary(&ctx.db, &ctx.keyring, &ctx.random).await?;
    if let Some(price) = &settings.unit_price {
        let price = Money::parse_decimal(price).context("the unit price is not an amount such as 38.00")?;
        let now = ctx.wall.now();
        let mut tx = ctx.db.begin().await?;
        let id = PricingPlanId::new(now, ctx.random.bytes());
        store::pricing::set_standing(&mut tx, now, id, price).await?;
        tx.commit().await?;
    }
    Ok(())
}

async fn serve(listener: TcpListener, app: AppState, stop: CancellationToken) {
    let service = crate::router(app).into_make_service_with_connect_info::<SocketAddr>();
    let finish = stop.clone();
    let serving = axum::serve(listener, service).with_graceful_shutdown(async move { finish.cancelled().await });
    // Event streams never end by themselves: give the rest a moment, then go.
    tokio::select! {
        outcome = serving => {
            if let Err(error) = outcome {
                tracing::error!(%error, "the web server ended");
            }
        }
        () = async { stop.cancelled().await; tokio::time::sleep(Duration::from_secs(2)).await } => {}
    }
}
