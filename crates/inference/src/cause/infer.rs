//! Inference of the most likely cause of an empty list, from the answers of all accounts before and
//! after it.
//!
//! There are four causes. Each is sufficient alone and has its own hidden state:
//!
//! - No dates: per list ([`super::list`]), or in all cities for a kind of applicant
//!   ([`super::quiet`]).
//! - Soft ban: per account ([`super::ban`]).
//! - Restricted hours: per facility and hour ([`super::hours`]).
//! - Overload: of the portal ([`super::overload_estimator`]).
//!
//! The evidence of an answer for one cause uses the probabilities of the other causes without that
//! answer. The result is the most likely cause. A ban has consequences only from [`BAN_CERTAIN`]
//! on.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use chrono::{TimeDelta, Timelike};
use serde::{Deserialize, Serialize};

use super::EmptyCause;
pub use super::answer::{AnsweredPoll, Evidence, Inferences, InferredCause};
use super::ban::{self, BanOnset, Before, Link};
use super::hours::RestrictedHours;
use super::list::ListChanges;
use super::overload_estimator::{self, OverloadEstimator};
use super::pool::{Pool, PoolAnswer};
use super::quiet::{Quiet, QuietShare};
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::PortalAccountId;

/// Minimum probability at which an account counts as banned and cools down.
pub const BAN_CERTAIN: f64 = 0.8;
/// Minimum probability of a ban at which another account should make the next poll of a list.
pub const DOUBT: f64 = 0.02;
/// Number of calls in ten hours before which an account that never saw a date is not called banned.
/// Its empty lists have nothing to be compared with.
pub const PROVEN_CALLS: u32 = 25;
/// Maximum probability of a ban of such an account.
const UNPROVEN: f64 = 0.25;
/// Number of an account's answers in its chain.
const CHAIN: usize = 48;
/// Time in milliseconds without a poll after which an account's data is deleted. The search runs
/// once per [`FORGET_EVERY`] polls.
const IDLE_MS: i64 = 24 * 3_600_000;
const FORGET_EVERY: u64 = 1_024;
/// Maximum age of empty answers that are inferred again.
const AGAIN_MS: i64 = 4 * 3_600_000;
/// Time within which answers belong to the same ban.
const ONE_BAN_MS: i64 = 24 * 3_600_000;
/// Age from which answers are used to learn rates. Their inferred cause is not expected to change
/// any more.
const SETTLED_MS: i64 = 30 * 60_000;

#[derive(Clone, Debug)]
pub(super) struct OwnAnswer {
    pub(super) id: u64,
    pub(super) pool: usize,
    pub(super) kind: usize,
    pub(super) key: Arc<CalendarKey>,
    pub(super) hour: u32,
    pub(super) link: Link,
    inferred: Option<EmptyCause>,
}

#[derive(Clone, Debug)]
pub(super) struct History {
    before: Before,
    pub(super) polls: VecDeque<OwnAnswer>,
    /// `true` if the account ever saw a date, made [`PROVEN_CALLS`] calls, or was found banned.
    pub(super) proven: bool,
    /// Probability that the account was banned at its last answer.
    banned: f64,
    /// Time at which a ban of the account was last counted.
    counted: Option<i64>,
}

impl History {
    /// Returns the probability of a ban, limited to [`UNPROVEN`] for an unproven account.
    pub(super) fn capped(&self, banned: f64) -> f64 {
        if self.proven { banned } else { banned.min(UNPROVEN) }
    }
}

/// Learned parameters of the lists of all kinds, to be stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lists {
    /// Share of time in which a kind sees no dates in any city.
    pub(super) quiet: QuietShare,
    /// Rates of change of the list of one city.
    pub(super) turns: ListChanges,
}

/// State of the cause inference. Only what was learned about hours and lists survives a restart.
#[derive(Clone, Debug, Default)]
pub struct CauseInference {
    index: HashMap<CalendarKey, usize>,
    /// Interned keys: one per calendar, shared by its answers.
    keys: HashMap<CalendarKey, Arc<CalendarKey>>,
    pub(super) pools: Vec<Pool>,
    kinds: HashMap<Kind, usize>,
    pub(super) quiet: Vec<Quiet>,
    pub(super) lists: Lists,
    accounts: HashMap<PortalAccountId, History>,
    pub(super) overload_estimator: OverloadEstimator,
    pub(super) portal_errors: VecDeque<i64>,
    hours: BTreeMap<FacilityId, RestrictedHours>,
    onset: BanOnset,
    next: u64,
}

impl CauseInference {
    /// Returns the learned hours of a facility.
    #[must_use]
    pub fn hours(&self, facility: FacilityId) -> Cow<'_, RestrictedHours> {
        let reported = || Cow::Owned(RestrictedHours::reported(facility));
        self.hours.get(&facility).map_or_else(reported, Cow::Borrowed)
    }

    /// Returns the learned hours of all facilities, to be stored.
    #[must_use]
    pub const fn learned_hours(&self) -> &BTreeMap<FacilityId, RestrictedHours> {
        &self.hours
    }

    /// Restores the stored hours of a facility.
    pub fn restore(&mut self, facility: FacilityId, hours: RestrictedHours) {
        self.hours.insert(facility, hours);
    }

    /// Returns the learned parameters of the lists, to be stored.
    #[must_use]
    pub const fn learned_lists(&self) -> Lists {
        self.lists
    }

    /// Restores the stored parameters of the lists.
    pub fn restore_lists(&mut self, lists: Lists) {
        self.lists = lists;
    }

    /// Returns `true` if accounts with an appointment probably see nothing of a calendar at `at`.
    #[must_use]
    pub fn is_restricted(&self, calendar: &CalendarKey, at: Instant) -> bool {
        let hour = at.with_timezone(&calendar.facility.zone()).hour();
        calendar.kind.booked && self.hours(calendar.facility).probability_at(calendar, hour) >= 0.5
    }

    /// Records a portal failure at `at`: 502, 503, a reset, or a timeout.
    pub fn portal_error(&mut self, at: Instant) {
        self.overload_estimator.add(at.timestamp_millis(), overload_estimator::failed());
        self.record_portal_error(at);
    }

    /// Records that the portal answered a poll at `at` after `time`.
    pub fn took(&mut self, at: Instant, time: TimeDelta) {
        self.overload_estimator.add(at.timestamp_millis(), overload_estimator::took(time.num_milliseconds()));
        if overload_estimator::is_slow(time.num_milliseconds()) {
            self.record_portal_error(at);
        }
    }

    fn record_portal_error(&mut self, at: Instant) {
        self.portal_errors.push_back(at.timestamp_millis());
        while self.portal_errors.len() > 64 {
            self.portal_errors.pop_front();
        }
    }

    /// Adds an account that was found banned before this process started.
    pub fn known_banned(&mut self, account: PortalAccountId, since: Instant, now: Instant) {
        let free_at = since.timestamp_millis() - 3_600_000;
        let before = Before { at: now.timestamp_millis(), banned: 0.9, free_at };
        self.accounts.entry(account).or_insert(History {
            before,
            polls: VecDeque::new(),
            proven: true,
            banned: 0.9,
            counted: None,
        });
    }

    /// Returns `true` if the account's last answer was an empty list that a ban may have caused.
    #[must_use]
    pub fn doubts(&self, account: PortalAccountId) -> bool {
        self.banned(account) >= DOUBT
    }

    /// Returns the probability that an account was banned at its last answer.
    #[must_use]
    pub fn banned(&self, account: PortalAccountId) -> f64 {
        self.accounts.get(&account).map_or(0.0, |history| history.banned)
    }

    /// Records one answer. Returns its inferred cause if it is empty, and the earlier answers whose
    /// cause has changed.
    pub fn observe(&mut self, poll: &AnsweredPoll<'_>) -> Inferences {
        let (pool, kind) = (self.pool(poll.key), self.kind(poll.key));
        let id = self.next;
        self.next += 1;
        let at = poll.at.timestamp_millis();
        if id.is_multiple_of(FORGET_EVERY) {
            self.forget_idle(at);
        }
        let local = poll.at.with_timezone(&poll.key.facility.zone());
        let hour = (local.naive_local().and_utc().timestamp()).div_euclid(3600);
        self.pools[pool].add(PoolAnswer {
            id,
            at,
            account: poll.account,
            booked: poll.key.kind.booked,
            hour,
            days: PoolAnswer::sample(poll.days),
            banned: 0.0,
            overload: 0.0,
            says: 0.0,
            meaning: EmptyCause::NoAvailability,
            no_availability: 1.0,
            learned: false,
        });
        self.quiet[kind].add((id, at), poll.account, poll.days.is_empty());
        let empty = poll.days.is_empty().then_some(1.0);
        let mine = OwnAnswer {
            id,
            pool,
            kind,
            key: self.interned(poll.key),
            hour: local.hour(),
            link: Link { at, calls: poll.calls, empty },
            inferred: None,
        };
        self.remember(poll.account, mine);
        if !poll.days.is_empty() {
            self.overload_estimator.add(at, overload_estimator::showed());
        }
        if !poll.days.is_empty() && poll.key.kind.booked {
            self.belief(poll.key.facility).showed(poll.key, local.date_naive(), local.hour());
        }
        self.settle(pool, poll.key.facility, at - SETTLED_MS);
        self.quiet[kind].learn(at - SETTLED_MS, &mut self.lists.quiet);
        self.infer_again(pool, poll.account, id, at)
    }

    fn pool(&mut self, key: &CalendarKey) -> usize {
        let mut shared = key.clone();
        shared.kind.booked = false;
        let next = self.pools.len();
        let at = *self.index.entry(shared).or_insert(next);
        if at == next {
            self.pools.push(Pool::after(&self.lists.turns));
        }
        at
    }

    fn interned(&mut self, key: &CalendarKey) -> Arc<CalendarKey> {
        if let Some(known) = self.keys.get(key) {
            return known.clone();
        }
        let known = Arc::new(key.clone());
        self.keys.insert(key.clone(), known.clone());
        known
    }

    /// Deletes accounts without a poll for a day; called once per [`FORGET_EVERY`] polls.
    fn forget_idle(&mut self, at: i64) {
        let last = |history: &History| history.polls.back().map_or(history.before.at, |poll| poll.link.at);
        self.accounts.retain(|_, history| last(history) >= at - IDLE_MS);
    }

    fn kind(&mut self, key: &CalendarKey) -> usize {
        let shared = Kind { booked: false, ..key.kind.clone() };
        let next = self.quiet.len();
        let at = *self.kinds.entry(shared).or_insert(next);
        if at == next {
            self.quiet.push(Quiet::default());
        }
        at
    }

    fn belief(&mut self, facility: FacilityId) -> &mut RestrictedHours {
        self.hours.entry(facility).or_insert_with(|| RestrictedHours::reported(facility))
    }

    fn remember(&mut self, account: PortalAccountId, mine: OwnAnswer) {
        let at = mine.link.at;
        let history = self.accounts.entry(account).or_insert_with(|| History {
            before: Before {
                at,
                banned: self.onset.begins(mine.link.calls, TimeDelta::hours(10)),
                free_at: at - 12 * 3_600_000,
            },
            polls: VecDeque::new(),
            proven: false,
            banned: 0.0,
            counted: None,
        });
        history.proven |= mine.link.empty.is_none() || mine.link.calls >= PROVEN_CALLS;
        let last = history.polls.back().map_or(history.before.at, |last| last.link.at);
        self.onset.passed(TimeDelta::milliseconds(at - last));
        history.polls.push_back(mine);
        while history.polls.len() > CHAIN {
            let links: Vec<Link> = history.polls.iter().map(|m| m.link).collect();
            let banned = ban::chain(history.before, &links[..1], &self.onset)[0].all;
            let Some(gone) = history.polls.pop_front() else { break };
            let free_at = if gone.link.empty.is_none() { gone.link.at } else { history.before.free_at };
            history.before = Before { at: gone.link.at, banned, free_at };
        }
    }

    /// Learns from old answers how lists change and which hours are restricted.
    fn settle(&mut self, pool: usize, facility: FacilityId, until: i64) {
        let mut hidden = Vec::new();
        self.pools[pool].learn(until, &mut self.lists.turns, |seen| {
            if seen.booked
                && seen.days.is_empty()
                && seen.meaning == EmptyCause::RestrictedHours
                && seen.no_availability < 0.3
            {
                hidden.push(seen.hour.rem_euclid(24));
            }
        });
        for hour in hidden {
            self.belief(facility).observe(u32::try_from(hour).unwrap_or(0), false, 0.5);
        }
    }

    /// Infers the cause of the answer `own`, and again of the empty ones around it.
    fn infer_again(&mut self, pool: usize, account: PortalAccountId, own: u64, now: i64) -> Inferences {
        let mut concerned: Vec<PortalAccountId> = vec![account];
        for seen in self.pools[pool].polls.iter().filter(|s| s.days.is_empty() && s.at >= now - AGAIN_MS) {
            if !concerned.contains(&seen.account) {
                concerned.push(seen.account);
            }
        }
        let mut learned = Inferences::default();
        // The polling account comes last, when the probabilities of the others' empty answers are
        // up to date.
        for id in concerned.into_iter().rev() {
            for (mine, inferred) in self.infer_account(id, now) {
                let fresh = mine == own;
                if fresh {
                    learned.own = Some(inferred);
                } else {
                    learned.changed.push(inferred);
                }
            }
        }
        learned
    }

    /// Infers all empty answers of an account again. Returns those that are new or have another
    /// cause.
    fn infer_account(&mut self, account: PortalAccountId, now: i64) -> Vec<(u64, InferredCause)> {
        let Some(mut history) = self.accounts.remove(&account) else {
            return Vec::new();
        };
        let mut views = Vec::with_capacity(history.polls.len());
        for mine in &mut history.polls {
            let open = mine.link.empty.is_some() && mine.link.at >= now - AGAIN_MS;
            views.push(open.then(|| self.cause_probabilities(account, mine)));
            if let Some(Some(probabilities)) = views.last() {
                mine.link.empty = Some(probabilities.chance);
            }
        }
        let links: Vec<Link> = history.polls.iter().map(|m| m.link).collect();
        let banned = ban::chain(history.before, &links, &self.onset);
        history.banned = history.capped(banned.last().map_or(0.0, |chance| chance.all));
        let mut answered = Vec::new();
        for at in 0..history.polls.len() {
            let Some(probabilities) = views[at] else { continue };
            let inferred = self.inferred_cause(account, &history, at, banned[at].all, &probabilities);
            let mine = &mut history.polls[at];
            if let Some(seen) = self.pools[mine.pool].get_mut(mine.id) {
                let says = overload_estimator::emptied(probabilities.chance_calm(banned[at].others));
                self.overload_estimator.add(mine.link.at, says - seen.says);
                seen.says = says;
                seen.banned = banned[at].others;
                seen.overload = probabilities.overload;
                seen.meaning = inferred.meaning;
                seen.no_availability = probabilities.no_availability(banned[at].all);
            }
            let as_it_was = banned[at].others + (1.0 - banned[at].others) * probabilities.but_for_quiet;
            self.quiet[mine.kind].set_evidence(mine.id, probabilities.but_for_quiet, as_it_was);
            if mine.inferred != Some(inferred.meaning) {
                mine.inferred = Some(inferred.meaning);
                let new_ban = history.counted.is_none_or(|at| mine.link.at - at > ONE_BAN_MS);
                if inferred.meaning == EmptyCause::SoftBan && new_ban {
                    history.counted = Some(mine.link.at);
                    self.onset.found(mine.link.calls);
                }
                answered.push((mine.id, inferred));
            }
        }
        self.accounts.insert(account, history);
        answered
    }
}
