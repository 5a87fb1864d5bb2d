//! Countries and consular cities, with the portal's own numbers.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// The portal's number of a consular city.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FacilityId(pub u16);

/// A consular city.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facility {
    /// The portal's number.
    pub id: FacilityId,
    /// English name, which is also the wire's and the portal's.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// The zone its appointments are in.
    pub zone: Tz,
}

/// A country of the wizard's list.
#[derive(Clone, Copy, Debug)]
pub struct Country {
    /// The portal's locale part, e.g. `en-ca`.
    pub code: &'static str,
    /// English name.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// Whether it can be watched; the others are listed as coming soon.
    pub available: bool,
    /// `(English, Chinese)` names of the cities that can not be watched yet.
    pub planned_cities: &'static [(&'static str, &'static str)],
}

/// The countries in the order they are listed.
pub const COUNTRIES: [Country; 3] = [
    Country { code: "en-ca", name_en: "Canada", name_zh: "加拿大", available: true, planned_cities: &[] },
    Country {
        code: "zh-cn",
        name_en: "China",
        name_zh: "中国",
        available: false,
        planned_cities: &[
            ("Beijing", "北京"),
            ("Shanghai", "上海"),
            ("Guangzhou", "广州"),
            ("Chengdu", "成都"),
            ("Shenyang", "沈阳"),
        ],
    },
    Country {
        code: "en-us",
        name_en: "United States",
        name_zh: "美国",
        available: false,
        planned_cities: &[],
    },
];

const fn city(id: u16, name_en: &'static str, name_zh: &'static str, zone: Tz) -> Facility {
    Facility { id: FacilityId(id), name_en, name_zh, zone }
}

/// The seven Canadian cities.
pub const FACILITIES: [Facility; 7] = [
    city(89, "Calgary", "卡尔加里", Tz::America__Edmonton),
    city(90, "Halifax", "哈利法克斯", Tz::America__Halifax),
    city(91, "Montreal", "蒙特利尔", Tz::America__Toronto),
    city(92, "Ottawa", "渥太华", Tz::America__Toronto),
    city(93, "Quebec City", "魁北克城", Tz::America__Toronto),
    city(94, "Toronto", "多伦多", Tz::America__Toronto),
    city(95, "Vancouver", "温哥华", Tz::America__Vancouver),
];

impl FacilityId {
    /// The city with this number, if we know it.
    #[must_use]
    pub fn facility(self) -> Option<&'static Facility> {
        FACILITIES.iter().find(|f| f.id == self)
    }

    /// Its English name, or `Unknown`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facility().map_or("Unknown", |f| f.name_en)
    }

    /// The city named so in English or Chinese, ignoring case.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        let name = name.trim();
        FACILITIES
            .iter()
            .find(|f| f.name_en.eq_ignore_ascii_case(name) || f.name_zh == name)
            .or_else(|| FACILITIES.iter().find(|f| name.contains(f.name_en)))
            .map(|f| f.id)
    }

    /// The zone of its appointments (Toronto's when unknown).
    #[must_use]
    pub fn zone(self) -> Tz {
        self.facility().map_or(Tz::America__Toronto, |f| f.zone)
    }

    /// The civil day there at `now`.
    #[must_use]
    pub fn today(self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone()).date_naive()
    }

    /// The instant of a local date and time there; the earlier one when the clocks go back.
    #[must_use]
    pub fn instant(self, local: NaiveDateTime) -> Option<DateTime<Utc>> {
        self.zone().from_local_datetime(&local).earliest().map(|at| at.with_timezone(&Utc))
    }
}

/// The earliest civil day anywhere (UTC−12) at `now`: the first date an input may name.
#[must_use]
pub fn earliest_today(now: DateTime<Utc>) -> NaiveDate {
    (now - TimeDelta::hours(12)).date_naive()
}
