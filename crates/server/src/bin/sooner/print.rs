//! Output of commands: tables for a terminal of 100 columns, times, ages, and JSON.

use chrono::TimeDelta;
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::clock::Instant;
use inference::agreement::Agreement;
use serde::Serialize;

/// Maximum width of a line, in columns.
const WIDTH: usize = 100;

/// Formats rows under headings. A column is as wide as its widest cell. A line that is too long is
/// cut.
#[must_use]
pub fn table(headings: &[&str], rows: &[Vec<String>]) -> String {
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| visible(cell)).collect()).collect();
    let mut widths: Vec<usize> = headings.iter().map(|h| wide(h)).collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(wide(cell));
        }
    }
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let mut text = String::new();
        for (cell, width) in cells.zip(&widths) {
            text.push_str(cell);
            text.push_str(&" ".repeat(width - wide(cell) + 2));
        }
        cut(text.trim_end(), WIDTH)
    };
    let mut lines = vec![line(&mut headings.iter().copied())];
    lines.extend(rows.iter().map(|row| line(&mut row.iter().map(String::as_str))));
    lines.join("\n")
}

/// Replaces control and text direction characters, because names and pages come from users and
/// other hosts.
fn visible(text: &str) -> String {
    let is_order =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.chars().map(|c| if c.is_control() || is_order(c) { '\u{fffd}' } else { c }).collect()
}

/// Returns the width of a text in columns. Chinese characters take two columns.
fn wide(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{1100}' { 2 } else { 1 }).sum()
}

/// Returns the text, cut with an ellipsis if it is wider than `width`.
#[must_use]
pub fn cut(text: &str, width: usize) -> String {
    if wide(text) <= width {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if wide(&kept) >= width - 1 {
            break;
        }
    }
    kept + "…"
}

/// Describes a calendar for which accounts get different lists; `None` if the lists are shared.
#[must_use]
pub fn split(known: &Agreement, now: Instant) -> Option<String> {
    let since = known.split_since()?;
    Some(format!(
        "not shared: accounts see different lists ({:.0} % agreed in {:.0} tries); each account uses only its own since {}",
        known.mean() * 100.0,
        known.tries(),
        when(since, now),
    ))
}

/// Formats a name and a value. Long values are wrapped and indented.
#[must_use]
pub fn field(name: &str, value: &str) -> String {
    let mut lines = Vec::new();
    let mut line = String::new();
    // A piece without spaces that is longer than a line, e.g. JSON, is split.
    let pieces: Vec<String> = visible(value).split(' ').flat_map(broken).collect();
    for word in &pieces {
        if !line.is_empty() && wide(&line) + wide(word) + 1 > WIDTH - 16 {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    format!("{name:<14}  {}", lines.join("\n                "))
}

/// Splits a text without spaces into pieces that fit into a line.
fn broken(word: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for c in word.chars() {
        if let Some(piece) = pieces.last_mut().filter(|piece| wide(piece) < WIDTH - 18) {
            piece.push(c);
        } else {
            pieces.push(c.to_string());
        }
    }
    pieces
}

/// Formats an instant in UTC.
#[must_use]
pub fn time(instant: Instant) -> String {
    instant.format("%Y-%m-%d %H:%M:%SZ").to_string()
}

/// Formats an instant, with the time from or until now.
#[must_use]
pub fn when(instant: Instant, now: Instant) -> String {
    let span = now - instant;
    if span >= TimeDelta::zero() {
        format!("{} ({} ago)", time(instant), age(span))
    } else {
        format!("{} (in {})", time(instant), age(-span))
    }
}

/// Formats a time span in its largest units.
#[must_use]
pub fn age(span: TimeDelta) -> String {
    let seconds = span.num_seconds();
    match seconds {
        ..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min", seconds / 60),
        7_200..172_800 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

/// Formats date, time and city of an appointment.
#[must_use]
pub fn appointment(held: &Appointment) -> String {
    let Slot { facility, date, time } = held.consular;
    let interview = format!("{date} {} {}", time.format("%H:%M"), facility.name());
    match held.fingerprints {
        Some(FingerprintSlot { city, date, time }) => {
            format!("{interview}, fingerprints {date} {} {}", time.format("%H:%M"), city.name())
        }
        None => interview,
    }
}

/// Prints a value as JSON.
///
/// # Errors
/// Returns an error if the value cannot be serialized or printed.
pub fn json(value: &impl Serialize) -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(value)?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{field, table};

    // spec: 10.7.74
    #[test]
    fn control_characters_in_names_are_replaced() {
        let name = "Lin\u{1b}[2J\r\n\u{202e}gnp\u{7}".to_owned();
        for printed in [table(&["user"], &[vec![name.clone()]]), field("user", &name)] {
            assert!(printed.contains("Lin\u{fffd}[2J\u{fffd}\u{fffd}\u{fffd}gnp"), "{printed:?}");
            assert!(!printed.contains(['\u{1b}', '\r', '\u{7}', '\u{202e}']), "{printed:?}");
        }
        assert_eq!(
            table(&["name"], &[vec!["林知夏 · é".to_owned()]]),
            "name\n林知夏 · é",
            "text stays unchanged"
        );
    }
}
