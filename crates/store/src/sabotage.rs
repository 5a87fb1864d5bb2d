//! Seeded bugs in the books that the harnesses must catch (CONTRIBUTING, Sabotage). Absent from release builds.

#[cfg(debug_assertions)]
use std::sync::OnceLock;

/// Whether `SOONER_SABOTAGE` asks for this seeded bug.
#[cfg(debug_assertions)]
#[must_use]
pub fn sabotaged(bug: &str) -> bool {
    static WANTED: OnceLock<String> = OnceLock::new();
    WANTED.get_or_init(|| std::env::var("SOONER_SABOTAGE").unwrap_or_default()) == bug
}

/// Never in release builds.
#[cfg(not(debug_assertions))]
#[must_use]
pub const fn sabotaged(_bug: &str) -> bool {
    false
}
