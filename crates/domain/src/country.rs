//! Countries and halves of the portal.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The portal's code of a country of [`COUNTRIES`], language first, e.g. `en-ca`.
#[derive(
    Clone,
    Copy,
    Debug,
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
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum CountryCode {
    /// Canada, in English.
    EnCa,
    /// China.
    ZhCn,
    /// The United States.
    EnUs,
}

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

/// A country of the wizard's list.
#[derive(Clone, Copy, Debug)]
pub struct Country {
    /// The portal's code.
    pub code: CountryCode,
    /// English name.
    pub name_en: &'static str,
    /// Chinese name.
    pub name_zh: &'static str,
    /// `true` if the country can be monitored. The others are listed as coming soon.
    pub available: bool,
    /// `(English, Chinese)` names of the cities that cannot be monitored yet.
    pub planned_cities: &'static [(&'static str, &'static str)],
}

/// The countries in the order of the list.
pub const COUNTRIES: [Country; 3] = [
    Country {
        code: CountryCode::EnCa,
        name_en: "Canada",
        name_zh: "加拿大",
        available: true,
        planned_cities: &[],
    },
    Country {
        code: CountryCode::ZhCn,
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
        code: CountryCode::EnUs,
        name_en: "United States",
        name_zh: "美国",
        available: false,
        planned_cities: &[],
    },
];

impl CountryCode {
    /// Returns the code used in the portal's URLs, the database and the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl VisaType {
    /// Returns the value used in the portal's URLs, the database and the API: `niv` or `iv`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
