//! `GET /facilities`.

use domain::country::{COUNTRIES, Country, CountryCode};
use domain::facility::FACILITIES;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::envelope::{Answer, Envelope, ok};

/// The countries of the wizard.
#[derive(Serialize, ToSchema)]
pub struct Countries {
    countries: Vec<CountryView>,
}

/// One country.
#[derive(Serialize, ToSchema)]
pub struct CountryView {
    /// The portal's locale part.
    code: CountryCode,
    #[serde(rename = "nameEn")]
    name_en: &'static str,
    #[serde(rename = "nameZh")]
    name_zh: &'static str,
    /// False: coming soon.
    available: bool,
    facilities: Vec<FacilityView>,
}

/// One city.
#[derive(Serialize, ToSchema)]
pub struct FacilityView {
    /// The portal's number; null for a city that cannot be watched yet.
    id: Option<u16>,
    #[serde(rename = "nameEn")]
    name_en: &'static str,
    #[serde(rename = "nameZh")]
    name_zh: &'static str,
    /// IANA name of the zone its appointments are in; null for a city that cannot be watched yet.
    zone: Option<&'static str>,
}

/// Countries and their consular cities.
#[utoipa::path(get, path = "/facilities", tag = "meta", responses((status = 200, body = Envelope<Countries>)))]
pub async fn get_facilities() -> Answer<Countries> {
    ok(Countries { countries: COUNTRIES.iter().map(country).collect() })
}

fn country(country: &Country) -> CountryView {
    let planned = country.planned_cities.iter();
    let facilities = if country.available {
        let known = FACILITIES.iter();
        known
            .map(|f| FacilityView {
                id: Some(f.id.number()),
                name_en: f.name_en,
                name_zh: f.name_zh,
                zone: Some(f.zone.name()),
            })
            .collect()
    } else {
        planned.map(|(name_en, name_zh)| FacilityView { id: None, name_en, name_zh, zone: None }).collect()
    };
    CountryView {
        code: country.code,
        name_en: country.name_en,
        name_zh: country.name_zh,
        available: country.available,
        facilities,
    }
}
