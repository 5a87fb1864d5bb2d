//! Portal, database and engine for a benchmark, in virtual or real time.

use domain::country::{CountryCode, VisaType};
use std::path::Path;
use std::sync::Arc;

use crate::apart::Apart;
use ::sandbox::Sandbox;
use ::sandbox::world::accounts::Appointment;
use ::sandbox::world::country::Country;
use ::sandbox::world::{NewAccount, NewGroup};
use anyhow::Context as _;
use chrono::{DateTime, TimeDelta, Utc};
use domain::clock::{Clock, ManualClock};
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use engine::verify_login::Login;
use engine::{Config, Context, Engine};
use secrecy::SecretString;
use store::keyring::KeyRing;
use store::task::AgreedPrice;
use store::user::NewUser;
use store::{Db, Random};

/// Invented portal account with one group, and the search criteria of its task.
pub struct FixtureAccount {
    /// Unique name of the account.
    pub name: String,
    /// Current appointment of the group.
    pub appointment: Appointment,
    /// Number of reschedules left at the portal.
    pub attempts: u32,
    /// Search criteria of the task.
    pub criteria: SearchCriteria,
}

/// Toronto, the city of most benchmarks. At `START` it is 19:30 there, when accounts with an
/// appointment see free dates.
pub const TORONTO: u16 = 94;
pub const OTTAWA: u16 = 92;
const START: &str = "2026-11-25T00:30:00Z";

/// Portal, database and engine of one benchmark.
pub struct Fixture {
    pub clock: Option<ManualClock>,
    pub engine: Arc<Engine>,
    pub ctx: Context,
    world: World,
    tasks: parking_lot::Mutex<Vec<TaskId>>,
}

/// Process in which the sandbox runs.
enum World {
    Here(Box<Sandbox>),
    Apart(Apart),
}

impl Fixture {
    /// Creates a fixture. Uses virtual time if `virtual_time` is `true`, otherwise wall time.
    pub async fn new(folder: &Path, virtual_time: bool, config: Config) -> anyhow::Result<Self> {
        Self::on(sqlite(folder).await?, virtual_time, config).await
    }

    /// Creates a fixture on the given empty database.
    pub async fn on(db: Db, virtual_time: bool, config: Config) -> anyhow::Result<Self> {
        let ambient = server::run::Ambient::system()?;
        let start: DateTime<Utc> = START.parse()?;
        let clock = virtual_time.then(|| ManualClock::new(start));
        let begun = ambient.wall.now();
        let wall = ambient.wall.clone();
        // In wall time, the world still begins in the evening in Toronto, independently of the time
        // at which the benchmark runs.
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
        Self::assemble(db, World::Here(Box::new(sandbox)), clock, time, config).await
    }

    /// Creates a fixture whose portal time starts at `anchor` and runs `speed` times as fast as
    /// wall time. Restricted hours are switched off.
    pub async fn scaled(db: Db, anchor: DateTime<Utc>, speed: f64, config: Config) -> anyhow::Result<Self> {
        let options = ::sandbox::Options {
            scenario: "empty".to_owned(),
            clock: ::sandbox::Clock::Scaled,
            anchor: Some(anchor),
            speed,
            ..::sandbox::Options::default()
        };
        let sandbox = ::sandbox::start(options).await?;
        sandbox.with_world(|w| w.config.restricted_hours = false);
        let time = server::run::Ambient::system()?.wall.scaled(anchor, speed);
        Self::assemble(db, World::Here(Box::new(sandbox)), None, time, config).await
    }

    /// Creates a fixture in virtual time. The sandbox runs in a separate process, in wall time.
    pub async fn apart(folder: &Path, config: Config) -> anyhow::Result<Self> {
        let clock = ManualClock::new(START.parse()?);
        let world = World::Apart(Apart::start(START).await?);
        let time = clock.clock();
        Self::assemble(sqlite(folder).await?, world, Some(clock), time, config).await
    }

    async fn assemble(
        db: Db,
        world: World,
        clock: Option<ManualClock>,
        time: Clock,
        config: Config,
    ) -> anyhow::Result<Self> {
        let ambient = server::run::Ambient::system()?;
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

    /// Replaces the engine by a new engine that may not poll.
    #[must_use]
    pub fn resting(mut self) -> Self {
        self.ctx.config.polls_per_second = 0.0;
        self.engine = Engine::new(self.ctx.clone());
        self
    }

    /// Replaces the engine by a new engine with a limited request rate. The creation of tasks stays
    /// unlimited.
    pub fn paced(mut self, rate: ::portal::Rate) -> anyhow::Result<Self> {
        let (time, clock) = (self.ctx.wall.clone(), self.ctx.wall.clone());
        let host = ::portal::PortalHost::new(format!("http://{}", self.ctx.client.host()).parse()?);
        let mut settings = ::portal::Settings::new(host, Arc::new(move || time.now()));
        settings.pacer = Arc::new(::portal::Pacer::new(rate, Arc::new(move || clock.now())));
        let client = Arc::new(::portal::Client::new(settings)?);
        self.engine = Engine::new(Context { client, ..self.ctx.clone() });
        Ok(self)
    }

    /// Changes the world of the sandbox. Fails if the sandbox runs in a separate process.
    pub fn with_world<T>(&self, act: impl FnOnce(&mut ::sandbox::World) -> T) -> anyhow::Result<T> {
        match &self.world {
            World::Here(sandbox) => Ok(sandbox.with_world(act)),
            World::Apart(_) => anyhow::bail!("the sandbox runs in a separate process"),
        }
    }

    /// Returns the sandbox. Fails if the sandbox runs in a separate process.
    pub fn sandbox(&self) -> anyhow::Result<&Sandbox> {
        match &self.world {
            World::Here(sandbox) => Ok(sandbox),
            World::Apart(_) => anyhow::bail!("the sandbox runs in a separate process"),
        }
    }

    /// Sends a POST request to the control API. Fails unless the sandbox runs in a separate
    /// process.
    pub async fn control(&self, path: &str, body: &serde_json::Value) -> anyhow::Result<serde_json::Value> {
        match &self.world {
            World::Apart(apart) => apart.post(path, body).await,
            World::Here(_) => anyhow::bail!("the sandbox runs in this process"),
        }
    }

    /// Returns the number of polls so far, as recorded in the portal's journal.
    pub async fn polls(&self) -> anyhow::Result<usize> {
        match &self.world {
            World::Here(sandbox) => {
                Ok(sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "days").count()))
            }
            World::Apart(apart) => apart.count("days").await,
        }
    }

    /// Returns all tasks created by this fixture.
    pub fn tasks(&self) -> Vec<TaskId> {
        self.tasks.lock().clone()
    }

    /// Creates a portal account whose group has a late appointment in Toronto, and a submitted task
    /// for the group.
    pub async fn task(&self, name: &str, notify_only: bool) -> anyhow::Result<TaskId> {
        self.task_in(name, notify_only, TORONTO).await
    }

    /// Creates an account and a task like [`Self::task`], in another city.
    pub async fn task_in(&self, name: &str, notify_only: bool, city: u16) -> anyhow::Result<TaskId> {
        let today = FacilityId::try_from(city).expect("a known city").today(self.ctx.portal_time.now());
        let mut person = self.person(name, city)?;
        person.criteria.mode = if notify_only {
            domain::criteria::BookingMode::Notify
        } else {
            domain::criteria::BookingMode::Auto
        };
        person.criteria.last_attempt_until = Some(today + TimeDelta::days(390));
        self.task_of(person).await
    }

    /// Returns an account with a late appointment in a city. Its criteria accept every earlier date
    /// in that city.
    pub fn person(&self, name: &str, city: u16) -> anyhow::Result<FixtureAccount> {
        let today = FacilityId::try_from(city).expect("a known city").today(self.ctx.portal_time.now());
        let appointment = Appointment {
            facility: city.into(),
            date: today + TimeDelta::days(400),
            time: chrono::NaiveTime::from_hms_opt(8, 15, 0).context("invalid time")?,
        };
        let criteria = SearchCriteria {
            cities: vec![FacilityId::try_from(city).expect("a known city")],
            start_date: today,
            end_date: today + TimeDelta::days(390),
            excluded: ExcludedDates::default(),
            weekdays: Default::default(),
            times: Default::default(),
            minimum_days_from_current: 0,
            min_improvement_days: 1,
            max_reschedules: 20,
            last_attempt_until: None,
            fingerprints: None,
            mode: domain::criteria::BookingMode::Auto,
        };
        Ok(FixtureAccount { name: name.to_owned(), appointment, attempts: 3, criteria })
    }

    /// Creates the account in the sandbox's portal.
    async fn account(&self, person: &FixtureAccount) -> anyhow::Result<String> {
        let username = format!("{}@example.com", person.name);
        let appointment = person.appointment.clone();
        match &self.world {
            World::Here(sandbox) => {
                let country = Country::of_facility(appointment.facility);
                let place = country.and_then(|country| country.asc.first());
                let fingerprints = place.map(|place| Appointment {
                    facility: place.id,
                    date: appointment.date - TimeDelta::days(5),
                    time: appointment.time,
                });
                let group = NewGroup {
                    country,
                    appointment: Some(appointment),
                    asc: fingerprints,
                    attempts: Some(person.attempts),
                    ..NewGroup::default()
                };
                let account = NewAccount {
                    username: username.clone(),
                    password: "Maple-2026".to_owned(),
                    groups: vec![group],
                };
                sandbox.with_world(|w| w.add_account(account));
            }
            World::Apart(apart) => {
                let account = serde_json::json!({
                    "username": username, "password": "Maple-2026",
                    "groups": [{ "appointment": appointment, "attempts": person.attempts }],
                });
                apart.post("/control/accounts", &account).await?;
            }
        }
        Ok(username)
    }

    /// Creates a user and a portal account. Returns the login, ready for verification.
    pub async fn login(&self, person: &FixtureAccount) -> anyhow::Result<Login> {
        Ok(Login {
            user: self.user(&person.name).await?,
            username: self.account(person).await?,
            password: SecretString::from("Maple-2026".to_owned()),
            country: person
                .criteria
                .cities
                .first()
                .map_or(CountryCode::CANADA, |city| city.facility().country),
            visa_type: VisaType::Niv,
        })
    }

    /// Creates a portal account and a submitted task for its group.
    pub async fn task_of(&self, person: FixtureAccount) -> anyhow::Result<TaskId> {
        let login = self.login(&person).await?;
        let found =
            self.engine.verify(&self.ctx, &login).await.context("the sandbox refused a verification")?;
        let task = found.first().context("the sandbox's account has no group")?.id;
        let (user, now) = (login.user, self.ctx.wall.now());
        let mut tx = self.ctx.db.begin().await?;
        store::task::set_criteria(&mut tx, task, &person.criteria, now).await?;
        let source = (store::ledger::SOURCE_TASK, task.0);
        let hold = store::ledger::hold(&mut tx, &self.ctx.random, user, Money::cad(500), source, now).await?;
        let price = AgreedPrice::plain(500, 1);
        store::task::submit(&mut tx, task, price, Some(hold), now).await?;
        tx.commit().await?;
        self.tasks.lock().push(task);
        Ok(task)
    }

    /// Deletes tasks, so that new slots are booked for other tasks only.
    pub async fn delete(&self, tasks: &[TaskId]) -> anyhow::Result<()> {
        let mut tx = self.ctx.db.begin().await?;
        for task in tasks {
            store::task::delete(&mut tx, *task, self.ctx.wall.now()).await?;
        }
        tx.commit().await?;
        self.engine.nudge();
        Ok(())
    }

    /// Waits until `done` returns `true` for a task. Returns `false` after ten seconds.
    pub async fn wait(
        &self,
        task: TaskId,
        done: impl Fn(&store::task::Task) -> bool,
    ) -> anyhow::Result<bool> {
        for _ in 0..2_000 {
            let mut tx = self.ctx.db.read().await?;
            let row = store::task::get(&mut tx, task).await?;
            tx.commit().await?;
            if row.is_some_and(|t| done(&t)) {
                return Ok(true);
            }
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
        Ok(false)
    }

    /// Adds a slot that stays free until it is booked.
    pub fn slot(&self, city: u16, date: chrono::NaiveDate) -> anyhow::Result<()> {
        let time = chrono::NaiveTime::from_hms_opt(9, 15, 0).context("invalid time")?;
        self.with_world(|w| {
            w.add_slot(::sandbox::world::slots::NewSlot {
                pool: "B1/B2".to_owned(),
                facility: city.into(),
                date,
                time,
                lifetime_seconds: None,
                delay_seconds: None,
                max_party: 9,
                phantom: false,
            })
        })?;
        Ok(())
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

async fn sqlite(folder: &Path) -> anyhow::Result<Db> {
    Ok(Db::open(&format!("sqlite:{}", folder.join("bench.db").display())).await?)
}
