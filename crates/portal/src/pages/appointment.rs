//! `/schedule/{id}/appointment`: the limit warning, the choice of applicants, the form, or the end
//! of all attempts, whichever the portal shows.

use crate::html::{Doc, attr, sel, text};
use crate::ids::city_name;
use crate::{ApplicantId, LayoutChanged, PageKind};
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

/// Which page the portal showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppointmentPage {
    /// The warning about reschedules left.
    Limit(Limit),
    /// No reschedules left.
    LimitReached,
    /// The choice of applicants.
    Applicants(Vec<ListedApplicant>),
    /// The form itself.
    Form(AppointmentForm),
}

/// Reschedules left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// How many cancellations and reschedules are left.
    pub remaining: u32,
}

/// One applicant who can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedApplicant {
    /// The portal's number.
    pub id: ApplicantId,
    /// Name as printed, if any.
    pub name: Option<String>,
}

/// A facility offered by the form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormFacility {
    /// The portal's number, of a city that may be unknown.
    pub id: u16,
    /// The portal's English city name where known, else as printed.
    pub name: String,
}

/// The form that books.
#[derive(Clone, PartialEq, Eq)]
pub struct AppointmentForm {
    /// The form's own `authenticity_token`.
    pub token: String,
    /// Facilities offered.
    pub facilities: Vec<FormFacility>,
    /// `use_consulate_appointment_capacity` as the form has it.
    pub use_capacity: bool,
    /// True when the form also asks for a biometrics appointment (never so in Canada).
    pub asks_asc: bool,
    /// Every hidden field in order, the token included.
    pub hidden: Vec<(String, String)>,
    /// The label of the submit button: `Reschedule` or `Schedule`.
    pub commit: String,
    /// Where the form posts to, if it says so.
    pub action: Option<String>,
}

impl std::fmt::Debug for AppointmentForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AppointmentForm")
            .field("facilities", &self.facilities)
            .field("commit", &self.commit)
            .finish_non_exhaustive()
    }
}

/// What is wrong with a form that offers no facility.
pub(crate) const NO_CHOICE: &str = "no choice of facility";

/// Reads whichever page it is.
pub fn parse(html: &str) -> Result<AppointmentPage, LayoutChanged> {
    read(&Doc::new(html))
}

/// Reads a limit warning; "Limit Reached" reads as 0.
pub fn parse_limit(html: &str) -> Result<Limit, LayoutChanged> {
    let doc = Doc::new(html);
    match read(&doc)? {
        AppointmentPage::Limit(limit) => Ok(limit),
        AppointmentPage::LimitReached => Ok(Limit { remaining: 0 }),
        _ => Err(doc.changed(PageKind::Limit, "another page")),
    }
}

/// Reads the choice of applicants.
pub fn parse_applicants(html: &str) -> Result<Vec<ListedApplicant>, LayoutChanged> {
    let doc = Doc::new(html);
    match read(&doc)? {
        AppointmentPage::Applicants(list) => Ok(list),
        _ => Err(doc.changed(PageKind::Applicants, "another page")),
    }
}

/// Reads the form.
pub fn parse_form(html: &str) -> Result<AppointmentForm, LayoutChanged> {
    let doc = Doc::new(html);
    match read(&doc)? {
        AppointmentPage::Form(form) => Ok(form),
        _ => Err(doc.changed(PageKind::Form, "another page")),
    }
}

pub(crate) fn read(doc: &Doc) -> Result<AppointmentPage, LayoutChanged> {
    let forms: Vec<ElementRef<'_>> = doc.all(sel!("form#appointment-form")).collect();
    if let Some(form) = forms.first() {
        doc.whole(PageKind::Form)?;
        if forms.len() > 1 {
            return Err(doc.changed(PageKind::Form, "two appointment forms"));
        }
        let form = read_form(*form).map_err(|what| doc.changed(PageKind::Form, what))?;
        return Ok(AppointmentPage::Form(form));
    }
    if is_limit_reached(doc) {
        return Ok(AppointmentPage::LimitReached);
    }
    if doc.has(sel!("input[type='checkbox'][name='applicants[]']")) {
        doc.whole(PageKind::Applicants)?;
        return Ok(AppointmentPage::Applicants(listed(doc)?));
    }
    doc.whole(PageKind::Limit)?;
    let warned = doc.headed(&["scheduling limit", "limite de planification"])
        || doc.has(sel!("form[method='get' i] input[name='confirmed_limit_message']"));
    if !warned {
        return Err(doc.changed(PageKind::Form, "neither form, limit nor applicants"));
    }
    let remaining = remaining(doc).map_err(|what| doc.changed(PageKind::Limit, what))?;
    Ok(AppointmentPage::Limit(Limit { remaining }))
}

/// True on the page that says that no reschedules are left.
pub(crate) fn is_limit_reached(doc: &Doc) -> bool {
    doc.headed(&["limit reached", "scheduling limit reached", "limite atteinte"])
}

fn read_form(form: ElementRef<'_>) -> Result<AppointmentForm, &'static str> {
    let hidden: Vec<(String, String)> = form
        .select(sel!("input[type='hidden' i][name]"))
        .filter_map(|i| Some((attr(i, "name")?, i.value().attr("value").unwrap_or_default().to_owned())))
        .collect();
    let field = |name: &str| hidden.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let token = field("authenticity_token").filter(|t| !t.is_empty()).ok_or("no token")?;
    let select = form
        .select(sel!("select#appointments_consulate_appointment_facility_id, select[name='appointments[consulate_appointment][facility_id]']"))
        .next()
        .ok_or(NO_CHOICE)?;
    let mut facilities = Vec::new();
    for option in select.select(sel!("option")) {
        let Some(value) = attr(option, "value") else {
            continue;
        };
        let id: u16 = value.parse().map_err(|_| "a facility that is no number")?;
        facilities.push(FormFacility { id, name: city_name(&text(option)) });
    }
    if facilities.is_empty() {
        return Err(NO_CHOICE);
    }
    let submit = form.select(sel!("#appointments_submit, [type='submit'][name='commit']")).next();
    let commit = submit.and_then(|s| attr(s, "value").or_else(|| Some(text(s)))).filter(|c| !c.is_empty());
    Ok(AppointmentForm {
        token,
        use_capacity: field("use_consulate_appointment_capacity").is_some_and(|v| v == "true" || v == "1"),
        asks_asc: form.select(sel!("[name='appointments[asc_appointment][facility_id]']")).next().is_some(),
        hidden,
        facilities,
        commit: commit.unwrap_or_else(|| "Reschedule".to_owned()),
        action: attr(form, "action"),
    })
}

fn listed(doc: &Doc) -> Result<Vec<ListedApplicant>, LayoutChanged> {
    let mut list: Vec<ListedApplicant> = Vec::new();
    for input in doc.all(sel!("input[type='checkbox'][name='applicants[]']")) {
        let id = attr(input, "value").filter(|v| v.bytes().all(|b| b.is_ascii_digit()));
        let id = id.ok_or_else(|| doc.changed(PageKind::Applicants, "an applicant without a number"))?;
        let id = ApplicantId::from(id);
        if !list.iter().any(|known| known.id == id) {
            list.push(ListedApplicant { id, name: name_of(doc, input) });
        }
    }
    Ok(list)
}

/// The words of the label around or for a checkbox, else of its table row's first filled cell.
fn name_of(doc: &Doc, input: ElementRef<'_>) -> Option<String> {
    let around = |tag: &str| input.ancestors().filter_map(ElementRef::wrap).find(|e| e.value().name() == tag);
    let labelled = || {
        let id = attr(input, "id")?;
        doc.all(sel!("label[for]")).find(|l| attr(*l, "for").as_deref() == Some(id.as_str()))
    };
    let cells = || around("tr")?.select(sel!("td")).map(text).find(|t| !t.is_empty());
    let said = |e: ElementRef<'_>| Some(text(e)).filter(|t| !t.is_empty());
    around("label").and_then(said).or_else(|| labelled().and_then(said)).or_else(cells)
}

/// The number in "You have N remaining attempt(s)".
fn remaining(doc: &Doc) -> Result<u32, &'static str> {
    let mut found: Vec<u32> = doc.all(sel!("div.callout")).flat_map(|c| counts(&fold(&text(c)))).collect();
    if found.is_empty() {
        found = counts(&fold(&text(doc.root())));
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err("no number of attempts left"),
        _ => Err("two numbers of attempts left"),
    }
}

/// Numbers between or before known words, e.g. `you have 3 remaining attempt`.
fn counts(folded: &str) -> Vec<u32> {
    let words: Vec<&str> = folded.split_whitespace().collect();
    let mut found = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let Ok(number) = word.parse::<u32>() else {
            continue;
        };
        let next = words.get(at + 1).copied().unwrap_or_default();
        let after = words.get(at + 2).copied().unwrap_or_default();
        let before = words[at.saturating_sub(2)..at].join(" ");
        let english = next == "remaining" && after.starts_with("attempt")
            || next.starts_with("attempt") && after.starts_with("remaining");
        let french =
            before.ends_with("vous reste") || next.starts_with("tentative") && after.starts_with("restante");
        let spanish = next.starts_with("intento") && after.starts_with("restante");
        if english || french || spanish {
            found.push(number);
        }
    }
    found
}
