//! Countries and halves of the portal.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use utoipa::ToSchema;

pub mod city;
pub mod facility;
mod table;

use city::City;
use facility::{Facility, FacilityId};

/// A country of [`countries`], written as the portal's locale, language first, e.g. `en-ca`. No
/// other code is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "&'static str")]
#[schema(value_type = String, pattern = "^[a-z]{2}-[a-z]{2}$", example = "en-ca")]
pub struct CountryCode(u8);

/// Error for a code of no country in [`countries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no known country")]
pub struct UnknownCountry;

/// A half of the portal.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    ToSchema,
    strum::Display,
    strum::EnumString,
    strum::IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum VisaType {
    /// Non-immigrant (`/niv`).
    #[default]
    Niv,
    /// Immigrant (`/iv`).
    Iv,
}

/// State of a country on the portal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CountryState {
    /// The portal serves the country.
    Served,
    /// The country uses another appointment system.
    OtherSystem,
    /// The portal no longer serves the country.
    Ended,
}

/// Number of reschedules that a country allows for one application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changes {
    /// As many as this number.
    Count(u32),
    /// Any number.
    Unlimited,
    /// Not known.
    Unknown,
}

/// Cities of a country whose booking form asks for a fingerprint appointment too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fingerprints {
    /// None.
    No,
    /// All.
    Yes,
    /// Some.
    Varies,
}

/// Place where the number of a city was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seen {
    /// In a page of the portal.
    Captured,
    /// In a working public client.
    ClientCode,
}

/// A country.
#[derive(Debug)]
pub struct Country {
    /// The portal's code.
    pub code: CountryCode,
    /// Locale of the portal's addresses, e.g. `en-ca`.
    pub(crate) locale: &'static str,
    /// English name.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// State on the portal.
    pub state: CountryState,
    /// Address of the other appointment system, if known.
    pub official_site: Option<&'static str>,
    /// Number of reschedules allowed.
    pub changes: Changes,
    /// `true` if a new fee does not renew the reschedules.
    pub is_limit_for_life: bool,
    /// Cities that ask for fingerprint appointments, if known.
    pub fingerprints: Option<Fingerprints>,
    /// Reason for which this version cannot book there.
    pub obstacle: Option<&'static str>,
    /// Sources of these facts.
    pub sources: Vec<&'static str>,
    /// The cities with visa interviews.
    pub cities: Vec<City>,
}

/// Returns the countries in the order of the product's list.
#[must_use]
pub fn countries() -> &'static [Country] {
    table::countries()
}

/// Returns the city with this number.
fn facility_with(number: u16) -> Option<&'static Facility> {
    table::facility(number)
}

/// Error for a number that cannot be the number of a city.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotNumbered {
    /// The country has no city of this name with a time zone.
    #[error("the country has no such city")]
    UnknownCity,
    /// Another city has the number, or the city has another number.
    #[error("the city or the number is taken")]
    Taken,
}

/// Records the portal's number of a city that the table names without one. It stays until the
/// process ends. Recording it again changes nothing.
///
/// # Errors
/// Returns an error for an unknown city, and for a number that contradicts a known one.
pub fn set_number(country: CountryCode, city: &str, number: u16) -> Result<FacilityId, NotNumbered> {
    table::set_number(country, city, number)
}

impl Country {
    /// Returns `true` if this version can book in the country, as far as known. Numbers that the
    /// table lacks are read from the form of the first account.
    #[must_use]
    pub fn is_bookable(&self) -> bool {
        self.state == CountryState::Served && self.obstacle.is_none()
    }

    /// Returns `true` if a fact is unknown that a booking form shows: the number of a city, or
    /// whether the form asks for fingerprint appointments too.
    #[must_use]
    pub fn needs_a_form(&self) -> bool {
        self.fingerprints.is_none() || self.cities.iter().any(|city| city.facility().is_none())
    }

    /// Returns the cities with a known number.
    pub fn facilities(&self) -> impl Iterator<Item = &Facility> {
        self.cities.iter().filter_map(City::facility)
    }

    /// Returns the cities without a known number for which a booking form shows one: the number and
    /// the city's English name. `offered` are the form's numbers and names. A city that the form
    /// shows twice is left out, and so is a number that cannot be known.
    pub fn unnumbered<'a>(
        &'static self,
        offered: impl Iterator<Item = (u16, &'a str)>,
    ) -> Vec<(u16, &'static str)> {
        let without_number = |name: &str| {
            let found = self.city(name).filter(|city| city.facility().is_none());
            found.map(|city| city.name_en)
        };
        let cities: Vec<_> =
            offered.filter_map(|(number, name)| Some((number, without_number(name)?))).collect();
        let is_free = |number: u16| table::may_be_known(number) && facility_with(number).is_none();
        let is_once = |name: &str| cities.iter().filter(|(_, other)| *other == name).count() == 1;
        cities.iter().copied().filter(|(number, name)| is_free(*number) && is_once(name)).collect()
    }

    /// Returns the city that `name` means in English or Chinese.
    fn city(&self, name: &str) -> Option<&City> {
        let (name, folded) = (name.trim(), crate::text::fold(name.trim()));
        self.cities.iter().find(|city| city.is_named(name, &folded))
    }
}

impl CountryCode {
    /// Canada.
    pub const CANADA: Self = Self(0);

    /// Returns the code of the country at a position of the table.
    pub(crate) const fn at(position: u8) -> Self {
        Self(position)
    }

    /// Returns the code used in the portal's URLs, the database and the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.country().locale
    }

    /// Returns the two letters of the country, e.g. `ca`.
    #[must_use]
    pub fn letters(self) -> &'static str {
        self.as_str().rsplit('-').next().unwrap_or_default()
    }

    /// Returns the country.
    ///
    /// # Panics
    /// Never panics: every constructible code is listed in [`countries`].
    #[must_use]
    pub fn country(self) -> &'static Country {
        &countries()[usize::from(self.0)]
    }
}

impl FromStr for CountryCode {
    type Err = UnknownCountry;

    fn from_str(text: &str) -> Result<Self, UnknownCountry> {
        countries()
            .iter()
            .find(|country| country.locale == text)
            .map(|country| country.code)
            .ok_or(UnknownCountry)
    }
}

impl TryFrom<String> for CountryCode {
    type Error = UnknownCountry;

    fn try_from(text: String) -> Result<Self, UnknownCountry> {
        text.parse()
    }
}

impl From<CountryCode> for &'static str {
    fn from(code: CountryCode) -> Self {
        code.as_str()
    }
}

impl fmt::Display for CountryCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl VisaType {
    /// Returns the value used in the portal's URLs, the database and the API: `niv` or `iv`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
