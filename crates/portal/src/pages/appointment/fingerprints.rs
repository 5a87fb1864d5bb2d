//! Fields of the booking form for a fingerprint (ASC) appointment.
//!
//! A fingerprint appointment is asked for if the form has these fields and the chosen consulate
//! does not take the fingerprints itself. This differs between the consulates of a country.

use super::AppointmentForm;
use crate::html::{attr, sel, text};
use crate::ids::fingerprint_city;
use domain::country::CountryCode;
use domain::country::city::CityId;
use domain::facility::FacilityId;
use scraper::ElementRef;
use serde::Serialize;

/// Beginning of the names of all fields for the fingerprint appointment.
pub(crate) const FIELDS: &str = "appointments[asc_appointment]";

/// The fields for a fingerprint appointment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FingerprintFields {
    /// Places in the order of the form.
    pub places: Vec<FingerprintPlace>,
    /// `true` if the fields are the known ones: place, date and time, none of them optional.
    pub is_known: bool,
}

/// A place for fingerprint appointments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FingerprintPlace {
    /// The portal's number of the place.
    pub id: u16,
    /// Name of the city, without the word ASC and the words after it.
    pub city: String,
    /// `true` if the form preselects the place.
    pub is_preselected: bool,
}

/// Demand of a form for a fingerprint appointment beside an interview at a consulate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fingerprints {
    /// No.
    NotAsked,
    /// Yes.
    Asked,
    /// The consulate takes the fingerprints itself. No request of a browser is known for this case.
    AtConsulate,
    /// The form has unknown fields for it.
    Unknown,
}

/// Reads the fields. Returns `None` if the form has none.
pub(super) fn read(form: ElementRef<'_>) -> Result<Option<FingerprintFields>, &'static str> {
    if form.select(sel!("[name^='appointments[asc_appointment]']")).next().is_none() {
        return Ok(None);
    }
    let mut places = Vec::new();
    for option in form.select(sel!("select[name='appointments[asc_appointment][facility_id]'] option")) {
        let Some(value) = attr(option, "value") else {
            continue;
        };
        places.push(FingerprintPlace {
            id: value.parse().map_err(|_| "a fingerprint place whose id is not a number")?,
            city: fingerprint_city(&text(option)),
            is_preselected: option.value().attr("selected").is_some(),
        });
    }
    let has = |selector| form.select(selector).next().is_some();
    let is_known = has(sel!("[name='appointments[asc_appointment][date]']"))
        && has(sel!("[name='appointments[asc_appointment][time]']"))
        // In such forms the page's script asks by other rules, which are not known.
        && !has(sel!("#collect_biometrics_at_consulate, #asc_left [name^='appointments[consulate_appointment]']"))
        && !places.is_empty();
    Ok(Some(FingerprintFields { places, is_known }))
}

impl AppointmentForm {
    /// Returns whether the form asks for a fingerprint appointment beside an interview at this
    /// consulate.
    #[must_use]
    pub fn fingerprints_for(&self, consulate: FacilityId) -> Fingerprints {
        let Some(fields) = &self.fingerprints else { return Fingerprints::NotAsked };
        let is_taken_there =
            |offered: &super::FormFacility| offered.id == consulate.number() && offered.takes_fingerprints;
        if !fields.is_known {
            return Fingerprints::Unknown;
        }
        if self.facilities.iter().any(is_taken_there) {
            return Fingerprints::AtConsulate;
        }
        Fingerprints::Asked
    }

    /// Returns the fingerprint places that the form offers in known cities of a country. Two places
    /// in one city are left out, because the pages of the account do not distinguish them.
    #[must_use]
    pub fn fingerprint_places(&self, country: CountryCode) -> Vec<(CityId, &FingerprintPlace)> {
        let offered = self.fingerprints.iter().flat_map(|fields| &fields.places);
        let known: Vec<_> =
            offered.filter_map(|place| Some((CityId::in_country(country, &place.city)?, place))).collect();
        let is_once = |city: CityId| known.iter().filter(|(other, _)| *other == city).count() == 1;
        known.iter().copied().filter(|(city, _)| is_once(*city)).collect()
    }

    /// Returns the fingerprint places for an interview at this consulate in order of preference:
    /// those in the `wanted` cities. If no city is wanted, the place in the same city, else the one
    /// that the form preselects, else the one in the city of the present fingerprint appointment.
    #[must_use]
    pub fn fingerprint_places_for(
        &self,
        consulate: FacilityId,
        held: Option<CityId>,
        wanted: &[CityId],
    ) -> Vec<(CityId, &FingerprintPlace)> {
        let offered = self.fingerprint_places(consulate.facility().country);
        if !wanted.is_empty() {
            let place_in = |city: &CityId| offered.iter().find(|(offered, _)| offered == city).copied();
            return wanted.iter().filter_map(place_in).collect();
        }
        let beside = offered.iter().find(|(city, _)| city.name() == consulate.name());
        let preselected = || offered.iter().find(|(_, place)| place.is_preselected);
        let present = || offered.iter().find(|(city, _)| held == Some(*city));
        beside.or_else(preselected).or_else(present).copied().into_iter().collect()
    }
}
