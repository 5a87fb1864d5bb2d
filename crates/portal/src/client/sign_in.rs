//! Sign-in and sign-out.

use super::Client;
use super::transport::{Answer, PortalRequest};
use crate::classify;
use crate::html::{Doc, not_html};
use crate::pages::sign_in;
use crate::pages::sign_in_answer::{self, SignInAnswer};
use crate::{Credentials, LayoutChanged, Meter, PageKind, PortalError, PortalPath, Session};
use secrecy::ExposeSecret;

/// State of a new session after its sign-in page was read.
pub struct SignInForm {
    session: Session,
    address: String,
}

impl Client {
    /// Signs in with two requests: a GET of the page and a POST, which counts as one sign-in
    /// attempt. Returns [`PortalError::Captcha`] before the POST if the page shows a captcha.
    #[tracing::instrument(skip_all)]
    pub async fn sign_in(
        &self,
        meter: &Meter,
        path: PortalPath,
        credentials: &Credentials,
    ) -> Result<Session, PortalError> {
        let form = self.sign_in_form(meter, path).await?;
        self.send_sign_in(meter, form, credentials).await
    }

    /// Fetches the sign-in page, the first half of [`Client::sign_in`], with one request. The
    /// request contains no secret. The caller can then store that a sign-in attempt follows.
    pub async fn sign_in_form(&self, meter: &Meter, path: PortalPath) -> Result<SignInForm, PortalError> {
        let session = Session::new(path);
        let address = session.path().at("/users/sign_in");
        let answer =
            self.transport.send(meter, &session, PortalRequest::page(PageKind::SignIn, &address)).await?;
        let page = read(&answer, sign_in::read)?;
        session.set_csrf(page.csrf_token);
        if page.captcha {
            return Err(PortalError::Captcha);
        }
        Ok(SignInForm { session, address })
    }

    /// Sends login and password, the second half of [`Client::sign_in`]. This is one request and
    /// one sign-in attempt.
    pub async fn send_sign_in(
        &self,
        meter: &Meter,
        form: SignInForm,
        credentials: &Credentials,
    ) -> Result<Session, PortalError> {
        let SignInForm { session, address } = form;
        let body = form_urlencoded::Serializer::new(String::new())
            .append_pair("utf8", "✓")
            .append_pair("user[email]", credentials.login.expose_secret())
            .append_pair("user[password]", credentials.password.expose_secret())
            .append_pair("policy_confirmed", "1")
            .append_pair("commit", "Sign In")
            .finish();
        let answer = self.transport.send(meter, &session, PortalRequest::sign_in(&address, body)).await?;
        self.signed_in(&answer)?;
        Ok(session)
    }

    /// Parses the response to a sign-in POST. A text that reports a refusal takes precedence over
    /// the status.
    fn signed_in(&self, answer: &Answer) -> Result<(), PortalError> {
        let changed = |what| Err(not_html(PageKind::SignInAnswer, what).into());
        if let Some(to) = answer.redirect() {
            return if to.contains("/users/sign_in") {
                changed("redirect back to the sign-in page")
            } else {
                Ok(())
            };
        }
        match sign_in_answer::parse(&answer.body) {
            Ok(SignInAnswer::BadCredentials) => Err(PortalError::CredentialsRejected),
            Ok(SignInAnswer::Locked { until, text }) => Err(PortalError::Locked { until, text }),
            Ok(SignInAnswer::Captcha) => Err(PortalError::Captcha),
            read => {
                self.transport.usable(answer)?;
                read.map(|_| ()).map_err(PortalError::from)
            }
        }
    }

    /// Signs out at the portal. Returns `Ok` if the session has already ended.
    #[tracing::instrument(skip_all)]
    pub async fn sign_out(&self, meter: &Meter, session: Session) -> Result<(), PortalError> {
        let address = session.path().at("/users/sign_out");
        let answer =
            self.transport.send(meter, &session, PortalRequest::page(PageKind::SignIn, &address)).await?;
        match self.transport.usable(&answer) {
            Ok(()) | Err(PortalError::SignedOut) => Ok(()),
            Err(portal_error) => Err(portal_error),
        }
    }
}

/// Parses a page that does not belong to a session.
fn read<T>(answer: &Answer, reader: impl Fn(&Doc) -> Result<T, LayoutChanged>) -> Result<T, PortalError> {
    if let Some(portal_error) = answer.portal_error.clone() {
        return Err(portal_error);
    }
    let doc = Doc::new(&answer.body);
    reader(&doc).map_err(|changed| classify::unread(&doc, changed))
}
