//! Circuit breaker for portal pages: one account that fails to parse is an anomaly, several that do for minutes open the
//! breaker of that country.
//!
//! An overloaded portal sends pages without their parts, empty ones and unknown words, to several accounts at once, and it
//! does so when days are released. So a page is first *suspected*: other accounts look at it a little later, and the first
//! that can read it ends the suspicion. Only when nobody could for [`PERSISTS`] the breaker opens: everybody stops, one
//! account at a time looks whether the page can be read again, and as soon as it can all go on. Nothing is booked meanwhile.

use domain::country::CountryCode;
use domain::journal::PortalErrorEvent;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::ids::{PortalAccountId, TaskId};
use portal::{LayoutChanged, PageKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Accounts that must fail to parse a page, with none that can, before its breaker may open.
const ACCOUNTS: usize = 2;
/// Nobody could read the page for so long: it is not a moment of overload.
const PERSISTS: TimeDelta = TimeDelta::minutes(5);
/// How long after a failure somebody looks at a suspected page.
const POLL_AGAIN: TimeDelta = TimeDelta::seconds(100);
/// A failure so long after the one before has nothing to do with it.
const FORGOTTEN: TimeDelta = TimeDelta::minutes(15);
/// An account that could not read a page leaves it alone for so long, doubled each time up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(1);
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(30);
/// An account's failures count on for so long.
const PAUSES_GROW: TimeDelta = TimeDelta::hours(2);
/// Minutes until each probe; the last again and again.
const PROBES: [i64; 4] = [5, 10, 20, 30];
/// When nobody may probe just now, it is asked again after this.
const NOBODY: TimeDelta = TimeDelta::minutes(1);
/// Who looks only, goes on a little after the page can be read.
const GOES_ON: TimeDelta = TimeDelta::seconds(60);
/// Accounts remembered as failed: more tell nothing.
const MOST_FAILED: usize = 64;
/// The pages on the way to the booking form.
pub(crate) const TO_THE_FORM: [PageKind; 4] =
    [PageKind::Actions, PageKind::Limit, PageKind::Applicants, PageKind::Form];
/// Without these nothing can be looked at.
pub(crate) const TO_POLL: [PageKind; 3] = [PageKind::Days, PageKind::SignIn, PageKind::SignInAnswer];
/// Every page that stops something.
pub(crate) const WATCHED: [PageKind; 9] = [
    PageKind::Days,
    PageKind::SignIn,
    PageKind::SignInAnswer,
    PageKind::Groups,
    PageKind::Times,
    PageKind::Actions,
    PageKind::Limit,
    PageKind::Applicants,
    PageKind::Form,
];

/// A page of one country's portal that nobody can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct OpenBreaker {
    /// Since when everybody stands still.
    pub since: Instant,
    /// Probes so far.
    pub probes: usize,
    pub next_probe_at: Instant,
    /// Which expectation failed.
    pub what: String,
    /// When it could be read again.
    #[serde(default)]
    pub ended_at: Option<Instant>,
    /// Who could not read it.
    #[serde(default)]
    failed: BTreeSet<PortalAccountId>,
}

/// What is known of one page of one country's portal.
#[derive(Default)]
pub(crate) struct Page {
    /// Who could not read it since somebody could.
    failed: BTreeSet<PortalAccountId>,
    /// The first and the last time that somebody could not.
    since: Instant,
    last: Instant,
    /// When somebody looks at it again, before everybody stands still.
    poll_again_at: Option<Instant>,
    pub stopped: Option<OpenBreaker>,
}

/// An account's pause over a page.
struct AccountPause {
    country: CountryCode,
    page: PageKind,
    until: Instant,
}

/// Pages that could not be read, and what is still to be told and done because of them.
#[derive(Default)]
pub(crate) struct PageBreakers {
    pub pages: HashMap<(CountryCode, PageKind), Page>,
    /// Tasks to be told, with what, until which probe.
    pub unnotified: Vec<(TaskId, PortalErrorEvent, Instant)>,
    /// Accounts that leave a page alone which they could not read.
    paused: HashMap<PortalAccountId, AccountPause>,
    /// Accounts that rested because of a page that can be read again; until when, where that is known.
    pub freed: BTreeMap<PortalAccountId, Option<Instant>>,
    /// What is to be written.
    pub fresh: Vec<(String, Value)>,
    /// How often an account could not read a page lately, and when it was the last time.
    odd: HashMap<(PortalAccountId, PageKind), (u32, Instant)>,
}

fn subject(country: CountryCode, page: PageKind) -> String {
    store::learned::page_subject(country, page.as_str())
}

impl PageBreakers {
    fn any(&self, country: CountryCode, pages: &[PageKind]) -> bool {
        !self.pages.is_empty()
            && self
                .pages
                .iter()
                .any(|((at, page), known)| known.stopped.is_some() && *at == country && pages.contains(page))
    }

    /// Whether nothing can be looked at.
    pub fn stops_polls(&self, country: CountryCode) -> bool {
        self.any(country, &TO_POLL)
    }

    /// Whether nothing can be booked, nor anybody be made ready for it.
    pub fn stops_bookings(&self, country: CountryCode) -> bool {
        self.any(country, &WATCHED)
    }

    /// Seconds until it is asked again whether looks may go on.
    pub fn polls_wait() -> f64 {
        GOES_ON.num_seconds() as f64
    }

    /// How long an account leaves a page alone that it could not read.
    pub fn pause(
        &mut self,
        (account, country): (PortalAccountId, CountryCode),
        page: PageKind,
        now: Instant,
    ) -> TimeDelta {
        self.odd.retain(|_, (_, at)| now - *at < PAUSES_GROW);
        let (times, at) = self.odd.entry((account, page)).or_insert((0, now));
        let pause = (FIRST_PAUSE * 2_i32.saturating_pow(*times)).min(LONGEST_PAUSE);
        *times = (*times + 1).min(10);
        *at = now;
        self.paused.retain(|_, pause| pause.until > now);
        self.paused.insert(account, AccountPause { country, page, until: now + pause });
        pause
    }

    /// An account could not read a page; whether everybody stands still because of it.
    pub fn failed(
        &mut self,
        country: CountryCode,
        changed: &LayoutChanged,
        account: PortalAccountId,
        alone: bool,
        now: Instant,
    ) -> PageFailure {
        let page = self.pages.entry((country, changed.page)).or_default();
        if page.stopped.is_none() && now - page.last > FORGOTTEN {
            *page = Page { since: now, ..Page::default() };
        }
        page.last = now;
        if page.failed.len() < MOST_FAILED {
            page.failed.insert(account);
        }
        if page.stopped.is_some() {
            return PageFailure::Stopped;
        }
        if (page.failed.len() < ACCOUNTS && !alone) || now - page.since < PERSISTS {
            page.poll_again_at = page.poll_again_at.filter(|at| *at > now).or(Some(now + POLL_AGAIN));
            return PageFailure::Alone;
        }
        page.poll_again_at = None;
        let next_probe_at = now + TimeDelta::minutes(PROBES[0]);
        page.stopped = Some(OpenBreaker {
            since: now,
            probes: 0,
            next_probe_at,
            what: changed.what.to_owned(),
            ended_at: None,
            failed: page.failed.clone(),
        });
        self.keep(country, changed.page);
        PageFailure::JustStopped
    }

    /// A page could be read; returns since when nobody had been able to, if that was so.
    pub fn parsed(&mut self, country: CountryCode, page: PageKind, now: Instant) -> Option<Instant> {
        if self.pages.is_empty() {
            return None;
        }
        let known = self.pages.remove(&(country, page))?;
        if known.stopped.is_some() || known.failed.len() >= ACCOUNTS {
            // It was not theirs alone: they need not wait until their own pause is over.
            self.odd.retain(|(account, at), _| *at != page || !known.failed.contains(account));
            self.freed.extend(known.failed.into_iter().map(|account| (account, None)));
            // What mended it may have mended pages that too few could not read; so have pauses that began before anybody
            // else noticed.
            let stopped = known.stopped.is_some();
            let same = |_: &PortalAccountId, pause: &mut AccountPause| {
                pause.country == country && (stopped || pause.page == page)
            };
            let over = self.paused.extract_if(same);
            self.freed.extend(over.map(|(account, pause)| (account, Some(pause.until))));
        }
        let mut stopped = known.stopped?;
        stopped.ended_at = Some(now);
        stopped.failed.clear();
        self.fresh.push((subject(country, page), json!(stopped)));
        let others = self.pages.iter_mut().filter(|((at, _), _)| *at == country);
        for stopped in others.filter_map(|(_, page)| page.stopped.as_mut()) {
            // What mended one page may have mended the others.
            stopped.next_probe_at = now;
        }
        if self.pages.values().all(|page| page.stopped.is_none()) {
            self.unnotified.clear();
        }
        Some(stopped.since)
    }

    pub fn keep(&mut self, country: CountryCode, page: PageKind) {
        if let Some(known) = self.pages.get(&(country, page))
            && let Some(stopped) = &known.stopped
        {
            let kept = OpenBreaker { failed: known.failed.clone(), ..stopped.clone() };
            self.fresh.push((subject(country, page), json!(kept)));
        }
    }

    /// Pages whose probe is due, each with who failed already; the next probe waits its longer time.
    pub fn take_due(&mut self, now: Instant) -> Vec<(CountryCode, PageKind, BTreeSet<PortalAccountId>)> {
        let mut due = Vec::new();
        for ((country, page), known) in &mut self.pages {
            if let Some(stopped) = known.stopped.as_mut().filter(|stopped| stopped.next_probe_at <= now) {
                stopped.probes += 1;
                let minutes = PROBES[stopped.probes.min(PROBES.len() - 1)];
                stopped.next_probe_at = now + TimeDelta::minutes(minutes);
                due.push((*country, *page, known.failed.clone()));
            }
            if known.poll_again_at.is_some_and(|at| at <= now) {
                known.poll_again_at = None;
                due.push((*country, *page, known.failed.clone()));
            }
        }
        due.sort_unstable_by(|a, b| (&a.0, a.1.as_str()).cmp(&(&b.0, b.1.as_str())));
        due
    }

    /// Nobody could probe a page: it is asked again soon, and not counted.
    pub fn not_probed(&mut self, country: CountryCode, page: PageKind, now: Instant) {
        let known = self.pages.get_mut(&(country, page));
        let Some(known) = known else { return };
        if let Some(stopped) = known.stopped.as_mut() {
            stopped.probes -= 1;
            stopped.next_probe_at = now + NOBODY;
        } else if now - known.last <= FORGOTTEN {
            known.poll_again_at = Some(now + NOBODY);
        }
    }

    /// When the next probe is due.
    pub fn next_probe(&self) -> Option<Instant> {
        let probes = self.pages.values().filter_map(|page| Some(page.stopped.as_ref()?.next_probe_at));
        probes.chain(self.pages.values().filter_map(|page| page.poll_again_at)).min()
    }

    /// In how many countries each of [`WATCHED`] cannot be read.
    pub fn stopped(&self) -> [(&'static str, usize); WATCHED.len()] {
        WATCHED.map(|page| {
            let stopped = self.pages.iter().filter(|((_, at), known)| *at == page && known.stopped.is_some());
            (page.as_str(), stopped.count())
        })
    }

    /// Takes over what was known before a restart: nobody but the probe asks for a page nobody could read.
    pub fn restore(&mut self, learned: &[(String, Value)]) {
        *self = Self::default();
        for (subject, data) in learned {
            let Some((country, word)) = store::learned::page_of_subject(subject) else { continue };
            let Some(page) = WATCHED.into_iter().find(|page| page.as_str() == word) else { continue };
            let stopped = serde_json::from_value::<OpenBreaker>(data.clone()).ok();
            if let Some(stopped) = stopped.filter(|stopped| stopped.ended_at.is_none()) {
                let failed = stopped.failed.clone();
                let since = stopped.since;
                let known = Page { failed, since, last: since, poll_again_at: None, stopped: Some(stopped) };
                self.pages.insert((country, page), known);
            }
        }
    }

    /// The clock was set by so much.
    pub fn shift(&mut self, by: TimeDelta) {
        for page in self.pages.values_mut() {
            (page.since, page.last) = (page.since + by, page.last + by);
            page.poll_again_at = page.poll_again_at.map(|at| at + by);
            if let Some(stopped) = page.stopped.as_mut() {
                stopped.next_probe_at += by;
            }
        }
        for (_, at) in self.odd.values_mut() {
            *at += by;
        }
        self.paused.values_mut().for_each(|pause| pause.until += by);
    }
}

/// What an unreadable page means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageFailure {
    /// Nothing for anybody else, so far.
    Alone,
    /// Everybody stands still from now on.
    JustStopped,
    /// Everybody stood still already.
    Stopped,
}

/// Tasks told at once: the rest follows in the next rounds.
pub(crate) const NOTIFIED_AT_ONCE: usize = 500;
