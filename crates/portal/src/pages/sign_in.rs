//! The sign-in page.

use crate::html::{Doc, attr, sel};
use crate::{LayoutChanged, PageKind};
use scraper::ElementRef;
use serde::Serialize;

/// What the sign-in page offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignInPage {
    /// The page's CSRF token, to be sent as `X-CSRF-Token`; none in a trimmed capture.
    pub csrf_token: Option<String>,
    /// True when a captcha is armed: only a person may sign in.
    pub captcha: bool,
}

/// Reads the sign-in page.
pub fn parse(html: &str) -> Result<SignInPage, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<SignInPage, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::SignIn, what);
    doc.whole(PageKind::SignIn)?;
    if !is_sign_in(doc) {
        return Err(changed("no sign-in form"));
    }
    // A password is sent to fields that are there, and not without an answer that is asked for beside it: the account would
    // be locked for failures that are ours.
    for (field, what) in [
        (sel!("[name='user[email]']"), "no field for the login"),
        (sel!("[name='user[password]']"), "no field for the password"),
    ] {
        doc.first(field).ok_or_else(|| changed(what))?;
    }
    let asked = doc.all(sel!(
        "form:has([name='user[password]']) :is(input, select, textarea)[name]:not([name*='captcha-response'])"
    ));
    if asked.filter(|field| is_typed(*field)).count() > 2 {
        return Err(changed("a question that is not known"));
    }
    Ok(SignInPage { csrf_token: doc.csrf_token(), captcha: has_captcha(doc) })
}

/// True for a field that people fill in; boxes and what is sent as it is are none.
fn is_typed(field: ElementRef<'_>) -> bool {
    let kind = attr(field, "type").unwrap_or_default().to_ascii_lowercase();
    let is_other = ["hidden", "submit", "button", "reset", "image", "checkbox"].contains(&kind.as_str());
    field.value().name() != "input" || !is_other
}

/// True when the page asks for login and password.
pub(crate) fn is_sign_in(doc: &Doc) -> bool {
    doc.has(sel!("form#sign_in_form"))
        || (doc.has(sel!("[name='user[email]']")) && doc.has(sel!("[name='user[password]']")))
}

/// True when a captcha is armed; the empty container alone is none.
pub(crate) fn has_captcha(doc: &Doc) -> bool {
    doc.has(sel!(
        "[data-sitekey], #g-recaptcha-response, [name='g-recaptcha-response'], .g-recaptcha, .h-captcha, [name='h-captcha-response']"
    ))
}
