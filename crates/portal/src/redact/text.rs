//! Redaction of texts: replaces every word that is not part of the portal's interface.

use super::mapping::{Mapping, WORD};
use super::tokens::{is_of_word, words};
use super::words::phrase_at_start;
use crate::civil::{MONTHS, date_at_start, time_at_start};
use crate::wording::CLIENT;
use chrono::{Datelike, NaiveDate};
use domain::text::fold;

/// Returns the text with unknown words replaced and numbers and dates changed. Keeps punctuation
/// and white space.
pub(super) fn text(mapping: &mut Mapping, raw: &str) -> String {
    with_words(mapping, raw, &[])
}

/// Redacts a text like [`text`], but also keeps the words in `more`.
pub(super) fn with_words(mapping: &mut Mapping, raw: &str, more: &[&str]) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(c) = rest.chars().next() {
        if !is_of_word(c) {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let (piece, after) = replace_word(mapping, rest, more);
        out.push_str(&piece);
        rest = after;
    }
    out
}

/// Redacts the word, phrase or date at the start of `rest`. Also returns the text that follows.
fn replace_word<'a>(mapping: &mut Mapping, rest: &'a str, more: &[&str]) -> (String, &'a str) {
    if rest.starts_with(|c: char| c.is_ascii_digit())
        && let Some(moved) = dated(mapping, rest)
    {
        return moved;
    }
    if let Some(length) = phrase_at_start(rest) {
        return (rest[..length].to_owned(), &rest[length..]);
    }
    let end = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
    let (word, after) = rest.split_at(end);
    let replaced = if word.bytes().all(|byte| byte.is_ascii_digit()) {
        mapping.number(word)
    } else if more.contains(&fold(word).as_str()) {
        word.to_owned()
    } else {
        WORD.to_owned()
    };
    (replaced, after)
}

/// Moves the date, or replaces the time, at the start of `rest`. Also returns the text that
/// follows.
fn dated<'a>(mapping: &mut Mapping, rest: &'a str) -> Option<(String, &'a str)> {
    if let Some((date, after)) = iso_at_start(rest) {
        return Some((mapping.date(date).map_or_else(|| WORD.to_owned(), |date| date.to_string()), after));
    }
    if let Some((date, after)) = date_at_start(rest, &CLIENT) {
        let printed = &rest[..rest.len() - after.len()];
        let moved = mapping.date(date).map_or_else(|| WORD.to_owned(), |date| print_as(printed, date));
        return Some((moved, after));
    }
    let (time, after) = time_at_start(rest)?;
    let printed = &rest[..rest.len() - after.len()];
    let sign = if printed.contains('h') { 'h' } else { ':' };
    let moved = mapping.time(time);
    Some((format!("{}{sign}{}", moved.format("%H"), moved.format("%M")), after))
}

/// Parses `2026-12-22` at the start of `text`. Also returns the text that follows.
pub(super) fn iso_at_start(text: &str) -> Option<(NaiveDate, &str)> {
    let (date, after) = (text.get(..10)?, text.get(10..)?);
    let is_whole = !after.starts_with(|c: char| c.is_ascii_digit());
    let date = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok().filter(|_| is_whole)?;
    Some((date, after))
}

/// Prints a date in the format and language of `printed`.
fn print_as(printed: &str, date: NaiveDate) -> String {
    let mut out = String::new();
    let mut numbers = 0;
    let mut end = 0;
    for (start, word) in words(printed) {
        out.push_str(&printed[end..start]);
        end = start + word.len();
        let folded = fold(word);
        let language = MONTHS.iter().find_map(|names| names.iter().position(|name| *name == folded));
        if let Some(language) = language {
            let month = MONTHS[date.month0() as usize][language];
            let is_capital = word.starts_with(char::is_uppercase);
            out.push_str(&if is_capital { capital(month) } else { month.to_owned() });
        } else if word.starts_with(|c: char| c.is_ascii_digit()) {
            numbers += 1;
            let number = if numbers == 1 { date.day().to_string() } else { format!("{:04}", date.year()) };
            out.push_str(&number);
        } else {
            out.push_str("de");
        }
    }
    out.push_str(&printed[end..]);
    out
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
