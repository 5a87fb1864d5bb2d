//! Output of `sooner portal parse KIND`: the contents of a page as JSON. See docs/portal-parse.md.

use crate::html::Doc;
use crate::language::{self, Language};
use crate::pages::groups::Appointment;
use crate::pages::{actions, applicant, appointment, groups, instructions, payment, sign_in, sign_in_answer};
use crate::{LayoutChanged, PageKind, classify};
use serde_json::{Value, json};

/// Names of the kinds of page that [`parse_kind`] accepts.
pub const KINDS: [&str; 9] =
    ["sign_in", "groups", "actions", "payment", "applicant", "limit", "applicants", "form", "instructions"];

/// Reason why a page could not be converted to JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseKindError {
    /// The kind is not one of [`KINDS`].
    #[error("unknown kind of page; known: {}", KINDS.join(" "))]
    UnknownKind,
    /// The page is in a language of which no texts are known.
    #[error("unknown language: {name}; known: {}", language::names().join(" "))]
    UnknownLanguage {
        /// English name of the language, or its code.
        name: String,
    },
    /// The page reports that the portal is busy.
    #[error("the portal was busy and showed no page: {0}")]
    Busy(LayoutChanged),
    /// The page could not be parsed.
    #[error(transparent)]
    LayoutChanged(#[from] LayoutChanged),
}

/// Parses a page of the given kind, in any language of which texts are known. A value that the page
/// lacks becomes `null`. A value whose text is not known in the page's language becomes `null` too,
/// and the list `not_read` has its name.
///
/// The output omits passport and DS-160 numbers.
pub fn parse_kind(kind: &str, html: &str) -> Result<Value, ParseKindError> {
    if !KINDS.contains(&kind) {
        return Err(ParseKindError::UnknownKind);
    }
    let doc = Doc::new(html);
    let language = Language::of(&doc).map_err(|name| ParseKindError::UnknownLanguage { name })?;
    let doc = doc.with_wording(language.wording());
    let read = match kind {
        "sign_in" => sign_in_json(html, &doc),
        "groups" => {
            groups::read(&doc).map(|page| page.groups.iter().map(|group| group_json(group, &doc)).collect())
        }
        "actions" => actions::read(&doc).map(|page| json!(page.actions)),
        "payment" => payment::read(&doc).map(|page| payment_json(&page)),
        "applicant" => applicant::read(&doc).map(|page| json!(page)),
        "limit" => limit_json(&doc),
        "applicants" => appointment::applicants(&doc).map(|list| json!(list)),
        "form" => appointment::form(&doc).map(|form| form_json(&form, &doc)),
        _ => instructions::read(&doc).map(|page| instructions_json(&page, &doc)),
    };
    let is_busy = || classify::says_busy(&doc);
    read.map_err(|changed| if is_busy() { ParseKindError::Busy(changed) } else { changed.into() })
}

/// Adds the names of values whose texts are not known to a JSON object.
fn with_not_read<'a>(mut json: Value, names: impl IntoIterator<Item = &'a str>) -> Value {
    let names: Vec<&str> = names.into_iter().collect();
    if !names.is_empty() {
        json["not_read"] = json!(names);
    }
    json
}

fn group_json(group: &groups::Group, doc: &Doc) -> Value {
    let appointment = group.appointment.as_ref();
    let mut json = json!({
        "portal_schedule_id": group.portal_schedule_id,
        "status": group.status_text,
        "date": appointment.map(|a| a.at.date.to_string()),
        "time": appointment.map(|a| a.at.time.format("%H:%M").to_string()),
        "facility": appointment.and_then(place),
        "visa_class": group.visa_class,
        "applicants": group.applicants.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(),
        "ivr_account_number": group.ivr_account_number,
    });
    if let Some(fingerprints) = &group.fingerprints {
        json["fingerprints"] = json!({
            "date": fingerprints.at.date.to_string(),
            "time": fingerprints.at.time.format("%H:%M").to_string(),
            "city": place(fingerprints),
        });
    }
    let lacks = |appointment: Option<&Appointment>| appointment.is_some_and(|a| place(a).is_none());
    let names = [
        ("facility", lacks(appointment)),
        ("fingerprints.city", lacks(group.fingerprints.as_ref())),
        (
            "ivr_account_number",
            doc.may_leave_out() && !group.is_unreadable() && group.ivr_account_number.is_none(),
        ),
        ("all but portal_schedule_id", group.is_unreadable()),
    ];
    with_not_read(json, names.into_iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| name))
}

/// Returns the city of an appointment, or `None` if the words around it are not known.
fn place(appointment: &Appointment) -> Option<&str> {
    Some(appointment.facility_name.as_str()).filter(|name| !name.is_empty())
}

fn payment_json(page: &payment::Payment) -> Value {
    let rows: Vec<Value> = page
        .first_available
        .iter()
        .map(|r| json!({ "facility": r.facility, "date": r.date.map(|d| d.to_string()) }))
        .collect();
    json!({ "first_available": rows, "receipt_date": page.receipt_date.map(|d| d.to_string()) })
}

fn limit_json(doc: &Doc) -> Result<Value, LayoutChanged> {
    match appointment::limit(doc) {
        Err(changed) if changed.what == appointment::NO_NUMBER && doc.may_leave_out() => {
            Ok(with_not_read(json!({ "remaining": null }), ["remaining"]))
        }
        read => read.map(|limit| json!({ "remaining": limit.remaining })),
    }
}

fn form_json(form: &appointment::AppointmentForm, doc: &Doc) -> Value {
    let mut json = json!({ "token": form.token, "facilities": form.facilities });
    if let Some(fingerprints) = &form.fingerprints {
        json["fingerprints"] = json!(fingerprints);
    }
    let is_known = appointment::kind_of_button(&form.commit, doc.wording()).is_some();
    with_not_read(json, (!is_known).then_some("button"))
}

fn instructions_json(page: &instructions::Instructions, doc: &Doc) -> Value {
    let json = json!({
        "flash": page.flash,
        "date": page.interview.map(|m| m.date.to_string()),
        "time": page.interview.map(|m| m.time.format("%H:%M").to_string()),
        "deadline": page.deadline.map(|m| m.iso()),
    });
    let interview = page.interview.is_none().then_some(["date", "time"]).into_iter().flatten();
    let names = interview.chain(page.deadline.is_none().then_some("deadline"));
    with_not_read(json, names.filter(|_| doc.may_leave_out()))
}

/// Parses the sign-in page, or the script that responds to a sign-in.
fn sign_in_json(text: &str, doc: &Doc) -> Result<Value, LayoutChanged> {
    let page = sign_in::read(doc);
    if let Ok(page) = page {
        return Ok(json!({
            "csrf_token": page.csrf_token, "captcha": page.captcha,
            "outcome": null, "location": null, "locked_until": null,
        }));
    }
    use sign_in_answer::SignInAnswer::{BadCredentials, Captcha, Locked, SignedIn};
    // If the text is neither, report the error for the sign-in page, because the caller named that
    // kind.
    let answer = sign_in_answer::parse(text).map_err(|_| {
        page.err().unwrap_or(LayoutChanged { page: PageKind::SignIn, what: "no sign-in form", shape: 0 })
    })?;
    let (outcome, location, until) = match answer {
        SignedIn { location } => ("signed_in", Some(location), None),
        BadCredentials => ("bad_credentials", None, None),
        Locked { until, .. } => ("locked", None, until),
        Captcha => ("captcha", None, None),
    };
    Ok(json!({
        "csrf_token": null, "captcha": outcome == "captcha",
        "outcome": outcome, "location": location,
        "locked_until": until.map(|u| u.to_rfc3339()),
    }))
}
