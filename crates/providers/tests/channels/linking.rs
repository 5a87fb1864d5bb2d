//! Tests of linking a chat or a phone through the sandbox's pages.

use std::time::Duration;

use chrono::TimeDelta;
use providers::channels::linking::{BETWEEN_SCANS, ChatAction, LinkError};
use sandbox::channel::TELEGRAM_BOT;

use crate::fixture::There;

async fn post(url: &str, form: &[(&str, &str)]) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    client.post(url).form(form).send().await.unwrap();
}

#[tokio::test]
async fn a_bot_link_returns_its_token_and_the_chat_name() {
    let there = There::new().await;
    let base = there.sandbox.ready().channels_url;
    let link = there.channels.telegram_link(TELEGRAM_BOT, "token-1").unwrap();
    assert_eq!(link, format!("{base}/telegram/t.me/{TELEGRAM_BOT}?start=token-1"));
    assert_eq!(there.channels.telegram_updates(0, Duration::ZERO).await.unwrap(), []);
    let say = format!("{base}/telegram/say");
    post(&say, &[("chat", "700100001"), ("text", "/start token-1")]).await;
    let updates = there.channels.telegram_updates(0, Duration::ZERO).await.unwrap();
    assert_eq!(updates.len(), 1);
    assert_eq!((updates[0].chat.id, updates[0].chat.name.as_str()), (700_100_001, "@linzhixia_demo"));
    assert_eq!(updates[0].what, ChatAction::Start(Some("token-1".to_owned())));
    post(&format!("{base}/telegram/block"), &[("chat", "700100001")]).await;
    let next = there.channels.telegram_updates(updates[0].number + 1, Duration::ZERO).await.unwrap();
    assert_eq!(next.iter().map(|update| &update.what).collect::<Vec<_>>(), [&ChatAction::Blocked]);
}

#[tokio::test]
async fn concurrent_update_requests_report_a_conflict() {
    let there = std::sync::Arc::new(There::new().await);
    let first = there.clone();
    let first =
        tokio::spawn(async move { first.channels.telegram_updates(0, Duration::from_secs(20)).await });
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(there.channels.telegram_updates(0, Duration::ZERO).await, Ok(Vec::new()));
    assert_eq!(first.await.unwrap(), Err(LinkError::Taken));
}

#[tokio::test]
async fn a_link_code_has_a_qr_image_and_returns_the_scanning_user() {
    let there = There::new().await;
    let made = there.channels.wxpusher_code("link", Duration::from_secs(600)).await.unwrap();
    assert!(made.picture.unwrap().starts_with("data:image/svg+xml;base64,"));
    assert_eq!(there.channels.wxpusher_scanned(&made.code).await, Ok(None));
    post(&made.url, &[("uid", "UID_demoAnn")]).await;
    there.hands.advance(TimeDelta::from_std(BETWEEN_SCANS).unwrap());
    assert_eq!(there.channels.wxpusher_scanned(&made.code).await, Ok(Some("UID_demoAnn".to_owned())));
}
