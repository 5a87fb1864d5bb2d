//! Size and seed of a test run.

use store::Random;

/// Returns the number in the environment variable `name`. If it is not set, returns `full` with
/// `SOONER_MONEY=full`, otherwise `short`.
pub fn size(name: &str, short: usize, full: usize) -> usize {
    let asked = std::env::var(name).ok().and_then(|text| text.parse().ok());
    let whole = std::env::var("SOONER_MONEY").is_ok_and(|word| word == "full");
    asked.unwrap_or(if whole { full } else { short })
}

/// Returns the run's seed and prints it, so that the run can be repeated.
pub fn seed() -> u64 {
    let asked = std::env::var("SOONER_SEED").ok().and_then(|text| text.parse().ok());
    let seed = asked.unwrap_or(20_261_121);
    println!("SOONER_SEED={seed} replays this");
    seed
}

/// Returns a random element of `items`, or `None` if it is empty.
pub fn pick<'a, T>(random: &Random, items: &'a [T]) -> Option<&'a T> {
    let bound = u32::try_from(items.len()).unwrap();
    items.get(random.below(bound) as usize)
}
