//! Benchmark of many notices that are queued at once. It measures the order of delivery, the rate
//! at each provider, and the server's memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ::sandbox::Sandbox;
use ::sandbox::channel::Arrival;
use chrono::{NaiveDate, TimeDelta};
use clap::Args;
use domain::channel::notice::NotSent;
use domain::channel::{ChannelKind, EventKind};
use domain::clock::{Clock, Instant};
use domain::ids::UserId;
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::outbox::NewMail;
use store::outbox::history::{self, Page};
use store::user::NewUser;
use store::{Db, Random, Tx};

use crate::channels::{self, ByProvider, Seal};

/// Options of `bench backlog`.
#[derive(Args)]
pub struct Backlog {
    /// Number of users with one channel each, a quarter of them at each of four providers
    #[arg(long, default_value_t = 2_000)]
    users: usize,
    /// Number of openings queued for each user before the notice of one booking
    #[arg(long, default_value_t = 4)]
    openings: usize,
}

/// Providers in this benchmark, with their limits in messages per second.
const LIMITS: [(&str, ChannelKind, f64); 4] = [
    ("telegram", ChannelKind::Telegram, 30.0),
    ("wxpusher", ChannelKind::WxPusher, 2.0),
    ("bark", ChannelKind::Bark, f64::INFINITY),
    ("web_push", ChannelKind::WebPush, f64::INFINITY),
];

/// Time without a new message after which the run ends. No rate limit delays a message for longer.
const QUIET: TimeDelta = TimeDelta::seconds(20);
/// Time after which all openings have expired. An opening expires after two minutes.
const OPENINGS_END: TimeDelta = TimeDelta::seconds(125);

/// Fills the outbox of a database, runs `sooner serve` on it, and reads the delivered messages from
/// the sandbox.
pub async fn run(options: Backlog) -> anyhow::Result<ByProvider> {
    let ambient = server::run::Ambient::system()?;
    let (wall, random) = (ambient.wall, ambient.random);
    let folder = tempfile::tempdir()?;
    let ring = KeyRing::generate(&random);
    ring.save_new(&folder.path().join("keys"))?;
    let sandbox =
        ::sandbox::start(::sandbox::Options { scenario: "empty".to_owned(), ..Default::default() }).await?;
    let url = format!("sqlite:{}", folder.path().join("bench.db").display());
    let db = Db::open(&url).await?;
    store::migrate::migrate(&db).await?;
    let idle = memory_of(serve(&url, folder.path(), &sandbox)?, 3).await?;
    let fill = Fill { sandbox: &sandbox, ring: &ring, random: &random, wall: &wall };
    let (people, begun) = fill.all(&db, &options).await?;
    db.close().await;
    let memory = deliver(serve(&url, folder.path(), &sandbox)?, &sandbox, &wall, begun).await?;
    let mut rows = delivery_rows(&url, &sandbox, &people, begun).await?;
    sandbox.shutdown().await?;
    for (_, row) in &mut rows {
        row.extend([idle, memory]);
    }
    let columns = &[
        "urgent",
        "taken",
        "openings",
        "too_late",
        "overtaken_by",
        "most_a_second",
        "allowed",
        "urgent_s",
        "idle_mib",
        "most_mib",
    ];
    Ok(ByProvider { name: "backlog", columns, rows })
}

/// State needed for creating users and notices.
struct Fill<'a> {
    sandbox: &'a Sandbox,
    ring: &'a KeyRing,
    random: &'a Random,
    wall: &'a Clock,
}

impl Fill<'_> {
    /// Queues the openings and then the bookings of all users. Returns the users, and the time at
    /// which queueing began.
    async fn all(&self, db: &Db, options: &Backlog) -> anyhow::Result<(Vec<UserId>, Instant)> {
        let mut people = Vec::new();
        let mut tx = db.begin().await?;
        for n in 0..options.users {
            let user = self.user(&mut tx, n).await?;
            let (provider, _, _) = LIMITS[n % LIMITS.len()];
            let target = channels::target(self.sandbox, provider, n)?;
            channels::link(
                &mut tx,
                Seal { ring: self.ring, random: self.random },
                user,
                &target,
                self.wall.now(),
            )
            .await?;
            people.push(user);
        }
        tx.commit().await?;
        let mut tx = db.begin().await?;
        let begun = self.wall.now();
        for nth in 0..options.openings {
            for user in &people {
                self.notice(&mut tx, *user, "appointment_alert", &format!("opening:{nth}:{user}")).await?;
            }
        }
        for user in &people {
            self.notice(&mut tx, *user, "booked", &format!("booked:{user}")).await?;
        }
        tx.commit().await?;
        Ok((people, begun))
    }

    async fn user(&self, tx: &mut Tx, n: usize) -> anyhow::Result<UserId> {
        let now = self.wall.now();
        let id = UserId::new(now, self.random.bytes());
        let new = NewUser {
            id,
            email: format!("u{n}@users.example.com"),
            password_hash: None,
            language: "zh".to_owned(),
            referral_code: format!("R{n}"),
            referred_by: None,
            email_verified_at: Some(now),
        };
        store::user::insert(tx, &new, now).await?;
        Ok(id)
    }

    async fn notice(&self, tx: &mut Tx, user: UserId, template: &str, dedup_key: &str) -> anyhow::Result<()> {
        let data = words();
        let mail =
            NewMail { user: Some(user), recipient: "", language: "zh", template, data: &data, dedup_key };
        Ok(store::outbox::enqueue_messages(tx, self.random, &mail, self.wall.now()).await?)
    }
}

/// Returns the template data that openings and bookings need.
fn words() -> Value {
    let date = NaiveDate::from_ymd_opt(2027, 2, 3);
    let slot = json!({ "date": date, "time": "08:15", "facility": "Toronto", "facility_zh": "多伦多" });
    json!({
        "names": "LIN Mei", "old": null, "new": slot, "charged": "5.00 CAD", "days_advanced": 9, "search": null,
        "change_deadline": null, "facility": "Toronto", "facility_zh": "多伦多", "date": date, "held": null,
        "price": "5.00 CAD", "task_id": "0193f5a0-0000-7000-8000-000000000000",
    })
}

/// Starts a server on the database. The server reaches the sandbox's providers and polls no portal.
fn serve(url: &str, folder: &Path, sandbox: &Sandbox) -> anyhow::Result<Child> {
    let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let server = Command::new(crate::sooner()?)
        .args(["serve", "--database-url", url, "--dry-run", "--portal-url", "http://127.0.0.1:9"])
        .args(["--bind", &format!("127.0.0.1:{port}")])
        .args(["--keys-beside-data", "--key-ring"])
        .arg(folder.join("keys"))
        .envs(channels::environment(sandbox))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(server)
}

/// Waits some seconds, returns the server's resident memory in MiB, and kills the server.
async fn memory_of(mut server: Child, seconds: u64) -> anyhow::Result<f64> {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
    let memory = resident_mib(&server);
    server.kill()?;
    server.wait()?;
    Ok(memory)
}

fn resident_mib(server: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}

/// Runs the server until no more messages arrive. Returns the server's peak memory in MiB.
async fn deliver(mut server: Child, sandbox: &Sandbox, wall: &Clock, begun: Instant) -> anyhow::Result<f64> {
    let (mut most, mut count, mut last) = (0.0_f64, 0, wall.now());
    loop {
        tokio::time::sleep(Duration::from_millis(250)).await;
        most = most.max(resident_mib(&server));
        let came = sandbox.with_world(|world| world.channels.all().len());
        if came > count {
            (count, last) = (came, wall.now());
        }
        anyhow::ensure!(server.try_wait()?.is_none(), "the server ended before the benchmark");
        if wall.now() - last > QUIET && wall.now() - begun > OPENINGS_END {
            break;
        }
    }
    server.kill()?;
    server.wait()?;
    Ok(most)
}

/// Returns one row of figures for each provider.
async fn delivery_rows(
    url: &str,
    sandbox: &Sandbox,
    people: &[UserId],
    begun: Instant,
) -> anyhow::Result<Vec<(&'static str, Vec<f64>)>> {
    let db = Db::open(url).await?;
    let mut tx = db.read().await?;
    let mut late = BTreeMap::<ChannelKind, i64>::new();
    for user in people {
        let page = Page { task: None, before: None, limit: 1_000 };
        for entry in history::of_user(&mut tx, *user, page).await? {
            if entry.not_sent.as_deref() == Some(NotSent::TooLate.into()) {
                *late.entry(entry.kind).or_default() += 1;
            }
        }
    }
    let asked = people.len() / LIMITS.len();
    let all = sandbox.notifications();
    let row = |(provider, kind, allowed): (&'static str, ChannelKind, f64)| {
        let came: Vec<&Arrival> = all.iter().filter(|one| one.provider == provider).collect();
        let late = late.get(&kind).copied().unwrap_or_default();
        (provider, ExpectedDeliveries { urgent: asked, late, allowed, begun }.row(&came))
    };
    Ok(LIMITS.into_iter().map(row).collect())
}

/// Expected deliveries at one provider, with the outcomes that the server recorded.
struct ExpectedDeliveries {
    urgent: usize,
    late: i64,
    allowed: f64,
    begun: Instant,
}

impl ExpectedDeliveries {
    fn row(&self, came: &[&Arrival]) -> Vec<f64> {
        let is_urgent = |one: &Arrival| event(one) == EventKind::Booked;
        let urgent: Vec<usize> = (0..came.len()).filter(|n| is_urgent(came[*n])).collect();
        let last = urgent.last().copied().unwrap_or_default();
        let times: Vec<Instant> = came.iter().map(|one| one.wall_time).collect();
        let within = |from: &Instant| {
            times.iter().filter(|at| **at >= *from && **at - *from < TimeDelta::seconds(1)).count()
        };
        let until = times.get(last).map_or(0.0, |at| (*at - self.begun).num_milliseconds() as f64 / 1000.0);
        vec![
            self.urgent as f64,
            urgent.len() as f64,
            (came.len() - urgent.len()) as f64,
            self.late as f64,
            (last + 1 - urgent.len()) as f64,
            times.iter().map(within).max().unwrap_or_default() as f64,
            self.allowed,
            until,
        ]
    }
}

/// Returns the kind of event of a received message.
fn event(one: &Arrival) -> EventKind {
    let words = format!("{}{}", one.content.title, one.content.text);
    if words.contains("约到了") { EventKind::Booked } else { EventKind::Opening }
}
