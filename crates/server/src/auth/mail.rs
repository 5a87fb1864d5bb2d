//! Mails about an account: queued with what they tell of.

use domain::clock::Instant;
use store::Tx;
use store::user::User;

use crate::AppState;
use crate::http::error::ApiError;

/// Queues a mail to a user, once per key; false when it was queued before, or no mail is configured.
pub(crate) async fn queue(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    (template, dedup_key): (&str, &str),
    data: &serde_json::Value,
    now: Instant,
) -> Result<bool, ApiError> {
    if !app.mail_configured() {
        return Ok(false);
    }
    let mail = store::outbox::NewMail {
        user: Some(user.id),
        recipient: &user.email,
        language: &user.language,
        template,
        data,
        dedup_key,
    };
    Ok(store::outbox::enqueue(tx, &app.random, &mail, now).await?)
}
