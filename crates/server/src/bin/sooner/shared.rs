//! Parts that several commands share: logging, settings file, database and keys.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command, ValueEnum};
use domain::clock::{Clock, Instant};
use providers::traces::Traces;
use store::keyring::KeyRing;
use store::migrate::Schema;
use store::{Db, Random, Tx};
use tracing_subscriber::Layer as _;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::folders;

/// Format of log entries.
#[derive(Clone, Copy, ValueEnum)]
pub enum LogFormat {
    /// Text, for operators
    Text,
    /// JSON, for programs
    Json,
}

/// Option for the database.
#[derive(Args, Clone)]
pub struct Database {
    /// Database: `sqlite:PATH` or `postgres://…`
    #[arg(
        long,
        global = true,
        env = "SOONER_DATABASE_URL",
        default_value = "sqlite:sooner.db",
        hide_env_values = true
    )]
    pub database_url: String,
}

/// Option for the key ring.
#[derive(Args, Clone)]
pub struct Ring {
    /// File of the key ring
    #[arg(long, global = true, env = "SOONER_KEY_RING", default_value = "/etc/sooner/keys/sooner.keys")]
    pub key_ring: PathBuf,
}

/// Returns an error if the SQLite file does not exist. A command must not create an empty database
/// by mistake.
pub fn refuse_missing(database: &Database) -> anyhow::Result<()> {
    if let Some(file) = store::file_lock::file_of(&database.database_url)?.filter(|file| !file.is_file()) {
        anyhow::bail!(
            "there is no database at {}; name the server's database with --database-url or SOONER_DATABASE_URL (the \
             Debian package has it in /etc/sooner/sooner.env)",
            file.display()
        );
    }
    Ok(())
}

/// Current time of both clocks. Tasks and money use wall time; polls and budgets use portal time.
#[derive(Clone, Copy)]
pub struct Clocks {
    /// Wall time.
    pub wall: Instant,
    /// Portal time.
    pub portal: Instant,
}

impl Clocks {
    /// Reads both clocks. In a demo, the portal time is scaled as in the demo's server.
    pub async fn read(tx: &mut Tx, wall: &Clock) -> anyhow::Result<Self> {
        let scaled = store::audit::scaled_time(tx).await?;
        let portal = scaled.map(|time| wall.scaled(time.anchor, time.speed).now());
        let wall = wall.now();
        Ok(Self { wall, portal: portal.unwrap_or(wall) })
    }
}

/// Opens a database that a server or `sooner migrate` created. Returns an error if its schema is
/// not the one of this build.
pub async fn open(database: &Database) -> anyhow::Result<Db> {
    refuse_missing(database)?;
    let db = Db::open(&database.database_url).await?;
    let pending = store::migrate::pending(&db).await?;
    anyhow::ensure!(pending.is_empty(), "the database is not up to date; run: sooner migrate");
    let mut tx = db.read().await?;
    if let Schema::Incompatible(newer) = store::migrate::schema(&mut tx).await? {
        return Err(store::Error::NewerSchema(newer.join(", ")).into());
    }
    store::facility::load(&mut tx).await?;
    drop(tx);
    Ok(db)
}

/// Opens a database and its key ring. Returns an error if they do not belong together.
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

/// Initializes logging to standard error, filtered by `RUST_LOG`, and tracing to a collector if one
/// is configured.
pub fn init_log(format: LogFormat, traces: Option<&Traces>) {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("info,sqlx=warn"));
    let log = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    let log = match format {
        LogFormat::Text => log.boxed(),
        LogFormat::Json => log.json().boxed(),
    };
    let traces = traces.map(server::traces::layer);
    tracing_subscriber::registry().with(log.with_filter(filter)).with(traces).init();
}

/// Settings file of an installed server.
const INSTALLED: &str = "/etc/sooner/sooner.toml";

/// Returns the path of the settings file to use, before clap parses the command line: the file of
/// `--config`, the file of an installed server, or the file of a solo server. A default file that
/// this user cannot read is skipped.
pub fn settings_file(arguments: impl Iterator<Item = OsString>) -> Option<PathBuf> {
    let can_read = |path: &PathBuf| std::fs::File::open(path).is_ok();
    value_of("--config", arguments).map(PathBuf::from).or_else(|| {
        [Some(PathBuf::from(INSTALLED)), folders::config_file()].into_iter().flatten().find(can_read)
    })
}

/// Returns the value of an option, before clap parses the command line.
fn value_of(option: &str, mut arguments: impl Iterator<Item = OsString>) -> Option<OsString> {
    let with_value = format!("{option}=");
    while let Some(argument) = arguments.next() {
        if argument == option {
            return arguments.next();
        }
        if let Some(value) = argument.to_str().and_then(|a| a.strip_prefix(&with_value)) {
            return Some(value.into());
        }
    }
    None
}

/// Makes the values of the settings file the defaults of the options with the same name, in every
/// subcommand. Also sets the defaults of a solo server if the file, the environment or the command
/// line selects `solo`.
pub fn with_defaults(
    command: Command,
    file: Option<&Path>,
    arguments: impl Iterator<Item = OsString>,
) -> anyhow::Result<Command> {
    let mut table = file.map_or_else(|| Ok(toml::Table::new()), read_table)?;
    let arguments: Vec<_> = arguments.collect();
    // `solo` changes other defaults, so its value must be known here, before the files with secrets
    // are read.
    anyhow::ensure!(
        std::env::var_os("SOONER_SOLO_FILE").is_none(),
        "SOONER_SOLO_FILE: this setting is no secret; set SOONER_SOLO=true"
    );
    // Clap accepts only these values for the flag. In the file, the value may be text.
    let is_solo = arguments.iter().any(|argument| argument == "--solo")
        || std::env::var_os("SOONER_SOLO").is_some_and(|text| text == "true")
        || table
            .get("solo")
            .is_some_and(|value| value.as_str() == Some("true") || value.as_bool() == Some(true));
    let command = if is_solo {
        let data = value_of("--data", arguments.into_iter()).or_else(|| std::env::var_os("SOONER_DATA"));
        if data.is_some() {
            // A folder from the command line takes precedence over a database in the file.
            table.remove("database_url");
        }
        apply(command, &folders::defaults(data.map(PathBuf::from)))
    } else {
        command
    };
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
        let file = file.unwrap_or(Path::new("")).display();
        anyhow::ensure!(knows(&command, &name), "{file}: there is no setting {name}");
        values.push((name, text));
    }
    Ok(apply(command, &values))
}

fn read_table(path: &Path) -> anyhow::Result<toml::Table> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    text.parse().with_context(|| format!("{} is not TOML", path.display()))
}

/// Reads settings from files. For each variable `NAME`, the variable `NAME_FILE` may name a file
/// with the value, as containers and systemd provide secrets. Setting both is an error.
pub fn with_files(command: Command, env: impl Fn(&str) -> Option<OsString>) -> anyhow::Result<Command> {
    let mut names = Vec::new();
    named(&command, &mut names);
    let mut values = Vec::new();
    for (id, name) in names {
        let Some(path) = env(&format!("{name}_FILE")).filter(|path| !path.is_empty()) else { continue };
        anyhow::ensure!(env(&name).is_none(), "{name} and {name}_FILE are both set");
        let path = Path::new(&path);
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("{name}_FILE: cannot read {}", path.display()))?;
        values.push((id, text.trim_end_matches(['\r', '\n']).to_owned()));
    }
    Ok(apply(command, &values))
}

/// Collects the id and the environment variable of every setting, each once.
fn named(command: &Command, found: &mut Vec<(String, String)>) {
    for argument in command.get_arguments() {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else { continue };
        let one = (argument.get_id().to_string(), name.to_owned());
        if !found.contains(&one) {
            found.push(one);
        }
    }
    command.get_subcommands().for_each(|sub| named(sub, found));
}

/// Returns variables with the prefix `SOONER_` that this version does not know, for example
/// misspelled ones.
pub fn unknown_settings(command: &Command, set: impl Iterator<Item = String>) -> Vec<String> {
    let mut names = Vec::new();
    named(command, &mut names);
    let is_known = |name: &String| {
        let name = name.strip_suffix("_FILE").unwrap_or(name);
        names.iter().any(|(_, known)| known == name)
    };
    let mut unknown: Vec<_> =
        set.filter(|name| name.starts_with("SOONER_")).filter(|name| !is_known(name)).collect();
    unknown.sort_unstable();
    unknown
}

fn knows(command: &Command, name: &str) -> bool {
    command.get_arguments().any(|a| a.get_id() == name) || command.get_subcommands().any(|s| knows(s, name))
}

fn apply(command: Command, values: &[(String, String)]) -> Command {
    let own: Vec<_> =
        values.iter().filter(|(n, _)| command.get_arguments().any(|a| a.get_id() == n)).cloned().collect();
    let command = own.into_iter().fold(command, |command, (name, value)| {
        // The default is hidden, because it may be a secret and help texts end up in logs.
        command.mut_arg(name, |argument| {
            // Clap cannot hide the default of a flag.
            let hides = argument.get_action().takes_values();
            let argument = argument.default_value(value);
            if hides { argument.hide_default_value(true) } else { argument }
        })
    });
    command.mut_subcommands(|sub| apply(sub, values))
}

/// Returns the system user who runs the command, for the audit. The user id comes from the kernel,
/// not from the environment. After a change of user, e.g. with sudo, the original login user is
/// included if the system stores it.
#[must_use]
pub fn actor() -> String {
    let users = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    let uid = rustix::process::getuid().as_raw();
    let signed_in = std::fs::read_to_string("/proc/self/loginuid").ok();
    let signed_in = signed_in.and_then(|text| text.trim().parse().ok()).filter(|id| *id != u32::MAX);
    match signed_in.filter(|id| *id != uid) {
        Some(id) => format!("{} as {}", user(&users, id), user(&users, uid)),
        None => user(&users, uid),
    }
}

/// Copies an audit entry to the system log, so that a user who can change the database cannot
/// remove it. Does nothing if there is no system log.
pub fn copy_to_system_log(line: &str) {
    /// Security, informational (RFC 5424).
    const PRIORITY: u8 = 10 * 8 + 6;
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if let Ok(log) = std::os::unix::net::UnixDatagram::unbound() {
        let _ = log.send_to(format!("<{PRIORITY}>sooner: {line}").as_bytes(), "/dev/log");
    }
}

/// Formats a user as `name (uid)`, or `uid N` if the user has no name.
fn user(users: &str, uid: u32) -> String {
    let number = uid.to_string();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, id) = (fields.next()?, fields.nth(1)?);
        (id == number).then_some(name)
    });
    name.map_or_else(|| format!("uid {uid}"), |name| format!("{name} ({uid})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(clap::Parser)]
    struct Settings {
        #[arg(long, env = "SOONER_SECRET_THING")]
        secret_thing: Option<String>,
    }

    // spec: 10.7.65
    #[test]
    fn a_secret_setting_is_read_from_its_file_variable() {
        use clap::{CommandFactory as _, FromArgMatches as _};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("thing");
        std::fs::write(&path, "s3cret-thing\n").unwrap();
        let env = |name: &str| (name == "SOONER_SECRET_THING_FILE").then(|| path.clone().into_os_string());
        let command = with_files(Settings::command(), env).unwrap();
        let help = command.clone().render_long_help().to_string();
        assert!(help.contains("SOONER_SECRET_THING") && !help.contains("s3cret"), "{help}");
        let read = Settings::from_arg_matches(&command.get_matches_from(["sooner"])).unwrap();
        assert_eq!(read.secret_thing.as_deref(), Some("s3cret-thing"));
        let both =
            |name: &str| name.starts_with("SOONER_SECRET_THING").then(|| path.clone().into_os_string());
        assert!(with_files(Settings::command(), both).unwrap_err().to_string().contains("both"));
        std::fs::remove_file(&path).unwrap();
        assert!(with_files(Settings::command(), env).unwrap_err().to_string().contains("cannot read"));
    }

    #[test]
    fn solo_in_the_settings_file_closes_registration() {
        use clap::{Arg, ArgAction};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sooner.toml");
        for (text, registration) in
            [("solo = true", "closed"), ("solo = \"true\"", "closed"), ("solo = false", "open")]
        {
            std::fs::write(&path, text).unwrap();
            let command = Command::new("serve")
                .arg(Arg::new("solo").long("solo").action(ArgAction::SetTrue))
                .arg(Arg::new("registration").long("registration").default_value("open"));
            let command = with_defaults(command, Some(&path), std::iter::empty()).unwrap();
            let read = command.get_matches_from(["serve"]);
            let is = read.get_one::<String>("registration").map(String::as_str);
            assert_eq!((is, read.get_flag("solo")), (Some(registration), registration == "closed"), "{text}");
        }
    }

    #[test]
    fn a_user_id_is_shown_with_its_user_name() {
        let users = "root:x:0:0:root:/root:/bin/sh\nlin:x:1000:1000::/srv/lin:/bin/sh\n";
        assert_eq!((user(users, 1000).as_str(), user(users, 77).as_str()), ("lin (1000)", "uid 77"));
    }
}
