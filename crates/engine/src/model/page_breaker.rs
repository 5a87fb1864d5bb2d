//! Circuit breaker for portal pages. One account that fails to parse a page is an anomaly. Several
//! accounts that fail for minutes open the breaker of that country.
//!
//! An overloaded portal sends incomplete pages, empty pages and unknown texts to several accounts
//! at once, often when dates are released. So a page is first *suspected*: other accounts request
//! it a little later, and the first that can read it ends the suspicion. The breaker opens only if
//! no account could read the page for [`PERSISTS`]. Then all tasks of the country pause, and one
//! account at a time tests if the page can be read again. As soon as it can, all tasks resume. The
//! engine books nothing in the country meanwhile.

pub(crate) mod effects;

use std::collections::{BTreeSet, HashMap};

use chrono::TimeDelta;
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::ids::PortalAccountId;
use effects::{PausedAccounts, StoppedTask};
use portal::{LayoutChanged, PageKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Number of accounts that must fail to parse a page, without a success in between, before its
/// breaker may open.
const ACCOUNTS: usize = 2;
/// Minimum duration of the failures before the breaker opens. A moment of overload is shorter.
const PERSISTS: TimeDelta = TimeDelta::minutes(5);
/// Delay after a failure before another account requests a suspected page.
const REQUEST_AGAIN: TimeDelta = TimeDelta::seconds(100);
/// Gap after which a failure is unrelated to the one before.
const FORGOTTEN: TimeDelta = TimeDelta::minutes(15);
/// First pause of an account over a page that it could not read; doubled each time up to
/// [`LONGEST_PAUSE`].
const FIRST_PAUSE: TimeDelta = TimeDelta::minutes(1);
const LONGEST_PAUSE: TimeDelta = TimeDelta::minutes(30);
/// Time during which earlier failures of an account count towards its next pause.
const PAUSES_GROW: TimeDelta = TimeDelta::hours(2);
/// Minutes until each probe; the last value repeats.
const PROBES: [i64; 4] = [5, 10, 20, 30];
/// Delay before a probe is tried again after no account was able to make it.
const NO_PROBER: TimeDelta = TimeDelta::minutes(1);
/// Interval at which stopped polls are checked again: polls continue at most this long after the
/// page can be read.
const RECHECK_EVERY: TimeDelta = TimeDelta::seconds(60);
/// Maximum number of failed accounts that are remembered; more add no information.
const MOST_FAILED: usize = 64;
/// Pages on the path to the booking form.
pub(crate) const TO_THE_FORM: [PageKind; 4] =
    [PageKind::Actions, PageKind::Limit, PageKind::Applicants, PageKind::Form];
/// Pages without which no calendar can be polled.
const TO_POLL: [PageKind; 3] = [PageKind::Days, PageKind::SignIn, PageKind::SignInAnswer];
/// Pages whose failure stops work.
const WATCHED: [PageKind; 9] = [
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

/// Open breaker of a page that no account can read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OpenBreaker {
    /// Time since which all tasks of the country pause.
    since: Instant,
    /// Number of probes so far.
    probes: usize,
    next_probe_at: Instant,
    /// The expectation that failed.
    what: String,
    /// Time at which the page could be read again.
    #[serde(default)]
    ended_at: Option<Instant>,
    /// Accounts that could not read it.
    #[serde(default)]
    failed: BTreeSet<PortalAccountId>,
}

/// State of one page of one country's portal.
#[derive(Default)]
struct Page {
    /// Accounts that could not read it since the last success.
    failed: BTreeSet<PortalAccountId>,
    /// Times of the first and the last failure.
    since: Instant,
    last: Instant,
    /// Time at which another account requests it, before the breaker may open.
    poll_again_at: Option<Instant>,
    stopped: Option<OpenBreaker>,
}

/// Pause of an account that could not read a page.
struct AccountPause {
    country: CountryCode,
    page: PageKind,
    until: Instant,
}

/// Breakers of all pages, with the notifications and actions that they still have to cause.
#[derive(Default)]
pub(crate) struct PageBreakers {
    pages: HashMap<(CountryCode, PageKind), Page>,
    /// Tasks still to be notified.
    unnotified: Vec<StoppedTask>,
    /// Accounts that pause because they could not read a page.
    paused: HashMap<PortalAccountId, AccountPause>,
    /// Accounts that backed off because of a page that can be read again, each with the end of its
    /// pause if known.
    freed: PausedAccounts,
    /// Changed breakers that are to be written.
    fresh: Vec<(String, Value)>,
    /// Number of recent failures of an account to read a page, and the time of the last one.
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

    /// Returns `true` if no calendar of the country can be polled.
    pub fn stops_polls(&self, country: CountryCode) -> bool {
        self.any(country, &TO_POLL)
    }

    /// Returns `true` if one of [`WATCHED`] is stopped in the country. Nothing is booked then, and
    /// no account is prewarmed.
    pub fn stops_bookings(&self, country: CountryCode) -> bool {
        self.any(country, &WATCHED)
    }

    /// Returns the seconds until stopped polls are checked again.
    pub fn polls_wait() -> f64 {
        RECHECK_EVERY.num_seconds() as f64
    }

    /// Pauses an account that could not read a page. Returns the length of the pause.
    pub fn pause(
        &mut self,
        account: PortalAccountId,
        country: CountryCode,
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

    /// Records that an account could not read a page. Returns the effect on the country's tasks.
    fn failed(
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
            page.poll_again_at = page.poll_again_at.filter(|at| *at > now).or(Some(now + REQUEST_AGAIN));
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

    /// Records that a page could be read. Returns the time at which its breaker opened, if it was
    /// open.
    pub fn parsed(&mut self, country: CountryCode, page: PageKind, now: Instant) -> Option<Instant> {
        if self.pages.is_empty() {
            return None;
        }
        let known = self.pages.remove(&(country, page))?;
        if known.stopped.is_some() || known.failed.len() >= ACCOUNTS {
            // Several accounts failed, so the cause was the page. Their own pauses end now.
            self.odd.retain(|(account, at), _| *at != page || !known.failed.contains(account));
            self.freed.extend(known.failed.into_iter().map(|account| (account, None)));
            // The same fix may cover pages that only a few accounts failed to read. Pauses that
            // began before other accounts failed end too.
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
            // The fix of one page may have fixed the others.
            stopped.next_probe_at = now;
        }
        if self.pages.values().all(|page| page.stopped.is_none()) {
            self.unnotified.clear();
        }
        Some(stopped.since)
    }

    /// Adds the state of an open breaker to the values to write.
    fn keep(&mut self, country: CountryCode, page: PageKind) {
        if let Some(known) = self.pages.get(&(country, page))
            && let Some(stopped) = &known.stopped
        {
            let kept = OpenBreaker { failed: known.failed.clone(), ..stopped.clone() };
            self.fresh.push((subject(country, page), json!(kept)));
        }
    }

    /// Takes the pages whose probe is due, each with the accounts that already failed. Schedules
    /// the next probe of each page.
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

    /// Records that no account could probe a page: the probe is tried again soon, and does not
    /// count.
    pub fn not_probed(&mut self, country: CountryCode, page: PageKind, now: Instant) {
        let known = self.pages.get_mut(&(country, page));
        let Some(known) = known else { return };
        if let Some(stopped) = known.stopped.as_mut() {
            stopped.probes -= 1;
            stopped.next_probe_at = now + NO_PROBER;
        } else if now - known.last <= FORGOTTEN {
            known.poll_again_at = Some(now + NO_PROBER);
        }
    }

    /// Returns the time of the next probe.
    pub fn next_probe(&self) -> Option<Instant> {
        let probes = self.pages.values().filter_map(|page| Some(page.stopped.as_ref()?.next_probe_at));
        probes.chain(self.pages.values().filter_map(|page| page.poll_again_at)).min()
    }

    /// Returns, for each of [`WATCHED`], the number of countries in which it cannot be read.
    pub fn stopped(&self) -> [(&'static str, usize); WATCHED.len()] {
        WATCHED.map(|page| {
            let stopped = self.pages.iter().filter(|((_, at), known)| *at == page && known.stopped.is_some());
            (page.as_str(), stopped.count())
        })
    }

    /// Restores the breakers that were open before a restart. Only probes then request those pages.
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

    /// Adds `by` to the stored times, because the clock was changed by `by`.
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

/// Effect of an unreadable page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PageFailure {
    /// No effect on other accounts so far.
    Alone,
    /// All tasks of the country pause from now on.
    JustStopped,
    /// All tasks of the country paused already.
    Stopped,
}
