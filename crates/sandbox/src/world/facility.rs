//! The seven consulates in Canada.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// Consulate with number, names, time zone, and the hours in which accounts with an appointment see
/// no dates.
pub struct Facility {
    /// The portal's number of the facility.
    pub id: u32,
    /// English name as the portal prints it.
    pub name: &'static str,
    /// French name as the portal prints it.
    pub name_fr: &'static str,
    /// Time zone of the facility.
    pub zone: Tz,
    /// Daily hours `[from, to)`, in local time, in which accounts with an appointment see no dates.
    pub restricted: (u32, u32),
}

/// All facilities by number.
pub const FACILITIES: [Facility; 7] = [
    Facility {
        id: 89,
        name: "Calgary",
        name_fr: "Calgary",
        zone: Tz::America__Edmonton,
        restricted: (2, 17),
    },
    Facility { id: 90, name: "Halifax", name_fr: "Halifax", zone: Tz::America__Halifax, restricted: (5, 20) },
    Facility {
        id: 91,
        name: "Montreal",
        name_fr: "Montréal",
        zone: Tz::America__Toronto,
        restricted: (4, 19),
    },
    Facility { id: 92, name: "Ottawa", name_fr: "Ottawa", zone: Tz::America__Toronto, restricted: (4, 19) },
    Facility {
        id: 93,
        name: "Quebec City",
        name_fr: "Québec",
        zone: Tz::America__Toronto,
        restricted: (4, 19),
    },
    Facility { id: 94, name: "Toronto", name_fr: "Toronto", zone: Tz::America__Toronto, restricted: (4, 19) },
    Facility {
        id: 95,
        name: "Vancouver",
        name_fr: "Vancouver",
        zone: Tz::America__Vancouver,
        restricted: (1, 16),
    },
];

/// Returns the facility with this number.
pub fn facility(id: u32) -> Option<&'static Facility> {
    FACILITIES.iter().find(|f| f.id == id)
}

impl Facility {
    /// Returns the local date at `now`.
    pub fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone).date_naive()
    }

    /// Returns `true` if `now` is in the hours in which accounts with an appointment see no dates.
    pub fn restricted_at(&self, now: DateTime<Utc>) -> bool {
        let hour = now.with_timezone(&self.zone).hour();
        hour >= self.restricted.0 && hour < self.restricted.1
    }

    /// Converts a local date and time to an instant. Returns the first instant for a repeated hour,
    /// and the next hour for a skipped one.
    pub fn instant(&self, local: NaiveDateTime) -> DateTime<Utc> {
        let found = self.zone.from_local_datetime(&local).earliest();
        let found =
            found.or_else(|| self.zone.from_local_datetime(&(local + chrono::Duration::hours(1))).earliest());
        found.map_or_else(|| local.and_utc(), |t| t.with_timezone(&Utc))
    }
}
