//! Parsers for dates as the portal prints them: local dates of a consulate, with names of months in
//! English, French, Spanish, and a page's own language.
//!
//! A parser returns a date only if day, month name and four-digit year follow one another. It
//! rejects every other text.

use crate::wording::Wording;
use chrono::{NaiveDate, NaiveTime};
use domain::text::fold;
use serde::Serialize;

/// Local date and time of day at a consulate, without a time zone. Never compare it with an instant
/// in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct CivilMoment {
    /// The date at the consulate.
    pub date: NaiveDate,
    /// The time of day at the consulate, to the minute.
    pub time: NaiveTime,
}

impl CivilMoment {
    /// Returns `2027-11-01T09:15`, without a zone.
    pub fn iso(&self) -> String {
        format!("{}T{}", self.date, self.time.format("%H:%M"))
    }
}

pub(crate) const MONTHS: [[&str; 3]; 12] = [
    ["january", "janvier", "enero"],
    ["february", "fevrier", "febrero"],
    ["march", "mars", "marzo"],
    ["april", "avril", "abril"],
    ["may", "mai", "mayo"],
    ["june", "juin", "junio"],
    ["july", "juillet", "julio"],
    ["august", "aout", "agosto"],
    ["september", "septembre", "septiembre"],
    ["october", "octobre", "octubre"],
    ["november", "novembre", "noviembre"],
    ["december", "decembre", "diciembre"],
];

/// Parses `1 November, 2027` at the start of `text`. Also returns the text after the year.
pub(crate) fn date_at_start<'a>(text: &'a str, wording: &Wording) -> Option<(NaiveDate, &'a str)> {
    let (day, rest) = number(text.trim_start(), 1..=2)?;
    let rest = rest.strip_prefix("er").unwrap_or(rest);
    let rest = skip_word(spaced(rest)?, "de");
    let (month, rest) = month(rest, wording)?;
    let rest = rest.strip_prefix(',').unwrap_or(rest);
    let rest = skip_word(spaced(rest)?, "de");
    let (year, rest) = number(rest, 4..=4)?;
    let date = NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, day)?;
    Some((date, rest))
}

/// Parses `1 November, 2027, 09:15` at the start of `text`. Also returns the text after the
/// minutes.
pub(crate) fn moment_at_start<'a>(text: &'a str, wording: &Wording) -> Option<(CivilMoment, &'a str)> {
    let (date, rest) = date_at_start(text, wording)?;
    let rest = rest.trim_start();
    let rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    let (time, rest) = time_at_start(rest)?;
    Some((CivilMoment { date, time }, rest))
}

/// Parses `09:15` (or French `09h15`) at the start of `text`. Rejects a time with seconds or am/pm.
pub(crate) fn time_at_start(text: &str) -> Option<(NaiveTime, &str)> {
    let (hour, rest) = number(text, 1..=2)?;
    let rest = rest.strip_prefix([':', 'h'])?;
    let (minute, rest) = number(rest, 2..=2)?;
    let tail = fold(rest.trim_start().get(..4).unwrap_or(rest.trim_start()));
    let half_day = ["am", "pm", "a.m", "p.m"]
        .iter()
        .any(|m| tail.strip_prefix(m).is_some_and(|t| !t.starts_with(|c: char| c.is_ascii_alphabetic())));
    if half_day || rest.starts_with(':') {
        return None;
    }
    Some((NaiveTime::from_hms_opt(hour, minute, 0)?, rest))
}

/// Returns all dates with a time in `text`, in order.
pub(crate) fn moments_in(text: &str, wording: &Wording) -> Vec<CivilMoment> {
    starts(text).filter_map(|t| moment_at_start(t, wording).map(|(m, _)| m)).collect()
}

/// Returns the byte position of the first date with a time in `text`.
pub(crate) fn first_moment(text: &str, wording: &Wording) -> Option<usize> {
    starts(text).find(|t| moment_at_start(t, wording).is_some()).map(|t| text.len() - t.len())
}

/// Returns all dates in `text`, with or without a time, in order.
pub(crate) fn dates_in(text: &str, wording: &Wording) -> Vec<NaiveDate> {
    starts(text).filter_map(|t| date_at_start(t, wording).map(|(d, _)| d)).collect()
}

/// Returns the suffixes of `text` that begin with a run of digits.
fn starts(text: &str) -> impl Iterator<Item = &str> {
    let mut previous = ' ';
    text.char_indices().filter_map(move |(at, c)| {
        let begins = c.is_ascii_digit() && !previous.is_alphanumeric();
        previous = c;
        begins.then(|| &text[at..])
    })
}

/// Parses a run of ASCII digits at the start of `text` if the run's length is in `len`.
fn number(text: &str, len: std::ops::RangeInclusive<usize>) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    if !len.contains(&end) {
        return None;
    }
    Some((text[..end].parse().ok()?, &text[end..]))
}

fn month<'a>(text: &'a str, wording: &Wording) -> Option<(u32, &'a str)> {
    let end = text
        .find(|c: char| !c.is_alphabetic() && !('\u{300}'..='\u{36f}').contains(&c))
        .unwrap_or(text.len());
    let word = fold(&text[..end]);
    let word = word.as_str();
    let own = || wording.months.iter().position(|names| names.contains(&word));
    let at = MONTHS.iter().position(|names| names.contains(&word)).or_else(own)?;
    Some((u32::try_from(at).ok()? + 1, &text[end..]))
}

/// Skips white space at the start of `text`. Returns `None` if there is none.
fn spaced(text: &str) -> Option<&str> {
    let rest = text.trim_start();
    (rest.len() < text.len()).then_some(rest)
}

fn skip_word<'a>(text: &'a str, word: &str) -> &'a str {
    text.strip_prefix(word).and_then(spaced).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wording::CLIENT;

    fn read(text: &str) -> Option<String> {
        moment_at_start(text, &CLIENT).map(|(m, _)| m.iso())
    }

    #[test]
    fn complete_dates_parse_in_three_languages() {
        for (text, iso) in [
            ("1 November, 2027, 09:15 Vancouver local time", "2027-11-01T09:15"),
            ("9 mars 2026, 08:15 Heure locale de Vancouver", "2026-03-09T08:15"),
            ("1er août 2026, 08h05", "2026-08-01T08:05"),
            ("31 DÉCEMBRE 2026, 7:30", "2026-12-31T07:30"),
            ("2 de febrero de 2027, 07:45", "2027-02-02T07:45"),
        ] {
            assert_eq!(read(text).as_deref(), Some(iso), "{text}");
        }
    }

    #[test]
    fn incomplete_or_malformed_dates_do_not_parse() {
        for text in [
            "1 November, 202",
            "1 November, 2027",
            "1 November, 2027, 09:1",
            "1 Nov, 2027, 09:15",
            "31 June, 2027, 09:15",
            "1 November, 20277, 09:15",
            "111 May, 2027, 09:15",
            "1 May, 2027, 25:00",
            "1 May, 2027, 09:155",
            "1 May, 2027, 09:15 PM",
            "1May, 2027, 09:15",
            "May 1, 2027, 09:15",
            "",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
