//! `GET /auth/methods`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::config::Registration;
use crate::http::envelope::{Answer, Envelope, ok};

/// What this server offers people who are not signed in.
#[derive(Serialize, ToSchema)]
pub struct Methods {
    /// Signing in with Google.
    google: bool,
    /// Mails: proving an address, setting a forgotten password.
    mail: bool,
    /// Who may register.
    registration: Registration,
    /// Whether anything is charged.
    billing: bool,
    /// The owner signs in by the address that `sooner link` prints.
    link: bool,
}

/// The ways to sign in here.
#[utoipa::path(get, path = "/auth/methods", tag = "auth", responses((status = 200, body = Envelope<Methods>)))]
pub async fn get_sign_in_methods(State(app): State<AppState>) -> Answer<Methods> {
    ok(Methods {
        google: app.google.is_some(),
        mail: app.mail_configured(),
        registration: app.settings.registration,
        billing: app.settings.billing.is_on(),
        link: app.settings.solo,
    })
}
