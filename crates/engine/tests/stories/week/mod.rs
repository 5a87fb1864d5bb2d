//! Stories of a week in which every fault occurs at once: false answers, cuts, outages, competing
//! bookings, kills. The portal's journal is the oracle.
//!
//! `SOONER_INTENTS`, `SOONER_KILLS`, `SOONER_LOGINS`, `SOONER_HIDDEN_PERCENT` and `SOONER_SEED`
//! choose the size. The seed is printed and replays a run.

mod oracle;
mod users;
mod world;

use std::cell::Cell;
use std::rc::Rc;

use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::Limits;
use engine::{Config, Engine};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use tokio::task::JoinSet;

use crate::stage::Stage;
use crate::time::{Driver, kill_when};
use users::Person;

/// Chance in percent that the page with the printed date cannot be read.
const USUALLY_HIDDEN: u32 = 20;

/// Size of a run.
#[derive(Clone, Copy, Debug)]
struct Size {
    attempts: usize,
    kills: usize,
    logins: usize,
    seed: u64,
    /// Chance in percent that the page with the printed date cannot be read, so that only the
    /// lagging groups page shows the result.
    hidden_percent: u32,
}

impl Size {
    /// Returns the size from the environment, or the short form.
    fn wanted() -> Self {
        let number = |name: &str, else_take: u64| {
            std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(else_take)
        };
        let size = |name, else_take| usize::try_from(number(name, else_take)).expect("a size");
        Self {
            attempts: size("SOONER_INTENTS", 120),
            kills: size("SOONER_KILLS", 25),
            logins: size("SOONER_LOGINS", 20),
            seed: number("SOONER_SEED", 20_261_121),
            hidden_percent: u32::try_from(number("SOONER_HIDDEN_PERCENT", USUALLY_HIDDEN.into()))
                .expect("a percentage"),
        }
    }
}

/// Time of the next kill.
struct Kill {
    /// Number of points of the booking path from now on.
    points: Rc<Cell<u64>>,
    /// Number of requests to the portal after which the kill happens in any case.
    asked: u64,
}

struct Week {
    stage: Stage,
    driver: Driver,
    rng: StdRng,
    size: Size,
    people: Vec<Person>,
    kills: usize,
    posts: usize,
    read: u64,
    next_feed: DateTime<Utc>,
    next_visit: DateTime<Utc>,
}

/// Longest virtual time of a run.
const LONGEST: TimeDelta = TimeDelta::days(28);
/// Interval at which the world gets new slots.
const FEED: TimeDelta = TimeDelta::seconds(20);
/// Interval at which users visit their tasks and start stopped ones again.
const VISIT: TimeDelta = TimeDelta::minutes(30);

impl Week {
    async fn new(size: Size) -> Self {
        // The sandbox bans no account here: a hundred users make the attempts of thousands.
        let limits = Limits {
            polls_per_hour: 120,
            polls_per_ten_hours: 800,
            polls_reserved: 300,
            requests_per_ten_hours: 6000,
            requests_reserved: 600,
            sign_ins_per_hour: 60,
        };
        let stage = Stage::seeded(Config { limits, ..Config::default() }, size.seed).await;
        let mut rng = StdRng::seed_from_u64(size.seed);
        let people = users::submit(&stage, size.logins, &mut rng).await;
        stage.sandbox.with_world(|w| {
            w.config.journal_slots = false;
            w.config.latency_ms = (40, 400);
            w.config.lag.second_post_reverts = 1.0;
            world::everything_goes_wrong(w, f64::from(size.hidden_percent) / 100.0);
        });
        let (driver, now) = (stage.driver(), stage.clock.now());
        Self {
            stage,
            driver,
            rng,
            size,
            people,
            kills: 0,
            posts: 0,
            read: 0,
            next_feed: now,
            next_visit: now + VISIT,
        }
    }

    /// Runs until there were enough attempts and kills, then lets everything settle without faults.
    async fn play(&mut self) {
        let last = self.stage.clock.now() + LONGEST;
        let mut jobs = JoinSet::new();
        let mut kill = self.next_kill();
        self.driver.watch.begin(&self.stage.ctx.db, self.stage.clock.now()).await;
        while self.stage.clock.now() < last && !self.had_enough() {
            let until = self.make_the_world_go_on().await;
            self.driver.watch.go_on(&self.stage.ctx.db, self.stage.clock.now()).await;
            let due = self.stage.engine.begin_due(&mut jobs).await;
            let ended = self.driver.let_go(&self.stage.engine, &mut jobs).await;
            if kill.points.get() == 0 || self.driver.answers.asked() >= kill.asked {
                self.kill(&mut jobs).await;
                kill = self.next_kill();
            } else if !ended {
                self.driver.step(due, until);
            }
        }
        engine::on_fail_points(None);
        self.stage.sandbox.with_world(|w| w.remove_faults(None));
        self.driver.run(&self.stage.engine, self.stage.clock.now(), || true).await;
        jobs.shutdown().await;
        self.stage.engine = Engine::new(self.stage.ctx.clone());
        self.stage.run_for(TimeDelta::hours(3)).await;
    }

    fn had_enough(&mut self) -> bool {
        let read = self.read;
        let (posts, read) = self.stage.sandbox.with_world(|w| world::posts_after(w, read));
        self.read = read;
        // A run of hours reports its progress.
        let tenth = |posts: usize| posts * 10 / self.size.attempts.max(1);
        if tenth(self.posts + posts) > tenth(self.posts) {
            println!("{}: {} attempts, {} kills", self.stage.clock.now(), self.posts + posts, self.kills);
        }
        self.posts += posts;
        self.posts >= self.size.attempts && self.kills >= self.size.kills
    }

    async fn make_the_world_go_on(&mut self) -> DateTime<Utc> {
        let now = self.stage.clock.now();
        if now >= self.next_feed {
            self.next_feed = now + FEED;
            let rng = &mut self.rng;
            self.stage.sandbox.with_world(|w| world::feed(w, rng));
            users::change_by_hand(&self.stage, &self.people, rng).await;
        }
        if now >= self.next_visit {
            self.next_visit = now + VISIT;
            users::start_again(&self.stage, &self.people).await;
        }
        self.next_feed.min(self.next_visit)
    }

    /// Returns the next kill. Half of the kills happen at a point of the booking path, the others
    /// at any request in progress.
    fn next_kill(&mut self) -> Kill {
        let points = Rc::new(Cell::new(u64::MAX));
        let mut asked = u64::MAX;
        if self.kills < self.size.kills {
            let gap = (self.size.attempts / self.size.kills.max(1)) as u64 + 1;
            if self.rng.random_bool(0.5) {
                points.set(self.rng.random_range(1..=gap * 14));
            } else {
                asked = self.driver.answers.asked() + self.rng.random_range(1..=gap * 24);
            }
        }
        let left = points.clone();
        kill_when(move |point| {
            // A round is no job: it belongs to the driver.
            if point == "round.locked" {
                return false;
            }
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        });
        Kill { points, asked }
    }

    /// Kills the engine in the middle of its work. Another one begins with the database alone.
    async fn kill(&mut self, jobs: &mut JoinSet<()>) {
        jobs.shutdown().await;
        self.stage.engine = Engine::new(self.stage.ctx.clone());
        self.kills += 1;
    }
}

// spec: 10.2.18, 10.10.10
#[tokio::test]
async fn a_week_of_injected_failures_breaks_no_promise() {
    let size = Size::wanted();
    println!("SOONER_SEED={} for {size:?}", size.seed);
    let mut week = Week::new(size).await;
    let began = week.stage.clock.now();
    week.play().await;
    let mut condition = oracle::judge(&week.stage, &week.people).await;
    // The groups page lags by two minutes: a read-back without any other page waits for it.
    if size.hidden_percent <= USUALLY_HIDDEN {
        condition.judge_read_back_policy();
    }
    println!("{} kills in {} h of virtual time", week.kills, (week.stage.clock.now() - began).num_hours());
    println!("{condition}");
    let ages = week.stage.ages();
    println!("{ages}");
    let late = ages.late_percent();
    assert!(late <= 5.0, "broken promises: {late:.1} % of the hours watched need an exception of promise 29");
    assert_eq!(
        condition.broken,
        Vec::<String>::new(),
        "broken promises; replay with SOONER_SEED={}",
        size.seed
    );
    assert!(condition.acted >= size.attempts, "only {} attempts were sent", condition.acted);
}
