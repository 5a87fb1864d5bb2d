//! Consular cities, with the portal's numbers.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use crate::text::fold;

/// The portal's number of a consular city of [`FACILITIES`]. No other number is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u16", into = "u16")]
pub struct FacilityId(u16);

/// Error for a number or a name of no city in [`FACILITIES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no known consular city")]
pub struct UnknownFacility;

/// Time zone of the dates by which figures of several cities are counted: statistics, groups of
/// journal entries, the status page.
pub const REPORTING_ZONE: Tz = Tz::America__Toronto;

/// A consular city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facility {
    /// The portal's number.
    pub id: FacilityId,
    /// English name, also used on the wire and by the portal.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// Time zone of the appointments.
    pub zone: Tz,
    /// Address of the entrance for applicants with a visa appointment.
    pub address: &'static str,
    /// The name by which a page identifies the city, in unaccented lower-case letters.
    stem: &'static str,
}

const fn city(
    id: FacilityId,
    name_en: &'static str,
    name_zh: &'static str,
    (zone, address): (Tz, &'static str),
    stem: &'static str,
) -> Facility {
    Facility { id, name_en, name_zh, zone, address, stem }
}

/// The consular cities in Canada, by number.
pub const FACILITIES: [Facility; 7] = [
    city(
        FacilityId::CALGARY,
        "Calgary",
        "卡尔加里",
        (Tz::America__Edmonton, "615 Macleod Trail SE, 10th floor, Calgary, AB T2G 4T8"),
        "calgary",
    ),
    city(
        FacilityId::HALIFAX,
        "Halifax",
        "哈利法克斯",
        (Tz::America__Halifax, "1969 Upper Water Street, suite 904, Halifax, NS B3J 3R7"),
        "halifax",
    ),
    city(
        FacilityId::MONTREAL,
        "Montreal",
        "蒙特利尔",
        (Tz::America__Toronto, "1134 Sainte-Catherine Street West, Montreal, QC H3B 1H4"),
        "montreal",
    ),
    city(
        FacilityId::OTTAWA,
        "Ottawa",
        "渥太华",
        (Tz::America__Toronto, "490 Sussex Drive, Ottawa, ON K1N 1G8"),
        "ottawa",
    ),
    city(
        FacilityId::QUEBEC_CITY,
        "Quebec City",
        "魁北克城",
        (Tz::America__Toronto, "2 rue de la Terrasse-Dufferin, Quebec City, QC G1R 4N5"),
        "quebec",
    ),
    city(
        FacilityId::TORONTO,
        "Toronto",
        "多伦多",
        (Tz::America__Toronto, "225 Simcoe Street, Toronto, ON M5G 1S4"),
        "toronto",
    ),
    city(
        FacilityId::VANCOUVER,
        "Vancouver",
        "温哥华",
        (Tz::America__Vancouver, "1075 West Pender Street, Vancouver, BC V6E 2M6"),
        "vancouver",
    ),
];

impl TryFrom<u16> for FacilityId {
    type Error = UnknownFacility;

    fn try_from(number: u16) -> Result<Self, UnknownFacility> {
        FACILITIES.iter().map(|f| f.id).find(|id| id.0 == number).ok_or(UnknownFacility)
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

    /// Returns the portal's number.
    #[must_use]
    pub const fn number(self) -> u16 {
        self.0
    }

    /// Returns the city.
    ///
    /// # Panics
    /// Never panics: every constructible id is listed in [`FACILITIES`].
    #[must_use]
    pub fn facility(self) -> &'static Facility {
        FACILITIES.iter().find(|f| f.id == self).expect("an id of the table")
    }

    /// Returns the English name, also used on the wire and by the portal.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facility().name_en
    }

    /// Returns the city that `name` means in English, French or Chinese. Case, accents and further
    /// words do not matter (`Québec`, `Toronto Consular Address`). A name with two cities returns
    /// `None`.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let folded = fold(name);
        let words = || folded.split(|c: char| !c.is_ascii_alphabetic());
        let mut found =
            FACILITIES.iter().filter(|f| f.name_zh == name.trim() || words().any(|word| word == f.stem));
        let first = found.next()?;
        found.next().is_none().then_some(first.id)
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
        self.zone().from_local_datetime(&local).earliest().map(|at| at.with_timezone(&Utc))
    }
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
