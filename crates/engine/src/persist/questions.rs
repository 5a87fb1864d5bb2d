//! Questions of tasks that ask first. A question is sent by mail. An approval permits one booking
//! request.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::channel::EventKind;
use domain::clock::Instant;
use domain::criteria::BookingMode;
use domain::ids::{AttemptId, TaskId};
use domain::journal::{CityName, GoneReason, JournalEvent, NamedSlot};
use domain::money::Money;
use domain::question::{
    ASKED_AGAIN_AFTER, AskedTask, FROM_ACCEPTANCE, FROM_SIGHTING, GIVES_WAY_AFTER, MOST_A_DAY, MOST_REPEATS,
    Question, SENT_WITHIN, YesOutcome,
};
use serde_json::json;
use store::Tx;
use store::task::Task;
use uuid::Uuid;

use crate::JobError;
use crate::model::approvals::ApprovalStep;
use crate::model::openings::TryOutcome;
use crate::model::questions::Asked;
use crate::persist::Records;

/// Time of the next question about the same date. Times are wall time.
enum Repeat {
    Now,
    At(Instant),
    Never,
}

/// Path of the page that a question's link opens.
pub const PAGE: &str = "/auth/answer";

/// Queues a question about a date that was seen at `seen_at` (portal time). Until the date
/// vanishes, it is repeated at most [`MOST_REPEATS`] times. Sends nothing if the date cannot be
/// booked now.
pub(crate) async fn send(records: &Records, asked: Asked, seen_at: Instant) -> Result<(), JobError> {
    let (task, facility, day) = asked;
    let now = records.portal_time.now();
    let hindrance = records.memory.update(|state| {
        let hindrance = state.hindrance(asked, &records.config.limits, now);
        hindrance.map(|why| state.postpone_question(asked, why, now))
    });
    if hindrance.is_some() {
        return Ok(());
    }
    let mut tx = records.begin_leading().await?;
    let Some(row) = store::task::get(&mut tx, task).await?.filter(|row| records.asks_now(row)) else {
        return Ok(());
    };
    let wall = records.wall.now();
    if let Some(until) = pause_of_questions(&mut tx, task, wall).await? {
        records.memory.update(|state| {
            state.questions.asked.pause(task, now + records.portal_span(until - wall));
            state.postpone_question(asked, GoneReason::AskedOften, now);
        });
        return Ok(());
    }
    let mut repeats = 0;
    if let Some(open) = store::question::open_about(&mut tx, task, facility, day).await? {
        let repeat = records.repeat(&mut tx, asked).await?;
        let may = matches!(repeat, Repeat::Now) && store::question::replace(&mut tx, open.id, wall).await?;
        if !may {
            records.plan_repeat(asked, repeat);
            return Ok(());
        }
        repeats = open.question.repeats + 1;
    }
    let since = (now - seen_at).as_seconds_f64() / records.config.speed.max(0.001);
    let question = Question {
        task,
        facility,
        day,
        current: row.interview().copied(),
        criteria_version: row.criteria_version,
        seen_at: wall - TimeDelta::milliseconds((since * 1000.0) as i64),
        accepted_at: None,
        answered_at: None,
        sent_at: None,
        gone_at: None,
        declined_at: None,
        repeats,
    };
    let id = records.uuid(now);
    let seed = hex(&records.random.bytes::<16>());
    let raw = store::token::mailed(&records.keyring, &seed);
    if !store::question::insert(&mut tx, id, &question, &raw).await? {
        return Ok(());
    }
    crate::metrics::opening("asked");
    let event = JournalEvent::Asked { facility: CityName(facility), date: day, seen_at };
    crate::persist::notify::journal(records, &mut tx, task, &event).await?;
    let data = json!({
        "facility": facility.name(),
        "facility_zh": facility.facility().name_zh,
        "date": day.to_string(),
        "names": row.group.names(),
        "initials": row.group.initials().join(", "),
        "old": row.booked.as_ref().map(NamedSlot::from),
        "days_sooner": row.interview().map(|old| (old.date - day).num_days()).filter(|days| *days > 0),
        "task_id": task.to_string(),
        "price": price(&row).to_string(),
        "repeats": repeats,
        "not_after": wall + SENT_WITHIN,
        "link": { "page": PAGE, "seed": seed, "minutes": FROM_ACCEPTANCE.num_minutes(), "asks": true },
    });
    let key = format!("question:{id}");
    crate::persist::notify::mail(records, &mut tx, row.user_id, "question", key, data).await?;
    // The task's new version makes open browser pages show the question, which expires within
    // minutes.
    store::task::touch(&mut tx, task, wall).await?;
    tx.commit().await?;
    records.record_question(asked, question.seen_at);
    Ok(())
}

/// Returns the wall time until which a task may send no question, because it has sent the maximum
/// of a day. Returns `None` if it may send one.
async fn pause_of_questions(tx: &mut Tx, task: TaskId, wall: Instant) -> Result<Option<Instant>, JobError> {
    let first = store::question::nth_latest(tx, task, MOST_A_DAY).await?;
    Ok(first.map(|at| at + TimeDelta::days(1)).filter(|until| wall < *until))
}

/// Treats a row that this build cannot read as missing, because it must not stop the work for other
/// questions.
fn skip_corrupt<T>(read: Result<Option<T>, store::Error>) -> Result<Option<T>, JobError> {
    match read {
        Err(store::Error::Corrupt(_)) => Ok(None),
        read => Ok(read?),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_running(task: &Task) -> bool {
    task.deleted_at.is_none() && task.status.is_running()
}

/// Returns `true` if the task's mode changes appointments. Other tasks never send a question.
fn may_ask(task: &Task) -> bool {
    task.criteria.as_ref().is_some_and(|criteria| criteria.mode.changes())
}

/// Returns the price of a booking now; zero if the task was already paid for.
fn price(task: &Task) -> Money {
    let due = task.price.filter(|_| task.captured_at.is_none());
    Money::cad(due.map_or(0, |price| price.total))
}

/// Returns `true` if the user's approval allows a booking, in the transaction that commits the
/// attempt. A task that asks first needs a valid approval and consumes it. Each approval allows one
/// request.
pub(crate) async fn use_approval(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    attempt: AttemptId,
    slot: Slot,
    shown: Option<&Slot>,
) -> Result<bool, JobError> {
    if !records.asks(task) {
        return Ok(true);
    }
    let said = store::question::latest_yes(tx, task.id, slot.facility, slot.date).await?;
    let stands = AskedTask { runs: true, criteria_version: task.criteria_version, booked: shown };
    let now = records.wall.now();
    match said.filter(|kept| kept.question.permits(&stands, now)) {
        Some(kept) => Ok(store::question::mark_sent(tx, kept.id, attempt, now).await?),
        None => Ok(false),
    }
}

/// Notifies the user of a running task that an approval led to no booking.
pub(crate) async fn notify_ended(
    records: &Records,
    tx: &mut Tx,
    (task, facility, day): Asked,
    question: Uuid,
    outcome: YesOutcome,
) -> Result<(), JobError> {
    if !matches!(outcome, YesOutcome::Gone | YesOutcome::NotBooked) {
        return Ok(());
    }
    let runs = |row: &Task| is_running(row) && may_ask(row);
    let Some(row) = store::task::get(tx, task).await?.filter(runs) else { return Ok(()) };
    let data = json!({
        "facility": facility.name(),
        "facility_zh": facility.facility().name_zh,
        "date": day.to_string(),
        "names": row.group.names(),
        "outcome": outcome.as_str(),
        "task_id": task.to_string(),
    });
    let key = format!("answer_ended:{question}");
    crate::persist::notify::mail(records, tx, row.user_id, "answer_ended", key, data).await
}

impl Records {
    /// Returns `true` if the task books nothing without an approval. Either its user chose that, or
    /// the country's booking pages were not parsed yet.
    fn asks(&self, task: &Task) -> bool {
        match task.criteria.as_ref().map(|criteria| criteria.mode) {
            Some(BookingMode::Auto) => !self.memory.is_walked(task.country),
            Some(BookingMode::Ask | BookingMode::Notify) => true,
            None => false,
        }
    }

    /// Returns `true` if a question of this task may be sent.
    fn asks_now(&self, task: &Task) -> bool {
        is_running(task) && may_ask(task) && self.asks(task)
    }

    /// Converts a span of wall time to portal time.
    fn portal_span(&self, wall: TimeDelta) -> TimeDelta {
        TimeDelta::milliseconds((wall.num_milliseconds() as f64 * self.config.speed) as i64)
    }

    /// Returns two portal times: when a question expires, and when its result is checked. `seen_at`
    /// is the wall time at which the date was seen.
    pub(crate) fn question_times(&self, seen_at: Instant) -> (Instant, Instant) {
        let until = self.portal_time.now() + self.portal_span(seen_at + FROM_SIGHTING - self.wall.now());
        (until, until + self.portal_span(GIVES_WAY_AFTER))
    }

    /// Records that a question was queued. The next round prewarms its account. The result of the
    /// question is checked later.
    fn record_question(&self, asked: Asked, seen_at: Instant) {
        let (open_until, check_at) = self.question_times(seen_at);
        self.memory.update(|state| {
            state.questions.asked.add(asked, open_until, check_at);
            state.accounts.prewarm_at_once();
        });
        self.memory.wake();
    }

    /// Checks the results of unanswered questions. Their dates yield to other dates, and are asked
    /// about again later. If the mail of a question could not be delivered, the question may be
    /// sent again at once.
    pub(crate) async fn tend_questions(&self) -> Result<(), JobError> {
        let now = self.portal_time.now();
        let (due, repeats) = self.memory.update(|state| {
            let asked = &mut state.questions.asked;
            (asked.take_due(now), asked.take_repeats(now))
        });
        if due.is_empty() && repeats.is_empty() {
            return Ok(());
        }
        let read = match self.read_open(&due, &repeats).await {
            Ok(read) => read,
            Err(error) => {
                self.memory.update(|state| {
                    let asked = &mut state.questions.asked;
                    due.into_iter().for_each(|date| asked.add(date, now, now));
                    repeats.into_iter().for_each(|date| asked.repeat_at(date, now));
                });
                return Err(error);
            }
        };
        let (questions, repeats) = read;
        let check_again = now + self.portal_span(GIVES_WAY_AFTER);
        let wall = self.wall.now();
        self.memory.update(|state| {
            for (date, question) in due.into_iter().zip(questions) {
                let (task, facility, day) = date;
                let Some(question) = question else {
                    state.forget_alert(task, facility, day);
                    continue;
                };
                let asked = &mut state.questions.asked;
                asked.add_in_vain(date);
                let is_answered = question.answered_at.is_some() || question.declined_at.is_some();
                if !is_answered && question.accepted_at.is_none() {
                    // The mail is still queued, and its delivery may still fail for good.
                    asked.add(date, now, check_again);
                } else if !is_answered && question.repeats < MOST_REPEATS {
                    let wait = question.seen_at + ASKED_AGAIN_AFTER - wall;
                    asked.repeat_at(date, now + self.portal_span(wait));
                }
            }
        });
        for (date, repeat) in repeats {
            match repeat {
                // The next poll that lists the date asks about it.
                Repeat::Now => self.memory.update(|state| state.questions.asked.repeat_now(date)),
                later => self.plan_repeat(date, later),
            }
        }
        Ok(())
    }

    /// Plans the next question about a date that is not asked about now.
    fn plan_repeat(&self, date: Asked, repeat: Repeat) {
        let wait = match repeat {
            Repeat::At(at) => Some(self.portal_span(at - self.wall.now())),
            Repeat::Now | Repeat::Never => None,
        };
        let now = self.portal_time.now();
        self.memory.update(|state| {
            state.questions.asked.add_in_vain(date);
            if let Some(wait) = wait {
                state.questions.asked.repeat_at(date, now + wait);
            }
        });
    }

    /// Reads the open questions about the dates of `due`, and which dates of `repeats` may be asked
    /// about again.
    async fn read_open(
        &self,
        due: &[Asked],
        repeats: &[Asked],
    ) -> Result<(Vec<Option<Question>>, Vec<(Asked, Repeat)>), JobError> {
        let mut tx = self.db.read().await?;
        let mut questions = Vec::with_capacity(due.len());
        for (task, facility, day) in due {
            let open = skip_corrupt(store::question::open_about(&mut tx, *task, *facility, *day).await)?;
            questions.push(open.map(|open| open.question));
        }
        let mut next = Vec::with_capacity(repeats.len());
        for date in repeats {
            next.push((*date, self.repeat(&mut tx, *date).await?));
        }
        Ok((questions, next))
    }

    /// Returns when the question about a listed date may be sent again. It is sent outside the
    /// quiet hours, and only to a user with a channel that arrives within the time for an answer.
    async fn repeat(&self, tx: &mut Tx, (task, facility, day): Asked) -> Result<Repeat, JobError> {
        let wall = self.wall.now();
        let open = skip_corrupt(store::question::open_about(tx, task, facility, day).await)?;
        let row = skip_corrupt(store::task::get(tx, task).await)?.filter(|row| self.asks_now(row));
        let (Some(open), Some(row)) = (open, row) else { return Ok(Repeat::Never) };
        let earliest = open.question.seen_at + ASKED_AGAIN_AFTER;
        if !open.question.may_be_repeated(earliest) {
            return Ok(Repeat::Never);
        }
        if wall < earliest {
            return Ok(Repeat::At(earliest));
        }
        let setting = store::channel::setting(tx, row.user_id).await?;
        if let Some(end) = setting.quiet_until(EventKind::AskFirst, wall) {
            return Ok(Repeat::At(end));
        }
        let channels = store::channel::verified(tx, row.user_id).await?;
        let is_instant = channels
            .iter()
            .any(|channel| channel.kind.is_instant() && channel.events.contains(&EventKind::AskFirst));
        Ok(if is_instant { Repeat::Now } else { Repeat::At(wall + ASKED_AGAIN_AFTER) })
    }

    /// Queues the approved dates for booking. Ends approvals that cannot lead to a booking any
    /// more.
    pub(crate) async fn act_on_answers(&self) -> Result<(), JobError> {
        let (wall, now) = (self.wall.now(), self.portal_time.now());
        let ended: Vec<(Asked, YesOutcome)> = self.memory.update(|state| {
            let approved = state.questions.approved().into_iter();
            let steps = approved.map(|asked| (asked, state.act_on_approval(asked, wall, now)));
            let ended = steps.filter_map(|(asked, step)| match step {
                ApprovalStep::Ended(outcome) => Some((asked, outcome)),
                ApprovalStep::Waits => None,
            });
            ended.collect()
        });
        for (asked, outcome) in ended {
            self.end_answer(asked, outcome).await?;
            if outcome == YesOutcome::Gone {
                let (task, facility, date) = asked;
                let why = GoneReason::NotReached;
                let event = JournalEvent::SlotGone { facility: CityName(facility), date, why };
                crate::persist::notify::journal_now(self, &[task], &event).await?;
            }
        }
        Ok(())
    }

    /// Stores the outcome of a try for an approved date. Stores nothing if the try will be repeated
    /// while the approval is valid.
    pub(crate) async fn answer_tried(
        &self,
        asked: Asked,
        outcome: Result<&TryOutcome, &JobError>,
    ) -> Result<(), JobError> {
        let outcome = match outcome {
            Ok(TryOutcome::Again | TryOutcome::Hindered) | Err(_) => return Ok(()),
            Ok(TryOutcome::Booked) => YesOutcome::Booked,
            Ok(TryOutcome::Acted) => YesOutcome::Unknown,
            Ok(TryOutcome::NothingThere | TryOutcome::NoTimeFits) => YesOutcome::Gone,
            Ok(TryOutcome::NothingSent | TryOutcome::NoFingerprints | TryOutcome::NoFingerprintsFit) => {
                YesOutcome::NotBooked
            }
        };
        self.end_answer(asked, outcome).await
    }

    /// Ends the open approval of a date with this outcome, and notifies the user.
    async fn end_answer(&self, asked: Asked, outcome: YesOutcome) -> Result<(), JobError> {
        let question =
            self.memory.read(|state| state.questions.open(asked).map(|approval| approval.question));
        let Some(question) = question else { return Ok(()) };
        let mut tx = self.begin_leading().await?;
        if store::question::settle(&mut tx, question, outcome).await? {
            notify_ended(self, &mut tx, asked, question, outcome).await?;
        }
        tx.commit().await?;
        self.memory.update(|state| state.questions.end(asked, question));
        Ok(())
    }
}
