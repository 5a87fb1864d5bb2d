//! Rules that decide which URLs given by users this server may call.
//!
//! [`Policy::check`] checks a URL as written. [`resolver`] checks the IP addresses of its host name
//! at every connection, so a name that later resolves to an internal address is refused.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::Url;

pub mod resolver;
#[cfg(test)]
mod tests;

/// Networks that are not public, from IANA's registry of special addresses, and the address of a
/// cloud provider's metadata service.
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

/// The range of public IPv6 addresses. All addresses outside are refused, including NAT64
/// (`64:ff9b::`).
const PUBLIC_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Refused ranges inside [`PUBLIC_V6`]: special protocols (Teredo, ORCHID, benchmarking),
/// documentation, 6to4 and AS112.
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

/// Exceptions to the rules, configured by the operator.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Private subnets that the server may nevertheless call.
    pub allowed_subnets: Vec<IpNet>,
    /// Origins such as `http://127.0.0.1:4002` that a user's URL may have although they violate the
    /// rules.
    pub trusted_origins: Vec<String>,
}

/// Reason why a URL is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is not a URL with a host.
    #[error("this is not an address")]
    NotAnAddress,
    /// The scheme is not `https`.
    #[error("the address has to begin with https://")]
    NotHttps,
    /// The port is not allowed.
    #[error("the port has to be 443 or 8443")]
    Port,
    /// The URL contains a user name or password.
    #[error("the address must not carry a name or password")]
    Userinfo,
    /// The address belongs to a network that is not public.
    #[error("the address is not on the public internet")]
    NotPublic,
}

/// URL that passed the checks.
#[derive(Clone, Debug)]
pub struct CheckedUrl {
    /// The URL.
    pub url: Url,
    /// Owner of the URL. It decides which HTTP client is used.
    pub owner: Owner,
}

/// Owner of a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The operator or a provider. The host name is resolved without checks.
    Operator,
    /// A user. Every resolved address of the host name is checked.
    User,
}

impl CheckedUrl {
    /// Accepts a URL from the operator's configuration without further checks.
    ///
    /// # Errors
    /// Returns an error if the text is not a URL with a host.
    pub fn of_operator(address: &str) -> Result<Self, AddressError> {
        let url = Url::parse(address).ok().filter(Url::has_host).ok_or(AddressError::NotAnAddress)?;
        Ok(Self { url, owner: Owner::Operator })
    }
}

impl Policy {
    /// Returns `true` if the server may connect to this IP address on behalf of a user.
    #[must_use]
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed_subnets.iter().any(|subnet| subnet.contains(&address)) || is_public(address)
    }

    /// Checks a user's URL as written. The resolver checks the host name later.
    ///
    /// # Errors
    /// Returns the first rule that the URL violates.
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

    /// Checks a user's URL, whose host must be one of `hosts` or a subdomain of one.
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

/// Returns `true` if an address is public. The caller must first convert IPv4-mapped addresses to
/// IPv4.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4.iter().any(|range| range.contains(&address)),
        IpAddr::V6(address) => {
            PUBLIC_V6.contains(&address) && !REFUSED_V6.iter().any(|range| range.contains(&address))
        }
    }
}
