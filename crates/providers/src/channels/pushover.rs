//! Pushover: sends to a user through the operator's app. <https://pushover.net/api>

use domain::channel::{EventKind, Priority};
use secrecy::{ExposeSecret, SecretString};

use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, one_line};

const TITLE: Limit = Limit::chars(250);
const TEXT: Limit = Limit::chars(1024);
const URL_LABEL: Limit = Limit::chars(100);
const LONGEST_URL: usize = 512;

/// Credentials of the operator's app.
#[derive(Clone, Copy)]
pub(super) struct App<'a> {
    pub base: &'a str,
    pub token: &'a SecretString,
}

pub(super) fn prepare(
    http: &Http,
    app: App<'_>,
    user_key: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let url = address(app.base, &["1", "messages.json"])?;
    let mut form = vec![
        ("token", app.token.expose_secret().to_owned()),
        ("user", user_key.expose_secret().to_owned()),
        ("title", TITLE.cut(&one_line(&message.title))),
        // Pushover refuses an empty message, so send the title as text.
        ("message", TEXT.cut(if message.text.is_empty() { &message.title } else { &message.text })),
    ];
    form.extend(priority(message));
    // If the user acknowledges the message in the Pushover app, Pushover calls this URL.
    form.extend(message.acknowledge.clone().map(|url| ("callback", url)));
    if let Some(link) = message.link.as_ref().filter(|link| link.url.len() <= LONGEST_URL) {
        form.push(("url", link.url.clone()));
        form.push(("url_title", URL_LABEL.cut(&link.label)));
    }
    Ok(Prepared { request: http.post(url).form(&form), judge })
}

/// Prepares the request that stops the repetition of a message, identified by its receipt. Pushover
/// also accepts the request after the repetition has ended.
pub(super) fn prepare_cancel(http: &Http, app: App<'_>, receipt: &str) -> Result<Prepared, Reason> {
    let url = address(app.base, &["1", "receipts", receipt, "cancel.json"])?;
    let form = [("token", app.token.expose_secret())];
    Ok(Prepared { request: http.post(url).form(&form), judge })
}

/// Returns the fields for priority. A message that requires action is repeated every minute for
/// half an hour until the user acknowledges it.
fn priority(message: &Message) -> Vec<(&'static str, String)> {
    let level = match (message.kind, message.priority()) {
        (EventKind::NeedsYou, _) => "2",
        (_, Priority::Urgent) => "1",
        (_, Priority::Normal) => "0",
        (_, Priority::Low) => "-1",
    };
    let mut fields = vec![("priority", level.to_owned())];
    if level == "2" {
        fields.extend([("retry", "60".to_owned()), ("expire", "1800".to_owned())]);
    }
    fields
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match answer.number("status") {
        // Pushover returns a receipt for a repeating message. The receipt is needed to stop the
        // repetition.
        Some(1) if !answer.text("receipt").is_empty() => Outcome::accepted(answer.text("receipt")),
        Some(1) => Outcome::accepted(answer.text("request")),
        Some(_) if answer.text("token") == "invalid" => Outcome::Broken(Reason::Operator),
        Some(_) if answer.text("user") == "invalid" => Outcome::Broken(Reason::Credentials),
        Some(_) => Outcome::Broken(Reason::Refused),
        None => Outcome::AGAIN,
    }
}
