//! What can be done with one group (`continue_actions`).

use crate::html::{Doc, attr, sel, text};
use crate::{LayoutChanged, PageKind};
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ActionKind {
    /// Move the existing appointment.
    Reschedule,
    /// Book a first appointment.
    Schedule,
    /// Pay the visa fee, or see what was paid.
    Payment,
    /// Cancel the appointment: never followed by us.
    Cancel,
    /// Anything else.
    Other,
}

/// One link of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// What it does, judged by label, method and address together.
    pub kind: ActionKind,
    /// Its words.
    pub label: String,
    /// Its address.
    pub href: String,
    /// The HTTP method it uses, lower case: `get`, `delete` …
    pub method: String,
}

/// All actions of one group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Actions {
    /// In the page's order, each once.
    pub actions: Vec<Action>,
}

impl Actions {
    /// The only action of this kind, if there is exactly one.
    pub fn only(&self, kind: ActionKind) -> Option<&Action> {
        let mut hits = self.actions.iter().filter(|a| a.kind == kind);
        let first = hits.next()?;
        hits.next().is_none().then_some(first)
    }
}

/// Reads the page.
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
        // An accordion's title is a link to its own panel.
        if attr(link, "href").is_none_or(|h| h.starts_with('#')) {
            continue;
        }
        let action = action(link);
        if !actions.contains(&action) {
            actions.push(action);
        }
    }
    // Buttons outside an accordion stand on other pages too.
    let known = actions.iter().any(|a| a.kind != ActionKind::Other);
    if actions.is_empty() || !scoped && !known {
        return Err(doc.changed(PageKind::Actions, "no actions"));
    }
    Ok(Actions { actions })
}

fn action(link: ElementRef<'_>) -> Action {
    let label = text(link);
    let href = attr(link, "href").unwrap_or_default();
    let method = ["data-method", "data-turbo-method"]
        .iter()
        .find_map(|a| attr(link, a))
        .map_or_else(|| "get".to_owned(), |m| m.to_ascii_lowercase());
    Action { kind: kind(&label, &href, &method), label, href, method }
}

/// "Cancel" shares its address with "Reschedule": only a GET with the right words is one.
fn kind(label: &str, href: &str, method: &str) -> ActionKind {
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
        says(&["reschedule", "replanifier", "reporter", "deplacer", "modifier", "changer", "reprogramar"]);
    let books = says(&["schedule", "planifier", "prendre", "fixer", "programar", "continue", "continuer"]);
    match path.rsplit('/').next().unwrap_or_default() {
        "appointment" if moves => ActionKind::Reschedule,
        "appointment" | "continue" if books && !moves => ActionKind::Schedule,
        "payment" if says(&["pay", "fee", "frais", "droits", "receipt", "recu"]) => ActionKind::Payment,
        _ => ActionKind::Other,
    }
}
