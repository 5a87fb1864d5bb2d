//! "Confirmation and Instructions", the page that follows a booking POST after success and after
//! refusal.

use crate::civil::{CivilMoment, first_moment, moment_at_start};
use crate::html::{Doc, sel, squeeze, text, text_without};
use crate::wording::Wording;
use crate::{LayoutChanged, PageKind};
use domain::text::fold;
use serde::Serialize;
use std::collections::BTreeMap;

/// Apparent meaning of the flash message. The message is evidence, never proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FlashTone {
    /// A known success message.
    Booked,
    /// A known refusal message.
    Refused,
    /// An unknown message.
    Unknown,
}

/// Contents of the confirmation page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Instructions {
    /// The flash message, if the page shows one.
    pub flash: Option<String>,
    /// Date and time of the interview, in the consulate's local time.
    pub interview: Option<CivilMoment>,
    /// Deadline for changes to the appointment, in the consulate's local time.
    pub deadline: Option<CivilMoment>,
    /// `true` if the page has its own heading. Only then does a missing interview mean that no
    /// appointment exists.
    pub headed: bool,
}

impl Instructions {
    /// Returns the apparent meaning of the flash message, or `None` if there is no message.
    pub fn tone(&self) -> Option<FlashTone> {
        let words = fold(self.flash.as_deref()?);
        let says = |list: &[&str]| list.iter().any(|w| words.contains(w));
        let refused = [
            "not be scheduled",
            "could not",
            "unable",
            "cannot",
            "no longer",
            "no pudo",
            "n'a pas pu",
            "n'a pu",
            "impossible",
            "failed",
            "error",
            "not available",
        ];
        Some(if says(&refused) {
            FlashTone::Refused
        } else if says(&["successfully", "avec succes", "exitosamente", "con exito"]) {
            FlashTone::Booked
        } else {
            FlashTone::Unknown
        })
    }
}

/// Labels that precede the interview, in lower case without accents. The list after this one has
/// the labels that precede the deadline.
const INTERVIEW: [&str; 6] = [
    "consular section interview date",
    "consular interview date",
    "date de l'entrevue",
    "date de l'entrevue a la section consulaire",
    "date de l'entretien",
    "fecha de la entrevista",
];
const DEADLINE: [&str; 3] = ["you have until", "vous avez jusqu'au", "usted tiene hasta el"];

/// Parses the instructions page.
pub fn parse(html: &str) -> Result<Instructions, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<Instructions, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::Instructions, what);
    doc.whole(PageKind::Instructions)?;
    let body = text(doc.root());
    let interview = labelled(&body, &INTERVIEW, ":", doc.wording()).map_err(changed)?;
    let deadline = labelled(&body, &DEADLINE, "", doc.wording()).map_err(changed)?;
    let flash = flash(doc);
    let headed = doc.headed(&["confirmation and instructions", "confirmation et instructions"]);
    let known = interview.is_some() || deadline.is_some() || doc.body_has_class("instructions") || headed;
    if !known {
        return Err(changed("no title and no interview date"));
    }
    Ok(Instructions { flash, interview, deadline, headed })
}

/// Returns the text of `#flash_messages`, without the close button.
pub(crate) fn flash(doc: &Doc) -> Option<String> {
    let inner = sel!(
        "#flash_messages .notice, #flash_messages .alert, #flash_messages .error, #flash_messages .warning"
    );
    let el = doc.first(inner).or_else(|| doc.first(sel!("#flash_messages")))?;
    let said = squeeze(&text_without(el, &["button"]).replace('×', " "));
    (!said.is_empty()).then_some(said)
}

/// Returns the date and time that follow a label, or `None` if no label is found. Fails if no
/// readable date follows, or if two occurrences of the label have different dates.
fn labelled(
    body: &str,
    labels: &[&str],
    colon: &str,
    wording: &Wording,
) -> Result<Option<CivilMoment>, &'static str> {
    let mut found: Option<CivilMoment> = None;
    for rest in after_labels(body, labels) {
        let rest = rest.trim_start().strip_prefix(colon).ok_or("a date label without a colon")?;
        let (moment, rest) =
            moment_at_start(rest.trim_start(), wording).ok_or("a date label without a readable date")?;
        local_time_alone(rest, wording)?;
        if found.is_some_and(|f| f != moment) {
            return Err("two different dates for one label");
        }
        found = Some(moment);
    }
    Ok(found)
}

/// Fails unless a text about local time follows the date, or if a second date without a label of
/// its own follows.
fn local_time_alone(rest: &str, wording: &Wording) -> Result<(), &'static str> {
    let near: String = rest.chars().take(200).collect();
    let near = fold(&near);
    let (at, words) = ["local time", "heure locale", "hora local"]
        .iter()
        .chain(wording.local_time)
        .filter_map(|w| near.match_indices(w).next())
        .min()
        .ok_or("a date without the text about local time")?;
    if near[..at].contains(|c: char| c.is_ascii_digit()) {
        return Err("a date without the text about local time");
    }
    let after = &near[at + words.len()..];
    let Some(next) = first_moment(after, wording).filter(|next| *next < 60) else {
        return Ok(());
    };
    let gap = &after[..next];
    let has_label = gap.contains(':') || DEADLINE.iter().any(|label| gap.contains(label));
    if has_label { Ok(()) } else { Err("two dates after one label") }
}

/// Returns the text after each occurrence of a label. If one label is the beginning of another,
/// only the longer label counts. Positions are counted in characters, because folding changes the
/// byte length.
fn after_labels<'a>(body: &'a str, labels: &[&str]) -> Vec<&'a str> {
    let mut folded = String::with_capacity(body.len());
    let mut origin = Vec::with_capacity(body.len());
    for (at, c) in body.char_indices() {
        let piece = fold(c.encode_utf8(&mut [0; 4]));
        origin.extend(std::iter::repeat_n(at, piece.len()));
        folded.push_str(&piece);
    }
    origin.push(body.len());
    let mut longest = BTreeMap::new();
    for (at, label) in labels.iter().flat_map(|label| folded.match_indices(label)) {
        let end = longest.entry(at).or_insert(0);
        *end = at.saturating_add(label.len()).max(*end);
    }
    longest.into_values().map(|end| &body[origin[end]..]).collect()
}
