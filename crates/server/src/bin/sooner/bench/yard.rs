//! A portal, a database and an engine for measuring, in virtual or real time.

use std::path::Path;
use std::sync::Arc;

use super::apart::Apart;
use ::sandbox::Sandbox;
use ::sandbox::world::accounts::Appointment;
use ::sandbox::world::{NewAccount, NewGroup};
use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::{Clock, ManualClock};
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use domain::wish::{ExcludedDates, Wish};
use engine::verify::{Login, verify};
use engine::{Config, Context, Engine};
use secrecy::SecretString;
use store::keyring::KeyRing;
use store::task::AgreedPrice;
use store::user::NewUser;
use store::{Db, Random};

/// Where and when everything happens: Toronto, from 19:30 on, when booked accounts see days.
pub const TORONTO: u16 = 94;
pub const OTTAWA: u16 = 92;
const START: &str = "2026-11-25T00:30:00Z";

/// Everything a measure needs.
pub struct Yard {
    pub clock: Option<ManualClock>,
    pub engine: Arc<Engine>,
    pub ctx: Context,
    world: World,
    tasks: parking_lot::Mutex<Vec<TaskId>>,
}

/// Where the sandbox runs.
enum World {
    Here(Box<Sandbox>),
    Apart(Apart),
}

impl Yard {
    /// In virtual time when `virtual_time`, else on the wall's.
    pub async fn new(folder: &Path, virtual_time: bool, config: Config) -> anyhow::Result<Self> {
        let ambient = crate::shared::ambient()?;
        let start: DateTime<Utc> = START.parse()?;
        let clock = virtual_time.then(|| ManualClock::new(start));
        let begun = ambient.wall.now();
        let wall = ambient.wall.clone();
        // On the wall's time the world still begins in the evening of Toronto, whenever the measure is taken.
        let evening = Clock::new(move || start + (wall.now() - begun));
        let time: Clock = clock.as_ref().map_or(evening, ManualClock::clock);
        let world_time = time.clone();
        let world_clock = if virtual_time {
            ::sandbox::Clock::Custom(Arc::new(move || world_time.now()))
        } else {
            ::sandbox::Clock::Scaled
        };
        let sandbox = ::sandbox::start(::sandbox::Options {
            scenario: "empty".to_owned(),
            clock: world_clock,
            anchor: Some(start),
            ..::sandbox::Options::default()
        })
        .await?;
        Self::over(folder, World::Here(Box::new(sandbox)), clock, time, config).await
    }

    /// In virtual time, with the sandbox in a process of its own and on the wall's time.
    pub async fn apart(folder: &Path, config: Config) -> anyhow::Result<Self> {
        let clock = ManualClock::new(START.parse()?);
        let world = World::Apart(Apart::start(START).await?);
        let time = clock.clock();
        Self::over(folder, world, Some(clock), time, config).await
    }

    async fn over(
        folder: &Path,
        world: World,
        clock: Option<ManualClock>,
        time: Clock,
        config: Config,
    ) -> anyhow::Result<Self> {
        let ambient = crate::shared::ambient()?;
        let db = Db::open(&format!("sqlite:{}", folder.join("bench.db").display())).await?;
        store::migrate::migrate(&db).await?;
        let random = Random::seeded(1);
        let client_time = ambient.wall.clone();
        let url = match &world {
            World::Here(sandbox) => sandbox.portal_url(),
            World::Apart(apart) => apart.portal_url().to_owned(),
        };
        let host = ::portal::PortalHost::new(url.parse()?);
        let mut settings = ::portal::Settings::new(host, Arc::new(move || client_time.now()));
        let pacer_time = settings.clock.clone();
        settings.pacer = Arc::new(::portal::Pacer::new(::portal::Rate::UNLIMITED, pacer_time));
        let ctx = Context {
            db,
            keyring: Arc::new(KeyRing::generate(&random)),
            client: Arc::new(::portal::Client::new(settings)?),
            outward: Arc::default(),
            wall: if clock.is_some() { time.clone() } else { ambient.wall },
            portal_time: time,
            random,
            config,
        };
        let engine = Engine::new(ctx.clone());
        Ok(Self { clock, engine, ctx, world, tasks: parking_lot::Mutex::default() })
    }

    /// The same with a fresh engine that may not look.
    #[must_use]
    pub fn resting(mut self) -> Self {
        self.ctx.config.looks_per_second = 0.0;
        self.engine = Engine::new(self.ctx.clone());
        self
    }

    /// Changes the world of a sandbox in this process.
    pub fn with_world<T>(&self, act: impl FnOnce(&mut ::sandbox::World) -> T) -> anyhow::Result<T> {
        match &self.world {
            World::Here(sandbox) => Ok(sandbox.with_world(act)),
            World::Apart(_) => anyhow::bail!("this sandbox runs apart"),
        }
    }

    /// Posts to the control API of a sandbox in a process of its own.
    pub async fn control(&self, path: &str, body: &serde_json::Value) -> anyhow::Result<serde_json::Value> {
        match &self.world {
            World::Apart(apart) => apart.post(path, body).await,
            World::Here(_) => anyhow::bail!("this sandbox runs in this process"),
        }
    }

    /// Days requests so far, by the portal's own journal.
    pub async fn looks(&self) -> anyhow::Result<usize> {
        match &self.world {
            World::Here(sandbox) => {
                Ok(sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "days").count()))
            }
            World::Apart(apart) => apart.count("days").await,
        }
    }

    /// Every task made here.
    pub fn tasks(&self) -> Vec<TaskId> {
        self.tasks.lock().clone()
    }

    /// A portal account with one group booked far ahead in Toronto, and a submitted task for it.
    pub async fn task(&self, name: &str, notify_only: bool) -> anyhow::Result<TaskId> {
        self.task_in(name, notify_only, TORONTO).await
    }

    /// The same for another city.
    pub async fn task_in(&self, name: &str, notify_only: bool, city: u16) -> anyhow::Result<TaskId> {
        let today = FacilityId(city).today(self.ctx.portal_time.now());
        let username = format!("{name}@example.com");
        let appointment = Appointment {
            facility: city.into(),
            date: today + TimeDelta::days(400),
            time: chrono::NaiveTime::from_hms_opt(8, 15, 0).context("a time")?,
        };
        match &self.world {
            World::Here(sandbox) => {
                let account = NewAccount {
                    username: username.clone(),
                    password: "Maple-2026".to_owned(),
                    groups: vec![NewGroup { appointment: Some(appointment), ..NewGroup::default() }],
                };
                sandbox.with_world(|w| w.add_account(account));
            }
            World::Apart(apart) => {
                let account = serde_json::json!({
                    "username": username, "password": "Maple-2026", "groups": [{ "appointment": appointment }],
                });
                apart.post("/control/accounts", &account).await?;
            }
        }
        let user = self.user(name).await?;
        let login = Login {
            user,
            username,
            password: SecretString::from("Maple-2026".to_owned()),
            country: "en-ca".to_owned(),
            visa_type: "niv".to_owned(),
        };
        let found =
            verify(&self.engine, &self.ctx, &login).await.context("the sandbox refused a verification")?;
        let task = found.first().context("the sandbox's account has no group")?.id;
        let wish = Wish {
            cities: vec![FacilityId(city)],
            start_date: today,
            end_date: today + TimeDelta::days(390),
            excluded: ExcludedDates::default(),
            minimum_days_from_current: 0,
            min_improvement_days: 1,
            max_reschedules: 20,
            last_attempt_until: Some(today + TimeDelta::days(390)),
            notify_only,
        };
        let now = self.ctx.wall.now();
        let mut tx = self.ctx.db.begin().await?;
        store::task::set_wish(&mut tx, task, &wish, now).await?;
        let source = (store::ledger::SOURCE_TASK, task.0);
        let hold = store::ledger::hold(&mut tx, &self.ctx.random, user, Money::cad(500), source, now).await?;
        let price = AgreedPrice::plain(500, 1);
        store::task::submit(&mut tx, task, price, Some(hold), false, now).await?;
        tx.commit().await?;
        self.tasks.lock().push(task);
        Ok(task)
    }

    async fn user(&self, name: &str) -> anyhow::Result<UserId> {
        let now = self.ctx.wall.now();
        let id = UserId::new(now, self.ctx.random.bytes());
        let new = NewUser {
            id,
            email: format!("{name}@users.example.com"),
            password_hash: None,
            language: "zh".to_owned(),
            referral_code: name.to_owned(),
            referred_by: None,
            email_verified_at: Some(now),
        };
        let mut tx = self.ctx.db.begin().await?;
        store::user::insert(&mut tx, &new, now).await?;
        let source = ("bench", id.0);
        store::ledger::topup(&mut tx, &self.ctx.random, id, Money::cad(1_000), source, now).await?;
        tx.commit().await?;
        Ok(id)
    }
}
