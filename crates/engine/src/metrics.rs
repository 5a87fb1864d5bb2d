//! Names, help texts and recording functions of all metrics.
//!
//! Label values are fixed texts, so that no label can hold user data. Without a recorder, as in
//! tests and on the command line, counting costs nothing.

use domain::booking::AttemptState;
use domain::channel::alarm::{AlarmKind, Condition};
use domain::condition::TaskCondition;
use domain::task::TaskStatus;
use inference::agreement::Comparison;
use metrics::{Unit, counter, gauge, histogram};

const POLLS: &str = "sooner_looks_total";
const EMPTY: &str = "sooner_empty_lists_total";
const CONDITIONS: &str = "sooner_verdicts_total";
const OPENINGS: &str = "sooner_hints_total";
const AGREEMENT: &str = "sooner_hint_agreement_total";
const SPLIT: &str = "sooner_calendars_split";
const STOPPED: &str = "sooner_pages_stopped";
const BOOKINGS: &str = "sooner_bookings_total";
const INTENTS: &str = "sooner_intents";
const TASKS: &str = "sooner_tasks";
const WATCH_AGE: &str = "sooner_watch_age_seconds";
const ACCOUNTS: &str = "sooner_accounts";
const POLLS_LEFT: &str = "sooner_looks_left";
const REQUESTS: &str = "sooner_portal_requests_total";
const PARSE_FAILURES: &str = "sooner_parse_failures_total";
const HOST_FAILURES: &str = "sooner_host_failures_total";
const JOB_PANICS: &str = "sooner_job_panics_total";
const VERIFICATIONS: &str = "sooner_verifications_total";
const SENT: &str = "sooner_portal_sent_total";
const TOKENS: &str = "sooner_portal_tokens";
const PAUSED: &str = "sooner_portal_paused";
const ROLE: &str = "sooner_role";
const LEASE_HELD: &str = "sooner_lease_held";
const LEASE_EPOCH: &str = "sooner_lease_epoch";
const ROUND: &str = "sooner_round_seconds";
const MAILS: &str = "sooner_mails_total";
const MESSAGES: &str = "sooner_channel_messages_total";
const OUTBOX: &str = "sooner_outbox_depth";
const OUTBOX_OLDEST: &str = "sooner_outbox_oldest_seconds";
const LEDGER: &str = "sooner_ledger_differences";
const FROZEN: &str = "sooner_money_frozen";
const CARD_PAYMENTS: &str = "sooner_card_payments";
const CARD_REFUNDS: &str = "sooner_card_refunds";
const CARD_REFUND_OLDEST: &str = "sooner_card_refund_oldest_seconds";
const CARD_DISPUTES: &str = "sooner_card_disputes";
const CARD_STRAYS: &str = "sooner_card_strays";
const CARD_MESSAGES: &str = "sooner_card_messages_total";
const SECURITY_EVENTS: &str = "sooner_security_events_total";
const ALARM: &str = "sooner_operator_alarm";
const DATABASE: &str = "sooner_database_up";
const HTTP_REQUESTS: &str = "sooner_http_requests_total";
const HTTP_SECONDS: &str = "sooner_http_request_seconds";

/// Values of the label `outcome` of [`opening`].
const OPENING_OUTCOMES: [&str; 9] = [
    "queued",
    "alerted",
    "nothing_there",
    "no_time_fits",
    "again",
    "nothing_sent",
    "hindered",
    "acted",
    "booked",
];
/// Values of the label `outcome` of [`booking`].
const BOOKING_OUTCOMES: [&str; 6] =
    ["confirmed", "confirmed_late", "refused", "unknown", "not_booked", "manual"];
/// Values of the label `outcome` of [`card_message`].
const CARD_MESSAGE_OUTCOMES: [&str; 3] = ["taken", "again", "not_believed"];
/// Objects of [`cards`], each with its metric and the values of the label `state`.
const CARD_STATES: [(&str, &str, &[&str]); 4] = [
    ("payment", CARD_PAYMENTS, &["open", "succeeded", "canceled", "lapsed"]),
    ("refund", CARD_REFUNDS, &["pending", "sent", "failed"]),
    ("dispute", CARD_DISPUTES, &["open", "won", "lost"]),
    ("stray", CARD_STRAYS, &["waiting", "adopted", "not_ours", "unreadable"]),
];
/// Values of the label `state` of [`accounts`].
pub const ACCOUNT_STATES: [&str; 5] = ["free", "resting", "cooling", "locked", "captcha"];

/// Registers the help text of every metric. Initializes metrics with few labels at zero, so that
/// rates are right from the start.
///
/// Must be called once, after the recorder is installed.
pub fn describe() {
    let counters = [
        (POLLS, "Polls (requests for a list of free dates), by reason and outcome"),
        (EMPTY, "Empty lists of free dates, by inferred cause"),
        (CONDITIONS, "Conditions stored for tasks, by condition"),
        (OPENINGS, "Free dates that tasks want, by outcome: queued, alerted, or the result of a booking try"),
        (
            AGREEMENT,
            "Booking tries for dates from another account's list, by agreement with the booking account's own list and times",
        ),
        (BOOKINGS, "Booking attempts whose request may have been sent, by outcome"),
        (REQUESTS, "Requests of engine jobs to the portal, by kind: all, look (polls), sign_in"),
        (PARSE_FAILURES, "Portal pages with an unknown layout, by page"),
        (HOST_FAILURES, "Failures of the portal's host, by error code"),
        (JOB_PANICS, "Jobs that panicked, by purpose"),
        (VERIFICATIONS, "Verifications of portal logins, by outcome"),
        (SENT, "Requests that this node sent to the portal, by purpose"),
        (
            CARD_MESSAGES,
            "Messages from the card provider, by outcome: taken, again (the provider must send it again), not_believed (forged or stale)",
        ),
        (MAILS, "Attempts to deliver a mail, by outcome"),
        (MESSAGES, "Attempts to deliver a message to a notification channel, by kind of channel and outcome"),
        (SECURITY_EVENTS, "Security events of user accounts, by kind and outcome"),
        (HTTP_REQUESTS, "HTTP requests answered, by method, route and status"),
    ];
    for (name, help) in counters {
        metrics::describe_counter!(name, Unit::Count, help);
    }
    let gauges = [
        (INTENTS, "Booking attempts in the database, by state"),
        (TASKS, "Tasks in the database, by status"),
        (
            WATCH_AGE,
            "Quantiles of an age in seconds: of the last answered poll of each active task or city, or of the last visit of each account; 0 if there is none",
        ),
        (
            ACCOUNTS,
            "Portal accounts of running tasks, by state; 0 on a node that does not hold the engine's lease",
        ),
        (SPLIT, "Calendars whose accounts see different lists, so that each account uses only its own list"),
        (STOPPED, "Countries in which no account can read a portal page, so that their tasks wait, by page"),
        (POLLS_LEFT, "Polls that the budgets of all accounts together still allow within the hour"),
        (
            TOKENS,
            "Requests that this node may send to the portal's host at once; negative if bookings sent more than were allowed",
        ),
        (
            PAUSED,
            "1 while an operator has paused requests to the portal; only read-backs of bookings are sent then",
        ),
        (ROLE, "1 for each role of this node: web, engine, delivery"),
        (LEASE_HELD, "1 while this node holds the engine's lease"),
        (LEASE_EPOCH, "Epoch of the engine's lease; 0 while this node does not hold it"),
        (OUTBOX, "Mails in the outbox that are waiting or were given up, by state"),
        (OUTBOX_OLDEST, "Age in seconds of the oldest waiting mail or message"),
        (LEDGER, "Differences that the last check of the ledger found"),
        (FROZEN, "1 while the ledger is frozen, so that no money moves"),
        (CARD_PAYMENTS, "Payments by card, by state"),
        (CARD_REFUNDS, "Refunds to cards, by state"),
        (CARD_REFUND_OLDEST, "Age in seconds of the oldest refund that is not sent yet"),
        (CARD_DISPUTES, "Disputes of card payments (reversals by banks), by state"),
        (CARD_STRAYS, "Payments found at the card provider that this server did not know, by state"),
        (ALARM, "1 while an operator alarm is active, by kind of alarm"),
        (DATABASE, "1 if the database answered when these metrics were read"),
    ];
    for (name, help) in gauges {
        metrics::describe_gauge!(name, Unit::Count, help);
    }
    metrics::describe_histogram!(ROUND, Unit::Seconds, "Time to prepare one pass of the engine's loop");
    metrics::describe_histogram!(
        HTTP_SECONDS,
        Unit::Seconds,
        "Time to answer an HTTP request, by method and route"
    );
    start_at_nothing();
}

fn start_at_nothing() {
    for outcome in OPENING_OUTCOMES {
        counter!(OPENINGS, "outcome" => outcome).increment(0);
    }
    for outcome in BOOKING_OUTCOMES {
        counter!(BOOKINGS, "outcome" => outcome).increment(0);
    }
    for outcome in [Comparison::Agreed, Comparison::Differed, Comparison::Gone] {
        counter!(AGREEMENT, "outcome" => outcome.as_str()).increment(0);
    }
    for kind in ["all", "look", "sign_in"] {
        counter!(REQUESTS, "kind" => kind).increment(0);
    }
    for outcome in ["delivered", "waits", "given_up"] {
        counter!(MAILS, "outcome" => outcome).increment(0);
    }
    for outcome in CARD_MESSAGE_OUTCOMES {
        counter!(CARD_MESSAGES, "outcome" => outcome).increment(0);
    }
    lease(None);
    ledger_differences(0);
}

/// Counts a security event of a user account.
pub fn security_event(kind: &'static str, succeeded: bool) {
    let outcome = if succeeded { "succeeded" } else { "failed" };
    counter!(SECURITY_EVENTS, "kind" => kind, "outcome" => outcome).increment(1);
}

/// Counts a verification of a portal login, by outcome: `verified`, `refused`, `fault`, or an error
/// code of the portal.
pub fn verification(outcome: &'static str) {
    counter!(VERIFICATIONS, "outcome" => outcome).increment(1);
}

/// Sets the metrics of the portal's host: the requests sent by purpose, the available tokens, and
/// the operator's pause.
pub fn outward(pacer: &portal::Pacer, paused: bool) {
    for &purpose in portal::Purpose::ALL {
        counter!(SENT, "purpose" => purpose.as_str()).absolute(pacer.sent(purpose));
    }
    gauge!(TOKENS).set(pacer.balance());
    gauge!(PAUSED).set(if paused { 1.0 } else { 0.0 });
}

/// Counts a poll. `reason` is the planner's reason, `warm_up` or `probe`; `outcome` is `days`,
/// `empty`, `unchanged`, or an error code of the portal.
pub fn poll(reason: &'static str, outcome: &'static str) {
    counter!(POLLS, "reason" => reason, "outcome" => outcome).increment(1);
}

/// Counts an empty list by its inferred cause: `truly`, `restricted_hours`, `soft_ban`, `overload`.
pub fn empty_list(meaning: &'static str) {
    counter!(EMPTY, "meaning" => meaning).increment(1);
}

/// Counts a condition stored for a task.
pub fn condition(condition: TaskCondition) {
    counter!(CONDITIONS, "verdict" => condition.as_str()).increment(1);
}

/// Counts an opening by outcome: `queued` or `alerted` first, then the result of each booking try.
pub fn opening(outcome: &'static str) {
    counter!(OPENINGS, "outcome" => outcome).increment(1);
}

/// Counts a booking try for a date from another account's list, by its agreement with the booking
/// account's own list and times.
pub fn agreement(outcome: Comparison) {
    counter!(AGREEMENT, "outcome" => outcome.as_str()).increment(1);
}

/// Sets the number of split calendars, whose accounts each use only their own list.
pub fn calendars_split(split: usize) {
    gauge!(SPLIT).set(split as f64);
}

/// Sets, for each page, the number of countries in which no account can read it.
pub fn pages_stopped(stopped: &[(&'static str, usize)]) {
    for (page, countries) in stopped {
        gauge!(STOPPED, "page" => *page).set(*countries as f64);
    }
}

/// Counts a booking attempt by outcome: `confirmed`, `confirmed_late`, `refused`, `unknown`,
/// `not_booked` or `manual`. An `unknown` attempt is counted again when it is settled.
pub fn booking(outcome: &'static str) {
    counter!(BOOKINGS, "outcome" => outcome).increment(1);
}

/// Counts the requests that one job made to the portal.
pub fn requests(all: u32, polls: u32, sign_ins: u32) {
    for (kind, count) in [("all", all), ("look", polls), ("sign_in", sign_ins)] {
        counter!(REQUESTS, "kind" => kind).increment(u64::from(count));
    }
}

/// Counts a portal page with an unknown layout, by page.
pub fn parse_failure(page: &'static str) {
    counter!(PARSE_FAILURES, "page" => page).increment(1);
}

/// Counts a failure of the portal's host, by error code.
pub fn host_failure(code: &'static str) {
    counter!(HOST_FAILURES, "code" => code).increment(1);
}

/// Counts a job that panicked, by its purpose.
pub fn job_panicked(purpose: &'static str) {
    counter!(JOB_PANICS, "purpose" => purpose).increment(1);
}

/// Records the duration of the preparation of a round, in seconds.
pub fn round(seconds: f64) {
    histogram!(ROUND).record(seconds);
}

/// Counts a mail by outcome: `delivered`, `waits`, `given_up`.
pub fn mail(outcome: &'static str) {
    counter!(MAILS, "outcome" => outcome).increment(1);
}

/// Counts an attempt to deliver a message to a channel, by outcome: `accepted`, `waits`, or the
/// reason why it was not sent.
pub fn delivery(kind: domain::channel::ChannelKind, outcome: &'static str) {
    if kind == domain::channel::ChannelKind::Email {
        return mail(outcome);
    }
    counter!(MESSAGES, "channel" => <&'static str>::from(kind), "outcome" => outcome).increment(1);
}

/// Sets the metric of each role of this node to 1.
pub fn roles(roles: &[&'static str]) {
    for role in roles {
        gauge!(ROLE, "role" => *role).set(1.0);
    }
}

/// Sets the epoch under which this node holds the engine's lease; `None` if it does not hold it.
pub fn lease(epoch: Option<i64>) {
    gauge!(LEASE_HELD).set(if epoch.is_some() { 1.0 } else { 0.0 });
    gauge!(LEASE_EPOCH).set(epoch.unwrap_or(0) as f64);
}

/// Sets the number of differences that the last check of the ledger found.
pub fn ledger_differences(found: usize) {
    gauge!(LEDGER).set(found as f64);
}

/// Sets the metric of the frozen ledger: 1 if it is frozen, else 0.
pub fn frozen(frozen: bool) {
    gauge!(FROZEN).set(if frozen { 1.0 } else { 0.0 });
}

/// Sets the metric of one kind of operator alarm: 1 if it is active, else 0.
pub fn alarm(kind: AlarmKind, condition: Condition) {
    gauge!(ALARM, "alarm" => <&'static str>::from(kind)).set(if condition == Condition::Wrong {
        1.0
    } else {
        0.0
    });
}

/// Sets the metric of the database: 1 if it answered when the metrics were read, else 0.
pub fn database(up: bool) {
    gauge!(DATABASE).set(if up { 1.0 } else { 0.0 });
}

/// Sets the number of attempts in each state, as stored in the database; states without an entry
/// are zero.
pub fn attempts(counted: &[(String, i64)]) {
    for &state in AttemptState::ALL {
        gauge!(INTENTS, "state" => state.as_str()).set(of(counted, state.as_str()));
    }
}

/// Sets the number of tasks in each status, as stored in the database; deleted ones are not
/// counted.
pub fn tasks(counted: &[(String, i64)]) {
    for &status in TaskStatus::ALL {
        gauge!(TASKS, "status" => status.as_str()).set(of(counted, status.as_str()));
    }
}

/// Quantiles that [`watch_age`] sets, each with its label.
const QUANTILES: [(&str, f64); 4] = [("0.5", 0.5), ("0.9", 0.9), ("0.99", 0.99), ("1", 1.0)];

/// Sets the quantiles of an age in seconds. `of` is `task` or `city` for the last answered poll,
/// and `account` for the last visit. `ages` holds pairs `(age, count)`, and is sorted here.
pub fn watch_age(of: &'static str, ages: &mut [(i64, i64)]) {
    ages.sort_unstable();
    let all: i64 = ages.iter().map(|(_, count)| count).sum();
    for (name, quantile) in QUANTILES {
        let place = ((all as f64 * quantile).ceil() as i64).max(1);
        let mut counted = 0;
        let age = ages.iter().find(|(_, count)| {
            counted += count;
            counted >= place
        });
        gauge!(WATCH_AGE, "of" => of, "quantile" => name).set(age.map_or(0, |(age, _)| *age).max(0) as f64);
    }
}

/// Sets the number of accounts in each of [`ACCOUNT_STATES`], and the number of polls that their
/// budgets together still allow.
pub fn accounts(counted: &[usize; ACCOUNT_STATES.len()], polls_left: u64) {
    for (state, count) in ACCOUNT_STATES.into_iter().zip(counted) {
        gauge!(ACCOUNTS, "state" => state).set(*count as f64);
    }
    gauge!(POLLS_LEFT).set(polls_left as f64);
}

/// Sets the numbers of waiting and given-up mails in the outbox, and the age in seconds of the
/// oldest waiting mail or message.
pub fn outbox(waiting: i64, given_up: i64, oldest_seconds: i64) {
    gauge!(OUTBOX, "state" => "waiting").set(waiting as f64);
    gauge!(OUTBOX, "state" => "given_up").set(given_up as f64);
    gauge!(OUTBOX_OLDEST).set(oldest_seconds as f64);
}

/// Counts a message from the card provider, by outcome: `taken`, `again` (the provider must send it
/// again) or `not_believed` (forged or stale).
pub fn card_message(outcome: &'static str) {
    counter!(CARD_MESSAGES, "outcome" => outcome).increment(1);
}

/// Sets the numbers of payments, refunds, disputes and unknown payments (strays). `counted` holds
/// `(object, state, count)` of the database. Also sets the age in seconds of the oldest refund that
/// is not sent yet.
pub fn cards(counted: &[(String, String, i64)], oldest_refund_seconds: i64) {
    for (what, name, states) in CARD_STATES {
        for state in states {
            let count = counted.iter().find(|(w, s, _)| w == what && s == state).map_or(0, |(_, _, n)| *n);
            gauge!(name, "state" => *state).set(count as f64);
        }
    }
    gauge!(CARD_REFUND_OLDEST).set(oldest_refund_seconds as f64);
}

/// Records an answered HTTP request and its duration in seconds. `route` is the route's pattern,
/// never the requested path.
pub fn http(method: &'static str, route: &str, status: u16, seconds: f64) {
    let route = route.to_owned();
    let status = status.to_string();
    counter!(HTTP_REQUESTS, "method" => method, "route" => route.clone(), "status" => status).increment(1);
    histogram!(HTTP_SECONDS, "method" => method, "route" => route).record(seconds);
}

fn of(counted: &[(String, i64)], word: &str) -> f64 {
    counted.iter().find(|(known, _)| known == word).map_or(0.0, |(_, count)| *count as f64)
}
