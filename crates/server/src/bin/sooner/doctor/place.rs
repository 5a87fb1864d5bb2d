//! Checks of the place where the database runs: free space, file system, and available connections.

use std::path::Path;

use server::config::PoolSizes;
use store::{Error, Tx};

use super::Finding;

/// Free bytes below which the database's disk counts as low, or as full.
const ROOM_LOW: u64 = 2 << 30;
const ROOM_NONE: u64 = 256 << 20;

/// Checks the free space on the disk of an SQLite database.
pub fn disk(database_url: &str) -> Option<Finding> {
    let path = database_url.strip_prefix("sqlite:")?.split('?').next()?;
    let path = Path::new(path.trim_start_matches("//"));
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let room = match rustix::fs::statvfs(folder) {
        Ok(stat) => stat.f_bavail * stat.f_frsize,
        Err(error) => {
            let says = format!("cannot read the free space of {}: {error}", folder.display());
            return Some(Finding::warn("disk", says, "check that the folder can be read"));
        }
    };
    let size: u64 = ["", "-wal"]
        .iter()
        .filter_map(|end| std::fs::metadata(format!("{}{end}", path.display())).ok())
        .map(|m| m.len())
        .sum();
    let says = format!("{} MiB free, the database takes {} MiB", room >> 20, size >> 20);
    Some(match room {
        ..ROOM_NONE => Finding::bad("disk", says, "make room now; nothing can be written when it is full"),
        ROOM_NONE..ROOM_LOW => Finding::warn("disk", says, "make room soon"),
        _ => Finding::ok("disk", says),
    })
}

/// Warns if an SQLite database is on a network file system, where locks and the write-ahead log are
/// unreliable.
pub fn network(database_url: &str) -> Option<Finding> {
    let mounts = std::fs::read_to_string("/proc/mounts").ok()?;
    let kind = store::file_lock::network_file_system(database_url, &mounts)?;
    Some(Finding::warn(
        "file system",
        format!("the database is on a network file system ({kind}); its lock and its log are not safe there"),
        "move it to a local disk, or use PostgreSQL",
    ))
}

/// Checks that PostgreSQL allows as many connections as a server with these settings opens.
pub async fn connections(tx: &mut Tx, ours: &PoolSizes) -> Result<Option<Finding>, Error> {
    let Some(room) = store::operator::connections(tx).await? else { return Ok(None) };
    let total = i64::from(ours.total());
    let says = format!("{room} for all servers; one opens at most {total}");
    Ok(Some(match room / total.max(1) {
        0 => Finding::bad(
            "database connections",
            says,
            "raise max_connections, or lower --request-connections",
        ),
        1 => Finding::warn(
            "database connections",
            format!("{says}; not enough for a second server"),
            "raise max_connections before a second server starts",
        ),
        servers => Finding::ok("database connections", format!("{says}: enough for {servers}")),
    }))
}
