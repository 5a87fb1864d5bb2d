//! Stories of urgent notices. A notice links to a page where one tap ends its repetitions and
//! fallbacks.

use axum::body::Body;
use axum::http::Request;
use domain::channel::EventKind;
use providers::channels::target::Target;
use serde_json::{Value, json};

use crate::app::{Person, Reply};
use crate::notices::{deliver, delivery, linked, notice, taken};
use crate::stage::Stage;

portal_stories!(
    one_tap_acknowledges_a_notice_and_ends_its_repeats,
    an_acknowledgement_at_pushover_acknowledges_the_notice,
    no_fallback_is_sent_after_an_acknowledgement,
    a_failed_cancel_at_the_provider_is_shown_and_can_be_retried,
    an_invalid_link_shows_nothing,
);

const KEY: &str = "uabcdefghijklmnopqrstuvwxyz123";

/// Requests a link without a sign-in.
async fn open(s: &Stage, method: &str, url: &str, headers: &[(&str, &str)]) -> Reply {
    let path = url.strip_prefix(&s.app.settings.public_url).expect("an address of ours");
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    s.send(request.body(Body::empty()).unwrap()).await
}

fn text(reply: &Reply) -> &str {
    reply.body.as_str().unwrap_or_default()
}

/// Returns the history entries of urgent notices that were sent over a kind of channel.
async fn history(s: &Stage, person: &Person, kind: &str) -> Value {
    told(s, person, kind, "needs_you").await
}

async fn told(s: &Stage, person: &Person, kind: &str, event: &str) -> Value {
    let page = s.get("/user/notifications", person).await.data().clone();
    let is_it = |entry: &&Value| entry["channel"]["kind"] == kind && entry["event"] == event;
    page["entries"].as_array().unwrap().iter().find(is_it).cloned().unwrap_or_default()
}

async fn pushover(s: &Stage, person: &Person) {
    linked(s, person, &Target::Pushover { user_key: KEY.into() }, &[EventKind::NeedsYou]).await;
}

// spec: 10.16.15
async fn one_tap_acknowledges_a_notice_and_ends_its_repeats(s: Stage) {
    let person = s.person("lin").await;
    pushover(&s, &person).await;
    notice(&s, &person, "needs_you", "one").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let [rings] = &taken(&s, "pushover")[..] else { panic!("one over Pushover") };
    let link = rings.content.link.clone().unwrap();
    let mail = s.sandbox.mails()[0].text.clone().unwrap();
    assert!(mail.contains(&link), "the mail has the same link: {mail}");

    // Opening the page changes nothing, even repeatedly. The page is in the language of its
    // message, and on request in the other one.
    for _ in 0..2 {
        let page = open(&s, "GET", &link, &[("accept-language", "en")]).await;
        assert_eq!(page.status, 200);
        assert!(text(&page).contains("您的任务需要处理") && text(&page).contains("我已知道"), "{page:?}");
        assert!(!text(&page).contains("LIN"), "a page that needs no sign-in names nobody");
    }
    let english = open(&s, "GET", &format!("{link}&lang=en"), &[]).await;
    assert!(text(&english).contains("I have seen this"), "{english:?}");
    assert_eq!(history(&s, &person, "pushover").await["acknowledged_at"], Value::Null);
    assert!(s.sandbox.with_world(|world| world.channels.silent().is_empty()));

    let seen = open(&s, "POST", &link, &[]).await;
    assert!(seen.status == 200 && text(&seen).contains("已确认"), "{seen:?}");
    assert!(!text(&seen).contains("<form"), "there is no button left");
    let receipt = history(&s, &person, "pushover").await["receipt"].as_str().unwrap().to_owned();
    assert_eq!(s.sandbox.with_world(|world| world.channels.silent().to_vec()), [receipt]);
    let at = history(&s, &person, "pushover").await["acknowledged_at"].clone();
    assert!(at.is_string());
    assert_eq!(history(&s, &person, "email").await["acknowledged_at"], at, "all messages are of one notice");
    // A repeated tap changes nothing.
    s.wait(60);
    assert_eq!(open(&s, "POST", &link, &[]).await.status, 200);
    assert_eq!(history(&s, &person, "pushover").await["acknowledged_at"], at);
}

// spec: 10.16.15
async fn an_acknowledgement_at_pushover_acknowledges_the_notice(s: Stage) {
    let person = s.person("lin").await;
    pushover(&s, &person).await;
    notice(&s, &person, "needs_you", "one").await;
    notice(&s, &person, "booked", "two").await;
    let delivery = delivery(&s, "127.0.0.1:1");
    deliver(&delivery).await;
    s.wait(45);
    deliver(&delivery).await;
    let mut callbacks: Vec<_> = taken(&s, "pushover")
        .iter()
        .map(|one| one.content.extra["callback"].as_str().unwrap().to_owned())
        .collect();
    callbacks.sort_unstable();
    assert_eq!((callbacks.len(), callbacks[0].as_str()), (2, ""), "a booking waits for no answer");
    assert_eq!(open(&s, "POST", &callbacks[1], &[]).await.status, 200);
    assert!(history(&s, &person, "pushover").await["acknowledged_at"].is_string());
    let booked = told(&s, &person, "pushover", "booked").await;
    assert!(booked["acknowledged_at"].is_null(), "the booking is another notice: {booked}");
    // The mail could not be sent before, and is not needed any more.
    s.wait(3600);
    deliver(&crate::notices::delivery(&s, &s.sandbox.smtp_addr())).await;
    let needed =
        s.sandbox.mails().into_iter().filter(|mail| format!("{mail:?}").contains("notices/seen")).count();
    assert_eq!(needed, 0);
}

// spec: 10.16.15
async fn no_fallback_is_sent_after_an_acknowledgement(s: Stage) {
    let person = s.person("lin").await;
    linked(&s, &person, &Target::Bark { server: None, device_key: "phone-1".into() }, &[EventKind::Booked])
        .await;
    pushover(&s, &person).await;
    let fault = json!({ "fault": "cut_after_apply", "on": "channel_pushover", "times": 1 });
    s.sandbox.with_world(|world| world.add_fault(serde_json::from_value(fault).unwrap()));
    notice(&s, &person, "needs_you", "one").await;
    let delivery = delivery(&s, "127.0.0.1:1");
    deliver(&delivery).await;
    // The message arrived, but the server does not know that. The reader confirms the notice before
    // any fallback or repetition is sent.
    let link = taken(&s, "pushover")[0].content.link.clone().unwrap();
    assert_eq!(open(&s, "POST", &link, &[]).await.status, 200);
    for _ in 0..40 {
        s.wait(30);
        deliver(&delivery).await;
    }
    assert_eq!((taken(&s, "bark").len(), taken(&s, "pushover").len()), (0, 1));
    let person = s.again(&person).await;
    for kind in ["bark", "pushover", "email"] {
        assert_eq!(history(&s, &person, kind).await["why"], "acknowledged", "{kind}");
    }
}

// spec: 10.16.15
async fn a_failed_cancel_at_the_provider_is_shown_and_can_be_retried(s: Stage) {
    let person = s.person("lin").await;
    pushover(&s, &person).await;
    notice(&s, &person, "needs_you", "one").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let link = taken(&s, "pushover")[0].content.link.clone().unwrap();
    let fault = json!({ "fault": "bad_gateway", "on": "pushover_cancel", "times": 1 });
    s.sandbox.with_world(|world| world.add_fault(serde_json::from_value(fault).unwrap()));
    let told = open(&s, "POST", &format!("{link}&lang=en"), &[]).await;
    assert!(text(&told).contains("may ring") && text(&told).contains("Try once more"), "{told:?}");
    assert!(
        history(&s, &person, "pushover").await["acknowledged_at"].is_string(),
        "the acknowledgement is recorded all the same"
    );
    let again = open(&s, "POST", &format!("{link}&lang=en"), &[]).await;
    assert!(!text(&again).contains("may ring"), "{again:?}");
    assert_eq!(s.sandbox.with_world(|world| world.channels.silent().len()), 1);
}

// spec: 10.16.15
async fn an_invalid_link_shows_nothing(s: Stage) {
    let person = s.person("lin").await;
    pushover(&s, &person).await;
    notice(&s, &person, "needs_you", "one").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let link = taken(&s, "pushover")[0].content.link.clone().unwrap();
    let (base, token) = link.split_once("?token=").unwrap();
    let turned: String = token.chars().rev().collect();
    for wrong in [turned.as_str(), &token[..40], "", "0000"] {
        for method in ["GET", "POST"] {
            let page = open(&s, method, &format!("{base}?token={wrong}&lang=en"), &[]).await;
            assert_eq!(page.status, 404, "{wrong}");
            assert!(
                text(&page).contains("This link does not work") && !text(&page).contains("CAPTCHA"),
                "{page:?}"
            );
        }
    }
    assert!(history(&s, &person, "pushover").await["acknowledged_at"].is_null());
}
