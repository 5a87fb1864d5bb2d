//! Benchmark of a rolling upgrade. It restarts two servers of one database in turn while dates
//! appear and are booked. It reads the polls and bookings from the portal's journal. PostgreSQL
//! only.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::Context as _;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use clap::Args;
use domain::clock::Clock;
use domain::ids::TaskId;
use domain::task::TaskStatus;
use engine::Config;
use store::Db;

use crate::fixture::{Fixture, TORONTO};
use crate::{Table, quantile};

/// Options of `bench rolling`.
#[derive(Args)]
pub struct Rolling {
    /// Empty PostgreSQL database
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    database_url: String,
    /// Number of restarts, alternating between the servers; one date appears at each stop
    #[arg(long, default_value_t = 6)]
    restarts: usize,
    /// Number of additional users for whom no date appears; with their accounts, no account's
    /// budget limits the polling rate
    #[arg(long, default_value_t = 24)]
    watchers: usize,
    /// Seconds between the return of one server and the stop of the other
    #[arg(long, default_value_t = 20)]
    pause: u64,
    /// Speed of portal time relative to wall time
    #[arg(long, default_value_t = 20.0)]
    speed: f64,
}

/// Longest wait for any step, in seconds of wall time.
const LONGEST_WAIT: u64 = 120;

/// State of the benchmark: servers, dates and times.
struct Rollout<'a> {
    options: &'a Rolling,
    fixture: Fixture,
    folder: tempfile::TempDir,
    /// Time at which portal time and wall time were equal.
    anchor: DateTime<Utc>,
    wall: Clock,
}

/// Restarts the servers in turn and evaluates the portal's journal.
pub async fn run(options: Rolling) -> anyhow::Result<Table> {
    anyhow::ensure!(
        options.database_url.starts_with("postgres"),
        "this benchmark needs PostgreSQL, because SQLite supports only one server"
    );
    let wall = server::run::Ambient::system()?.wall;
    let anchor = wall.now();
    let db = Db::open(&options.database_url).await?;
    let fixture = Fixture::scaled(db, anchor, options.speed, Config::default()).await?;
    let folder = tempfile::tempdir()?;
    fixture.ctx.keyring.save_new(&folder.path().join("keys"))?;
    Rollout { options: &options, fixture, folder, anchor, wall }.roll().await
}

impl Rollout<'_> {
    async fn roll(&self) -> anyhow::Result<Table> {
        let mut people = Vec::new();
        let today = self.fixture.ctx.portal_time.now().date_naive();
        for n in 0..self.options.restarts {
            let day = today + TimeDelta::days(60 + 7 * i64::try_from(n)?);
            let mut person = self.fixture.person(&format!("person{n}"), TORONTO)?;
            (person.criteria.start_date, person.criteria.end_date) = (day, day);
            people.push((self.fixture.task_of(person).await?, day));
        }
        for n in 0..self.options.watchers {
            let mut person = self.fixture.person(&format!("watcher{n}"), TORONTO)?;
            (person.criteria.start_date, person.criteria.end_date) = (today, today + TimeDelta::days(30));
            self.fixture.task_of(person).await?;
        }
        let mut nodes = [self.serve("one").await?, self.serve("two").await?];
        for (task, _) in &people {
            self.until(*task, |task| task.status == TaskStatus::Active).await?;
        }
        let (mut stops, begun) = (Vec::new(), self.fixture.ctx.portal_time.now());
        for (n, (_, day)) in people.iter().enumerate() {
            tokio::time::sleep(Duration::from_secs(self.options.pause)).await;
            self.fixture.slot(TORONTO, *day)?;
            let (at, name) = (n % 2, ["one", "two"][n % 2]);
            let told = self.wall.now();
            stop(&mut nodes[at]).await?;
            stops.push(seconds(self.wall.now() - told));
            nodes[at] = self.serve(name).await?;
        }
        for (task, day) in &people {
            self.until(*task, |task| task.interview().is_some_and(|held| held.date == *day)).await.ok();
        }
        for node in &mut nodes {
            stop(node).await?;
        }
        self.measured(&people, stops, begun).await
    }

    /// Starts a server on the database and waits until it is ready.
    async fn serve(&self, node: &str) -> anyhow::Result<Child> {
        let port = std::net::TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Command::new(crate::sooner()?)
            .args([
                "serve",
                "--database-url",
                &self.options.database_url,
                "--node",
                node,
                "--keys-beside-data",
            ])
            .args(["--portal-url", &self.fixture.sandbox()?.portal_url()])
            .args(["--speed", &self.options.speed.to_string(), "--time-anchor", &self.anchor.to_rfc3339()])
            .args(["--bind", &format!("127.0.0.1:{port}"), "--key-ring"])
            .arg(self.folder.path().join("keys"))
            .stdout(Stdio::null())
            .stderr(log(self.folder.path(), node)?)
            .spawn()?;
        for _ in 0..LONGEST_WAIT * 100 {
            if tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return Ok(child);
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        anyhow::bail!("the server {node} did not become ready")
    }

    async fn until(&self, task: TaskId, done: impl Fn(&store::task::Task) -> bool) -> anyhow::Result<()> {
        for _ in 0..LONGEST_WAIT / 10 {
            if self.fixture.wait(task, &done).await? {
                return Ok(());
            }
        }
        anyhow::bail!("a task did not reach the expected state within {LONGEST_WAIT} s")
    }

    async fn measured(
        &self,
        people: &[(TaskId, NaiveDate)],
        mut stops: Vec<f64>,
        begun: DateTime<Utc>,
    ) -> anyhow::Result<Table> {
        let (looks, posts, applied) = self.fixture.with_world(|w| {
            let of = |kind: &str| {
                let entries = w.journal.after(0).iter().filter(|entry| entry.kind == kind);
                entries.map(|entry| entry.world_time).filter(|at| *at >= begun).collect::<Vec<_>>()
            };
            (of("days"), of("book").len(), w.applied.len())
        })?;
        let mut gaps: Vec<f64> =
            looks.windows(2).map(|two| seconds(two[1] - two[0]) / self.options.speed).collect();
        gaps.sort_by(f64::total_cmp);
        stops.sort_by(f64::total_cmp);
        let mut tx = self.fixture.ctx.db.read().await?;
        let mut charged = 0;
        for (task, day) in people {
            let row = store::task::get(&mut tx, *task).await?.context("the task is missing")?;
            charged += usize::from(
                row.captured_at.is_some() && row.interview().is_some_and(|held| held.date == *day),
            );
        }
        let balanced = store::ledger::check(&mut tx).await?.is_empty();
        anyhow::ensure!(balanced, "the ledger does not balance");
        let counts = [people.len(), looks.len(), posts, applied, charged].map(|count| count as f64);
        let mut row = counts.to_vec();
        row.extend([quantile(&gaps, 0.5), quantile(&gaps, 1.0), quantile(&stops, 1.0)]);
        Ok(Table {
            name: "rolling",
            columns: vec![
                "restarts",
                "looks",
                "posts",
                "applied",
                "booked_and_charged",
                "gap_s_p50",
                "gap_s_max",
                "stop_s_max",
            ],
            rows: vec![row],
        })
    }
}

fn seconds(span: TimeDelta) -> f64 {
    span.num_milliseconds() as f64 / 1000.0
}

/// Opens the log file of a server, in the temporary folder that is deleted at the end.
fn log(folder: &Path, node: &str) -> anyhow::Result<std::fs::File> {
    Ok(std::fs::File::options().create(true).append(true).open(folder.join(format!("{node}.log")))?)
}

/// Sends SIGTERM to a server, as systemd does, and waits until the process has ended.
async fn stop(server: &mut Child) -> anyhow::Result<()> {
    let asked = Command::new("kill").args(["-TERM", &server.id().to_string()]).status()?;
    anyhow::ensure!(asked.success(), "a server had ended before it was stopped");
    for _ in 0..LONGEST_WAIT * 100 {
        if let Some(ended) = server.try_wait()? {
            anyhow::ensure!(ended.success(), "a server ended with {ended}");
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!("a server did not end after SIGTERM")
}
