//! File descriptors: how many the process may have, and how many of them connections may take.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Left for the engine's sockets, the database, mail and files.
pub const RESERVED: usize = 2_000;

/// The process's limit of open descriptors.
#[must_use]
pub fn limit() -> usize {
    getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Raises the process's own limit as far as the system allows, up to what `wanted` connections need.
pub fn raise(wanted: usize) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = u64::try_from(wanted.saturating_add(RESERVED)).unwrap_or(u64::MAX);
    let reachable = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < reachable) {
        let raised = Rlimit { current: Some(reachable), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
}

/// How many connections may be open with `limit` descriptors: `wanted`, or what [`RESERVED`] leaves, or half of very few.
#[must_use]
pub fn connections(limit: usize, wanted: usize) -> usize {
    let left = limit.saturating_sub(RESERVED).max(limit / 2);
    wanted.min(left).max(1)
}

#[cfg(test)]
mod tests {
    use super::connections;

    #[test]
    fn the_rest_of_the_process_keeps_its_descriptors() {
        assert_eq!(connections(20_000, 8_000), 8_000);
        assert_eq!(connections(8_192, 8_000), 6_192);
        assert_eq!(connections(4_000, 8_000), 2_000);
        assert_eq!(connections(1_024, 8_000), 512);
        assert_eq!(connections(usize::MAX, 50), 50);
        assert_eq!(connections(0, 8_000), 1);
    }
}
