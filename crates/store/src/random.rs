//! Random bytes from one injected generator.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// Function that fills a buffer with the operating system's random bytes. It returns `false` if
/// there are none.
pub type System = Arc<dyn Fn(&mut [u8]) -> bool + Send + Sync>;

/// Cryptographic generator (ChaCha12), seeded once by `main` or a test. It is cheap to clone, and
/// clones share the stream. Outside tests it mixes the system's random bytes into its own. So two
/// clones of a running machine produce different bytes, and a leaked memory image does not reveal
/// later ones.
#[derive(Clone)]
pub struct Random {
    stream: Arc<Mutex<StdRng>>,
    system: Option<System>,
}

impl Random {
    /// Creates a generator from 32 seed bytes. It also mixes in the operating system's bytes,
    /// supplied by `main`.
    #[must_use]
    pub fn from_seed(seed: [u8; 32], system: System) -> Self {
        Self { stream: Arc::new(Mutex::new(StdRng::from_seed(seed))), system: Some(system) }
    }

    /// Creates a generator for tests, with the same stream for the same seed.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self { stream: Arc::new(Mutex::new(StdRng::seed_from_u64(seed))), system: None }
    }

    /// Returns `N` new random bytes.
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
        // Without the system's bytes the stream's bytes are still secret.
        if system(&mut fresh) {
            bytes.iter_mut().zip(&fresh).for_each(|(own, other)| *own ^= other);
        }
    }

    /// Returns a uniform number below `bound` (0 if `bound` is 0). The bias of the modulo is below
    /// 2⁻³².
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
    fn cloned_machines_generate_different_bytes() {
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
