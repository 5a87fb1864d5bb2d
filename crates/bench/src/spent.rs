//! Resources used by this process: processor time, database statements, rounds and polls.

use crate::fixture::Fixture;

/// Resources used up to a moment, or between two moments.
#[derive(Clone, Copy, Default)]
pub struct ResourceUse {
    /// Processor time in microseconds of all threads except the database's.
    own_us: f64,
    /// Processor time in microseconds of SQLite's threads. PostgreSQL runs in other processes and
    /// is not counted.
    pub database_us: f64,
    /// Number of database statements.
    pub statements: u64,
    /// Number of rounds of the engine.
    pub rounds: u64,
    /// Number of polls.
    pub polls: u64,
    /// Number of virtual hours, if the caller sets it.
    pub hours: f64,
}

impl ResourceUse {
    /// Returns the resources used up to now.
    pub fn now(fixture: &Fixture) -> Self {
        let (own_us, database_us) = cpu_us();
        let work = fixture.engine.work();
        let statements = store::statements();
        Self { own_us, database_us, statements, rounds: work.rounds, polls: work.polls, hours: 0.0 }
    }

    /// Returns the resources used since an earlier moment.
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

    /// Adds the resources used in another period.
    pub fn add(&mut self, other: &Self) {
        self.own_us += other.own_us;
        self.database_us += other.database_us;
        self.statements += other.statements;
        self.rounds += other.rounds;
        self.polls += other.polls;
    }

    /// Returns the processor time of all threads in microseconds.
    pub fn cpu_us(&self) -> f64 {
        self.own_us + self.database_us
    }
}

/// Returns the processor time of this process in microseconds: first of all other threads, then of
/// the database's threads.
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
