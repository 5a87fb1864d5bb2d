//! Checks that the delivered content equals the message, within the limits of each provider.

use providers::channels::message::Message;
use providers::channels::outcome::{Outcome, Reason};
use providers::channels::target::Target;
use serde_json::json;

use crate::fixture::{NAMES, There, booked};

#[tokio::test]
async fn each_provider_accepts_and_shows_a_message() {
    let there = There::new().await;
    let message = booked();
    for name in NAMES {
        let delivery = there.send(name, &message).await;
        assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{name}: {delivery:?}");
        let taken = there.taken(name);
        let [arrival] = taken.as_slice() else { panic!("{name} accepted {taken:?}") };
        let content = &arrival.content;
        assert!(content.title.contains(&message.title), "{name}: {content:?}");
        if !matches!(name, "twilio" | "aliyun") {
            assert!(
                content.text.contains("面谈时间") && content.text.contains("旧的预约"),
                "{name}: {content:?}"
            );
        }
        // Templates of text messages in China may contain no URL.
        let link = (name != "aliyun").then_some("https://sooner.example/t/1");
        assert_eq!(content.link.as_deref(), link, "{name}: {content:?}");
        assert!(arrival.acknowledged);
    }
}

#[tokio::test]
async fn providers_with_receipts_return_one() {
    let there = There::new().await;
    let with_receipt =
        ["web_push", "telegram", "wxpusher", "server_chan", "pushplus", "ntfy", "pushover", "discord"];
    for name in NAMES {
        let delivery = there.send(name, &booked()).await;
        let Outcome::Accepted { receipt } = delivery.outcome else { panic!("{name}: {delivery:?}") };
        let has_one = with_receipt.contains(&name) || matches!(name, "twilio" | "aliyun");
        assert_eq!(receipt.is_some_and(|word| !word.is_empty()), has_one, "{name}");
    }
}

#[tokio::test]
async fn long_messages_are_cut_and_retain_their_link() {
    let there = There::new().await;
    let mut message = booked();
    message.title = "约🎉\n<!channel>&[a](b)".repeat(400);
    message.text = "约🎉 \"quoted\" \\ <@everyone>\n".repeat(4000);
    for name in NAMES {
        let delivery = there.send(name, &message).await;
        assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{name}: {delivery:?}");
        let content = there.taken(name).remove(0).content;
        assert!(!content.title.contains('\u{fffd}') && !content.text.contains('\u{fffd}'), "{name}");
        assert_eq!(content.link.is_some(), name != "aliyun", "{name}");
    }
    let segments = &there.taken("twilio")[0].content.extra["segments"];
    assert_eq!(segments, &json!(2));
}

#[tokio::test]
async fn messages_with_empty_text_are_accepted() {
    let there = There::new().await;
    let mut message = booked();
    message.text.clear();
    message.link = None;
    for name in NAMES {
        let delivery = there.send(name, &message).await;
        assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{name}: {delivery:?}");
    }
}

#[tokio::test]
async fn urgency_and_lifetime_are_sent_to_providers_that_support_them() {
    let there = There::new().await;
    let mut message = booked();
    message.not_after = Some("2026-11-19T03:01:00Z".parse().unwrap());
    for name in ["web_push", "bark", "ntfy", "pushover", "webhook"] {
        there.send(name, &message).await;
    }
    let extra = |name: &str| there.taken(name)[0].content.extra.clone();
    assert_eq!((&extra("web_push")["ttl"], &extra("web_push")["urgency"]), (&json!(60), &json!("high")));
    assert_eq!(extra("web_push")["topic"], extra("web_push")["tag"]);
    assert_eq!(extra("bark")["level"], "timeSensitive");
    assert_eq!(extra("ntfy")["priority"], 5);
    assert_eq!(extra("pushover")["priority"], "1");
    let hook = extra("webhook");
    assert_eq!(
        (&hook["id"], &hook["event"], &hook["priority"]),
        (&json!("booked:018f"), &json!("booked"), &json!("urgent"))
    );
    assert_eq!(hook["authorization"], "Basic YW5u");
}

#[tokio::test]
async fn telegram_buttons_need_https_and_other_urls_are_text() {
    let there = There::new().await;
    let mut message = booked();
    message.link.as_mut().unwrap().url = "http://127.0.0.1:4000/t/1".to_owned();
    let delivery = there.send("telegram", &message).await;
    assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{delivery:?}");
    let content = there.taken("telegram").remove(0).content;
    assert!(content.link.is_none() && content.text.ends_with("http://127.0.0.1:4000/t/1"), "{content:?}");
}

#[tokio::test]
async fn a_private_topic_requires_its_token() {
    let there = There::new().await;
    let server = format!("{}/ntfy", there.sandbox.ready().channels_url);
    let target = |token: Option<&str>| Target::Ntfy {
        server: Some(server.clone()),
        topic: "private-ann".into(),
        token: token.map(Into::into),
    };
    let refused = there.channels.send(&target(None), &booked()).await;
    assert!(matches!(refused.outcome, Outcome::Broken(_)), "{refused:?}");
    let taken = there.channels.send(&target(Some("tk_sandbox")), &booked()).await;
    assert!(matches!(taken.outcome, Outcome::Accepted { .. }), "{taken:?}");
}

#[tokio::test]
async fn app_keys_are_sent_to_the_host_of_their_user() {
    let there = There::new().await;
    let send = async |key: &str| {
        there.channels.send(&Target::ServerChan { send_key: key.into() }, &booked()).await.outcome
    };
    assert!(matches!(send("sctp123tABCDEF").await, Outcome::Accepted { .. }));
    assert_eq!(there.taken("server_chan")[0].content.target, "sctp123tABCDEF");
    // A valid key contains a number, which becomes part of the host name. A key that contained
    // another text could direct requests to any host.
    for wrong in ["sctpABC", "sctp1.evil.example/t1", "sctp/t1", "sctpt1", "sctp12t"] {
        assert_eq!(send(wrong).await, Outcome::Broken(Reason::Malformed), "{wrong}");
    }
    assert_eq!(there.taken("server_chan").len(), 1);
}

#[tokio::test]
async fn text_messages_name_the_sender_and_match_billed_segments() {
    let there = There::new().await;
    for (title, segments) in [
        ("Booked: 2027-02-03 8:15 AM, Toronto", 1),
        ("已预约：2027-02-03 上午 8:15，多伦多", 1),
        ("已预约：2027-02-03 上午 8:15，多伦多，这是一个很长很长很长很长很长很长的标题，它需要两条短信", 2),
    ] {
        let message = Message { title: title.to_owned(), ..booked() };
        let phone = "+14165550123";
        let delivery = there.channels.send(&Target::Sms { phone: phone.to_owned() }, &message).await;
        assert!(matches!(delivery.outcome, Outcome::Accepted { .. }), "{delivery:?}");
        let content = there.taken("twilio").last().unwrap().content.clone();
        assert!(content.title.starts_with("Sooner: "), "{content:?}");
        assert_eq!(content.extra["segments"], segments, "{content:?}");
        assert_eq!(
            there.channels.text_segments(phone, &message),
            segments,
            "the segments differ from the provider's bill"
        );
    }
    let code = Message { title: "012345 is your Sooner code".to_owned(), ..booked() };
    there.channels.send(&Target::Sms { phone: "+14165550123".to_owned() }, &code).await;
    assert!(
        there.taken("twilio").last().unwrap().content.title.starts_with("012345"),
        "the message already begins with its title"
    );
}
