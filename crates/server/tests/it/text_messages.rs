//! Stories of sent text messages: delivery reports, replies, and the daily limit of costs.

use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use domain::channel::EventKind;
use domain::ids::ChannelId;
use providers::channels::target::Target;
use sandbox::channel::{TextAddresses, twilio_signature};
use sandbox::journal::Entry;
use serde_json::{Value, json};
use server::api::sms::addresses;
use server::http::connections;
use server::workers::operator_alarms::round;
use tokio_util::sync::CancellationToken;

use crate::app::{Person, Reply};
use crate::notices::{deliver, delivery, linked, notice, taken};
use crate::stage::Stage;

portal_stories!(
    sent_and_delivered_text_messages_are_distinguished,
    an_unreachable_number_needs_attention,
    forged_delivery_reports_change_nothing,
    stop_and_start_replies_turn_a_phone_off_and_on,
    stop_and_start_replies_work_for_chinese_numbers,
    the_sandbox_sends_delivery_reports_and_replies,
    the_daily_text_budget_stops_messages_and_raises_an_alarm,
);

const PHONE: &str = "+14165550123";

async fn phone(s: &Stage, person: &Person, number: &str) -> ChannelId {
    let events = [EventKind::Booked, EventKind::NeedsYou];
    linked(s, person, &Target::Sms { phone: number.to_owned() }, &events).await
}

/// Sends a request of Twilio to one of the server's addresses.
async fn twilio(s: &Stage, url: &str, form: &[(&str, &str)], signature: &str) -> Reply {
    let path = url.strip_prefix(&s.app.settings.public_url).expect("an address of ours");
    let body = form.iter().map(|(name, value)| format!("{name}={}", value.replace('+', "%2B")));
    let request = Request::post(path)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("x-twilio-signature", signature)
        .body(Body::from(body.collect::<Vec<_>>().join("&")))
        .unwrap();
    s.send(request).await
}

async fn signed(s: &Stage, url: &str, form: &[(&str, &str)]) -> Reply {
    twilio(s, url, form, &twilio_signature(url, form)).await
}

/// Sends a text message over Twilio. Returns the address for its report.
async fn sent(s: &Stage, person: &Person, key: &str) -> String {
    notice(s, person, "booked", key).await;
    deliver(&delivery(s, &s.sandbox.smtp_addr())).await;
    taken(s, "twilio").last().unwrap().content.extra["status_callback"].as_str().unwrap().to_owned()
}

async fn history(s: &Stage, person: &Person) -> Value {
    let page = s.get("/user/notifications", person).await.data().clone();
    page["entries"].as_array().unwrap().iter().find(|one| one["channel"]["kind"] == "sms").unwrap().clone()
}

// spec: 1.07, 10.16.16
async fn sent_and_delivered_text_messages_are_distinguished(s: Stage) {
    let person = s.person("lin").await;
    phone(&s, &person, PHONE).await;
    let url = sent(&s, &person, "one").await;
    let text = &taken(&s, "twilio")[0].content;
    assert!(text.title.starts_with("Sooner: "), "the law requires the sender's name: {text:?}");
    let told = history(&s, &person).await;
    assert_eq!((&told["state"], &told["arrived_at"]), (&json!("accepted"), &Value::Null));
    // Reports arrive in any order, repeatedly, and late.
    for status in ["delivered", "sent", "delivered"] {
        assert_eq!(signed(&s, &url, &[("MessageStatus", status), ("MessageSid", "SM1")]).await.status, 200);
    }
    assert!(history(&s, &person).await["arrived_at"].is_string());

    let china = s.person("wang").await;
    phone(&s, &china, "+8613800138000").await;
    notice(&s, &china, "booked", "two").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let id = history(&s, &china).await["id"].as_str().unwrap().to_owned();
    let url = addresses(&s.app.keyring, &s.app.settings.public_url).aliyun_report;
    let report =
        json!([{ "out_id": id, "success": false, "err_code": "UNDELIV", "phone_number": "13800138000" }]);
    let path = url.strip_prefix(&s.app.settings.public_url).unwrap();
    let post = |path: &str| {
        let request = Request::post(path).header("content-type", "application/json");
        request.body(Body::from(report.to_string())).unwrap()
    };
    let heard = s.send(post(path)).await;
    assert_eq!(heard.body["code"], 0, "the answer that Aliyun expects: {heard:?}");
    let told = history(&s, &china).await;
    assert_eq!((&told["arrived_at"], &told["not_arrived"]), (&Value::Null, &json!("UNDELIV")));
    let forged = s.send(post(&path.replace("token=00", "token=01"))).await;
    assert_eq!(forged.error(), (400, "INVALID_SIGNATURE"));
}

// spec: 10.16.16
async fn an_unreachable_number_needs_attention(s: Stage) {
    let person = s.person("lin").await;
    phone(&s, &person, PHONE).await;
    let url = sent(&s, &person, "one").await;
    let lost = [("MessageStatus", "undelivered"), ("ErrorCode", "30003"), ("MessageSid", "SM1")];
    assert_eq!(signed(&s, &url, &lost).await.status, 200);
    assert_eq!(history(&s, &person).await["not_arrived"], "30003");
    assert_eq!(s.channels(&person).await[0]["state"], "verified", "a phone that is off is switched on later");

    s.wait(60);
    let url = sent(&s, &person, "two").await;
    let landline = [("MessageStatus", "undelivered"), ("ErrorCode", "30006"), ("MessageSid", "SM2")];
    for _ in 0..2 {
        assert_eq!(signed(&s, &url, &landline).await.status, 200);
    }
    let channel = s.channels(&person).await[0].clone();
    assert_eq!((&channel["state"], &channel["reason"]), (&json!("needs_attention"), &json!("malformed")));
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    let told = s.sandbox.mails().into_iter().filter(|mail| format!("{mail:?}").contains("/settings")).count();
    assert_eq!(told, 1, "by mail, once");
}

// spec: 10.16.16
async fn forged_delivery_reports_change_nothing(s: Stage) {
    let person = s.person("lin").await;
    phone(&s, &person, PHONE).await;
    let url = sent(&s, &person, "one").await;
    let arrived = [("MessageStatus", "delivered"), ("MessageSid", "SM1")];
    let good = twilio_signature(&url, &arrived);
    let lost = [("MessageStatus", "undelivered"), ("MessageSid", "SM1")];
    for (form, signature) in [(arrived, ""), (arrived, "AAAA"), (lost, good.as_str())] {
        let reply = twilio(&s, &url, &form, signature).await;
        assert_eq!(reply.error(), (400, "INVALID_SIGNATURE"));
    }
    let other = format!("{}?id={}", url.split_once('?').unwrap().0, uuid::Uuid::from_u128(7));
    assert_eq!(twilio(&s, &other, &arrived, &good).await.error(), (400, "INVALID_SIGNATURE"));
    assert_eq!(
        signed(&s, &other, &arrived).await.status,
        200,
        "a report of an unknown message is accepted and ignored"
    );
    let told = history(&s, &person).await;
    assert_eq!((&told["arrived_at"], &told["not_arrived"]), (&Value::Null, &Value::Null));
    let inbound = format!("{}/api/v1/sms/twilio/inbound", s.app.settings.public_url);
    let stop = [("From", PHONE), ("Body", "STOP")];
    assert_eq!(twilio(&s, &inbound, &stop, &good).await.error(), (400, "INVALID_SIGNATURE"));
    assert_eq!(s.channels(&person).await[0]["state"], "verified");
}

// spec: 10.16.17
async fn stop_and_start_replies_turn_a_phone_off_and_on(s: Stage) {
    let (lin, wang) = (s.person("lin").await, s.person("wang").await);
    phone(&s, &lin, PHONE).await;
    phone(&s, &wang, "+16045550123").await;
    let inbound = format!("{}/api/v1/sms/twilio/inbound", s.app.settings.public_url);
    let writes = async |body: &str| {
        let reply = signed(&s, &inbound, &[("From", PHONE), ("Body", body)]).await;
        assert_eq!(
            (reply.status.as_u16(), &reply.headers["content-type"]),
            (200, &"text/xml; charset=utf-8".parse().unwrap())
        );
        reply.body.as_str().unwrap().to_owned()
    };
    let state = async |person: &Person| s.channels(person).await[0]["state"].clone();
    assert!(writes("thanks!").await.contains("<Response></Response>"), "other replies get no paid answer");
    assert_eq!(state(&lin).await, "verified");
    let help = writes("HELP").await;
    assert!(
        help.contains("Sooner") && help.contains("STOP") && help.contains("sooner.example.com"),
        "{help}"
    );
    writes("Stop").await;
    assert_eq!((state(&lin).await, state(&wang).await), (json!("off"), json!("verified")));
    notice(&s, &lin, "booked", "one").await;
    deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
    assert!(taken(&s, "twilio").is_empty(), "no more messages, not even a booking");
    writes("START").await;
    assert_eq!(state(&lin).await, "verified");
    // If Twilio already answered, the server sends no second answer.
    let form = [("From", PHONE), ("Body", "HELP"), ("OptOutType", "HELP")];
    let reply = signed(&s, &inbound, &form).await;
    assert!(reply.body.as_str().unwrap().contains("<Response></Response>"));
}

// spec: 10.16.05, 10.16.09
async fn the_daily_text_budget_stops_messages_and_raises_an_alarm(s: Stage) {
    let s = s.with_alarms_to(&["ops@example.com"]);
    let person = s.person("lin").await;
    phone(&s, &person, PHONE).await;
    // A Chinese text with a link is billed as two texts. A daily limit of four cents is enough for
    // one.
    let mut delivery = delivery(&s, &s.sandbox.smtp_addr());
    delivery.sms = engine::delivery::SmsQuota { per_user: 30, day_mills: 40, text_mills: 12 };
    notice(&s, &person, "booked", "one").await;
    deliver(&delivery).await;
    assert_eq!(taken(&s, "twilio")[0].content.extra["segments"], 2);
    round(&s.app, &delivery).await.unwrap();
    let alarms =
        || s.sandbox.mails().into_iter().filter(|mail| mail.to.iter().any(|to| to.contains("ops@"))).count();
    assert_eq!(alarms(), 0);
    s.wait(60);
    notice(&s, &person, "booked", "two").await;
    deliver(&delivery).await;
    assert_eq!(taken(&s, "twilio").len(), 1);
    assert_eq!(history(&s, &person).await["why"], "quota");
    round(&s.app, &delivery).await.unwrap();
    round(&s.app, &delivery).await.unwrap();
    assert_eq!(alarms(), 1, "the operator is notified, once");
    s.wait(86_400);
    notice(&s, &person, "booked", "three").await;
    deliver(&delivery).await;
    assert_eq!(taken(&s, "twilio").len(), 2, "the next day");
}

// spec: 10.16.17
async fn stop_and_start_replies_work_for_chinese_numbers(s: Stage) {
    let (lin, wang) = (s.person("lin").await, s.person("wang").await);
    phone(&s, &lin, "+8613800138000").await;
    phone(&s, &wang, "+8613800138001").await;
    let url = addresses(&s.app.keyring, &s.app.settings.public_url).aliyun_inbound;
    let path = url.strip_prefix(&s.app.settings.public_url).unwrap().to_owned();
    let writes = async |path: &str, body: Value| {
        let request = Request::post(path).header("content-type", "application/json");
        s.send(request.body(Body::from(body.to_string())).unwrap()).await
    };
    let said =
        |number: &str, content: &str| json!({ "phone_number": number, "content": content, "sequence_id": 1 });
    let state = async |person: &Person| s.channels(person).await[0]["state"].clone();
    // A list with another reply, an unknown number and STOP is sent, and then repeated.
    let list = json!([said("13800138001", "谢谢"), said("13900000000", "TD"), said("13800138000", " td ")]);
    for _ in 0..2 {
        assert_eq!(writes(&path, list.clone()).await.body["code"], 0, "the answer that Aliyun expects");
    }
    assert_eq!((state(&lin).await, state(&wang).await), (json!("off"), json!("verified")));
    writes(&path, json!([said("8613800138000", "恢复"), said("8613800138001", "退订")])).await;
    assert_eq!((state(&lin).await, state(&wang).await), (json!("verified"), json!("off")));
    let forged = writes(&path.replace("token=", "token=00"), list.clone()).await;
    assert_eq!(forged.error(), (400, "INVALID_SIGNATURE"));
    assert_eq!(writes(&path, json!({ "content": "TD" })).await.error(), (400, "INVALID_BODY"));
    assert_eq!(state(&lin).await, "verified");
}

// spec: 10.16.21
async fn the_sandbox_sends_delivery_reports_and_replies(s: Stage) {
    let (lin, wang, zhao) = (s.person("lin").await, s.person("wang").await, s.person("zhao").await);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let site = format!("http://{}", listener.local_addr().unwrap());
    let s = s.reached_at(&site);
    let texts = addresses(&s.app.keyring, &site);
    s.sandbox.set_text_addresses(TextAddresses {
        twilio_inbound: texts.twilio_inbound,
        aliyun_report: texts.aliyun_report,
        aliyun_inbound: texts.aliyun_inbound,
    });
    let (app, stop) = (s.app.clone(), CancellationToken::new());
    let (proxies, times) = (app.settings.trusted_proxies.clone(), app.settings.connection_times);
    let served = connections::serve(
        listener,
        server::router(app.clone()),
        app.ceilings.clone(),
        proxies,
        times,
        stop.clone(),
    );
    let serving = tokio::spawn(served);
    let told = async |count: usize| {
        let known = || {
            let taken = |entry: &&Entry| entry.kind == "text_told" && entry.status == 200;
            s.sandbox.with_world(|w| w.journal.after(0).iter().filter(taken).count())
        };
        let mut looks = tokio::time::interval(Duration::from_millis(20));
        let all = async {
            while known() < count {
                looks.tick().await;
            }
        };
        tokio::time::timeout(Duration::from_secs(20), all).await.expect("the sandbox sends the reports");
    };
    for (person, number) in [(&lin, PHONE), (&wang, "+8613800138000"), (&zhao, "+14165550199")] {
        phone(&s, person, number).await;
        notice(&s, person, "booked", number).await;
        deliver(&delivery(&s, &s.sandbox.smtp_addr())).await;
        assert_eq!(
            history(&s, person).await["arrived_at"],
            Value::Null,
            "a sent message has not arrived yet"
        );
        s.wait(3);
    }
    told(3).await;
    for person in [&lin, &wang] {
        assert!(history(&s, person).await["arrived_at"].is_string());
    }
    assert_eq!(history(&s, &zhao).await["not_arrived"], "30006", "a landline");
    // The owners of the phones reply on the sandbox's pages.
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let say = format!("{}/phones/say", s.sandbox.ready().channels_url);
    for (phone, text) in [(PHONE, "HELP"), (PHONE, "STOP"), ("+8613800138000", "TD")] {
        let form = [("phone", phone), ("text", text)];
        client.post(&say).form(&form).send().await.unwrap().error_for_status().unwrap();
    }
    told(6).await;
    for person in [&lin, &wang] {
        assert_eq!(s.channels(person).await[0]["state"], "off");
    }
    assert!(
        taken(&s, "twilio").iter().any(|one| one.content.title.contains("Reply STOP")),
        "HELP is answered"
    );
    stop.cancel();
    serving.await.unwrap();
}
