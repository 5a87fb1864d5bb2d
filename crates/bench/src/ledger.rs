//! Benchmark of the ledger. It places and captures holds repeatedly, with one writer and with
//! several concurrent writers.

use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use domain::clock::{Clock, Instant};
use domain::ids::UserId;
use domain::money::Money;
use store::user::NewUser;
use store::{Db, Options, Random, ledger};

use crate::{Table, quantile};

/// Options of `bench ledger`.
#[derive(Args)]
pub struct Ledger {
    /// Numbers of concurrent writers to measure
    #[arg(long, value_delimiter = ',', default_values_t = [1_usize, 8, 32])]
    writers: Vec<usize>,
    /// Duration in seconds for each number of writers
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Empty PostgreSQL database to measure in addition to SQLite
    #[arg(long, env = "SOONER_TEST_POSTGRES", hide_env_values = true)]
    postgres: Option<String>,
    /// Folder of the SQLite file; by default the system's temporary folder
    #[arg(long)]
    folder: Option<std::path::PathBuf>,
}

struct LedgerSetup {
    db: Db,
    random: Random,
    clock: Clock,
}

/// Measures both databases. The column `postgres` is 1 for PostgreSQL and 0 for SQLite.
pub async fn run(options: Ledger) -> anyhow::Result<Table> {
    let folder = match &options.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let mut urls = vec![format!("sqlite:{}", folder.path().join("bench.db").display())];
    urls.extend(options.postgres.filter(|url| !url.is_empty()));
    let mut rows = Vec::new();
    for url in &urls {
        for writers in &options.writers {
            rows.push(measure_one(url, *writers, Duration::from_secs(options.seconds)).await?);
        }
    }
    let columns = vec![
        "postgres",
        "writers",
        "pairs_per_s",
        "transactions_per_s",
        "transaction_ms_p50",
        "transaction_ms_p99",
        "retries",
    ];
    Ok(Table { name: "ledger", columns, rows })
}

async fn measure_one(url: &str, writers: usize, span: Duration) -> anyhow::Result<Vec<f64>> {
    let ambient = server::run::Ambient::system()?;
    let connections = u32::try_from(writers)?.max(8);
    let db = Db::open_with(url, &Options { connections, ..Options::default() }).await?;
    store::migrate::migrate(&db).await?;
    let setup = Arc::new(LedgerSetup { db, random: ambient.random, clock: ambient.wall });
    let mut people = Vec::new();
    for _ in 0..writers {
        people.push(customer(&setup).await?);
    }
    let begun = setup.clock.now();
    let mut work = tokio::task::JoinSet::new();
    for user in people {
        let setup = setup.clone();
        work.spawn(async move {
            let (mut took, mut retries) = (Vec::new(), 0);
            while since(&setup.clock, begun) < span.as_secs_f64() * 1e3 {
                match pair(&setup, user).await {
                    Ok(times) => took.extend(times),
                    Err(error) if error.is_retry() => retries += 1,
                    Err(error) => return Err(error),
                }
            }
            Ok((took, retries))
        });
    }
    let (mut took, mut retries) = (Vec::new(), 0);
    for done in work.join_all().await {
        let (own, again) = done?;
        took.extend(own);
        retries += again;
    }
    let seconds = since(&setup.clock, begun) / 1e3;
    let wrong = ledger::check(&mut setup.db.read().await?).await?;
    anyhow::ensure!(wrong.is_empty(), "the ledger does not balance: {wrong:?}");
    setup.db.close().await;
    took.sort_unstable_by(f64::total_cmp);
    let count = took.len() as f64;
    Ok(vec![
        f64::from(u8::from(url.starts_with("postgres"))),
        writers as f64,
        count / 2.0 / seconds,
        count / seconds,
        quantile(&took, 0.5),
        quantile(&took, 0.99),
        f64::from(retries),
    ])
}

/// Creates a user whose balance is larger than the benchmark can spend.
async fn customer(setup: &LedgerSetup) -> anyhow::Result<UserId> {
    let now = setup.clock.now();
    let id = UserId::new(now, setup.random.bytes());
    let new = NewUser {
        id,
        email: format!("{id}@example.com"),
        password_hash: None,
        language: "en".to_owned(),
        referral_code: id.to_string(),
        referred_by: None,
        email_verified_at: Some(now),
    };
    let mut tx = setup.db.begin().await?;
    store::user::insert(&mut tx, &new, now).await?;
    let source = ("bench", uuid::Uuid::from(id));
    ledger::topup(&mut tx, &setup.random, id, Money::cad(1_000_000_000), source, now).await?;
    tx.commit().await?;
    Ok(id)
}

/// Places a hold of five dollars in one transaction and captures the hold in the next. Returns the
/// duration of each in milliseconds.
async fn pair(setup: &LedgerSetup, user: UserId) -> Result<[f64; 2], store::Error> {
    let begun = setup.clock.now();
    let mut tx = setup.db.begin().await?;
    let task = uuid::Uuid::from_bytes(setup.random.bytes());
    let source = (ledger::SOURCE_TASK, task);
    let hold = match ledger::hold(&mut tx, &setup.random, user, Money::cad(500), source, begun).await {
        Ok(hold) => hold,
        Err(ledger::HoldError::Store(error)) => return Err(error),
        Err(other) => return Err(store::Error::Refused(other.to_string())),
    };
    tx.commit().await?;
    let held = since(&setup.clock, begun);
    let begun = setup.clock.now();
    // Repeat the capture until it succeeds, as the engine does.
    loop {
        let mut tx = setup.db.begin().await?;
        match ledger::capture(&mut tx, &setup.random, hold, begun).await {
            Err(error) if error.is_retry() => continue,
            done => done?,
        };
        tx.commit().await?;
        return Ok([held, since(&setup.clock, begun)]);
    }
}

fn since(clock: &Clock, begun: Instant) -> f64 {
    (clock.now() - begun).num_microseconds().unwrap_or(i64::MAX) as f64 / 1e3
}
