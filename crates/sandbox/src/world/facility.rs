//! Consulates and fingerprint places with their names and local time.

use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeZone, Timelike, Utc};
use chrono_tz::Tz;

/// Text in the name of every fingerprint place (application support centre).
const ASC: &str = " ASC";

/// Consulate or fingerprint place (application support centre, ASC), with number, names, time zone,
/// and the hours in which accounts with an appointment see no dates.
pub struct Facility {
    /// The portal's number of the facility.
    pub id: u32,
    /// English name as the portal prints it. Names of fingerprint places contain " ASC".
    pub name: &'static str,
    /// French name as the portal prints it, if it differs from the English one.
    pub name_fr: Option<&'static str>,
    /// Time zone of the facility.
    pub zone: Tz,
    /// Daily hours `[from, to)`, in local time, in which accounts with an appointment see no dates.
    /// Such hours are known only in Canada.
    pub restricted: Option<(u32, u32)>,
    /// True for a consulate that collects fingerprints itself.
    pub collects_biometrics: bool,
}

impl Facility {
    /// Creates a facility without restricted hours.
    pub(super) const fn new(id: u32, name: &'static str, zone: Tz) -> Self {
        Self { id, name, name_fr: None, zone, restricted: None, collects_biometrics: false }
    }

    /// Marks a consulate that collects fingerprints itself.
    pub(super) const fn collecting_biometrics(self) -> Self {
        Self { collects_biometrics: true, ..self }
    }

    /// Sets the French name.
    pub(super) const fn in_french(self, name: &'static str) -> Self {
        Self { name_fr: Some(name), ..self }
    }

    /// Sets the hours in which accounts with an appointment see no dates.
    pub(super) const fn restricted_between(self, from: u32, to: u32) -> Self {
        Self { restricted: Some((from, to)), ..self }
    }

    /// Returns `true` for a fingerprint place.
    pub fn is_asc(&self) -> bool {
        self.name.contains(ASC)
    }

    /// Returns the English name of the city, without " ASC" and what follows it.
    pub fn city(&self) -> &'static str {
        self.name.split(ASC).next().unwrap_or(self.name)
    }

    /// Returns the local date at `now`.
    pub fn today(&self, now: DateTime<Utc>) -> NaiveDate {
        now.with_timezone(&self.zone).date_naive()
    }

    /// Returns `true` if `now` is in the hours in which accounts with an appointment see no dates.
    pub fn restricted_at(&self, now: DateTime<Utc>) -> bool {
        let hour = now.with_timezone(&self.zone).hour();
        self.restricted.is_some_and(|(from, to)| hour >= from && hour < to)
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
