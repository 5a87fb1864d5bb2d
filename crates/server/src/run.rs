//! Assembles a server, and runs it until it is stopped.

use std::sync::Arc;
use std::time::Duration;

use domain::clock::{Clock, Instant};
use domain::ids::PricingPlanId;
use domain::money::Money;
use engine::delivery::{Delivery, SmsQuota};
use engine::{Context, Engine};
use providers::Mailer;
use providers::channels::Channels;
use providers::oidc::{self, Provider};
use rand::TryRng as _;
use rand::rngs::SysRng;
use secrecy::SecretString;
use store::file_lock::FileLock;
use store::forget::ExpiringData;
use store::keyring::KeyRing;
use store::{Db, Pools, Random};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::card::Cards;
use crate::config::Settings;
use crate::config::roles::Role;
use crate::http::connections;
use crate::http::proxies;
use crate::metrics::{Exporter, TOKEN_AT_LEAST};
use crate::operator::OperatorProfile;
use crate::site::support_media::Pictures;

/// Initial price per applicant, from the specification; applies until an operator sets a price.
const FIRST_PRICE: Money = Money::cad(500);
/// Time limit of a call to the identity provider, while a user waits.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(8);
/// Time between two checks of the ledger and deletions of old rows.
const HOUSEKEEPING: Duration = Duration::from_secs(300);

/// Clock and randomness of the process. Only `main` and tests create a value.
#[derive(Clone, Debug)]
pub struct Ambient {
    /// Wall clock.
    pub wall: Clock,
    /// Random bytes, seeded by the operating system.
    pub random: Random,
}

impl Ambient {
    /// Creates the wall clock, and random bytes seeded by the operating system.
    ///
    /// # Errors
    /// Returns an error if the operating system provides no random bytes.
    pub fn system() -> Result<Self, rand::rngs::SysError> {
        let mut seed = [0; 32];
        SysRng.try_fill_bytes(&mut seed)?;
        #[allow(clippy::disallowed_methods, reason = "the one ambient clock")]
        let wall = Clock::new(chrono::Utc::now);
        let system = Arc::new(|bytes: &mut [u8]| SysRng.try_fill_bytes(bytes).is_ok());
        Ok(Self { wall, random: Random::from_seed(seed, system) })
    }
}

/// An error that prevents the start of a server. Most messages name a remedy.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The database cannot be used.
    #[error("cannot use the database: {0}")]
    Store(#[from] store::Error),
    /// A rule of the application prevents the start.
    #[error("cannot start the server: {0}")]
    App(#[from] app::Error),
    /// The key ring cannot be used.
    #[error("cannot use the key ring{}", advice(error))]
    KeyRing {
        /// Cause of the error.
        #[from]
        error: store::keyring::KeyRingError,
    },
    /// A setting is wrong.
    #[error("invalid setting {0}: {1}")]
    Setting(&'static str, String),
    /// An operation on the network failed.
    #[error("the server stopped: {0}")]
    Io(#[from] std::io::Error),
    /// A background loop ended by itself. A server without it would no longer poll, book or notify.
    #[error("a background loop ended: {0}")]
    Fell(String),
}

/// Returns the remedy for a key ring that cannot be used. If the database has another key ring, the
/// remedy is never to create a new one.
fn advice(error: &store::keyring::KeyRingError) -> &'static str {
    use store::keyring::KeyRingError as Error;
    match error {
        Error::File(_, io) if io.kind() == std::io::ErrorKind::NotFound => {
            "; create one with: sooner keys init --key-ring PATH"
        }
        Error::File(..) => "; name a readable one: --key-ring PATH",
        Error::WrongRing => "; use the key ring of this database, from a backup: --key-ring PATH",
        Error::Exists(_) | Error::Malformed(_) | Error::Store(_) => "",
    }
}

/// Opens and migrates the database, checks the key ring against it, sets the price, and builds the
/// application.
///
/// # Errors
/// Returns the error that prevents the start of the server.
pub async fn assemble(settings: Settings, ring: KeyRing, ambient: Ambient) -> Result<AppState, StartError> {
    crate::config::outside::check(&settings).map_err(|(setting, why)| StartError::Setting(setting, why))?;
    crate::config::possible::check(&settings).map_err(|(setting, why)| StartError::Setting(setting, why))?;
    connections::descriptors::raise(settings.connections);
    let exporter = exporter(&settings)?;
    // The lock is acquired before any change, because another server may use the same file.
    let lock = FileLock::acquire(&settings.database_url, ambient.wall.now())?;
    let pools = Pools::open(&settings.database_url, &settings.pools.shares()).await?;
    let db = pools.requests.clone();
    let applied = store::migrate::migrate(&db).await?;
    if !applied.is_empty() {
        tracing::info!(?applied, "migrated the database");
    }
    store::facility::load(&mut db.read().await?).await?;
    store::keyring::check_canary(&db, &ring, &ambient.random).await?;
    let hashed = store::credential::binding::fill(&db, &ring).await?;
    if hashed > 0 {
        tracing::info!(passwords = hashed, "stored missing hashes of portal passwords");
    }
    if settings.solo && !app::accounts::can_be_owned(&mut db.read().await?).await? {
        let why = "this database has accounts, but none of them owns the server; set the owner once: sooner users own EMAIL";
        return Err(wrong("--solo", &why));
    }
    set_price(&db, &settings, &ambient).await?;
    if !settings.billing.is_on() {
        stop_billing(&db, ambient.wall.now()).await?;
    }
    let google = google(&settings, &ambient.wall)?;
    let cards = Cards::new(&settings).map_err(|(setting, why)| StartError::Setting(setting, why))?;
    if settings.public_url.starts_with("https://")
        && cards.as_ref().is_some_and(|cards| cards.origin.is_none())
    {
        tracing::warn!(
            "payment page shares the server's origin with the card provider's library; set --card-origin"
        );
    }
    let channels = channels(&settings, &ambient.wall)?;
    let pictures = Pictures::of(&settings).map_err(|error| wrong("--gallery", &error))?;
    let operator = OperatorProfile::read(settings.operator.as_deref());
    let operator = Arc::new(operator.map_err(|error| wrong("--operator", &error))?);
    let portal_time = portal_time(&settings, &ambient.wall);
    let host = settings.portal_url.parse().map_err(|e| wrong("--portal-url", &e))?;
    // Deadlines of bytes and sockets use the wall clock, even if the portal's clock is scaled.
    let clock = ambient.wall.clone();
    let mut client = portal::Settings::new(portal::PortalHost::new(host), Arc::new(move || clock.now()));
    if let Some(agent) = &settings.user_agent {
        client.user_agent.clone_from(agent);
    }
    let paced_by = portal_time.clone();
    client.pacer = Arc::new(portal::Pacer::new(settings.rate, Arc::new(move || paced_by.now())));
    let client = portal::Client::new(client).map_err(|e| wrong("--portal-url", &e))?;
    let now = ambient.wall.now();
    if let Some(why) = crate::workers::presence::disagrees_on_host(&db, &client.host(), now).await? {
        return Err(wrong("--portal-url", &why));
    }
    let config = engine::Config {
        // Two processes with the same name would share one lease.
        node: format!("{}-{}", settings.node, hex::encode(ambient.random.bytes::<4>())),
        speed: settings.speed,
        dry_run: settings.dry_run,
        walks_first: settings.walks_first(),
        billing: settings.billing,
        leads: settings.does(Role::Engine),
        ..engine::Config::default()
    };
    let engine = Engine::new(Context {
        db: pools.engine,
        keyring: Arc::new(ring),
        client: Arc::new(client),
        outward: Arc::default(),
        wall: ambient.wall,
        portal_time,
        random: ambient.random,
        config,
    });
    let pictures = Arc::new(pictures);
    let of_engine = AppState::new(engine, settings, channels);
    let (background, lock) = (pools.background, Some(Arc::new(lock)));
    Ok(AppState { db, background, lock, exporter, google, cards, pictures, operator, ..of_engine })
}

/// Creates the client for sign-in with Google, if it is configured.
fn google(settings: &Settings, wall: &Clock) -> Result<Option<Arc<Provider>>, StartError> {
    // An empty variable counts as unset.
    let given = |value: &Option<String>| value.clone().filter(|v| !v.is_empty());
    let (id, secret) = match (given(&settings.google_client_id), given(&settings.google_client_secret)) {
        (Some(id), Some(secret)) => (id, secret),
        (None, None) => return Ok(None),
        _ => return Err(wrong("--google-client-id", &"set it together with --google-client-secret")),
    };
    let config = oidc::Config {
        issuer: settings.google_issuer.clone(),
        client_id: id,
        client_secret: SecretString::from(secret),
        redirect_uri: format!("{}/api/v1/auth/google/callback", settings.public_url),
        timeout: PROVIDER_TIMEOUT,
    };
    let provider = Provider::new(config, wall.clone()).map_err(|e| wrong("--google-issuer", &e))?;
    Ok(Some(Arc::new(provider)))
}

/// Creates the senders of messages to users' channels.
///
/// # Errors
/// Returns an error if one of their settings is invalid.
pub fn channels(settings: &Settings, wall: &Clock) -> Result<Channels, StartError> {
    let config = settings.channels.config().map_err(|(setting, why)| StartError::Setting(setting, why))?;
    Channels::new(config.with_reports_to(&settings.public_url), wall.clone())
        .map_err(|error| wrong("a notification channel's setting", &error))
}

/// Creates the exporter of metrics if a setting permits reading them. Without a reader, metrics
/// would only use memory.
fn exporter(settings: &Settings) -> Result<Option<Arc<Exporter>>, StartError> {
    if settings.metrics_token.as_ref().is_some_and(|token| token.len() < TOKEN_AT_LEAST) {
        return Err(wrong("--metrics-token", &format!("shorter than {TOKEN_AT_LEAST} characters")));
    }
    let asked = settings.metrics_open || settings.metrics_bind.is_some() || settings.metrics_token.is_some();
    asked.then(Exporter::start).transpose().map_err(|e| wrong("--metrics-bind or --metrics-token", &e))
}

/// Serves requests, polls, delivers mail and does housekeeping until `stop` is cancelled. Then
/// shuts down in order. It also returns if a background loop ends. A supervisor can then restart
/// the process, so that no page is served without the work behind it.
///
/// # Errors
/// Returns an error if the listener or a loop fails, or if the mail settings are invalid.
pub async fn serve(app: AppState, listener: TcpListener, stop: CancellationToken) -> Result<(), StartError> {
    let mut background = tokio::task::JoinSet::new();
    begin_roles(&app, &mut background, &stop)?;
    if let Some(exporter) = &app.exporter {
        background.spawn(exporter.clone().keep_up(stop.clone()));
    }
    if let Some(bind) = app.settings.metrics_bind {
        let own = TcpListener::bind(bind).await.map_err(|e| wrong("--metrics-bind", &e))?;
        tracing::info!(address = %own.local_addr()?, "serving /metrics");
        let (own_routes, ending) = (crate::metrics::own_port(app.clone()), stop.clone());
        background.spawn(async move {
            let served = axum::serve(own, own_routes).with_graceful_shutdown(ending.cancelled_owned()).await;
            if let Err(error) = served {
                tracing::error!(%error, "stopped serving /metrics");
            }
        });
    }
    warn_of_settings(&app);
    let is_web = app.settings.does(Role::Web);
    let routes = if is_web { crate::router(app.clone()) } else { crate::router::probes(app.clone()) };
    let ceilings = app.ceilings.clone();
    let (proxies, times) = (app.settings.trusted_proxies.clone(), app.settings.connection_times);
    let server = connections::serve(listener, routes, ceilings, proxies, times, stop.clone());
    // Open streams must not delay the end.
    let cut = async {
        stop.cancelled().await;
        tokio::time::sleep(Duration::from_secs(5)).await;
    };
    let served = tokio::select! {
        () = server => Ok(()),
        () = cut => Ok(()),
        why = fallen(&mut background, &stop) => Err(StartError::Fell(why)),
    };
    stop.cancel();
    let finish = async { while background.join_next().await.is_some() {} };
    if tokio::time::timeout(Duration::from_secs(12), finish).await.is_err() {
        tracing::warn!("aborting unfinished background work at shutdown");
    }
    Db::close_all(&[&app.engine.context().db, &app.background, &app.db]).await;
    served
}

/// Ends the process because its engine is stalled. An orderly shutdown is impossible in that state.
fn end_process() {
    tracing::error!("ending the process because its engine is stalled; its supervisor can restart it");
    std::process::exit(70);
}

/// Starts the background loops of this server's roles.
fn begin_roles(
    app: &AppState,
    background: &mut tokio::task::JoinSet<()>,
    stop: &CancellationToken,
) -> Result<(), StartError> {
    background.spawn(crate::workers::presence::run(app.in_background(), stop.clone()));
    if app.settings.does(Role::Delivery) {
        let delivery = delivery(app)?;
        background.spawn(delivery.clone().run(stop.clone()));
        background.spawn(crate::workers::operator_alarms::run(app.in_background(), delivery, stop.clone()));
        background.spawn(crate::workers::silence::run(app.in_background(), stop.clone()));
        background.spawn(crate::workers::mail_requests::run(app.in_background(), stop.clone()));
        background.spawn(keep_house(app.in_background(), stop.clone()));
        background.spawn(crate::workers::card_reconciliation::run(app.in_background(), stop.clone()));
    }
    if app.settings.does(Role::Engine) || app.settings.does(Role::Web) {
        // Without the engine's role it never polls or books. Its rounds still refresh the budget of
        // verifications.
        let around = engine::Surroundings {
            database: app.settings.database_url.clone(),
            exit: end_process,
            waits: engine::Waits::default(),
        };
        background.spawn(app.engine.clone().run_watched(around, stop.clone()));
    }
    if app.settings.does(Role::Engine) {
        background.spawn(crate::workers::channel_links::run(app.in_background(), stop.clone()));
    }
    Ok(())
}

/// Logs a warning for each setting that is unsuitable for many users.
fn warn_of_settings(app: &AppState) {
    let (open, wanted) = (app.ceilings.connections(), app.settings.connections);
    if open < wanted {
        tracing::warn!(
            open,
            wanted,
            "serving fewer connections than configured; raise the limit of open files (ulimit -n)"
        );
    }
    if proxies::one_is_unnamed(&app.settings.public_url, &app.settings.trusted_proxies) {
        tracing::warn!(
            "no proxy is trusted, so all clients behind one count as one address; {}",
            proxies::NAME_IT
        );
    }
}

/// Returns the first loop that ends before it is stopped, with the reason.
async fn fallen(background: &mut tokio::task::JoinSet<()>, stop: &CancellationToken) -> String {
    match background.join_next().await {
        Some(ended) if !stop.is_cancelled() => {
            let why = ended.map_or_else(|error| error.to_string(), |()| "it returned no error".to_owned());
            tracing::error!(why, "background loop ended; ending the server");
            why
        }
        // The loops were stopped, or this server has none.
        _ => std::future::pending().await,
    }
}

/// Creates the loop that sends mails, if a mail server is configured, and messages to channels.
fn delivery(app: &AppState) -> Result<Delivery, StartError> {
    let mailer = app.settings.smtp_url.as_ref().map(|url| Mailer::new(url, &app.settings.mail_from));
    let settings = &app.settings.channels;
    Ok(Delivery {
        db: app.background.clone(),
        wall: app.wall.clone(),
        random: app.random.clone(),
        keyring: app.keyring.clone(),
        mailer: mailer.transpose().map_err(|e| wrong("--smtp-url or --mail-from", &e))?,
        channels: app.channels.clone(),
        buckets: Arc::default(),
        sms: SmsQuota {
            per_user: settings.sms_per_month,
            day_mills: i64::from(settings.sms_day_cents) * 10,
            text_mills: i64::from(settings.sms_text_mills),
        },
        site: app.settings.public_url.clone(),
        node: app.settings.node.clone(),
    })
}

async fn keep_house(app: AppState, stop: CancellationToken) {
    loop {
        if let Err(error) = housekeeping_round(&app).await {
            tracing::warn!(%error, "failed to check the ledger or delete expired rows; trying again");
        }
        if let Err(error) = keep_secrets(&app).await {
            tracing::warn!(%error, "failed to delete or rewrap stored secrets; trying again");
        }
        if let Err(error) = crate::workers::digests::round(&app).await {
            tracing::warn!(%error, "failed to prepare digests; trying again");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(HOUSEKEEPING) => {}
        }
    }
}

/// Checks the ledger, freezes money if it does not balance, and deletes old rows.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn housekeeping_round(app: &AppState) -> Result<(), store::Error> {
    let now = app.wall.now();
    // A failed check must not prevent the deletion of old rows.
    let checked = check_books(app, now).await;
    checked.and(forget_old(app, now).await)
}

/// Freezes money if the ledger does not balance.
async fn check_books(app: &AppState, now: domain::clock::Instant) -> Result<(), store::Error> {
    let mut tx = app.db.read().await?;
    let found = store::ledger::check(&mut tx).await?;
    drop(tx);
    engine::metrics::ledger_differences(found.len());
    if let Some(first) = found.first() {
        tracing::error!(?found, "ledger does not balance; freezing money");
        let mut tx = app.db.begin().await?;
        store::ledger::freeze(&mut tx, now, &format!("{} at {}", first.promise, first.place)).await?;
        tx.commit().await?;
    }
    Ok(())
}

/// Deletes old rows.
async fn forget_old(app: &AppState, now: domain::clock::Instant) -> Result<(), store::Error> {
    let portal = app.portal_time.now();
    let mut done = Ok(());
    for what in ExpiringData::all() {
        let before = store::forget::before(what, now, portal);
        match store::forget::forget(&app.db, what, before).await {
            Ok(0) => {}
            Ok(rows) => tracing::debug!(?what, rows, "deleted expired rows"),
            Err(error) => done = done.and(Err(error)),
        }
    }
    done
}

/// Deletes portal passwords that no task needs, and re-encrypts data of older keys under the active
/// key.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn keep_secrets(app: &AppState) -> Result<(), crate::http::error::ApiError> {
    // A failed deletion of a password must not prevent the re-encryption.
    let left = crate::workers::credential_retention::delete_due_round(app).await;
    store::credential::binding::fill(&app.db, &app.keyring).await?;
    let done = store::keyring::rewrap::all(&app.db, &app.keyring, &app.random).await?;
    if done.wrapped > 0 {
        tracing::info!(secrets = done.wrapped, "rewrapped secrets under the active key");
    }
    left
}

async fn set_price(db: &Db, settings: &Settings, ambient: &Ambient) -> Result<(), StartError> {
    let wanted = settings.unit_price.as_deref().map(|text| {
        Money::parse_decimal(text).ok_or_else(|| wrong("--unit-price", &"not an amount such as 38.00"))
    });
    let wanted = wanted.transpose()?;
    let now = ambient.wall.now();
    let id = PricingPlanId::new(now, ambient.random.bytes());
    let mut tx = db.begin().await?;
    match (wanted, store::pricing::standing(&mut tx).await?) {
        (Some(price), _) => store::pricing::set_standing(&mut tx, now, id, price).await?,
        (None, None) => store::pricing::set_standing(&mut tx, now, id, FIRST_PRICE).await?,
        (None, Some(_)) => {}
    }
    tx.commit().await?;
    Ok(())
}

/// Waives the prices of submitted tasks that may still run, because billing is off. Returns an
/// error if any balance, hold or payment is left.
async fn stop_billing(db: &Db, now: Instant) -> Result<(), StartError> {
    let mut tx = db.begin().await?;
    let left = store::billing::outstanding(&mut tx, now).await?.lines();
    if !left.is_empty() {
        let why = format!("money is left: {}; serve with --billing on until none is left", left.join("; "));
        return Err(wrong("--billing off", &why));
    }
    let waived = store::billing::waive(&mut tx, now).await?;
    tx.commit().await?;
    if waived > 0 {
        tracing::info!(tasks = waived, "waived the prices of tasks");
    }
    Ok(())
}

fn portal_time(settings: &Settings, wall: &Clock) -> Clock {
    let plain = (settings.speed - 1.0).abs() < f64::EPSILON;
    if plain && settings.time_anchor.is_none() {
        return wall.clone();
    }
    wall.scaled(settings.time_anchor.unwrap_or_else(|| wall.now()), settings.speed)
}

fn wrong(setting: &'static str, why: &dyn std::fmt::Display) -> StartError {
    StartError::Setting(setting, why.to_string())
}
