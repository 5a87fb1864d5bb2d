//! The page with the actions of one group (`continue_actions`).

use crate::html::{Doc, attr, sel, text};
use crate::wording::Wording;
use crate::{LayoutChanged, PageKind};
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

/// Effect of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Move the existing appointment.
    Reschedule,
    /// Book a first appointment.
    Schedule,
    /// Pay the visa fee, or see the payment.
    Payment,
    /// Cancel the appointment. The client never follows this link.
    Cancel,
    /// Anything else.
    Other,
}

/// Link on the actions page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// Effect of the action, derived from label, method and address together.
    pub kind: ActionKind,
    /// Text of the link.
    pub label: String,
    /// Address of the link.
    pub href: String,
    /// HTTP method of the link, in lower case: `get`, `delete` …
    pub method: String,
}

/// All actions of one group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Actions {
    /// The actions in the page's order, without duplicates.
    pub actions: Vec<Action>,
}

impl Actions {
    /// Returns the action of this kind, or `None` unless there is exactly one.
    pub fn only(&self, kind: ActionKind) -> Option<&Action> {
        let mut hits = self.actions.iter().filter(|a| a.kind == kind);
        let first = hits.next()?;
        hits.next().is_none().then_some(first)
    }
}

/// Parses the actions page.
pub fn parse(html: &str) -> Result<Actions, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<Actions, LayoutChanged> {
    doc.whole(PageKind::Actions)?;
    let scoped = doc.has(sel!("ul.accordion, li.accordion-item"));
    let links = if scoped {
        doc.all(sel!("ul.accordion a[href], li.accordion-item a[href]"))
    } else {
        doc.all(sel!("a.button[href]"))
    };
    let mut actions: Vec<Action> = Vec::new();
    for link in links {
        // Skip the titles of accordion items, which are links to their own panels.
        if attr(link, "href").is_none_or(|h| h.starts_with('#')) {
            continue;
        }
        let action = action(link, doc.wording());
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    // Other pages have buttons too, but outside an accordion.
    let known = actions.iter().any(|a| a.kind != ActionKind::Other);
    if actions.is_empty() || !scoped && !known {
        return Err(doc.changed(PageKind::Actions, "no actions"));
    }
    Ok(Actions { actions })
}

fn action(link: ElementRef<'_>, wording: &Wording) -> Action {
    let label = text(link);
    let href = attr(link, "href").unwrap_or_default();
    let method = ["data-method", "data-turbo-method"]
        .iter()
        .find_map(|a| attr(link, a))
        .map_or_else(|| "get".to_owned(), |m| m.to_ascii_lowercase());
    Action { kind: kind(&label, &href, &method, wording), label, href, method }
}

/// Returns the kind of a link. "Cancel" and "Reschedule" have the same address. Only a GET link
/// whose label is on the list counts as a reschedule.
fn kind(label: &str, href: &str, method: &str, wording: &Wording) -> ActionKind {
    let words = fold(label);
    let says = |list: &[&str]| list.iter().any(|w| words.contains(w));
    let path = href.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
    if method == "delete" || says(&["cancel", "annuler", "annulation", "cancelar"]) {
        return ActionKind::Cancel;
    }
    if method != "get" {
        return ActionKind::Other;
    }
    let moves =
        says(&["reschedule", "replanifier", "reporter", "deplacer", "modifier", "changer", "reprogramar"])
            || says(wording.moves);
    let books = says(&["schedule", "planifier", "prendre", "fixer", "programar", "continue", "continuer"])
        || says(wording.books);
    match path.rsplit('/').next().unwrap_or_default() {
        "appointment" if moves => ActionKind::Reschedule,
        "appointment" | "continue" if books && !moves => ActionKind::Schedule,
        "payment" if says(&["pay", "fee", "frais", "droits", "receipt", "recu"]) => ActionKind::Payment,
        _ => ActionKind::Other,
    }
}
