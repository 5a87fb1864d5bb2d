//! Simulation of everything outside the product: appointment portal, mail server, identity
//! provider, card provider and notification providers. A control page shows and changes them.
//!
//! One [`world::World`] holds the state, and the servers show and change it. The sandbox shares no
//! code with the product's clients.

pub mod card;
pub mod channel;
mod control;
pub mod identity;
mod inbox;
pub mod journal;
mod net;
mod outgoing;
mod persist;
mod portal;
mod portal_server;
mod ready;
pub mod scenario;
pub mod world;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use chrono::{DateTime, Utc};
use tokio::{net::TcpListener, sync::watch, task::JoinHandle};

pub use inbox::Mail;
pub use ready::{Ready, ReadyAccount};
pub use world::World;
pub use world::answers::Answers;
pub use world::clock::{Clock, ManualClock};

/// Options of a sandbox.
pub struct Options {
    /// Port of the portal, or 0 for any free port.
    pub portal_port: u16,
    /// Port of the control API, the control page and the inbox, or 0 for any free port.
    pub control_port: u16,
    /// Port of the mail server, or 0 for any free port.
    pub smtp_port: u16,
    /// IP address to listen on.
    pub bind: IpAddr,
    /// Seed of all random numbers.
    pub seed: u64,
    /// World seconds per wall second, used by [`Clock::Scaled`].
    pub speed: f64,
    /// World time at the start, or `None` for the current wall time.
    pub anchor: Option<DateTime<Utc>>,
    /// Name of the scenario. See [`scenario::NAMES`].
    pub scenario: String,
    /// Folder in which world, journal and inbox are saved, or `None` to save nothing.
    pub data: Option<PathBuf>,
    /// Source of world time.
    pub clock: Clock,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            portal_port: 0,
            control_port: 0,
            smtp_port: 0,
            bind: IpAddr::V4(Ipv4Addr::LOCALHOST),
            seed: 1,
            speed: 1.0,
            anchor: None,
            scenario: "demo".to_owned(),
            data: None,
            clock: Clock::Scaled,
        }
    }
}

/// Reason why a sandbox could not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The server cannot listen on a port.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address with the port.
        address: SocketAddr,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// No scenario has this name.
    #[error("unknown scenario {0:?}; there are {names}", names = scenario::NAMES.join(", "))]
    UnknownScenario(String),
    /// The saved world cannot be read or written.
    #[error("cannot use the data folder of the sandbox: {0}")]
    Data(#[from] std::io::Error),
    /// The saved world has a format that this version does not support.
    #[error("cannot read the saved world of the sandbox: {0}")]
    Saved(#[from] serde_json::Error),
}

/// State shared by all servers of the sandbox.
pub(crate) struct Shared {
    pub world: Mutex<World>,
    pub inbox: Mutex<inbox::Inbox>,
    pub identity: Mutex<identity::CardLedger>,
    pub clock: world::clock::WorldClock,
    pub changed: watch::Sender<u64>,
    pub urls: std::sync::OnceLock<Ready>,
    pub seed: u64,
    pub saved: Mutex<persist::Progress>,
}

impl Shared {
    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn inbox(&self) -> MutexGuard<'_, inbox::Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn identity(&self) -> MutexGuard<'_, identity::CardLedger> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Advances the world to the current time, runs `act`, and marks the world as changed.
    pub fn step<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        let done = {
            let mut world = self.world();
            let now = self.clock.now();
            world.advance(now);
            act(&mut world)
        };
        self.touch();
        done
    }

    /// Removes and returns the card provider's waiting messages, each signed now.
    pub fn card_messages(&self) -> Vec<card::messages::Message> {
        let present = identity::now(self);
        self.step(|world| {
            world.card.advance(present);
            let card::ledger::CardLedger { messages, dice, .. } = &mut world.card;
            messages.drain(dice, present)
        })
    }

    pub fn touch(&self) {
        self.changed.send_modify(|n| *n += 1);
    }
}

/// Running sandbox. Dropping it stops the servers without saving. [`Sandbox::shutdown`] saves
/// first.
pub struct Sandbox {
    shared: Arc<Shared>,
    ready: Ready,
    stop: watch::Sender<bool>,
    tasks: Vec<JoinHandle<()>>,
    data: Option<PathBuf>,
}

/// Starts portal, control API and mail server.
///
/// # Errors
/// Returns an error if a port is in use, the scenario is unknown, or the saved world is unreadable.
pub async fn start(options: Options) -> Result<Sandbox, Error> {
    let saved = match &options.data {
        Some(folder) => persist::load(folder)?,
        None => None,
    };
    // Continue a saved world at its saved time, so that world time never runs backwards.
    let anchor = match (&saved, options.anchor) {
        (Some((world, _)), given) => Some(world.now.max(given.unwrap_or_else(world::clock::wall))),
        (None, given) => given,
    };
    let clock = world::clock::WorldClock::new(options.clock, anchor, options.speed);
    let (world, inbox) = match saved {
        Some(saved) => saved,
        None => (scenario::build(&options.scenario, options.seed, clock.now())?, inbox::Inbox::default()),
    };
    let shared = Arc::new(Shared {
        world: Mutex::new(world),
        inbox: Mutex::new(inbox),
        identity: Mutex::default(),
        clock,
        changed: watch::Sender::new(0),
        urls: std::sync::OnceLock::new(),
        seed: options.seed,
        saved: Mutex::default(),
    });
    let portal = listen(options.bind, options.portal_port).await?;
    let control = listen(options.bind, options.control_port).await?;
    let smtp = listen(options.bind, options.smtp_port).await?;
    let ready = ready::describe(&shared, &portal, &control, &smtp)?;
    let _ = shared.urls.set(ready.clone());
    let stop = watch::Sender::new(false);
    let mut tasks = vec![
        tokio::spawn(serve_portal(portal, shared.clone(), stop.subscribe())),
        tokio::spawn(serve_control(control, shared.clone(), stop.subscribe())),
        tokio::spawn(inbox::smtp::serve(smtp, shared.clone(), stop.subscribe())),
        tokio::spawn(card::messages::send(shared.clone(), stop.subscribe())),
        tokio::spawn(channel::texting::send(shared.clone(), stop.subscribe())),
    ];
    if let Some(folder) = &options.data {
        persist::save(folder, &shared)?;
        tasks.push(tokio::spawn(persist::keep_saving(folder.clone(), shared.clone(), stop.subscribe())));
    }
    Ok(Sandbox { shared, ready, stop, tasks, data: options.data })
}

impl Sandbox {
    /// Returns addresses and logins.
    pub fn ready(&self) -> Ready {
        let mut ready = self.ready.clone();
        ready.accounts = ready::accounts(&self.shared.world());
        ready
    }

    /// Returns the base address of the portal without locale, e.g. `http://127.0.0.1:4001`.
    pub fn portal_url(&self) -> String {
        self.ready.portal_url.clone()
    }

    /// Returns the base address of the control API and page.
    pub fn control_url(&self) -> String {
        self.ready.control_url.clone()
    }

    /// Returns the mail server's address as `host:port`.
    pub fn smtp_addr(&self) -> String {
        self.ready.smtp.clone()
    }

    /// Advances the world to the current time and runs `act` on it. The portal answers no request
    /// meanwhile.
    pub fn with_world<T>(&self, act: impl FnOnce(&mut World) -> T) -> T {
        self.shared.step(act)
    }

    /// Returns the mails received so far, oldest first.
    pub fn mails(&self) -> Vec<Mail> {
        self.shared.inbox().mails().to_vec()
    }

    /// Removes and returns the card provider's messages, which wait if no webhook address is set.
    /// They are signed now and in random order.
    pub fn card_messages(&self) -> Vec<card::messages::Message> {
        self.shared.card_messages()
    }

    /// Makes the card provider send its messages to this `http` address.
    pub fn set_card_webhook(&self, webhook_url: &str) {
        let webhook_url = Some(webhook_url.to_owned());
        self.with_world(|world| world.card.messages.rules.webhook_url = webhook_url);
    }

    /// Sets the addresses for delivery reports and for replies from phones.
    pub fn set_text_addresses(&self, addresses: channel::TextAddresses) {
        self.with_world(|world| world.channels.texting.connect(addresses));
    }

    /// Returns all messages that the notification providers accepted, oldest first.
    pub fn notifications(&self) -> Vec<channel::Arrival> {
        self.with_world(|world| world.channels.all().to_vec())
    }

    /// Subscribes one more simulated browser to pushes.
    pub fn subscribe_browser(&self) -> Option<channel::Subscription> {
        channel::subscribe(&self.shared)
    }

    /// Returns the current world time.
    pub fn now(&self) -> DateTime<Utc> {
        self.shared.clock.now()
    }

    /// Stops the servers and saves the world.
    ///
    /// # Errors
    /// Returns an error if the data folder cannot be written.
    pub async fn shutdown(mut self) -> Result<(), Error> {
        let _ = self.stop.send(true);
        let deadline = tokio::time::sleep(Duration::from_millis(500));
        let mut deadline = std::pin::pin!(deadline);
        for mut task in std::mem::take(&mut self.tasks) {
            // Do not let an idle kept-alive connection delay the shutdown.
            tokio::select! {
                _ = &mut task => {}
                () = &mut deadline => task.abort(),
            }
        }
        match &self.data {
            Some(folder) => Ok(persist::save_and_close(folder, &self.shared)?),
            None => Ok(()),
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        let _ = self.stop.send(true);
        for task in &self.tasks {
            task.abort();
        }
    }
}

async fn listen(bind: IpAddr, port: u16) -> Result<TcpListener, Error> {
    let address = SocketAddr::new(bind, port);
    TcpListener::bind(address).await.map_err(|source| Error::Listen { address, source })
}

async fn serve_portal(listener: TcpListener, shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let service = portal_server::router(shared).into_make_service_with_connect_info::<net::Fuse>();
    let served =
        axum::serve(net::CuttableListener(listener), service).with_graceful_shutdown(stopped(stop)).await;
    if let Err(error) = served {
        tracing::error!(%error, "portal of the sandbox stopped");
    }
}

async fn serve_control(listener: TcpListener, shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let service = control::router(shared).into_make_service_with_connect_info::<net::Fuse>();
    let served =
        axum::serve(net::CuttableListener(listener), service).with_graceful_shutdown(stopped(stop)).await;
    if let Err(error) = served {
        tracing::error!(%error, "control API of the sandbox stopped");
    }
}

/// Waits until the sandbox is stopped.
pub(crate) async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}
