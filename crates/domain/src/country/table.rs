//! The table of countries and cities, read once from `data/places.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::facility::{Facility, FacilityId};
use super::{Changes, City, Country, CountryCode, CountryState, Fingerprints, Seen};
use crate::text::fold;

/// The countries in the order of the file.
static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../data/places.toml")).expect("a valid table of places");
    (0..).zip(file.country).map(|(position, entry)| entry.country(CountryCode::at(position))).collect()
});

/// The cities with a number, at the index of their number.
static BY_NUMBER: LazyLock<Vec<Option<&'static Facility>>> = LazyLock::new(|| {
    let mut table = Vec::new();
    for facility in COUNTRIES.iter().flat_map(Country::facilities) {
        let at = usize::from(facility.id.number());
        table.resize(table.len().max(at + 1), None);
        table[at] = Some(facility);
    }
    table
});

/// Returns the countries in the order of the file.
pub(super) fn countries() -> &'static [Country] {
    &COUNTRIES
}

/// Returns the city with this number.
pub(super) fn facility(number: u16) -> Option<&'static Facility> {
    BY_NUMBER.get(usize::from(number)).copied().flatten()
}

#[derive(Deserialize)]
struct File {
    country: Vec<Entry>,
}

/// A country of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    locale: String,
    name_en: String,
    name_zh: String,
    state: CountryState,
    official_site: Option<String>,
    changes: Option<ChangesEntry>,
    fingerprints: Option<Fingerprints>,
    obstacle: Option<String>,
    #[serde(default)]
    sources: Vec<String>,
    #[serde(default)]
    cities: Vec<CityEntry>,
}

/// A number of changes, or the word `unlimited`.
#[derive(Deserialize)]
#[serde(untagged)]
enum ChangesEntry {
    Count(u32),
    Word(Unlimited),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Unlimited {
    Unlimited,
}

/// A city of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CityEntry {
    id: Option<u16>,
    seen: Option<Seen>,
    name_en: String,
    name_zh: String,
    zone: Option<String>,
    address: Option<String>,
    restricted: Option<(u32, u32)>,
    word: Option<String>,
}

impl Entry {
    fn country(self, code: CountryCode) -> Country {
        Country {
            code,
            locale: self.locale.leak(),
            name_en: self.name_en.leak(),
            name_zh: self.name_zh.leak(),
            state: self.state,
            official_site: self.official_site.map(|site| &*site.leak()),
            changes: match self.changes {
                Some(ChangesEntry::Count(count)) => Changes::Count(count),
                Some(ChangesEntry::Word(Unlimited::Unlimited)) => Changes::Unlimited,
                None => Changes::Unknown,
            },
            fingerprints: self.fingerprints,
            obstacle: self.obstacle.map(|obstacle| &*obstacle.leak()),
            sources: self.sources.into_iter().map(|source| &*source.leak()).collect(),
            cities: self.cities.into_iter().map(|city| city.city(code)).collect(),
        }
    }
}

impl CityEntry {
    fn city(self, country: CountryCode) -> City {
        let (name_en, name_zh, zone) = (&*self.name_en.leak(), &*self.name_zh.leak(), self.zone);
        let facility = self.id.map(|number| Facility {
            id: FacilityId::of_table(number),
            country,
            name_en,
            folded: fold(name_en).leak(),
            name_zh,
            zone: zone
                .as_deref()
                .and_then(|zone| zone.parse().ok())
                .expect("a zone for a city with a number"),
            address: self.address.map(|address| &*address.leak()),
            restricted: self.restricted.map_or(0..0, |(from, to)| from..to),
            word: self.word.map(|word| &*word.leak()),
        });
        City { name_en, name_zh, facility, seen: self.seen }
    }
}
