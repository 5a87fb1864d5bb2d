//! How often an address may try something that costs us: held in memory, per process.

use std::collections::HashMap;
use std::net::IpAddr;

use chrono::TimeDelta;
use domain::clock::Instant;
use parking_lot::Mutex;

use crate::error::{ApiError, Code};

/// A bucket per client network: `per_minute` calls at once, refilled evenly.
#[derive(Debug)]
pub struct PerAddress {
    per_minute: u32,
    // When each network's bucket will be full again.
    full_at: Mutex<HashMap<IpAddr, Instant>>,
}

impl PerAddress {
    /// A limit of so many calls a minute.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self { per_minute: per_minute.max(1), full_at: Mutex::new(HashMap::new()) }
    }

    /// Takes one call, or says when to come back.
    pub fn take(&self, address: IpAddr, now: Instant) -> Result<(), ApiError> {
        let minute = TimeDelta::minutes(1);
        let one = minute / i32::try_from(self.per_minute).unwrap_or(i32::MAX);
        let mut full_at = self.full_at.lock();
        if full_at.len() > 10_000 {
            full_at.retain(|_, at| *at > now);
        }
        let at = full_at.entry(network(address)).or_insert(now);
        let next = (*at).max(now) + one;
        if next - now > minute {
            let wait = (next - now - minute).num_seconds().unsigned_abs() + 1;
            return Err(ApiError::new(Code::TooManyAttempts).retry_after(wait));
        }
        *at = next;
        Ok(())
    }
}

/// An IPv6 client owns its /64; an IPv4 address stands for itself.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(v6) => v6.to_ipv4_mapped().map_or_else(
            || {
                let s = v6.segments();
                IpAddr::from([s[0], s[1], s[2], s[3], 0, 0, 0, 0])
            },
            IpAddr::V4,
        ),
    }
}
