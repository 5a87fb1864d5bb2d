//! Addresses given by users: which of them this server calls.
//!
//! An address is judged as it is written ([`Policy::check`]), and a name once more where it is resolved ([`resolver`]): a
//! name that leads inside is refused at connection, whatever it led to before.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::Url;

pub mod resolver;
#[cfg(test)]
mod tests;

/// Not of the public internet, by IANA's registry of special addresses, and one of a cloud that answers its own machines.
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

/// All that is handed out to the public internet: what is elsewhere is refused, NAT64 (`64:ff9b::`) as well.
const PUBLIC_V6: Ipv6Net = v6([0x2000, 0, 0], 3);

/// Within it: protocols (Teredo, ORCHID, benchmarking), documentation, 6to4, AS112.
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

/// What the operator allows besides.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    /// Subnets that may be called although they are not public.
    pub allowed_subnets: Vec<IpNet>,
    /// Origins (`http://127.0.0.1:4002`) that are called as the operator's own: any scheme, port and address.
    pub trusted_origins: Vec<String>,
}

/// Why an address is not called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// It is no URL with a host.
    #[error("this is not an address")]
    NotAnAddress,
    /// It is not encrypted.
    #[error("the address has to begin with https://")]
    NotHttps,
    /// It names another port.
    #[error("the port has to be 443 or 8443")]
    Port,
    /// It carries a name or password.
    #[error("the address must not carry a name or password")]
    Userinfo,
    /// It leads to a network that is not public.
    #[error("the address is not on the public internet")]
    NotPublic,
}

/// An address that may be called.
#[derive(Clone, Debug)]
pub struct CheckedUrl {
    /// The address.
    pub url: Url,
    /// Whose it is, and so which client calls it.
    pub owner: Owner,
}

/// Whose address it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Ours or a provider's: resolved as usual.
    Operator,
    /// Given by a user: every address that its name leads to is judged.
    User,
}

impl CheckedUrl {
    /// An address of the configuration.
    ///
    /// # Errors
    /// When it is none.
    pub fn of_operator(address: &str) -> Result<Self, AddressError> {
        let url = Url::parse(address).ok().filter(Url::has_host).ok_or(AddressError::NotAnAddress)?;
        Ok(Self { url, owner: Owner::Operator })
    }
}

impl Policy {
    /// Whether a connection to this address may be made for a user.
    #[must_use]
    pub fn allows(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.allowed_subnets.iter().any(|subnet| subnet.contains(&address)) || is_public(address)
    }

    /// Judges an address given by a user as it is written. Its name is judged when it is resolved.
    ///
    /// # Errors
    /// The first reason not to call it.
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

    /// Judges an address that has to be on one of these hosts, or below one of them.
    ///
    /// # Errors
    /// As [`Self::check`]; another host is no address of the kind.
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

/// Whether an address is of the public internet; v4 addresses within v6 are to be made v4 first.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4.iter().any(|range| range.contains(&address)),
        IpAddr::V6(address) => {
            PUBLIC_V6.contains(&address) && !REFUSED_V6.iter().any(|range| range.contains(&address))
        }
    }
}
