//! Cities in the lists of the countries, with or without a number at the portal.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::CountryCode;
use super::facility::Facility;
use crate::text::fold;

/// A city in the list of a country.
#[derive(Debug)]
pub struct City {
    /// English name.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// `true` if fingerprint appointments are known to be given in the city.
    pub gives_fingerprints: bool,
    /// Time zone of the appointments.
    pub(super) zone: Option<Tz>,
    /// The city as the portal knows it, once its number is known.
    pub(super) facility: OnceLock<Facility>,
    /// Place where the number of the table was seen.
    pub seen: Option<super::Seen>,
}

impl City {
    /// Returns the city as the portal knows it; `None` if its number is not known.
    #[must_use]
    pub fn facility(&self) -> Option<&Facility> {
        self.facility.get()
    }

    /// Returns `true` if `name` is the Chinese name, or `folded` the English name in unaccented
    /// lower-case letters.
    pub(super) fn is_named(&self, name: &str, folded: &str) -> bool {
        self.name_zh == name || fold(self.name_en) == folded
    }
}

/// Identifier of a city with a time zone in the list of a country, written `en-co/Bogota`. No other
/// city is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CityId {
    country: CountryCode,
    /// Position in the list of the country.
    position: u8,
}

/// Error for a text that names no city of a country.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no known city")]
pub struct UnknownCity;

impl CityId {
    /// Returns the city of a country that `name` means in English or Chinese. Case and accents do
    /// not matter.
    #[must_use]
    pub fn in_country(country: CountryCode, name: &str) -> Option<Self> {
        let (name, folded) = (name.trim(), fold(name.trim()));
        let is_it = |city: &City| city.zone.is_some() && city.is_named(name, &folded);
        let position = country.country().cities.iter().position(is_it)?;
        Some(Self { country, position: u8::try_from(position).ok()? })
    }

    /// Returns the city of the country's list.
    ///
    /// # Panics
    /// Never panics: every constructible id is a position of the list.
    #[must_use]
    pub fn city(self) -> &'static City {
        &self.country.country().cities[usize::from(self.position)]
    }

    /// Returns the English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.city().name_en
    }

    /// Returns the time zone of the appointments.
    ///
    /// # Panics
    /// Never panics: every constructible id has a zone.
    #[must_use]
    pub fn zone(self) -> Tz {
        self.city().zone.expect("a city with a zone")
    }
}

impl fmt::Display for CityId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.country, self.name())
    }
}

impl FromStr for CityId {
    type Err = UnknownCity;

    fn from_str(text: &str) -> Result<Self, UnknownCity> {
        let (country, name) = text.split_once('/').ok_or(UnknownCity)?;
        let country = country.parse().map_err(|_| UnknownCity)?;
        Self::in_country(country, name).ok_or(UnknownCity)
    }
}

impl TryFrom<String> for CityId {
    type Error = UnknownCity;

    fn try_from(text: String) -> Result<Self, UnknownCity> {
        text.parse()
    }
}

impl From<CityId> for String {
    fn from(city: CityId) -> Self {
        city.to_string()
    }
}
