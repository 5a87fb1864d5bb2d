//! Identifiers and addresses of the portal.

use domain::country::{CountryCode, VisaType};
use domain::facility::FacilityId;
use serde::{Deserialize, Serialize};
use std::fmt;
use url::Url;

macro_rules! text_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Returns the identifier exactly as the portal writes it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
        impl From<String> for $name {
            fn from(raw: String) -> Self {
                Self(raw)
            }
        }
        impl From<&str> for $name {
            fn from(raw: &str) -> Self {
                Self(raw.to_owned())
            }
        }
        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

text_id! {
    /// The portal's number of an applicant in a group, in decimal digits.
    ApplicantId
}

/// Returns the English name of a city printed on a page. Returns an unknown name unchanged.
pub(crate) fn city_name(name: &str) -> String {
    FacilityId::by_name(name).map_or_else(|| name.trim().to_owned(), |city| city.name().to_owned())
}

/// Returns the city in the printed name of a fingerprint place, such as `Sao Paulo ASC Unidade Vila
/// Mariana`.
pub(crate) fn fingerprint_city(name: &str) -> String {
    let words = name.split_whitespace().take_while(|word| !word.eq_ignore_ascii_case("asc"));
    words.collect::<Vec<_>>().join(" ")
}

/// Path prefix of the portal for one country, language and visa type, such as `/en-ca/niv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct PortalPath {
    country: CountryCode,
    visa_type: VisaType,
}

impl PortalPath {
    /// Creates the path `/{country}/{visa_type}`.
    pub fn new(country: CountryCode, visa_type: VisaType) -> Self {
        Self { country, visa_type }
    }

    /// Returns the country code.
    pub fn country(&self) -> CountryCode {
        self.country
    }

    /// Returns the visa type.
    pub fn visa_type(&self) -> VisaType {
        self.visa_type
    }

    /// Returns `/en-ca/niv` followed by `rest`, which starts with `/` or is empty.
    pub(crate) fn at(&self, rest: &str) -> String {
        format!("/{}/{}{rest}", self.country, self.visa_type)
    }
}

impl fmt::Display for PortalPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.at(""))
    }
}

/// Scheme, host and port of a portal, e.g. `https://ais.usvisa-info.com`. A path in the address is
/// ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalHost {
    /// The base address.
    pub base: Url,
}

impl PortalHost {
    /// Creates the host from its base address.
    pub fn new(base: Url) -> Self {
        Self { base }
    }

    /// Returns `true` if the address uses https.
    pub(crate) fn is_tls(&self) -> bool {
        self.base.scheme() == "https"
    }
}
