//! What every handler can reach.

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
use crate::api::status::history::CachedHistory;
use crate::api::user::export::Exports;
use crate::auth::access_token::AccessTokens;
use crate::auth::password::Passwords;
use crate::auth::sessions::Sessions;
use crate::card::Cards;
use crate::config::Settings;
use crate::http::connections::Ceilings;
use crate::http::proxies::Unnamed;
use crate::http::queue::{Queue, VERIFICATION_QUEUE};
use crate::http::rate_limit::Limiter;
use crate::live::cached::Cached;
use crate::live::streams::Streams;
use crate::live::streams::rounds::Rounds;
use crate::live::verify_progress::Board;
use crate::metrics::Exporter;
use crate::operator::OperatorProfile;
use crate::site::open_pages::Documents;
use crate::site::support_media::Pictures;

/// Shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// The database, over the connections for requests.
    pub db: Db,
    /// The database, over the connections for mail, card payments and housekeeping.
    pub background: Db,
    /// Keeps other servers from the same SQLite file while this one lives.
    pub lock: Option<Arc<store::file_lock::FileLock>>,
    /// Seals and opens secrets.
    pub keyring: Arc<KeyRing>,
    /// Stamps, tokens, throttles; never scaled.
    pub wall: Clock,
    /// Time as the portal's side of the world has it.
    pub portal_time: Clock,
    /// Random bytes.
    pub random: Random,
    /// Signs and reads access tokens.
    pub access: Arc<AccessTokens>,
    /// Which sign-ins still count.
    pub sessions: Arc<Sessions>,
    /// The engine of this process, nudged when rows change.
    pub engine: Arc<Engine>,
    /// How this server is set up.
    pub settings: Arc<Settings>,
    /// Hashes and checks users' passwords.
    pub passwords: Arc<Passwords>,
    /// Verifications of portal logins that wait for the portal.
    pub verifications: Arc<Queue>,
    /// What messages to users' channels are sent by.
    pub channels: Arc<Channels>,
    /// How often something may be tried.
    pub limits: Arc<Limiter>,
    /// Google, or another provider of OpenID Connect, where one is set up.
    pub google: Option<Arc<Provider>>,
    /// The open pages' documents with what this server says of itself.
    pub open_pages: Arc<Documents>,
    /// The operator's pictures.
    pub pictures: Arc<Pictures>,
    /// What the operator says of themselves.
    pub operator: Arc<OperatorProfile>,
    /// Card payments, where they are set up.
    pub cards: Option<Arc<Cards>>,
    /// Exports of people's data that may be made at once.
    pub exports: Exports,
    /// How far verifications are.
    pub verifying: Arc<Board>,
    /// Open event streams, by person.
    pub streams: Arc<Streams>,
    /// What is open on this server's port, and how much may be.
    pub ceilings: Arc<Ceilings>,
    /// When somebody was last warned of a proxy that was not named.
    pub unnamed_proxy: Arc<Unnamed>,
    /// What they are told to look at.
    pub rounds: Arc<Rounds>,
    /// How the service does, as everybody was last told.
    pub status: Arc<Cached<Status>>,
    /// What it did for everybody so far, likewise.
    pub public_stats: Arc<Cached<PublicStats>>,
    /// How the service did lately, as it was last told.
    pub status_history: Arc<CachedHistory>,
    /// What is done once an answer was given, so that its time tells nothing.
    pub afterwards: TaskTracker,
    /// What is counted, where somebody may ask for it.
    pub exporter: Option<Arc<Exporter>>,
}

impl AppState {
    /// The state of a server around its engine.
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
            ceilings: Arc::new(Ceilings::new(settings.connections, settings.connections_per_address)),
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

    /// The same for loops beside the requests: they have connections of their own.
    #[must_use]
    pub fn in_background(&self) -> Self {
        Self { db: self.background.clone(), ..self.clone() }
    }

    /// What a verification works with: the engine's context, over the connections for requests.
    #[must_use]
    pub fn context(&self) -> Context {
        Context { db: self.db.clone(), ..self.engine.context().clone() }
    }

    /// What use cases work with.
    #[must_use]
    pub fn use_cases(&self) -> app::Ctx {
        app::Ctx {
            wall: self.wall.clone(),
            portal_time: self.portal_time.clone(),
            random: self.random.clone(),
            billing: self.settings.billing,
        }
    }

    /// What use cases of accounts work with.
    #[must_use]
    pub fn accounts(&self) -> AccountCtx {
        AccountCtx {
            ctx: self.use_cases(),
            keyring: self.keyring.clone(),
            public_url: self.settings.public_url.as_str().into(),
            has_mail: self.mail_configured(),
        }
    }

    /// The wall clock's present.
    #[must_use]
    pub fn now(&self) -> domain::clock::Instant {
        self.wall.now()
    }

    /// Whether people must prove their address before they sign in.
    #[must_use]
    pub fn mail_configured(&self) -> bool {
        self.settings.smtp_url.is_some()
    }
}
