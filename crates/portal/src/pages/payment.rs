//! The fee page of a group that has not paid: the first available date of each city and the fee
//! receipt.

use crate::civil::{date_at_start, dates_in};
use crate::html::{Doc, sel, text};
use crate::ids::city_name;
use crate::wording::Wording;
use crate::{LayoutChanged, PageKind};
use chrono::NaiveDate;
use domain::facility::FacilityId;
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

/// First available date in one city.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstAvailable {
    /// English name of the city, or the printed name if the city is unknown.
    pub facility: String,
    /// The portal's number of the city, if the city is known.
    pub facility_id: Option<FacilityId>,
    /// The date, or `None` if the page reports that the city has no free date.
    pub date: Option<NaiveDate>,
}

/// Contents of the fee page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Payment {
    /// One entry for each city, in the order of the page. Empty if the page reports that no city
    /// has a free date, or if the group has paid and the page shows no dates.
    pub first_available: Vec<FirstAvailable>,
    /// Date of the fee receipt, if the page shows exactly one.
    pub receipt_date: Option<NaiveDate>,
}

/// Parses the fee page. The page of a group that has paid may contain only the receipt.
pub fn parse(html: &str) -> Result<Payment, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<Payment, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::Payment, what);
    doc.whole(PageKind::Payment)?;
    let titled = doc.all(sel!("h1, h2, h3, h4, h5, caption, th, strong")).any(|h| is_title(&fold(&text(h))));
    let mut first_available = Vec::new();
    for table in doc.all(sel!("table.for-layout")) {
        if let Some(rows) = rows(table, doc.wording()).map_err(changed)? {
            if !first_available.is_empty() {
                return Err(changed("two tables of first available dates"));
            }
            first_available = rows;
        }
    }
    let body = text(doc.root());
    let receipt_date = receipt_date(&body, doc.wording());
    if first_available.is_empty() && says_none(&fold(&body)) {
        return Ok(Payment { first_available, receipt_date });
    }
    if first_available.is_empty() && titled {
        return Err(changed("a title of first available dates without a table"));
    }
    if first_available.is_empty() && receipt_date.is_none() {
        return Err(changed("no first available dates and no receipt"));
    }
    Ok(Payment { first_available, receipt_date })
}

fn is_title(folded: &str) -> bool {
    folded.contains("first available")
        || folded.contains("premiers rendez-vous")
        || folded.contains("primeras citas")
}

/// Returns `true` if the page reports in a sentence that no city has a free date. Such a page has
/// no table.
fn says_none(folded: &str) -> bool {
    let none = [
        "there are no available appointments",
        "il n'y a aucun rendez-vous disponible",
        "aucun rendez-vous n'est disponible",
        "no hay citas disponibles en este momento",
    ];
    none.iter().any(|sentence| folded.contains(sentence))
}

/// Parses the rows of a table. Returns `None` if the table does not list first available dates.
fn rows(table: ElementRef<'_>, wording: &Wording) -> Result<Option<Vec<FirstAvailable>>, &'static str> {
    let mut rows = Vec::new();
    let mut odd = false;
    for row in table.select(sel!("tr")) {
        let cells: Vec<String> = row.select(sel!("td")).map(text).collect();
        let [city, day] = cells.as_slice() else {
            odd |= !cells.is_empty();
            continue;
        };
        if city.contains(|c: char| c.is_ascii_digit()) {
            odd = true;
            continue;
        }
        match first_day(day, wording) {
            Some(date) => rows.push(FirstAvailable {
                facility: city_name(city),
                facility_id: FacilityId::by_name(city),
                date,
            }),
            None => odd = true,
        }
    }
    let mut known: Vec<_> = rows.iter().filter_map(|r| r.facility_id).collect();
    known.sort_unstable();
    odd |= known.windows(2).any(|pair| pair[0] == pair[1]);
    match (rows.is_empty(), odd) {
        (true, _) => Ok(None),
        (false, false) => Ok(Some(rows)),
        (false, true) => Err("an unreadable row of first available dates"),
    }
}

/// Parses a table cell: a date, or the text for "no date". Returns `None` for any other text.
fn first_day(cell: &str, wording: &Wording) -> Option<Option<NaiveDate>> {
    if let Some((date, rest)) = date_at_start(cell, wording) {
        return rest.trim().is_empty().then_some(Some(date));
    }
    let words = fold(cell);
    let none = ["no appointment", "aucun rendez-vous", "pas de rendez-vous", "no hay citas", "no disponible"];
    none.iter().any(|n| words.contains(n)).then_some(None)
}

/// Returns the date within 80 characters after the word "receipt". Returns `None` if two receipts
/// have different dates.
fn receipt_date(body: &str, wording: &Wording) -> Option<NaiveDate> {
    let mut found: Option<NaiveDate> = None;
    for word in ["eceipt", "ECEIPT", "eçu"] {
        // "Aucun paiement n'a été reçu" ("no payment was received") is not a receipt.
        for (at, _) in body.match_indices(word).filter(|(at, _)| !body[..*at].ends_with("été r")) {
            let near: String = body[at..].chars().take(80).collect();
            let Some(date) = dates_in(&near, wording).first().copied() else {
                continue;
            };
            if found.is_some_and(|f| f != date) {
                return None;
            }
            found = Some(date);
        }
    }
    found
}
