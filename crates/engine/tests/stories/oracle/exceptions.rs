//! Exceptions that excuse an age above its bound, each with its reason. All are read from the
//! portal's journal.
//!
//! - A host that fails or blocks gets no requests for a while, as SAFETY 6 requires. Between two
//!   failures it answered no account.
//! - An account that fails backs off for a growing time.
//! - An account signs in once an hour at most. It waits after a session that ended and after a
//!   refused sign-in.
//! - A softly banned account backs off, and has a quarter of its polls for three days.
//! - Polls and requests that bookings spent are missing from the budget.
//! - An operator's pause stops everything.
//! - A page that was sent in another form is read again after a pause. If several accounts cannot
//!   read a page that polling requires, all accounts pause.

use std::collections::{BTreeMap, HashMap, HashSet};

use chrono::{DateTime, TimeDelta, Utc};
use domain::budget::Limits;
use domain::calendar::CalendarKey;
use domain::ids::PortalAccountId;
use sandbox::journal::{Effect, Entry};

use super::Span;

/// Reason why an account, or all accounts, may not poll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reason {
    HostPaused,
    OperatorPaused,
    AccountBackedOff,
    SignInUsed,
    SoftBan,
    Eased,
    SpentByBookings,
    Unreadable,
}

/// First wait after a failure, doubled with each that follows, and the longest wait.
const FIRST_WAIT: TimeDelta = TimeDelta::seconds(30);
const LONGEST_WAIT: TimeDelta = TimeDelta::minutes(30);
/// Failures of several accounts within this time pause the host.
const TOGETHER: TimeDelta = TimeDelta::seconds(60);
/// Number of accounts that makes several, or all if there are fewer.
const SEVERAL: usize = 3;
/// A requested wait up to this is honoured in full. A longer one is probed after 1, 2, 4, 4 ...
/// hours.
const HONOURED: TimeDelta = TimeDelta::hours(1);
const LONGEST_PROBE: i64 = 4;
/// Shortest time between two sign-ins of an account.
const BETWEEN_SIGN_INS: TimeDelta = TimeDelta::hours(1);
/// Longest pause after an answer that a soft ban emptied.
const BAN_REST: TimeDelta = TimeDelta::hours(6);
/// Time after a ban in which polls are fewer, and the lowest factor.
const EASED_FOR: TimeDelta = TimeDelta::hours(72);
const EASED_TO: f64 = 0.25;
const WINDOW: TimeDelta = TimeDelta::hours(10);
/// Requests in ten hours that sign-ins and groups pages need beside polls.
const BESIDE_POLLS: f64 = 21.0;
/// Pages that a booking requests, beside times.
const OF_A_BOOKING: [&str; 6] = ["actions", "appointment", "instructions", "book", "continue", "applicant"];
/// Faults that send a page in another form.
const UNREADABLE: [&str; 6] =
    ["changed_layout", "busy_page", "empty_list", "unknown_error", "foreign_html", "half_answer"];

/// Pages that polling requires, and the number of accounts that must fail to read one before all
/// accounts pause.
const TO_POLL: [&str; 3] = ["days", "sign_in", "sign_in_page"];
const UNREAD_BY: usize = 2;

/// Time in which an account, or all accounts, cannot poll.
#[derive(Clone, Copy, Debug)]
struct Exception {
    reason: Reason,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
}

/// Events of one account.
#[derive(Default)]
struct AccountFacts {
    exceptions: Vec<Exception>,
    /// Times requests, and other requests of bookings.
    times: Vec<DateTime<Utc>>,
    of_bookings: Vec<DateTime<Utc>>,
    /// Answers that a soft ban emptied.
    banned: Vec<DateTime<Utc>>,
    /// Last attempt to sign in.
    sign_in: Option<DateTime<Utc>>,
    failures: u32,
}

/// Content of the journal, by account and calendar.
pub(super) struct Facts {
    polls: HashMap<CalendarKey, Vec<DateTime<Utc>>>,
    accounts: HashMap<PortalAccountId, AccountFacts>,
    host: Vec<Exception>,
}

impl Facts {
    pub fn new(
        spans: &[Span],
        pauses: &[(DateTime<Utc>, DateTime<Utc>)],
        journal: &[Entry],
        owners: &BTreeMap<u64, String>,
    ) -> Self {
        let of_group: HashMap<u64, PortalAccountId> =
            spans.iter().map(|span| (span.group, span.account)).collect();
        let mut of_login: HashMap<&str, PortalAccountId> = HashMap::new();
        let logins = owners.iter().map(|(group, login)| (*group, login.as_str()));
        let used = journal.iter().filter_map(|e| Some((e.portal_schedule_id?, e.account.as_deref()?)));
        for (group, login) in logins.chain(used) {
            if let Some(account) = of_group.get(&group) {
                of_login.entry(login).or_insert(*account);
            }
        }
        let paused = |(from, to): &(DateTime<Utc>, DateTime<Utc>)| Exception {
            reason: Reason::OperatorPaused,
            from: *from,
            to: *to,
        };
        let mut facts = Self {
            polls: HashMap::new(),
            accounts: HashMap::new(),
            host: pauses.iter().map(paused).collect(),
        };
        let mut host = Host { accounts: of_login.len(), ..Host::default() };
        for entry in journal {
            let Some(account) = entry.account.as_deref().and_then(|login| of_login.get(login)) else {
                continue;
            };
            facts.take(entry, *account);
            facts.host.extend(host.take_outage(entry));
            facts.host.extend(host.take(entry, *account));
            facts.host.extend(host.take_page(entry, *account));
            if let Some(calendar) = polled(entry, spans) {
                facts.polls.entry(calendar).or_default().push(entry.world_time);
            }
        }
        facts
    }

    /// Returns the answered polls of a calendar, oldest first.
    pub fn polls(&self, calendar: &CalendarKey) -> &[DateTime<Utc>] {
        self.polls.get(calendar).map_or(&[], Vec::as_slice)
    }

    /// Returns why no account may poll at an instant. The list is empty if an account may.
    pub fn host_reasons(&self, at: DateTime<Utc>) -> Vec<Reason> {
        active(&self.host, at).collect()
    }

    /// Returns the polls an hour that an account may make at an instant, and the reasons that lower
    /// the number.
    pub fn rate(&self, account: PortalAccountId, limits: &Limits, at: DateTime<Utc>) -> (f64, Vec<Reason>) {
        let none = AccountFacts::default();
        let facts = self.accounts.get(&account).unwrap_or(&none);
        let mut reasons: Vec<Reason> = active(&facts.exceptions, at).collect();
        let is_out = !reasons.is_empty();
        let within = |list: &[DateTime<Utc>], span: TimeDelta| {
            let (from, to) = (list.partition_point(|t| *t <= at - span), list.partition_point(|t| *t <= at));
            (to - from) as f64
        };
        let polls = f64::from(limits.polls_per_ten_hours.saturating_sub(limits.polls_reserved));
        let requests = f64::from(limits.requests_per_ten_hours.saturating_sub(limits.requests_reserved));
        let times = within(&facts.times, WINDOW);
        let left = requests - BESIDE_POLLS - times - within(&facts.of_bookings, WINDOW);
        let free = (polls - times).min(left).clamp(0.0, polls);
        if free < polls {
            reasons.push(Reason::SpentByBookings);
        }
        let eased = within(&facts.banned, EASED_FOR) > 0.0;
        if eased {
            reasons.push(Reason::Eased);
        }
        let share = if eased { EASED_TO } else { 1.0 };
        let rate = f64::from(limits.polls_per_hour).min(free / 10.0) * share;
        (if is_out { 0.0 } else { rate }, reasons)
    }

    /// Records one request of an account.
    fn take(&mut self, entry: &Entry, account: PortalAccountId) {
        let facts = self.accounts.entry(account).or_default();
        let now = entry.world_time;
        let mut out = |reason, length: TimeDelta| {
            facts.exceptions.push(Exception { reason, from: now, to: now + length });
        };
        if has_failed(entry) {
            out(Reason::AccountBackedOff, back_off(entry, facts.failures));
            facts.failures += 1;
        } else if is_unreadable(entry) {
            out(Reason::Unreadable, LONGEST_WAIT);
        } else if entry.kind == "days" && entry.status != 401 {
            facts.failures = 0;
        }
        let is_signed_out = matches!(entry.effect, Effect::NotSignedIn | Effect::SessionEnded);
        let was_refused = matches!(entry.effect, Effect::SignInRefused(_));
        if entry.kind == "sign_in" {
            facts.sign_in = Some(now);
        }
        if let Some(at) = facts.sign_in.filter(|_| is_signed_out || was_refused)
            && at + BETWEEN_SIGN_INS > now
        {
            let length = at + BETWEEN_SIGN_INS - now;
            facts.exceptions.push(Exception { reason: Reason::SignInUsed, from: now, to: now + length });
        }
        if matches!(entry.effect, Effect::Banned { .. })
            || entry.empty_because.iter().any(|c| c == "soft_ban")
        {
            facts.exceptions.push(Exception { reason: Reason::SoftBan, from: now, to: now + BAN_REST });
            facts.banned.push(now);
        }
        match entry.kind.as_str() {
            "times" => facts.times.push(now),
            kind if OF_A_BOOKING.contains(&kind) => facts.of_bookings.push(now),
            _ => {}
        }
    }
}

/// Failures of the host as a whole.
#[derive(Default)]
struct Host {
    /// Number of accounts.
    accounts: usize,
    /// Accounts and times of the failures since the last success.
    failures: Vec<(PortalAccountId, DateTime<Utc>)>,
    /// Pauses since the last success.
    pauses: u32,
    /// Last failure since the last success.
    failed_at: Option<DateTime<Utc>>,
    /// Accounts that could not read a kind of page since an account last could.
    unread: HashMap<String, HashSet<PortalAccountId>>,
}

impl Host {
    /// Records one request. Returns the time between two failures, with no success in
    /// between and no long time without requests.
    fn take_outage(&mut self, entry: &Entry) -> Option<Exception> {
        let now = entry.world_time;
        if !has_failed(entry) {
            self.failed_at = None;
            return None;
        }
        let before = self.failed_at.replace(now).filter(|at| now - *at <= LONGEST_WAIT + TOGETHER);
        before.map(|from| Exception { reason: Reason::HostPaused, from, to: now })
    }

    /// Records one page. Returns the pause that it causes for all accounts.
    fn take_page(&mut self, entry: &Entry, account: PortalAccountId) -> Option<Exception> {
        let unread = self.unread.entry(entry.kind.clone()).or_default();
        if !is_unreadable(entry) {
            if entry.status == 200 {
                unread.clear();
            }
            return None;
        }
        unread.insert(account);
        let is_shared = TO_POLL.contains(&entry.kind.as_str()) && unread.len() >= UNREAD_BY;
        let (from, to) = (entry.world_time, entry.world_time + LONGEST_WAIT);
        is_shared.then_some(Exception { reason: Reason::Unreadable, from, to })
    }

    /// Records one request. Returns the pause that it causes.
    fn take(&mut self, entry: &Entry, account: PortalAccountId) -> Option<Exception> {
        let now = entry.world_time;
        if !has_failed(entry) {
            (self.failures, self.pauses) = (Vec::new(), 0);
            return None;
        }
        self.failures.retain(|(other, at)| *other != account && now - *at < TOGETHER);
        self.failures.push((account, now));
        let several = self.failures.len() >= self.accounts.clamp(1, SEVERAL);
        let is_block = matches!(entry.status, 403 | 429);
        if !several && !is_block && entry.retry_after.is_none() && self.pauses == 0 {
            return None;
        }
        let block = if is_block { LONGEST_WAIT } else { TimeDelta::zero() };
        let length = back_off(entry, self.pauses).max(block);
        self.pauses += 1;
        Some(Exception { reason: Reason::HostPaused, from: now, to: now + length })
    }
}

/// Returns `true` if the portal gave no answer or refused the request.
fn has_failed(entry: &Entry) -> bool {
    matches!(entry.status, 0 | 403 | 429 | 500..)
}

/// Returns the wait after a failure that follows `before` others.
fn back_off(entry: &Entry, before: u32) -> TimeDelta {
    let own = (FIRST_WAIT * 2_i32.pow(before.min(6))).min(LONGEST_WAIT);
    let asked =
        TimeDelta::seconds(entry.retry_after.map_or(0, |seconds| i64::try_from(seconds).unwrap_or(0)));
    let is_block = matches!(entry.status, 403 | 429);
    let probed = TimeDelta::hours((1 << before.min(2)).min(LONGEST_PROBE));
    own.max(if asked <= HONOURED || is_block { asked } else { asked.min(probed) })
}

fn is_unreadable(entry: &Entry) -> bool {
    entry.faults.iter().any(|fault| UNREADABLE.contains(&fault.as_str()))
}

/// Returns the calendar whose list an entry answered.
fn polled(entry: &Entry, spans: &[Span]) -> Option<CalendarKey> {
    let listed = matches!(entry.effect, Effect::Looked { .. } | Effect::Banned { .. });
    let answered = entry.kind == "days" && matches!(entry.status, 200 | 304) && listed;
    if !answered || is_unreadable(entry) {
        return None;
    }
    let number: u16 = entry.path.split("/days/").nth(1)?.split('.').next()?.parse().ok()?;
    let of_group = spans.iter().filter(|span| Some(span.group) == entry.portal_schedule_id);
    let span = of_group.filter(|span| span.from <= entry.world_time).max_by_key(|span| span.from)?;
    span.calendars.iter().find(|calendar| calendar.facility.number() == number).cloned()
}

fn active(exceptions: &[Exception], at: DateTime<Utc>) -> impl Iterator<Item = Reason> {
    exceptions.iter().filter(move |e| e.from <= at && at < e.to).map(|e| e.reason)
}
