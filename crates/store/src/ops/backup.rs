//! Backup of an SQLite database while servers use it: one consistent state in one file. It contains
//! no data that alone grants access to the portal. The key ring is never part of it.

use std::fs::{File, OpenOptions};
use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::Duration;

use domain::clock::Instant;
use sha2::{Digest as _, Sha256};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection as _, SqliteConnection};

use crate::keyring::rewrap;
use crate::{Db, Error, all, exec};

/// Completed backup.
#[derive(Clone, Debug)]
pub struct Backup {
    /// Path of the file.
    pub path: PathBuf,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// Ids of the keys that encrypt its secrets.
    pub keys: Vec<String>,
}

/// Maximum wait for the database to become readable.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Writes a backup of the SQLite database at `url` into `folder`, which is created if it is
/// missing. The file gets its final name only after it was written and read back. An inconsistent
/// ledger is only logged.
///
/// # Errors
/// Returns an error if the database cannot be read, the file cannot be written, or the written file
/// is damaged.
pub async fn sqlite(url: &str, folder: &Path, now: Instant) -> Result<Backup, Error> {
    std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
    let name = format!("sooner-{}.db", now.format("%Y%m%dT%H%M%S%6fZ"));
    let (path, partial) = (folder.join(&name), folder.join(format!("{name}.partial")));
    let made = write(url, &partial, now).await;
    if made.is_err() {
        remove(&partial);
    }
    let keys = made?;
    std::fs::rename(&partial, &path).map_err(sqlx::Error::Io)?;
    sync(folder)?;
    let (bytes, sha256) = digest(&path).map_err(sqlx::Error::Io)?;
    Ok(Backup { path, bytes, sha256, keys })
}

async fn write(url: &str, partial: &Path, now: Instant) -> Result<Vec<String>, Error> {
    // SQLite writes into an existing empty file. This one is readable by its owner only, from the
    // start.
    let mut file = OpenOptions::new();
    file.write(true).create_new(true).mode(0o600).open(partial).map_err(sqlx::Error::Io)?;
    let options = SqliteConnectOptions::from_str(url)?.create_if_missing(false).busy_timeout(LONGEST_WAIT);
    let mut source = SqliteConnection::connect_with(&options).await?;
    let target =
        partial.to_str().ok_or_else(|| Error::Refused("the folder's name is not UTF-8".to_owned()))?;
    crate::sent();
    sqlx::query("VACUUM INTO $1").bind(target.to_owned()).execute(&mut source).await?;
    source.close().await?;
    let copy = Db::open(&format!("sqlite:{target}")).await?;
    let keys = finish(&copy, now).await;
    copy.close().await;
    let keys = keys?;
    sync(partial)?;
    Ok(keys)
}

/// Removes data that must not be in a backup, records the time of the backup, and checks the file.
/// Returns the ids of its keys.
async fn finish(copy: &Db, now: Instant) -> Result<Vec<String>, Error> {
    crate::migrate::migrate(copy).await?;
    let mut tx = copy.begin().await?;
    forget_sessions(&mut tx).await?;
    // If this database was itself restored and its card payments were not read again, the missing
    // data begins with that gap.
    exec!(&mut tx, "DELETE FROM restore WHERE cards_read_at IS NOT NULL")?;
    exec!(
        &mut tx,
        "INSERT INTO restore (id, backup_at) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET restored_at = NULL",
        now
    )?;
    tx.commit().await?;
    if let Db::Sqlite { writer, .. } = copy {
        // Removed data stays in the unused parts of pages, even with `secure_delete`, so the file
        // is rewritten.
        crate::sent();
        sqlx::query("VACUUM").execute(writer.pool()).await?;
    }
    let mut tx = copy.read().await?;
    let damage = all!(&mut tx, (String,), "PRAGMA integrity_check")?;
    if damage.iter().any(|(line,)| line != "ok") {
        return Err(Error::Refused(format!("the backup is damaged: {damage:?}")));
    }
    let wrong = crate::ledger::check(&mut tx).await?;
    if let Some(first) = wrong.first() {
        tracing::warn!(promise = first.promise, place = first.place, "ledger in the backup does not balance");
    }
    let mut keys: Vec<_> = rewrap::counts(&mut tx).await?.into_iter().map(|count| count.kid).collect();
    keys.sort_unstable();
    keys.dedup();
    Ok(keys)
}

/// Clears the cookies of portal accounts: their holder is signed in there.
pub(crate) async fn forget_sessions(tx: &mut crate::Tx) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE portal_account SET session_kid = NULL, session_blob = NULL, session_secret = NULL,
           session_secret_version = NULL, session_at = NULL, session_sent_at = NULL"
    )?;
    Ok(())
}

/// Returns the size and SHA-256 of a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn digest(path: &Path) -> std::io::Result<(u64, String)> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let (mut bytes, mut buffer) = (0, vec![0; 1 << 16]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, hex::encode(hash.finalize())));
        }
        bytes += read as u64;
        hash.update(&buffer[..read]);
    }
}

/// Copies a file into a new one that only its owner can read.
///
/// # Errors
/// Returns an error if `from` cannot be read or `to` exists.
pub fn copy_private(from: &Path, to: &Path) -> std::io::Result<()> {
    let mut source = File::open(from)?;
    let mut target = OpenOptions::new().write(true).create_new(true).mode(0o600).open(to)?;
    std::io::copy(&mut source, &mut target)?;
    target.sync_all()
}

/// Flushes a file, or a folder's list of names, to disk.
///
/// # Errors
/// Returns an error if the flush fails.
pub fn sync(path: &Path) -> Result<(), Error> {
    Ok(File::open(path).and_then(|file| file.sync_all()).map_err(sqlx::Error::Io)?)
}

/// Deletes the file of a database and the files that SQLite keeps beside it, if they exist.
pub fn remove(database: &Path) {
    for suffix in ["", "-wal", "-shm", "-journal"] {
        let mut name = database.as_os_str().to_owned();
        name.push(suffix);
        let _ = std::fs::remove_file(name);
    }
}
