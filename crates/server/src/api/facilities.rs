//! Endpoint `GET /facilities`.

use axum::extract::State;
use domain::country::city::City;
use domain::country::{Changes, Country, CountryCode, countries};
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
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
    /// `true` if the state is `open`.
    available: bool,
    /// State of the country.
    state: CountryState,
    /// Address of the appointment system that the country uses instead; null if it is not known.
    #[serde(rename = "officialSite")]
    official_site: Option<&'static str>,
    /// Number of reschedules that one application has for life; null if a new fee renews them, or
    /// if there is no limit.
    #[serde(rename = "lifeLimit")]
    life_limit: Option<u32>,
    facilities: Vec<FacilityView>,
}

/// State of a country.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CountryState {
    /// Appointments can be monitored.
    Open,
    /// The portal serves the country, and this operator could open it.
    Known,
    /// The portal serves the country, but this version cannot book there.
    NotBookable,
    /// The country uses another appointment system, which is not served.
    OtherSystem,
    /// The portal no longer serves the country.
    Ended,
}

/// A city with a consulate.
#[derive(Serialize, ToSchema)]
pub struct FacilityView {
    /// The portal's number of the city; null if it is not known yet.
    id: Option<u16>,
    #[serde(rename = "nameEn")]
    name_en: &'static str,
    #[serde(rename = "nameZh")]
    name_zh: &'static str,
    /// `true` if fingerprint appointments are known to be given in the city.
    fingerprints: bool,
    /// IANA time zone of the city's appointments; null if its number is not known yet.
    zone: Option<&'static str>,
}

/// Returns the countries and their consular cities.
#[utoipa::path(get, path = "/facilities", tag = "meta", responses((status = 200, body = Envelope<Countries>)))]
pub async fn get_facilities(State(app): State<AppState>) -> Answer<Countries> {
    let open = &app.settings.countries;
    ok(Countries { countries: countries().iter().map(|country| country_view(country, open)).collect() })
}

fn country_view(country: &Country, open: &[CountryCode]) -> CountryView {
    let state = match country.state {
        domain::country::CountryState::Served if open.contains(&country.code) => CountryState::Open,
        domain::country::CountryState::Served if country.is_bookable() => CountryState::Known,
        domain::country::CountryState::Served => CountryState::NotBookable,
        domain::country::CountryState::OtherSystem => CountryState::OtherSystem,
        domain::country::CountryState::Ended => CountryState::Ended,
    };
    CountryView {
        code: country.code,
        name_en: country.name_en,
        name_zh: country.name_zh,
        available: state == CountryState::Open,
        state,
        official_site: country.official_site,
        life_limit: match country.changes {
            Changes::Count(count) if country.is_limit_for_life => Some(count),
            _ => None,
        },
        facilities: country.cities.iter().map(facility_view).collect(),
    }
}

fn facility_view(city: &City) -> FacilityView {
    let facility = city.facility();
    FacilityView {
        id: facility.map(|facility| facility.id.number()),
        name_en: city.name_en,
        name_zh: city.name_zh,
        fingerprints: city.gives_fingerprints,
        zone: facility.map(|facility| facility.zone.name()),
    }
}
