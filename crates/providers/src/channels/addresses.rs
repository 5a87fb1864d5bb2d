//! Checks which addresses given by users this server may call.
//!
//! A URL is checked as written ([`Policy::check`]), and its host name again when it is resolved
//! ([`resolver`]). A name that resolves to an internal address is refused at connection, whatever
//! it resolved to before.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::Url;

pub mod resolver;
#[cfg(test)]
mod tests;

/// Networks outside the public internet, from IANA's registry of special addresses. One more is an
/// address at which a cloud answers its own machines.
const REFUSED_V4: [Ipv4Net; 19] = [
    v4(0, 0, 0, 0, 8),
    v4(10, 0, 0, 0, 8),
    v4(100, 64, 0, 0, 10),
    v4(127, 0, 0, 0, 8),
    v4(168, 63, 129, 16, 32),
    v4(169, 254, 0, 0, 16),
    v4(172, 16, 0, 0, 12),
    v4(192, 0, 0, 0, 24),
    v4(192, 0, 2, 0, 24),
    v4(192, 31, 196, 0, 24),
    v4(192, 52, 193, 0, 24),
    v4(192, 88, 99, 0, 24),
    v4(192, 168, 0, 0, 16),
    v4(192, 175, 48, 0, 24),
    v4(198, 18, 0, 0, 15),
    v4(198, 51, 100, 0, 24),
    v4(203, 0, 113, 0, 24),
    v4(224, 0, 0, 0, 4),
    v4(240, 0, 0, 0, 4),
];

/// Range allocated to the public internet. Everything outside is refused, including NAT64
/// (`64:ff9b::`).
const PUBLIC_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Refused ranges within [`PUBLIC_V6`]: protocols (Teredo, ORCHID, benchmarking), documentation,
/// 6to4, AS112.
const REFUSED_V6: [Ipv6Net; 5] = [
    v6([0x2001, 0, 0], 23),
    v6([0x2001, 0xdb8, 0], 32),
    v6([0x2002, 0, 0], 16),
    v6([0x2620, 0x4f, 0x8000], 48),
    v6([0x3fff, 0, 0], 20),
];

const PORTS: [u16; 2] = [443, 8443];

const fn v4(a: u8, b: u8, c: u8, d: u8, prefix: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), prefix)
}

const fn v6(head: [u16; 3], prefix: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(head[0], head[1], head[2], 0, 0, 0, 0, 0), prefix)
}

/// Exceptions that the operator allows.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Subnets that may be called although they are not public.
    pub allowed_subnets: Vec<IpNet>,
    /// Origins (`http://127.0.0.1:4002`) that are treated as the operator's own: any scheme, port
    /// and address.
    pub trusted_origins: Vec<String>,
}

/// Reason that an address is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Not a URL with a host.
    #[error("this is not an address")]
    NotAnAddress,
    /// Not `https://`.
    #[error("the address has to begin with https://")]
    NotHttps,
    /// A port that is not allowed.
    #[error("the port has to be 443 or 8443")]
    Port,
    /// A user name or password in the URL.
    #[error("the address must not carry a name or password")]
    Userinfo,
    /// A network that is not public.
    #[error("the address is not on the public internet")]
    NotPublic,
}

/// A URL that may be called.
#[derive(Clone, Debug)]
pub struct CheckedUrl {
    /// URL that passed the check.
    pub url: Url,
    /// Owner of the URL, which selects the HTTP client.
    pub owner: Owner,
}

/// Owner of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The operator or a provider: resolved as usual.
    Operator,
    /// A user: every address that the name resolves to is checked.
    User,
}

impl CheckedUrl {
    /// Accepts a URL from the configuration.
    ///
    /// # Errors
    /// Returns an error if it is not a URL with a host.
    pub fn of_operator(address: &str) -> Result<Self, AddressError> {
        let url = Url::parse(address).ok().filter(Url::has_host).ok_or(AddressError::NotAnAddress)?;
        Ok(Self { url, owner: Owner::Operator })
    }
}

impl Policy {
    /// Returns `true` if a connection to this address may be made for a user.
    #[must_use]
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed_subnets.iter().any(|subnet| subnet.contains(&address)) || is_public(address)
    }

    /// Checks a URL given by a user as written. Its host name is checked when it is resolved.
    ///
    /// # Errors
    /// Returns the first reason to refuse it.
    pub fn check(&self, address: &str) -> Result<CheckedUrl, AddressError> {
        let url = Url::parse(address.trim()).ok().filter(Url::has_host).ok_or(AddressError::NotAnAddress)?;
        let origin = url.origin().ascii_serialization();
        if self.trusted_origins.iter().any(|trusted| trusted.trim_end_matches('/') == origin) {
            return Ok(CheckedUrl { url, owner: Owner::Operator });
        }
        if url.scheme() != "https" {
            return Err(AddressError::NotHttps);
        }
        if !url.port_or_known_default().is_some_and(|port| PORTS.contains(&port)) {
            return Err(AddressError::Port);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::Userinfo);
        }
        let host = url.host_str().unwrap_or_default();
        let literal = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        match literal {
            Ok(address) if !self.allows(address) => Err(AddressError::NotPublic),
            _ => Ok(CheckedUrl { url, owner: Owner::User }),
        }
    }

    /// Checks a URL that has to be on one of these hosts or their subdomains.
    ///
    /// # Errors
    /// Returns the errors of [`Self::check`], and [`AddressError::NotAnAddress`] for another host.
    pub fn check_host(&self, address: &str, hosts: &[&str]) -> Result<CheckedUrl, AddressError> {
        let checked = self.check(address)?;
        let host = checked.url.host_str().unwrap_or_default();
        let known = hosts.iter().any(|known| {
            host.strip_suffix(known).is_some_and(|before| before.is_empty() || before.ends_with('.'))
        });
        let right = known || checked.owner == Owner::Operator;
        right.then_some(checked).ok_or(AddressError::NotAnAddress)
    }
}

/// Returns `true` if an address is on the public internet. The caller must convert IPv4-mapped
/// addresses to IPv4 first.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4.iter().any(|range| range.contains(&address)),
        IpAddr::V6(address) => {
            PUBLIC_V6.contains(&address) && !REFUSED_V6.iter().any(|range| range.contains(&address))
        }
    }
}
