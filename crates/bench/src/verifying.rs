//! Benchmark of verifications of portal logins. It measures the delay that they add to bookings.
//! Both use the rate limit of the portal's host, and bookings do not wait for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use ::sandbox::journal::{Effect, Entry};
use chrono::TimeDelta;
use clap::Args;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use engine::verify_login::Login;
use portal::Rate;
use tokio_util::sync::CancellationToken;

use crate::book::eager;
use crate::fixture::{Fixture, OTTAWA, TORONTO};
use crate::{Table, quantile};

/// Cities of the three bookings that run at the same time.
const CITIES: [u16; 3] = [OTTAWA, TORONTO, 91];

/// Options of `bench verifying`.
#[derive(Args)]
pub struct Verifying {
    /// Number of rounds of three bookings without verifications; as many follow with verifications
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Number of users who verify a login repeatedly
    #[arg(long, default_value_t = 20)]
    people: usize,
    /// Latency of each response of the sandbox, in milliseconds
    #[arg(long, default_value_t = 50)]
    latency_ms: u64,
    /// Seconds between two rounds, in which the rate limit recovers
    #[arg(long, default_value_t = 10)]
    pause: u64,
    /// Seconds after which no further round begins, counted separately for both parts
    #[arg(long, default_value_t = 240)]
    most: u64,
}

/// Measures bookings without verifications, and then with them.
pub async fn run(options: Verifying) -> anyhow::Result<Table> {
    let folder = tempfile::tempdir()?;
    let mut config = eager();
    // Poll as often as a server with three calendars does.
    config.pace.account_spacing = TimeDelta::seconds(1);
    config.pace.least_bound = TimeDelta::seconds(2);
    config.polls_per_second = engine::Config::default().polls_per_second;
    let fixture = Arc::new(Fixture::new(folder.path(), false, config).await?.paced(Rate::default())?);
    let stop = CancellationToken::new();
    let running = tokio::spawn(fixture.engine.clone().run(stop.clone()));
    let mut logins = Vec::new();
    for n in 0..options.people {
        logins.push(fixture.login(&fixture.person(&format!("v{n}"), TORONTO)?).await?);
    }
    let mut rows = Vec::new();
    for verifying in [false, true] {
        let over = Arc::new(AtomicBool::new(!verifying));
        let verified = Arc::new(AtomicUsize::new(0));
        let mut people = tokio::task::JoinSet::new();
        for login in &logins {
            people.spawn(again_and_again(fixture.clone(), copy(login), over.clone(), verified.clone()));
        }
        let mut took = Vec::new();
        let end = fixture.ctx.wall.now() + TimeDelta::seconds(i64::try_from(options.most)?);
        for n in 0..options.rounds {
            if fixture.ctx.wall.now() >= end {
                break;
            }
            took.extend(measure_one(&fixture, &options, &format!("b{}x{n}", u8::from(verifying))).await?);
        }
        over.store(true, Ordering::Relaxed);
        people.abort_all();
        took.sort_by(f64::total_cmp);
        rows.push(vec![
            f64::from(u8::from(verifying)),
            verified.load(Ordering::Relaxed) as f64,
            took.len() as f64,
            quantile(&took, 0.5),
            quantile(&took, 0.99),
        ]);
    }
    stop.cancel();
    running.await?;
    let columns = vec!["verifying", "verified", "bookings", "look_to_post_p50", "look_to_post_p99"];
    Ok(Table { name: "verifying", columns, rows })
}

fn copy(login: &Login) -> Login {
    Login {
        user: login.user,
        username: login.username.clone(),
        password: login.password.clone(),
        country: login.country,
        visa_type: login.visa_type,
    }
}

async fn again_and_again(
    fixture: Arc<Fixture>,
    login: Login,
    over: Arc<AtomicBool>,
    verified: Arc<AtomicUsize>,
) {
    while !over.load(Ordering::Relaxed) {
        // The engine's own client sends the verification, so the rate limit applies. The benchmark
        // creates its tasks without the limit.
        let ctx = fixture.engine.context();
        if fixture.engine.verify(ctx, &login).await.is_ok() {
            verified.fetch_add(1, Ordering::Relaxed);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Creates three tasks in three cities, then a slot in each city. Returns the time in milliseconds
/// from the poll to the POST of each task.
async fn measure_one(fixture: &Fixture, options: &Verifying, name: &str) -> anyhow::Result<Vec<f64>> {
    fixture.with_world(|w| {
        w.slots.clear();
        w.config.latency_ms = (0, 0);
    })?;
    let today = FacilityId::TORONTO.today(fixture.ctx.portal_time.now());
    let mut tasks = Vec::new();
    for city in CITIES {
        fixture.slot(city, today + TimeDelta::days(420))?;
        tasks.push(fixture.task_of(fixture.person(&format!("{name}x{city}"), city)?).await?);
    }
    fixture.engine.nudge();
    for task in &tasks {
        for _ in 0..6 {
            if fixture.wait(*task, |t| t.status == TaskStatus::Active).await? {
                break;
            }
        }
    }
    fixture.with_world(|w| w.config.latency_ms = (options.latency_ms, options.latency_ms))?;
    tokio::time::sleep(Duration::from_secs(options.pause)).await;
    let before = fixture.with_world(|w| w.journal.after(0).len())?;
    for city in CITIES {
        fixture.slot(city, today + TimeDelta::days(60))?;
    }
    for task in &tasks {
        for _ in 0..6 {
            if fixture.wait(*task, |t| t.captured_at.is_some()).await? {
                break;
            }
        }
    }
    let took = fixture.with_world(|w| {
        let entries = &w.journal.after(0)[before..];
        let one = |city: &u16| {
            let account = format!("{name}x{city}@example.com");
            let post = entries.iter().find(|e| e.kind == "book" && e.account.as_ref() == Some(&account))?;
            let shows = |e: &&Entry| matches!(&e.effect, Effect::Looked { facility, .. } if *facility == u32::from(*city));
            let poll = entries.iter().find(shows)?;
            let took = post.wall_time? - poll.wall_time?;
            Some(took.num_microseconds().unwrap_or(i64::MAX) as f64 / 1e3)
        };
        CITIES.iter().filter_map(one).collect::<Vec<_>>()
    })?;
    fixture.delete(&tasks).await?;
    Ok(took)
}
