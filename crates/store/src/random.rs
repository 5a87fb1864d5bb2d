//! Random bytes from one injected generator.

use std::sync::{Arc, Mutex, PoisonError};

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A cryptographic generator (ChaCha12), seeded once by `main` or a test. Cheap to clone; clones share the stream.
#[derive(Clone)]
pub struct Random(Arc<Mutex<StdRng>>);

impl Random {
    /// A generator from 32 seed bytes; `main` takes them from the operating system.
    #[must_use]
    pub fn from_seed(seed: [u8; 32]) -> Self {
        Self(Arc::new(Mutex::new(StdRng::from_seed(seed))))
    }

    /// A generator for tests, the same stream for the same number.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(bytes);
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
