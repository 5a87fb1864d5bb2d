//! Proxies in front of the server: which of them are trusted, and how the client's address is
//! determined.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::extract::ConnectInfo;
use axum::http::HeaderMap;
use chrono::TimeDelta;
use domain::clock::Instant;
use ipnet::{IpNet, Ipv4Net};
use parking_lot::Mutex;

/// Interval between warnings about a proxy that is not configured.
const WARN_EVERY: TimeDelta = TimeDelta::minutes(10);

/// Addresses of proxies: a single address, or a network such as `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(IpNet);

impl Network {
    /// Returns `true` if the network contains the address. An IPv4-mapped IPv6 address counts as
    /// IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if let Ok(address) = text.parse::<IpAddr>() {
            return Ok(Self(IpNet::from(address.to_canonical())));
        }
        let network: IpNet =
            text.parse().map_err(|_| "neither an address nor a network such as 10.0.0.0/8".to_owned())?;
        let IpNet::V6(mapped) = network else { return Ok(Self(network)) };
        let inner = mapped.addr().to_ipv4_mapped().zip(mapped.prefix_len().checked_sub(96));
        let inner = inner.and_then(|(address, length)| Ipv4Net::new(address, length).ok());
        Ok(Self(inner.map_or(network, IpNet::V4)))
    }
}

/// Returns the address of the client of a request from `peer`. Follows the forwarded addresses,
/// nearest first, as long as the previous hop is a trusted proxy.
#[must_use]
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let forwarded = headers.get_all("x-forwarded-for").iter().filter_map(|v| v.to_str().ok());
    let mut hops: Vec<&str> = forwarded.flat_map(|v| v.split(',')).map(str::trim).collect();
    let mut nearest = peer.to_canonical();
    while is_trusted(nearest, trusted) {
        match hops.pop().and_then(hop) {
            Some(address) => nearest = address,
            None => break,
        }
    }
    nearest
}

/// Parses a forwarded address. Some proxies append a port: `192.0.2.7:567`, `[2001:db8::7]:567`.
fn hop(text: &str) -> Option<IpAddr> {
    let text = text.trim_matches('"');
    let bare = || text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text).parse().ok();
    bare()
        .or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()))
        .map(|ip: IpAddr| ip.to_canonical())
}

fn is_trusted(address: IpAddr, trusted: &[Network]) -> bool {
    trusted.iter().any(|network| network.contains(address))
}

/// Returns the address to which the limits of a peer apply. Returns `None` for this machine and
/// trusted proxies, because many users share them.
#[must_use]
pub fn counted(peer: IpAddr, trusted: &[Network]) -> Option<IpAddr> {
    let peer = peer.to_canonical();
    (!peer.is_loopback() && !is_trusted(peer, trusted)).then_some(peer)
}

/// Returns `true` for addresses of this machine or a private network, on which proxies and probes
/// run.
#[must_use]
pub fn is_near(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let shared = v4.octets()[0] == 100 && v4.octets()[1] & 0xc0 == 64;
            v4.is_loopback() || v4.is_private() || v4.is_link_local() || shared
        }
        IpAddr::V6(v6) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
    }
}

/// Returns `true` if a proxy must exist but is not configured: the public address is https, and the
/// server has no TLS itself.
#[must_use]
pub fn one_is_unnamed(public_url: &str, trusted: &[Network]) -> bool {
    public_url.starts_with("https://") && trusted.is_empty()
}

/// Advice for a proxy that is not configured.
pub const NAME_IT: &str =
    "name it with --trusted-proxies (SOONER_TRUSTED_PROXIES): docs/OPERATING.md, Behind a proxy";

/// Time of the last warning about a proxy that is not configured.
#[derive(Debug, Default)]
pub struct ProxyWarning(Mutex<Option<Instant>>);

impl ProxyWarning {
    /// Returns `true` if a warning is due: an untrusted proxy forwarded the request from this
    /// machine or a private network.
    pub fn is_due(&self, peer: IpAddr, headers: &HeaderMap, trusted: &[Network], now: Instant) -> bool {
        if !headers.contains_key("x-forwarded-for") || !is_near(peer) || is_trusted(peer, trusted) {
            return false;
        }
        let mut warned_at = self.0.lock();
        let due = warned_at.is_none_or(|at| now - at >= WARN_EVERY);
        if due {
            *warned_at = Some(now);
        }
        due
    }
}

/// Returns the peer of a request's connection; `0.0.0.0` for a test that calls without one.
#[must_use]
pub fn peer(extensions: &axum::http::Extensions) -> IpAddr {
    let unknown = IpAddr::from([0, 0, 0, 0]);
    extensions.get::<ConnectInfo<SocketAddr>>().map_or(unknown, |peer| peer.0.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn networks(texts: &[&str]) -> Vec<Network> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn forwarded(value: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-forwarded-for", value.parse().unwrap());
        headers
    }

    #[test]
    fn forwarded_addresses_count_only_from_trusted_proxies() {
        let headers = forwarded("6.6.6.6, 192.0.2.7, 10.0.0.2");
        assert_eq!(client(ip("192.0.2.9"), &headers, &[]), ip("192.0.2.9"));
        let trusted = networks(&["10.0.0.1", "10.0.0.2"]);
        assert_eq!(client(ip("10.0.0.1"), &headers, &trusted), ip("192.0.2.7"));
        assert_eq!(client(ip("192.0.2.9"), &headers, &trusted), ip("192.0.2.9"));
    }

    #[test]
    fn trusted_networks_match_ipv4_mapped_addresses() {
        let trusted = networks(&["10.0.0.0/8", " 2001:db8:1::/48"]);
        for peer in ["10.20.30.40", "::ffff:10.20.30.40", "2001:db8:1:9::1"] {
            assert_eq!(client(ip(peer), &forwarded("192.0.2.7"), &trusted), ip("192.0.2.7"), "{peer}");
        }
        assert_eq!(client(ip("11.0.0.1"), &forwarded("192.0.2.7"), &trusted), ip("11.0.0.1"));
        assert_eq!(networks(&["::ffff:10.0.0.0/104"]), networks(&["10.0.0.0/8"]));
        assert_eq!(networks(&["::ffff:10.0.0.1"]), networks(&["10.0.0.1/32"]));
        assert!("10.0.0.0/40".parse::<Network>().is_err() && "proxy".parse::<Network>().is_err());
    }

    #[test]
    fn a_forwarded_address_may_carry_a_port() {
        let trusted = networks(&["127.0.0.1"]);
        for (value, expected) in [
            ("1.2.3.4:567", "1.2.3.4"),
            ("[2001:db8::7]:567", "2001:db8::7"),
            ("[2001:db8::7]", "2001:db8::7"),
            ("\"[2001:db8::7]:567\"", "2001:db8::7"),
            ("2001:db8::7", "2001:db8::7"),
            ("::ffff:1.2.3.4", "1.2.3.4"),
            ("unknown", "127.0.0.1"),
            ("", "127.0.0.1"),
        ] {
            assert_eq!(client(ip("127.0.0.1"), &forwarded(value), &trusted), ip(expected), "{value}");
        }
    }

    #[test]
    fn an_untrusted_proxy_is_warned_of_every_ten_minutes() {
        let now = Instant::from_timestamp(1_795_000_000, 0).unwrap();
        let unnamed = ProxyWarning::default();
        let due = |peer: &str, headers: &HeaderMap, trusted: &[Network], now| {
            unnamed.is_due(ip(peer), headers, trusted, now)
        };
        let some = forwarded("192.0.2.7");
        assert!(!due("127.0.0.1", &HeaderMap::new(), &[], now), "there is no proxy");
        assert!(!due("198.51.100.1", &some, &[], now), "any client can write such a header");
        assert!(!due("127.0.0.1", &some, &networks(&["127.0.0.0/8"]), now), "the proxy is trusted");
        assert!(due("::ffff:10.1.2.3", &some, &[], now));
        assert!(
            !due("127.0.0.1", &some, &[], now + TimeDelta::minutes(9)),
            "the notice comes at most every ten minutes"
        );
        assert!(due("127.0.0.1", &some, &[], now + TimeDelta::minutes(10)));
        assert!(one_is_unnamed("https://sooner.example.com", &[]));
        assert!(!one_is_unnamed("https://sooner.example.com", &networks(&["127.0.0.1"])));
        assert!(!one_is_unnamed("http://127.0.0.1:8080", &[]));
    }
}
