//! The list of free dates of one facility (JSON).

use crate::html::not_html;
use crate::{LayoutChanged, PageKind};
use chrono::NaiveDate;
use serde::Deserialize;

#[derive(Deserialize)]
struct Day {
    date: NaiveDate,
}

/// Parses `[{"date":"2026-12-22",…}, …]` and returns the dates sorted, without duplicates.
pub fn parse(json: &str) -> Result<Vec<NaiveDate>, LayoutChanged> {
    let days: Vec<Day> =
        serde_json::from_str(json).map_err(|_| not_html(PageKind::Days, "not a list of dates"))?;
    let mut dates: Vec<NaiveDate> = days.into_iter().map(|d| d.date).collect();
    dates.sort_unstable();
    dates.dedup();
    Ok(dates)
}
