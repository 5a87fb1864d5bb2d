//! Resources that this process spent: processor time of its threads, statements, rounds.

use crate::fixture::Fixture;

/// Resources spent up to a moment, or between two.
#[derive(Clone, Copy, Default)]
pub struct ResourceUse {
    /// Microseconds of all threads but the database's.
    own_us: f64,
    /// Microseconds of the database's own threads (SQLite only; PostgreSQL runs in other
    /// processes).
    pub database_us: f64,
    /// Statements sent.
    pub statements: u64,
    /// Rounds of the engine.
    pub rounds: u64,
    /// Polls of the engine.
    pub polls: u64,
    /// Virtual hours, if the caller counts them.
    pub hours: f64,
}

impl ResourceUse {
    /// Returns the resources spent up to now.
    pub fn now(fixture: &Fixture) -> Self {
        let (own_us, database_us) = cpu_us();
        let work = fixture.engine.work();
        let statements = store::statements();
        Self { own_us, database_us, statements, rounds: work.rounds, polls: work.polls, hours: 0.0 }
    }

    /// Returns the resources spent since an earlier moment.
    pub fn since(&self, begun: &Self) -> Self {
        Self {
            own_us: self.own_us - begun.own_us,
            database_us: self.database_us - begun.database_us,
            statements: self.statements - begun.statements,
            rounds: self.rounds - begun.rounds,
            polls: self.polls - begun.polls,
            hours: self.hours - begun.hours,
        }
    }

    /// Adds the resources of another period.
    pub fn add(&mut self, other: &Self) {
        self.own_us += other.own_us;
        self.database_us += other.database_us;
        self.statements += other.statements;
        self.rounds += other.rounds;
        self.polls += other.polls;
    }

    /// Returns the microseconds of all threads.
    pub fn cpu_us(&self) -> f64 {
        self.own_us + self.database_us
    }
}

/// Returns the processor time of this process's threads in microseconds: other threads, then the
/// database's.
fn cpu_us() -> (f64, f64) {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return (0.0, 0.0) };
    let mut spent = (0.0, 0.0);
    for thread in threads.flatten() {
        let read = |file: &str| std::fs::read_to_string(thread.path().join(file)).unwrap_or_default();
        let us = read("schedstat").split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok());
        let us = us.unwrap_or_default() / 1_000.0;
        if read("comm").starts_with("sqlx-sqlite") { spent.1 += us } else { spent.0 += us }
    }
    spent
}

/// Returns a field of `/proc/self/status` in KiB.
pub fn status_kib(field: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(':'));
    line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()).unwrap_or(0.0)
}
