//! The field `search_params` of requests in all accepted forms, and its conversion to search
//! criteria.

use std::ops::RangeInclusive;

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::clock::Instant;
use domain::country::city::CityId;
use domain::criteria::{
    BookingMode, DAYS_BEFORE, DEFAULT_IMPROVEMENT_DAYS, DEFAULT_RESCHEDULES, ExcludedDates, FURTHEST_DAYS,
    FingerprintCriteria, IMPROVEMENT_DAYS, LONGEST_WINDOW_DAYS, MINIMUM_DAYS, MOST_FINGERPRINT_CITIES,
    RESCHEDULES, RequestedMode, SearchCriteria, TimesOfDay, Weekdays,
};
use domain::facility::{FacilityId, earliest_today};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::http::error::{ApiError, Fields};

/// Field of the conditions for the fingerprint appointment.
const FINGERPRINTS: &str = "fingerprints";

/// Search criteria of a task.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchParams {
    /// First acceptable date.
    #[serde(alias = "startDate")]
    pub start_date: NaiveDate,
    /// Last acceptable date.
    // A single extension, because several would be serialized in a different order each time.
    #[schema(extensions(("x-days" = json!({ "longestWindow": LONGEST_WINDOW_DAYS, "furthest": FURTHEST_DAYS }))))]
    #[serde(alias = "endDate")]
    pub end_date: NaiveDate,
    /// Names of cities in English, in order of preference.
    #[serde(alias = "requiredCities")]
    #[schema(min_items = 1)]
    pub required_cities: Vec<String>,
    /// Dates on which the applicant is not available.
    #[serde(default, alias = "excludedDates")]
    pub excluded_dates: Vec<ExcludedDate>,
    /// Weekdays on which the applicant is available, from 1 (Monday) to 7; empty for any weekday.
    #[serde(default)]
    #[schema(max_items = 7)]
    pub weekdays: Vec<i64>,
    /// Earliest acceptable time, `HH:MM` local to the consulate. It has no effect on a task that
    /// only notifies, because its dates are reported without times.
    #[serde(default)]
    #[schema(pattern = r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub earliest_time: Option<String>,
    /// Latest acceptable time, `HH:MM` local to the consulate.
    #[serde(default)]
    #[schema(pattern = r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
    pub latest_time: Option<String>,
    /// Minimum number of days between today (at the consulate) and a slot.
    #[schema(minimum = 0, maximum = 365)]
    #[serde(default, alias = "minDaysFromCurrent", alias = "minimumDaysFromCurrent")]
    pub minimum_days_from_current: i64,
    /// Minimum number of days by which a slot must be before the current appointment.
    #[serde(default = "default_improvement")]
    #[schema(minimum = 1, maximum = 365, default = default_improvement)]
    pub min_improvement_days: i64,
    /// Maximum number of reschedules at the portal that the task may use.
    #[serde(default = "default_reschedules")]
    #[schema(minimum = 0, maximum = 20, default = default_reschedules)]
    pub max_reschedules: i64,
    /// Last date for which the task may use a reschedule that needs consent: the portal's last one,
    /// or any where the limit is for life.
    #[serde(default)]
    pub last_attempt_until: Option<NaiveDate>,
    /// Conditions for the fingerprint appointment, where the portal asks for one; null for none. If
    /// a request has no such field, they stay as they are.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<FingerprintParams>)]
    pub fingerprints: Option<Option<FingerprintParams>>,
}

/// Conditions for the fingerprint appointment. They only narrow the portal's lists.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FingerprintParams {
    /// Names of cities in English, in order of preference; empty for the place that belongs to the
    /// consulate.
    #[serde(default)]
    #[schema(max_items = 3)]
    pub cities: Vec<String>,
    /// Minimum number of days before the interview.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 60)]
    pub min_days_before: Option<i64>,
    /// Maximum number of days before the interview.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 60)]
    pub max_days_before: Option<i64>,
}

fn default_improvement() -> i64 {
    DEFAULT_IMPROVEMENT_DAYS.into()
}

fn default_reschedules() -> i64 {
    DEFAULT_RESCHEDULES.into()
}

/// An excluded date or range, as a date, `{type:"",date}` or `{type:"range",start,end}`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(untagged)]
pub enum ExcludedDate {
    /// A plain date.
    Day(NaiveDate),
    /// An object with a date; `type` is empty or `date`.
    Tagged(TaggedDay),
    /// An inclusive range.
    Range(DayRange),
}

/// A date as an object: `{type:"",date}`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TaggedDay {
    /// Empty, or `date`.
    #[serde(default, rename = "type")]
    pub kind: String,
    /// The date.
    pub date: NaiveDate,
}

/// An inclusive range of dates: `{type:"range",start,end}`.
#[derive(Clone, Debug, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DayRange {
    /// Always `range`.
    #[serde(rename = "type")]
    pub kind: String,
    /// First date.
    pub start: NaiveDate,
    /// Last date.
    pub end: NaiveDate,
}

impl ExcludedDate {
    fn range(&self) -> (NaiveDate, NaiveDate) {
        match self {
            Self::Day(day) => (*day, *day),
            Self::Tagged(tagged) => (tagged.date, tagged.date),
            Self::Range(range) => (range.start, range.end),
        }
    }
}

/// Returns the booking mode that a request sets, if it sets one.
///
/// # Errors
/// Returns `VALIDATION_FAILED` if the request sets two different modes.
pub fn requested_mode(
    word: Option<BookingMode>,
    keep: Option<bool>,
) -> Result<Option<RequestedMode>, ApiError> {
    let mut wrong = Fields::default();
    let mode = RequestedMode::new(word, keep);
    if mode.is_err() {
        wrong.add("booking_mode", "contradicts");
    }
    wrong.none()?;
    Ok(mode.unwrap_or_default())
}

impl SearchParams {
    /// Converts the parameters to search criteria.
    ///
    /// # Errors
    /// Returns `VALIDATION_FAILED` with one code per field.
    pub fn criteria(&self, mode: BookingMode, now: Instant) -> Result<SearchCriteria, ApiError> {
        let mut wrong = Fields::default();
        let today = earliest_today(now);
        let furthest = today + TimeDelta::days(FURTHEST_DAYS);
        if self.end_date < self.start_date {
            wrong.add("end_date", "end_before_start");
        } else if self.end_date < today {
            wrong.add("end_date", "in_the_past");
        } else if (self.end_date - self.start_date).num_days() > LONGEST_WINDOW_DAYS {
            wrong.add("end_date", "window_too_long");
        } else if self.end_date > furthest {
            wrong.add("end_date", "too_far");
        }
        // A past date allows no booking; it is stored as it was entered.
        let consented = today - TimeDelta::days(FURTHEST_DAYS)..=furthest;
        if self.last_attempt_until.is_some_and(|day| !consented.contains(&day)) {
            wrong.add("last_attempt_until", "too_far");
        }
        let cities = cities(&self.required_cities, &mut wrong);
        let excluded: Vec<_> = self.excluded_dates.iter().map(ExcludedDate::range).collect();
        if excluded.iter().any(|(start, end)| end < start) {
            wrong.add("excluded_dates", "end_before_start");
        } else if excluded.iter().any(|(start, end)| *start < self.start_date || *end > self.end_date) {
            wrong.add("excluded_dates", "outside_window");
        }
        let numbers: Vec<u8> = self.weekdays.iter().map(|day| u8::try_from(*day).unwrap_or(0)).collect();
        let weekdays = Weekdays::try_from(numbers);
        if weekdays.is_err() {
            wrong.add("weekdays", "out_of_range");
        }
        let times = TimesOfDay {
            earliest: time(self.earliest_time.as_deref(), "earliest_time", &mut wrong),
            latest: time(self.latest_time.as_deref(), "latest_time", &mut wrong),
        };
        if times.earliest.zip(times.latest).is_some_and(|(earliest, latest)| latest < earliest) {
            wrong.add("latest_time", "end_before_start");
        }
        let minimum =
            within(self.minimum_days_from_current, &MINIMUM_DAYS, "minimum_days_from_current", &mut wrong);
        let improvement =
            within(self.min_improvement_days, &IMPROVEMENT_DAYS, "min_improvement_days", &mut wrong);
        let reschedules = within(self.max_reschedules, &RESCHEDULES, "max_reschedules", &mut wrong);
        let fingerprints = self.fingerprints.as_ref().and_then(Option::as_ref);
        let fingerprints = fingerprints.and_then(|asked| asked.criteria(&cities, &mut wrong));
        wrong.none()?;
        Ok(SearchCriteria {
            cities,
            start_date: self.start_date,
            end_date: self.end_date,
            excluded: ExcludedDates::new(excluded),
            weekdays: weekdays.unwrap_or_default(),
            times,
            minimum_days_from_current: minimum,
            min_improvement_days: improvement,
            max_reschedules: reschedules,
            last_attempt_until: self.last_attempt_until,
            fingerprints: fingerprints.map(Box::new),
            mode,
        })
    }

    /// Returns `true` if the request leaves the conditions for the fingerprint appointment as they
    /// are.
    #[must_use]
    pub const fn keeps_fingerprints(&self) -> bool {
        self.fingerprints.is_none()
    }

    /// Converts stored criteria to request parameters.
    #[must_use]
    pub fn of(criteria: &SearchCriteria) -> Self {
        let tagged = |date| ExcludedDate::Tagged(TaggedDay { kind: String::new(), date });
        Self {
            start_date: criteria.start_date,
            end_date: criteria.end_date,
            required_cities: criteria.cities.iter().map(|c| c.name().to_owned()).collect(),
            excluded_dates: criteria.excluded.days().map(tagged).collect(),
            weekdays: if criteria.weekdays.is_all() {
                Vec::new()
            } else {
                criteria.weekdays.numbers().map(i64::from).collect()
            },
            earliest_time: criteria.times.earliest.map(hours_minutes),
            latest_time: criteria.times.latest.map(hours_minutes),
            minimum_days_from_current: criteria.minimum_days_from_current.into(),
            min_improvement_days: criteria.min_improvement_days.into(),
            max_reschedules: criteria.max_reschedules.into(),
            last_attempt_until: criteria.last_attempt_until,
            fingerprints: Some(criteria.fingerprints.as_deref().map(FingerprintParams::of)),
        }
    }
}

impl FingerprintParams {
    /// Converts the conditions; returns `None` if there are none. The cities belong to the country
    /// of the interviews.
    fn criteria(&self, interviews: &[FacilityId], wrong: &mut Fields) -> Option<FingerprintCriteria> {
        let country = interviews.first()?.facility().country;
        // In a country without such a city in the table, any city may turn out to be one.
        let are_known = country.country().cities.iter().any(|city| city.gives_fingerprints);
        let is_possible = |city: &CityId| city.city().gives_fingerprints || !are_known;
        let mut cities = Vec::new();
        for name in &self.cities {
            match CityId::in_country(country, name).filter(is_possible) {
                Some(city) if !cities.contains(&city) => cities.push(city),
                Some(_) => {}
                None => wrong.add(FINGERPRINTS, "unknown_city"),
            }
        }
        if cities.len() > MOST_FINGERPRINT_CITIES {
            wrong.add(FINGERPRINTS, "too_many");
        }
        let mut days = |value: Option<i64>| value.map(|days| within(days, &DAYS_BEFORE, FINGERPRINTS, wrong));
        let (min_days_before, max_days_before) = (days(self.min_days_before), days(self.max_days_before));
        if min_days_before.zip(max_days_before).is_some_and(|(least, most)| most < least) {
            wrong.add(FINGERPRINTS, "end_before_start");
        }
        let criteria = FingerprintCriteria { cities, min_days_before, max_days_before };
        Some(criteria).filter(|criteria| !criteria.is_empty())
    }

    fn of(criteria: &FingerprintCriteria) -> Self {
        Self {
            cities: criteria.cities.iter().map(|city| city.name().to_owned()).collect(),
            min_days_before: criteria.min_days_before.map(i64::from),
            max_days_before: criteria.max_days_before.map(i64::from),
        }
    }
}

/// Converts city names of any country to portal numbers, in order and without duplicates.
pub fn cities(names: &[String], wrong: &mut Fields) -> Vec<FacilityId> {
    let mut cities: Vec<FacilityId> = Vec::new();
    for name in names {
        match FacilityId::by_name(name) {
            Some(id) if !cities.contains(&id) => cities.push(id),
            Some(_) => {}
            None => wrong.add("required_cities", "unknown_city"),
        }
    }
    if names.is_empty() {
        wrong.add("required_cities", "required");
    }
    cities
}

/// Deserializes a field that is present.
fn present<'de, D, T>(field: D) -> Result<Option<T>, D::Error>
where
    D: serde::Deserializer<'de>,
    T: Deserialize<'de>,
{
    T::deserialize(field).map(Some)
}

fn time(text: Option<&str>, field: &'static str, wrong: &mut Fields) -> Option<NaiveTime> {
    let text = text?;
    let time = NaiveTime::parse_from_str(text, "%H:%M").ok().filter(|_| text.len() == 5);
    if time.is_none() {
        wrong.add(field, "unknown");
    }
    time
}

fn hours_minutes(time: NaiveTime) -> String {
    time.format("%H:%M").to_string()
}

fn within(value: i64, range: &RangeInclusive<u16>, field: &'static str, wrong: &mut Fields) -> u16 {
    let number = u16::try_from(value).ok().filter(|number| range.contains(number));
    if number.is_none() {
        wrong.add(field, "out_of_range");
    }
    number.unwrap_or(*range.start())
}

#[cfg(test)]
mod tests {
    use utoipa::PartialSchema as _;

    use super::*;

    /// Compares the bounds in the OpenAPI document with the domain's rules. The schema attributes
    /// accept only literals.
    #[test]
    fn the_openapi_document_has_the_bounds_of_the_rules() {
        let mut fields = serde_json::to_value(SearchParams::schema()).expect("a schema")["properties"].take();
        let nested =
            serde_json::to_value(FingerprintParams::schema()).expect("a schema")["properties"].take();
        fields.as_object_mut().expect("fields").extend(nested.as_object().expect("fields").clone());
        let bounds = |field: &str| {
            let field = &fields[field];
            ["minimum", "maximum"].map(|key| field[key].as_u64().and_then(|n| u16::try_from(n).ok()))
        };
        for (field, range) in [
            ("minimum_days_from_current", MINIMUM_DAYS),
            ("min_improvement_days", IMPROVEMENT_DAYS),
            ("max_reschedules", RESCHEDULES),
            ("min_days_before", DAYS_BEFORE),
            ("max_days_before", DAYS_BEFORE),
        ] {
            assert_eq!(bounds(field), [Some(*range.start()), Some(*range.end())], "{field}");
        }
    }
}
