//! Whether what one account is shown holds for the others: counted try by try, and acted upon calendar by calendar.
//!
//! An account that gets no times for a day of another's list proves nothing by itself: the slot may have been taken, or
//! never have been there. It counts as a difference once its own list lacks the day while another's still has it.

use std::collections::HashMap;

use chrono::{NaiveDate, TimeDelta};
use domain::calendar::CalendarKey;
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use inference::agreement::{Agreement, Comparison};
use serde_json::{Value, json};

/// A doubt that is not settled within this tells nothing.
const DOUBT_LIVES: TimeDelta = TimeDelta::minutes(45);

/// Doubts kept per calendar: the oldest give way.
const MOST_DOUBTS: usize = 64;

/// A list older than this when its day was tried tells nothing.
const TOO_OLD: TimeDelta = TimeDelta::minutes(2);

/// A day of another account's list for which an account got no times.
struct Doubt {
    day: NaiveDate,
    account: PortalAccountId,
    /// Who was shown it.
    shown_to: PortalAccountId,
    at: Instant,
    /// The account's own list lacked the day afterwards.
    unlisted: bool,
}

/// Failed tries of other accounts' days after which an account must poll itself before it tries another.
const IN_VAIN: usize = 3;

/// Who has no list of its own yet comes next as if its last poll were so long ago.
pub(crate) const NEVER_POLLED: TimeDelta = TimeDelta::hours(1);

/// Tries and agreement from which on a calendar's lists are trusted to be everybody's.
const PROVEN: (f64, f64) = (6.0, 0.65);

/// Whose list a calendar shows, and when it was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ListOrigin {
    pub by: Option<PortalAccountId>,
    pub at: Option<Instant>,
}

/// How a calendar's accounts share its lists.
#[derive(Default)]
pub(crate) struct ListAgreement {
    agreement: Agreement,
    /// Whose list is the newest.
    pub seen: ListOrigin,
    doubts: Vec<Doubt>,
    /// What each account was shown last and when, while each answers for itself alone.
    own: HashMap<PortalAccountId, (Vec<NaiveDate>, Instant)>,
    /// Something was learned since it was written.
    fresh: bool,
}

/// A calendar has just begun, or ceased, to be split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModeChange {
    /// Its accounts are shown different lists: each acts on its own alone.
    Split,
    /// They share again, as a trial.
    TriedAgain,
}

/// What a poll means for how its list may be used.
#[derive(Default)]
pub(crate) struct Poll {
    /// The account the list is good for alone; none when it is everybody's.
    pub alone: Option<PortalAccountId>,
    /// What that account was shown the last time, where it is known.
    pub before: Option<(Vec<NaiveDate>, Instant)>,
    pub turned: Option<ModeChange>,
}

impl ListAgreement {
    /// Whether each account answers for itself alone.
    pub fn is_split(&self) -> bool {
        self.agreement.split_since().is_some()
    }

    /// The account whose tasks alone the newest list is good for, when the calendar is split.
    pub fn alone(&self) -> Option<Option<PortalAccountId>> {
        self.is_split().then_some(self.seen.by)
    }

    /// An account's place among those that may look; `ordinary` where nothing speaks for another one.
    ///
    /// Split, who looked longest ago comes first, for a poll answers its own tasks alone. Whole, who has a doubt to
    /// settle comes first: the poll is made anyway, and settles it.
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

    /// What an account was shown last, where that is known and each answers for itself alone.
    pub fn own_days(&self, account: PortalAccountId) -> Option<&[NaiveDate]> {
        self.own.get(&account).map(|(days, _)| &**days)
    }

    /// When an account was last shown its own list, while each answers for itself alone.
    pub fn last_own(&self, account: PortalAccountId) -> Option<Instant> {
        self.own.get(&account).map(|(_, at)| *at)
    }

    /// Whether an account leaves the days of another's list alone until it has looked itself: it found too many of them
    /// without times.
    pub fn polls_first(&self, account: PortalAccountId) -> bool {
        let proven = self.agreement.tries() >= PROVEN.0 && self.agreement.mean() >= PROVEN.1;
        let open = self.doubts.iter().filter(|doubt| doubt.account == account && !doubt.unlisted);
        !proven && self.seen.by != Some(account) && open.count() >= IN_VAIN
    }

    /// A day of the list `seen` was tried by `account`, which found `times` times.
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

    /// An account was shown a list: what it settles, and for whom it is good.
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

    /// What a list says of the open doubts.
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
                // Shown to it as well, only without times: nobody could have had it.
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

    /// What is known of it, as it is kept.
    fn kept(&self) -> Value {
        json!(self.agreement)
    }

    /// How often its lists agreed, for people: percent, and of how many tries.
    pub fn in_stats(&self) -> (f64, f64) {
        ((self.agreement.mean() * 100.0).round(), self.agreement.tries().round())
    }
}

/// How the lists of every calendar are shared.
#[derive(Default)]
pub(crate) struct ListAgreements {
    calendars: HashMap<CalendarKey, ListAgreement>,
    /// Read at the start, taken when its calendar comes up.
    recalled: HashMap<String, Agreement>,
}

impl ListAgreements {
    /// Takes over what was learned before.
    pub fn restore(&mut self, learned: &[(String, Value)]) {
        let known = learned.iter().filter(|(subject, _)| store::learned::is_agreement(subject));
        let read = |data: &Value| serde_json::from_value(data.clone()).ok();
        let recalled = known.filter_map(|(subject, data)| Some((subject.clone(), read(data)?))).collect();
        *self = Self { calendars: HashMap::new(), recalled };
    }

    /// How a calendar's lists are shared, to change it.
    pub fn of(&mut self, key: &CalendarKey) -> &mut ListAgreement {
        if !self.calendars.contains_key(key) {
            let recalled = self.recalled.remove(&store::learned::agreement_of(&key.to_string()));
            let agreement = recalled.unwrap_or_default();
            self.calendars.insert(key.clone(), ListAgreement { agreement, ..ListAgreement::default() });
        }
        self.calendars.get_mut(key).expect("just inserted")
    }

    /// How a calendar's lists are shared, if it was looked at.
    pub fn get(&self, key: &CalendarKey) -> Option<&ListAgreement> {
        self.calendars.get(key)
    }

    /// Whether a calendar is split.
    pub fn is_split(&mut self, key: &CalendarKey) -> bool {
        self.of(key).is_split()
    }

    /// How many calendars are split.
    pub fn split(&self) -> usize {
        self.calendars.values().filter(|list_agreement| list_agreement.is_split()).count()
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        for list_agreement in self.calendars.values_mut() {
            list_agreement.doubts.clear();
            list_agreement.seen.at = list_agreement.seen.at.map(|at| at + by);
            list_agreement.own.values_mut().for_each(|(_, at)| *at += by);
        }
    }

    /// What is to be written.
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
