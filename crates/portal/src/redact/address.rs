//! Redaction of URLs and paths.

use super::mapping::{Mapping, WORD};
use super::text::iso_at_start;
use crate::structure::is_known_token;
use domain::facility::FacilityId;

/// Host of the real portal. It is kept, because it reveals nothing about an account.
const PORTAL: &str = "ais.usvisa-info.com";

/// Keeps the known words of a URL, changes its numbers and dates, and replaces all other parts.
pub(super) fn address(mapping: &mut Mapping, raw: &str) -> String {
    let decoded = percent_decoded(raw.trim());
    let (mut out, path) = match decoded.split_once("://") {
        Some((scheme, rest)) => {
            let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
            let scheme = if matches!(scheme, "http" | "https") { scheme } else { WORD };
            let host = if &rest[..end] == PORTAL { PORTAL } else { "xxx.example" };
            (format!("{scheme}://{host}"), rest[end..].to_owned())
        }
        // The address has a scheme such as `mailto:` or `javascript:`.
        None if decoded.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':')) => {
            return WORD.to_owned();
        }
        None => (String::new(), decoded),
    };
    let mut previous = "";
    let mut rest = path.as_str();
    while let Some(c) = rest.chars().next() {
        if is_separator(c) {
            out.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let end = rest.find(is_separator).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        out.push_str(&replaced(mapping, previous, part));
        previous = part;
        rest = after;
    }
    out
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '?' | '&' | '=' | '#' | '.' | ';' | ',' | '+')
}

fn replaced(mapping: &mut Mapping, previous: &str, part: &str) -> String {
    if let Some((date, "")) = iso_at_start(part) {
        return mapping.date(date).map_or_else(|| WORD.to_owned(), |date| date.to_string());
    }
    if matches!(previous, "days" | "times") && is_facility(part) {
        return part.to_owned();
    }
    if is_known_token(part) { mapping.known_token(part) } else { WORD.to_owned() }
}

/// Decodes `%41` and similar. An invalid byte sequence becomes a character that is on no list of
/// known words.
pub(super) fn percent_decoded(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|hex| std::str::from_utf8(hex).ok());
        let byte = hex.filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns `true` if the value is the portal's number of a known city.
pub(super) fn is_facility(value: &str) -> bool {
    value.parse::<u16>().is_ok_and(|number| FacilityId::try_from(number).is_ok())
}
