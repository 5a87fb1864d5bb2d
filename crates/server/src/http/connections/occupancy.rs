//! Counters of open objects, such as connections, overall and by address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use parking_lot::Mutex;

use crate::http::rate_limit;

/// Limit that was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Full {
    /// The overall limit.
    Overall,
    /// The limit of one address.
    Address,
}

/// A counter of open objects.
#[derive(Debug)]
pub struct Occupancy {
    overall: usize,
    per_address: usize,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    overall: usize,
    by_address: HashMap<IpAddr, usize>,
}

/// Permit for one counted object; dropping it frees its place.
#[derive(Debug)]
pub struct OccupancyPermit {
    occupancy: Arc<Occupancy>,
    address: Option<IpAddr>,
}

impl Occupancy {
    /// Creates a counter with the limits `overall` and `per_address`. An IPv6 client counts as its
    /// /64.
    #[must_use]
    pub fn new(overall: usize, per_address: usize) -> Arc<Self> {
        Arc::new(Self { overall, per_address, open: Mutex::default() })
    }

    /// Returns the overall limit.
    #[must_use]
    pub const fn overall(&self) -> usize {
        self.overall
    }

    /// Counts one object. Without an address only the overall limit applies.
    ///
    /// # Errors
    /// Returns the limit that was reached.
    pub fn acquire(self: &Arc<Self>, from: Option<IpAddr>) -> Result<OccupancyPermit, Full> {
        let address = from.map(rate_limit::address);
        let mut open = self.open.lock();
        if open.overall >= self.overall {
            return Err(Full::Overall);
        }
        if let Some(address) = address {
            let own = open.by_address.entry(address).or_default();
            if *own >= self.per_address {
                return Err(Full::Address);
            }
            *own += 1;
        }
        open.overall += 1;
        Ok(OccupancyPermit { occupancy: self.clone(), address })
    }
}

impl Drop for OccupancyPermit {
    fn drop(&mut self) {
        let mut open = self.occupancy.open.lock();
        open.overall -= 1;
        let Some(address) = self.address else { return };
        if let Some(own) = open.by_address.get_mut(&address) {
            *own -= 1;
            if *own == 0 {
                open.by_address.remove(&address);
            }
        }
    }
}

/// A response body that holds a guard, for example a permit, until it is sent or dropped.
pub struct Guarded<G> {
    inner: Body,
    _guard: G,
}

impl<G> Guarded<G> {
    /// Wraps a body with a guard that is dropped together with it.
    pub const fn new(body: Body, guard: G) -> Self {
        Self { inner: body, _guard: guard }
    }
}

impl<G: Unpin> HttpBody for Guarded<G> {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.inner).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_counted_overall_and_by_address_and_released() {
        let ip = |text: &str| Some(text.parse().unwrap());
        let occupancy = Occupancy::new(4, 2);
        let first = occupancy.acquire(ip("2001:db8:1:2::1")).unwrap();
        let second = occupancy.acquire(ip("2001:db8:1:2:ffff::2")).unwrap();
        assert_eq!(
            occupancy.acquire(ip("2001:db8:1:2::3")).unwrap_err(),
            Full::Address,
            "one /64 is one client"
        );
        let third = occupancy.acquire(ip("192.0.2.1")).unwrap();
        let fourth = occupancy.acquire(None).unwrap();
        assert_eq!(occupancy.acquire(None).unwrap_err(), Full::Overall);
        drop((first, fourth));
        occupancy.acquire(ip("2001:db8:1:2::4")).unwrap();
        drop((second, third));
        let open = occupancy.open.lock();
        assert_eq!((open.overall, open.by_address.len()), (0, 0), "a closed connection is still counted");
    }
}
