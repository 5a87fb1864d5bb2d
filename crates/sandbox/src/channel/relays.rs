//! Services that relay messages to WeChat: WxPusher, ServerChan and PushPlus. They always respond
//! with status 200, even for errors.

use serde_json::{Value, json};

use super::{
    Provider, ProviderError, WXPUSHER_APP_TOKEN,
    arrivals::Content,
    call::{Call, Reply, split, value},
};

pub(super) const WXPUSHER: Provider =
    Provider { name: "wxpusher", read: read_wxpusher, taken: taken_wxpusher, refuse: refuse_wxpusher };
pub(super) const SERVER_CHAN: Provider = Provider {
    name: "server_chan",
    read: read_server_chan,
    taken: taken_server_chan,
    refuse: refuse_server_chan,
};
pub(super) const PUSHPLUS: Provider =
    Provider { name: "pushplus", read: read_pushplus, taken: taken_pushplus, refuse: refuse_pushplus };

fn read_wxpusher(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<3>() != Some(["api", "send", "message"]) {
        return Err(Reply::nowhere());
    }
    if call.text("/appToken") != WXPUSHER_APP_TOKEN {
        return Err(wxpusher(1001, "appToken 不正确", json!([])));
    }
    let (summary, content) = (call.text("/summary"), call.text("/content"));
    if content.is_empty() || content.chars().count() > 40_000 || summary.chars().count() > 100 {
        return Err(wxpusher(1001, "内容长度错误", json!([])));
    }
    let uid = call.text("/uids/0");
    if !uid.starts_with("UID_") {
        let each = json!([{ "uid": uid, "code": 1001, "status": "UID 不存在" }]);
        return Err(wxpusher(1000, "处理成功", each));
    }
    let text = content.strip_prefix(summary).unwrap_or(content).trim().to_owned();
    let link = call.json["url"].as_str().map(str::to_owned);
    Ok(Content { title: summary.to_owned(), text, link, ..Content::to(uid) })
}

fn wxpusher(code: u32, words: &str, data: Value) -> Reply {
    Reply::json(200, &json!({ "code": code, "msg": words, "data": data, "success": code == 1000 }))
}

fn taken_wxpusher(id: u64) -> Reply {
    wxpusher(1000, "处理成功", json!([{ "code": 1000, "status": "创建发送任务成功", "sendRecordId": id }]))
}

fn refuse_wxpusher(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => wxpusher(1005, "系统异常", json!([])),
        ProviderError::Limited(_) => wxpusher(1009, "发送频率过快", json!([])),
        ProviderError::Gone | ProviderError::Blocked => {
            wxpusher(1000, "处理成功", json!([{ "code": 1001, "status": "用户已取消关注" }]))
        }
    }
}

fn read_server_chan(call: &Call<'_>) -> Result<Content, Reply> {
    let parts: Vec<&str> = call.path.iter().map(String::as_str).collect();
    // ServerChan has a service for WeChat and a separate app. In the app, each user has an own host
    // name.
    let (last, begins) = match parts[..] {
        [last] => (last, "SCT".to_owned()),
        ["app", uid, "send", last] => (last, format!("sctp{uid}t")),
        _ => return Err(Reply::nowhere()),
    };
    let key = last.strip_suffix(".send").filter(|key| key.starts_with(&begins));
    let key = key.ok_or_else(|| server_chan(40_001, "[AUTH]错误的Key"))?;
    let form = call.form();
    let (title, text) = (value(&form, "title"), value(&form, "desp"));
    if title.is_empty() || title.chars().count() > 32 {
        return Err(server_chan(40_002, "[INPUT]title 不能为空"));
    }
    let (_, text) = split(text);
    let link = text.lines().last().filter(|line| line.starts_with("http")).map(str::to_owned);
    Ok(Content { title: title.to_owned(), text, link, ..Content::to(key) })
}

fn server_chan(code: u32, words: &str) -> Reply {
    Reply::json(200, &json!({ "code": code, "message": words, "data": { "pushid": "1" } }))
}

fn taken_server_chan(id: u64) -> Reply {
    Reply::json(200, &json!({ "code": 0, "message": "", "data": { "pushid": id.to_string(), "errno": 0 } }))
}

fn refuse_server_chan(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => server_chan(40_002, "[INPUT]内容不合规"),
        ProviderError::Limited(_) => server_chan(40_001, "[AUTH]超过当天的发送次数限制[5]，请稍后再试"),
        ProviderError::Gone | ProviderError::Blocked => server_chan(40_001, "[AUTH]错误的Key"),
    }
}

fn read_pushplus(call: &Call<'_>) -> Result<Content, Reply> {
    if call.path::<1>() != Some(["send"]) {
        return Err(Reply::nowhere());
    }
    let token = call.text("/token");
    if token.len() != 32 {
        return Err(pushplus(903, "用户token无效"));
    }
    let (title, content) = (call.text("/title"), call.text("/content"));
    if content.is_empty() || content.chars().count() > 20_000 || title.chars().count() > 100 {
        return Err(pushplus(600, "数据异常"));
    }
    let (_, text) = split(content);
    let link = text.lines().last().filter(|line| line.starts_with("http")).map(str::to_owned);
    Ok(Content { title: title.to_owned(), text, link, ..Content::to(token) })
}

fn pushplus(code: u32, words: &str) -> Reply {
    Reply::json(200, &json!({ "code": code, "msg": words, "data": null }))
}

fn taken_pushplus(id: u64) -> Reply {
    Reply::json(200, &json!({ "code": 200, "msg": "请求成功", "data": format!("{id:032x}") }))
}

fn refuse_pushplus(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => pushplus(999, "服务端验证错误"),
        ProviderError::Limited(_) => pushplus(900, "用户账号使用受限"),
        ProviderError::Gone | ProviderError::Blocked => pushplus(903, "用户token无效"),
    }
}
