//! Parser for the applicants of one group.

use super::Applicant;
use crate::ApplicantId;
use crate::html::{attr, number_after, sel, text};
use domain::text::fold;
use scraper::ElementRef;

/// Parses the table of applicants, whose columns are found by their headings. If there is no table,
/// returns the applicants found in links.
pub(super) fn applicants(app: ElementRef<'_>) -> Vec<Applicant> {
    let mut list: Vec<Applicant> = Vec::new();
    for table in app.select(sel!("table")) {
        let heads: Vec<String> = table.select(sel!("th")).map(|th| fold(&text(th))).collect();
        let column = |words: &[&str], default: usize| {
            heads.iter().position(|h| words.iter().any(|w| h.contains(w))).unwrap_or(default)
        };
        let status = heads.iter().position(|h| h.contains("status") || h.contains("statut")).unwrap_or(4);
        let columns = [
            column(&["name", "nom"], 0),
            column(&["passport", "passeport"], 1),
            column(&["ds-160", "ds160"], 2),
            column(&["class", "categor"], 3),
            status,
        ];
        list.extend(table.select(sel!("tr")).filter_map(|row| applicant(row, columns)));
    }
    if list.is_empty() {
        for a in app.select(sel!("a[href*='/applicants/']")) {
            let id = attr(a, "href").and_then(|h| number_after(&h, "/applicants/").map(ApplicantId::from));
            if id.is_some() && !list.iter().any(|known| known.id == id) {
                list.push(Applicant {
                    id,
                    name: text(a),
                    passport: None,
                    ds160: None,
                    visa_class: None,
                    status: None,
                });
            }
        }
    }
    list
}

fn applicant(row: ElementRef<'_>, columns: [usize; 5]) -> Option<Applicant> {
    let cells: Vec<String> = row.select(sel!("td")).map(text).collect();
    let cell = |at: usize| cells.get(at).filter(|t| !t.is_empty()).cloned();
    let [name, passport, ds160, class, status] = columns;
    let id = row
        .select(sel!("a[href*='/applicants/']"))
        .find_map(|a| number_after(&attr(a, "href")?, "/applicants/").map(ApplicantId::from));
    Some(Applicant {
        id,
        name: cell(name).filter(|_| cells.len() > 1)?,
        passport: cell(passport),
        ds160: cell(ds160),
        visa_class: cell(class),
        status: cell(status),
    })
}
