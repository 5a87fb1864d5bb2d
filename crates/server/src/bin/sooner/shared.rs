//! What the subcommands share: log, settings file, database and keys.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, ValueEnum};
use store::keyring::KeyRing;
use store::migrate::Schema;
use store::{Db, Random};

/// How log lines look.
#[derive(Clone, Copy, ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines.
    Json,
}

/// Which database.
#[derive(Args, Clone)]
pub struct Database {
    /// `sqlite:PATH` or `postgres://…`
    #[arg(
        long,
        global = true,
        env = "SOONER_DATABASE_URL",
        default_value = "sqlite:sooner.db",
        hide_env_values = true
    )]
    pub database_url: String,
}

/// Which key ring.
#[derive(Args, Clone)]
pub struct Ring {
    /// The key ring's file
    #[arg(long, global = true, env = "SOONER_KEY_RING", default_value = "sooner.keys")]
    pub key_ring: PathBuf,
}

/// Opens a database that `serve` or `migrate` has made.
pub async fn open(database: &Database) -> anyhow::Result<Db> {
    let db = Db::open(&database.database_url).await?;
    let pending = store::migrate::pending(&db).await?;
    anyhow::ensure!(pending.is_empty(), "the database is not up to date; run: sooner migrate");
    if let Schema::Incompatible(newer) = store::migrate::schema(&mut db.read().await?).await? {
        return Err(store::Error::NewerSchema(newer.join(", ")).into());
    }
    Ok(db)
}

/// Opens a database with the key ring that belongs to it.
pub async fn open_with_keys(
    database: &Database,
    ring: &Ring,
    random: &Random,
) -> anyhow::Result<(Db, KeyRing)> {
    let ring = KeyRing::load(&ring.key_ring)?;
    let db = open(database).await?;
    store::keyring::check_canary(&db, &ring, random).await?;
    Ok((db, ring))
}

/// Sends log lines to standard error; `RUST_LOG` chooses which.
pub fn init_log(format: LogFormat) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
}

/// The value of `--config`, before clap looks at anything.
pub fn config_path(mut arguments: impl Iterator<Item = OsString>) -> Option<OsString> {
    while let Some(argument) = arguments.next() {
        if argument == "--config" {
            return arguments.next();
        }
        if let Some(path) = argument.to_str().and_then(|a| a.strip_prefix("--config=")) {
            return Some(path.into());
        }
    }
    None
}

/// Makes the file's values the defaults of the options of the same name, in every subcommand.
pub fn with_defaults(command: Command, path: &Path) -> anyhow::Result<Command> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let table: toml::Table = text.parse().with_context(|| format!("{} is not TOML", path.display()))?;
    let mut values = Vec::new();
    for (name, value) in table {
        let text = match value {
            toml::Value::String(text) => text,
            toml::Value::Array(items) => {
                let items = items.iter().map(|i| i.as_str().map_or_else(|| i.to_string(), str::to_owned));
                items.collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        anyhow::ensure!(knows(&command, &name), "{}: there is no setting {name}", path.display());
        values.push((name, text));
    }
    Ok(apply(command, &values))
}

fn knows(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|a| a.get_id() == name) || command.get_subcommands().any(|s| knows(s, name))
}

fn apply(command: Command, values: &[(String, String)]) -> Command {
    let own: Vec<_> =
        values.iter().filter(|(n, _)| command.get_arguments().any(|a| a.get_id() == n)).cloned().collect();
    let command = own.into_iter().fold(command, |command, (name, value)| {
        command.mut_arg(name, |argument| argument.default_value(value))
    });
    command.mut_subcommands(|sub| apply(sub, values))
}

/// The system user who runs the command, for the audit.
#[must_use]
pub fn actor() -> String {
    let named = ["SUDO_USER", "USER", "LOGNAME"].into_iter().find_map(|name| std::env::var(name).ok());
    named.filter(|name| !name.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}
