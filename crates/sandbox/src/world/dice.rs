//! Seeded random numbers with one independent stream for each purpose. An additional request
//! therefore never changes the arrival of slots.

use rand::{SeedableRng, rngs::StdRng};
use serde::{Deserialize, Serialize};

/// Purpose of random numbers. Each purpose has its own stream.
#[derive(Clone, Copy)]
pub(crate) enum Purpose {
    Arrivals,
    Sessions,
    Bans,
    Bookings,
    Latency,
}

/// State of the random numbers: the seed and the number of draws in each stream.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Dice {
    seed: u64,
    throws: [u64; 5],
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { seed, throws: [0; 5] }
    }

    /// Returns a number that follows from the seed and these values alone. It draws nothing.
    pub fn derive(&self, values: &[u64]) -> u64 {
        values.iter().fold(scramble(self.seed), |mixed, value| scramble(mixed ^ value))
    }

    /// Returns a generator for the next draw in the stream of this purpose.
    pub fn throw(&mut self, purpose: Purpose) -> StdRng {
        let stream = purpose as usize;
        self.throws[stream] += 1;
        let mixed = self.seed
            ^ (stream as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ self.throws[stream].wrapping_mul(0xD134_2543_DE82_EF95);
        StdRng::seed_from_u64(mixed)
    }
}

/// Mixes all bits of a number (the step of SplitMix64).
fn scramble(number: u64) -> u64 {
    let mixed = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
