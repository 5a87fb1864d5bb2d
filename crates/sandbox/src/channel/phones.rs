//! Phone apps that display notifications: Bark, ntfy and Pushover.

use serde_json::json;

use super::{
    PUSHOVER_APP_TOKEN, Provider, ProviderError,
    arrivals::Content,
    call::{Call, Reply, value},
};

pub(super) const BARK: Provider =
    Provider { name: "bark", read: read_bark, taken: taken_bark, refuse: refuse_bark };
pub(super) const NTFY: Provider =
    Provider { name: "ntfy", read: read_ntfy, taken: taken_ntfy, refuse: refuse_ntfy };
pub(super) const PUSHOVER: Provider =
    Provider { name: "pushover", read: read_pushover, taken: taken_pushover, refuse: refuse_pushover };

fn read_bark(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<1>() != Some(["push"]) {
        return Err(Reply::nowhere());
    }
    let key = call.text("/device_key");
    if key.is_empty() || key.contains("wrong") {
        return Err(bark(
            400,
            "failed to get device token: failed to get [wrong] device token from database",
        ));
    }
    if call.body.len() > 4096 {
        return Err(bark(500, "push failed: PayloadTooLarge"));
    }
    let link = call.json["url"].as_str().map(str::to_owned);
    Ok(Content {
        title: call.text("/title").to_owned(),
        text: call.text("/body").to_owned(),
        link,
        extra: json!({ "level": call.json["level"], "group": call.json["group"] }),
        ..Content::to(key)
    })
}

fn bark(code: u16, words: &str) -> Reply {
    Reply::json(code, &json!({ "code": code, "message": words, "timestamp": 1 }))
}

fn taken_bark(_: u64) -> Reply {
    bark(200, "success")
}

fn refuse_bark(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => Reply::json(200, &json!({ "code": 400, "message": "request bind failed" })),
        ProviderError::Limited(seconds) => bark(429, "too many requests").retry_after(seconds),
        ProviderError::Gone => bark(500, "push failed: Unregistered"),
        ProviderError::Blocked => bark(400, "failed to get device token"),
    }
}

fn read_ntfy(call: &Call<'_>) -> Result<Content, Reply> {
    let topic = call.text("/topic");
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !call.path.is_empty() || topic.is_empty() || topic.len() > 64 || !topic.chars().all(is_name) {
        return Err(ntfy(400, "invalid request: topic invalid"));
    }
    if topic.starts_with("private") && call.header("authorization") != "Bearer tk_sandbox" {
        return Err(ntfy(403, "forbidden"));
    }
    if call.text("/message").len() > 4096 {
        return Err(ntfy(413, "message too large"));
    }
    Ok(Content {
        title: call.text("/title").to_owned(),
        text: call.text("/message").to_owned(),
        link: call.json["click"].as_str().map(str::to_owned),
        extra: json!({ "priority": call.json["priority"], "tags": call.json["tags"] }),
        ..Content::to(topic)
    })
}

fn ntfy(code: u16, words: &str) -> Reply {
    Reply::json(code, &json!({ "code": u32::from(code) * 100 + 1, "http": code, "error": words }))
}

fn taken_ntfy(id: u64) -> Reply {
    Reply::json(200, &json!({ "id": format!("sandbox{id}"), "event": "message" }))
}

fn refuse_ntfy(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => ntfy(400, "invalid request"),
        ProviderError::Limited(seconds) => ntfy(429, "limit reached: too many requests").retry_after(seconds),
        ProviderError::Gone => ntfy(404, "page not found"),
        ProviderError::Blocked => ntfy(403, "forbidden"),
    }
}

fn read_pushover(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<2>() != Some(["1", "messages.json"]) {
        return Err(Reply::nowhere());
    }
    let form = call.form();
    let given = |name: &str| value(&form, name).to_owned();
    if given("token") != PUSHOVER_APP_TOKEN {
        return Err(pushover("token", "application token is invalid"));
    }
    if given("user").len() != 30 {
        return Err(pushover("user", "user identifier is not a valid user, group, or subscribed user key"));
    }
    let long = given("message").chars().count() > 1024 || given("title").chars().count() > 250;
    if given("message").is_empty() || long {
        return Err(pushover("message", "cannot be blank or too long"));
    }
    let seconds = |name: &str| given(name).parse::<u64>().unwrap_or_default();
    if given("priority") == "2" && (seconds("retry") < 30 || !(1..=10_800).contains(&seconds("expire"))) {
        return Err(pushover("expire", "must be supplied with priority=2"));
    }
    Ok(Content {
        title: given("title"),
        text: given("message"),
        link: Some(given("url")).filter(|url| !url.is_empty()),
        extra: json!({ "priority": given("priority"), "retry": given("retry"), "expire": given("expire"),
            "callback": given("callback") }),
        ..Content::to(given("user"))
    })
}

fn pushover(field: &str, words: &str) -> Reply {
    Reply::json(400, &json!({ field: "invalid", "errors": [words], "status": 0, "request": "sandbox" }))
}

fn taken_pushover(id: u64) -> Reply {
    Reply::json(200, &json!({ "status": 1, "request": format!("sandbox-{id}") }))
}

fn refuse_pushover(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => pushover("message", "cannot be blank"),
        ProviderError::Limited(seconds) => {
            Reply::json(429, &json!({ "status": 0, "errors": ["rate limit"] })).retry_after(seconds)
        }
        ProviderError::Gone | ProviderError::Blocked => pushover("user", "user identifier is not valid"),
    }
}
