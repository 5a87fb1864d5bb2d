//! Checks of the network in front of the server: its proxy, and the limit of connections.

use rustix::process::{Resource, getrlimit};
use server::http::connections::descriptors::{self, RESERVED};
use server::http::proxies::{self, Network};

use super::Finding;

/// Reports if all clients would share one address, because a proxy is not configured.
pub fn proxy(public_url: &str, trusted: &[Network]) -> Finding {
    if proxies::one_is_unnamed(public_url, trusted) {
        let says =
            format!("{public_url} needs a proxy, and no proxy is trusted; all clients count as one address");
        return Finding::warn("proxy", says, proxies::NAME_IT);
    }
    match trusted.len() {
        0 => Finding::ok("proxy", "none is trusted; clients have the addresses of their connections"),
        count => Finding::ok("proxy", format!("{count} trusted")),
    }
}

/// Checks that the process can open the configured number of connections. A server raises its own
/// limit as far as the hard limit permits.
pub fn descriptors(wanted: usize) -> Finding {
    let hard = getrlimit(Resource::Nofile).maximum.and_then(|limit| usize::try_from(limit).ok());
    let limit = hard.unwrap_or(usize::MAX);
    let open = descriptors::connections(limit, wanted);
    if open >= wanted {
        return Finding::ok("connections", format!("room for {open}, if the server has this shell's limits"));
    }
    let says = format!(
        "room for {open} of {wanted}: {limit} files may be open, {RESERVED} are reserved for other use"
    );
    Finding::warn(
        "connections",
        says,
        "raise the hard limit of open files (LimitNOFILE= of the unit, ulimit -Hn)",
    )
}
