//! Parser for the appointment of one group.

use super::Appointment;
use crate::civil::{moment_at_start, moments_in};
use crate::html::{sel, text, text_without};
use crate::ids::{city_name, fingerprint_city};
use crate::wording::{UnknownText, Wording};
use domain::text::fold;
use scraper::ElementRef;

/// Returns the interview in the `.consular-appt` paragraphs.
pub(super) fn interview(app: ElementRef<'_>, wording: &Wording) -> Result<Option<Appointment>, &'static str> {
    only_one(app.select(sel!(".consular-appt")), wording).map_err(|why| match why {
        NotOne::Differ => "two consular appointments in one application",
        NotOne::Unreadable(what) => what,
    })
}

/// Returns the fingerprint appointment in the `.asc-appt` paragraphs. Its place is named without
/// the word ASC.
pub(super) fn fingerprints(
    app: ElementRef<'_>,
    wording: &Wording,
) -> Result<Option<Appointment>, &'static str> {
    let found = only_one(app.select(sel!(".asc-appt")), wording).map_err(|why| match why {
        NotOne::Differ => "two fingerprint appointments in one application",
        NotOne::Unreadable(_) => "an unreadable fingerprint appointment",
    })?;
    Ok(found.map(|read| Appointment { facility_name: fingerprint_city(&read.facility_name), ..read }))
}

/// Reason why paragraphs show no single appointment.
enum NotOne {
    Differ,
    Unreadable(&'static str),
}

/// Returns the appointment in the paragraphs. A page may repeat a paragraph for small screens.
fn only_one<'a>(
    paragraphs: impl Iterator<Item = ElementRef<'a>>,
    wording: &Wording,
) -> Result<Option<Appointment>, NotOne> {
    let mut found: Option<Appointment> = None;
    for paragraph in paragraphs {
        let read = printed_appointment(paragraph, wording).map_err(NotOne::Unreadable)?;
        if found.as_ref().is_some_and(|f| *f != read) {
            return Err(NotOne::Differ);
        }
        found = Some(read);
    }
    Ok(found)
}

/// Parses a paragraph such as `<strong>Consular Appointment:</strong> 1 November, 2027, 09:15
/// Vancouver local time at Vancouver`.
fn printed_appointment(paragraph: ElementRef<'_>, wording: &Wording) -> Result<Appointment, &'static str> {
    if paragraph.select(sel!(".asc-appt, .delivery, .consular-appt")).next().is_some() {
        return Err("an unknown paragraph inside an appointment");
    }
    let label = paragraph.select(sel!("strong, b")).map(text).find(|t| !t.is_empty());
    let is_first = label.is_some_and(|label| text(paragraph).starts_with(&label));
    let printed = text_without(paragraph, &["strong", "b", "a"]);
    let printed = match printed.split_once(':') {
        _ if is_first => printed.as_str(),
        // If the label has no element of its own, it ends at the first colon before any digit.
        Some((label, rest)) if !label.contains(|c: char| c.is_ascii_digit()) => rest.trim(),
        _ => return Err("an appointment without a label"),
    };
    let (at, tail) = moment_at_start(printed, wording).ok_or("an unreadable appointment date")?;
    if !moments_in(tail, wording).is_empty() {
        return Err("two dates in one appointment");
    }
    let (facility_name, zone_text) = place(tail, wording).ok_or("an appointment without a place")?;
    Ok(Appointment { at, facility_name, zone_text })
}

/// Returns the city and the time zone text of ` Vancouver local time at Vancouver — Get
/// Directions`: (`Vancouver`, `Vancouver local time`).
fn place(tail: &str, wording: &Wording) -> Option<(String, String)> {
    let tail = tail.split(['—', '–', '|', '(']).next().unwrap_or_default();
    let tail = tail.split(" - ").next().unwrap_or_default().trim().trim_start_matches(',').trim();
    // If the city was a link, its text was removed earlier, so nothing follows "at".
    let tail = tail.strip_suffix(" at").or_else(|| tail.strip_suffix(" à")).unwrap_or(tail);
    let (zone, named) = [" at ", " à ", " en "]
        .iter()
        .find_map(|word| tail.split_once(word))
        .map_or((tail, ""), |(zone, named)| (zone.trim(), named.trim()));
    let from_zone = match zone_city(zone, wording) {
        Some(city) => city,
        // The name after the English "at" is enough. Without it, unknown words surround the city.
        None if wording.unknown_text == UnknownText::LeaveOut && !zone.is_empty() => {
            if named.is_empty() || !tail.contains(" at ") {
                return Some((String::new(), tail.to_owned()));
            }
            String::new()
        }
        None => return None,
    };
    let name = if named.is_empty() { from_zone.as_str() } else { named };
    let name = name.split(',').next().unwrap_or_default().trim_end_matches(['.', ',', ' ']).trim_start();
    (!name.is_empty()).then(|| (city_name(name), zone.to_owned()))
}

/// Returns the city in `Vancouver local time`, `BOGOTA Hora Local` or `Heure locale de Vancouver`.
/// Returns an empty text if no city is named, and `None` if the text names no local time.
fn zone_city(zone: &str, wording: &Wording) -> Option<String> {
    let folded = fold(zone);
    if folded == "heure locale" {
        return Some(String::new());
    }
    let mut after_city = ["local time", "hora local"].iter().chain(wording.local_time);
    if let Some(city) = after_city.find_map(|words| folded.strip_suffix(words)) {
        return Some(zone.chars().take(city.chars().count()).collect::<String>().trim().to_owned());
    }
    ["heure locale de ", "heure locale d'", "hora local de "]
        .iter()
        .find(|p| folded.starts_with(**p))
        .map(|p| zone.chars().skip(p.chars().count()).collect::<String>().trim().to_owned())
}
