//! File descriptors: the limit of the process, and the part that connections may use.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// File descriptors that are not available to connections, because the engine's sockets, the
/// database, mail and files need them.
pub const RESERVED: usize = 2_000;

/// Returns the process's limit of open descriptors.
#[must_use]
pub fn limit() -> usize {
    getrlimit(Resource::Nofile).current.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX)
}

/// Raises the process's limit of open descriptors to the need of `wanted` connections, as far as
/// the system allows.
pub fn raise(wanted: usize) {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let needed = u64::try_from(wanted.saturating_add(RESERVED)).unwrap_or(u64::MAX);
    let reachable = maximum.map_or(needed, |maximum| maximum.min(needed));
    if current.is_some_and(|current| current < reachable) {
        let raised = Rlimit { current: Some(reachable), maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "failed to raise the limit of open files");
        }
    }
}

/// Returns the number of connections that may be open with `limit` descriptors. It is at most
/// `wanted`, and leaves [`RESERVED`] descriptors free. If there are few descriptors, it is half of
/// them.
#[must_use]
pub fn connections(limit: usize, wanted: usize) -> usize {
    let left = limit.saturating_sub(RESERVED).max(limit / 2);
    wanted.min(left).max(1)
}

#[cfg(test)]
mod tests {
    use super::connections;

    #[test]
    fn connections_leave_descriptors_for_the_rest_of_the_process() {
        assert_eq!(connections(20_000, 8_000), 8_000);
        assert_eq!(connections(8_192, 8_000), 6_192);
        assert_eq!(connections(4_000, 8_000), 2_000);
        assert_eq!(connections(1_024, 8_000), 512);
        assert_eq!(connections(usize::MAX, 50), 50);
        assert_eq!(connections(0, 8_000), 1);
    }
}
