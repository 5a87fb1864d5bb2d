//! Choice of the fingerprint appointment that a booking form asks for beside an interview.
//!
//! The portal's lists depend on the time of the interview. They are read after its times and before
//! the attempt is marked as sending. The client repeats a request once after a 502, so one more
//! than [`MOST_REQUESTS`] can be sent.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::booking;
use domain::budget::Spend;
use domain::clock::Instant;
use domain::country::city::CityId;
use domain::fingerprints::fingerprint_days;
use domain::journal::GoneReason;
use portal::pages::appointment::{AppointmentForm, FingerprintPlace, Fingerprints};
use portal::{CannotFill, PortalError, Session};
use store::task::Task;

use crate::JobError;
use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::model::openings::TryOutcome;

/// Number of requests for the lists of one booking try after which no further one begins.
const MOST_REQUESTS: u32 = 4;
/// Maximum number of dates of one list whose times are requested.
const MOST_DAYS: usize = 2;
/// Time that must remain for a request.
const TIME_TO_ASK: TimeDelta = TimeDelta::seconds(1);

/// Number of polls that a try with a fingerprint appointment needs: the times of the interview, and
/// the dates and times of the fingerprint appointment.
pub(crate) const POLLS_OF_A_PAIR: u32 = 3;

/// Returns `true` if the form will probably ask for fingerprints: the group holds a fingerprint
/// appointment.
pub(crate) fn are_expected(task: &Task) -> bool {
    task.booked.is_some_and(|held| held.fingerprints.is_some())
}

/// Returns `true` if a server of an older build runs. It could take half a pair for a booking.
pub(crate) async fn is_older_build_running(gateway: &Gateway, task: &Task) -> Result<bool, JobError> {
    let mut tx = gateway.records.db.read().await?;
    let all_know = store::node::all_know_fingerprints(&mut tx, gateway.records.wall.now()).await?;
    if !all_know {
        tracing::warn!(task = %task.id, "not booking: a server of an older build cannot read back a fingerprint appointment");
    }
    Ok(!all_know)
}

/// Reason why no appointment with fingerprints can be chosen.
pub(crate) enum NoPair {
    /// The form cannot be filled in.
    CannotFill(CannotFill),
    /// No fingerprint appointment belongs to the interview. The try ends with this outcome.
    Gone(GoneReason, TryOutcome),
    /// A server of an older build could take half a pair for a booking.
    OlderBuild,
    Failed(JobError),
}

impl From<CannotFill> for NoPair {
    fn from(why: CannotFill) -> Self {
        Self::CannotFill(why)
    }
}

impl From<JobError> for NoPair {
    fn from(error: JobError) -> Self {
        Self::Failed(error)
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
        let nothing = NoPair::Gone(GoneReason::NoTimes, TryOutcome::NothingThere);
        let best = interviews.first().copied().ok_or(nothing)?;
        self.form.require_offer(best.facility)?;
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
        if is_older_build_running(self.gateway, self.task).await? {
            return Err(NoPair::OlderBuild);
        }
        if self.form.fingerprint_places(best.facility.facility().country).is_empty() {
            return Err(CannotFill::FingerprintsNotOffered.into());
        }
        let wanted = self.task.criteria.as_ref().and_then(|criteria| criteria.fingerprints.as_ref());
        let wanted = wanted.map_or(&[][..], |wanted| &wanted.cities);
        let places = self.form.fingerprint_places_for(best.facility, present, wanted);
        if places.is_empty() && !wanted.is_empty() {
            return Err(NoPair::Gone(GoneReason::FingerprintsNotWanted, TryOutcome::NoFingerprintsFit));
        }
        let mut lists = Lists { choice: self, made: 0 };
        let (why, outcome) = match lists.search(interviews, &places).await? {
            Search::Found(appointment) => return Ok(appointment),
            Search::Unwanted => (GoneReason::FingerprintsNotWanted, TryOutcome::NoFingerprintsFit),
            Search::Incomplete => (GoneReason::FingerprintsUnread, TryOutcome::NoFingerprintsFit),
            Search::Nothing if !wanted.is_empty() => {
                (GoneReason::NoFingerprints, TryOutcome::NoFingerprintsFit)
            }
            Search::Nothing => (GoneReason::NoFingerprints, TryOutcome::NoFingerprints),
        };
        Err(NoPair::Gone(why, outcome))
    }
}

/// Result of a search in the lists.
enum Search<T> {
    Found(T),
    /// There are appointments, but the task accepts none of them.
    Unwanted,
    /// Not all lists were read.
    Incomplete,
    Nothing,
}

/// The fingerprint lists that one booking try reads.
struct Lists<'a> {
    choice: &'a PairChoice<'a>,
    /// Number of requests made for them.
    made: u32,
}

impl Lists<'_> {
    /// Searches the lists for a fingerprint appointment that the task accepts, before one of the
    /// interviews. The places are in order of preference.
    async fn search(
        &mut self,
        interviews: &[Slot],
        places: &[(CityId, &FingerprintPlace)],
    ) -> Result<Search<Appointment>, NoPair> {
        let (mut is_unwanted, mut is_incomplete) = (false, false);
        for interview in interviews {
            for (city, place) in places {
                // A list of dates is of no use without a list of times.
                if self.requests_left() < 2 {
                    is_incomplete = true;
                    break;
                }
                match self.search_place(interview, *city, place.id).await? {
                    Search::Found(slot) => {
                        let fingerprints = Some(slot);
                        return Ok(Search::Found(Appointment { consular: *interview, fingerprints }));
                    }
                    Search::Unwanted => is_unwanted = true,
                    Search::Incomplete => is_incomplete = true,
                    Search::Nothing => {}
                }
            }
            // A date without fingerprint dates usually has none for its other times either, and the
            // account needs its polls to watch its cities.
            if !is_unwanted && !is_incomplete {
                break;
            }
        }
        Ok(if is_incomplete {
            Search::Incomplete
        } else if is_unwanted {
            Search::Unwanted
        } else {
            Search::Nothing
        })
    }

    /// Searches the lists of one place before one interview.
    async fn search_place(
        &mut self,
        interview: &Slot,
        city: CityId,
        place: u16,
    ) -> Result<Search<FingerprintSlot>, NoPair> {
        let Some(criteria) = self.choice.task.criteria.as_ref() else { return Err(JobError::Gone.into()) };
        let now = self.choice.gateway.records.portal_time.now();
        let listed = self.days(interview, place).await?;
        let accepted = fingerprint_days(&listed, interview, city, criteria, now);
        let mut is_unwanted = accepted.is_empty() && listed.iter().any(|day| *day < interview.date);
        for (tried, date) in accepted.into_iter().enumerate() {
            if tried == MOST_DAYS || self.requests_left() == 0 {
                return Ok(Search::Incomplete);
            }
            let times = self.times(interview, place, date).await?;
            let ahead = booking::times_ahead(&times, city.zone(), date, now);
            if let Some(time) = booking::choose_time(&ahead, &[], 0, criteria.times) {
                return Ok(Search::Found(FingerprintSlot { city, date, time }));
            }
            is_unwanted |= !ahead.is_empty();
        }
        Ok(if is_unwanted { Search::Unwanted } else { Search::Nothing })
    }

    async fn days(&mut self, interview: &Slot, place: u16) -> Result<Vec<NaiveDate>, NoPair> {
        self.require_time_and_budget()?;
        let PairChoice { gateway, lease, session, task, .. } = self.choice;
        let group = &task.portal_schedule_id;
        let listed = gateway.client.fingerprint_days(&lease.meter, session, group, place, interview).await;
        self.read(listed).await
    }

    async fn times(
        &mut self,
        interview: &Slot,
        place: u16,
        date: NaiveDate,
    ) -> Result<Vec<NaiveTime>, NoPair> {
        self.require_time_and_budget()?;
        let PairChoice { gateway, lease, session, task, .. } = self.choice;
        let group = &task.portal_schedule_id;
        let listed =
            gateway.client.fingerprint_times(&lease.meter, session, group, place, date, interview).await;
        self.read(listed).await
    }

    /// Counts the requests made, and returns the list that was read.
    async fn read<T>(&mut self, listed: Result<T, PortalError>) -> Result<T, NoPair> {
        let PairChoice { gateway, lease, task, .. } = self.choice;
        self.made += lease.meter.spent().requests;
        lease.settle_budget(gateway.records.portal_time.now());
        match listed {
            Ok(listed) => Ok(listed),
            Err(unread @ PortalError::LayoutChanged(_)) => {
                crate::persist::parse_failure::record_parse_failure(&gateway.records, &unread).await;
                Err(NoPair::Gone(GoneReason::FingerprintsUnread, TryOutcome::NoFingerprintsFit))
            }
            // These lists often fail while the other pages work, so the host is not blamed. A wait
            // that the portal requests is kept.
            Err(
                error @ (PortalError::Overloaded { retry_after: None, .. }
                | PortalError::Busy(_)
                | PortalError::Timeout),
            ) => {
                tracing::info!(%error, task = %task.id, "failed to read the fingerprint lists of a date");
                Err(NoPair::Gone(GoneReason::FingerprintsUnread, TryOutcome::Hindered))
            }
            Err(error) => Err(JobError::from(error).into()),
        }
    }

    fn requests_left(&self) -> u32 {
        MOST_REQUESTS.saturating_sub(self.made)
    }

    /// Checks that a further list may be requested: that the other pages will not be too old when
    /// it is read, and that the account may make the request.
    fn require_time_and_budget(&self) -> Result<(), NoPair> {
        let PairChoice { gateway, lease, stale_at, .. } = self.choice;
        if gateway.records.wall.now() + TIME_TO_ASK >= *stale_at {
            return Err(NoPair::Gone(GoneReason::FingerprintsUnread, TryOutcome::Hindered));
        }
        Ok(lease.allowed(Spend::BookingPoll, gateway.records.portal_time.now())?)
    }
}
