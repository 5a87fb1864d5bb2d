//! Stories of channels that are linked at their provider: a chat with the bot, or a code that a
//! phone scans.

use std::collections::HashMap;
use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};
use server::workers::channel_links::{ask_for_scans, poll_updates};

use crate::app::Person;
use crate::ask_first::asking;
use crate::notices::{deliver, delivery};
use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_chat_is_linked_by_its_link_and_a_confirmation,
    a_link_works_once_for_ten_minutes_for_the_user_who_made_it,
    a_stop_command_turns_the_channel_off,
    a_blocked_bot_needs_attention,
    stop_commands_of_unknown_chats_do_not_block_the_database,
    a_phone_is_linked_by_a_scanned_code_and_a_confirmation,
    repeated_bot_updates_have_one_effect,
    a_question_is_declined_by_a_button_in_the_chat,
);

const LIN: &str = "700100001";
const WANG: &str = "700100002";

impl Stage {
    async fn link(&self, person: &Person, kind: &str) -> Value {
        self.wait(15);
        self.proves(person).await;
        let body = json!({ "kind": kind, "consent": true });
        self.ok("POST", "/user/channels/link", person, body).await
    }

    async fn form(&self, path: &str, form: &[(&str, &str)]) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let url = format!("{}{path}", self.sandbox.ready().channels_url);
        client.post(url).form(form).send().await.unwrap().error_for_status().unwrap();
    }

    async fn writes(&self, chat: &str, text: &str) {
        self.form("/telegram/say", &[("chat", chat), ("text", text)]).await;
    }

    /// Processes the messages to the bot from a number on. Returns the next number.
    async fn heard(&self, from: i64) -> i64 {
        poll_updates(&self.app, from, Duration::ZERO).await.unwrap()
    }

    /// Links a Telegram chat. Returns the channel and the number of the next update.
    async fn chat(&self, person: &Person) -> (String, i64) {
        let channel = self.link(person, "telegram").await;
        self.writes(LIN, &format!("/start {}", token(&channel))).await;
        let next = self.heard(0).await;
        let id = channel["id"].as_str().unwrap().to_owned();
        let confirmed = self.plain("POST", &format!("/user/channels/{id}/confirm"), person).await;
        assert_eq!(confirmed.data()["state"], "verified");
        (id, next)
    }

    /// Returns the last message of the bot in a chat.
    fn said_to(&self, chat: &str) -> String {
        let all = self.sandbox.notifications();
        let here =
            all.iter().rev().find(|arrival| arrival.provider == "telegram" && arrival.content.target == chat);
        here.map(|arrival| arrival.content.title.clone()).unwrap_or_default()
    }
}

fn token(channel: &Value) -> String {
    let url = channel["link"]["url"].as_str().unwrap();
    url.rsplit_once("?start=").unwrap().1.to_owned()
}

// spec: 10.16.02
async fn a_chat_is_linked_by_its_link_and_a_confirmation(s: Stage) {
    let ann = s.person("ann").await;
    let channel = s.link(&ann, "telegram").await;
    assert_eq!((&channel["state"], &channel["waits_for"]), (&json!("pending"), &json!("link")));
    let url = channel["link"]["url"].as_str().unwrap();
    assert!(url.contains("/telegram/t.me/SoonerSandboxBot?start="), "{url}");
    assert!(token(&channel).len() <= 64);
    assert!(channel["link"]["qr"].as_str().unwrap().starts_with("data:image/svg+xml;base64,"));
    let page = reqwest::Client::builder().no_proxy().build().unwrap().get(url).send().await.unwrap();
    assert!(page.text().await.unwrap().contains(&token(&channel)), "the page is the sandbox's");
    let confirm = format!("/user/channels/{}/confirm", channel["id"].as_str().unwrap());
    assert_eq!(
        s.plain("POST", &confirm, &ann).await.error(),
        (409, "ILLEGAL_TRANSITION"),
        "no chat opened the link"
    );

    s.writes(LIN, &format!("/start {}", token(&channel))).await;
    s.heard(0).await;
    assert_eq!(s.said_to(LIN), "请回到早签");
    let opened = &s.channels(&ann).await[0];
    assert_eq!((&opened["state"], &opened["waits_for"]), (&json!("pending"), &json!("confirmation")));
    assert_eq!(
        (&opened["linked_as"], &opened["label"]),
        (&json!("@linzhixia_demo"), &json!("@linzhixia_demo"))
    );
    assert_eq!(opened["link"], Value::Null);
    assert_eq!(s.plain("POST", &confirm, &ann).await.data()["state"], "verified");
    let test = confirm.replace("/confirm", "/test");
    assert_eq!(s.plain("POST", &test, &ann).await.data()["outcome"], "accepted");
    assert_eq!(s.said_to(LIN), "早签测试消息");
}

// spec: 10.16.02
async fn a_link_works_once_for_ten_minutes_for_the_user_who_made_it(s: Stage) {
    let (ann, eve) = (s.person("ann").await, s.person("eve").await);
    let (hers, theirs) = (s.link(&ann, "telegram").await, s.link(&eve, "telegram").await);
    // A chat of another user opens Eve's link. Eve must confirm, and Ann's channel is unchanged.
    s.writes(WANG, &format!("/start {}", token(&theirs))).await;
    let next = s.heard(0).await;
    assert_eq!(s.channels(&ann).await[0]["waits_for"], "link");
    assert_eq!(s.channels(&eve).await[0]["linked_as"], "Wang Jiaqi");
    let foreign = format!("/user/channels/{}/confirm", theirs["id"].as_str().unwrap());
    assert_eq!(s.plain("POST", &foreign, &ann).await.error(), (404, "NOT_FOUND"));
    // Another chat opens the same link, which was used before.
    s.writes(LIN, &format!("/start {}", token(&theirs))).await;
    let next = s.heard(next).await;
    assert_eq!(s.said_to(LIN), "这个链接已失效");
    assert_eq!(s.channels(&eve).await[0]["linked_as"], "Wang Jiaqi");
    s.writes(LIN, "/start nonsense").await;
    s.wait(601);
    s.writes(LIN, &format!("/start {}", token(&hers))).await;
    s.heard(next).await;
    let ann = s.again(&ann).await;
    assert_eq!(s.channels(&ann).await[0]["linked_as"], Value::Null, "the confirmation came too late");
    assert_eq!(s.said_to(LIN), "这个链接已失效");
    // The link expires without Eve's confirmation.
    let eve = s.again(&eve).await;
    assert_eq!(s.plain("POST", &foreign, &eve).await.error(), (409, "ILLEGAL_TRANSITION"));
}

// spec: 10.16.03
async fn a_stop_command_turns_the_channel_off(s: Stage) {
    let (ann, bob) = (s.person("ann").await, s.person("bob").await);
    let (id, next) = s.chat(&ann).await;
    let (other, next) = {
        let channel = s.link(&bob, "telegram").await;
        s.writes(WANG, &format!("/start {}", token(&channel))).await;
        let next = s.heard(next).await;
        let id = channel["id"].as_str().unwrap().to_owned();
        s.plain("POST", &format!("/user/channels/{id}/confirm"), &bob).await;
        (id, next)
    };
    s.writes(LIN, "/stop").await;
    let next = s.heard(next).await;
    assert_eq!(s.said_to(LIN), "已停止");
    assert_eq!(
        (&s.channels(&ann).await[0]["state"], &s.channels(&ann).await[0]["id"]),
        (&json!("off"), &json!(id))
    );
    assert_eq!(s.channels(&bob).await[0], {
        let mut same = s.channels(&bob).await[0].clone();
        same["state"] = json!("verified");
        same["id"] = json!(other);
        same
    });
    let on = json!({ "on": true });
    assert_eq!(s.ok("PUT", &format!("/user/channels/{id}"), &ann, on).await["state"], "verified");
    s.writes("700100003", "/stop").await;
    s.heard(next).await;
    assert_eq!(s.said_to("700100003"), "没有通知发到这里");
}

// spec: 10.16.03
async fn a_blocked_bot_needs_attention(s: Stage) {
    let ann = s.person("ann").await;
    let (id, next) = s.chat(&ann).await;
    s.form("/telegram/block", &[("chat", LIN)]).await;
    let next = s.heard(next).await;
    let told = &s.channels(&ann).await[0];
    assert_eq!((&told["state"], &told["reason"]), (&json!("needs_attention"), &json!("blocked")));
    let failing = crate::operator::answer(&s, &["channels", "list"]);
    assert_eq!(
        (&failing[0]["id"], &failing[0]["user"]),
        (&json!(id), &json!("ann@example.com")),
        "{failing}"
    );
    let test = s.plain("POST", &format!("/user/channels/{id}/test"), &ann).await;
    assert_eq!((&test.data()["outcome"], &test.data()["reason"]), (&json!("broken"), &json!("blocked")));
    assert!(test.data()["answer"].as_str().unwrap().contains("bot was blocked by the user"), "{test:?}");
    // A message to the bot ends the block. A test message shows that the channel works.
    s.writes(LIN, "/start").await;
    s.heard(next).await;
    let test = s.plain("POST", &format!("/user/channels/{id}/test"), &ann).await;
    assert_eq!(test.data()["outcome"], "accepted");
    assert_eq!(s.channels(&ann).await[0]["state"], "verified");
}

// spec: 10.16.02
async fn a_phone_is_linked_by_a_scanned_code_and_a_confirmation(s: Stage) {
    let ann = s.person("ann").await;
    let channel = s.link(&ann, "wx_pusher").await;
    assert!(channel["link"]["qr"].as_str().unwrap().starts_with("data:image/"));
    assert!(!channel.to_string().contains("\"code\""), "{channel}");
    let mut asked = HashMap::new();
    let page = channel["link"]["url"].as_str().unwrap();
    let path = page.strip_prefix(&s.sandbox.ready().channels_url).unwrap();
    s.form(path, &[("uid", "UID_demoAnn")]).await;
    ask_for_scans(&s.app, &mut asked).await.unwrap();
    assert_eq!(
        s.channels(&ann).await[0]["waits_for"],
        "link",
        "the provider is polled every ten seconds at most"
    );
    s.wait(11);
    ask_for_scans(&s.app, &mut asked).await.unwrap();
    assert_eq!(s.channels(&ann).await[0]["waits_for"], "confirmation");
    let id = channel["id"].as_str().unwrap();
    let confirmed = s.plain("POST", &format!("/user/channels/{id}/confirm"), &ann).await;
    assert_eq!(confirmed.data()["state"], "verified");
    let test = s.plain("POST", &format!("/user/channels/{id}/test"), &ann).await;
    assert_eq!(test.data()["outcome"], "accepted");
    assert_eq!(s.sandbox.notifications().last().unwrap().content.target, "UID_demoAnn");

    // No phone scans the second code. The server polls the code every eleven seconds until it
    // expires.
    s.link(&ann, "wx_pusher").await;
    for _ in 0..700 {
        s.wait(1);
        ask_for_scans(&s.app, &mut asked).await.unwrap();
    }
    assert!(asked.is_empty(), "an expired code is polled");
}

// spec: 10.16.02, 10.16.22
async fn repeated_bot_updates_have_one_effect(s: Stage) {
    let ann = s.person("ann").await;
    let channel = s.link(&ann, "telegram").await;
    s.writes(LIN, "hello?").await;
    s.writes(LIN, &format!("/start {}", token(&channel))).await;
    let next = s.heard(0).await;
    // The process ended before it requested the next updates, so Telegram returns the same updates
    // again. They have no further effect.
    assert_eq!(s.heard(0).await, next);
    assert_eq!(
        s.said_to(LIN),
        "请回到早签",
        "the answer refers back to the app, because the link is this chat's own"
    );
    assert_eq!(s.channels(&ann).await[0]["waits_for"], "confirmation");
    assert_eq!(s.heard(next).await, next, "there is no new update");
    assert_eq!(s.sandbox.notifications().len(), 2);
    // The channel was not confirmed, and its time has expired.
    s.wait(601);
    s.writes(LIN, &format!("/start {}", token(&channel))).await;
    let next = s.heard(next).await;
    assert_eq!(s.said_to(LIN), "这个链接已失效");
    // After an outage of Telegram the server continues, and no update is lost.
    let fault = json!({ "fault": "bad_gateway", "on": "telegram_updates", "times": 1 });
    let fault = serde_json::from_value(fault).unwrap();
    s.sandbox.with_world(|world| world.add_fault(fault));
    s.writes(WANG, "/start").await;
    assert!(poll_updates(&s.app, next, Duration::ZERO).await.is_err());
    assert!(s.heard(next).await > next);
    assert_eq!(s.said_to(WANG), "早签");
}

// spec: 10.16.03
async fn stop_commands_of_unknown_chats_do_not_block_the_database(s: Stage) {
    let ann = s.person("ann").await;
    let (id, mut next) = s.chat(&ann).await;
    let answers = |s: &Stage| {
        let all = s.sandbox.notifications();
        all.iter().filter(|arrival| arrival.content.target == WANG).count()
    };
    // While another transaction writes, the bot still responds to a chat without a channel.
    let writer = s.app.db.begin().await.unwrap();
    for _ in 0..6 {
        s.writes(WANG, "/stop").await;
    }
    s.form("/telegram/block", &[("chat", "700100003")]).await;
    let heard = tokio::time::timeout(Duration::from_secs(4), s.heard(next)).await;
    next = heard.expect("the search for channels waits for no writer");
    drop(writer);
    assert_eq!(answers(&s), 6);
    for _ in 0..20 {
        s.writes(WANG, "/stop").await;
    }
    next = s.heard(next).await;
    assert_eq!(answers(&s), 6, "a chat is answered six times a minute");
    s.writes(LIN, "/stop").await;
    s.heard(next).await;
    assert_eq!(
        (&s.channels(&ann).await[0]["state"], &json!(id)),
        (&json!("off"), &s.channels(&ann).await[0]["id"])
    );
}

// spec: 10.1.60
async fn a_question_is_declined_by_a_button_in_the_chat(s: Stage) {
    let ann = s.payer("ann", 50_00).await;
    let (_, next) = s.chat(&ann).await;
    let id = asking(&s, &ann, "ann").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(20)).await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let all = s.sandbox.notifications();
    let asked = all.iter().rev().find(|arrival| arrival.provider == "telegram").unwrap();
    let text = format!("{} {}", asked.content.title, asked.content.text);
    assert!(text.contains("2027-02-09 多伦多") && text.contains("A.") && !text.contains("ANN"), "{text}");
    // A press with another token changes nothing.
    let forged = format!("no:{}", "A".repeat(43));
    s.form("/telegram/press", &[("chat", WANG), ("data", &forged)]).await;
    let next = s.heard(next).await;
    assert_eq!(s.said_to(WANG), "这个问题已结束");
    let state = async || s.status(&ann, &id).await["latest_question"]["state"].clone();
    assert_eq!(state().await, "open");
    let press = asked.content.extra["press"].as_str().expect("a button");
    for _ in 0..2 {
        s.form("/telegram/press", &[("chat", LIN), ("data", press)]).await;
    }
    s.heard(next).await;
    assert_eq!((state().await, s.said_to(LIN).as_str()), (json!("declined"), "不改约"));
    s.run_for(TimeDelta::minutes(10)).await;
    assert_eq!(s.requests("book"), 0);
}
