//! Countries of the portal, with their consulates, fingerprint places, limits and languages. All
//! data about a country is in this table.

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
    /// Fingerprint places (application support centres, ASC) in the order of the booking form. In a
    /// country without any, no form requires a fingerprint appointment.
    pub asc: &'static [Facility],
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
    /// True if the English page prints the limit in Russian.
    pub is_printed_in_russian: bool,
}

/// Limit of Canada. It is also used where the portal has a limit page but its number is not known.
pub const USUAL_LIMIT: ChangeLimit = ChangeLimit { count: 3, for_life: false, is_printed_in_russian: false };

const ENGLISH_ONLY: &[&str] = &["en"];

/// All countries. Canada is the first and the default.
///
/// Invented:
///
/// - the limits of Spain and Kenya. Their limit page is known, its number is not.
/// - that Ireland and the United Kingdom have no limit. None is known.
/// - the order of London and Belfast in the form.
/// - the numbers of Italy's cities, and Palermo.
/// - the time zone of a lock, except in Canada.
/// - that English pages of Kazakhstan have the Russian limit text of the Russian ones. Only those
///   were seen.
/// - the limit of Mexico. Its limit page is known, its number is not.
/// - that Brazil and the Dominican Republic have no limit. None is known. Colombia has none.
/// - that 138 is the consulate of Santo Domingo and 139 its fingerprint place. A client uses these
///   numbers in one file, and 139 as the consulate in another.
/// - the order of the cities in the forms of Mexico and Brazil.
pub static COUNTRIES: [Country; 12] = [
    Country {
        code: "ca",
        name: "Canada",
        name_in_text: "Canada",
        facilities: &CANADIAN,
        asc: &[],
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
        asc: &[],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__London,
    },
    Country {
        code: "ie",
        name: "Ireland",
        name_in_text: "Ireland",
        facilities: &[Facility::new(13, "Dublin", Tz::Europe__Dublin)],
        asc: &[],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__Dublin,
    },
    Country {
        code: "es",
        name: "Spain",
        name_in_text: "Spain",
        facilities: &[Facility::new(7, "Madrid", Tz::Europe__Madrid)],
        asc: &[],
        limit: Some(USUAL_LIMIT),
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__Madrid,
    },
    Country {
        code: "ke",
        name: "Kenya",
        name_in_text: "Kenya",
        facilities: &[Facility::new(104, "Nairobi", Tz::Africa__Nairobi)],
        asc: &[],
        limit: Some(USUAL_LIMIT),
        languages: ENGLISH_ONLY,
        zone: Tz::Africa__Nairobi,
    },
    Country {
        code: "pe",
        name: "Peru",
        name_in_text: "Peru",
        facilities: &[Facility::new(115, "Lima", Tz::America__Lima)],
        asc: &[],
        limit: Some(ChangeLimit { count: 2, for_life: true, ..USUAL_LIMIT }),
        languages: ENGLISH_ONLY,
        zone: Tz::America__Lima,
    },
    Country {
        code: "it",
        name: "Italy",
        name_in_text: "Italy",
        facilities: &[
            Facility::new(3101, "Florence", Tz::Europe__Rome),
            Facility::new(3102, "Milan", Tz::Europe__Rome),
            Facility::new(3103, "Naples", Tz::Europe__Rome),
            Facility::new(3104, "Rome", Tz::Europe__Rome),
            Facility::new(3105, "Palermo", Tz::Europe__Rome),
        ],
        asc: &[],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::Europe__Rome,
    },
    Country {
        code: "mx",
        name: "Mexico",
        name_in_text: "Mexico",
        facilities: &[
            Facility::new(65, "Ciudad Juarez", Tz::America__Ciudad_Juarez),
            Facility::new(66, "Guadalajara", Tz::America__Mexico_City),
            Facility::new(67, "Hermosillo", Tz::America__Hermosillo),
            Facility::new(68, "Matamoros", Tz::America__Matamoros),
            Facility::new(69, "Merida", Tz::America__Merida),
            Facility::new(70, "Mexico City", Tz::America__Mexico_City),
            Facility::new(71, "Monterrey", Tz::America__Monterrey),
            Facility::new(72, "Nogales", Tz::America__Hermosillo),
            Facility::new(73, "Nuevo Laredo", Tz::America__Matamoros),
            Facility::new(74, "Tijuana", Tz::America__Tijuana),
        ],
        asc: &[
            Facility::new(76, "Ciudad Juarez ASC", Tz::America__Ciudad_Juarez),
            Facility::new(77, "Guadalajara ASC", Tz::America__Mexico_City),
            Facility::new(78, "Hermosillo ASC", Tz::America__Hermosillo),
            Facility::new(79, "Matamoros ASC", Tz::America__Matamoros),
            Facility::new(81, "Merida ASC", Tz::America__Merida),
            Facility::new(82, "Mexico City ASC", Tz::America__Mexico_City),
            Facility::new(83, "Monterrey ASC", Tz::America__Monterrey),
            Facility::new(84, "Nogales ASC", Tz::America__Hermosillo),
            Facility::new(85, "Nuevo Laredo ASC", Tz::America__Matamoros),
            Facility::new(86, "Tijuana ASC", Tz::America__Tijuana),
        ],
        limit: Some(USUAL_LIMIT),
        languages: ENGLISH_ONLY,
        zone: Tz::America__Mexico_City,
    },
    Country {
        code: "co",
        name: "Colombia",
        name_in_text: "Colombia",
        facilities: &[Facility::new(25, "Bogota", Tz::America__Bogota)],
        asc: &[Facility::new(26, "Bogota ASC", Tz::America__Bogota)],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::America__Bogota,
    },
    Country {
        code: "br",
        name: "Brazil",
        name_in_text: "Brazil",
        facilities: &[
            Facility::new(54, "Brasilia", Tz::America__Sao_Paulo),
            Facility::new(128, "Porto Alegre", Tz::America__Sao_Paulo).collecting_biometrics(),
            Facility::new(57, "Recife", Tz::America__Recife).collecting_biometrics(),
            Facility::new(55, "Rio de Janeiro", Tz::America__Sao_Paulo),
            Facility::new(56, "Sao Paulo", Tz::America__Sao_Paulo),
        ],
        asc: &[
            Facility::new(58, "Brasilia ASC", Tz::America__Sao_Paulo),
            Facility::new(59, "Rio de Janeiro ASC", Tz::America__Sao_Paulo),
            Facility::new(60, "Sao Paulo ASC Unidade Vila Mariana", Tz::America__Sao_Paulo),
        ],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::America__Sao_Paulo,
    },
    Country {
        code: "do",
        name: "Dominican Republic",
        name_in_text: "the Dominican Republic",
        facilities: &[Facility::new(138, "Santo Domingo", Tz::America__Santo_Domingo)],
        asc: &[Facility::new(139, "Santo Domingo ASC", Tz::America__Santo_Domingo)],
        limit: None,
        languages: ENGLISH_ONLY,
        zone: Tz::America__Santo_Domingo,
    },
    Country {
        code: "kz",
        name: "Kazakhstan",
        name_in_text: "Kazakhstan",
        facilities: &[
            Facility::new(135, "Almaty", Tz::Asia__Almaty),
            Facility::new(134, "Astana", Tz::Asia__Almaty),
        ],
        asc: &[],
        limit: Some(ChangeLimit { is_printed_in_russian: true, ..USUAL_LIMIT }),
        languages: ENGLISH_ONLY,
        zone: Tz::Asia__Almaty,
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

/// Returns the consulate or fingerprint place with this number, in any country.
pub fn facility(id: u32) -> Option<&'static Facility> {
    let country = Country::of_facility(id)?;
    country.facility(id).or_else(|| country.asc_place(id))
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

    /// Returns the country of a consulate or fingerprint place.
    #[must_use]
    pub fn of_facility(id: u32) -> Option<&'static Self> {
        COUNTRIES.iter().find(|country| country.facility(id).is_some() || country.asc_place(id).is_some())
    }

    /// Returns the fingerprint place with this number if it is in this country.
    #[must_use]
    pub fn asc_place(&self, id: u32) -> Option<&'static Facility> {
        self.asc.iter().find(|place| place.id == id)
    }

    /// Returns `true` if an appointment at this consulate also needs one at a fingerprint place.
    #[must_use]
    pub fn asks_asc(&self, consulate: u32) -> bool {
        !self.asc.is_empty() && !self.facility(consulate).is_some_and(|place| place.collects_biometrics)
    }

    /// Returns the consulate with this number if it is in this country.
    #[must_use]
    pub fn facility(&self, id: u32) -> Option<&'static Facility> {
        self.facilities.iter().find(|place| place.id == id)
    }

    /// Returns `true` for Canada.
    #[must_use]
    pub fn is_canada(&self) -> bool {
        self == Self::canada()
    }

    /// Refuses a facility that is in another country or is no consulate. A number that no country
    /// has is accepted.
    ///
    /// # Errors
    /// Returns the mistake in words.
    pub(crate) fn check_facility(&self, id: u32) -> Result<(), String> {
        match Self::of_facility(id) {
            Some(other) if other != self => {
                Err(format!("facility {id} is in {}, not in {}", other.name_in_text, self.name_in_text))
            }
            _ if self.asc_place(id).is_some() => Err(format!("facility {id} is no consulate")),
            _ => Ok(()),
        }
    }

    /// Refuses a facility that is no fingerprint place of this country. A country without any
    /// accepts every number.
    ///
    /// # Errors
    /// Returns the mistake in words.
    pub(crate) fn check_asc(&self, id: u32) -> Result<(), String> {
        if self.asc.is_empty() || self.asc_place(id).is_some() {
            return Ok(());
        }
        Err(format!("facility {id} is no fingerprint place in {}", self.name_in_text))
    }
}

/// Lists numbers and names of all consulates, for error messages.
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
        let places = COUNTRIES.iter().flat_map(|c| c.facilities.iter().chain(c.asc));
        let places: Vec<u32> = places.map(|place| place.id).collect();
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

    #[test]
    fn a_fingerprint_place_has_asc_in_its_name_and_a_consulate_has_not() {
        for country in &COUNTRIES {
            assert!(country.asc.iter().all(|place| place.is_asc() && !place.collects_biometrics));
            assert!(country.facilities.iter().all(|place| !place.is_asc() && place.city() == place.name));
            let collects = country.facilities.iter().filter(|place| place.collects_biometrics);
            let collects: Vec<u32> = collects.map(|place| place.id).collect();
            assert_eq!(collects, if country.code == "br" { vec![128, 57] } else { vec![] });
        }
        assert_eq!(super::facility(60).map(|place| place.city()), Some("Sao Paulo"));
    }
}
