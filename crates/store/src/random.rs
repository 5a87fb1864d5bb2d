//! Random bytes from one injected generator.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Fills a buffer with the operating system's random bytes; false when it has none.
pub type System = Arc<dyn Fn(&mut [u8]) -> bool + Send + Sync>;

/// A cryptographic generator (ChaCha12), seeded once by `main` or a test. Cheap to clone; clones share the stream. Outside of
/// tests the system's bytes are mixed into each of its own: two clones of a running machine give different ones, and anyone who once
/// read its memory knows nothing of later ones.
#[derive(Clone)]
pub struct Random {
    stream: Arc<Mutex<StdRng>>,
    system: Option<System>,
}

impl Random {
    /// A generator from 32 seed bytes and more of the operating system's, which `main` gives.
    #[must_use]
    pub fn from_seed(seed: [u8; 32], system: System) -> Self {
        Self { stream: Arc::new(Mutex::new(StdRng::from_seed(seed))), system: Some(system) }
    }

    /// A generator for tests, the same stream for the same number.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { stream: Arc::new(Mutex::new(StdRng::seed_from_u64(seed))), system: None }
    }

    /// `N` fresh random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    /// Fills a buffer with random bytes.
    pub fn fill(&self, bytes: &mut [u8]) {
        self.stream.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
        let Some(system) = &self.system else { return };
        let mut fresh = vec![0; bytes.len()];
        // Without the system's bytes its own are still unknown to everybody else.
        if system(&mut fresh) {
            bytes.iter_mut().zip(&fresh).for_each(|(own, other)| *own ^= other);
        }
    }

    /// A uniform number below `bound` (0 when `bound` is 0); the bias of the modulo is below 2⁻³².
    #[must_use]
    pub fn below(&self, bound: u32) -> u32 {
        let wide = u64::from_le_bytes(self.bytes());
        u32::try_from(wide % u64::from(bound.max(1))).unwrap_or_default()
    }
}

impl std::fmt::Debug for Random {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Random")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: 10.7.70
    #[test]
    fn two_clones_of_a_machine_give_different_bytes() {
        let machine = |fresh: u8| {
            let system: System = Arc::new(move |bytes: &mut [u8]| {
                bytes.fill(fresh);
                true
            });
            Random::from_seed([7; 32], system).bytes::<32>()
        };
        assert_ne!(machine(1), machine(2));
        let none: System = Arc::new(|_: &mut [u8]| false);
        assert_ne!(Random::from_seed([7; 32], none).bytes::<32>(), [0; 32]);
    }
}
