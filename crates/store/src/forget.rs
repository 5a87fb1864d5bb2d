//! Deletion of expired data in small batches, because on SQLite every other writer waits for a
//! writing transaction. [`crate::retention`] lists every table with its retention.

use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::json;
use strum::IntoEnumIterator as _;

use crate::{Db, Error, Tx, all, exec};

/// Number of rows deleted in one transaction, which then takes a few milliseconds.
pub const BATCH: usize = 200;

/// Kind of data that is deleted after a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumIter)]
pub enum ExpiringData {
    /// Responses stored for an `Idempotency-Key`.
    Answers,
    /// Refresh tokens that were exchanged for a successor long ago.
    UsedRefreshTokens,
    /// Refresh tokens of expired sessions.
    RefreshTokens,
    /// Expired sessions, after their tokens.
    SignIns,
    /// Browsers that a user signed in with.
    Clients,
    /// Expired links in mails.
    Links,
    /// Expired sign-in links created by operator commands.
    SignInLinks,
    /// Expired sign-in links that users requested by mail.
    MailedSignIns,
    /// Expired challenges of passkeys.
    PasskeyChallenges,
    /// Expired links for changes of address.
    EmailChanges,
    /// Completed mail requests.
    MailRequests,
    /// Expired bootstrap tokens of sign-ins.
    Bootstraps,
    /// Expired Google sign-in flows.
    Flows,
    /// Counters of failed guesses.
    Guesses,
    /// Rejected verifications of portal logins.
    VerifyFailures,
    /// Verifications of portal logins.
    Verifications,
    /// Channels that were not verified.
    UnprovenChannels,
    /// Accepted mails and messages.
    Delivered,
    /// Mails and messages that were given up.
    GivenUp,
    /// Payments at the provider that belonged to another system.
    StrayPayments,
    /// Questions without an approval.
    UnansweredQuestions,
    /// Booking attempts of which nothing was ever sent.
    ReleasedAttempts,
    /// Alerts about dates that are no longer free or have passed.
    Alerts,
    /// Journal entries about no consent, no money and no booking.
    JournalDetail,
    /// Changes of lists. The last one before the limit stays, because it is the state of the list
    /// at that time.
    Observations,
    /// Times at which a date was on a list.
    Sightings,
    /// Past dates that never disappeared from a list, because the list was not polled any more.
    PassedSightings,
    /// Past dates of calendars.
    SeenDays,
    /// Poll counts by the hour.
    Hours,
    /// Calendars that covered a task, kept as long as the task's hours.
    Watches,
    /// Journals of deleted drafts.
    JournalsOfDrafts,
    /// Deleted drafts that were never submitted, after their journals.
    DeletedDrafts,
    /// Security events of users' accounts.
    SecurityEvents,
    /// Servers that have stopped reporting.
    Nodes,
}

/// Clock of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Time {
    /// Wall time.
    Wall,
    /// Portal time, which demos scale.
    Portal,
}

/// Age at which data is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Age {
    /// Age in days.
    pub days: i64,
    /// Clock of the age.
    pub time: Time,
}

const fn wall(days: i64) -> Age {
    Age { days, time: Time::Wall }
}

const fn portal(days: i64) -> Age {
    Age { days, time: Time::Portal }
}

/// Retention of details about polls and actions, in days. Hourly sums are kept for longer.
pub const DETAIL_DAYS: i64 = 90;
/// Retention of hourly sums, in days: a year's journal, and a month to read it.
pub const HOURS_DAYS: i64 = 400;

/// Statements, for each database, that find rows and delete them by their physical places.
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
            // The condition is repeated, because a place may hold another row by now.
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

impl ExpiringData {
    /// Returns all kinds, dependent rows before the rows that they depend on.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::iter()
    }

    /// Returns the age at which this kind is deleted.
    #[must_use]
    pub const fn age(self) -> Age {
        match self {
            Self::Answers
            | Self::UsedRefreshTokens
            | Self::RefreshTokens
            | Self::SignIns
            | Self::Links
            | Self::SignInLinks
            | Self::MailedSignIns
            | Self::EmailChanges
            | Self::UnprovenChannels => wall(7),
            Self::Clients | Self::SecurityEvents => wall(180),
            // As long as a registration waits for its proof.
            Self::MailRequests => wall(30),
            Self::Bootstraps | Self::Flows | Self::PasskeyChallenges | Self::Verifications | Self::Nodes => {
                wall(1)
            }
            // Other users have three tries a day at a login. The guess counter of an account decays
            // over more than a day.
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

    /// Returns the table of this kind.
    #[must_use]
    pub const fn table(self) -> &'static str {
        self.texts().table
    }

    /// Returns the search statements for SQLite and PostgreSQL, for stories that check their plans.
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
            Self::MailedSignIns => texts!("mailed_sign_in", "expires_at < $1"),
            Self::PasskeyChallenges => texts!("passkey_challenge", "expires_at < $1"),
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
            // The same list as in the index `journal_detail`. Other kinds are kept.
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

/// Returns the instant before which `what` is deleted.
#[must_use]
pub fn before(what: ExpiringData, wall: Instant, portal: Instant) -> Instant {
    let age = what.age();
    let now = if age.time == Time::Wall { wall } else { portal };
    now - TimeDelta::days(age.days)
}

/// Deletes rows of `what` older than `before`, [`BATCH`] rows per transaction. Finds them in
/// read-only transactions. Returns the number of deleted rows.
pub async fn forget(db: &Db, what: ExpiringData, before: Instant) -> Result<u64, Error> {
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
        // Another process deleted them, or they were refreshed.
        if removed == 0 {
            return Ok(forgotten);
        }
    }
}

/// Deletes one batch within the caller's transaction. Returns the number of deleted rows.
pub async fn batch(tx: &mut Tx, what: ExpiringData, before: Instant) -> Result<u64, Error> {
    let found = find(tx, what, before).await?;
    remove(tx, what, &found, before).await
}

async fn find(tx: &mut Tx, what: ExpiringData, before: Instant) -> Result<Vec<String>, Error> {
    let [sqlite, postgres] = what.texts().find;
    let sql = tx.pick(sqlite, postgres);
    let most = i64::try_from(BATCH).unwrap_or(i64::MAX);
    let rows = all!(tx, (String,), sql, before, most)?;
    Ok(rows.into_iter().map(|(place,)| place).collect())
}

async fn remove(tx: &mut Tx, what: ExpiringData, found: &[String], before: Instant) -> Result<u64, Error> {
    let [sqlite, postgres] = what.texts().remove;
    let sql = tx.pick(sqlite, postgres);
    exec!(tx, sql, before, json!(found))
}
