//! Questions and what comes of their answers: asked with a mail, acted upon once.

use chrono::TimeDelta;
use domain::appointment::Slot;
use domain::booking::BookingMode;
use domain::clock::Instant;
use domain::journal::{CityName, GoneReason, JournalEvent, NamedSlot};
use domain::money::Money;
use domain::question::{AskedTask, FROM_ACCEPTANCE, Question, SENT_WITHIN, YesOutcome};
use serde_json::json;
use store::Tx;
use store::task::Task;

use crate::JobError;
use crate::model::openings::TryOutcome;
use crate::model::questions::Asked;
use crate::model::state::questions::Answered;
use crate::persist::Records;

/// The page that a question's link opens.
pub const PAGE: &str = "/auth/answer";

/// Asks of a day that was seen at `seen_at` (portal time), once until the day vanishes; not where it could not be booked now.
pub(crate) async fn ask(records: &Records, asked: Asked, seen_at: Instant) -> Result<(), JobError> {
    let (task, facility, day) = asked;
    let now = records.portal_time.now();
    {
        let mut state = records.memory.lock();
        if let Some(why) = state.hindrance(asked, &records.config.limits, now) {
            state.not_asked(asked, why, now);
            // Asked of, should the day still be there when nothing is in the way any more.
            state.forget_alert(task, (facility, day));
            return Ok(());
        }
    }
    let mut tx = records.db.begin().await?;
    let Some(row) = store::task::get(&mut tx, task).await?.filter(asks) else {
        return Ok(());
    };
    let wall = records.wall.now();
    let since = (now - seen_at).as_seconds_f64() / records.config.speed.max(0.001);
    let question = Question {
        task,
        facility,
        day,
        current: row.booked,
        criteria_version: row.criteria_version,
        seen_at: wall - TimeDelta::milliseconds((since * 1000.0) as i64),
        accepted_at: None,
        answered_at: None,
        sent_at: None,
        gone_at: None,
    };
    let id = records.uuid(now);
    let seed = hex(&records.random.bytes::<16>());
    let raw = store::token::mailed(&records.keyring, &seed);
    if !store::question::ask(&mut tx, id, &question, &raw).await? {
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
        "old": row.booked.as_ref().map(NamedSlot::from),
        "task_id": task.to_string(),
        "price": price(&row).to_string(),
        "not_after": wall + SENT_WITHIN,
        "link": { "page": PAGE, "seed": seed, "minutes": FROM_ACCEPTANCE.num_minutes(), "asks": true },
    });
    let key = format!("question:{id}");
    crate::persist::notify::mail(records, &mut tx, row.user_id, "question", key, data).await?;
    tx.commit().await?;
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn asks(task: &Task) -> bool {
    let mode = task.criteria.as_ref().map(|criteria| criteria.mode);
    task.deleted_at.is_none() && task.status.is_running() && mode == Some(BookingMode::Ask)
}

/// What a booking would cost now: nothing once the task was paid.
fn price(task: &Task) -> Money {
    let due = task.price.filter(|_| task.captured_at.is_none());
    Money::cad(due.map_or(0, |price| price.total))
}

/// Whether a day may be booked for a task as far as its user's word goes, in the transaction that commits to it: one that
/// asks needs a yes that still stands, and spends it. Each carries one request.
pub(crate) async fn take_yes(
    records: &Records,
    tx: &mut Tx,
    task: &Task,
    slot: Slot,
    shown: Option<&Slot>,
) -> Result<bool, JobError> {
    if task.criteria.as_ref().is_none_or(|criteria| criteria.mode == BookingMode::Auto) {
        return Ok(true);
    }
    let said = store::question::latest_yes(tx, task.id, slot.facility, slot.date).await?;
    let stands = AskedTask { runs: true, criteria_version: task.criteria_version, booked: shown };
    let now = records.wall.now();
    match said.filter(|kept| kept.question.permits(&stands, now)) {
        Some(kept) => Ok(store::question::mark_sent(tx, kept.id, now).await?),
        None => Ok(false),
    }
}

impl Records {
    /// Puts those whose users said yes in line, and ends words of which nothing can come.
    pub(crate) async fn act_on_answers(&self) -> Result<(), JobError> {
        let (wall, now) = (self.wall.now(), self.portal_time.now());
        let ended: Vec<(Asked, YesOutcome)> = {
            let mut state = self.memory.lock();
            if state.answers.is_empty() {
                return Ok(());
            }
            let asked: Vec<Asked> = state.answers.keys().copied().collect();
            let ended = asked.into_iter().map(|asked| (asked, state.act_on_answer(asked, wall, now)));
            ended
                .filter_map(|(asked, answered)| match answered {
                    Answered::Ended(outcome) => Some((asked, outcome)),
                    Answered::InLine => None,
                })
                .collect()
        };
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

    /// Keeps what a try for a day that a user said yes to has come to; none of a try that is made again.
    pub(crate) async fn answer_tried(
        &self,
        asked: Asked,
        outcome: Result<&TryOutcome, &JobError>,
    ) -> Result<(), JobError> {
        let outcome = match outcome {
            Ok(TryOutcome::Again) => return Ok(()),
            Ok(TryOutcome::Booked) => YesOutcome::Booked,
            Ok(TryOutcome::Acted) => YesOutcome::Unknown,
            Ok(TryOutcome::NothingThere | TryOutcome::NoTimeFits) => YesOutcome::Gone,
            Ok(TryOutcome::NothingSent | TryOutcome::Hindered) | Err(_) => YesOutcome::NotBooked,
        };
        self.end_answer(asked, outcome).await
    }

    async fn end_answer(&self, asked: Asked, outcome: YesOutcome) -> Result<(), JobError> {
        let question =
            self.memory.lock().answers.get(&asked).filter(|yes| !yes.ended).map(|yes| yes.question);
        let Some(question) = question else { return Ok(()) };
        let mut tx = self.db.begin().await?;
        store::question::settle(&mut tx, question, outcome).await?;
        tx.commit().await?;
        // Not forgotten here: rows that were read before this was written would bring it back.
        if let Some(yes) = self.memory.lock().answers.get_mut(&asked).filter(|yes| yes.question == question) {
            yes.ended = true;
        }
        Ok(())
    }
}
