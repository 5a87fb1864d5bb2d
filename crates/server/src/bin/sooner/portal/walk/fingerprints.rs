//! The step of a walk that reads the fingerprint dates before an interview.

use chrono::NaiveDate;
use domain::appointment::Slot;
use domain::facility::FacilityId;
use portal::PageKind;
use portal::pages::appointment::{AppointmentForm, Fingerprints};

use super::{Halt, POLL, Stop, Visit, Walk};

impl Walk {
    /// Reads the list of fingerprint dates before an interview, if the form asks for a fingerprint
    /// appointment. Without a time of the interview there is no list to read.
    pub(super) async fn fingerprints(
        &mut self,
        visit: &Visit<'_>,
        form: &AppointmentForm,
        city: FacilityId,
        interview: Option<Slot>,
    ) -> Result<(), Halt> {
        match form.fingerprints_for(city) {
            // Unknown fields were reported with the form.
            Fingerprints::NotAsked | Fingerprints::Unknown => return Ok(()),
            Fingerprints::AtConsulate => {
                let reason = format!(
                    "The consulate in {} takes the fingerprints itself, and this version does not book there.",
                    city.name()
                );
                self.defer(Stop::known("form", reason));
                return Ok(());
            }
            Fingerprints::Asked => {}
        }
        let places = form.fingerprint_places_for(city, None, &[]);
        let Some((place, option)) = places.first().copied() else {
            let reason = "The form offers no place for fingerprints in a known city.";
            self.defer(Stop::known("form", reason));
            return Ok(());
        };
        let Some(interview) = interview else { return Ok(()) };
        let (client, meter) = (self.client.clone(), self.meter.clone());
        let listed = client.fingerprint_days(&meter, visit.session, &visit.id, option.id, &interview);
        let (days, page) = self.step("fingerprint_days", POLL, listed).await?;
        let in_words = |days: &Vec<NaiveDate>| match days.last() {
            Some(last) => format!("{}: {} dates, the last {last}", place.name(), days.len()),
            None => format!("{}: no date before {}", place.name(), interview.date),
        };
        self.add("fingerprint_days", PageKind::FingerprintDays, page, days, in_words).map(|_| ())
    }
}
