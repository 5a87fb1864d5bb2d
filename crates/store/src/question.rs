//! Questions of tasks: each is bound to the facts it was based on and is answered at most once.

use chrono::{DateTime, NaiveDate, Utc};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, TaskId, UserId};
use domain::question::{Question, YesOutcome};
use serde_json::json;
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::{facility, parse_stored, slot, time_text};
use crate::token::hash;
use crate::{Error, Tx, all, exec, one};

/// Question as stored.
#[derive(Clone, Debug)]
pub struct StoredQuestion {
    /// Id of the question.
    pub id: Uuid,
    /// Task, date and state of the question.
    pub question: Question,
    /// Outcome of the approval.
    pub outcome: Option<YesOutcome>,
}

/// Builds a statement that reads a `Row` of each question that matches the condition.
macro_rules! select_questions {
    ($condition:literal) => {
        concat!(
            "SELECT id, task_id, facility, day, booked_facility, booked_date, booked_time, wish_version, seen_at,
               accepted_at, answered_at, sent_at, gone_at, declined_at, repeats, outcome FROM question ",
            $condition
        )
    };
}

#[derive(sqlx::FromRow)]
struct Row {
    id: Uuid,
    task_id: Uuid,
    facility: i32,
    day: NaiveDate,
    booked_facility: Option<i32>,
    booked_date: Option<NaiveDate>,
    booked_time: Option<String>,
    wish_version: i32,
    seen_at: DateTime<Utc>,
    accepted_at: Option<DateTime<Utc>>,
    answered_at: Option<DateTime<Utc>>,
    sent_at: Option<DateTime<Utc>>,
    gone_at: Option<DateTime<Utc>>,
    declined_at: Option<DateTime<Utc>>,
    repeats: i32,
    outcome: Option<String>,
}

impl TryFrom<Row> for StoredQuestion {
    type Error = Error;
    fn try_from(row: Row) -> Result<Self, Error> {
        let current = slot(row.booked_facility, row.booked_date, row.booked_time.as_deref())?;
        Ok(Self {
            id: row.id,
            question: Question {
                task: TaskId(row.task_id),
                facility: facility(row.facility)?,
                day: row.day,
                current,
                criteria_version: row.wish_version,
                seen_at: row.seen_at,
                accepted_at: row.accepted_at,
                answered_at: row.answered_at,
                sent_at: row.sent_at,
                gone_at: row.gone_at,
                declined_at: row.declined_at,
                repeats: u32::try_from(row.repeats).unwrap_or_default(),
            },
            outcome: row.outcome.map(|outcome| parse_stored("question.outcome", &outcome)).transpose()?,
        })
    }
}

/// Inserts a question that was not sent yet. Returns `false` if this task has an open question
/// about the date already.
pub async fn insert(tx: &mut Tx, id: Uuid, question: &Question, raw: &[u8; 32]) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO question (id, task_id, facility, day, booked_facility, booked_date, booked_time, wish_version,
           token_hash, seen_at, repeats)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
         ON CONFLICT (task_id, facility, day) WHERE gone_at IS NULL DO NOTHING",
        id,
        question.task.0,
        i32::from(question.facility.number()),
        question.day,
        question.current.map(|slot| i32::from(slot.facility.number())),
        question.current.map(|slot| slot.date),
        question.current.map(|slot| time_text(slot.time)),
        question.criteria_version,
        hash(raw),
        question.seen_at,
        i32::try_from(question.repeats).unwrap_or(i32::MAX)
    )?;
    Ok(rows == 1)
}

/// Closes a question that the next one about the same date replaces. Returns `false` if it was
/// answered or closed meanwhile.
pub async fn replace(tx: &mut Tx, id: Uuid, at: Instant) -> Result<bool, Error> {
    let sql = "UPDATE question SET gone_at = $2
               WHERE id = $1 AND gone_at IS NULL AND answered_at IS NULL AND declined_at IS NULL";
    Ok(exec!(tx, sql, id, at)? == 1)
}

/// Records that the user answered no to a question, and to the open one about the same date that
/// may have replaced it. Changes nothing after another answer.
pub async fn decline(tx: &mut Tx, id: Uuid, asked: &Question, at: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE question SET declined_at = $2
         WHERE (id = $1 OR (task_id = $3 AND facility = $4 AND day = $5 AND gone_at IS NULL))
           AND answered_at IS NULL AND declined_at IS NULL",
        id,
        at,
        asked.task.0,
        i32::from(asked.facility.number()),
        asked.day
    )?;
    Ok(())
}

/// Returns the listed dates about which a user answered no. Leaves out rows that cannot be read.
pub async fn declined(tx: &mut Tx) -> Result<Vec<OpenQuestion>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        select_questions!("WHERE declined_at IS NOT NULL AND answered_at IS NULL AND gone_at IS NULL")
    )?;
    let questions: Vec<StoredQuestion> = readable(rows, "question");
    let open = |Question { task, facility, day, seen_at, .. }| OpenQuestion { task, facility, day, seen_at };
    Ok(questions.into_iter().map(|stored| open(stored.question)).collect())
}

/// Returns the questions of some tasks about dates seen after `since`, newest last.
pub async fn recent(tx: &mut Tx, tasks: &[TaskId], since: Instant) -> Result<Vec<StoredQuestion>, Error> {
    let sql = tx.pick(
        select_questions!(
            "WHERE task_id IN (SELECT unhex(value) FROM json_each($1)) AND seen_at > $2 ORDER BY seen_at, id"
        ),
        select_questions!(
            "WHERE task_id IN (SELECT CAST(jsonb_array_elements_text($1) AS UUID)) AND seen_at > $2
           ORDER BY seen_at, id"
        ),
    );
    let ids = crate::task::ids_json(tasks.iter().copied());
    Ok(readable(all!(tx, Stored<Row>, sql, ids, since)?, "question"))
}

/// Returns the tasks of a user with an unanswered question about a date that is still listed, seen
/// after `since`.
pub async fn tasks_asking(tx: &mut Tx, user: UserId, since: Instant) -> Result<Vec<TaskId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT DISTINCT question.task_id FROM question JOIN task ON task.id = question.task_id
         WHERE task.user_id = $1 AND question.answered_at IS NULL AND question.gone_at IS NULL
           AND question.declined_at IS NULL
           AND question.seen_at > $2",
        user.0,
        since
    )?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}

/// Returns the question of a link.
pub async fn of_link(tx: &mut Tx, raw: &[u8; 32]) -> Result<Option<StoredQuestion>, Error> {
    let row = one!(tx, Row, select_questions!("WHERE token_hash = $1"), hash(raw))?;
    row.map(StoredQuestion::try_from).transpose()
}

/// Returns a question by its id.
pub async fn get(tx: &mut Tx, id: Uuid) -> Result<Option<StoredQuestion>, Error> {
    let row = one!(tx, Row, select_questions!("WHERE id = $1"), id)?;
    row.map(StoredQuestion::try_from).transpose()
}

/// Returns the latest question of a task about a date.
pub async fn latest(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<StoredQuestion>, Error> {
    let row = one!(
        tx,
        Row,
        select_questions!(
            "WHERE task_id = $1 AND facility = $2 AND day = $3 ORDER BY seen_at DESC, id DESC LIMIT 1"
        ),
        task.0,
        i32::from(facility.number()),
        day
    )?;
    row.map(StoredQuestion::try_from).transpose()
}

/// Returns the latest approval of a date by a task's user, unless it has an outcome already.
pub async fn latest_yes(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<StoredQuestion>, Error> {
    let row = one!(
        tx,
        Row,
        select_questions!(
            "WHERE task_id = $1 AND facility = $2 AND day = $3 AND answered_at IS NOT NULL
           AND outcome IS NULL
         ORDER BY answered_at DESC LIMIT 1"
        ),
        task.0,
        i32::from(facility.number()),
        day
    )?;
    row.map(StoredQuestion::try_from).transpose()
}

/// Records that a provider accepted the message of a link. Only the first acceptance counts.
pub async fn accepted(tx: &mut Tx, raw: &[u8; 32], at: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE question SET accepted_at = $2 WHERE token_hash = $1 AND accepted_at IS NULL",
        hash(raw),
        at
    )?;
    Ok(())
}

/// Closes a question that reached no one: no provider accepted a message with this link, and none
/// still waits.
pub async fn undelivered(tx: &mut Tx, raw: &[u8; 32], at: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE question SET gone_at = $2
         WHERE token_hash = $1 AND accepted_at IS NULL AND answered_at IS NULL AND gone_at IS NULL",
        hash(raw),
        at
    )?;
    Ok(())
}

/// Records the one approval of a question. Returns `false` if it was approved before.
pub async fn answer(tx: &mut Tx, id: Uuid, at: Instant) -> Result<bool, Error> {
    let sql = "UPDATE question SET answered_at = $2 WHERE id = $1 AND answered_at IS NULL";
    Ok(exec!(tx, sql, id, at)? == 1)
}

/// Returns answered questions without an outcome, earliest answer first. Leaves out rows that
/// cannot be read.
pub async fn answered(tx: &mut Tx) -> Result<Vec<StoredQuestion>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        select_questions!(
            "WHERE answered_at IS NOT NULL AND outcome IS NULL ORDER BY answered_at, id LIMIT 1000"
        )
    )?;
    Ok(readable(rows, "question"))
}

/// Assigns the one booking request of an approval to an attempt. Returns `false` if the approval
/// had one, or has an outcome already.
pub async fn mark_sent(tx: &mut Tx, id: Uuid, attempt: AttemptId, at: Instant) -> Result<bool, Error> {
    let sql = "UPDATE question SET sent_at = $2, intent_id = $3 WHERE id = $1 AND sent_at IS NULL AND outcome IS NULL";
    Ok(exec!(tx, sql, id, at, attempt.0)? == 1)
}

/// Sets the outcome of the approval behind an attempt to what the portal shows. It overrides any
/// earlier outcome. Returns the changed question.
pub async fn shown(tx: &mut Tx, attempt: AttemptId, outcome: YesOutcome) -> Result<Option<Uuid>, Error> {
    let sql = "UPDATE question SET outcome = $2 WHERE intent_id = $1 RETURNING id";
    Ok(one!(tx, (Uuid,), sql, attempt.0, outcome.as_str())?.map(|(id,)| id))
}

/// Records the outcome of an approval. Only the first counts, and *not booked* becomes *unknown* if
/// a request was sent. Returns `true` if it was the first.
pub async fn settle(tx: &mut Tx, id: Uuid, outcome: YesOutcome) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "UPDATE question SET outcome = CASE WHEN sent_at IS NOT NULL AND $2 = 'not_booked' THEN 'unknown' ELSE $2 END
         WHERE id = $1 AND outcome IS NULL",
        id,
        outcome.as_str()
    )?;
    Ok(rows == 1)
}

/// Date with an open question of a task.
#[derive(Clone, Copy, Debug)]
pub struct OpenQuestion {
    /// Task of the question.
    pub task: TaskId,
    /// Facility of the date.
    pub facility: FacilityId,
    /// The date.
    pub day: NaiveDate,
    /// Time at which a poll showed the date.
    pub seen_at: Instant,
}

/// Returns the dates with an open question.
pub async fn open(tx: &mut Tx) -> Result<Vec<OpenQuestion>, Error> {
    let rows = all!(
        tx,
        (Uuid, i32, NaiveDate, DateTime<Utc>),
        "SELECT task_id, facility, day, seen_at FROM question WHERE gone_at IS NULL"
    )?;
    let standing = |(task, at, day, seen_at)| {
        Ok(OpenQuestion { task: TaskId(task), facility: facility(at)?, day, seen_at })
    };
    rows.into_iter().map(standing).collect()
}

/// Returns the open question of a task about a date, answered or not.
pub async fn open_about(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<StoredQuestion>, Error> {
    let row = one!(
        tx,
        Row,
        select_questions!("WHERE task_id = $1 AND facility = $2 AND day = $3 AND gone_at IS NULL"),
        task.0,
        i32::from(facility.number()),
        day
    )?;
    row.map(StoredQuestion::try_from).transpose()
}

/// Returns the time of a task's `nth` question, counted back from its latest one. Questions that
/// were closed before they reached the user do not count.
pub async fn nth_latest(tx: &mut Tx, task: TaskId, nth: u32) -> Result<Option<Instant>, Error> {
    let row = one!(
        tx,
        (DateTime<Utc>,),
        "SELECT seen_at FROM question
         WHERE task_id = $1 AND (gone_at IS NULL OR accepted_at IS NOT NULL OR answered_at IS NOT NULL)
         ORDER BY seen_at DESC LIMIT 1 OFFSET $2",
        task.0,
        i64::from(nth.saturating_sub(1))
    )?;
    Ok(row.map(|(at,)| at))
}

/// Closes the open questions of a task that stops, or whose criteria change.
pub async fn close_of_task(tx: &mut Tx, task: TaskId, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE question SET gone_at = $2 WHERE task_id = $1 AND gone_at IS NULL", task.0, at)?;
    Ok(())
}

/// Closes the open questions of dates before `date`.
pub async fn close_past(tx: &mut Tx, date: NaiveDate, at: Instant) -> Result<(), Error> {
    exec!(tx, "UPDATE question SET gone_at = $2 WHERE gone_at IS NULL AND day < $1", date, at)?;
    Ok(())
}

/// Closes the open questions about dates of a facility that are no longer free.
pub async fn close(
    tx: &mut Tx,
    facility: FacilityId,
    gone: &[(TaskId, NaiveDate)],
    at: Instant,
) -> Result<(), Error> {
    if gone.is_empty() {
        return Ok(());
    }
    let rows: Vec<_> = gone.iter().map(|(task, day)| (task.0.simple().to_string(), day)).collect();
    let sql = tx.pick(
        "UPDATE question SET gone_at = $3 WHERE facility = $2 AND gone_at IS NULL AND (task_id, day) IN
           (SELECT unhex(json_extract(value, '$[0]')), json_extract(value, '$[1]') FROM json_each($1))",
        "UPDATE question SET gone_at = $3 WHERE facility = $2 AND gone_at IS NULL AND (task_id, day) IN
           (SELECT CAST(value ->> 0 AS UUID), CAST(value ->> 1 AS DATE) FROM jsonb_array_elements($1))",
    );
    exec!(tx, sql, json!(rows), i32::from(facility.number()), at)?;
    Ok(())
}
