//! Bounded queues for expensive work: password hashing, and verifications of portal logins.
//!
//! A handler checks its rate limit first and then gets a permit here. One address and one network
//! get only a share of the free permits, so that a few busy clients leave permits for others. Some
//! permits are reserved for known accounts.

use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::http::rate_limit::{address, subnet};

/// Limits of one queue.
#[derive(Clone, Copy, Debug)]
pub struct QueueLimits {
    /// Number of permits for all clients.
    pub open: usize,
    /// Number of additional permits for known accounts, for requests that get no open permit.
    pub reserved: usize,
    /// Maximum number of open permits of one address.
    pub per_address: usize,
    /// Maximum number of open permits of one network (/24 for IPv4, /48 for IPv6).
    pub per_subnet: usize,
    /// Maximum number of reserved permits of one account.
    pub per_account: usize,
}

/// Limits of requests that hash a password. All permits together are about a second of hashing.
pub const PASSWORD_QUEUE: QueueLimits =
    QueueLimits { open: 48, reserved: 18, per_address: 8, per_subnet: 16, per_account: 2 };

/// Limits of verifications of portal logins. Within the maximum wait, the portal's request budget
/// allows about as many.
pub const VERIFICATION_QUEUE: QueueLimits =
    QueueLimits { open: 8, reserved: 4, per_address: 2, per_subnet: 4, per_account: 1 };

/// Reason for which a request gets no permit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueueRefusal {
    /// The address, network or account has used its share.
    Share,
    /// No permit is left.
    Full,
}

/// A bounded queue with shares per client.
#[derive(Debug)]
pub struct Queue {
    limits: QueueLimits,
    held: Mutex<HeldPermits>,
}

#[derive(Debug, Default)]
struct HeldPermits {
    open: usize,
    reserved: usize,
    addresses: HashMap<IpAddr, usize>,
    subnets: HashMap<IpAddr, usize>,
    accounts: HashMap<[u8; 32], usize>,
}

/// A permit of a queue; dropping it frees its place.
#[derive(Debug)]
#[must_use]
pub struct QueuePermit {
    queue: Arc<Queue>,
    kind: PermitKind,
}

#[derive(Debug)]
enum PermitKind {
    Open(IpAddr),
    Reserved([u8; 32]),
}

impl Queue {
    /// Creates an empty queue.
    #[must_use]
    pub fn new(limits: QueueLimits) -> Arc<Self> {
        Arc::new(Self { limits, held: Mutex::default() })
    }

    /// Returns an open permit.
    ///
    /// # Errors
    /// Returns [`QueueRefusal`] if the address or its network already holds as many permits as
    /// allowed, or no open permit is left.
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Result<QueuePermit, QueueRefusal> {
        let (one, many) = (address(from), subnet(from));
        let mut held = self.held.lock();
        let free = self.limits.open.saturating_sub(held.open);
        if free == 0 {
            return Err(QueueRefusal::Full);
        }
        // Shares shrink as the queue fills, so that a few networks cannot fill it together.
        let of_address = self.limits.per_address.min((free / 4).max(1));
        let of_subnet = self.limits.per_subnet.min((free / 2).max(1));
        if count(&held.addresses, &one) >= of_address || count(&held.subnets, &many) >= of_subnet {
            return Err(QueueRefusal::Share);
        }
        held.open += 1;
        *held.addresses.entry(one).or_default() += 1;
        *held.subnets.entry(many).or_default() += 1;
        Ok(QueuePermit { queue: self.clone(), kind: PermitKind::Open(from) })
    }

    /// Returns a reserved permit for a known account; `account` is its fingerprint.
    ///
    /// # Errors
    /// Returns [`QueueRefusal`] if the account already holds as many permits as allowed, or
    /// no reserved permit is left.
    pub fn enter_reserved(self: &Arc<Self>, account: [u8; 32]) -> Result<QueuePermit, QueueRefusal> {
        let mut held = self.held.lock();
        if count(&held.accounts, &account) >= self.limits.per_account {
            return Err(QueueRefusal::Share);
        }
        if held.reserved >= self.limits.reserved {
            return Err(QueueRefusal::Full);
        }
        held.reserved += 1;
        *held.accounts.entry(account).or_default() += 1;
        Ok(QueuePermit { queue: self.clone(), kind: PermitKind::Reserved(account) })
    }
}

impl Drop for QueuePermit {
    fn drop(&mut self) {
        let mut held = self.queue.held.lock();
        match &self.kind {
            PermitKind::Open(from) => {
                held.open = held.open.saturating_sub(1);
                release(&mut held.addresses, &address(*from));
                release(&mut held.subnets, &subnet(*from));
            }
            PermitKind::Reserved(account) => {
                held.reserved = held.reserved.saturating_sub(1);
                release(&mut held.accounts, account);
            }
        }
    }
}

fn count<K: Eq + Hash>(held: &HashMap<K, usize>, key: &K) -> usize {
    held.get(key).copied().unwrap_or(0)
}

fn release<K: Eq + Hash>(held: &mut HashMap<K, usize>, key: &K) {
    let Some(left) = held.get_mut(key) else { return };
    *left = left.saturating_sub(1);
    if *left == 0 {
        held.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(queue: &Arc<Queue>, from: impl Iterator<Item = [u8; 4]>) -> Vec<QueuePermit> {
        from.filter_map(|from| queue.enter(from.into()).ok()).collect()
    }

    #[test]
    fn an_address_and_a_network_get_only_their_share() {
        let queue = Queue::new(PASSWORD_QUEUE);
        let address = taken(&queue, (0..100).map(|_| [192, 0, 2, 1]));
        assert_eq!(address.len(), 8);
        let network = taken(&queue, (0..100).map(|n| [192, 0, 2, n]));
        assert_eq!(network.len(), 8, "sixteen with those of the first address");
        assert_eq!(queue.enter([192, 0, 2, 200].into()).unwrap_err(), QueueRefusal::Share);
        assert!(queue.enter([203, 0, 113, 7].into()).is_ok());
    }

    #[test]
    fn a_few_networks_do_not_fill_the_queue() {
        let queue = Queue::new(PASSWORD_QUEUE);
        let busy = taken(&queue, (0..=255).flat_map(|host| (0..10).map(move |n| [198, 18, n, host])));
        assert!(busy.len() < PASSWORD_QUEUE.open, "{} places are in use", busy.len());
        assert!(queue.enter([203, 0, 113, 7].into()).is_ok());
    }

    #[test]
    fn known_accounts_have_a_reserve_when_the_queue_is_full() {
        let queue = Queue::new(PASSWORD_QUEUE);
        let busy = taken(&queue, (0..100).map(|n| [198, 18, n, 1]));
        assert_eq!(busy.len(), PASSWORD_QUEUE.open);
        assert_eq!(queue.enter([203, 0, 113, 7].into()).unwrap_err(), QueueRefusal::Full);
        let own: Vec<_> = (0..9).filter_map(|_| queue.enter_reserved([1; 32]).ok()).collect();
        assert_eq!(own.len(), 2, "places of one account");
        let others: Vec<_> = (2..40).filter_map(|n| queue.enter_reserved([n; 32]).ok()).collect();
        assert_eq!(others.len(), 16);
        assert_eq!(queue.enter_reserved([99; 32]).unwrap_err(), QueueRefusal::Full);
        drop((busy, own, others));
        let held = queue.held.lock();
        assert_eq!((held.open, held.reserved), (0, 0));
        assert!(held.addresses.is_empty() && held.subnets.is_empty() && held.accounts.is_empty());
    }
}
