//! Checks of `sooner doctor` that read the database, one function each.

use chrono::TimeDelta;
use domain::booking::AttemptState;
use domain::budget::Limits;
use domain::clock::Instant;
use domain::health::AccountHealth;
use engine::stats::polls_left;
use inference::agreement::Agreement;
use store::{Error, Tx};

use super::Finding;
use crate::print;

/// Age from which a queued mail is reported. A mail older than `MAIL_STUCK` will not be sent
/// without action.
const MAIL_LATE: TimeDelta = TimeDelta::minutes(15);
const MAIL_STUCK: TimeDelta = TimeDelta::hours(2);
/// Number of attempts after which a failing mail is reported. Some mail servers refuse the first
/// attempt of an unknown sender.
const MAIL_TRIES: i32 = 2;
/// Time after which a booking attempt is normally no longer in the state *sending*.
const SENDING_LONG: TimeDelta = TimeDelta::minutes(10);

/// Runs all checks of the database.
pub async fn all(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let mut findings = books(tx).await?;
    findings.extend(attempts(tx, now).await?);
    findings.push(lease(tx).await?);
    findings.extend(restored(tx).await?);
    findings.extend(history(tx).await?);
    findings.extend(outward(tx, now).await?);
    findings.extend(accounts(tx, now).await?);
    findings.push(pages(tx, now).await?);
    findings.extend(stopped(tx, now).await?);
    findings.extend(list_agreement(tx, now).await?);
    findings.push(credentials(tx).await?);
    findings.push(mails(tx, now).await?);
    Ok(findings)
}

async fn books(tx: &mut Tx) -> Result<Vec<Finding>, Error> {
    let found = store::ledger::check(tx).await?;
    let mut findings: Vec<Finding> = found
        .iter()
        .take(10)
        .map(|one| {
            let says =
                format!("{}: {} should be {} and is {}", one.promise, one.place, one.expected, one.found);
            Finding::bad(
                "books",
                says,
                "restore or correct before money moves; never edit rows of the ledger",
            )
        })
        .collect();
    if found.is_empty() {
        findings.push(Finding::ok("books", "balanced"));
    }
    findings.push(match store::ledger::frozen(tx).await? {
        None => Finding::ok("money", "not frozen"),
        Some(why) => {
            Finding::bad("money", format!("frozen: {why}"), "once the ledger balances: sooner doctor --thaw")
        }
    });
    Ok(findings)
}

async fn attempts(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let open = store::operator::open_attempts(tx).await?;
    let of = |state| open.iter().filter(move |i| i.state == state);
    let mut findings = Vec::new();
    for attempt in of(AttemptState::Manual) {
        let age = print::age(now - attempt.t0.unwrap_or(attempt.prepared_at));
        findings.push(Finding::bad(
            "bookings",
            format!(
                "task {} has waited for an operator for {age}: {} {}",
                attempt.task_id,
                attempt.date,
                attempt.facility.name()
            ),
            format!(
                "check the portal, then run: sooner tasks settle {} --booked … | --not-booked --why …",
                attempt.task_id
            ),
        ));
    }
    if let Some(oldest) = of(AttemptState::Unknown).next() {
        let says = format!(
            "{} unconfirmed, the oldest for {}",
            of(AttemptState::Unknown).count(),
            print::age(now - oldest.prepared_at)
        );
        findings.push(Finding::warn(
            "bookings",
            says,
            "nothing yet: the engine reads them back; after 24 h an operator has to settle them",
        ));
    }
    if let Some(oldest) = of(AttemptState::Sending).find(|i| now - i.prepared_at > SENDING_LONG) {
        let says = format!(
            "a booking of task {} has been in the state of sending for {}",
            oldest.task_id,
            print::age(now - oldest.prepared_at)
        );
        findings.push(Finding::warn(
            "bookings",
            says,
            "check that a server with the engine role runs; its engine reads the booking back",
        ));
    }
    if findings.is_empty() {
        findings.push(Finding::ok("bookings", format!("{} in progress, none stuck", open.len())));
    }
    Ok(findings)
}

async fn outward(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let pauses = store::outward::pauses(tx).await?;
    if pauses.is_empty() {
        return Ok(vec![Finding::ok("outward", "requests to the portal are not paused")]);
    }
    let says = |(host, at, why): &(String, Instant, String)| {
        let host = if host == store::outward::EVERY_HOST { "every host" } else { host };
        let says = format!("{host} has been paused for {}: {why}", print::age(now - *at));
        Finding::warn("outward", says, "to resume: sooner engine resume --why …")
    };
    Ok(pauses.iter().map(says).collect())
}

async fn lease(tx: &mut Tx) -> Result<Finding, Error> {
    let tasks = store::operator::tasks_by_status(tx).await?;
    let running: i64 = tasks
        .iter()
        .filter(|(s, _)| ["submitted", "processing", "active"].contains(&s.as_str()))
        .map(|(_, n)| n)
        .sum();
    let leases = store::operator::leases(tx).await?;
    Ok(match leases.iter().find(|l| l.name == engine::LEASE) {
        Some(l) if l.seconds_left > 0 => {
            let says = format!(
                "the engine of {} polls for {running} tasks (epoch {}); its lease expires in {} s unless renewed",
                l.holder, l.epoch, l.seconds_left
            );
            Finding::ok("engine", says)
        }
        _ if running == 0 => Finding::ok("engine", "no engine runs, and no task needs one"),
        Some(l) => Finding::bad(
            "engine",
            format!(
                "no engine polls for {running} tasks; the engine of {} did until {} ago (epoch {})",
                l.holder,
                print::age(TimeDelta::seconds(-l.seconds_left)),
                l.epoch
            ),
            "start: sooner serve",
        ),
        None => Finding::bad(
            "engine",
            format!("no engine ever polled for the {running} tasks"),
            "start: sooner serve",
        ),
    })
}

/// Reports if card payments must still be read again, after a restore or a failover that lost
/// commits.
async fn restored(tx: &mut Tx) -> Result<Option<Finding>, Error> {
    Ok(store::restore::unfinished(tx).await?.map(|unread| {
        let says = format!(
            "commits after {} may be missing, because of a restore or a failover at {}; no money is held for new tasks until card payments are read again",
            print::time(unread.backup_at),
            print::time(unread.restored_at)
        );
        Finding::warn(
            "restore",
            says,
            "start the server with the card provider's settings; it reads the payments by itself",
        )
    }))
}

/// Reports if a failover that loses commits would be detected.
async fn history(tx: &mut Tx) -> Result<Option<Finding>, Error> {
    Ok(store::timeline::is_known(tx).await?.map(|told| {
        if told {
            return Finding::ok("failover", "the timeline of the database server can be read, so a failover that loses commits is detected");
        }
        let says = "the database role may not read the timeline of the database server, so a failover that loses bookings would not be detected";
        let todo = "grant the functions to the role: GRANT EXECUTE ON FUNCTION pg_control_system(), pg_walfile_name(pg_lsn) TO …";
        Finding::warn("failover", says, todo)
    }))
}

async fn accounts(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let rows = store::portal_account::in_use(tx).await?;
    let limits = Limits::default();
    let spent = rows.iter().filter(|a| polls_left(&a.budget, &limits, now) == 0).count();
    let left: u64 = rows.iter().map(|a| u64::from(polls_left(&a.budget, &limits, now))).sum();
    let mut findings = Vec::new();
    for account in rows.iter().filter(|a| exceeds_limits(&a.budget, &limits, now)) {
        let (_, polls) = account.budget.polls(now);
        let says = format!(
            "{}: {polls} polls and {} requests in ten hours",
            account.id,
            account.budget.requests(now)
        );
        findings.push(Finding::warn(
            "budgets",
            says,
            "this is more than the budget allows; find out what else uses this account",
        ));
    }
    findings.push(Finding::ok(
        "budgets",
        format!("{} accounts, {spent} of them without polls now; {left} polls left this hour", rows.len()),
    ));
    for (id, health, since, until) in store::operator::unhealthy_accounts(tx).await? {
        let until = until
            .filter(|at| *at > now)
            .map_or_else(String::new, |at| format!(", until {}", print::time(at)));
        let todo = match health {
            AccountHealth::Valid | AccountHealth::Cooling => {
                "nothing: the engine backs off and continues by itself"
            }
            AccountHealth::Locked => "nothing: its user was notified, and the portal unlocks it",
            AccountHealth::Captcha => "its user must answer the captcha at the portal",
        };
        findings.push(Finding::warn(
            "accounts",
            format!("{id} {health} since {}{until}", print::time(since)),
            todo,
        ));
    }
    Ok(findings)
}

fn exceeds_limits(budget: &domain::budget::Budget, limits: &Limits, now: Instant) -> bool {
    budget.polls(now).1 > limits.polls_per_ten_hours || budget.requests(now) > limits.requests_per_ten_hours
}

async fn pages(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let failures = store::parse_failure::list(tx).await?;
    let Some(last) = failures.first() else {
        return Ok(Finding::ok("pages", "every page was readable"));
    };
    let says = format!(
        "{}: {} (shape {}), {} times, last at {}",
        last.page,
        last.what,
        last.shape,
        last.count,
        print::when(last.last_at, now),
    );
    let todo = "capture the page and compare: sooner portal parse; the layout may have changed";
    Ok(match now - last.last_at {
        age if age < TimeDelta::hours(1) => Finding::bad("pages", says, todo),
        age if age < TimeDelta::hours(24) => Finding::warn("pages", says, todo),
        _ => Finding::ok("pages", format!("readable for the last day; before that: {says}")),
    })
}

/// Reports unreadable pages that stop all tasks of a country.
async fn stopped(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for (subject, data) in store::learned::page_incidents(tx).await? {
        let Some((country, page)) = store::learned::page_of_subject(&subject) else { continue };
        let at = |field: &str| data[field].as_str().and_then(|at| at.parse::<Instant>().ok());
        let (Some(since), None) = (at("since"), at("ended_at")) else { continue };
        let next = at("next_probe_at").map_or_else(|| "soon".to_owned(), |at| print::when(at, now));
        let says = format!(
            "{country}: no account can read {page} since {}, so its tasks wait; {} probes made, next: {next}",
            print::time(since),
            data["probes"],
        );
        let todo = "compare the page: sooner portal parse; when a probe can read it, the tasks continue by themselves";
        findings.push(Finding::bad("stopped", says, todo));
    }
    Ok(findings)
}

/// Reports calendars whose list differs between accounts.
async fn list_agreement(tx: &mut Tx, now: Instant) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    let mut tried = 0;
    for (calendar, data) in store::learned::agreements(tx).await? {
        let Ok(known) = serde_json::from_value::<Agreement>(data) else { continue };
        tried += 1;
        if let Some(words) = print::split(&known, now) {
            findings.push(Finding::warn(
                "lists",
                format!("{calendar}: {words}"),
                "nothing: the engine tests sharing again after a day",
            ));
        }
    }
    if findings.is_empty() {
        findings.push(Finding::ok("lists", format!("shared; {tried} tested calendars agree")));
    }
    Ok(findings)
}

async fn credentials(tx: &mut Tx) -> Result<Finding, Error> {
    let rejected = store::operator::rejected_credentials(tx).await?;
    Ok(if rejected == 0 {
        Finding::ok("passwords", "none rejected by the portal")
    } else {
        Finding::warn(
            "passwords",
            format!("{rejected} rejected by the portal"),
            "nothing: their users were asked for new ones",
        )
    })
}

async fn mails(tx: &mut Tx, now: Instant) -> Result<Finding, Error> {
    let outbox = store::operator::outbox(tx).await?;
    let age = outbox.oldest.map_or(TimeDelta::zero(), |at| now - at);
    let worst = match &outbox.worst {
        Some((tries, Some(error))) => format!("; tried {tries} times: {error}"),
        _ => String::new(),
    };
    let says = format!(
        "{} waiting, the oldest for {}; {} given up{worst}",
        outbox.waiting,
        print::age(age),
        outbox.given_up,
    );
    let todo = "check the mail server: --smtp-url, and its log";
    let fails = outbox.worst.as_ref().is_some_and(|(tries, error)| *tries >= MAIL_TRIES && error.is_some());
    Ok(if age > MAIL_STUCK {
        Finding::bad("mail", says, todo)
    } else if fails || age > MAIL_LATE || outbox.given_up > 0 {
        Finding::warn("mail", says, todo)
    } else {
        Finding::ok("mail", says)
    })
}
