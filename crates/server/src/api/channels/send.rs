//! Messages to a channel that its user triggers: a code, a greeting, a test, and replies of the bot
//! in a chat.

use domain::channel::EventKind;
use providers::channels::greeting::Greeting;
use providers::channels::message::{Link, Message};
use providers::channels::outcome::{Delivery, Outcome, Reason};
use providers::channels::target::Target;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use store::channel::{Channel, ProviderRefusal};

use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Content of a message.
pub struct LocalizedGreeting<'a> {
    /// Greeting to send.
    pub greeting: Greeting,
    /// Language of the message.
    pub language: &'a str,
}

/// Returns the message of a greeting. Its identifier is unique, so that receivers can detect
/// duplicates.
#[must_use]
pub fn message(app: &AppState, greeting: &LocalizedGreeting<'_>) -> Message {
    let words = greeting.greeting.words(greeting.language, "");
    let is_test = greeting.greeting == Greeting::Test;
    let label = Greeting::button(greeting.language).to_owned();
    Message {
        id: app.use_cases().uuid(app.now()).to_string(),
        kind: if is_test { EventKind::Test } else { EventKind::Verification },
        title: words.title,
        text: words.text,
        link: Some(Link { url: format!("{}/settings", app.settings.public_url), label }),
        acknowledge: None,
        answers: None,
        not_after: None,
    }
}

/// Placeholder with the length of a code, to compute the cost of a message before its code exists.
pub(super) const SOME_CODE: &str = "000000";

/// Returns the message with a code. It contains no link, because mail and chat readers may open
/// links.
pub(super) fn code_message(app: &AppState, language: &str, code: &str) -> Message {
    let words = Greeting::Code.words(language, code);
    let greeting = LocalizedGreeting { greeting: Greeting::Code, language };
    Message { title: words.title, text: words.text, link: None, ..message(app, &greeting) }
}

/// Decodes the decrypted target of a channel.
pub(super) fn target_of(sealed: Option<SecretString>) -> Result<Target, ApiError> {
    let json = sealed.ok_or_else(|| ApiError::internal(&"a channel's target cannot be opened"))?;
    serde_json::from_str(json.expose_secret())
        .map_err(|_| ApiError::internal(&"a channel's target cannot be read"))
}

/// Returns a target as the JSON that is stored encrypted.
pub(super) fn sealed_text(target: &Target) -> Result<SecretString, ApiError> {
    serde_json::to_string(target).map(SecretString::from).map_err(|error| ApiError::internal(&error))
}

/// Fails unless the provider accepted the message. Without the message the user cannot continue.
pub(super) fn taken(delivery: &Delivery) -> Result<(), ApiError> {
    match &delivery.outcome {
        Outcome::Accepted { .. } => Ok(()),
        Outcome::Wait(_) => {
            let data = json!({ "answer": delivery.answer });
            Err(ApiError::new(Code::ChannelUnreachable).with_data(data))
        }
        Outcome::Broken(reason) => Err(refused(*reason, &delivery.answer)),
    }
}

/// Returns the error for a target that the provider, or a rule of this server, refuses.
pub(super) fn refused(reason: Reason, answer: &str) -> ApiError {
    let data = json!({ "reason": reason, "answer": answer });
    ApiError::new(Code::ChannelRefused).with_data(data)
}

/// Records a provider's response to a verified channel.
pub(super) async fn record_outcome(
    app: &AppState,
    channel: &Channel,
    delivery: &Delivery,
) -> Result<(), ApiError> {
    let now = app.now();
    let mut tx = app.db.begin().await?;
    match &delivery.outcome {
        Outcome::Accepted { .. } => store::channel::record_ok(&mut tx, channel.id, now).await?,
        Outcome::Broken(reason) => {
            let refusal = ProviderRefusal { reason: reason.as_ref(), answer: &delivery.answer, at: now };
            if reason.is_operators() {
                store::channel::record_refusal(&mut tx, channel.id, refusal).await?;
            } else {
                store::channel::record_broken(&mut tx, channel.id, refusal).await?;
            }
        }
        Outcome::Wait(_) => {}
    }
    Ok(tx.commit().await?)
}
