//! Tests of linking: a user's actions on a page of the sandbox, and the responses to the product's
//! requests.

use std::time::Duration;

use sandbox::channel::{TELEGRAM_BOT, TELEGRAM_BOT_TOKEN, WXPUSHER_APP_TOKEN};
use serde_json::{Value, json};

use crate::client::{quiet, rustls_ring};

fn http() -> reqwest::Client {
    let _ = rustls_ring();
    reqwest::Client::builder().no_proxy().build().unwrap()
}

async fn json(call: reqwest::RequestBuilder) -> Value {
    call.send().await.unwrap().json().await.unwrap()
}

#[tokio::test]
async fn a_user_can_start_message_and_block_the_bot() {
    let (sandbox, _) = quiet("empty").await;
    let (http, url) = (http(), sandbox.ready().channels_url);
    let bot = format!("{url}/telegram/bot{TELEGRAM_BOT_TOKEN}");
    let updates =
        |offset: i64| json(http.post(format!("{bot}/getUpdates")).json(&json!({ "offset": offset })));
    let page = http.get(format!("{url}/telegram/t.me/{TELEGRAM_BOT}?start=abc")).send().await.unwrap();
    let page = page.text().await.unwrap();
    assert!(page.contains("/start abc") && page.contains("linzhixia_demo"), "{page}");
    assert_eq!(updates(0).await["result"], json!([]));

    let form = [("chat", "700100001"), ("text", "/start abc")];
    let chat = http.post(format!("{url}/telegram/say")).form(&form).send().await.unwrap();
    assert!(chat.text().await.unwrap().contains("/start abc"));
    let news = updates(0).await;
    let message = &news["result"][0]["message"];
    assert_eq!((&message["text"], &message["chat"]["id"]), (&json!("/start abc"), &json!(700_100_001)));
    assert_eq!(message["from"]["username"], "linzhixia_demo");
    let next = news["result"][0]["update_id"].as_i64().unwrap() + 1;
    assert_eq!(updates(next).await["result"], json!([]), "a fetched update was returned again");

    http.post(format!("{url}/telegram/block")).form(&[("chat", "700100001")]).send().await.unwrap();
    let change = updates(next).await;
    assert_eq!(change["result"][0]["my_chat_member"]["new_chat_member"]["status"], "kicked");
    let body = json!({ "chat_id": 700_100_001, "text": "a" });
    let send = || http.post(format!("{bot}/sendMessage")).json(&body).send();
    assert_eq!(send().await.unwrap().status(), 403);
    http.post(format!("{url}/telegram/say")).form(&form).send().await.unwrap();
    assert_eq!(send().await.unwrap().status(), 200);
}

#[tokio::test]
async fn only_one_client_waits_for_updates() {
    let (sandbox, _) = quiet("empty").await;
    let (http, url) = (http(), sandbox.ready().channels_url);
    let ask = |seconds: u32| {
        let call = http.post(format!("{url}/telegram/bot{TELEGRAM_BOT_TOKEN}/getUpdates"));
        let call = call.json(&json!({ "timeout": seconds }));
        tokio::spawn(async move { json(call).await })
    };
    let first = ask(40);
    tokio::time::sleep(Duration::from_millis(300)).await;
    let second = ask(40);
    assert_eq!(first.await.unwrap()["error_code"], 409);
    http.post(format!("{url}/telegram/say"))
        .form(&[("chat", "700100002"), ("text", "/stop")])
        .send()
        .await
        .unwrap();
    assert_eq!(second.await.unwrap()["result"][0]["message"]["text"], "/stop");
}

#[tokio::test]
async fn a_code_is_scanned_once_rate_limited_and_expires() {
    let (sandbox, hands) = quiet("empty").await;
    let (http, url) = (http(), sandbox.ready().channels_url);
    let make = json!({ "appToken": WXPUSHER_APP_TOKEN, "extra": "link", "validTime": 600 });
    let made = json(http.post(format!("{url}/wxpusher/api/fun/create/qrcode")).json(&make)).await;
    let code = made["data"]["code"].as_str().unwrap().to_owned();
    let ask = || json(http.get(format!("{url}/wxpusher/api/fun/scan-qrcode-uid?code={code}")));
    assert_eq!(ask().await["msg"], "暂无用户扫描二维码");
    assert_eq!(ask().await["code"], 1009, "sooner than ten seconds");
    let picture = http.get(made["data"]["url"].as_str().unwrap()).send().await.unwrap();
    assert!(picture.text().await.unwrap().contains("<svg"));
    let page = made["data"]["shortUrl"].as_str().unwrap();
    let scan = http.post(page).form(&[("uid", "UID_demoAnn")]).send().await.unwrap();
    assert!(scan.text().await.unwrap().contains("Scanned by Ann Example"));
    hands.advance(chrono::TimeDelta::seconds(10));
    assert_eq!(ask().await["data"], "UID_demoAnn");
    hands.advance(chrono::TimeDelta::seconds(600));
    assert_eq!(ask().await["msg"], "二维码已过期");
    let late = http.post(page).form(&[("uid", "UID_demoAnn")]).send().await.unwrap();
    assert_eq!(late.status(), 410);
    let wrong = json!({ "appToken": "AT_other", "extra": "link" });
    let refused = json(http.post(format!("{url}/wxpusher/api/fun/create/qrcode")).json(&wrong)).await;
    assert_eq!(refused["code"], 1001);
}
