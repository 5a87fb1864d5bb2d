//! `sooner-bench`: the benchmarks of docs/BENCHMARKS.md. Each benchmark prints a table, or one JSON
//! object with `--json`. Some benchmarks start the program `sooner`, which must be in the same
//! folder.

mod apart;
mod backlog;
mod book;
mod channels;
mod crowd;
mod enumeration;
mod feed;
mod fixture;
mod front;
mod growth;
mod ledger;
mod match_days;
mod notices;
mod plan;
mod poll;
mod probe;
mod rolling;
mod scale;
mod share;
mod sign_ins;
mod spent;
mod start;
mod takeover;
mod verifying;
mod writer;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measure this build on this machine, without access to other hosts
#[derive(Parser)]
#[command(name = "sooner-bench", version, about)]
struct Bench {
    /// Print one JSON object instead of a table
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    measure: Measure,
}

#[derive(Subcommand)]
enum Measure {
    /// Compare the booked value of the planner and of simpler polling policies (virtual time)
    Plan(plan::Plan),
    /// Measure the processor time of one poll and the memory of one watched task
    Poll(poll::Poll),
    /// Count the polls needed for each slot seen, with several poll sources on one calendar
    /// (virtual time)
    Share(share::Share),
    /// Compare responses and response times for known and unknown mail addresses
    Enumeration(enumeration::Enumeration),
    /// Measure the time from the response with the free dates to the booking POST
    Book(book::Book),
    /// Measure the time from a confirmed booking until each provider has accepted the notice
    Notices(notices::Notices),
    /// Queue 10,000 notices at once and measure their order, the rate per provider and the server's
    /// memory
    Backlog(backlog::Backlog),
    /// Measure the time to the booking POST of a task that is queued behind many tasks that cannot
    /// book
    Front(front::Front),
    /// Measure the delay that verifications of portal logins add to bookings (takes minutes)
    Verifying(verifying::Verifying),
    /// Measure the commits of bookings and the status page while many pages are open
    Crowd(crowd::Crowd),
    /// Measure the processor time that open pages cost the database (PostgreSQL only)
    Feed(feed::Feed),
    /// Measure the longest time for which background work holds SQLite's only writer
    Writer(writer::Writer),
    /// Write a year of rows and measure the size of every table and the slowest queries
    Growth(growth::Growth),
    /// Measure how fast the index finds the tasks that accept a new date
    Match(match_days::Match),
    /// Count holds and captures per second with several numbers of writers
    Ledger(ledger::Ledger),
    /// Count sign-ins per second and measure the delay of other requests
    SignIns(sign_ins::SignIns),
    /// Load many tasks and measure time, memory, one round and the matching of one poll
    Scale(scale::Scale),
    /// Measure start time and memory of `sooner serve`, with an empty database and with many tasks
    Start(start::Start),
    /// Measure the time until another node takes over from a lost one (PostgreSQL only)
    Takeover(takeover::Takeover),
    /// Count polls and bookings while two servers are restarted in turn (PostgreSQL only, takes
    /// minutes)
    Rolling(rolling::Rolling),
}

fn main() -> ExitCode {
    match start() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sooner-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn start() -> anyhow::Result<()> {
    let bench = Bench::parse();
    let _ = rustls::crypto::ring::default_provider().install_default();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(run(bench))
}

/// Returns the path of the program `sooner`, which was built together with this binary.
fn sooner() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name("sooner"))
}

/// Output format of the results.
#[derive(Clone, Copy)]
enum Output {
    /// Table for readers.
    Table,
    /// One JSON object.
    Json,
}

/// Runs one benchmark and prints its result.
async fn run(bench: Bench) -> anyhow::Result<()> {
    let probe = listen(matches!(bench.measure, Measure::Book(_) | Measure::Front(_) | Measure::Crowd(_)))?;
    let output = if bench.json { Output::Json } else { Output::Table };
    let table = match bench.measure {
        Measure::Plan(plan) => return plan::run(&plan, bench.json),
        Measure::Notices(notices) => return notices::run(notices).await?.show(output),
        Measure::Growth(growth) => return growth::run(growth).await?.show(output),
        Measure::Backlog(backlog) => return backlog::run(backlog).await?.show(output),
        Measure::Poll(poll) => poll::run(poll).await?,
        Measure::Share(share) => share::run(share).await?,
        Measure::Enumeration(enumeration) => enumeration::run(enumeration).await?,
        Measure::Book(book) => book::run(book, &probe).await?,
        Measure::Front(front) => front::run(front, &probe).await?,
        Measure::Verifying(verifying) => verifying::run(verifying).await?,
        Measure::Crowd(crowd) => crowd::run(crowd, &probe).await?,
        Measure::Feed(feed) => feed::run(feed).await?,
        Measure::Writer(writer) => writer::run(writer).await?,
        Measure::Match(days) => match_days::run(&days)?,
        Measure::Ledger(ledger) => ledger::run(ledger).await?,
        Measure::SignIns(sign_ins) => sign_ins::run(sign_ins).await?,
        Measure::Scale(scale) => scale::run(scale).await?,
        Measure::Start(start) => start::run(start).await?,
        Measure::Takeover(takeover) => takeover::run(takeover).await?,
        Measure::Rolling(rolling) => rolling::run(rolling).await?,
    };
    if bench.json {
        println!("{}", serde_json::to_string_pretty(&table.json())?);
    } else {
        table.print();
    }
    Ok(())
}

/// Sets up logging to standard error. Also installs a [`probe::Probe`] if `probing` is `true`.
fn listen(probing: bool) -> anyhow::Result<probe::Probe> {
    use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
    use tracing_subscriber::util::SubscriberInitExt as _;
    let probe = probe::Probe::new(server::run::Ambient::system()?.wall);
    let words = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("error"));
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(words);
    let ours = tracing_subscriber::filter::Targets::new()
        .with_target("portal", tracing::Level::TRACE)
        .with_target("engine", tracing::Level::TRACE);
    let listening = probing.then(|| probe.clone().with_filter(ours));
    tracing_subscriber::registry().with(log).with(listening).init();
    Ok(probe)
}

/// Table of numbers with named columns.
struct Table {
    name: &'static str,
    columns: Vec<&'static str>,
    rows: Vec<Vec<f64>>,
}

impl Table {
    fn json(&self) -> serde_json::Value {
        let row = |values: &Vec<f64>| -> serde_json::Value {
            self.columns.iter().zip(values).map(|(c, v)| ((*c).to_owned(), serde_json::json!(v))).collect()
        };
        serde_json::json!({ self.name: self.rows.iter().map(row).collect::<Vec<_>>() })
    }

    fn print(&self) {
        println!("{}", self.columns.iter().map(|c| format!("{c:>22}")).collect::<String>());
        for row in &self.rows {
            println!("{}", row.iter().map(|v| format!("{v:>22.3}")).collect::<String>());
        }
    }
}

/// Returns the quantile `share` (0 to 1) of the sorted samples, or 0 without samples.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(0.0)
}
