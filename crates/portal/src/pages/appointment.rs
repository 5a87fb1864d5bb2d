//! `/schedule/{id}/appointment`, which shows one of four pages: the limit warning, the selection of
//! applicants, the booking form, or the page for a reached limit.

use crate::html::{Doc, attr, sel, text};
use crate::ids::city_name;
use crate::pages::actions::ActionKind;
use crate::wording::Wording;
use crate::{ApplicantId, LayoutChanged, PageKind};
use domain::text::fold;
use scraper::ElementRef;
use serde::Serialize;

mod fingerprints;

pub use fingerprints::{FingerprintFields, FingerprintPlace, Fingerprints};

/// Page that `/appointment` showed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AppointmentPage {
    /// The warning with the number of reschedules left.
    Limit(Limit),
    /// The page for a reached limit: no reschedules are left.
    LimitReached,
    /// The selection of applicants.
    Applicants(Vec<ListedApplicant>),
    /// The booking form.
    Form(AppointmentForm),
}

/// Contents of the limit warning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// Number of cancellations and reschedules left.
    pub remaining: u32,
}

/// Applicant whom the portal offers for selection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ListedApplicant {
    /// The portal's number of the applicant.
    pub id: ApplicantId,
    /// Name as printed, or `None` if no name is printed.
    pub name: Option<String>,
}

/// Facility that the form offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FormFacility {
    /// The portal's number of the facility. Sooner may not know this number.
    pub id: u16,
    /// English name of the city, or the printed name if the city is unknown.
    pub name: String,
    /// `true` if the consulate takes the fingerprints itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub takes_fingerprints: bool,
}

/// The booking form.
#[derive(Clone, PartialEq, Eq)]
pub struct AppointmentForm {
    /// The `authenticity_token` of the form.
    pub token: String,
    /// Facilities that the form offers.
    pub facilities: Vec<FormFacility>,
    /// The value of `use_consulate_appointment_capacity` in the form.
    pub use_capacity: bool,
    /// The fields for a fingerprint (ASC) appointment, if the form has any. No form in Canada does.
    pub fingerprints: Option<FingerprintFields>,
    /// All hidden fields in order, including the token.
    pub hidden: Vec<(String, String)>,
    /// The label of the submit button: `Reschedule` or `Schedule`.
    pub commit: String,
    /// The address to which the form is sent, if the form names one.
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

/// Failure text for a form that offers no facility.
pub(crate) const NO_CHOICE: &str = "no choice of facility";

/// Failure text for a limit warning without a known sentence about the attempts left.
pub(crate) const NO_NUMBER: &str = "the number of attempts left is missing";

/// Parses any of the four pages.
pub fn parse(html: &str) -> Result<AppointmentPage, LayoutChanged> {
    read(&Doc::new(html))
}

/// Parses the limit warning. The page for a reached limit counts as 0.
pub fn parse_limit(html: &str) -> Result<Limit, LayoutChanged> {
    limit(&Doc::new(html))
}

pub(crate) fn limit(doc: &Doc) -> Result<Limit, LayoutChanged> {
    match read(doc)? {
        AppointmentPage::Limit(limit) => Ok(limit),
        AppointmentPage::LimitReached => Ok(Limit { remaining: 0 }),
        _ => Err(doc.changed(PageKind::Limit, "not the expected page")),
    }
}

/// Parses the selection of applicants.
pub fn parse_applicants(html: &str) -> Result<Vec<ListedApplicant>, LayoutChanged> {
    applicants(&Doc::new(html))
}

pub(crate) fn applicants(doc: &Doc) -> Result<Vec<ListedApplicant>, LayoutChanged> {
    match read(doc)? {
        AppointmentPage::Applicants(list) => Ok(list),
        _ => Err(doc.changed(PageKind::Applicants, "not the expected page")),
    }
}

/// Parses the booking form.
pub fn parse_form(html: &str) -> Result<AppointmentForm, LayoutChanged> {
    form(&Doc::new(html))
}

pub(crate) fn form(doc: &Doc) -> Result<AppointmentForm, LayoutChanged> {
    match read(doc)? {
        AppointmentPage::Form(form) => Ok(form),
        _ => Err(doc.changed(PageKind::Form, "not the expected page")),
    }
}

pub(crate) fn read(doc: &Doc) -> Result<AppointmentPage, LayoutChanged> {
    let forms: Vec<ElementRef<'_>> = doc.all(sel!("form#appointment-form")).collect();
    if let Some(form) = forms.first() {
        doc.whole(PageKind::Form)?;
        if forms.len() > 1 {
            return Err(doc.changed(PageKind::Form, "two appointment forms"));
        }
        if doc.has(sel!("[form='appointment-form']")) {
            return Err(doc.changed(PageKind::Form, "a field of the form outside the form element"));
        }
        let form = read_form(*form, doc).map_err(|what| doc.changed(PageKind::Form, what))?;
        return Ok(AppointmentPage::Form(form));
    }
    if is_limit_reached(doc) {
        return Ok(AppointmentPage::LimitReached);
    }
    if doc.has(sel!("input[type='checkbox'][name='applicants[]']")) {
        doc.whole(PageKind::Applicants)?;
        check_way(doc, PageKind::Applicants)?;
        return Ok(AppointmentPage::Applicants(listed(doc)?));
    }
    doc.whole(PageKind::Limit)?;
    check_way(doc, PageKind::Limit)?;
    let warned = doc.headed(&["scheduling limit", "limite de planification"])
        || doc.has(sel!("form[method='get' i] input[name='confirmed_limit_message']"));
    if !warned {
        return Err(doc.changed(PageKind::Form, "no form, no limit warning and no list of applicants"));
    }
    let remaining = remaining(doc).map_err(|what| doc.changed(PageKind::Limit, what))?;
    Ok(AppointmentPage::Limit(Limit { remaining }))
}

/// Returns `true` for the page for a reached limit.
pub(crate) fn is_limit_reached(doc: &Doc) -> bool {
    doc.headed(&["limit reached", "scheduling limit reached", "limite atteinte"])
        // The title is in English in every language.
        || doc.may_leave_out()
            && doc.body_has_class("appointment")
            && doc.first(sel!("title")).is_some_and(|title| fold(&text(title)).starts_with("limit reached"))
}

fn read_form(form: ElementRef<'_>, doc: &Doc) -> Result<AppointmentForm, &'static str> {
    let hidden: Vec<(String, String)> = form
        .select(sel!("input[type='hidden' i][name]"))
        .filter_map(|i| Some((attr(i, "name")?, i.value().attr("value").unwrap_or_default().to_owned())))
        .collect();
    let field = |name: &str| hidden.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
    let token = field("authenticity_token").filter(|t| !t.is_empty()).ok_or("no CSRF token")?;
    let select = form
        .select(sel!("select#appointments_consulate_appointment_facility_id, select[name='appointments[consulate_appointment][facility_id]']"))
        .next()
        .ok_or(NO_CHOICE)?;
    let mut facilities = Vec::new();
    for option in select.select(sel!("option")) {
        let Some(value) = attr(option, "value") else {
            continue;
        };
        let id: u16 = value.parse().map_err(|_| "a facility id that is not a number")?;
        let takes_fingerprints =
            attr(option, "data-collects-biometrics").is_some_and(|value| value.eq_ignore_ascii_case("true"));
        facilities.push(FormFacility { id, name: city_name(&text(option)), takes_fingerprints });
    }
    if facilities.is_empty() {
        return Err(NO_CHOICE);
    }
    if attr(form, "method").is_none_or(|method| !method.eq_ignore_ascii_case("post")) {
        return Err("the method of the form is not POST");
    }
    for (field, what) in [
        (sel!("[name='appointments[consulate_appointment][date]']"), "no field for the date"),
        (sel!("[name='appointments[consulate_appointment][time]']"), "no choice of time"),
    ] {
        form.select(field).next().ok_or(what)?;
    }
    if has_unknown_control(form) {
        return Err(UNKNOWN_QUESTION);
    }
    let commit = button(form, doc)?;
    Ok(AppointmentForm {
        token,
        use_capacity: field("use_consulate_appointment_capacity").is_some_and(|v| v == "true" || v == "1"),
        fingerprints: fingerprints::read(form)?,
        hidden,
        facilities,
        commit,
        action: attr(form, "action"),
    })
}

/// Returns the label of the form's only button. Fails in the client if the label is unknown,
/// because an unknown button could do something that the user does not want.
fn button(form: ElementRef<'_>, doc: &Doc) -> Result<String, &'static str> {
    let mut buttons = form.select(sel!(
        "input[type='submit' i], input[type='image' i], button[type='submit' i], button:not([type])"
    ));
    let button = buttons.next().ok_or("no submit button")?;
    if buttons.next().is_some() {
        return Err("two submit buttons");
    }
    let label = attr(button, "value").unwrap_or_else(|| text(button));
    if kind_of_button(&label, doc.wording()).is_none() && !doc.may_leave_out() {
        return Err("a button with an unknown label");
    }
    Ok(label)
}

/// Returns the action of a button, derived from its label, or `None` if the label is unknown.
pub(crate) fn kind_of_button(label: &str, wording: &Wording) -> Option<ActionKind> {
    let words = fold(label);
    let says = |list: &[&str]| list.iter().any(|word| words.starts_with(word));
    if says(&["reschedule", "replanifier", "reporter", "reprogramar"]) || says(wording.moves) {
        return Some(ActionKind::Reschedule);
    }
    let books = says(&["schedule", "planifier", "prendre", "programar"]) || says(wording.books);
    books.then_some(ActionKind::Schedule)
}

/// Failure text for a page with a question that this client cannot answer.
const UNKNOWN_QUESTION: &str = "an unknown question";

/// Fails if a page before the form has a question that the client cannot answer. Continuing without
/// an answer would be a guess.
fn check_way(doc: &Doc, page: PageKind) -> Result<(), LayoutChanged> {
    let leads_on = |form: &ElementRef<'_>| {
        attr(*form, "action")
            .is_some_and(|action| action.split('?').next().is_some_and(|p| p.ends_with("/appointment")))
            || form.select(sel!("[name='confirmed_limit_message'], [name='applicants[]']")).next().is_some()
    };
    if doc.all(sel!("form")).filter(leads_on).any(has_unknown_control) {
        return Err(doc.changed(page, UNKNOWN_QUESTION));
    }
    Ok(())
}

/// Returns `true` if a form has a visible field that this client does not fill.
fn has_unknown_control(form: ElementRef<'_>) -> bool {
    let controls = form.select(sel!("input[name], select[name], textarea[name]"));
    controls.filter(|control| !is_sent_as_it_is(*control)).filter_map(|control| attr(control, "name")).any(
        |name| {
            let known = ["utf8", "confirmed_limit_message", "applicants[]"].contains(&name.as_str());
            // Exclude the fingerprint fields, because `FingerprintFields` reports them.
            !known && !SLOT_FIELDS.contains(&name.as_str()) && !name.starts_with(fingerprints::FIELDS)
        },
    )
}

/// Names of the fields for facility, date and time.
const SLOT_FIELDS: [&str; 3] = [
    "appointments[consulate_appointment][facility_id]",
    "appointments[consulate_appointment][date]",
    "appointments[consulate_appointment][time]",
];

/// Returns `true` if a field needs no answer: a hidden field, which is sent back unchanged, or a
/// button, which is checked separately.
fn is_sent_as_it_is(control: ElementRef<'_>) -> bool {
    let kind = attr(control, "type").unwrap_or_default().to_ascii_lowercase();
    control.value().name() == "input"
        && ["hidden", "submit", "button", "reset", "image"].contains(&kind.as_str())
}

fn listed(doc: &Doc) -> Result<Vec<ListedApplicant>, LayoutChanged> {
    let mut list: Vec<ListedApplicant> = Vec::new();
    for input in doc.all(sel!("input[type='checkbox'][name='applicants[]']")) {
        let id = attr(input, "value").filter(|v| v.bytes().all(|b| b.is_ascii_digit()));
        let id = id.ok_or_else(|| doc.changed(PageKind::Applicants, "an applicant without an id"))?;
        let id = ApplicantId::from(id);
        if !list.iter().any(|known| known.id == id) {
            list.push(ListedApplicant { id, name: name_of(doc, input) });
        }
    }
    Ok(list)
}

/// Returns the text of the checkbox's label. Without a label, returns the first non-empty cell of
/// the checkbox's table row.
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

/// Returns N in "You have N remaining attempt(s)".
fn remaining(doc: &Doc) -> Result<u32, &'static str> {
    let wording = doc.wording();
    let counts = |e: ElementRef<'_>| counts(&fold(&text(e)), wording);
    let mut found: Vec<u32> = doc.all(sel!("div.callout")).flat_map(counts).collect();
    if found.is_empty() {
        found = counts(doc.root());
    }
    found.sort_unstable();
    found.dedup();
    match found.as_slice() {
        [one] => Ok(*one),
        [] => Err(NO_NUMBER),
        _ => Err("two different numbers of attempts left"),
    }
}

/// Returns the numbers next to known phrases, e.g. 3 in `you have 3 remaining attempt`.
fn counts(folded: &str, wording: &Wording) -> Vec<u32> {
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
        let mut others = wording.attempts_left.iter();
        let other = others.any(|around| before.ends_with(around.before) && next.starts_with(around.after));
        if english || french || spanish || other {
            found.push(number);
        }
    }
    found
}
