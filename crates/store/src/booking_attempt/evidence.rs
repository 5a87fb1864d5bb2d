//! How the POST of an attempt ended, and attempts whose sending the database forgot: they were sent for a time that nobody knows.

use chrono::NaiveTime;
use domain::appointment::Slot;
use domain::booking::{AttemptState, ObservedState};
use domain::clock::Instant;
use domain::ids::AttemptId;
use domain::journal::PostEvent;
use serde_json::json;

use super::BookingAttempt;
use crate::task::time_text;
use crate::{Error, Tx, exec};

/// Records how the POST ended; that the database forgot its time stays said. `false` where the row does not say that it was sent.
pub async fn set_evidence(
    tx: &mut Tx,
    id: AttemptId,
    evidence: &PostEvent,
    t0: Instant,
    next_read_at: Instant,
) -> Result<bool, Error> {
    let sql = tx.pick(
        "UPDATE intent SET t0 = $3, next_read_at = $4, evidence = CASE WHEN evidence ->> 'time_unknown'
           THEN json_set($2, '$.time_unknown', json('true')) ELSE $2 END WHERE id = $1 AND state = 'acting'",
        "UPDATE intent SET evidence = evidence || $2, t0 = $3, next_read_at = $4 WHERE id = $1 AND state = 'acting'",
    );
    let rows = exec!(
        tx,
        sql,
        id.0,
        serde_json::to_value(evidence).map_err(|_| Error::Corrupt("intent.evidence"))?,
        t0,
        next_read_at
    )?;
    Ok(rows == 1)
}

/// Makes every open attempt one that may have been sent, to be read back at once: the database forgot commits, and an
/// armed attempt may have been acting. Its time is not known then; see [`BookingAttempt::expected_target`].
pub async fn assume_all_sent(tx: &mut Tx, now: Instant, wall: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET reschedules_used = reschedules_used + 1, updated_at = $1 WHERE id IN
           (SELECT task_id FROM intent WHERE state = 'armed' AND expected_date IS NOT NULL)",
        wall
    )?;
    // The yes that one of them carries was marked in the same commit.
    exec!(
        tx,
        "UPDATE question SET sent_at = $1, intent_id = intent.id FROM intent
         WHERE intent.state = 'armed' AND intent.task_id = question.task_id AND intent.target_facility = question.facility
           AND intent.target_date = question.day AND question.answered_at IS NOT NULL AND question.sent_at IS NULL
           AND question.outcome IS NULL",
        wall
    )?;
    // Two of them may be for one slot: neither keeps others from it.
    exec!(
        tx,
        "UPDATE intent SET state = 'acting', acting_at = $1, t0 = $1, next_read_at = $1, passed_on = TRUE,
           target_time = COALESCE(target_time, $2), evidence = $3 WHERE state = 'armed'",
        now,
        time_text(NaiveTime::MIN),
        json!({ TIME_UNKNOWN: true })
    )?;
    exec!(tx, "UPDATE intent SET next_read_at = $1 WHERE state IN ('acting', 'unknown')", now)?;
    Ok(())
}

/// In the evidence of an attempt whose time was forgotten.
const TIME_UNKNOWN: &str = "time_unknown";

/// The time of a confirmed booking is known, where the database had forgotten it.
pub async fn learn_time(tx: &mut Tx, attempt: &BookingAttempt, booked: Slot) -> Result<(), Error> {
    if !attempt.is_time_unknown() {
        return Ok(());
    }
    let mut evidence = attempt.evidence.clone();
    if let Some(evidence) = evidence.as_object_mut() {
        evidence.remove(TIME_UNKNOWN);
    }
    let sql = "UPDATE intent SET target_time = $2, evidence = $3 WHERE id = $1";
    exec!(tx, sql, attempt.id.0, time_text(booked.time), evidence)?;
    Ok(())
}

impl BookingAttempt {
    /// Whether the database forgot for which time it was sent: the time of its target says nothing.
    #[must_use]
    pub fn is_time_unknown(&self) -> bool {
        self.evidence[TIME_UNKNOWN] == true
    }

    /// Its POST ended like this, as [`set_evidence`] writes it.
    pub fn end_post(&mut self, evidence: &PostEvent, t0: Instant) {
        let time_unknown = self.is_time_unknown();
        self.evidence = json!(evidence);
        if time_unknown {
            self.evidence[TIME_UNKNOWN] = json!(true);
        }
        self.t0 = Some(t0);
    }

    /// What the attempt was for, after a page showed `shown`. Where the exact time was forgotten, any time of that day and
    /// city is the one that was sent, until that it was not booked is found out: what its user books there later is no booking of ours.
    #[must_use]
    pub fn expected_target(&self, target: Slot, shown: &ObservedState) -> Slot {
        match shown {
            ObservedState::Appointment { slot }
                if self.is_time_unknown()
                    && !matches!(self.state, AttemptState::Refused | AttemptState::NotBooked)
                    && (slot.facility, slot.date) == (target.facility, target.date)
                    && Some(*slot) != self.expected =>
            {
                *slot
            }
            _ => target,
        }
    }
}
