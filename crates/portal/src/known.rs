//! Comparison of a page with the known pages of its kind.

use crate::PageKind;
use crate::html::{Doc, attr, sel, text};
use crate::structure::is_known_token;
use scraper::Selector;
use std::collections::BTreeSet;

/// Differences between a page and the known pages of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    /// Hash of the page's tags and classes, or of the keys of a JSON list. Zero for a script.
    pub shape: u64,
    /// Parts that all known pages of this kind have and this page lacks.
    pub missing: Vec<&'static str>,
    /// Names of form fields that are on no known page.
    pub new_fields: Vec<String>,
    /// CSS classes that are on no known page.
    pub new_classes: Vec<String>,
}

/// Compares a page with the known pages of this kind.
#[must_use]
pub fn compare(page: PageKind, body: &str) -> Comparison {
    if matches!(
        page,
        PageKind::Days | PageKind::Times | PageKind::FingerprintDays | PageKind::FingerprintTimes
    ) {
        return compare_list(page, body);
    }
    if !body.trim_start().starts_with('<') {
        return Comparison { shape: 0, missing: Vec::new(), new_fields: Vec::new(), new_classes: Vec::new() };
    }
    let doc = Doc::new(body);
    let mut missing: Vec<&'static str> =
        parts(page).into_iter().filter(|(selector, _)| !doc.has(selector)).map(|(_, name)| name).collect();
    let language = doc.root().value().attr("lang").unwrap_or("en");
    if !["en", "fr", "es"].contains(&language.split('-').next().unwrap_or_default()) {
        missing.push("a known language");
    }
    if page == PageKind::Groups {
        missing.extend(missing_in_groups(&doc));
    }
    let fields = doc.all(sel!("input[name], select[name], textarea[name], button[name]"));
    let new_fields = fields.filter_map(|field| attr(field, "name")).filter(|name| !is_known_token(name));
    let classes = doc.all(sel!("[class]")).flat_map(|element| element.value().classes().collect::<Vec<_>>());
    let new_classes = classes.filter(|class| !is_known_token(class)).map(str::to_owned);
    Comparison {
        shape: doc.shape(),
        missing,
        new_fields: new_fields.collect::<BTreeSet<_>>().into_iter().collect(),
        new_classes: new_classes.collect::<BTreeSet<_>>().into_iter().collect(),
    }
}

/// Returns the parts that every known page of this kind has.
fn parts(page: PageKind) -> Vec<(&'static Selector, &'static str)> {
    match page {
        PageKind::SignIn => vec![
            (sel!("form#sign_in_form"), "the sign-in form"),
            (sel!("input[name='user[email]']"), "the field for the login"),
            (sel!("input[name='user[password]']"), "the field for the password"),
            (sel!("input#policy_confirmed"), "the checkbox of the privacy policy"),
            (sel!("meta[name='csrf-token']"), "the CSRF token"),
        ],
        PageKind::Groups => vec![
            (sel!("body.groups"), "the CSS class of the groups page"),
            (sel!("div.application h4.status"), "the status of an application"),
        ],
        PageKind::Actions => vec![(sel!("ul.accordion li.accordion-item"), "the list of actions")],
        PageKind::Limit => vec![
            (sel!("h1"), "the heading of the warning"),
            (sel!("div.callout"), "the text of the warning"),
            (sel!("input[name='confirmed_limit_message']"), "the confirmation of the warning"),
        ],
        PageKind::Applicants => {
            vec![(sel!("input[name='confirmed_limit_message']"), "the confirmation of the limit warning")]
        }
        PageKind::Form => vec![
            (sel!("form#appointment-form[action]"), "the address of the form"),
            (sel!("form#appointment-form[method='post' i]"), "the method of the form"),
            (
                sel!("form#appointment-form input[name='confirmed_limit_message']"),
                "the confirmation of the limit warning",
            ),
            (
                sel!("form#appointment-form input[name='use_consulate_appointment_capacity']"),
                "the field for the capacity",
            ),
            (sel!("#appointments_consulate_appointment_facility_id"), "the choice of city"),
            (sel!("#appointments_consulate_appointment_date"), "the field for the date"),
            (sel!("#appointments_consulate_appointment_time"), "the choice of time"),
            (sel!("#appointments_submit"), "the button of the form"),
        ],
        _ => Vec::new(),
    }
}

fn missing_in_groups(doc: &Doc) -> Vec<&'static str> {
    let mut missing = Vec::new();
    if doc.has(sel!("div.application.attend_appointment")) && !doc.has(sel!("p.consular-appt")) {
        missing.push("the paragraph of the appointment");
    }
    if doc.has(sel!("div.application")) {
        if !doc.has(sel!("div.application a[href*='/continue_actions']")) {
            missing.push("the link to the actions");
        }
        if !doc.has(sel!("div.application a[href*='/applicants/']")) {
            missing.push("the links to the applicants");
        }
    }
    if !text(doc.root()).contains("IVR") {
        missing.push("the IVR account number");
    }
    missing
}

/// Compares the keys of a list of dates or times.
fn compare_list(page: PageKind, body: &str) -> Comparison {
    let known: &[&str] = match page {
        PageKind::Days | PageKind::FingerprintDays => &["business_day", "date"],
        _ => &["available_times", "business_times"],
    };
    let mut keys = BTreeSet::new();
    let json = serde_json::from_str(body).unwrap_or(serde_json::Value::Null);
    let objects = match &json {
        serde_json::Value::Array(items) => items.iter().collect(),
        other => vec![other],
    };
    for object in objects.into_iter().filter_map(serde_json::Value::as_object) {
        keys.extend(object.keys().cloned());
    }
    let mut shape = crate::html::Fnv::default();
    for key in &keys {
        shape.eat(key.as_bytes());
        shape.eat(b"/");
    }
    // An empty list of dates has no key.
    let are_dates = matches!(page, PageKind::Days | PageKind::FingerprintDays);
    let missing = if keys.is_empty() && are_dates {
        Vec::new()
    } else {
        known.iter().filter(|key| !keys.contains(**key)).copied().collect()
    };
    let new_fields = keys.into_iter().filter(|key| !known.contains(&key.as_str())).collect();
    Comparison { shape: shape.sum(), missing, new_fields, new_classes: Vec::new() }
}
