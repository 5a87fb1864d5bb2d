//! Stage of a story: one virtual clock, one sandbox portal, one database, one engine.

use domain::country::{CountryCode, VisaType};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use domain::appointment::Slot;
use domain::clock::ManualClock;
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use engine::verify_login::{Login, NotVerified, Verification};
use engine::{Config, Context, Engine};
use sandbox::journal::{Effect, Entry};
use sandbox::world::accounts::Appointment;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;
use sandbox::world::{NewAccount, NewGroup};
use sandbox::{Answers, Sandbox};
use secrecy::SecretString;
use store::Random;
use store::keyring::KeyRing;
use store::task::{AgreedPrice, Task};
use store::user::NewUser;

use crate::database;
use crate::oracle::{Ages, Change, Watch};
use crate::time::Driver;

pub(crate) const TORONTO: u16 = 94;
pub(crate) const OTTAWA: u16 = 92;
/// 19:30 in Toronto, after its restricted hours.
pub(crate) const START: &str = "2026-11-25T00:30:00Z";
const UNIT: i64 = 3800;

/// Stored journal entry.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub at: DateTime<Utc>,
    pub kind: String,
    pub data: serde_json::Value,
}

pub(crate) struct Stage {
    pub clock: ManualClock,
    pub sandbox: Sandbox,
    pub engine: Arc<Engine>,
    pub ctx: Context,
    /// Portal client for the setup. It uses another request budget than the engine's.
    setting_up: Arc<portal::Client>,
    answers: Answers,
    /// Microseconds by which the engine's clocks are ahead of the world's.
    ahead: Arc<AtomicI64>,
    /// Record of watched calendars, for the oracle.
    watch: Watch,
    _folder: tempfile::TempDir,
}

pub(crate) fn day(text: &str) -> NaiveDate {
    text.parse().expect("a date")
}

pub(crate) fn at(facility: u16, date: &str, time: &str) -> Appointment {
    Appointment { facility: facility.into(), date: day(date), time: clock_time(time) }
}

fn login(country: CountryCode, user: UserId, name: &str, password: &str) -> Login {
    Login {
        user,
        username: format!("{name}@example.com"),
        password: SecretString::from(password.to_owned()),
        country,
        visa_type: VisaType::Niv,
    }
}

fn clock_time(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, "%H:%M").expect("a time")
}

impl Stage {
    /// Starts an empty world at [`START`].
    pub async fn new() -> Self {
        Self::with(Config::default()).await
    }

    pub async fn with(config: Config) -> Self {
        Self::seeded(config, 1).await
    }

    /// Starts a stage whose world computes its random values from `seed`.
    pub async fn seeded(config: Config, seed: u64) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let start: DateTime<Utc> = START.parse().expect("an instant");
        let clock = ManualClock::new(start);
        let world_time = clock.clone();
        let answers = Answers::default();
        let sandbox = sandbox::start(sandbox::Options {
            scenario: "empty".to_owned(),
            seed,
            clock: sandbox::Clock::Driven(Arc::new(move || world_time.now()), answers.clone()),
            ..sandbox::Options::default()
        })
        .await
        .expect("a sandbox");
        // The portal is believed to forget forms after this time.
        sandbox.with_world(|w| w.config.form_lives_seconds = 120);
        let (db, folder) = database::fresh().await;
        let random = Random::seeded(7);
        let ahead = Arc::new(AtomicI64::new(0));
        let (own, true_time) = (ahead.clone(), clock.clone());
        let time = domain::clock::Clock::new(move || {
            true_time.now() + TimeDelta::microseconds(own.load(Ordering::SeqCst))
        });
        let portal_time = time.clone();
        let host = portal::PortalHost::new(sandbox.portal_url().parse().expect("a url"));
        let mut settings = portal::Settings::new(host, Arc::new(move || portal_time.now()));
        settings.timeouts.total = std::time::Duration::from_secs(5);
        settings.timeouts.booking = std::time::Duration::from_secs(5);
        let mut free = settings.clone();
        free.pacer = Arc::new(portal::Pacer::new(portal::Rate::UNLIMITED, settings.clock.clone()));
        let setting_up = Arc::new(portal::Client::new(free).expect("a client"));
        let ctx = Context {
            db,
            keyring: Arc::new(KeyRing::generate(&random)),
            client: Arc::new(portal::Client::new(settings).expect("a client")),
            outward: Arc::default(),
            wall: time.clone(),
            portal_time: time,
            random,
            config,
        };
        let engine = Engine::new(ctx.clone());
        let watch = Watch::default();
        Self { clock, sandbox, engine, ctx, setting_up, answers, ahead, watch, _folder: folder }
    }

    /// Moves both of the engine's clocks by so much; the world's clock stays.
    pub fn set_clocks(&self, by: TimeDelta) {
        self.ahead.fetch_add(by.num_microseconds().expect("a short time"), Ordering::SeqCst);
    }

    /// Adds a portal account with one group. Returns the portal's number of the group.
    pub fn portal_account(&self, name: &str, appointment: Option<Appointment>) -> u64 {
        self.portal_group(name, NewGroup { appointment, ..NewGroup::default() })
    }

    pub fn portal_group(&self, name: &str, group: NewGroup) -> u64 {
        let applicants =
            if group.applicants.is_empty() { vec![name.to_uppercase()] } else { group.applicants.clone() };
        self.portal_groups(name, vec![NewGroup { applicants, ..group }])[0]
    }

    /// Adds a portal account with several groups. Returns the portal's numbers.
    pub fn portal_groups(&self, name: &str, groups: Vec<NewGroup>) -> Vec<u64> {
        let account =
            NewAccount { username: format!("{name}@example.com"), password: "Maple-2026".to_owned(), groups };
        self.sandbox.with_world(|w| w.add_account(account))
    }

    pub fn slot(&self, facility: u16, date: &str, time: &str) -> u64 {
        self.sandbox.with_world(|w| w.add_slot(new_slot(facility, date, time)))
    }

    /// Sets the virtual time that every answer takes from now on, in milliseconds.
    pub fn latency(&self, low: u64, high: u64) {
        self.sandbox.with_world(|w| w.config.latency_ms = (low, high));
    }

    pub fn fault(&self, kind: FaultKind, times: Option<u32>) -> u64 {
        self.sandbox.with_world(|w| w.add_fault(InjectedFault { times, ..InjectedFault::of(kind) }))
    }

    /// Inserts a user with 1,000.00 CAD.
    pub async fn user(&self, name: &str) -> UserId {
        let now = self.ctx.wall.now();
        let id = UserId::new(now, self.ctx.random.bytes());
        let new = NewUser {
            id,
            email: format!("{name}@users.example.com"),
            password_hash: None,
            language: "zh".to_owned(),
            referral_code: format!("R{name}"),
            referred_by: None,
            email_verified_at: Some(now),
        };
        let mut tx = self.ctx.db.begin().await.expect("tx");
        assert!(store::user::insert(&mut tx, &new, now).await.expect("insert"));
        let source = ("test", self.ctx.uuid(now));
        store::ledger::topup(&mut tx, &self.ctx.random, id, Money::cad(100_000), source, now)
            .await
            .expect("topup");
        tx.commit().await.expect("commit");
        id
    }

    pub async fn verify(&self, user: UserId, name: &str) -> Result<Vec<Task>, NotVerified> {
        self.verify_with(user, name, "Maple-2026").await
    }

    pub async fn verify_with(
        &self,
        user: UserId,
        name: &str,
        password: &str,
    ) -> Result<Vec<Task>, NotVerified> {
        self.verify_in(CountryCode::CANADA, user, name, password).await
    }

    pub async fn verify_in(
        &self,
        country: CountryCode,
        user: UserId,
        name: &str,
        password: &str,
    ) -> Result<Vec<Task>, NotVerified> {
        let ctx = Context { client: self.setting_up.clone(), ..self.ctx.clone() };
        self.engine.verify(&ctx, &login(country, user, name, password)).await
    }

    /// Verifies an account with the usual password. Returns the whole result.
    pub async fn verification(
        &self,
        country: &str,
        user: UserId,
        name: &str,
    ) -> Result<Verification, NotVerified> {
        let ctx = Context { client: self.setting_up.clone(), ..self.ctx.clone() };
        let country = country.parse().expect("a country");
        self.engine.verify_telling(&ctx, &login(country, user, name, "Maple-2026"), &|_| {}).await
    }

    /// Verifies, configures and submits a task. Returns it.
    pub async fn task(&self, name: &str, criteria: SearchCriteria) -> TaskId {
        let user = self.user(name).await;
        let found = self.verify(user, name).await.expect("verified");
        self.submit(&found[0], criteria).await;
        found[0].id
    }

    pub async fn submit(&self, task: &Task, criteria: SearchCriteria) {
        let now = self.ctx.wall.now();
        let price = AgreedPrice::plain(UNIT, task.group.party_size());
        let mut tx = self.ctx.db.begin().await.expect("tx");
        store::task::set_criteria(&mut tx, task.id, &criteria, now).await.expect("wish");
        let source = (store::ledger::SOURCE_TASK, task.id.0);
        let amount = Money::cad(price.total);
        let hold = store::ledger::hold(&mut tx, &self.ctx.random, task.user_id, amount, source, now)
            .await
            .expect("hold");
        assert!(store::task::submit(&mut tx, task.id, price, Some(hold), now).await.expect("submit"));
        tx.commit().await.expect("commit");
    }

    pub async fn read(&self, id: TaskId) -> Task {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let task = store::task::get(&mut tx, id).await.expect("read").expect("a task");
        store::task::shown(&mut tx, vec![task]).await.expect("counts").remove(0)
    }

    pub async fn balance(&self, user: UserId) -> (i64, i64) {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let balance = store::ledger::balance(&mut tx, user).await.expect("balance");
        (balance.available.minor, balance.held.minor)
    }

    pub async fn journal(&self, task: TaskId) -> Vec<String> {
        self.lines(task).await.into_iter().map(|e| e.kind).collect()
    }

    /// Returns a task's journal, oldest first.
    pub async fn lines(&self, task: TaskId) -> Vec<Line> {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let mut lines = store::journal::of_task(&mut tx, task, 500).await.expect("journal");
        lines.reverse();
        let line = |entry: store::journal::Entry| {
            let (kind, data) = entry.event.columns();
            Line { at: entry.at, kind, data }
        };
        lines.into_iter().map(line).collect()
    }

    /// Returns the context of the use cases.
    pub fn use_cases(&self) -> app::Ctx {
        app::Ctx {
            wall: self.ctx.wall.clone(),
            portal_time: self.ctx.portal_time.clone(),
            random: self.ctx.random.clone(),
            billing: self.ctx.config.billing,
        }
    }

    /// Freezes the ledger: no money moves.
    pub async fn freeze(&self) {
        let mut tx = self.ctx.db.begin().await.expect("tx");
        store::ledger::freeze(&mut tx, self.ctx.wall.now(), "a test").await.expect("freeze");
        tx.commit().await.expect("commit");
    }

    /// Unfreezes the ledger.
    pub async fn thaw(&self) {
        let mut tx = self.ctx.db.begin().await.expect("tx");
        store::ledger::thaw(&mut tx).await.expect("unfreeze");
        tx.commit().await.expect("commit");
    }

    /// Sets a task's priority as the operator does, so that it is served first.
    pub async fn prefer(&self, task: TaskId, priority: i32) {
        let mut tx = self.ctx.db.begin().await.expect("tx");
        let now = self.ctx.wall.now();
        let sql = "UPDATE task SET priority = $2, updated_at = $3 WHERE id = $1";
        let rows = store::exec!(&mut tx, sql, task.0, priority, now).expect("sql");
        assert_eq!(rows, 1);
        tx.commit().await.expect("commit");
    }

    /// Counts the mails queued so far, by template.
    pub async fn mails(&self, template: &str) -> i64 {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let sql = "SELECT count(*) FROM outbox WHERE template = $1";
        store::scalar!(&mut tx, i64, sql, template.to_owned()).expect("sql")
    }

    /// Runs engine and world for `span` of virtual time, from event to event.
    pub async fn run_for(&self, span: TimeDelta) {
        self.run_until(span, || false).await;
    }

    /// Does the same as [`Stage::run_for`], but stops as soon as `done` returns `true`.
    pub async fn run_until(&self, span: TimeDelta, done: impl Fn() -> bool) {
        self.watch.world_begins(&self.sandbox);
        self.run_from_event_to_event(span, done).await;
        self.watch.world_ends(&self.sandbox);
    }

    async fn run_from_event_to_event(&self, span: TimeDelta, done: impl Fn() -> bool) {
        let end = self.clock.now() + span;
        if self.sandbox.with_world(|w| w.config.latency_ms.1 > 0) {
            return self.driver().run(&self.engine, end, done).await;
        }
        self.watch.begin(&self.ctx.db, self.clock.now()).await;
        // The story may have changed rows since the last run.
        self.engine.nudge();
        loop {
            let due = self.engine.go_on().await;
            let now = self.clock.now();
            if now >= end || done() {
                return self.watch.read(&self.ctx.db, now).await;
            }
            self.watch.go_on(&self.ctx.db, now).await;
            let ahead = TimeDelta::microseconds(self.ahead.load(Ordering::SeqCst));
            let next = due.map_or(end, |due| due - ahead).clamp(now + TimeDelta::milliseconds(1), end);
            self.clock.set(next);
        }
    }

    /// Returns the driver that moves virtual time from answer to answer.
    pub fn driver(&self) -> Driver {
        let (clock, answers) = (self.clock.clone(), self.answers.clone());
        Driver { clock, answers, db: self.ctx.db.clone(), watch: self.watch.clone() }
    }

    /// Returns the appointment that the portal shows for a group.
    pub fn portal_shows(&self, group: u64) -> Option<Appointment> {
        self.sandbox.with_world(|w| w.groups[&group].appointment.clone())
    }

    /// Counts the booking POSTs that the portal applied to a group.
    pub fn applied(&self, group: u64) -> usize {
        self.sandbox.with_world(|w| w.applied.iter().filter(|a| a.portal_schedule_id == group).count())
    }

    /// Returns the booking POSTs in the portal's journal: time, group and effect.
    pub fn posts(&self) -> Vec<(DateTime<Utc>, u64, Effect)> {
        let post = |e: &Entry| (e.world_time, e.portal_schedule_id.unwrap_or_default(), e.effect.clone());
        self.sandbox
            .with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == "book").map(post).collect())
    }

    /// Counts the requests of a kind in the portal's journal.
    pub fn requests(&self, kind: &str) -> usize {
        self.sandbox.with_world(|w| w.journal.after(0).iter().filter(|e| e.kind == kind).count())
    }

    /// Checks that the ledger balances, and that the story left nothing half done.
    pub async fn assert_tidy(&self) {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let differences = store::ledger::check(&mut tx).await.expect("check");
        assert!(differences.is_empty(), "the ledger differs: {differences:?}");
        let live = store::booking_attempt::live(&mut tx).await.expect("live");
        assert!(live.is_empty(), "an attempt is still open: {live:?}");
        drop(tx);
        self.assert_watched();
    }

    /// Checks that every calendar that an active task watched was polled in time.
    pub fn assert_watched(&self) {
        let ages = self.ages();
        assert!(ages.broken.is_empty(), "broken promises: 29, every watched city is polled: {ages}");
        let (_, late) = self.outside_changes();
        let late: Vec<String> = late.iter().map(ToString::to_string).collect();
        assert!(late.is_empty(), "broken promises: 31, what changed outside is shown: {late:?}");
    }

    /// Returns changes from outside that concerned an active task, and those of them that were
    /// shown or notified late.
    pub fn outside_changes(&self) -> (Vec<Change>, Vec<Change>) {
        self.watch.outside_changes(self.clock.now())
    }

    /// Returns the measures of watching so far, as text: requests by account and day, times
    /// from outside changes to their notifications, and ages.
    pub fn measures(&self, accounts: usize) -> String {
        let days = (self.clock.now() - START.parse::<DateTime<Utc>>().expect("an instant")).as_seconds_f64()
            / 86_400.0;
        let mut kinds: BTreeMap<String, usize> = BTreeMap::new();
        self.sandbox.with_world(|w| {
            for entry in w.journal.after(0).iter().filter(|entry| entry.account.is_some()) {
                *kinds.entry(entry.kind.clone()).or_default() += 1;
            }
        });
        let each = |count: usize| count as f64 / (accounts as f64 * days);
        let total = each(kinds.values().sum());
        let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{kind} {:.1}", each(*n))).collect();
        let changes = self.outside_changes().0;
        let mut notified: Vec<i64> =
            changes.iter().filter_map(|c| Some(c.notified_after()?.num_minutes())).collect();
        notified.sort_unstable();
        let quantile = |q: f64| notified.get(((notified.len().max(1) - 1) as f64 * q).round() as usize);
        format!(
            "{total:.1} requests by account and day ({})\n  {} changes outside, {} notified, after min: \
             p50 {:?}, p99 {:?}\n  {}",
            kinds.join(", "),
            changes.len(),
            notified.len(),
            quantile(0.5),
            quantile(0.99),
            self.ages()
        )
    }

    /// Returns the ages of the last answered polls so far.
    pub fn ages(&self) -> Ages {
        self.watch.ages(&self.sandbox, &self.ctx.config.limits)
    }
}

/// Judges a story when it ends, unless it was judged before.
impl Drop for Stage {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.assert_watched();
        }
    }
}

/// Returns criteria that accept any date from December to May in Toronto or Ottawa that is at least
/// a week earlier.
pub(crate) fn criteria() -> SearchCriteria {
    SearchCriteria {
        cities: vec![FacilityId::TORONTO, FacilityId::OTTAWA],
        start_date: day("2026-12-01"),
        end_date: day("2027-05-31"),
        excluded: ExcludedDates::default(),
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 0,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: None,
        fingerprints: None,
        mode: domain::criteria::BookingMode::Auto,
    }
}

pub(crate) fn appointment(facility: u16, date: &str, time: &str) -> domain::appointment::Appointment {
    let facility = FacilityId::try_from(facility).expect("a known city");
    Slot { facility, date: day(date), time: clock_time(time) }.into()
}

/// Returns a slot for visitors, which stays until it is booked.
pub(crate) fn new_slot(facility: u16, date: &str, time: &str) -> NewSlot {
    NewSlot {
        pool: "B1/B2".to_owned(),
        facility: facility.into(),
        date: day(date),
        time: clock_time(time),
        lifetime_seconds: None,
        delay_seconds: None,
        max_party: 9,
        phantom: false,
    }
}

/// Returns [`criteria`] for Toronto alone.
pub(crate) fn toronto() -> SearchCriteria {
    SearchCriteria { cities: vec![FacilityId::TORONTO], ..criteria() }
}
