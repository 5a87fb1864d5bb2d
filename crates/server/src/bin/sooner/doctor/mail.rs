//! Check that the mail server responds and accepts the configured user.

use providers::{Mailer, SendError};

use super::Finding;

const NAME: &str = "mail server";

/// Connects and signs in as for sending a mail, but sends none.
pub async fn server(url: Option<&str>, from: &str) -> Finding {
    let Some(url) = url else {
        return Finding::ok(NAME, "none is set: addresses are not verified, and no mail is sent");
    };
    let mailer = match Mailer::new(url, from) {
        Ok(mailer) => mailer,
        Err(error) => {
            return Finding::bad(
                NAME,
                error.to_string(),
                "correct the setting; a server does not start with it",
            );
        }
    };
    match mailer.try_connection().await {
        Ok(()) => Finding::ok(
            NAME,
            format!("answers, and accepts user and password if they are set; mails are from {from}"),
        ),
        Err(SendError::Later(why)) => Finding::warn(
            NAME,
            why,
            "check host and port in --smtp-url (465: smtps://, 587: smtp://…?tls=required), the network in between, and the certificate",
        ),
        Err(SendError::Never(why)) => Finding::bad(NAME, why, "check user and password in --smtp-url"),
    }
}
