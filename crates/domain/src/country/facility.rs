//! Consular cities, with the portal's numbers.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::{Country, CountryCode, countries, facility_with};
use crate::text::fold;

/// The portal's number of a consular city of [`countries`], from the table or [discovered in a
/// form](super::set_number). No other number is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct FacilityId(u16);

/// Error for a number or a name of no city in [`countries`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no known consular city")]
pub struct UnknownFacility;

/// `true` since a number or a name was met that no city has.
static MISSED: AtomicBool = AtomicBool::new(false);

/// Returns `true` if a stored number or name of a city was unknown since the last call. Another
/// process may have discovered it, so the stored discoveries should be loaded again.
#[must_use]
pub fn take_missed() -> bool {
    MISSED.load(Ordering::Relaxed) && MISSED.swap(false, Ordering::Relaxed)
}

impl UnknownFacility {
    /// Returns the error, and notes it for [`take_missed`].
    pub(crate) fn missed() -> Self {
        MISSED.store(true, Ordering::Relaxed);
        Self
    }
}

/// Time zone of the dates by which figures of several cities are counted: statistics, groups of
/// journal entries, the status page.
pub const REPORTING_ZONE: Tz = Tz::America__Toronto;

/// A consular city with a known number.
#[derive(Debug, PartialEq, Eq)]
pub struct Facility {
    /// The portal's number.
    pub id: FacilityId,
    /// The country.
    pub country: CountryCode,
    /// English name, also used on the wire and by the portal.
    pub name_en: &'static str,
    /// English name in unaccented lower-case letters.
    pub(super) folded: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// Time zone of the appointments.
    pub zone: Tz,
    /// Address of the entrance for applicants with a visa appointment, if known.
    pub address: Option<&'static str>,
    /// Local hours in which accounts with an appointment were reported to see no dates; empty if
    /// none were reported.
    pub restricted: Range<u32>,
    /// A word that names the city in every text, in unaccented lower-case letters.
    pub(super) word: Option<&'static str>,
}

impl Facility {
    /// Returns `true` if a form may name the city `label`. A label of another city contradicts the
    /// table. An unknown label is accepted only in Canada, whose numbers were seen in pages.
    #[must_use]
    pub fn may_be_labelled(&self, label: &str) -> bool {
        match FacilityId::in_country(self.country, label) {
            Some(city) => city == self.id,
            None => self.country == CountryCode::CANADA,
        }
    }

    /// Returns `true` if `name` means the city in English, Chinese or, where the portal has one,
    /// another language. Case and accents do not matter. `folded` is the name without both.
    fn is_named(&self, name: &str, folded: &str) -> bool {
        let mut words = folded.split(|c: char| !c.is_ascii_alphabetic());
        self.name_zh == name
            || self.folded == folded
            || self.word.is_some_and(|own| words.any(|word| word == own))
    }
}

impl TryFrom<u16> for FacilityId {
    type Error = UnknownFacility;

    fn try_from(number: u16) -> Result<Self, UnknownFacility> {
        facility_with(number).map(|facility| facility.id).ok_or_else(UnknownFacility::missed)
    }
}

impl From<FacilityId> for u16 {
    fn from(id: FacilityId) -> Self {
        id.0
    }
}

impl FacilityId {
    /// Calgary.
    pub const CALGARY: Self = Self(89);
    /// Halifax.
    pub const HALIFAX: Self = Self(90);
    /// Montreal.
    pub const MONTREAL: Self = Self(91);
    /// Ottawa.
    pub const OTTAWA: Self = Self(92);
    /// Quebec City.
    pub const QUEBEC_CITY: Self = Self(93);
    /// Toronto.
    pub const TORONTO: Self = Self(94);
    /// Vancouver.
    pub const VANCOUVER: Self = Self(95);

    /// Returns the identifier of a city of the table.
    pub(crate) const fn of_table(number: u16) -> Self {
        Self(number)
    }

    /// Returns the portal's number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the city.
    ///
    /// # Panics
    /// Never panics: every constructible id is listed in [`countries`].
    #[must_use]
    pub fn facility(self) -> &'static Facility {
        facility_with(self.0).expect("an id of the table")
    }

    /// Returns the country.
    #[must_use]
    pub fn country(self) -> &'static Country {
        self.facility().country.country()
    }

    /// Returns the English name, also used on the wire and by the portal.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facility().name_en
    }

    /// Returns the city of a country that `name` means in English or Chinese. Case and accents do
    /// not matter. In Canada, French names and further words are understood too (`Québec`, `Toronto
    /// Consular Address`). A name with two cities returns `None`.
    #[must_use]
    pub fn in_country(country: CountryCode, name: &str) -> Option<Self> {
        one(country.country().facilities(), name)
    }

    /// Returns the city of any country that `name` means, as [`in_country`](Self::in_country) does.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        one(countries().iter().flat_map(Country::facilities), name)
    }

    /// Returns the time zone of the appointments.
    #[must_use]
    pub fn zone(self) -> Tz {
        self.facility().zone
    }

    /// Returns the civil date in the city at `now`.
    #[must_use]
    pub fn today(self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone()).date_naive()
    }

    /// Returns the time of a local date and time in the city; the earlier one when the clocks go
    /// back.
    #[must_use]
    pub fn instant(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        instant_in(self.zone(), local)
    }
}

/// Returns the time of a local date and time in a zone; the earlier one when the clocks go back.
#[must_use]
pub fn instant_in(zone: Tz, local: NaiveDateTime) -> Option<DateTime<Utc>> {
    zone.from_local_datetime(&local).earliest().map(|at| at.with_timezone(&Utc))
}

/// Returns the only one of `cities` that `name` means.
fn one<'a>(cities: impl Iterator<Item = &'a Facility>, name: &str) -> Option<FacilityId> {
    let (name, folded) = (name.trim(), fold(name.trim()));
    let mut found = cities.filter(|city| city.is_named(name, &folded));
    let first = found.next()?;
    found.next().is_none().then_some(first.id)
}

/// Returns the civil date in a city at `now`; without a city, [the earliest
/// anywhere](earliest_today).
#[must_use]
pub fn today_at(city: Option<FacilityId>, now: DateTime<Utc>) -> NaiveDate {
    city.map_or_else(|| earliest_today(now), |city| city.today(now))
}

/// Returns the earliest civil date anywhere (UTC−12) at `now`: the first date that an input may
/// contain.
#[must_use]
pub fn earliest_today(now: DateTime<Utc>) -> NaiveDate {
    (now - TimeDelta::hours(12)).date_naive()
}
