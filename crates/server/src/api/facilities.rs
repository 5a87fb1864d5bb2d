//! Endpoint `GET /facilities`.

use domain::country::{COUNTRIES, Country, CountryCode};
use domain::facility::FACILITIES;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::envelope::{Answer, Envelope, ok};

/// Countries that the wizard for new tasks offers.
#[derive(Serialize, ToSchema)]
pub struct Countries {
    countries: Vec<CountryView>,
}

/// A country.
#[derive(Serialize, ToSchema)]
pub struct CountryView {
    /// Country part of the portal's locale.
    code: CountryCode,
    #[serde(rename = "nameEn")]
    name_en: &'static str,
    #[serde(rename = "nameZh")]
    name_zh: &'static str,
    /// `false` if the country is not available yet.
    available: bool,
    facilities: Vec<FacilityView>,
}

/// A city with a consulate.
#[derive(Serialize, ToSchema)]
pub struct FacilityView {
    /// The portal's number of the city; null if the city is not available yet.
    id: Option<u16>,
    #[serde(rename = "nameEn")]
    name_en: &'static str,
    #[serde(rename = "nameZh")]
    name_zh: &'static str,
    /// IANA time zone of the city's appointments; null if the city is not available yet.
    zone: Option<&'static str>,
}

/// Returns the countries and their consular cities.
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
