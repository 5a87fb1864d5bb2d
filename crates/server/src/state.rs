//! Shared state of all handlers.

use std::sync::Arc;

use app::accounts::AccountCtx;
use domain::clock::Clock;
use engine::{Context, Engine};
use providers::channels::Channels;
use providers::oidc::Provider;
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio_util::task::TaskTracker;

use crate::api::stats::PublicStats;
use crate::api::status::Status;
use crate::api::status::history::StatusHistory;
use crate::api::user::export::Exports;
use crate::auth::access_token::AccessTokens;
use crate::auth::password::Passwords;
use crate::auth::relying_party::RelyingParty;
use crate::auth::sessions::Sessions;
use crate::card::Cards;
use crate::config::Settings;
use crate::http::connections::ConnectionLimits;
use crate::http::proxies::ProxyWarning;
use crate::http::queue::{Queue, VERIFICATION_QUEUE};
use crate::http::rate_limit::Limiter;
use crate::live::cached::Cached;
use crate::live::streams::Streams;
use crate::live::streams::rounds::Rounds;
use crate::live::verify_progress::RunningVerifications;
use crate::metrics::Exporter;
use crate::operator::OperatorProfile;
use crate::site::open_pages::Documents;
use crate::site::support_media::Pictures;

/// State of the server, shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// Database, with the connections for requests.
    pub db: Db,
    /// Database, with the connections for mail, card payments and housekeeping.
    pub background: Db,
    /// Lock that prevents other servers from using the same SQLite file.
    pub lock: Option<Arc<store::file_lock::FileLock>>,
    /// Encrypts and decrypts secrets.
    pub keyring: Arc<KeyRing>,
    /// Wall clock for timestamps, tokens and limits; never scaled.
    pub wall: Clock,
    /// Clock of the portal, which may be scaled.
    pub portal_time: Clock,
    /// Source of random bytes.
    pub random: Random,
    /// Issuer and verifier of access tokens.
    pub access: Arc<AccessTokens>,
    /// Cache of live sessions.
    pub sessions: Arc<Sessions>,
    /// Engine of this process, nudged when rows change.
    pub engine: Arc<Engine>,
    /// Settings of this server.
    pub settings: Arc<Settings>,
    /// Hasher of users' passwords.
    pub passwords: Arc<Passwords>,
    /// Queue of verifications of portal logins.
    pub verifications: Arc<Queue>,
    /// Senders of messages to users' channels.
    pub channels: Arc<Channels>,
    /// Limits of calls.
    pub limits: Arc<Limiter>,
    /// Google, or another OpenID Connect provider, if it is configured.
    pub google: Option<Arc<Provider>>,
    /// Documents of the open pages with the facts of this server.
    pub open_pages: Arc<Documents>,
    /// Pictures of the operator.
    pub pictures: Arc<Pictures>,
    /// Profile of the operator.
    pub operator: Arc<OperatorProfile>,
    /// Card payments, if they are configured.
    pub cards: Option<Arc<Cards>>,
    /// Users with an export in progress.
    pub exports: Exports,
    /// Progress of verifications.
    pub verifying: Arc<RunningVerifications>,
    /// Number of open event streams by user.
    pub streams: Arc<Streams>,
    /// Limits of connections, requests and streams on this server's port, with the current counts.
    pub ceilings: Arc<ConnectionLimits>,
    /// Time of the last warning about a proxy that is not configured.
    pub unnamed_proxy: Arc<ProxyWarning>,
    /// Periodic check for changed rows, which wakes the event streams of their users.
    pub rounds: Arc<Rounds>,
    /// Cached status of the service.
    pub status: Arc<Cached<Status>>,
    /// Cached public figures.
    pub public_stats: Arc<Cached<PublicStats>>,
    /// Cached status history.
    pub status_history: Arc<Cached<StatusHistory>>,
    /// Work deferred until after a response, so that response times reveal nothing.
    pub afterwards: TaskTracker,
    /// Metrics, if they are exported.
    pub exporter: Option<Arc<Exporter>>,
}

impl AppState {
    /// Creates the state of a server around its engine.
    #[must_use]
    pub fn new(engine: Arc<Engine>, settings: Settings, channels: Channels) -> Self {
        let Context { db, keyring, wall, portal_time, random, .. } = engine.context().clone();
        let access = Arc::new(AccessTokens::new(&keyring, &settings.public_url));
        let passwords = Arc::new(Passwords::new(&random));
        let verifications = Queue::new(VERIFICATION_QUEUE);
        let limits = Arc::new(Limiter::new(settings.mails_per_minute));
        Self {
            background: db.clone(),
            db,
            lock: None,
            keyring,
            wall,
            portal_time,
            random,
            access,
            sessions: Arc::default(),
            engine,
            passwords,
            verifications,
            channels: Arc::new(channels),
            limits,
            google: None,
            open_pages: Arc::default(),
            pictures: Arc::default(),
            operator: Arc::default(),
            cards: None,
            exports: Exports::default(),
            verifying: Arc::default(),
            streams: Arc::default(),
            ceilings: Arc::new(ConnectionLimits::new(settings.connections, settings.connections_per_address)),
            unnamed_proxy: Arc::default(),
            rounds: Arc::default(),
            status: Arc::default(),
            public_stats: Arc::default(),
            status_history: Arc::default(),
            afterwards: TaskTracker::new(),
            exporter: None,
            settings: Arc::new(settings),
        }
    }

    /// Returns the state for background loops, which have separate connections.
    #[must_use]
    pub fn in_background(&self) -> Self {
        Self { db: self.background.clone(), ..self.clone() }
    }

    /// Returns the context of verifications: the engine's context, with the connections for
    /// requests.
    #[must_use]
    pub fn context(&self) -> Context {
        Context { db: self.db.clone(), ..self.engine.context().clone() }
    }

    /// Returns the context of use cases.
    #[must_use]
    pub fn use_cases(&self) -> app::Ctx {
        app::Ctx {
            wall: self.wall.clone(),
            portal_time: self.portal_time.clone(),
            random: self.random.clone(),
            billing: self.settings.billing,
        }
    }

    /// Returns the context of the use cases of accounts.
    #[must_use]
    pub fn accounts(&self) -> AccountCtx {
        AccountCtx {
            ctx: self.use_cases(),
            keyring: self.keyring.clone(),
            public_url: self.settings.public_url.as_str().into(),
            has_mail: self.mail_configured(),
        }
    }

    /// Returns the current time of the wall clock.
    #[must_use]
    pub fn now(&self) -> domain::clock::Instant {
        self.wall.now()
    }

    /// Returns the host for which passkeys are accepted; `None` at an address where browsers offer
    /// none.
    #[must_use]
    pub fn relying_party(&self) -> Option<RelyingParty> {
        RelyingParty::of(&self.settings.public_url)
    }

    /// Returns `true` if a mail server is configured, so users must verify their address before
    /// they sign in.
    #[must_use]
    pub fn mail_configured(&self) -> bool {
        self.settings.smtp_url.is_some()
    }
}
