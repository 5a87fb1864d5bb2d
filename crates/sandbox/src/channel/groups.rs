//! Group bots of WeCom, DingTalk and Feishu. These providers report errors with HTTP status 200.

use ring::hmac::HMAC_SHA256;
use serde_json::json;

use super::{
    DINGTALK_SECRET, FEISHU_SECRET, Provider, ProviderError,
    arrivals::Content,
    call::{Call, Reply, signed, split},
};

pub(super) const WECOM: Provider =
    Provider { name: "wecom", read: read_wecom, taken: taken_errcode, refuse: refuse_wecom };
pub(super) const DINGTALK: Provider =
    Provider { name: "dingtalk", read: read_dingtalk, taken: taken_errcode, refuse: refuse_dingtalk };
pub(super) const FEISHU: Provider =
    Provider { name: "feishu", read: read_feishu, taken: taken_feishu, refuse: refuse_feishu };

fn errcode(code: i64, words: &str) -> Reply {
    Reply::json(200, &json!({ "errcode": code, "errmsg": words }))
}

fn taken_errcode(_: u64) -> Reply {
    errcode(0, "ok")
}

/// Returns the address in a Markdown link `[label](address)`.
fn marked_link(text: &str) -> Option<String> {
    let (_, rest) = text.rsplit_once("](")?;
    rest.split_once(')').map(|(address, _)| address.to_owned())
}

fn read_wecom(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<3>() != Some(["cgi-bin", "webhook", "send"]) {
        return Err(Reply::nowhere());
    }
    let key = call.query("key");
    if key.is_empty() || key.contains("wrong") {
        return Err(errcode(93_000, "invalid webhook url"));
    }
    let content = call.text("/markdown/content");
    if call.text("/msgtype") != "markdown" || content.is_empty() || content.len() > 4096 {
        return Err(errcode(40_058, "markdown.content exceed max length 4096"));
    }
    let (title, text) = split(content);
    Ok(Content { title, text, link: marked_link(content), ..Content::to(key) })
}

fn refuse_wecom(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => errcode(40_008, "invalid message type"),
        ProviderError::Limited(_) => errcode(45_009, "api freq out of limit"),
        ProviderError::Gone | ProviderError::Blocked => errcode(93_000, "invalid webhook url"),
    }
}

fn read_dingtalk(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<2>() != Some(["robot", "send"]) {
        return Err(Reply::nowhere());
    }
    let token = call.query("access_token");
    if token.is_empty() || token.contains("wrong") {
        return Err(errcode(300_005, "token is not exist"));
    }
    let at = call.query("timestamp").parse::<i64>().unwrap_or_default();
    let late = call.now.timestamp_millis().abs_diff(at) > 60 * 60 * 1000;
    let right = signed(HMAC_SHA256, DINGTALK_SECRET, &format!("{at}\n{DINGTALK_SECRET}"));
    if late || call.query("sign") != right {
        return Err(errcode(310_000, "sign not match"));
    }
    let text = call.text("/markdown/text");
    if call.text("/msgtype") != "markdown" || text.is_empty() || call.body.len() > 20_000 {
        return Err(errcode(400_105, "unsupported message"));
    }
    let rest = split(text).1;
    let title = call.text("/markdown/title").to_owned();
    Ok(Content { title, text: rest, link: marked_link(text), ..Content::to(token) })
}

fn refuse_dingtalk(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => errcode(400_105, "unsupported message"),
        ProviderError::Limited(_) => errcode(410_100, "send too fast"),
        ProviderError::Gone => errcode(400_013, "group is disbanded"),
        ProviderError::Blocked => errcode(400_102, "robot is disabled"),
    }
}

fn read_feishu(call: &Call<'_>) -> Result<Content, Reply> {
    let Some(["open-apis", "bot", "v2", "hook", token]) = call.path::<5>() else {
        return Err(Reply::nowhere());
    };
    if token.contains("wrong") {
        return Err(feishu(19_001, "param invalid: incoming webhook access token invalid"));
    }
    let at = call.text("/timestamp").parse::<i64>().unwrap_or_default();
    let late = call.now.timestamp().abs_diff(at) > 60 * 60;
    let right = signed(HMAC_SHA256, &format!("{at}\n{FEISHU_SECRET}"), "");
    if late || call.text("/sign") != right {
        return Err(feishu(19_021, "sign match fail or timestamp is not within one hour from current time"));
    }
    if call.text("/msg_type") != "post" || call.body.len() > 20_000 {
        return Err(feishu(9_499, "Bad Request"));
    }
    let post = "/content/post/zh_cn";
    let part = |at: &str| call.text(&format!("{post}{at}")).to_owned();
    let link = Some(part("/content/1/0/href")).filter(|link| !link.is_empty());
    Ok(Content { title: part("/title"), text: part("/content/0/0/text"), link, ..Content::to(token) })
}

fn feishu(code: u32, words: &str) -> Reply {
    Reply::json(200, &json!({ "code": code, "msg": words, "data": {} }))
}

fn taken_feishu(_: u64) -> Reply {
    feishu(0, "success")
}

fn refuse_feishu(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => feishu(9_499, "Bad Request"),
        ProviderError::Limited(_) => feishu(11_232, "frequency limited psm"),
        ProviderError::Gone | ProviderError::Blocked => {
            feishu(19_001, "param invalid: incoming webhook access token invalid")
        }
    }
}
