//! Incoming webhooks of Discord and Slack, and a webhook of the user's own.

use ring::hmac;
use serde_json::json;

use super::{
    Provider, ProviderError, WEBHOOK_SECRET,
    arrivals::Content,
    call::{Call, Reply, split},
};

pub(super) const DISCORD: Provider =
    Provider { name: "discord", read: read_discord, taken: taken_discord, refuse: refuse_discord };
pub(super) const SLACK: Provider =
    Provider { name: "slack", read: read_slack, taken: taken_slack, refuse: refuse_slack };
pub(super) const WEBHOOK: Provider =
    Provider { name: "webhook", read: read_webhook, taken: taken_webhook, refuse: refuse_webhook };

fn read_discord(call: &Call<'_>) -> Result<Content, Reply> {
    let Some(["api", "webhooks", id, token]) = call.path::<4>() else { return Err(Reply::nowhere()) };
    if token.contains("wrong") {
        return Err(discord(401, 50_027, "Invalid Webhook Token"));
    }
    let content = call.text("/content");
    if content.is_empty() || content.chars().count() > 2000 {
        return Err(discord(400, 50_035, "Invalid Form Body"));
    }
    let (title, text) = split(content);
    let link = text.lines().last().filter(|line| line.starts_with("http")).map(str::to_owned);
    let extra = json!({ "mentions": call.json["allowed_mentions"]["parse"] });
    Ok(Content { title, text, link, extra, ..Content::to(id) })
}

fn discord(status: u16, code: u32, words: &str) -> Reply {
    Reply::json(status, &json!({ "code": code, "message": words }))
}

fn taken_discord(id: u64) -> Reply {
    Reply::json(200, &json!({ "id": format!("{id}"), "type": 0 }))
}

fn refuse_discord(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => discord(400, 50_006, "Cannot send an empty message"),
        // The body contains the exact wait. The header can only contain whole seconds.
        ProviderError::Limited(seconds) => {
            let body =
                json!({ "message": "You are being rate limited.", "retry_after": seconds as f64 + 0.5 });
            Reply::json(429, &body).retry_after(seconds + 1)
        }
        ProviderError::Gone => discord(404, 10_015, "Unknown Webhook"),
        ProviderError::Blocked => discord(403, 50_001, "Missing Access"),
    }
}

fn read_slack(call: &Call<'_>) -> Result<Content, Reply> {
    let Some(["services", team, _, token]) = call.path::<4>() else { return Err(Reply::nowhere()) };
    if token.contains("wrong") {
        return Err(Reply::text(403, "invalid_token"));
    }
    let text = call.text("/text");
    if text.is_empty() {
        return Err(Reply::text(400, "no_text"));
    }
    let link =
        text.lines().last().and_then(|line| line.strip_prefix('<')).and_then(|line| line.split_once('|'));
    let link = link.map(|(address, _)| address.to_owned());
    let (title, text) = split(text);
    Ok(Content { title, text, link, ..Content::to(team) })
}

fn taken_slack(_: u64) -> Reply {
    Reply::text(200, "ok")
}

fn refuse_slack(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => Reply::text(400, "invalid_payload"),
        ProviderError::Limited(seconds) => Reply::text(429, "rate_limited").retry_after(seconds),
        ProviderError::Gone => Reply::text(410, "channel_is_archived"),
        ProviderError::Blocked => Reply::text(403, "action_prohibited"),
    }
}

fn read_webhook(call: &Call<'_>) -> Result<Content, Reply> {
    let target = call.path.join("/");
    let signature = call.header("x-signature");
    let parts = signature.strip_prefix("t=").and_then(|rest| rest.split_once(",v1="));
    let (at, hex) = parts.ok_or_else(|| Reply::text(401, "no signature"))?;
    let mut signed = format!("{at}.").into_bytes();
    signed.extend_from_slice(call.body);
    let key = hmac::Key::new(hmac::HMAC_SHA256, WEBHOOK_SECRET.as_bytes());
    let right: String = hmac::sign(&key, &signed).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
    let late = at.parse::<i64>().map_or(u64::MAX, |at| call.now.timestamp().abs_diff(at)) > 300;
    if late || hex != right {
        return Err(Reply::text(401, "the signature is wrong, or of another time"));
    }
    Ok(Content {
        title: call.text("/title").to_owned(),
        text: call.text("/text").to_owned(),
        link: call.json["url"].as_str().map(str::to_owned),
        extra: json!({
            "id": call.json["id"],
            "event": call.json["event"],
            "priority": call.json["priority"],
            "authorization": call.header("authorization"),
        }),
        ..Content::to(target)
    })
}

fn taken_webhook(_: u64) -> Reply {
    Reply::text(204, "")
}

fn refuse_webhook(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => Reply::text(422, "not like this"),
        ProviderError::Limited(seconds) => Reply::text(429, "later").retry_after(seconds),
        ProviderError::Gone => Reply::text(410, "gone"),
        ProviderError::Blocked => Reply::text(403, "no"),
    }
}
