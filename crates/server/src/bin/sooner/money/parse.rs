//! Parsers of command line values: amounts, time spans and instants.

use anyhow::Context as _;
use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::clock::Instant;
use domain::money::Money;

/// Parses an amount above zero, at most a million.
pub fn amount(text: &str) -> Result<Money, String> {
    price(text).ok().filter(|m| m.minor > 0).ok_or_else(|| "an amount above zero, such as 50.00".to_owned())
}

/// Parses an amount of zero or more, at most a million.
pub fn price(text: &str) -> Result<Money, String> {
    let found = Money::parse_decimal(text).filter(|m| m.minor <= 100_000_000);
    found.ok_or_else(|| "an amount with at most two decimals, such as 38.00".to_owned())
}

/// Parses a time span such as `90d` or `12h`.
pub fn span(text: &str) -> anyhow::Result<TimeDelta> {
    let wanted = "a span such as 90d or 12h";
    let (at, _) = text.char_indices().next_back().context(wanted)?;
    let (number, unit) = text.split_at(at);
    let number: i64 = number.parse().context(wanted)?;
    let span = match unit {
        "d" => TimeDelta::try_days(number),
        "h" => TimeDelta::try_hours(number),
        _ => None,
    };
    span.filter(|s| *s > TimeDelta::zero() && *s <= TimeDelta::days(3_650)).context(wanted)
}

/// Parses an instant: an RFC 3339 time, or a date, which means midnight UTC.
pub fn instant(text: &str) -> anyhow::Result<Instant> {
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Ok(day.and_time(NaiveTime::MIN).and_utc());
    }
    text.parse().context("a date such as 2027-02-03, or a time such as 2027-02-03T08:00:00Z")
}
