//! `sooner-bench`: the measures of docs/BENCHMARKS.md, each as a table, or as an object with `--json`. Some start `sooner`,
//! which is looked for beside this binary.

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

/// Measures this build on this machine; everything stays on loopback.
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
    /// What share of the possible the planner captures, beside its baselines (virtual time)
    Plan(plan::Plan),
    /// Processor time of one poll and memory of one watch, everything on
    Poll(poll::Poll),
    /// Looks needed per slot seen, at several numbers of poll sources on one calendar (virtual time)
    Share(share::Share),
    /// What answers and their times tell about an address: login, register, forgot, resend, known against unknown
    Enumeration(enumeration::Enumeration),
    /// From the days answer to the booking POST, and what of it is the engine's own time
    Book(book::Book),
    /// From a settled booking until each provider has taken the notice of it
    Notices(notices::Notices),
    /// 10,000 notices at once: what goes first, how fast each provider is sent to, the server's memory
    Backlog(backlog::Backlog),
    /// From the days answer to the booking POST of somebody behind many who cannot book
    Front(front::Front),
    /// What verifications of portal logins add to the time of bookings, within the host's budget (minutes)
    Verifying(verifying::Verifying),
    /// The commit of a booking being sent, and the status page, beside a crowd of open pages and askers
    Crowd(crowd::Crowd),
    /// What open pages cost the database's processor; PostgreSQL only
    Feed(feed::Feed),
    /// The longest that housekeeping, the deletion of an account and the sweep hold SQLite's writer
    Writer(writer::Writer),
    /// A year of rows with housekeeping running: size of every table, slowest of what is asked often
    Growth(growth::Growth),
    /// One newly appeared day against many tasks, beside asking each in turn
    Match(match_days::Match),
    /// Holds and captures a second, by one writer and by several at once, on SQLite and PostgreSQL
    Ledger(ledger::Ledger),
    /// Sign-ins a second, and how long another route waits meanwhile
    SignIns(sign_ins::SignIns),
    /// Loading very many tasks: seconds, memory, a round, one poll's matching
    Scale(scale::Scale),
    /// Start to ready and memory of `sooner serve`, with an empty database and with many tasks
    Start(start::Start),
    /// How long nobody works after the node that did is gone without a word; PostgreSQL only
    Takeover(takeover::Takeover),
    /// Looks and bookings while two servers of one database are restarted in turn; PostgreSQL only (minutes)
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

/// The product's binary, of the same build.
fn sooner() -> std::io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name("sooner"))
}

/// How figures are printed.
#[derive(Clone, Copy)]
enum Output {
    /// For people.
    Table,
    /// One object.
    Json,
}

/// Runs one measure and prints it.
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

/// The log on standard error, and where it is wanted a probe beside it.
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

/// Named columns of numbers.
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

/// The value below which `share` (0 to 1) of the sorted samples lie; 0 without samples.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted.get((last as f64 * share).round() as usize).copied().unwrap_or(0.0)
}
