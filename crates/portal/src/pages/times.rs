//! The list of free times of one date at one facility (JSON).

use crate::civil::time_at_start;
use crate::html::not_html;
use crate::{LayoutChanged, PageKind};
use chrono::NaiveTime;
use serde::Deserialize;

#[derive(Deserialize)]
struct Times {
    // `deserialize_with` makes the key mandatory. Its value may be null.
    #[serde(deserialize_with = "Option::deserialize")]
    available_times: Option<Vec<Option<String>>>,
    business_times: Option<Vec<Option<String>>>,
}

/// Parses `{"available_times":["07:30"],…}` and returns the times sorted, without duplicates. Both
/// `[]` and `[null]` are empty lists.
pub fn parse(json: &str) -> Result<Vec<NaiveTime>, LayoutChanged> {
    let changed = |what| not_html(PageKind::Times, what);
    let times: Times = serde_json::from_str(json).map_err(|_| changed("not an object of time lists"))?;
    let list = times.available_times.or(times.business_times).ok_or_else(|| changed("no list of times"))?;
    let mut read = Vec::with_capacity(list.len());
    for text in list.into_iter().flatten().filter(|t| !t.trim().is_empty()) {
        match time_at_start(text.trim()) {
            Some((time, "")) => read.push(time),
            _ => return Err(changed("an unreadable time")),
        }
    }
    read.sort_unstable();
    read.dedup();
    Ok(read)
}
