//! One server per SQLite file: a lock on a file beside it. The operating system releases the lock
//! when its process ends.
//!
//! The engine and commands that change the schema hold it. Readers and short transactions of an
//! operator do not need it.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use domain::clock::Instant;
use sqlx::sqlite::SqliteConnectOptions;

use crate::Error;

/// Lock of one SQLite file, held until it is dropped. PostgreSQL needs none: there the lease
/// decides.
#[derive(Debug)]
pub struct FileLock {
    _file: Option<File>,
}

/// File systems with unreliable locks and an unreliable SQLite WAL, by their names in
/// `/proc/mounts` on Linux.
const NETWORK: [&str; 9] = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "fuse.sshfs"];

impl FileLock {
    /// Acquires the lock of the database at `url`.
    ///
    /// # Errors
    /// Returns [`Error::Refused`] if another process has the lock, with that process and its start
    /// time. Also returns it if the file cannot be created or locked.
    pub fn acquire(url: &str, now: Instant) -> Result<Self, Error> {
        let Some(database) = file_of(url)? else { return Ok(Self { _file: None }) };
        let path = beside(&database)?;
        let failed =
            |error: std::io::Error| Error::Refused(format!("cannot lock {}: {error}", path.display()));
        let mut file = OpenOptions::new();
        let file = file.read(true).write(true).create(true).truncate(false);
        let mut file = file.open(&path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                let _ = file.read_to_string(&mut holder);
                let holder = if holder.trim().is_empty() { "unknown process" } else { holder.trim() };
                return Err(Error::Refused(format!(
                    "another server works on {}: {holder}; stop it first",
                    database.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        file.set_len(0).and_then(|()| file.seek(SeekFrom::Start(0))).map_err(failed)?;
        writeln!(file, "process {}, started {}", std::process::id(), now.format("%Y-%m-%d %H:%M:%S UTC"))
            .map_err(failed)?;
        Ok(Self { _file: Some(file) })
    }
}

/// Returns the file of an SQLite database. `None` for PostgreSQL and for a database in memory.
///
/// # Errors
/// Returns an error if `url` is not a valid URL.
pub fn file_of(url: &str) -> Result<Option<PathBuf>, Error> {
    if !url.starts_with("sqlite:") || url.contains(":memory:") || url.contains("mode=memory") {
        return Ok(None);
    }
    Ok(Some(SqliteConnectOptions::from_str(url)?.get_filename().to_owned()))
}

/// Returns the path of the lock file, beside the real path of the database.
fn beside(database: &Path) -> Result<PathBuf, Error> {
    let folder = database.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).map_err(sqlx::Error::Io)?;
    let real = match database.canonicalize() {
        Ok(real) => real,
        Err(_) => folder
            .canonicalize()
            .map_err(sqlx::Error::Io)?
            .join(database.file_name().ok_or(Error::Corrupt("database file"))?),
    };
    let mut name = real.into_os_string();
    name.push(".lock");
    Ok(name.into())
}

/// Returns the kind of network file system that holds the SQLite file at `url`, if any. `mounts` is
/// the content of `/proc/mounts`.
#[must_use]
pub fn network_file_system(url: &str, mounts: &str) -> Option<String> {
    let database = file_of(url).ok()??;
    let folder = database.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().ok()?;
    let mounted = mounts.lines().filter_map(|line| {
        let mut words = line.split(' ').skip(1);
        // `/proc/mounts` writes spaces in paths in octal.
        let at = words.next()?.replace("\\040", " ");
        Some((at, words.next()?))
    });
    let (_, kind) = mounted.filter(|(at, _)| folder.starts_with(at)).max_by_key(|(at, _)| at.len())?;
    NETWORK.contains(&kind).then(|| kind.to_owned())
}
