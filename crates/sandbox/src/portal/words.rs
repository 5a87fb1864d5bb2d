//! Dates and times as the portal prints them, in English and French.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Utc};
use chrono_tz::Tz;

use crate::world::{accounts::Appointment, country::facility, facility::Facility};

/// Language of a page, derived from the locale in the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lang {
    En,
    Fr,
}

const ENGLISH: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const FRENCH: [&str; 12] = [
    "janvier",
    "février",
    "mars",
    "avril",
    "mai",
    "juin",
    "juillet",
    "août",
    "septembre",
    "octobre",
    "novembre",
    "décembre",
];

impl Lang {
    /// Returns the language with this code in locales.
    pub fn with_code(code: &str) -> Option<Self> {
        match code {
            "en" => Some(Self::En),
            "fr" => Some(Self::Fr),
            _ => None,
        }
    }

    /// Returns the code of the language in locales.
    pub fn code(self) -> &'static str {
        self.text("en", "fr")
    }

    /// Returns the language's own name, for the menu of languages.
    pub fn own_name(self) -> &'static str {
        self.text("English", "Français")
    }

    /// Returns the language's English name, for the titles of pages.
    pub fn english_name(self) -> &'static str {
        self.text("English", "French")
    }

    /// Returns the text in this language.
    pub fn text<'a>(self, english: &'a str, french: &'a str) -> &'a str {
        match self {
            Self::En => english,
            Self::Fr => french,
        }
    }

    /// Formats `6 November, 2026` or `6 novembre 2026`.
    pub fn date(self, date: NaiveDate) -> String {
        let month = date.month0() as usize;
        match self {
            Self::En => format!("{} {}, {}", date.day(), ENGLISH[month], date.year()),
            Self::Fr => format!("{} {} {}", date.day(), FRENCH[month], date.year()),
        }
    }

    /// Returns the name of a facility's city.
    pub fn city(self, place: &Facility) -> &'static str {
        match self {
            Self::En => place.city(),
            Self::Fr => place.name_fr.unwrap_or(place.city()),
        }
    }

    /// Formats a local time as `14 January, 2025, 08:00 Toronto local time`.
    pub fn local(self, at: NaiveDateTime, place: &Facility) -> String {
        let (date, time, city) = (self.date(at.date()), at.format("%H:%M"), self.city(place));
        match self {
            Self::En => format!("{date}, {time} {city} local time"),
            Self::Fr => format!("{date}, {time} Heure locale de {city}"),
        }
    }

    /// Formats an appointment as on the groups page: `1 November, 2027, 09:15 Vancouver local time
    /// at Vancouver`.
    ///
    /// At a fingerprint place it ends in `Bogota local time at Bogota ASC`. Invented: what follows
    /// "ASC" in a name is only in the form.
    pub fn appointment(self, appointment: &Appointment) -> String {
        let Some(place) = facility(appointment.facility) else {
            return String::new();
        };
        let local = self.local(appointment.local(), place);
        match self {
            Self::En if place.is_asc() => format!("{local} at {} ASC", self.city(place)),
            Self::En => format!("{local} at {}", self.city(place)),
            Self::Fr => local,
        }
    }

    /// Formats the end of a lock: `28 March, 2026, 20:23:21 -05`.
    pub fn lock_instant(self, at: DateTime<Utc>, zone: Tz) -> String {
        let local = at.with_timezone(&zone);
        format!("{}, {}", self.date(local.date_naive()), local.format("%H:%M:%S %:::z"))
    }
}
