//! What is kept only for a time, forgotten in small batches: on SQLite everybody else waits for a transaction that writes.
//! [`crate::retention`] lists every table with its end.

use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::{Db, Error, Tx, all, exec};

/// Rows removed in one transaction, which then takes a few milliseconds.
pub const BATCH: usize = 200;

/// What is forgotten after a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub enum Old {
    /// Answers kept for an `Idempotency-Key`.
    Answers,
    /// Refresh tokens that were traded for their successor long ago.
    UsedRefreshTokens,
    /// Refresh tokens of sign-ins that are over.
    RefreshTokens,
    /// Sign-ins that are over; after their tokens.
    SignIns,
    /// Browsers that somebody signed in with.
    Clients,
    /// Links in mails.
    Links,
    /// Links that operators' commands made.
    SignInLinks,
    /// Changes of address that nobody confirmed.
    EmailChanges,
    /// What was asked for by mail and done.
    MailRequests,
    /// Sign-ins with Google that were never traded for a session.
    Bootstraps,
    /// Ways to Google that nobody came back from.
    Flows,
    /// Guesses.
    Guesses,
    /// Rejected verifications of portal logins.
    VerifyFailures,
    /// Verifications of portal logins.
    Verifications,
    /// Channels that nobody proved to be theirs.
    UnprovenChannels,
    /// Mails and messages that were accepted.
    Delivered,
    /// Mails and messages that were given up.
    GivenUp,
    /// Payments at the provider that turned out not to be ours.
    StrayPayments,
    /// Questions that nobody said yes to.
    UnansweredQuestions,
    /// Booking attempts of which nothing was ever sent.
    ReleasedAttempts,
    /// Days that users were told of, once they are gone or over.
    Alerts,
    /// Journal lines that record no consent, no money and no booking.
    JournalDetail,
    /// Changes of lists; the last one before the time stays, as what the list showed then.
    Observations,
    /// Times a day stood on a list.
    Sightings,
    /// Days that are over and never vanished from a list, because nobody polled it any more.
    PassedSightings,
    /// Days of calendars, once they are over.
    SeenDays,
    /// Polls by the hour.
    Hours,
    /// Which calendars answered a task, as long ago as its hours.
    Watches,
    /// Journals of drafts that were deleted.
    JournalsOfDrafts,
    /// Drafts that were deleted and never submitted; after their journals.
    DeletedDrafts,
    /// What happened to people's accounts.
    SecurityEvents,
    /// Servers that no longer speak.
    Nodes,
}

/// Which clock the column is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// The wall's.
    Wall,
    /// The portal's, which demos scale.
    Portal,
}

/// Since when something is forgotten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// Older ones go.
    pub days: i64,
    /// By which clock.
    pub time: Time,
}

const fn wall(days: i64) -> Age {
    Age { days, time: Time::Wall }
}

const fn portal(days: i64) -> Age {
    Age { days, time: Time::Portal }
}

/// How long details of what was seen and done are kept; after it there are sums by the hour.
pub const DETAIL_DAYS: i64 = 90;
/// How long sums by the hour are kept: a year's journal, and a month to look at it.
pub const HOURS_DAYS: i64 = 400;

/// Finds rows and removes them by their places, for each database.
struct Texts {
    table: &'static str,
    find: [&'static str; 2],
    remove: [&'static str; 2],
}

macro_rules! texts {
    ($table:literal, $condition:literal) => {
        Texts {
            table: $table,
            find: [
                concat!("SELECT CAST(rowid AS TEXT) FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
                concat!("SELECT CAST(ctid AS TEXT) FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
            ],
            // The condition again: a place may hold another row by now.
            remove: [
                concat!(
                    "DELETE FROM ",
                    $table,
                    " WHERE rowid IN (SELECT CAST(value AS INTEGER) FROM json_each($2)) AND ",
                    $condition
                ),
                concat!(
                    "DELETE FROM ",
                    $table,
                    " WHERE ctid = ANY(CAST(ARRAY(SELECT jsonb_array_elements_text($2)) AS tid[])) AND ",
                    $condition
                ),
            ],
        }
    };
}

impl Old {
    /// Everything that is forgotten, what hangs on something else before it.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// After which time it goes.
    #[must_use]
    pub const fn age(self) -> Age {
        match self {
            Self::Answers
            | Self::UsedRefreshTokens
            | Self::RefreshTokens
            | Self::SignIns
            | Self::Links
            | Self::SignInLinks
            | Self::EmailChanges
            | Self::UnprovenChannels => wall(7),
            Self::Clients | Self::SecurityEvents => wall(180),
            // As long as a registration waits for its proof.
            Self::MailRequests => wall(30),
            Self::Bootstraps | Self::Flows | Self::Verifications | Self::Nodes => wall(1),
            // Strangers have three a day at a login; guesses at an account leak for longer than a day.
            Self::VerifyFailures | Self::Guesses => wall(2),
            Self::Delivered | Self::GivenUp => wall(DETAIL_DAYS),
            Self::StrayPayments | Self::JournalsOfDrafts | Self::DeletedDrafts => wall(30),
            Self::UnansweredQuestions => wall(DETAIL_DAYS),
            Self::ReleasedAttempts
            | Self::Alerts
            | Self::JournalDetail
            | Self::Observations
            | Self::Sightings
            | Self::PassedSightings
            | Self::SeenDays => portal(DETAIL_DAYS),
            Self::Hours | Self::Watches => portal(HOURS_DAYS),
        }
    }

    /// The table it lies in.
    #[must_use]
    pub const fn table(self) -> &'static str {
        self.texts().table
    }

    /// How its rows are searched for, on SQLite and on PostgreSQL; for stories that look at the plan.
    #[must_use]
    pub const fn searches(self) -> [&'static str; 2] {
        self.texts().find
    }

    const fn texts(self) -> Texts {
        match self {
            Self::Answers => texts!("idempotency", "created_at < $1"),
            Self::UsedRefreshTokens => texts!("refresh_token", "rotated_at < $1"),
            Self::RefreshTokens => {
                texts!("refresh_token", "session_id IN (SELECT id FROM session WHERE expires_at < $1)")
            }
            Self::SignIns => texts!(
                "session",
                "expires_at < $1 AND NOT EXISTS (SELECT 1 FROM refresh_token t WHERE t.session_id = session.id)"
            ),
            Self::Clients => texts!("known_client", "seen_at < $1"),
            Self::Links => texts!("token", "expires_at < $1"),
            Self::SignInLinks => texts!("sign_in_link", "expires_at < $1"),
            Self::EmailChanges => texts!("email_change", "expires_at < $1"),
            Self::MailRequests => texts!("mail_request", "created_at < $1 AND resolved_at IS NOT NULL"),
            Self::Bootstraps => texts!("bootstrap", "expires_at < $1"),
            Self::Flows => texts!("oidc_flow", "expires_at < $1"),
            Self::Guesses => texts!("throttle", "last_at < $1 AND not_before < $1"),
            Self::VerifyFailures => texts!("verify_failure", "failed_at < $1"),
            Self::Verifications => texts!("verification", "at < $1"),
            Self::UnprovenChannels => texts!("channel", "state = 'pending' AND created_at < $1"),
            Self::Delivered => texts!("outbox", "delivered_at < $1"),
            Self::GivenUp => texts!("outbox", "dead_at < $1"),
            Self::StrayPayments => texts!("card_stray", "outcome IS NOT NULL AND first_seen_at < $1"),
            Self::UnansweredQuestions => texts!(
                "question",
                "answered_at IS NULL AND seen_at < $1 AND (gone_at IS NOT NULL OR day < $1)"
            ),
            Self::ReleasedAttempts => texts!(
                "intent",
                "state = 'released' AND armed_at < $1
                   AND NOT EXISTS (SELECT 1 FROM question q WHERE q.intent_id = intent.id)"
            ),
            Self::Alerts => texts!("alert", "alerted_at < $1 AND (gone_at IS NOT NULL OR day < $1)"),
            // The same list as in the index `journal_detail`. A kind that is not here is kept.
            Self::JournalDetail => texts!(
                "journal",
                "at < $1 AND kind IN ('signed_in', 'watching', 'trouble', 'standby', 'alerted', 'not_asked',
                   'not_booked_because', 'slot_gone', 'lists_differ', 'lists_shared_again')"
            ),
            Self::Observations => texts!(
                "observation",
                "seen_at < $1 AND EXISTS (SELECT 1 FROM observation later
                   WHERE later.calendar_key = observation.calendar_key AND later.seen_at > observation.seen_at
                     AND later.seen_at < $1)"
            ),
            Self::Sightings => texts!("sighting", "gone_at < $1"),
            Self::PassedSightings => texts!("sighting", "gone_at IS NULL AND day < $1"),
            Self::SeenDays => texts!("seen_day", "day < $1"),
            Self::Hours => texts!("look_hour", "hour < $1"),
            Self::Watches => texts!("watch", "until < $1"),
            Self::JournalsOfDrafts => texts!(
                "journal",
                "task_id IN (SELECT id FROM task WHERE submitted_at IS NULL AND deleted_at < $1)"
            ),
            Self::DeletedDrafts => texts!(
                "task",
                "submitted_at IS NULL AND deleted_at < $1
                   AND NOT EXISTS (SELECT 1 FROM journal c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM intent c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM success c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM entitlement c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM alert c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM question c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM watch c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM rating c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM promo_use c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM referral c WHERE c.task_id = task.id)
                   AND NOT EXISTS (SELECT 1 FROM outbox c WHERE c.task_id = task.id)"
            ),
            Self::SecurityEvents => texts!("security_event", "at < $1"),
            Self::Nodes => texts!("node", "seen_at < $1"),
        }
    }
}

/// The instant before which `what` is forgotten.
#[must_use]
pub fn before(what: Old, wall: Instant, portal: Instant) -> Instant {
    let age = what.age();
    let now = if age.time == Time::Wall { wall } else { portal };
    now - TimeDelta::days(age.days)
}

/// Forgets what is older than `before`, [`BATCH`] rows a transaction; they are searched for in one that only reads.
pub async fn forget(db: &Db, what: Old, before: Instant) -> Result<u64, Error> {
    let mut forgotten = 0;
    loop {
        let mut tx = db.read().await?;
        let found = find(&mut tx, what, before).await?;
        drop(tx);
        if found.is_empty() {
            return Ok(forgotten);
        }
        let mut tx = db.begin().await?;
        let removed = remove(&mut tx, what, &found, before).await?;
        tx.commit().await?;
        forgotten += removed;
        // Somebody else removed them, or they are new again.
        if removed == 0 {
            return Ok(forgotten);
        }
    }
}

/// One batch within the caller's transaction.
pub async fn batch(tx: &mut Tx, what: Old, before: Instant) -> Result<u64, Error> {
    let found = find(tx, what, before).await?;
    remove(tx, what, &found, before).await
}

async fn find(tx: &mut Tx, what: Old, before: Instant) -> Result<Vec<String>, Error> {
    let [sqlite, postgres] = what.texts().find;
    let sql = tx.pick(sqlite, postgres);
    let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let rows = all!(tx, (String,), sql, before, most)?;
    Ok(rows.into_iter().map(|(place,)| place).collect())
}

async fn remove(tx: &mut Tx, what: Old, found: &[String], before: Instant) -> Result<u64, Error> {
    let [sqlite, postgres] = what.texts().remove;
    let sql = tx.pick(sqlite, postgres);
    exec!(tx, sql, before, json!(found))
}
