//! Order in which portal accounts are visited: the rule is [`domain::visit`].

use std::collections::{BTreeSet, HashMap};

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use domain::visit::{PER_SECOND, VisitFacts};

use crate::model::account::Account;

/// Maximum number of visits that may begin at once after a time without any.
const BURST: f64 = 2.0;

/// Delay before an unanswered visit is made again: the first, up to [`LONGEST_RETRY`].
const SHORTEST_RETRY: TimeDelta = TimeDelta::minutes(10);
const LONGEST_RETRY: TimeDelta = TimeDelta::hours(3);

/// The last visit of each account, and the accounts whose next visit is due.
#[derive(Default)]
pub(crate) struct Visits {
    answered: HashMap<PortalAccountId, Instant>,
    /// Accounts whose page is read again at that time, regardless of the rule.
    again: HashMap<PortalAccountId, Instant>,
    /// Accounts that are not visited before that time.
    not_before: HashMap<PortalAccountId, Instant>,
    /// Number of consecutive unanswered visits.
    failures: HashMap<PortalAccountId, u32>,
    /// Accounts that the last sweep found, the longest overdue first.
    due: BTreeSet<(Instant, PortalAccountId)>,
    /// Time at which the next account is due, as of the last sweep.
    next: Option<Instant>,
    tokens: f64,
    filled_at: Option<Instant>,
}

impl Visits {
    /// Takes over the stored time of an account's last visit.
    pub fn restore(&mut self, account: PortalAccountId, visited_at: Option<Instant>, now: Instant) {
        if let Some(at) = visited_at {
            let known = self.answered.entry(account).or_insert(at);
            *known = at.min(now).max(*known);
        }
    }

    /// Records that an account's groups page was answered and taken over.
    pub fn answered(&mut self, account: PortalAccountId, at: Instant) {
        self.answered.insert(account, at);
        self.again.remove(&account);
        self.not_before.remove(&account);
        self.failures.remove(&account);
        self.due.retain(|(_, due)| *due != account);
    }

    /// Schedules another read of an account's page at `at`, regardless of the rule.
    pub fn again(&mut self, account: PortalAccountId, at: Instant) {
        self.again.insert(account, at);
        self.next = Some(self.next.map_or(at, |next| next.min(at)));
    }

    /// Records that a visit begins. Until it is answered, the next one waits, longer each time.
    ///
    /// Failed visits pause their account, and polls need the time between.
    pub fn begin(&mut self, account: PortalAccountId, now: Instant) {
        let failures = self.failures.entry(account).or_default();
        let retry = (SHORTEST_RETRY * 2_i32.pow((*failures).min(9))).min(LONGEST_RETRY);
        *failures = failures.saturating_add(1);
        self.not_before.insert(account, now + retry);
    }

    /// Prevents a visit of an account before `at`.
    pub fn postpone(&mut self, account: PortalAccountId, at: Instant) {
        self.not_before.insert(account, at);
    }

    /// Returns the time of an account's next visit.
    pub fn due_at(&self, id: PortalAccountId, account: &Account, now: Instant) -> Instant {
        let session = account.session.as_ref();
        let facts = VisitFacts {
            answered: self.answered.get(&id).copied(),
            signed_in_at: session.and(account.signed_in_at),
            place: place(id),
        };
        let due = self.again.get(&id).copied().unwrap_or_else(|| facts.due_at(now));
        self.not_before.get(&id).map_or(due, |at| due.max(*at))
    }

    /// Takes over the result of a sweep; [`SweepPart::First`] begins a new list.
    pub fn found(&mut self, found: FoundVisits, part: SweepPart) {
        if part == SweepPart::First {
            self.due.clear();
            self.next = None;
        }
        self.due.extend(found.due);
        self.next = self.next.into_iter().chain(found.next).min();
    }

    /// Returns the accounts whose visit is due, the longest overdue first.
    pub fn due(&self) -> Vec<(Instant, PortalAccountId)> {
        self.due.iter().copied().collect()
    }

    /// Returns the time at which the next account is due, as of the last sweep.
    pub fn next(&self) -> Option<Instant> {
        self.next
    }

    /// Returns the wait for the token of a visit; `None` if a token is available.
    pub fn opens_in(&mut self, now: Instant) -> Option<TimeDelta> {
        let passed = self.filled_at.map_or(BURST, |at| (now - at).num_milliseconds() as f64 / 1000.0);
        self.tokens = (self.tokens + passed.max(0.0) * PER_SECOND).min(BURST);
        self.filled_at = Some(now);
        let wait = (1.0 - self.tokens) / PER_SECOND;
        (wait > 0.0).then(|| TimeDelta::milliseconds((wait * 1000.0).ceil() as i64))
    }

    /// Draws the token of the visit of an account that is due since `due`.
    pub fn draw(&mut self, due: Instant, account: PortalAccountId) {
        self.tokens -= 1.0;
        self.due.remove(&(due, account));
    }

    /// Shifts the stored times after the clock was set by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        for at in [&mut self.answered, &mut self.again, &mut self.not_before]
            .into_iter()
            .flat_map(HashMap::values_mut)
        {
            *at += by;
        }
        self.due.clear();
        self.next = self.next.map(|at| at + by);
        self.filled_at = self.filled_at.map(|at| at + by);
    }
}

/// Part of a sweep over all running tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SweepPart {
    /// The tasks with which a sweep begins.
    First,
    /// Any later tasks.
    Later,
}

/// Accounts among some tasks whose visit is due, and the time of the next visit of the others.
#[derive(Debug, Default)]
pub(crate) struct FoundVisits {
    pub due: BTreeSet<(Instant, PortalAccountId)>,
    pub next: Option<Instant>,
}

impl FoundVisits {
    /// Adds an account whose visit is due at `at`.
    pub fn add(&mut self, account: PortalAccountId, at: Instant, now: Instant) {
        if at <= now {
            self.due.insert((at, account));
        } else {
            self.next = Some(self.next.map_or(at, |next| next.min(at)));
        }
    }
}

/// Returns the place of an account among all, from 0 to 1: ids end in random bits.
fn place(account: PortalAccountId) -> f64 {
    f64::from((account.0.as_u128() & 0xffff) as u16) / f64::from(u16::MAX)
}
