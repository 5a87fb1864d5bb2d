//! The sign-in page.

use crate::html::{Doc, attr, sel};
use crate::{LayoutChanged, PageKind};
use scraper::ElementRef;
use serde::Serialize;

/// Contents of the sign-in page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignInPage {
    /// The page's CSRF token, to be sent as `X-CSRF-Token`; `None` in a trimmed capture.
    pub csrf_token: Option<String>,
    /// Marks a shown captcha. Only the user can then sign in.
    pub captcha: bool,
}

/// Parses the sign-in page.
pub fn parse(html: &str) -> Result<SignInPage, LayoutChanged> {
    read(&Doc::new(html))
}

pub(crate) fn read(doc: &Doc) -> Result<SignInPage, LayoutChanged> {
    let changed = |what| doc.changed(PageKind::SignIn, what);
    doc.whole(PageKind::SignIn)?;
    if !is_sign_in(doc) {
        return Err(changed("no sign-in form"));
    }
    // The password is sent only to fields that exist, and not if the page asks a further question.
    // The portal would lock the account for failures that the client causes.
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
        return Err(changed("an unknown question"));
    }
    Ok(SignInPage { csrf_token: doc.csrf_token(), captcha: has_captcha(doc) })
}

/// Returns `true` for a field into which a user types.
fn is_typed(field: ElementRef<'_>) -> bool {
    let kind = attr(field, "type").unwrap_or_default().to_ascii_lowercase();
    let is_other = ["hidden", "submit", "button", "reset", "image", "checkbox"].contains(&kind.as_str());
    field.value().name() != "input" || !is_other
}

/// Returns `true` if the page asks for login and password.
pub(crate) fn is_sign_in(doc: &Doc) -> bool {
    doc.has(sel!("form#sign_in_form"))
        || (doc.has(sel!("[name='user[email]']")) && doc.has(sel!("[name='user[password]']")))
}

/// Returns `true` if a captcha is shown. An empty container alone is no captcha.
pub(crate) fn has_captcha(doc: &Doc) -> bool {
    doc.has(sel!(
        "[data-sitekey], #g-recaptcha-response, [name='g-recaptcha-response'], .g-recaptcha, .h-captcha, [name='h-captcha-response']"
    ))
}
