//! Choice of the fingerprint appointment that a booking form asks for beside an interview.
//!
//! The portal's lists depend on the time of the interview. They are read after its times and before
//! the attempt is marked as sending. The client repeats a request once after a 502, so one more
//! than [`MOST_REQUESTS`] can be sent.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::booking;
use domain::clock::Instant;
use domain::country::city::CityId;
use domain::fingerprints::fingerprint_days;
use domain::journal::GoneReason;
use portal::pages::appointment::{AppointmentForm, Fingerprints};
use portal::{CannotFill, PortalError, Session};
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;

/// Number of requests for the lists of one booking try after which no further one begins.
const MOST_REQUESTS: u32 = 4;
/// Maximum number of dates of one list whose times are requested.
const MOST_DAYS: usize = 2;
/// Time that must remain for a request.
const TIME_TO_ASK: TimeDelta = TimeDelta::seconds(1);

/// Reason why no appointment with fingerprints can be chosen.
pub(crate) enum NoPair {
    /// The form cannot be filled in.
    CannotFill(CannotFill),
    /// No fingerprint appointment belongs to the interview.
    Gone(GoneReason),
    Failed(JobError),
}

impl From<CannotFill> for NoPair {
    fn from(why: CannotFill) -> Self {
        Self::CannotFill(why)
    }
}

/// Facts of a booking try from which the appointment is chosen.
pub(crate) struct PairChoice<'a> {
    pub gateway: &'a Gateway,
    pub lease: &'a AccountLease,
    pub session: &'a Session,
    pub task: &'a Task,
    /// Appointment that the group holds.
    pub held: Option<&'a Appointment>,
    pub form: &'a AppointmentForm,
    /// Wall time from which nothing may be sent.
    pub stale_at: Instant,
}

impl PairChoice<'_> {
    /// Returns the appointment to book: the best of `interviews`, with a fingerprint appointment if
    /// the form asks for one. Takes the next interview if none belongs to the best. All interviews
    /// are at one consulate.
    pub async fn choose(&self, interviews: &[Slot]) -> Result<Appointment, NoPair> {
        let best = interviews.first().copied().ok_or(NoPair::Gone(GoneReason::NoTimes))?;
        let present = self.held.and_then(|held| held.fingerprints).map(|slot| slot.city);
        match self.form.fingerprints_for(best.facility) {
            // What this form does to the present fingerprint appointment is not known.
            Fingerprints::NotAsked if present.is_some() => {
                return Err(CannotFill::UnknownFingerprintFields.into());
            }
            Fingerprints::NotAsked => return Ok(best.into()),
            Fingerprints::AtConsulate => return Err(CannotFill::FingerprintsAtConsulate.into()),
            Fingerprints::Unknown => return Err(CannotFill::UnknownFingerprintFields.into()),
            Fingerprints::Asked => {}
        }
        let place = self.form.fingerprint_place(best.facility, present);
        let (city, place) = place.ok_or(CannotFill::FingerprintsNotOffered)?;
        let begun = self.lease.meter.spent().requests;
        let lists = Lists { choice: self, city, place: place.id, begun };
        match lists.search(interviews).await {
            Ok(found) => found.map_err(NoPair::Gone),
            Err(unread @ PortalError::LayoutChanged(_)) => {
                crate::persist::parse_failure::record_parse_failure(&self.gateway.records, &unread).await;
                Err(NoPair::Gone(GoneReason::FingerprintsUnread))
            }
            // These lists often fail while the other pages work, so the host is not blamed. A wait
            // that the portal requests is kept.
            Err(
                error @ (PortalError::Overloaded { retry_after: None, .. }
                | PortalError::Busy(_)
                | PortalError::Timeout),
            ) => {
                tracing::info!(%error, task = %self.task.id, "failed to read the fingerprint lists of a date");
                Err(NoPair::Gone(GoneReason::FingerprintsUnread))
            }
            Err(error) => Err(NoPair::Failed(error.into())),
        }
    }
}

/// The lists of one fingerprint place.
struct Lists<'a> {
    choice: &'a PairChoice<'a>,
    city: CityId,
    /// The portal's number of the place.
    place: u16,
    /// Number of requests that the account had made before.
    begun: u32,
}

impl Lists<'_> {
    /// Searches the lists for a fingerprint appointment that the task accepts, before one of the
    /// interviews.
    async fn search(&self, interviews: &[Slot]) -> Result<Result<Appointment, GoneReason>, PortalError> {
        let mut why = GoneReason::NoFingerprints;
        let Some(criteria) = self.choice.task.criteria.as_ref() else { return Ok(Err(why)) };
        let city = self.city;
        let now = self.choice.gateway.records.portal_time.now();
        for interview in interviews {
            // A list of dates is of no use without a list of times.
            if self.requests_left() < 2 {
                break;
            }
            if self.is_late() {
                return Ok(Err(GoneReason::FingerprintsUnread));
            }
            let listed = self.days(interview).await?;
            let accepted = fingerprint_days(&listed, interview, city, criteria, now);
            if accepted.is_empty() && !listed.is_empty() {
                why = GoneReason::FingerprintsNotWanted;
            }
            for date in accepted.into_iter().take(MOST_DAYS) {
                if self.requests_left() == 0 {
                    break;
                }
                if self.is_late() {
                    return Ok(Err(GoneReason::FingerprintsUnread));
                }
                let times = self.times(interview, date).await?;
                let ahead = booking::times_ahead(&times, city.zone(), date, now);
                if let Some(time) = booking::choose_time(&ahead, &[], 0, criteria.times) {
                    let fingerprints = Some(FingerprintSlot { city, date, time });
                    return Ok(Ok(Appointment { consular: *interview, fingerprints }));
                }
                if !ahead.is_empty() {
                    why = GoneReason::FingerprintsNotWanted;
                }
            }
        }
        Ok(Err(why))
    }

    async fn days(&self, interview: &Slot) -> Result<Vec<NaiveDate>, PortalError> {
        let PairChoice { gateway, lease, session, task, .. } = self.choice;
        let group = &task.portal_schedule_id;
        gateway.client.fingerprint_days(&lease.meter, session, group, self.place, interview).await
    }

    async fn times(&self, interview: &Slot, date: NaiveDate) -> Result<Vec<NaiveTime>, PortalError> {
        let PairChoice { gateway, lease, session, task, .. } = self.choice;
        let group = &task.portal_schedule_id;
        gateway.client.fingerprint_times(&lease.meter, session, group, self.place, date, interview).await
    }

    fn requests_left(&self) -> u32 {
        let made = self.choice.lease.meter.spent().requests.saturating_sub(self.begun);
        MOST_REQUESTS.saturating_sub(made)
    }

    /// Returns `true` if the other pages will be too old when a further list is read.
    fn is_late(&self) -> bool {
        self.choice.gateway.records.wall.now() + TIME_TO_ASK >= self.choice.stale_at
    }
}
