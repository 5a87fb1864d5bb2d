//! Questions that tasks have asked: bound to what they stand on, answered once.

use chrono::{DateTime, NaiveDate, Utc};
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, TaskId, UserId};
use domain::question::{Question, YesOutcome};
use serde_json::json;
use uuid::Uuid;

use crate::readable::{Stored, readable};
use crate::task::{facility, slot, time_text, word};
use crate::token::hash;
use crate::{Error, Tx, all, exec, one};

/// A question as it is kept.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Its id.
    pub id: Uuid,
    /// What it asks.
    pub question: Question,
    /// What came of the yes.
    pub outcome: Option<YesOutcome>,
}

/// Reads a `Row` of each question that the condition names.
macro_rules! select_questions {
    ($condition:literal) => {
        concat!(
            "SELECT id, task_id, facility, day, booked_facility, booked_date, booked_time, wish_version, seen_at,
               accepted_at, answered_at, sent_at, gone_at, outcome FROM question ",
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
    outcome: Option<String>,
}

impl TryFrom<Row> for Kept {
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
            },
            outcome: row.outcome.map(|outcome| word("question.outcome", &outcome)).transpose()?,
        })
    }
}

/// Keeps a question that was not sent yet; `false` when this task asked for the day before, and it has not vanished since.
pub async fn ask(tx: &mut Tx, id: Uuid, question: &Question, raw: &[u8; 32]) -> Result<bool, Error> {
    let rows = exec!(
        tx,
        "INSERT INTO question (id, task_id, facility, day, booked_facility, booked_date, booked_time, wish_version,
           token_hash, seen_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
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
        question.seen_at
    )?;
    Ok(rows == 1)
}

/// The unanswered questions of some tasks about days that still stand, seen after `since`; the newest last.
pub async fn unanswered(tx: &mut Tx, tasks: &[TaskId], since: Instant) -> Result<Vec<Kept>, Error> {
    let sql = tx.pick(
        select_questions!(
            "WHERE task_id IN (SELECT unhex(value) FROM json_each($1))
           AND answered_at IS NULL AND gone_at IS NULL AND seen_at > $2 ORDER BY seen_at, id"
        ),
        select_questions!(
            "WHERE task_id IN (SELECT CAST(jsonb_array_elements_text($1) AS UUID))
           AND answered_at IS NULL AND gone_at IS NULL AND seen_at > $2 ORDER BY seen_at, id"
        ),
    );
    let ids = crate::task::ids_json(tasks.iter().copied());
    all!(tx, Row, sql, ids, since)?.into_iter().map(Kept::try_from).collect()
}

/// Returns the tasks of a user with an unanswered question about a date that is still listed, seen after `since`.
pub async fn tasks_asking(tx: &mut Tx, user: UserId, since: Instant) -> Result<Vec<TaskId>, Error> {
    let rows = all!(
        tx,
        (Uuid,),
        "SELECT DISTINCT question.task_id FROM question JOIN task ON task.id = question.task_id
         WHERE task.user_id = $1 AND question.answered_at IS NULL AND question.gone_at IS NULL
           AND question.seen_at > $2",
        user.0,
        since
    )?;
    Ok(rows.into_iter().map(|(id,)| TaskId(id)).collect())
}

/// The question a link belongs to.
pub async fn of_link(tx: &mut Tx, raw: &[u8; 32]) -> Result<Option<Kept>, Error> {
    let row = one!(tx, Row, select_questions!("WHERE token_hash = $1"), hash(raw))?;
    row.map(Kept::try_from).transpose()
}

/// A question by its id.
pub async fn get(tx: &mut Tx, id: Uuid) -> Result<Option<Kept>, Error> {
    let row = one!(tx, Row, select_questions!("WHERE id = $1"), id)?;
    row.map(Kept::try_from).transpose()
}

/// What a task asked last about a day.
pub async fn latest(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<Kept>, Error> {
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
    row.map(Kept::try_from).transpose()
}

/// The latest yes of a task to a day, unless something came of it already.
pub async fn latest_yes(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<Kept>, Error> {
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
    row.map(Kept::try_from).transpose()
}

/// A provider took the message of a link; the first one counts.
pub async fn accepted(tx: &mut Tx, raw: &[u8; 32], at: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE question SET accepted_at = $2 WHERE token_hash = $1 AND accepted_at IS NULL",
        hash(raw),
        at
    )?;
    Ok(())
}

/// Nobody was asked, for nothing with this link was taken by a provider or still waits: the question is closed.
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

/// Spends the question's one yes; `false` when it is spent.
pub async fn answer(tx: &mut Tx, id: Uuid, at: Instant) -> Result<bool, Error> {
    let sql = "UPDATE question SET answered_at = $2 WHERE id = $1 AND answered_at IS NULL";
    Ok(exec!(tx, sql, id, at)? == 1)
}

/// Returns answered questions without an outcome, the first answer first; a row that cannot be read is left out.
pub async fn answered(tx: &mut Tx) -> Result<Vec<Kept>, Error> {
    let rows = all!(
        tx,
        Stored<Row>,
        select_questions!(
            "WHERE answered_at IS NOT NULL AND outcome IS NULL ORDER BY answered_at, id LIMIT 1000"
        )
    )?;
    Ok(readable(rows, "question"))
}

/// Commits to the one booking request that a yes carries; `false` when it carried one, or something came of it already.
pub async fn mark_sent(tx: &mut Tx, id: Uuid, attempt: AttemptId, at: Instant) -> Result<bool, Error> {
    let sql = "UPDATE question SET sent_at = $2, intent_id = $3 WHERE id = $1 AND sent_at IS NULL AND outcome IS NULL";
    Ok(exec!(tx, sql, id, at, attempt.0)? == 1)
}

/// What the portal shows of an attempt is what the yes that carried it came to, whatever was said before.
/// Returns the question that this changed.
pub async fn shown(tx: &mut Tx, attempt: AttemptId, outcome: YesOutcome) -> Result<Option<Uuid>, Error> {
    let sql = "UPDATE question SET outcome = $2 WHERE intent_id = $1 RETURNING id";
    Ok(one!(tx, (Uuid,), sql, attempt.0, outcome.as_str())?.map(|(id,)| id))
}

/// Records the outcome of a yes; the first one stays, and after a request was sent *not booked* is *unknown*. Returns
/// whether it was the first.
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

/// A day of which a task has asked and that still stands there.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// The task.
    pub task: TaskId,
    /// Where.
    pub facility: FacilityId,
    /// The day.
    pub day: NaiveDate,
    /// When a poll showed it.
    pub seen_at: Instant,
}

/// Days of which a task has asked and that still stand there.
pub async fn open(tx: &mut Tx) -> Result<Vec<Standing>, Error> {
    let rows = all!(
        tx,
        (Uuid, i32, NaiveDate, DateTime<Utc>),
        "SELECT task_id, facility, day, seen_at FROM question WHERE gone_at IS NULL"
    )?;
    let standing =
        |(task, at, day, seen_at)| Ok(Standing { task: TaskId(task), facility: facility(at)?, day, seen_at });
    rows.into_iter().map(standing).collect()
}

/// Whether a task's question of a day still stands and reached somebody; none where it was closed.
pub async fn reached(
    tx: &mut Tx,
    task: TaskId,
    facility: FacilityId,
    day: NaiveDate,
) -> Result<Option<bool>, Error> {
    let row = one!(
        tx,
        (Option<DateTime<Utc>>, Option<DateTime<Utc>>),
        "SELECT accepted_at, answered_at FROM question
         WHERE task_id = $1 AND facility = $2 AND day = $3 AND gone_at IS NULL",
        task.0,
        i32::from(facility.number()),
        day
    )?;
    Ok(row.map(|(accepted_at, answered_at)| accepted_at.is_some() || answered_at.is_some()))
}

/// When a task asked for the `nth` time, counted from its latest question; what was closed before it reached anybody does not
/// count.
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

/// These days of a facility are gone.
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
