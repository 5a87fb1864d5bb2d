//! What every handler can reach.

use std::sync::Arc;

use domain::clock::Clock;
use engine::{Context, Engine};
use providers::oidc::Provider;
use store::keyring::KeyRing;
use store::{Db, Random};
use tokio::sync::{Notify, Semaphore};

use crate::api::events::Streams;
use crate::api::schedules::Board;
use crate::api::status::history::Kept;
use crate::auth::access::AccessTokens;
use crate::auth::password::Passwords;
use crate::auth::sessions::Sessions;
use crate::card::Cards;
use crate::config::Settings;
use crate::limits::Limiter;
use crate::metrics::Exporter;
use crate::open_pages::Documents;
use crate::pictures::Pictures;

/// Shared by all handlers; cheap to clone.
#[derive(Clone)]
pub struct AppState {
    /// The database.
    pub db: Db,
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
    /// Wakes the mail loop: something was queued.
    pub mail: Arc<Notify>,
    /// How often something may be tried.
    pub limits: Arc<Limiter>,
    /// Google, or another provider of OpenID Connect, where one is set up.
    pub google: Option<Arc<Provider>>,
    /// The open pages' documents with what this server says of itself.
    pub open_pages: Arc<Documents>,
    /// The operator's pictures.
    pub pictures: Arc<Pictures>,
    /// Card payments, where they are set up.
    pub cards: Option<Arc<Cards>>,
    /// Exports of people's data that may be made at once.
    pub exports: Arc<Semaphore>,
    /// How far verifications are.
    pub verifying: Arc<Board>,
    /// Open event streams.
    pub streams: Arc<Streams>,
    /// How the service did lately, as it was last told.
    pub status_history: Arc<Kept>,
    /// What is counted, where somebody may ask for it.
    pub exporter: Option<Arc<Exporter>>,
}

impl AppState {
    /// The state of a server around its engine.
    #[must_use]
    pub fn new(engine: Arc<Engine>, settings: Settings) -> Self {
        let Context { db, keyring, wall, portal_time, random, .. } = engine.context().clone();
        let access = Arc::new(AccessTokens::new(&keyring, &settings.public_url));
        let passwords = Arc::new(Passwords::new(&random));
        let limits = Arc::new(Limiter::new(settings.mails_per_minute));
        Self {
            db,
            keyring,
            wall,
            portal_time,
            random,
            access,
            sessions: Arc::default(),
            engine,
            settings: Arc::new(settings),
            passwords,
            mail: Arc::default(),
            limits,
            google: None,
            open_pages: Arc::default(),
            pictures: Arc::default(),
            cards: None,
            exports: Arc::new(Semaphore::new(2)),
            verifying: Arc::default(),
            streams: Arc::default(),
            status_history: Arc::default(),
            exporter: None,
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
