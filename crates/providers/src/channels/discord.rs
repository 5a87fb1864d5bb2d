//! Discord: sends to the webhook of a channel.
//! <https://discord.com/developers/docs/resources/webhook#execute-webhook>

use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::http::{Answer, Http, Prepared, seconds_of};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines};

const HOSTS: [&str; 2] = ["discord.com", "discordapp.com"];
const LIMIT: Limit = Limit::utf16(2000);

pub(super) fn prepare(
    http: &Http,
    webhook_url: &SecretString,
    message: &Message,
) -> Result<Prepared, Reason> {
    let mut to = http.policy.check_host(webhook_url.expose_secret(), &HOSTS)?;
    // With `wait`, Discord responds after it has created the message, and the response contains the
    // message.
    to.url.query_pairs_mut().append_pair("wait", "true");
    let content = LIMIT.join(Lines { title: &message.title, text: &message.text, tail: message.url() });
    let body = json!({ "content": content, "allowed_mentions": { "parse": [] } });
    Ok(Prepared { request: http.post_checked(to).json(&body), judge })
}

fn judge(answer: &Answer) -> Outcome {
    match answer.status.as_u16() {
        200..=299 => match answer.text("id") {
            "" => Outcome::ACCEPTED,
            id => Outcome::accepted(id),
        },
        429 => {
            let wait = answer.json.get("retry_after").and_then(Value::as_f64);
            wait.and_then(seconds_of).map_or_else(|| answer.wait(), Outcome::Wait)
        }
        401 | 403 => Outcome::Broken(Reason::Credentials),
        404 | 410 => Outcome::Broken(Reason::Gone),
        _ => answer.busy().unwrap_or(Outcome::Broken(Reason::Refused)),
    }
}
