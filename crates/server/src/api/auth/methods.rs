//! Endpoint `GET /auth/methods`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::config::Registration;
use crate::http::envelope::{Answer, Envelope, ok};

/// Features of this server for users who are not signed in.
#[derive(Serialize, ToSchema)]
pub struct Methods {
    /// `true` if sign-in with Google is offered.
    google: bool,
    /// `true` if passkeys can be used at this server's address.
    passkeys: bool,
    /// `true` if the server can send mail, e.g. to verify an address or to reset a password.
    mail: bool,
    /// Users who may register.
    registration: Registration,
    /// `true` if the server charges for bookings.
    billing: bool,
    /// `true` if the owner signs in with the link that `sooner link` prints.
    link: bool,
}

/// Returns the sign-in methods of this server.
#[utoipa::path(get, path = "/auth/methods", tag = "auth", responses((status = 200, body = Envelope<Methods>)))]
pub async fn get_sign_in_methods(State(app): State<AppState>) -> Answer<Methods> {
    ok(Methods {
        google: app.google.is_some(),
        passkeys: app.relying_party().is_some(),
        mail: app.mail_configured(),
        registration: app.settings.registration,
        billing: app.settings.billing.is_on(),
        link: app.settings.solo,
    })
}
