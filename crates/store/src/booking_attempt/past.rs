//! Facts about a group from earlier bookings: replaced appointments, open bookings, and bookings
//! that may appear late.

use chrono::NaiveDate;
use domain::appointment::Appointment;
use domain::booking::{AttemptState, ObservedState};
use domain::clock::Instant;
use domain::country::CountryCode;
use domain::ids::{PortalScheduleId, TaskId};
use serde_json::json;

use super::{BookingAttempt, Row, settle};
use crate::task::{fingerprint_slot, slot};
use crate::{Error, Tx, all, exec, one};

/// Columns of the appointment that a booking replaced.
#[derive(sqlx::FromRow)]
struct Held {
    expected_facility: Option<i32>,
    expected_date: Option<NaiveDate>,
    expected_time: Option<String>,
    expected_fingerprints_city: Option<String>,
    expected_fingerprints_date: Option<NaiveDate>,
    expected_fingerprints_time: Option<String>,
}

impl Held {
    fn appointment(self) -> Result<Option<Appointment>, Error> {
        let fingerprints = fingerprint_slot(
            self.expected_fingerprints_city.as_deref(),
            self.expected_fingerprints_date,
            self.expected_fingerprints_time.as_deref(),
        )?;
        let interview = slot(self.expected_facility, self.expected_date, self.expected_time.as_deref())?;
        Ok(interview.map(|consular| Appointment { consular, fingerprints }))
    }
}

/// Returns the appointment that a group held before the latest confirmed booking whose POST ended
/// after `since`, if there was one. The portal's groups page may still show that appointment, and a
/// second POST meanwhile may undo the first.
pub async fn lagging(
    tx: &mut Tx,
    country: CountryCode,
    group: &PortalScheduleId,
    since: Instant,
) -> Result<Option<Option<Appointment>>, Error> {
    let held = one!(
        tx,
        Held,
        "SELECT expected_facility, expected_date, expected_time, expected_fingerprints_city,
           expected_fingerprints_date, expected_fingerprints_time FROM intent
         WHERE country = $1 AND portal_schedule_id = $2 AND state = 'confirmed' AND t0 > $3
         ORDER BY t0 DESC LIMIT 1",
        country.as_str(),
        group.0.clone(),
        since
    )?;
    held.map(Held::appointment).transpose()
}

/// Returns the appointments that confirmed bookings replaced in a group, newest first. A page that
/// shows one of them may lag.
pub async fn replaced(
    tx: &mut Tx,
    country: CountryCode,
    group: &PortalScheduleId,
) -> Result<Vec<Option<Appointment>>, Error> {
    let held = all!(
        tx,
        Held,
        "SELECT expected_facility, expected_date, expected_time, expected_fingerprints_city,
           expected_fingerprints_date, expected_fingerprints_time FROM intent
         WHERE country = $1 AND portal_schedule_id = $2 AND state = 'confirmed' ORDER BY t0 DESC LIMIT 100",
        country.as_str(),
        group.0.clone()
    )?;
    held.into_iter().map(Held::appointment).collect()
}

/// Returns a task's booking that was settled as not made, or left to an operator, with a POST after
/// `since`. If the portal shows its `target` now, the portal applied it late.
pub async fn late(
    tx: &mut Tx,
    task: TaskId,
    target: Appointment,
    since: Instant,
) -> Result<Option<BookingAttempt>, Error> {
    let of_day = all!(
        tx,
        Row,
        "SELECT * FROM intent WHERE task_id = $1 AND state IN ('refused', 'not_booked', 'manual') AND t0 > $2
           AND target_facility = $3 AND target_date = $4 ORDER BY t0 DESC LIMIT 100",
        task.0,
        since,
        i32::from(target.consular.facility.number()),
        target.consular.date
    )?;
    let of_day: Vec<_> = of_day.into_iter().map(BookingAttempt::try_from).collect::<Result<_, _>>()?;
    let mut sent: Vec<_> = of_day.into_iter().filter(BookingAttempt::was_sent).collect();
    let shown = ObservedState::of(Some(target));
    let exact = sent.iter().position(|attempt| !attempt.is_time_unknown() && attempt.target == Some(target));
    // Otherwise an attempt whose target time was lost.
    let any = |attempt: &BookingAttempt| {
        attempt.target.is_some_and(|own| attempt.expected_target(own, &shown) == target)
    };
    Ok(exact.or_else(|| sent.iter().position(any)).map(|at| sent.swap_remove(at)))
}

/// Settles an attempt that no operator settled as not booked. Its reschedule stays counted, because
/// the outcome is unknown. Returns `false` if it was settled meanwhile.
pub async fn give_up(tx: &mut Tx, attempt: &BookingAttempt, now: Instant) -> Result<bool, Error> {
    let step = (AttemptState::Manual, AttemptState::NotBooked);
    if !settle(tx, attempt.id, step, &attempt.readings, now).await? {
        return Ok(false);
    }
    let mut evidence = attempt.evidence.clone();
    if let Some(evidence) = evidence.as_object_mut() {
        evidence.insert("given_up".to_owned(), json!(true));
    }
    exec!(tx, "UPDATE intent SET evidence = $2 WHERE id = $1", attempt.id.0, evidence)?;
    Ok(true)
}

/// Returns `true` if a booking of a group was sent and its outcome is still being read back.
pub async fn is_open(tx: &mut Tx, country: CountryCode, group: &PortalScheduleId) -> Result<bool, Error> {
    let open = one!(
        tx,
        (i64,),
        "SELECT CAST(1 AS BIGINT) FROM intent
         WHERE country = $1 AND portal_schedule_id = $2 AND state IN ('acting', 'unknown') LIMIT 1",
        country.as_str(),
        group.0.clone()
    )?;
    Ok(open.is_some())
}

impl BookingAttempt {
    /// Returns `true` if any byte of its POST may have been sent.
    #[must_use]
    pub fn was_sent(&self) -> bool {
        self.t0.is_some() && self.evidence["wrote"] != "Nothing"
    }

    /// Returns `true` if the task still counts a reschedule for the attempt in its current state.
    #[must_use]
    pub fn counts_as_used(&self) -> bool {
        self.expected.is_some()
            && match self.state {
                AttemptState::Refused => false,
                AttemptState::NotBooked => self.evidence["given_up"] == true,
                AttemptState::Prepared | AttemptState::Released => false,
                AttemptState::Sending
                | AttemptState::Unknown
                | AttemptState::Manual
                | AttemptState::Confirmed => true,
            }
    }
}
