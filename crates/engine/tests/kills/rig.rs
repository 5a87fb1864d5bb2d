//! One run: a world with one slot, one task, an engine that dies once, and the comparison of both
//! journals.

use domain::country::{CountryCode, VisaType};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use domain::booking::AttemptState;
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{TaskId, UserId};
use domain::money::Money;
use engine::Context;
use engine::verify_login::Login;
use rustix::process::{Pid, Signal, kill_process};
use sandbox::Sandbox;
use sandbox::world::accounts::Appointment;
use sandbox::world::country::{Country, facility};
use sandbox::world::faults::{FaultKind, InjectedFault, KillAt};
use sandbox::world::slots::NewSlot;
use sandbox::world::{NewAccount, NewGroup};
use secrecy::SecretString;
use store::Random;
use store::keyring::KeyRing;
use store::task::{AgreedPrice, Task};
use store::user::NewUser;

use crate::child::{SPEED, context, wall};

const PRICE: i64 = 3800;
const TORONTO: u16 = 94;
const BOGOTA: u16 = 25;
const BOGOTA_ASC: u16 = 26;
/// Time for which a process is stopped: longer than the bytes of a POST may take to leave, and than
/// the lease lasts.
const PAUSE: Duration = Duration::from_secs(17);
/// Longest wall time of one run. A run that needs it has failed.
const MAX_WAIT: Duration = Duration::from_secs(40);

/// Faults of a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    pub crash: Option<&'static str>,
    /// Point at which the process stops for a while (SIGSTOP) and then continues.
    pub pause: Option<&'static str>,
    pub portal_kills: Option<KillAt>,
    pub fault: Option<FaultKind>,
    /// `true` if the instructions page is unreadable, so that only the groups page shows the
    /// outcome.
    pub hide_printed_date: bool,
    /// `true` for an account in Colombia, whose interviews have a fingerprint appointment.
    pub pair: bool,
}

/// Appointments of a group at the portal.
#[derive(Clone, Debug)]
struct Held {
    interview: Appointment,
    fingerprints: Option<Appointment>,
}

impl Held {
    /// Returns the appointments of the group before the run.
    fn before(pair: bool) -> Self {
        let on = |place: u16, date: &str| Appointment {
            facility: place.into(),
            date: date.parse().expect("a date"),
            time: NaiveTime::from_hms_opt(8, 15, 0).expect("a time"),
        };
        if pair {
            let fingerprints = Some(on(BOGOTA_ASC, "2027-08-10"));
            Self { interview: on(BOGOTA, "2027-08-17"), fingerprints }
        } else {
            Self { interview: on(TORONTO, "2027-08-17"), fingerprints: None }
        }
    }
}

/// State of both sides after the run.
#[derive(Debug)]
pub(crate) struct Report {
    pub killed: bool,
    pub settled: bool,
    pub posts: usize,
    applied: usize,
    before: Held,
    portal: Held,
    task: Task,
    balance: (i64, i64),
    acted: usize,
    confirmed: usize,
    differences: usize,
}

impl Report {
    /// Returns `true` if the slot was booked and charged.
    pub fn is_booked(&self) -> bool {
        self.portal.interview != self.before.interview && self.task.captured_at.is_some()
    }

    /// Returns every promise that was broken.
    pub fn violations(&self) -> Vec<String> {
        let mut broken = Vec::new();
        let mut check = |ok: bool, promise: &str| {
            if !ok {
                broken.push(promise.to_owned());
            }
        };
        check(self.posts <= self.acted, "at most one POST for each intent that acted");
        check(self.applied <= self.acted, "at most one applied POST for each intent");
        check(self.portal.interview.date <= self.before.interview.date, "never a worse date");
        let moved = self.portal.interview != self.before.interview;
        let moved_fingerprints = self.portal.fingerprints != self.before.fingerprints;
        check(moved_fingerprints == (moved && self.before.fingerprints.is_some()), "never half a pair");
        check(moved == self.task.captured_at.is_some(), "captured exactly when booked");
        check(moved == (self.confirmed == 1), "reported exactly what happened");
        let expected = if moved { (100_000 - PRICE, 0) } else { (100_000 - PRICE, PRICE) };
        check(self.balance == expected, "the balance says what happened");
        check(
            self.task.interview().is_some_and(|held| held.date == self.portal.interview.date),
            "our record is the portal's",
        );
        let stored = self.task.booked.as_ref().and_then(|held| held.fingerprints);
        let portal = self.portal.fingerprints.as_ref();
        check(
            stored.map(|slot| (slot.date, slot.time)) == portal.map(|slot| (slot.date, slot.time)),
            "our record of the fingerprints is the portal's",
        );
        check(self.differences == 0, "the books balance");
        broken
    }
}

/// The world, the database and the child.
pub(crate) struct Rig {
    sandbox: Sandbox,
    ctx: Context,
    folder: tempfile::TempDir,
    anchor: DateTime<Utc>,
}

impl Rig {
    /// Runs a plan to its end.
    pub fn run(plan: Plan) -> Report {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async move { Self::new().await.play(plan).await })
    }

    async fn new() -> Self {
        // 20:00 in Toronto: outside the hours in which booked accounts see no days.
        let anchor: DateTime<Utc> = "2026-11-25T01:00:00Z".parse().expect("an instant");
        let start = wall().now();
        let world_time = wall();
        let scaled = move || {
            let passed = (world_time.now() - start).num_microseconds().unwrap_or(0) as f64 * SPEED;
            anchor + chrono::TimeDelta::microseconds(passed as i64)
        };
        let sandbox = sandbox::start(sandbox::Options {
            scenario: "empty".to_owned(),
            clock: sandbox::Clock::Custom(Arc::new(scaled)),
            ..sandbox::Options::default()
        })
        .await
        .expect("a sandbox");
        let folder = tempfile::tempdir().expect("a folder");
        let random = Random::seeded(u64::from(std::process::id()));
        let keys = folder.path().join("keys");
        KeyRing::generate(&random).save_new(&keys).expect("keys");
        let url = format!("sqlite:{}", folder.path().join("sooner.db").display());
        // The child needs `anchor` as the wall instant at which scaled and wall time would agree.
        let seconds = (start - anchor).num_microseconds().unwrap_or(0) as f64;
        let agree = anchor + chrono::TimeDelta::microseconds((seconds * SPEED / (SPEED - 1.0)) as i64);
        let ctx = context(&url, &sandbox.portal_url(), &keys.display().to_string(), agree, 3).await;
        store::migrate::migrate(&ctx.db).await.expect("migrations");
        Self { sandbox, ctx, folder, anchor: agree }
    }

    async fn play(self, plan: Plan) -> Report {
        let before = Held::before(plan.pair);
        let group = self.portal(&before);
        let task = self.submit(plan.pair).await;
        if let Some(fault) = plan.fault.clone() {
            self.sandbox.with_world(|w| w.add_fault(InjectedFault::of(fault)));
        }
        if plan.hide_printed_date {
            let mut hidden = InjectedFault::of(FaultKind::ForeignHtml);
            hidden.on = Some("instructions".to_owned());
            // The warm-up and the preflight read the page before anything is sent.
            hidden.skip = 2;
            self.sandbox.with_world(|w| w.add_fault(hidden));
        }
        let killed = self.first_life(&plan).await;
        let settled = self.second_life(&plan, task).await;
        self.report(group, task, before, killed, settled).await
    }

    fn portal(&self, before: &Held) -> u64 {
        let pair = before.fingerprints.is_some();
        let country = if pair { Country::with_code("co") } else { None };
        let appointment = Some(before.interview.clone());
        let group =
            NewGroup { country, appointment, asc: before.fingerprints.clone(), ..NewGroup::default() };
        let account = NewAccount {
            username: "lin@example.com".to_owned(),
            password: "Maple-2026".to_owned(),
            groups: vec![group],
        };
        let slot = NewSlot {
            pool: "B1/B2".to_owned(),
            facility: before.interview.facility,
            date: self.slot_date(pair),
            time: NaiveTime::from_hms_opt(9, 15, 0).expect("a time"),
            lifetime_seconds: None,
            delay_seconds: None,
            max_party: 9,
            phantom: false,
        };
        self.sandbox.with_world(|w| {
            w.add_slot(slot);
            w.add_account(account)[0]
        })
    }

    /// Returns the date of the slot, before which there are fingerprint dates.
    fn slot_date(&self, pair: bool) -> NaiveDate {
        let first: NaiveDate = "2027-02-09".parse().expect("a date");
        let place = facility(BOGOTA_ASC.into()).expect("a place");
        let has_none = |day: &NaiveDate| pair && self.sandbox.with_world(|w| w.has_no_asc(place, *day));
        first.iter_days().find(|day| !has_none(day)).expect("a date")
    }

    async fn submit(&self, pair: bool) -> TaskId {
        let (ctx, now) = (&self.ctx, self.ctx.wall.now());
        let user = UserId::new(now, ctx.random.bytes());
        let new = NewUser {
            id: user,
            email: "lin@users.example.com".to_owned(),
            password_hash: None,
            language: "zh".to_owned(),
            referral_code: "RLIN".to_owned(),
            referred_by: None,
            email_verified_at: Some(now),
        };
        let mut tx = ctx.db.begin().await.expect("tx");
        store::user::insert(&mut tx, &new, now).await.expect("user");
        let source = ("test", ctx.uuid(now));
        store::ledger::topup(&mut tx, &ctx.random, user, Money::cad(100_000), source, now)
            .await
            .expect("topup");
        tx.commit().await.expect("commit");
        let login = Login {
            user,
            username: "lin@example.com".to_owned(),
            password: SecretString::from("Maple-2026".to_owned()),
            country: if pair { "en-co".parse().expect("a country") } else { CountryCode::CANADA },
            visa_type: VisaType::Niv,
        };
        let engine = engine::Engine::new(ctx.clone());
        let task = engine.verify(ctx, &login).await.expect("verified")[0].id;
        let criteria = SearchCriteria {
            cities: vec![FacilityId::try_from(if pair { BOGOTA } else { TORONTO }).expect("a city")],
            start_date: "2026-12-01".parse().expect("a date"),
            end_date: "2027-05-31".parse().expect("a date"),
            excluded: ExcludedDates::default(),
            weekdays: Default::default(),
            times: Default::default(),
            minimum_days_from_current: 0,
            min_improvement_days: 7,
            max_reschedules: 2,
            last_attempt_until: None,
            fingerprints: None,
            mode: domain::criteria::BookingMode::Auto,
        };
        let mut tx = ctx.db.begin().await.expect("tx");
        store::task::set_criteria(&mut tx, task, &criteria, now).await.expect("wish");
        let source = (store::ledger::SOURCE_TASK, task.0);
        let hold = store::ledger::hold(&mut tx, &ctx.random, user, Money::cad(PRICE), source, now)
            .await
            .expect("hold");
        let price = AgreedPrice::plain(PRICE, 1);
        store::task::submit(&mut tx, task, price, Some(hold), now).await.expect("submit");
        tx.commit().await.expect("commit");
        task
    }

    fn command(&self) -> Command {
        let database = format!("sqlite:{}", self.folder.path().join("sooner.db").display());
        let mut command = Command::new(std::env::current_exe().expect("the path of this binary"));
        command
            .args(["--exact", "child_engine", "--nocapture"])
            .env("RIG_DATABASE", database)
            .env("RIG_PORTAL", self.sandbox.portal_url())
            .env("RIG_KEYS", self.folder.path().join("keys"))
            .env("RIG_ANCHOR", self.anchor.to_rfc3339())
            .env_remove("RIG_CRASH")
            .env_remove("RIG_PAUSE")
            .env_remove("RIG_STUCK")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    fn spawn(&self, plan: &Plan, crash: bool) -> Child {
        let mut command = self.command();
        if let (true, Some(point)) = (crash, plan.crash) {
            command.env("RIG_CRASH", point);
        }
        if let Some(point) = plan.pause {
            command.env("RIG_PAUSE", point);
        }
        command.spawn().expect("a child")
    }

    /// Runs the engine once with a lock that is never released, and once after that. Returns the
    /// exit status of the first run, the stored number of exits, and if the second run did the
    /// work.
    pub fn stuck() -> (Option<i32>, i64, bool) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let rig = Self::new().await;
            rig.portal(&Held::before(false));
            let task = rig.submit(false).await;
            let mut child = rig.command().env("RIG_STUCK", "1").spawn().expect("a child");
            let over = rig.wait(MAX_WAIT, async || child.try_wait().is_ok_and(|s| s.is_some())).await;
            let _ = child.kill();
            let status = child.wait().expect("a status").code().filter(|_| over);
            let mut tx = rig.ctx.db.read().await.expect("tx");
            let exits = store::watchdog::exits(&mut tx).await.expect("exits");
            drop(tx);
            (status, exits, rig.second_life(&Plan::default(), task).await)
        })
    }

    /// Runs until the crash. A plan without a crash has no first life.
    async fn first_life(&self, plan: &Plan) -> bool {
        if plan.crash.is_none() && plan.portal_kills.is_none() {
            return false;
        }
        let mut child = self.spawn(plan, true);
        let kill = plan.portal_kills.map(|at| {
            let pid = i32::try_from(child.id()).expect("a pid");
            let mut fault = InjectedFault::of(FaultKind::Kill { pid, at });
            fault.times = Some(1);
            self.sandbox.with_world(|w| w.add_fault(fault))
        });
        let died = self.wait(MAX_WAIT, async || child.try_wait().is_ok_and(|s| s.is_some())).await;
        let _ = child.kill();
        let _ = child.wait();
        if kill.is_some() {
            self.sandbox.with_world(|w| w.faults.retain(|f| !matches!(f.kind, FaultKind::Kill { .. })));
        }
        died
    }

    /// Restarts and waits until no attempt is open. A pair must be booked, perhaps by a second
    /// attempt after the first was found not to be sent.
    async fn second_life(&self, plan: &Plan, task: TaskId) -> bool {
        let mut child = self.spawn(plan, false);
        if plan.pause.is_some() {
            self.pause(&child).await;
        }
        let settled = self.wait(MAX_WAIT, async || self.is_settled(plan, task).await).await;
        let _ = child.kill();
        let _ = child.wait();
        settled
    }

    /// Waits until the child has stopped itself, lets it sleep, and wakes it.
    async fn pause(&self, child: &Child) {
        let state = format!("/proc/{}/stat", child.id());
        let is_stopped = || std::fs::read_to_string(&state).is_ok_and(|stat| stat.contains(") T "));
        assert!(
            self.wait(MAX_WAIT, async || is_stopped()).await,
            "the child did not reach the point at which it stops"
        );
        tokio::time::sleep(PAUSE).await;
        kill_process(Pid::from_child(child), Signal::CONT).expect("the child is alive");
    }

    async fn is_settled(&self, plan: &Plan, task: TaskId) -> bool {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let live = store::booking_attempt::live(&mut tx).await.expect("live");
        let attempts = store::booking_attempt::of_task(&mut tx, task).await.expect("intents");
        let ended = |state| {
            if plan.pair { state == AttemptState::Confirmed } else { state != AttemptState::Released }
        };
        live.is_empty() && attempts.iter().any(|attempt| ended(attempt.state))
    }

    /// Polls in real time. Nothing else in this suite waits in real time; here a process has to be
    /// killed meanwhile.
    async fn wait(&self, longest: Duration, mut done: impl AsyncFnMut() -> bool) -> bool {
        let step = Duration::from_millis(50);
        for _ in 0..longest.as_millis() / step.as_millis() {
            if done().await {
                return true;
            }
            tokio::time::sleep(step).await;
        }
        false
    }

    async fn report(&self, group: u64, id: TaskId, before: Held, killed: bool, settled: bool) -> Report {
        let mut tx = self.ctx.db.read().await.expect("tx");
        let task = store::task::get(&mut tx, id).await.expect("read").expect("a task");
        let attempts = store::booking_attempt::of_task(&mut tx, id).await.expect("intents");
        let balance = store::ledger::balance(&mut tx, task.user_id).await.expect("balance");
        let differences = store::ledger::check(&mut tx).await.expect("check").len();
        let count = |states: &[AttemptState]| attempts.iter().filter(|i| states.contains(&i.state)).count();
        let acted = attempts.len() - count(&[AttemptState::Released, AttemptState::Prepared]);
        self.sandbox.with_world(|w| Report {
            killed,
            settled,
            posts: w.journal.after(0).iter().filter(|e| e.kind == "book").count(),
            applied: w.applied.iter().filter(|a| a.portal_schedule_id == group).count(),
            portal: Held {
                interview: w.groups[&group].appointment.clone().expect("an appointment"),
                fingerprints: w.groups[&group].asc.clone(),
            },
            before,
            task,
            balance: (balance.available.minor, balance.held.minor),
            acted,
            confirmed: count(&[AttemptState::Confirmed]),
            differences,
        })
    }
}
