//! The sign-in page.

use crate::html::{Doc, attr, sel};
use crate::{LayoutChanged, PageKind};
use scraper::ElementRef;
use serde::Serialize;

/// Contents of the sign-in page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignInPage {
    /// The page's CSRF token, sent as `X-CSRF-Token`. `None` if a captured page lacks its header.
    pub csrf_token: Option<String>,
    /// `true` if the page shows a captcha. Then only the user can sign in.
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
    // Sign in only if all fields exist and the page has no further question. Otherwise the attempt
    // fails, and the portal locks the account after several failures.
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

/// Returns `true` for a field into which the user types text.
fn is_typed(field: ElementRef<'_>) -> bool {
    let kind = attr(field, "type").unwrap_or_default().to_ascii_lowercase();
    let is_other = ["hidden", "submit", "button", "reset", "image", "checkbox"].contains(&kind.as_str());
    field.value().name() != "input" || !is_other
}

/// Returns `true` if the page has fields for login and password.
pub(crate) fn is_sign_in(doc: &Doc) -> bool {
    doc.has(sel!("form#sign_in_form"))
        || (doc.has(sel!("[name='user[email]']")) && doc.has(sel!("[name='user[password]']")))
}

/// Returns `true` if the page shows a captcha. An empty captcha container does not count.
pub(crate) fn has_captcha(doc: &Doc) -> bool {
    doc.has(sel!(
        "[data-sitekey], #g-recaptcha-response, [name='g-recaptcha-response'], .g-recaptcha, .h-captcha, [name='h-captcha-response']"
    ))
}
