use sandbox::channel::TELEGRAM_BOT_TOKEN;
use serde_json::{Value, json};

use crate::client::{fault, quiet, rustls_ring};

fn http() -> reqwest::Client {
    let _ = rustls_ring();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

fn telegram(url: &str) -> String {
    format!("{url}/telegram/bot{TELEGRAM_BOT_TOKEN}/sendMessage")
}

#[tokio::test]
async fn accepted_messages_are_visible() {
    let (sandbox, _) = quiet("empty").await;
    let (http, base) = (http(), sandbox.control_url());
    let url = sandbox.ready().channels_url;
    let message = json!({ "chat_id": 7, "text": "已预约\n2 月 3 日", "reply_markup": { "inline_keyboard": [[
        { "text": "Open", "url": "https://sooner.example/t/1" }
    ]] } });
    let answer = http.post(telegram(&url)).json(&message).send().await.unwrap();
    assert_eq!(answer.json::<Value>().await.unwrap()["ok"], true);
    let hook = json!({ "content": "a day is free" });
    http.post(format!("{url}/discord/api/webhooks/1/token")).json(&hook).send().await.unwrap();

    let list: Value = http
        .get(format!("{base}/channels.json?provider=telegram"))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(
        (&list[0]["title"], &list[0]["text"], &list[0]["target"]),
        (&json!("已预约"), &json!("2 月 3 日"), &json!("7"))
    );
    assert_eq!(
        (&list[0]["link"], &list[0]["acknowledged"]),
        (&json!("https://sooner.example/t/1"), &json!(true))
    );
    let page = http.get(format!("{base}/channels")).send().await.unwrap().text().await.unwrap();
    assert!(page.contains("已预约") && page.contains("a day is free"));
    let control = http.get(&base).send().await.unwrap().text().await.unwrap();
    assert!(control.contains("telegram 1") && control.contains("discord 1"));
    http.delete(format!("{base}/channels")).send().await.unwrap();
    assert!(sandbox.notifications().is_empty());
}

#[tokio::test]
async fn providers_refuse_the_same_calls_as_the_real_ones() {
    let (sandbox, _) = quiet("empty").await;
    let (http, url) = (http(), sandbox.ready().channels_url);
    let long = "a".repeat(4097);
    let calls = [
        (telegram(&url), json!({ "chat_id": 7, "text": "" })),
        (telegram(&url), json!({ "chat_id": 7, "text": long })),
        (format!("{url}/telegram/bot1:other/sendMessage"), json!({ "chat_id": 7, "text": "a" })),
        (
            format!("{url}/wecom/cgi-bin/webhook/send?key=k"),
            json!({ "msgtype": "markdown", "markdown": { "content": long } }),
        ),
        (
            format!("{url}/dingtalk/robot/send?access_token=k&timestamp=1&sign=x"),
            json!({ "msgtype": "markdown" }),
        ),
        (
            format!("{url}/feishu/open-apis/bot/v2/hook/k"),
            json!({ "msg_type": "post", "timestamp": "1", "sign": "x" }),
        ),
        (format!("{url}/webhook/ann"), json!({ "title": "unsigned" })),
        (format!("{url}/web_push/send/1"), json!({ "title": "not sealed" })),
        (format!("{url}/nobody/send"), json!({})),
    ];
    for (call, body) in calls {
        let answer = http.post(&call).json(&body).send().await.unwrap();
        let status = answer.status();
        let body: Value = answer.json().await.unwrap_or_default();
        let refused_in_body =
            body["errcode"].as_i64().or(body["code"].as_i64()).is_some_and(|code| code != 0);
        assert!(status.is_client_error() || refused_in_body, "{call}: {status} {body}");
    }
    assert!(sandbox.notifications().is_empty());
}

#[tokio::test]
async fn a_fault_of_one_receiver_does_not_affect_others() {
    let (sandbox, _) = quiet("empty").await;
    let (http, url) = (http(), sandbox.ready().channels_url);
    fault(&sandbox, json!({ "fault": "sender_blocked", "account": "7" }));
    let send = |chat: i64| http.post(telegram(&url)).json(&json!({ "chat_id": chat, "text": "a" })).send();
    assert_eq!(send(7).await.unwrap().status(), 403);
    assert_eq!(send(8).await.unwrap().status(), 200);
    let journal = sandbox.with_world(|world| world.journal.after(0).to_vec());
    let told: Vec<_> = journal.iter().map(|e| (e.kind.as_str(), e.account.as_deref(), e.status)).collect();
    assert_eq!(told, [("channel_telegram", Some("7"), 403), ("channel_telegram", Some("8"), 200)]);
    // A fault of the portal does not affect the notification providers.
    fault(&sandbox, json!({ "fault": "bad_gateway" }));
    assert_eq!(send(8).await.unwrap().status(), 200);
}

#[tokio::test]
async fn phone_replies_need_a_configured_callback() {
    let (sandbox, _) = quiet("empty").await;
    let (http, base) = (http(), sandbox.ready().channels_url);
    let say = async |phone: &str, text: &str| {
        let form = [("phone", phone), ("text", text)];
        http.post(format!("{base}/phones/say")).form(&form).send().await.unwrap().status().as_u16()
    };
    assert_eq!(say("+14165550123", "STOP").await, 400);
    let phone = format!("{base}/phones/%2B14165550123");
    let page = async || http.get(&phone).send().await.unwrap().text().await.unwrap();
    assert!(page().await.contains("No server has said"));
    // No server listens at this address. The report is repeated, and the stored message stays.
    let nowhere = "http://127.0.0.1:9/sms".to_owned();
    sandbox.set_text_addresses(sandbox::channel::TextAddresses {
        twilio_inbound: nowhere.clone(),
        aliyun_report: nowhere.clone(),
        aliyun_inbound: nowhere,
    });
    for (phone, text) in [("+14165550123", " "), ("4165550123", "STOP"), ("+1416<b>", "STOP")] {
        assert_eq!(say(phone, text).await, 400, "{phone} {text}");
    }
    assert_eq!(say("+14165550123", "<b>STOP</b>").await, 200);
    assert!(page().await.contains("&lt;b&gt;STOP"));
}
