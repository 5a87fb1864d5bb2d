//! The promise of the demo: a new user links four channels within a minute, and sees the booking
//! arrive on each.

use std::collections::HashMap;
use std::time::Duration;

use chrono::TimeDelta;
use serde_json::{Value, json};
use server::workers::channel_links::{ask_for_scans, poll_updates};

use crate::app::Person;
use crate::notices::{deliver, delivery};
use crate::stage::{Stage, TORONTO};

portal_stories!(a_booking_reaches_four_channels_of_a_new_user);

const CHAT: &str = "700100001";

impl Stage {
    /// Submits a form on a page of the sandbox, which simulates Telegram or a phone.
    async fn does(&self, url: &str, form: &[(&str, &str)]) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        client.post(url).form(form).send().await.unwrap().error_for_status().unwrap();
    }

    async fn links(&self, person: &Person, kind: &str) -> Value {
        self.proves(person).await;
        self.ok("POST", "/user/channels/link", person, json!({ "kind": kind, "consent": true })).await
    }

    async fn says_it_was_me(&self, person: &Person, channel: &Value) {
        let id = channel["id"].as_str().unwrap();
        let confirmed = self.plain("POST", &format!("/user/channels/{id}/confirm"), person).await;
        assert_eq!(confirmed.data()["state"], "verified");
    }
}

// spec: 1.07, 10.16.19
async fn a_booking_reaches_four_channels_of_a_new_user(s: Stage) {
    let there = s.sandbox.ready().channels_url.clone();
    let person = s.payer("lin", 50_00).await;
    let begun = s.clock.now();

    // Telegram: the user opens the link, presses *Start*, and confirms.
    let chat = s.links(&person, "telegram").await;
    let token = chat["link"]["url"].as_str().unwrap().rsplit_once("?start=").unwrap().1.to_owned();
    s.does(&format!("{there}/telegram/say"), &[("chat", CHAT), ("text", &format!("/start {token}"))]).await;
    poll_updates(&s.app, 0, Duration::ZERO).await.unwrap();
    s.says_it_was_me(&person, &chat).await;

    // WxPusher: the user scans a code with WeChat. The server polls the provider every eleven
    // seconds.
    let relay = s.links(&person, "wx_pusher").await;
    s.does(relay["link"]["url"].as_str().unwrap(), &[("uid", "UID_demoAnn")]).await;
    let mut asked = HashMap::new();
    s.wait(11);
    ask_for_scans(&s.app, &mut asked).await.unwrap();
    s.says_it_was_me(&person, &relay).await;

    // Browser: the user permits notifications.
    let browser = s.sandbox.subscribe_browser().unwrap();
    let target = json!({ "kind": "web_push", "endpoint": browser.endpoint, "p256dh": browser.keys.p256dh, "auth": browser.keys.auth });
    let body = json!({ "target": target, "consent": true, "language": "zh" });
    s.proves(&person).await;
    assert_eq!(s.ok("POST", "/user/channels", &person, body).await["state"], "verified");
    assert!(s.clock.now() - begun < TimeDelta::minutes(1), "under a minute");

    let greeted = s.sandbox.notifications().len();
    let task = s.submitted(&person, "lin").await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::seconds(30)).await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let mut places: Vec<_> = s.sandbox.notifications()[greeted..]
        .iter()
        .filter(|one| one.content.title.contains("2027-02-09"))
        .map(|one| (one.provider.clone(), one.content.target.clone()))
        .collect();
    places.sort_unstable();
    let names: Vec<_> = places.iter().map(|(provider, _)| provider.as_str()).collect();
    assert_eq!(names, ["telegram", "web_push", "wxpusher"], "{places:?}");
    assert!(places.contains(&("telegram".to_owned(), CHAT.to_owned())));
    assert!(places.contains(&("wxpusher".to_owned(), "UID_demoAnn".to_owned())));
    let mails = s.sandbox.mails().into_iter().filter(|mail| mail.subject.contains("2027-02-09")).count();
    assert_eq!(mails, 1, "one mail as well");

    // The task's history contains the same four channels, each with the time of acceptance.
    let page = s.get(&format!("/user/notifications?task_id={task}"), &person).await.data().clone();
    let booked = page["entries"].as_array().unwrap().iter().filter(|one| one["event"] == "booked");
    let taken: Vec<_> = booked.map(|one| (one["state"].clone(), one["at"].is_string())).collect();
    assert_eq!(taken, vec![(json!("accepted"), true); 4]);
}
