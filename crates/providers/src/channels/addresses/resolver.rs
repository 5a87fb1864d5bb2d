//! DNS resolver for hosts in URLs given by users. It returns only addresses that the server may
//! call.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use super::Policy;

/// Source of DNS answers, replaceable in tests.
pub trait Lookup: Send + Sync {
    /// Returns the IP addresses of a host name.
    fn lookup(&self, name: String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;
}

/// Resolver of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemLookup;

impl Lookup for SystemLookup {
    fn lookup(&self, name: String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> {
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// Error for a host name without any allowed address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the name leads to a network that is not public")]
pub struct NameRefused;

/// Resolver that returns only the addresses that the policy allows.
#[derive(Clone)]
pub struct GuardedResolver {
    policy: Arc<Policy>,
    lookup: Arc<dyn Lookup>,
}

impl GuardedResolver {
    /// Creates a resolver that queries `lookup` and removes the addresses that `policy` refuses.
    #[must_use]
    pub fn new(policy: Arc<Policy>, lookup: Arc<dyn Lookup>) -> Self {
        Self { policy, lookup }
    }
}

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = self.policy.clone();
        let looking_up = self.lookup.lookup(name.as_str().to_owned());
        Box::pin(async move {
            let found = looking_up.await?;
            let allowed: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| policy.allows(*address))
                .map(|address| SocketAddr::new(address, 0))
                .collect();
            if allowed.is_empty() {
                return Err(NameRefused.into());
            }
            let addresses: Addrs = Box::new(allowed.into_iter());
            Ok(addresses)
        })
    }
}
