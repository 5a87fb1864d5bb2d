//! Countries of the portal, with their consulates, limits and languages. All data about a country
//! is in this table.

use std::fmt;

use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::facility::Facility;

/// Country that the portal serves under its own locale, e.g. `/en-ie/niv`.
pub struct Country {
    /// Code in the locale, e.g. `ie`.
    pub code: &'static str,
    /// English name as in the titles of pages.
    pub name: &'static str,
    /// English name as in a sentence after "in".
    pub name_in_text: &'static str,
    /// Consulates in the order of the booking form.
    pub facilities: &'static [Facility],
    /// Limit of cancellations and reschedules. A country without one shows no limit page.
    pub limit: Option<ChangeLimit>,
    /// Codes of the languages in which pages exist, the default one first.
    pub languages: &'static [&'static str],
    /// Time zone in which the sign-in page prints the end of a lock.
    pub zone: Tz,
}

/// Limit of cancellations and reschedules of one group, counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChangeLimit {
    /// Number of permitted changes.
    pub count: u32,
    /// True if a new fee does not renew the changes.
    pub for_life: bool,
}

/// Limit of Canada. It is also used where the portal has a limit page but its number is not known.
pub const USUAL_LIMIT: ChangeLimit = ChangeLimit { count: 3, for_life: false };

const ENGLISH_ONLY: &[&str] = &["en"];

/// All countries. Canada is the first and the default.
///
/// Invented:
///
/// - the limits of Spain and Kenya. Their limit page is known, its number is not.
/// - that Ireland and the United Kingdom have no limit. None is known.
/// - the order of London and Belfast in the form.
/// - the time zone of a lock, except in Canada.
pub static COUNTRIES: [Country; 6] = [
    Country {
        code: "ca",
        name: "Canada",
        name_in_text: "Canada",
        facilities: &CANADIAN,
        limit: Some(USUAL_LIMIT),
        languages: &["en", "fr"],
        zone: Tz::America__Toronto,
    },
    Country {
        code: "gb",
        name: "United Kingdom",
        name_in_text: "the United Kingdom",
        facilities: &[
            Facility::new(17, "London", Tz::Europe__London),
            Facility::new(16, "Belfast", Tz::Europe__London),
        ],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__London,
    },
    Country {
        code: "ie",
        name: "Ireland",
        name_in_text: "Ireland",
        facilities: &[Facility::new(13, "Dublin", Tz::Europe__Dublin)],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__Dublin,
    },
    Country {
        code: "es",
        name: "Spain",
        name_in_text: "Spain",
        facilities: &[Facility::new(7, "Madrid", Tz::Europe__Madrid)],
        limit: Some(USUAL_LIMIT),
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__Madrid,
    },
    Country {
        code: "ke",
        name: "Kenya",
        name_in_text: "Kenya",
        facilities: &[Facility::new(104, "Nairobi", Tz::Africa__Nairobi)],
        limit: Some(USUAL_LIMIT),
        languages: ENGLISH_ONLY,
        zone: Tz::Africa__Nairobi,
    },
    Country {
        code: "pe",
        name: "Peru",
        name_in_text: "Peru",
        facilities: &[Facility::new(115, "Lima", Tz::America__Lima)],
        limit: Some(ChangeLimit { count: 2, for_life: true }),
        languages: ENGLISH_ONLY,
        zone: Tz::America__Lima,
    },
];

const CANADIAN: [Facility; 7] = [
    Facility::new(89, "Calgary", Tz::America__Edmonton).restricted_between(2, 17),
    Facility::new(90, "Halifax", Tz::America__Halifax).restricted_between(5, 20),
    Facility::new(91, "Montreal", Tz::America__Toronto).in_french("Montréal").restricted_between(4, 19),
    Facility::new(92, "Ottawa", Tz::America__Toronto).restricted_between(4, 19),
    Facility::new(93, "Quebec City", Tz::America__Toronto).in_french("Québec").restricted_between(4, 19),
    Facility::new(94, "Toronto", Tz::America__Toronto).restricted_between(4, 19),
    Facility::new(95, "Vancouver", Tz::America__Vancouver).restricted_between(1, 16),
];

/// Returns the facility with this number, in any country.
pub fn facility(id: u32) -> Option<&'static Facility> {
    Country::of_facility(id)?.facility(id)
}

impl Country {
    /// Returns Canada, the default of accounts and groups.
    #[must_use]
    pub fn canada() -> &'static Self {
        &COUNTRIES[0]
    }

    /// Returns the country with this code.
    #[must_use]
    pub fn with_code(code: &str) -> Option<&'static Self> {
        COUNTRIES.iter().find(|country| country.code == code)
    }

    /// Returns the country of a facility.
    #[must_use]
    pub fn of_facility(id: u32) -> Option<&'static Self> {
        COUNTRIES.iter().find(|country| country.facility(id).is_some())
    }

    /// Returns the facility with this number if it is in this country.
    #[must_use]
    pub fn facility(&self, id: u32) -> Option<&'static Facility> {
        self.facilities.iter().find(|place| place.id == id)
    }

    /// Returns `true` for Canada.
    #[must_use]
    pub fn is_canada(&self) -> bool {
        self == Self::canada()
    }

    /// Refuses a facility that is in another country. A number that no country has is accepted.
    ///
    /// # Errors
    /// Returns the mistake in words.
    pub(crate) fn check_facility(&self, id: u32) -> Result<(), String> {
        match Self::of_facility(id) {
            Some(other) if other != self => {
                Err(format!("facility {id} is in {}, not in {}", other.name_in_text, self.name_in_text))
            }
            _ => Ok(()),
        }
    }
}

/// Lists numbers and names of all facilities, for error messages.
pub(crate) fn known_facilities() -> String {
    let places = COUNTRIES.iter().flat_map(|country| country.facilities);
    places.map(|place| format!("{} {}", place.id, place.name)).collect::<Vec<_>>().join(", ")
}

/// Returns `true` for Canada. Saved worlds and responses omit the default country.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(crate) fn is_default(country: &&'static Country) -> bool {
    country.is_canada()
}

impl PartialEq for Country {
    fn eq(&self, other: &Self) -> bool {
        self.code == other.code
    }
}

impl Eq for Country {}

impl fmt::Debug for Country {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code)
    }
}

impl Default for &'static Country {
    fn default() -> Self {
        Country::canada()
    }
}

impl Serialize for Country {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.code)
    }
}

impl<'de> Deserialize<'de> for &'static Country {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let code = String::deserialize(from)?;
        let codes = || COUNTRIES.iter().map(|country| country.code).collect::<Vec<_>>().join(", ");
        Country::with_code(&code)
            .ok_or_else(|| D::Error::custom(format!("unknown country {code:?}; there are {}", codes())))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::COUNTRIES;

    #[test]
    fn a_facility_number_identifies_its_country() {
        let places: Vec<u32> = COUNTRIES.iter().flat_map(|c| c.facilities).map(|place| place.id).collect();
        let distinct: BTreeSet<u32> = places.iter().copied().collect();
        assert_eq!(distinct.len(), places.len());
    }

    #[test]
    fn every_country_speaks_english_and_only_canada_restricts_hours() {
        for country in &COUNTRIES {
            assert_eq!(country.languages[0], "en");
            let restricted = country.facilities.iter().all(|place| place.restricted.is_some());
            assert_eq!(restricted, country.is_canada(), "{country:?}");
        }
    }
}
