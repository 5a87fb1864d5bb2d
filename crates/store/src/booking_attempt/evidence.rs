//! Result of an attempt's POST, and attempts whose send the database lost: their target time is
//! unknown.

use chrono::NaiveTime;
use domain::appointment::Appointment;
use domain::booking::{AttemptState, ObservedState};
use domain::clock::Instant;
use domain::country::Fingerprints;
use domain::ids::AttemptId;
use domain::journal::PostEvent;
use serde_json::json;

use super::BookingAttempt;
use crate::task::time_text;
use crate::{Error, Tx, exec};

/// Records the result of the POST. Keeps the mark that the database lost the target time. Returns
/// `false` if the attempt is not in state *sending*.
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

/// Changes every prepared attempt to the state *sending*, and makes all open attempts due for a
/// reading now. The database lost commits, so a prepared attempt may have been sent. Its target
/// time is unknown then; see [`BookingAttempt::expected_target`].
pub async fn assume_all_sent(tx: &mut Tx, now: Instant, wall: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "UPDATE task SET reschedules_used = reschedules_used + 1, updated_at = $1 WHERE id IN
           (SELECT task_id FROM intent WHERE state = 'armed' AND expected_date IS NOT NULL)",
        wall
    )?;
    // The same lost commit marked the approval that one of them carries.
    exec!(
        tx,
        "UPDATE question SET sent_at = $1, intent_id = intent.id FROM intent
         WHERE intent.state = 'armed' AND intent.task_id = question.task_id AND intent.target_facility = question.facility
           AND intent.target_date = question.day AND question.answered_at IS NOT NULL AND question.sent_at IS NULL
           AND question.outcome IS NULL",
        wall
    )?;
    // Two of them may target one slot, so neither keeps other tasks from it.
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

/// Key in the evidence of an attempt whose target time was lost.
const TIME_UNKNOWN: &str = "time_unknown";

/// Records the time and the fingerprint appointment of a confirmed booking if the database had lost
/// them.
pub async fn learn_time(tx: &mut Tx, attempt: &BookingAttempt, booked: Appointment) -> Result<(), Error> {
    if !attempt.is_time_unknown() {
        return Ok(());
    }
    let mut evidence = attempt.evidence.clone();
    if let Some(evidence) = evidence.as_object_mut() {
        evidence.remove(TIME_UNKNOWN);
    }
    exec!(
        tx,
        "UPDATE intent SET target_time = $2, evidence = $3, target_fingerprints_city = $4,
           target_fingerprints_date = $5, target_fingerprints_time = $6 WHERE id = $1",
        attempt.id.0,
        time_text(booked.consular.time),
        evidence,
        booked.fingerprints.map(|slot| slot.city.to_string()),
        booked.fingerprints.map(|slot| slot.date),
        booked.fingerprints.map(|slot| time_text(slot.time))
    )?;
    Ok(())
}

impl BookingAttempt {
    /// Returns `true` if the database lost the target time. The time in `target` is meaningless
    /// then.
    #[must_use]
    pub fn is_time_unknown(&self) -> bool {
        self.evidence[TIME_UNKNOWN] == true
    }

    /// Applies the result of the POST, as [`set_evidence`] writes it.
    pub fn end_post(&mut self, evidence: &PostEvent, t0: Instant) {
        let time_unknown = self.is_time_unknown();
        self.evidence = json!(evidence);
        if time_unknown {
            self.evidence[TIME_UNKNOWN] = json!(true);
        }
        self.t0 = Some(t0);
    }

    /// Returns the target of the attempt, after a page showed `shown`. If the exact time was lost,
    /// any time on that date in that city counts as the sent one, unless a fingerprint appointment
    /// may belong to it. This ends once the attempt is found not to have booked: a later booking
    /// there was made by the user.
    #[must_use]
    pub fn expected_target(&self, target: Appointment, shown: &ObservedState) -> Appointment {
        let day_of = |held: &Appointment| (held.consular.facility, held.consular.date);
        match shown {
            ObservedState::Appointment { appointment }
                if self.is_time_unknown()
                    && !matches!(self.state, AttemptState::Refused | AttemptState::NotBooked)
                    && day_of(appointment) == day_of(&target)
                    && self.is_interview_only(appointment)
                    && Some(*appointment) != self.expected =>
            {
                *appointment
            }
            _ => target,
        }
    }

    /// Returns `true` if no fingerprint appointment can belong to the booking. Where one can, the
    /// lost one is not known, so no page shows that both were booked.
    fn is_interview_only(&self, shown: &Appointment) -> bool {
        let has_fingerprints = |held: &Appointment| held.fingerprints.is_some();
        let may_ask =
            matches!(self.country.country().fingerprints, Some(Fingerprints::Yes | Fingerprints::Varies));
        !may_ask && !has_fingerprints(shown) && !self.expected.as_ref().is_some_and(has_fingerprints)
    }
}
