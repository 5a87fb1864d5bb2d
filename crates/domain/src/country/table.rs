//! The table of countries and cities, read once from `data/places.toml`.

use std::sync::{LazyLock, OnceLock};

use serde::Deserialize;

use super::city::City;
use super::facility::{Facility, FacilityId};
use super::{Changes, Country, CountryCode, CountryState, Fingerprints, NotNumbered, Seen};
use crate::text::fold;

/// The countries in the order of the file.
static COUNTRIES: LazyLock<Vec<Country>> = LazyLock::new(|| {
    let file: File = toml::from_str(include_str!("../../data/places.toml")).expect("a valid table of places");
    (0..).zip(file.country).map(|(position, entry)| entry.country(CountryCode::at(position))).collect()
});

/// Numbers below this can be known. The largest that was seen is 143.
const NUMBERS: usize = 4096;

/// The cities with a number, at the index of their number.
static BY_NUMBER: LazyLock<Vec<OnceLock<&'static Facility>>> = LazyLock::new(|| {
    let table: Vec<_> = (0..NUMBERS).map(|_| OnceLock::new()).collect();
    for facility in COUNTRIES.iter().flat_map(Country::facilities) {
        table[usize::from(facility.id.number())].set(facility).expect("a number of one city");
    }
    table
});

/// Returns the countries in the order of the file.
pub(super) fn countries() -> &'static [Country] {
    &COUNTRIES
}

/// Returns `true` if a city may have this number.
pub(super) fn may_be_known(number: u16) -> bool {
    (1..NUMBERS).contains(&usize::from(number))
}

/// Returns the city with this number.
pub(super) fn facility(number: u16) -> Option<&'static Facility> {
    BY_NUMBER.get(usize::from(number))?.get().copied()
}

/// See [`super::set_number`].
pub(super) fn set_number(country: CountryCode, city: &str, number: u16) -> Result<FacilityId, NotNumbered> {
    let city = country.country().city(city).ok_or(NotNumbered::UnknownCity)?;
    let zone = city.zone.ok_or(NotNumbered::UnknownCity)?;
    let place = BY_NUMBER.get(usize::from(number)).filter(|_| number > 0).ok_or(NotNumbered::Taken)?;
    if place.get().is_some_and(|known| known.country != country || known.name_en != city.name_en) {
        return Err(NotNumbered::Taken);
    }
    let facility = city.facility.get_or_init(|| Facility {
        id: FacilityId::of_table(number),
        country,
        name_en: city.name_en,
        folded: fold(city.name_en).leak(),
        name_zh: city.name_zh,
        zone,
        address: None,
        restricted: 0..0,
        word: None,
    });
    if facility.id.number() != number {
        return Err(NotNumbered::Taken);
    }
    let _ = place.set(facility);
    Ok(facility.id)
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
    #[serde(default)]
    for_life: bool,
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
    #[serde(default)]
    fingerprints: bool,
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
            is_limit_for_life: self.for_life,
            fingerprints: self.fingerprints,
            obstacle: self.obstacle.map(|obstacle| &*obstacle.leak()),
            sources: self.sources.into_iter().map(|source| &*source.leak()).collect(),
            cities: self.cities.into_iter().map(|city| city.city(code)).collect(),
        }
    }
}

impl CityEntry {
    fn city(self, country: CountryCode) -> City {
        let (name_en, name_zh) = (&*self.name_en.leak(), &*self.name_zh.leak());
        let zone = self.zone.map(|zone| zone.parse().expect("a zone of the tz database"));
        let facility = self.id.map(|number| Facility {
            id: FacilityId::of_table(number),
            country,
            name_en,
            folded: fold(name_en).leak(),
            name_zh,
            zone: zone.expect("a zone for a city with a number"),
            address: self.address.map(|address| &*address.leak()),
            restricted: self.restricted.map_or(0..0, |(from, to)| from..to),
            word: self.word.map(|word| &*word.leak()),
        });
        let facility = facility.map_or_else(OnceLock::new, OnceLock::from);
        City { name_en, name_zh, gives_fingerprints: self.fingerprints, zone, facility, seen: self.seen }
    }
}
