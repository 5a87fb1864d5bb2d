//! The page of one applicant, which shows if the applicant travels from another country to apply
//! (third-country national).

use crate::html::{Doc, text};
use crate::{LayoutChanged, PageKind};
use domain::text::fold;
use serde::Serialize;

/// Contents of the page of one applicant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Applicant {
    /// The answer to "Are you traveling from another country to apply …?", or `None` if there is
    /// none.
    pub from_another_country: Option<bool>,
}

/// Parses the page of one applicant.
pub fn parse(html: &str) -> Result<Applicant, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<Applicant, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::Applicant, what);
    doc.whole(PageKind::Applicant)?;
    let body = fold(&text(doc.root()));
    let mut found: Option<Option<bool>> = None;
    for question in ["from another country to apply", "d'un autre pays pour demander"] {
        for (at, _) in body.match_indices(question) {
            let answered = answer(&body[at + question.len()..]).map_err(changed)?;
            if found.is_some_and(|before| before != answered) {
                return Err(changed("two answers to the question about the applicant's country"));
            }
            found = Some(answered);
        }
    }
    match found {
        Some(from_another_country) => Ok(Applicant { from_another_country }),
        None => Err(changed("no question about the applicant's country")),
    }
}

/// Reads "yes" or "no" after the question mark. A form that offers both contains no answer.
fn answer(rest: &str) -> Result<Option<bool>, &'static str> {
    let near: String = rest.chars().take(120).collect();
    let (_, after) = near.split_once('?').ok_or("a question without a question mark")?;
    let words: Vec<Option<bool>> = after
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(2)
        .map(|word| match word {
            "yes" | "oui" => Some(true),
            "no" | "non" => Some(false),
            _ => None,
        })
        .collect();
    Ok(match words.as_slice() {
        [Some(first), Some(second), ..] if first != second => None,
        [first, ..] => *first,
        [] => None,
    })
}
