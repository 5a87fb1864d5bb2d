//! Detection of archived groups.

use crate::html::{Doc, sel, text};
use domain::text::fold;
use scraper::ElementRef;

/// Returns the archived applications: those in a container marked as an archive or below an
/// "Archived Groups" heading. The section of a heading ends at the next heading with the same tag.
pub(super) fn archived(doc: &Doc) -> Vec<ElementRef<'_>> {
    let mut apps: Vec<_> = doc
        .all(sel!("div.application"))
        .filter(|app| app.ancestors().filter_map(ElementRef::wrap).any(is_archive))
        .collect();
    let titles = sel!("h1, h2, h3, h4, h5, h6, legend, summary, a.accordion-title");
    for title in doc.all(titles).filter(|t| {
        let words = fold(&text(*t));
        words.starts_with("archived") || words.starts_with("groupes archives")
    }) {
        let scope = title.ancestors().filter_map(ElementRef::wrap).find_map(|scope| {
            let below = below(scope, title);
            (!below.is_empty()).then_some(below)
        });
        apps.extend(scope.unwrap_or_default());
    }
    apps
}

/// Returns the applications in `scope` between `title` and the next heading with the same tag.
fn below<'a>(scope: ElementRef<'a>, title: ElementRef<'a>) -> Vec<ElementRef<'a>> {
    let in_application = |e: ElementRef<'_>| e.ancestors().filter_map(ElementRef::wrap).any(is_application);
    scope
        .descendent_elements()
        .skip_while(|e| e.id() != title.id())
        .skip(1)
        .take_while(|e| e.value().name() != title.value().name() || in_application(*e))
        .filter(|e| is_application(*e))
        .collect()
}

fn is_application(e: ElementRef<'_>) -> bool {
    e.value().name() == "div" && e.value().classes().any(|c| c == "application")
}

fn is_archive(e: ElementRef<'_>) -> bool {
    let id = e.value().id().unwrap_or_default();
    e.value().name() != "body"
        && e.value().classes().chain([id]).any(|c| c.to_ascii_lowercase().starts_with("archive"))
}
