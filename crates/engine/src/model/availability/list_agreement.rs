//! Agreement between the lists that the portal shows to different accounts. Each booking try
//! counts. The result decides, for each calendar, if its accounts share lists.
//!
//! An account may get no times for a date of another account's list. This alone proves nothing,
//! because the slot may be taken or may never have existed. It counts as a difference once the
//! account's own list lacks the date while another account's list still has it.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::agreement::{Agreement, Comparison};
use serde_json::{Value, json};

use crate::model::openings::ListOrigin;

/// Age after which an open doubt proves nothing.
const DOUBT_LIVES: TimeDelta = TimeDelta::minutes(45);

/// Maximum number of doubts kept per calendar; the oldest are dropped first.
const MOST_DOUBTS: usize = 64;

/// Maximum age of a list, when its date is tried, to prove a difference.
const TOO_OLD: TimeDelta = TimeDelta::minutes(2);

/// A date of another account's list for which an account got no times.
struct Doubt {
    day: NaiveDate,
    account: PortalAccountId,
    /// The account that was shown the date.
    shown_to: PortalAccountId,
    at: Instant,
    /// `true` if the account's own list lacked the date afterwards.
    unlisted: bool,
}

/// Number of failed tries of other accounts' dates after which an account must poll itself before
/// it tries another.
const IN_VAIN: usize = 3;

/// Assumed age of the last poll of an account without a list of its own, in the order of polls.
pub(crate) const NEVER_POLLED: TimeDelta = TimeDelta::hours(1);

/// Minimum number of tries, and minimum agreement, for a calendar's lists to count as shared.
const PROVEN: (f64, f64) = (6.0, 0.65);

/// Sharing of a calendar's lists among its accounts.
#[derive(Default)]
pub(crate) struct ListAgreement {
    agreement: Agreement,
    /// Origin of the newest list.
    pub seen: ListOrigin,
    doubts: Vec<Doubt>,
    /// The last list of each account and its time, while the calendar is split.
    own: HashMap<PortalAccountId, (Vec<NaiveDate>, Instant)>,
    /// `true` if something was learned since the last write.
    fresh: bool,
}

/// A change of a calendar to split lists, or back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeChange {
    /// Its accounts are shown different lists: each list applies to its own account alone.
    Split,
    /// Its accounts share lists again, as a trial.
    TriedAgain,
}

/// Rules for the use of a polled list.
#[derive(Default)]
pub(crate) struct Poll {
    /// The only account for which the list is valid; `None` if it is valid for all.
    pub alone: Option<PortalAccountId>,
    /// The previous list of that account, if it is known.
    pub before: Option<(Vec<NaiveDate>, Instant)>,
    pub turned: Option<ModeChange>,
}

impl ListAgreement {
    /// Returns `true` if each list applies to its own account alone.
    pub fn is_split(&self) -> bool {
        self.agreement.split_since().is_some()
    }

    /// Returns the account of the newest list if the calendar is split. The list is valid for that
    /// account alone.
    pub fn alone(&self) -> Option<Option<PortalAccountId>> {
        self.is_split().then_some(self.seen.by)
    }

    /// Returns an account's place in the order of polls, lowest first; `ordinary` if the account
    /// has no doubt to settle.
    ///
    /// In a split calendar the account whose last poll is oldest comes first, because a poll
    /// answers its own tasks alone. In a shared calendar an account with an open doubt comes first:
    /// its poll is made anyway, and settles the doubt. An account whose own list lacked the date
    /// comes last.
    pub fn turn(&self, account: PortalAccountId, ordinary: u64) -> u64 {
        if self.is_split() {
            return self.last_own(account).map_or(0, |at| at.timestamp_micros().unsigned_abs());
        }
        match self.doubts.iter().find(|doubt| doubt.account == account) {
            Some(doubt) if doubt.unlisted => u64::MAX,
            Some(_) => 0,
            None => ordinary,
        }
    }

    /// Returns the last list of an account, if it is known and the calendar is split.
    pub fn own_days(&self, account: PortalAccountId) -> Option<&[NaiveDate]> {
        self.own.get(&account).map(|(days, _)| &**days)
    }

    /// Returns the time at which an account was last shown its own list, while the calendar is
    /// split.
    pub fn last_own(&self, account: PortalAccountId) -> Option<Instant> {
        self.own.get(&account).map(|(_, at)| *at)
    }

    /// Returns `true` if an account must poll itself before it tries dates of another account's
    /// list, because it found too many of them without times.
    pub fn polls_first(&self, account: PortalAccountId) -> bool {
        let proven = self.agreement.tries() >= PROVEN.0 && self.agreement.mean() >= PROVEN.1;
        let open = self.doubts.iter().filter(|doubt| doubt.account == account && !doubt.unlisted);
        !proven && self.seen.by != Some(account) && open.count() >= IN_VAIN
    }

    /// Records that `account` tried a date of the list `seen`, and found `times` times.
    pub fn tried(
        &mut self,
        day: NaiveDate,
        account: PortalAccountId,
        times: usize,
        seen: ListOrigin,
        now: Instant,
    ) {
        let (Some(by), Some(at)) = (seen.by, seen.at) else { return };
        if by == account {
            return;
        }
        if times > 0 {
            self.doubts.retain(|doubt| doubt.day != day || doubt.account != account);
            self.count(Comparison::Agreed, now);
        } else if now - at > TOO_OLD {
            self.count(Comparison::Gone, now);
        } else if !self.doubts.iter().any(|doubt| doubt.day == day && doubt.account == account) {
            if self.doubts.len() == MOST_DOUBTS {
                self.doubts.remove(0);
            }
            self.doubts.push(Doubt { day, account, shown_to: by, at: now, unlisted: false });
        }
    }

    /// Processes the list that an account received: settles doubts, and returns the rules for its
    /// use.
    pub fn polled(&mut self, days: &[NaiveDate], poller: PortalAccountId, now: Instant) -> Poll {
        let was_split = self.is_split();
        self.seen = ListOrigin { by: Some(poller), at: Some(now) };
        for outcome in self.settle(days, poller, now) {
            self.count(outcome, now);
        }
        let split = self.agreement.is_split(now);
        let mut poll = Poll {
            turned: match (was_split, split) {
                (false, true) => Some(ModeChange::Split),
                (true, false) => Some(ModeChange::TriedAgain),
                _ => None,
            },
            ..Poll::default()
        };
        if poll.turned.is_some() {
            self.fresh = true;
            self.doubts.clear();
            self.own.clear();
        }
        if split {
            poll.alone = Some(poller);
            poll.before = self.own.insert(poller, (days.to_vec(), now));
        }
        poll
    }

    /// Settles the open doubts that a list decides.
    fn settle(&mut self, days: &[NaiveDate], poller: PortalAccountId, now: Instant) -> Vec<Comparison> {
        let mut outcomes = Vec::new();
        self.doubts.retain_mut(|doubt| {
            let listed = days.binary_search(&doubt.day).is_ok();
            let outcome = if now - doubt.at > DOUBT_LIVES || now < doubt.at {
                Comparison::Gone
            } else if poller == doubt.account {
                if !listed {
                    doubt.unlisted = true;
                    return true;
                }
                // The account was shown the date as well, only without times: no account could have
                // booked it.
                Comparison::Agreed
            } else if doubt.unlisted && listed {
                Comparison::Differed
            } else if poller == doubt.shown_to && !listed {
                Comparison::Gone
            } else {
                return true;
            };
            outcomes.push(outcome);
            false
        });
        outcomes
    }

    fn count(&mut self, outcome: Comparison, now: Instant) {
        crate::metrics::agreement(outcome);
        self.agreement.observe(outcome, now);
        self.fresh |= outcome != Comparison::Gone;
    }

    /// Returns the agreement as it is stored.
    fn kept(&self) -> Value {
        json!(self.agreement)
    }

    /// Returns the agreement for display: percentage, and number of tries.
    pub fn in_stats(&self) -> (f64, f64) {
        ((self.agreement.mean() * 100.0).round(), self.agreement.tries().round())
    }
}

/// Sharing of the lists of every calendar.
#[derive(Default)]
pub(super) struct ListAgreements {
    calendars: HashMap<CalendarKey, ListAgreement>,
    /// Agreements read at the start; each is taken when its calendar is first used.
    recalled: HashMap<String, Agreement>,
}

impl ListAgreements {
    /// Restores the agreements that were learned before a restart.
    pub fn restore(&mut self, learned: &[(String, Value)]) {
        let known = learned.iter().filter(|(subject, _)| store::learned::is_agreement(subject));
        let read = |data: &Value| serde_json::from_value(data.clone()).ok();
        let recalled = known.filter_map(|(subject, data)| Some((subject.clone(), read(data)?))).collect();
        *self = Self { calendars: HashMap::new(), recalled };
    }

    /// Returns the sharing state of a calendar's lists for modification.
    pub fn of(&mut self, key: &CalendarKey) -> &mut ListAgreement {
        if !self.calendars.contains_key(key) {
            let recalled = self.recalled.remove(&store::learned::agreement_of(&key.to_string()));
            let agreement = recalled.unwrap_or_default();
            self.calendars.insert(key.clone(), ListAgreement { agreement, ..ListAgreement::default() });
        }
        self.calendars.get_mut(key).expect("just inserted")
    }

    /// Returns the sharing state of a calendar's lists, if the calendar was polled.
    pub fn get(&self, key: &CalendarKey) -> Option<&ListAgreement> {
        self.calendars.get(key)
    }

    /// Returns the number of split calendars.
    pub fn split(&self) -> usize {
        self.calendars.values().filter(|list_agreement| list_agreement.is_split()).count()
    }

    /// Adds `by` to the stored times, because the clock was changed by `by`.
    pub fn shift(&mut self, by: TimeDelta) {
        for list_agreement in self.calendars.values_mut() {
            list_agreement.doubts.clear();
            list_agreement.seen.at = list_agreement.seen.at.map(|at| at + by);
            list_agreement.own.values_mut().for_each(|(_, at)| *at += by);
        }
    }

    /// Takes the agreements that are to be written.
    pub fn learned(&mut self) -> Vec<(String, Value)> {
        let fresh = self.calendars.iter_mut().filter(|(_, list_agreement)| list_agreement.fresh);
        fresh
            .map(|(key, list_agreement)| {
                list_agreement.fresh = false;
                (store::learned::agreement_of(&key.to_string()), list_agreement.kept())
            })
            .collect()
    }
}
