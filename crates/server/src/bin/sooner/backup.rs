//! Commands `sooner backup`, `sooner restore` and `sooner database copy`.

use std::io::{IsTerminal as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, chown};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::{Args, Subcommand, ValueEnum};
use domain::clock::Instant;
use serde_json::json;
use server::run::Ambient;
use store::file_lock::{self, FileLock};
use store::restore::{OpenCodes, Prepared};
use store::{Db, backup, copy, migrate, restore};

use crate::shared::{self, Database, Ring};
use crate::tasks::audit;

/// Options of `sooner backup`.
#[derive(Args)]
pub struct Backup {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
    /// Folder of the backup; created if it is missing
    folder: PathBuf,
}

/// Options of `sooner restore`.
#[derive(Args)]
pub struct Restore {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
    /// File of the backup, for SQLite. Omit it for PostgreSQL, after restoring the database with
    /// its own tools
    backup: Option<PathBuf>,
    /// Decision about top-up codes that were unused at the backup and may have been used since
    #[arg(long, value_enum)]
    codes: Option<Codes>,
    /// Move the existing database aside, under another name
    #[arg(long)]
    replace: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Codes {
    /// Keep them valid; correct only if none was used since
    Keep,
    /// Revoke them; mint new ones afterwards
    Revoke,
}

/// Options of `sooner database`.
#[derive(Args)]
pub struct DatabaseCommand {
    #[command(subcommand)]
    command: DatabaseMove,
}

#[derive(Subcommand)]
enum DatabaseMove {
    /// Copy an SQLite database into an empty one on PostgreSQL, and compare every row
    Copy {
        /// `sqlite:PATH`; no server may use it
        #[arg(long)]
        from: String,
        /// `postgres://…`, an empty database
        #[arg(long)]
        to: String,
    },
}

/// Advice for PostgreSQL: tools for backups, with their purposes.
const POSTGRES_BACKUP: &str =
    "this command backs up SQLite only; back up PostgreSQL with its own tools, while it runs:
  one server, up to some 10 GB:  pg_dump --format=custom --file=sooner.dump DATABASE_URL   (every night; later
                                 writes are lost)
  anything that must not lose a minute:  pgBackRest with archived WAL (restores to any time)
Store the key ring apart from either: anyone who has both can read portal passwords.
After pg_restore, before a server starts:  sooner restore --codes …";

/// Writes a backup.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn backup(command: &Backup) -> anyhow::Result<()> {
    let url = &command.database.database_url;
    ensure!(url.starts_with("sqlite:"), "{POSTGRES_BACKUP}");
    let ambient = Ambient::system()?;
    let db = shared::open(&command.database).await?;
    let made = backup::sqlite(url, &command.folder, ambient.wall.now()).await?;
    let mut tx = db.begin().await?;
    let what = json!({ "file": made.path.display().to_string(), "sha256": made.sha256, "keys": made.keys });
    audit(&mut tx, &ambient, "backup", &made.path.display().to_string(), what).await?;
    tx.commit().await?;
    db.close().await;
    println!("wrote {} ({} bytes, readable by its owner only)", made.path.display(), made.bytes);
    println!("sha256 {}", made.sha256);
    println!(
        "Its secrets are encrypted with these keys: {}.\n\
         The key ring is not in the backup: {}\n\
         Without the key ring, portal passwords and second factors are lost.\n\
         Keep a copy of the key ring in another place: anyone who has both can read the passwords.",
        made.keys.join(", "),
        command.ring.key_ring.display()
    );
    Ok(())
}

/// Restores a database from a file, or prepares a database that was restored with other tools.
///
/// # Errors
/// Returns an error with a message for the operator. The existing database is then unchanged.
pub async fn restore(command: &Restore) -> anyhow::Result<()> {
    let url = &command.database.database_url;
    let ambient = Ambient::system()?;
    let lock = FileLock::acquire(url, ambient.wall.now())?;
    let prepared = match (file_lock::file_of(url)?, &command.backup) {
        (Some(database), Some(backup)) => from_file(command, &database, backup, &ambient).await?,
        (None, None) => in_place(command, url, &ambient).await?,
        (Some(_), None) => anyhow::bail!("no backup file is named; name it: sooner restore FILE"),
        (None, Some(_)) => anyhow::bail!(
            "PostgreSQL's own tools restore its databases (pg_restore, pgBackRest); run this command afterwards, without a \
             file, to prepare the database for a server"
        ),
    };
    drop(lock);
    print_summary(&prepared);
    Ok(())
}

/// Suffixes of the files of a SQLite database. The last one is the main file; the others may
/// contain data that it lacks.
const FILES: [&str; 4] = ["-wal", "-shm", "-journal", ""];

async fn from_file(
    command: &Restore,
    database: &Path,
    backup: &Path,
    ambient: &Ambient,
) -> anyhow::Result<Prepared> {
    let now = ambient.wall.now();
    ensure!(backup.is_file(), "the backup {} is not a file", backup.display());
    // A log without its database is not ignored, because SQLite would apply its pages to the
    // backup.
    let there = FILES.iter().any(|suffix| beside_as(database, suffix).exists());
    ensure!(
        !there || command.replace,
        "{} or a log beside it exists; --replace moves it aside, under another name",
        database.display()
    );
    let fresh = beside(database, "restoring");
    backup::remove(&fresh);
    backup::copy_private(backup, &fresh).with_context(|| format!("cannot copy {}", backup.display()))?;
    let db = Db::open(&format!("sqlite:{}", fresh.display())).await?;
    let prepared = prepare(command, &db, backup, ambient).await;
    db.close().await;
    if prepared.is_err() {
        backup::remove(&fresh);
    }
    let prepared = prepared?;
    backup::sync(&fresh)?;
    if there {
        let aside = free_name(database, now);
        // The WAL may hold data that the file lacks, so all files are moved together.
        for suffix in FILES {
            let (from, to) = (beside_as(database, suffix), beside_as(&aside, suffix));
            if from.exists() {
                std::fs::rename(&from, &to).with_context(|| format!("cannot move {}", from.display()))?;
            }
        }
        println!("moved the previous database {} to {}", database.display(), aside.display());
    }
    std::fs::rename(&fresh, database)
        .with_context(|| format!("cannot rename the restored file to {}", database.display()))?;
    let folder = database.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    give_to_owner_of(folder, database)?;
    backup::sync(folder)?;
    Ok(prepared)
}

/// Returns an unused name for the previous database. A number makes the name unique if another
/// restore ended in the same second.
fn free_name(database: &Path, now: Instant) -> PathBuf {
    let stamp = format!("before-restore-{}", now.format("%Y%m%dT%H%M%SZ"));
    let names = std::iter::once(stamp.clone()).chain((2_u32..).map(|n| format!("{stamp}-{n}")));
    let is_free = |path: &PathBuf| !FILES.iter().any(|suffix| beside_as(path, suffix).exists());
    names.map(|name| beside(database, &name)).find(is_free).unwrap_or_else(|| beside(database, &stamp))
}

/// Changes the owner of the database's files to the owner of their folder. Otherwise the server
/// could not open files that root restored.
fn give_to_owner_of(folder: &Path, database: &Path) -> anyhow::Result<()> {
    let owner = std::fs::metadata(folder)?;
    if std::fs::metadata(database)?.uid() != 0 {
        return Ok(());
    }
    for path in [database.to_owned(), beside_as(database, ".lock")] {
        if path.exists() {
            chown(&path, Some(owner.uid()), Some(owner.gid())).with_context(|| {
                format!("cannot change the owner of {} to the owner of its folder", path.display())
            })?;
        }
    }
    Ok(())
}

async fn in_place(command: &Restore, url: &str, ambient: &Ambient) -> anyhow::Result<Prepared> {
    let db = Db::open(url).await?;
    let prepared = prepare(command, &db, Path::new("its own tools"), ambient).await;
    db.close().await;
    prepared
}

async fn prepare(command: &Restore, db: &Db, from: &Path, ambient: &Ambient) -> anyhow::Result<Prepared> {
    migrate::migrate(db).await?;
    let ring = store::keyring::KeyRing::load(&command.ring.key_ring)?;
    store::keyring::check_canary(db, &ring, &ambient.random).await?;
    let now = ambient.wall.now();
    let codes = what_of_codes(command, db, now).await?;
    let mut tx = db.begin().await?;
    let wrong = store::ledger::check(&mut tx).await?.len();
    ensure!(
        wrong == 0,
        "the ledger in the backup does not balance ({wrong} differences); use an older backup"
    );
    let prepared = restore::prepare(&mut tx, engine::LEASE, codes, now, ambient.wall.now()).await?;
    let what = json!({
        "from": from.display().to_string(), "backup_at": prepared.backup_at, "sessions": prepared.sessions,
        "unsent": prepared.unsent, "codes_revoked": prepared.codes_revoked, "attempts": prepared.attempts,
    });
    audit(&mut tx, ambient, "restore", "database", what).await?;
    tx.commit().await?;
    Ok(prepared)
}

async fn what_of_codes(command: &Restore, db: &Db, now: Instant) -> anyhow::Result<OpenCodes> {
    let mut tx = db.read().await?;
    let (count, worth) = restore::open_codes(&mut tx, now).await?;
    drop(tx);
    match command.codes {
        _ if count == 0 => Ok(OpenCodes::Keep),
        Some(Codes::Keep) => Ok(OpenCodes::Keep),
        Some(Codes::Revoke) => Ok(OpenCodes::Revoke),
        None => {
            let open = format!(
                "{count} top-up codes worth {worth} were unused when the backup was made. Codes that were used since would work \
                 again"
            );
            ensure!(std::io::stdin().is_terminal(), "{open}. Add --codes revoke or --codes keep");
            print!("{open}.\nRevoke them? [Y/n] ");
            std::io::stdout().flush()?;
            let mut answer = String::new();
            std::io::stdin().read_line(&mut answer)?;
            let keep = answer.trim().to_lowercase().starts_with('n');
            Ok(if keep { OpenCodes::Keep } else { OpenCodes::Revoke })
        }
    }
}

fn print_summary(prepared: &Prepared) {
    println!(
        "Restored the database as of {}. Later changes are missing.",
        prepared.backup_at.format("%Y-%m-%d %H:%M:%S UTC")
    );
    println!(
        "  ended {} sign-ins; cancelled {} waiting mails and messages",
        prepared.sessions, prepared.unsent
    );
    println!("  revoked {} top-up codes", prepared.codes_revoked);
    println!("  {} booking attempts will be read back from the portal", prepared.attempts);
    println!(
        "Start the server now.\n\
         It books nothing for three minutes. After that it books for a task once it has read the task's pages.\n\
         It holds no money for new tasks until it has read the card payments again (see sooner doctor).\n\
         Accounts and portal passwords that were deleted after the backup exist again.\n\
         Passwords that were changed after the backup have their old values.\n\
         Notify these users, or delete the accounts and passwords again."
    );
}

/// Copies a database.
///
/// # Errors
/// Returns an error with a message for the operator. Nothing is then copied.
pub async fn database(command: &DatabaseCommand) -> anyhow::Result<()> {
    let DatabaseMove::Copy { from, to } = &command.command;
    ensure!(
        from.starts_with("sqlite:") && !to.starts_with("sqlite:"),
        "this command copies from sqlite:… to postgres://… only"
    );
    let ambient = Ambient::system()?;
    let file = file_lock::file_of(from)?.filter(|file| file.is_file());
    ensure!(file.is_some(), "there is no database at {from}");
    let _lock = FileLock::acquire(from, ambient.wall.now())?;
    // The ledger is summed in one long statement, and no other connection waits for it.
    let patient =
        store::Options { deadline: std::time::Duration::from_secs(3_600), ..store::Options::default() };
    let (source, target) = (Db::open(from).await?, Db::open_with(to, &patient).await?);
    let copied = copy::sqlite_to_postgres(&source, &target).await?;
    let rows: u64 = copied.iter().map(|table| table.rows).sum();
    let mut tx = target.begin().await?;
    audit(&mut tx, &ambient, "database copy", "database", json!({ "rows": rows })).await?;
    tx.commit().await?;
    source.close().await;
    target.close().await;
    for table in copied.iter().filter(|table| table.rows > 0) {
        println!("{:>10}  {}", table.rows, table.table);
    }
    println!("copied and compared {rows} rows; the ledger balances");
    println!(
        "Use the same key ring.\nStart every server with --database-url of the copy, and no server on the old file."
    );
    Ok(())
}

fn beside(database: &Path, word: &str) -> PathBuf {
    beside_as(database, &format!(".{word}"))
}

fn beside_as(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
