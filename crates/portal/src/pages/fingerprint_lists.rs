//! The lists of free dates and times of one fingerprint place (JSON). They have the form of the
//! lists of a consulate. An object with an `error` stands for an empty list.

use super::{days, times};
use crate::{LayoutChanged, PageKind};
use chrono::{NaiveDate, NaiveTime};
use serde::Deserialize;

/// Parses the list of free dates. Returns the dates sorted, without duplicates.
pub fn parse_days(json: &str) -> Result<Vec<NaiveDate>, LayoutChanged> {
    parse(json, PageKind::FingerprintDays, days::parse)
}

/// Parses the lists of free times of one date. Returns the times sorted, without duplicates.
pub fn parse_times(json: &str) -> Result<Vec<NaiveTime>, LayoutChanged> {
    parse(json, PageKind::FingerprintTimes, times::parse)
}

fn parse<T>(
    json: &str,
    page: PageKind,
    reader: impl Fn(&str) -> Result<Vec<T>, LayoutChanged>,
) -> Result<Vec<T>, LayoutChanged> {
    #[derive(Deserialize)]
    struct NoList {
        #[serde(rename = "error")]
        _error: String,
    }
    if serde_json::from_str::<NoList>(json).is_ok() {
        return Ok(Vec::new());
    }
    reader(json).map_err(|changed| LayoutChanged { page, ..changed })
}
