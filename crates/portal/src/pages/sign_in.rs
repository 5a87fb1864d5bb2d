//! The sign-in page.

use crate::html::{Doc, sel};
use crate::{LayoutChanged, PageKind};
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
    Ok(SignInPage { csrf_token: doc.csrf_token(), captcha: has_captcha(doc) })
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
