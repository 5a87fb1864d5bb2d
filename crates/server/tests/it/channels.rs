//! Stories of notification channels at the sandbox's providers: adding, verifying, testing,
//! changing and deleting.

use serde_json::{Value, json};

use crate::app::{Person, Reply};
use crate::stage::Stage;

portal_stories!(
    a_channel_is_verified_with_its_code,
    a_code_ends_after_five_wrong_attempts_or_ten_minutes,
    a_browser_is_verified_by_its_first_message,
    an_unusable_target_is_refused_with_the_reason_and_not_stored,
    text_messages_are_limited_by_country_and_number,
    text_messages_have_a_daily_budget,
    a_user_has_at_most_twenty_channels_and_sees_only_their_own,
    a_channel_can_be_changed_reordered_and_deleted,
    a_test_returns_the_answer_of_the_provider,
    quiet_hours_are_validated_and_stored,
    adding_a_channel_needs_a_step_up,
);

impl Stage {
    pub async fn add(&self, person: &Person, target: Value) -> Reply {
        // The server sends at most six codes a minute.
        self.wait(15);
        self.proves(person).await;
        let body = json!({ "target": target, "consent": true, "language": "en" });
        self.call("POST", "/user/channels", Some(person), Some(body)).await
    }

    /// Adds an ntfy topic that waits for its code.
    async fn topic(&self, person: &Person, name: &str) -> String {
        let added = self.add(person, json!({ "kind": "ntfy", "topic": name })).await;
        assert_eq!(added.data()["state"], "pending");
        assert_eq!(added.data()["waits_for"], "code");
        added.data()["id"].as_str().unwrap().to_owned()
    }

    /// Returns the code in the newest message.
    fn sent_code(&self) -> String {
        let taken = self.sandbox.notifications();
        let title = &taken.last().unwrap().content.title;
        let digits: String = title.chars().filter(char::is_ascii_digit).take(6).collect();
        assert_eq!(digits.len(), 6, "{title}");
        digits
    }

    async fn give(&self, person: &Person, id: &str, code: &str) -> Reply {
        let path = format!("/user/channels/{id}/verify");
        self.call("POST", &path, Some(person), Some(json!({ "code": code }))).await
    }

    pub async fn channels(&self, person: &Person) -> Value {
        self.get("/user/channels", person).await.data()["channels"].clone()
    }

    /// Adds a verified ntfy topic.
    pub async fn proven(&self, person: &Person, name: &str) -> String {
        let id = self.topic(person, name).await;
        assert_eq!(self.give(person, &id, &self.sent_code()).await.data()["state"], "verified");
        id
    }
}

// spec: 10.16.01
async fn a_channel_is_verified_with_its_code(s: Stage) {
    let ann = s.person("ann").await;
    let offers = s.get("/user/channels", &ann).await.data().clone();
    assert_eq!(offers["offered"].as_array().unwrap().len(), 15, "all but mail: {offers}");
    assert_eq!(offers["telegram_bot"], "SoonerSandboxBot");
    assert_eq!(offers["email"], json!({ "on": true, "address": "ann@example.com" }));

    let body = json!({ "target": { "kind": "ntfy", "topic": "a-long-topic-name" }, "consent": false, "language": "zh" });
    let without = s.call("POST", "/user/channels", Some(&ann), Some(body)).await;
    assert_eq!(without.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(without.body["data"]["fields"]["consent"], "required");
    assert!(s.sandbox.notifications().is_empty(), "nothing is sent without consent");

    let id = s.topic(&ann, "a-long-topic-name").await;
    let arrived = s.sandbox.notifications();
    assert_eq!(
        (arrived[0].provider.as_str(), arrived[0].content.target.as_str()),
        ("ntfy", "a-long-topic-name")
    );
    assert_eq!(arrived[0].content.link, None, "a message with a code has no link");
    let test = s.plain("POST", &format!("/user/channels/{id}/test"), &ann).await;
    assert_eq!(
        test.error(),
        (409, "ILLEGAL_TRANSITION"),
        "only the code is sent before the channel is proven"
    );
    let on = s.call("PUT", &format!("/user/channels/{id}"), Some(&ann), Some(json!({ "on": true }))).await;
    assert_eq!(on.error(), (409, "ILLEGAL_TRANSITION"));

    let code = s.sent_code();
    let given = s.give(&ann, &id, &format!(" {} {} ", &code[..3], &code[3..])).await;
    let channel = given.data();
    assert_eq!((&channel["state"], &channel["waits_for"]), (&json!("verified"), &Value::Null));
    assert_eq!(channel["label"], "…name");
    assert_eq!(channel["events"], json!(["booked", "needs_you", "security", "ask_first", "opening"]));
    assert!(!s.channels(&ann).await.to_string().contains("a-long-topic-name"));
    let again = s.give(&ann, &id, &code).await;
    assert_eq!(again.error(), (409, "ILLEGAL_TRANSITION"), "a code works once");
}

// spec: 10.16.01
async fn a_code_ends_after_five_wrong_attempts_or_ten_minutes(s: Stage) {
    let ann = s.person("ann").await;
    let id = s.topic(&ann, "a-long-topic-name").await;
    let right = s.sent_code();
    let wrong = if right == "000000" { "000001" } else { "000000" };
    for left in [4, 3, 2, 1] {
        let given = s.give(&ann, &id, wrong).await;
        assert_eq!(given.error(), (422, "CHANNEL_CODE_WRONG"));
        assert_eq!(given.body["data"]["tries_left"], left);
    }
    assert_eq!(s.give(&ann, &id, wrong).await.error(), (409, "CHANNEL_CODE_SPENT"));
    assert_eq!(
        s.give(&ann, &id, &right).await.error(),
        (409, "CHANNEL_CODE_SPENT"),
        "the sixth attempt is refused, right or not"
    );

    let resend = format!("/user/channels/{id}/resend");
    assert_eq!(s.plain("POST", &resend, &ann).await.status, 200);
    let second = s.sent_code();
    s.wait(601);
    let ann = s.again(&ann).await;
    assert_eq!(s.give(&ann, &id, &second).await.error(), (410, "CHANNEL_CODE_EXPIRED"));
    assert_eq!(s.plain("POST", &resend, &ann).await.status, 200);
    let third = s.sent_code();
    if second != third {
        assert_eq!(
            s.give(&ann, &id, &second).await.error(),
            (422, "CHANNEL_CODE_WRONG"),
            "it is the attempt before the last"
        );
    }
    assert_eq!(s.give(&ann, &id, &third).await.data()["state"], "verified");
    let mut refused = None;
    let other = s.topic(&ann, "another-long-topic").await;
    for _ in 0..10 {
        let reply = s.plain("POST", &format!("/user/channels/{other}/resend"), &ann).await;
        if reply.status != 200 {
            refused = Some(reply);
            break;
        }
    }
    let refused = refused.expect("the number of codes is limited");
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert!(refused.headers.contains_key("retry-after"));
}

// spec: 10.16.01
async fn a_browser_is_verified_by_its_first_message(s: Stage) {
    let ann = s.person("ann").await;
    let browser = s.sandbox.subscribe_browser().unwrap();
    let browser: Value = serde_json::to_value(browser).unwrap();
    let target = json!({
        "kind": "web_push", "endpoint": browser["endpoint"],
        "p256dh": browser["keys"]["p256dh"], "auth": browser["keys"]["auth"],
    });
    let added = s.add(&ann, target.clone()).await;
    assert_eq!((&added.data()["state"], &added.data()["kind"]), (&json!("verified"), &json!("web_push")));
    assert_eq!(s.sandbox.notifications()[0].content.title, "Sooner reaches you here");
    // An unknown push service is not called.
    let mut elsewhere = target;
    elsewhere["endpoint"] = json!("https://push.example.org/send/1");
    let refused = s.add(&ann, elsewhere).await;
    assert_eq!(refused.error(), (422, "CHANNEL_REFUSED"));
    assert_eq!(refused.body["data"]["reason"], "malformed");
}

// spec: 10.16.04
async fn an_unusable_target_is_refused_with_the_reason_and_not_stored(s: Stage) {
    let ann = s.person("ann").await;
    let hook = |url: &str| json!({ "kind": "webhook", "url": url, "secret": "webhook-sandbox" });
    let cases = [
        (hook("https://10.0.0.7/hook"), "address_refused"),
        (hook("https://[::ffff:127.0.0.1]/hook"), "address_refused"),
        (hook("https://169.254.169.254/latest/meta-data"), "address_refused"),
        (hook("http://hooks.example/a"), "address_refused"),
        (hook("https://hooks.example:22/a"), "address_refused"),
        // The name looks public, but resolves to this machine.
        (hook("https://localhost/hook"), "address_refused"),
        (hook("nonsense"), "malformed"),
        (
            json!({ "kind": "discord", "webhook_url": "https://discord.com.evil.example/api/webhooks/1/t" }),
            "malformed",
        ),
        (json!({ "kind": "sms", "phone": "+1416555" }), "country"),
        (json!({ "kind": "server_chan", "send_key": "not-a-key" }), "credentials"),
        (json!({ "kind": "push_plus", "token": "short" }), "credentials"),
    ];
    for (target, reason) in cases {
        let refused = s.add(&ann, target.clone()).await;
        if reason == "country" {
            assert_eq!(refused.error(), (422, "SMS_COUNTRY_NOT_ALLOWED"), "{target}");
            continue;
        }
        assert_eq!(refused.error(), (422, "CHANNEL_REFUSED"), "{target}");
        assert_eq!(refused.body["data"]["reason"], reason, "{target}: {refused:?}");
    }
    assert_eq!(s.channels(&ann).await, json!([]));
    let link_only = s.add(&ann, json!({ "kind": "telegram", "chat_id": 7 })).await;
    assert_eq!(link_only.error(), (400, "INVALID_BODY"), "a chat is linked by its link only");
    s.fault(sandbox::world::faults::FaultKind::BadGateway);
    s.sandbox.with_world(|world| world.faults.last_mut().unwrap().on = Some("channel".to_owned()));
    let down = s.add(&ann, json!({ "kind": "ntfy", "topic": "a-long-topic-name" })).await;
    assert_eq!(down.error(), (502, "CHANNEL_UNREACHABLE"));
    assert_eq!(s.channels(&ann).await, json!([]));
}

// spec: 10.16.05
async fn text_messages_are_limited_by_country_and_number(s: Stage) {
    let ann = s.person("ann").await;
    let phone = |number: &str| json!({ "kind": "sms", "phone": number });
    for number in ["+442071838750", "+12125550123", "+18765550123", "+19005550123"] {
        let refused = s.add(&ann, phone(number)).await;
        assert_eq!(refused.error(), (422, "SMS_COUNTRY_NOT_ALLOWED"), "{number}");
        assert_eq!(refused.body["data"]["countries"], json!(["CA", "CN"]));
    }
    assert!(s.sandbox.notifications().is_empty());
    let added = s.add(&ann, phone("+1 (416) 555-0123")).await;
    assert_eq!(added.data()["label"], "+1 ••• ••• 0123");
    assert_eq!(added.data()["events"], json!(["booked", "needs_you"]));
    assert_eq!(s.sandbox.notifications()[0].provider, "twilio");
    let id = added.data()["id"].as_str().unwrap();
    let resend = format!("/user/channels/{id}/resend");
    for _ in 0..2 {
        assert_eq!(s.plain("POST", &resend, &ann).await.status, 200);
    }
    let refused = s.plain("POST", &resend, &ann).await;
    assert_eq!(refused.error(), (429, "TOO_MANY_ATTEMPTS"), "three a day to one number");
    let wait: i64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((86_000..=86_400).contains(&wait), "{wait}");
    assert_eq!(s.give(&ann, id, &s.sent_code()).await.data()["state"], "verified");
    // Other users cannot send many messages to the number either.
    let mut sent = 3;
    for name in ["bob", "cid"] {
        let person = s.person(name).await;
        sent += i32::from(s.add(&person, phone("+14165550123")).await.status == 200);
        sent += i32::from(s.add(&person, phone("+14165550123")).await.status == 200);
    }
    assert_eq!(sent, 5);
    let china = s.add(&ann, phone("+8613800138000")).await;
    assert_eq!(china.data()["label"], "+86 ••• ••• 8000");
    assert_eq!(s.sandbox.notifications().last().unwrap().provider, "aliyun");
}

// spec: 10.16.05
async fn text_messages_have_a_daily_budget(s: Stage) {
    // The budget is enough for two texts of 1.2 cents each.
    let s = s.with_sms_day_cents(3);
    let ann = s.person("ann").await;
    let phone = |number: &str| json!({ "kind": "sms", "phone": number });
    for number in ["+14165550123", "+16045550123"] {
        assert_eq!(s.add(&ann, phone(number)).await.data()["state"], "pending");
    }
    assert_eq!(s.add(&ann, phone("+15145550123")).await.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert_eq!(s.sandbox.notifications().len(), 2);
    s.wait(86_400);
    let ann = s.again(&ann).await;
    assert_eq!(
        s.add(&ann, phone("+15145550123")).await.data()["state"],
        "pending",
        "possible again the next day"
    );
}

// spec: 10.16.06
async fn a_user_has_at_most_twenty_channels_and_sees_only_their_own(s: Stage) {
    let (ann, eve) = (s.person("ann").await, s.person("eve").await);
    let mut ids = Vec::new();
    for n in 0..20 {
        ids.push(s.topic(&ann, &format!("a-long-topic-{n}")).await);
    }
    let over = s.add(&ann, json!({ "kind": "ntfy", "topic": "one-more-topic" })).await;
    assert_eq!(over.error(), (409, "CHANNEL_LIMIT"));
    assert_eq!(over.body["data"]["at_most"], 20);
    let link = json!({ "kind": "telegram", "consent": true });
    let link = s.call("POST", "/user/channels/link", Some(&ann), Some(link)).await;
    assert_eq!(link.error(), (409, "CHANNEL_LIMIT"), "a link counts as a channel too");
    for _ in 0..4 {
        let text = s.add(&ann, json!({ "kind": "sms", "phone": "+14165550123" })).await;
        assert_eq!(
            text.error(),
            (409, "CHANNEL_LIMIT"),
            "no further text is paid for, however often it is requested"
        );
    }

    let (id, code) = (&ids[19], s.sent_code());
    assert_eq!(s.give(&eve, id, &code).await.error(), (404, "NOT_FOUND"));
    for (method, rest, body) in [
        ("POST", "/resend", None),
        ("POST", "/confirm", None),
        ("POST", "/test", None),
        ("PUT", "", Some(json!({ "on": false }))),
        ("DELETE", "", None),
    ] {
        let reply = s.call(method, &format!("/user/channels/{id}{rest}"), Some(&eve), body).await;
        assert_eq!(reply.error(), (404, "NOT_FOUND"), "{method} {rest}");
    }
    let order = s.call("PUT", "/user/channels/order", Some(&eve), Some(json!({ "ids": [id] }))).await;
    assert_eq!(order.error(), (404, "NOT_FOUND"));
    assert_eq!(s.channels(&eve).await, json!([]));
    // Nineteen unverified channels are deleted after a day; the verified one remains.
    let ann = s.again(&ann).await;
    assert_eq!(s.give(&ann, id, &code).await.data()["state"], "verified");
    s.wait(86_401);
    let ann = s.again(&ann).await;
    s.topic(&ann, "one-more-topic").await;
    assert_eq!(s.channels(&ann).await.as_array().unwrap().len(), 2);
}

// spec: 10.16.06, 10.16.08
async fn a_channel_can_be_changed_reordered_and_deleted(s: Stage) {
    let ann = s.person("ann").await;
    let (first, second) = (s.proven(&ann, "a-long-topic-1").await, s.proven(&ann, "a-long-topic-2").await);
    let put = |path: String, body: Value| {
        let (s, ann) = (&s, &ann);
        async move { s.call("PUT", &path, Some(ann), Some(body)).await }
    };
    let own = |id: &str| format!("/user/channels/{id}");
    let changed = put(own(&first), json!({ "events": ["digest", "booked", "booked"] })).await;
    assert_eq!(changed.data()["events"], json!(["booked", "digest"]));
    assert_eq!(put(own(&first), json!({ "on": false })).await.data()["state"], "off");
    assert_eq!(put(own(&first), json!({ "on": true })).await.data()["state"], "verified");
    let stray = put(own(&first), json!({ "events": ["operator_alarm"] })).await;
    assert_eq!(stray.error(), (400, "INVALID_BODY"), "an operator's alarm is no event of a user");
    let group = json!({ "kind": "slack", "webhook_url":
        format!("{}/slack/services/T1/B1/token", s.sandbox.ready().channels_url) });
    let group = s.add(&ann, group).await;
    let group = group.data()["id"].as_str().unwrap();
    let wrong = put(own(group), json!({ "events": ["security"] })).await;
    assert_eq!(wrong.body["data"]["fields"]["events"], "not_over_this_channel");

    // Adding the same target again replaces the first channel, so that no message is sent twice.
    let again = s.proven(&ann, "a-long-topic-1").await;
    assert!(!s.channels(&ann).await.to_string().contains(&first));
    let first = again;
    let order = put("/user/channels/order".to_owned(), json!({ "ids": [second, first] })).await;
    let ids: Vec<&str> = order.data().as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(ids, [second.as_str(), first.as_str(), group]);

    assert_eq!(s.plain("DELETE", &own(&first), &ann).await.status, 200);
    assert_eq!(s.plain("DELETE", &own(&first), &ann).await.error(), (404, "NOT_FOUND"));
    let mut tx = s.app.db.read().await.unwrap();
    let left = store::channel::list(&mut tx, ann.id).await.unwrap();
    assert_eq!(left.len(), 2);
    let gone = store::channel::find(&mut tx, domain::ids::ChannelId(first.parse().unwrap())).await.unwrap();
    assert!(gone.is_none(), "the channel and its secrets are deleted");
}

// spec: 10.16.07
async fn a_test_returns_the_answer_of_the_provider(s: Stage) {
    let ann = s.person("ann").await;
    let id = s.proven(&ann, "a-long-topic-name").await;
    let path = format!("/user/channels/{id}/test");
    let right = s.plain("POST", &path, &ann).await;
    assert_eq!((&right.data()["outcome"], &right.data()["reason"]), (&json!("accepted"), &Value::Null));
    assert!(right.data()["answer"].as_str().unwrap().starts_with("200 "), "{right:?}");
    assert!(s.channels(&ann).await[0]["last_ok_at"].is_string());

    let strike = |fault: Value| {
        let fault = serde_json::from_value(fault).unwrap();
        s.sandbox.with_world(|world| world.add_fault(fault));
    };
    strike(json!({ "fault": "too_many_requests", "retry_after": 7, "on": "channel_ntfy", "times": 1 }));
    let busy = s.plain("POST", &path, &ann).await;
    assert_eq!(busy.data()["outcome"], "wait");
    assert!(busy.data()["answer"].as_str().unwrap().starts_with("429 "), "{busy:?}");
    assert_eq!(s.channels(&ann).await[0]["state"], "verified", "a busy provider does not affect the channel");

    strike(json!({ "fault": "sender_blocked", "on": "channel_ntfy", "times": 1 }));
    let broken = s.plain("POST", &path, &ann).await;
    assert_eq!(broken.data()["outcome"], "broken");
    let told = &s.channels(&ann).await[0];
    assert_eq!((&told["state"], &told["reason"]), (&json!("needs_attention"), &broken.data()["reason"]));
    s.wait(60);
    assert_eq!(s.plain("POST", &path, &ann).await.data()["outcome"], "accepted");
    let mended = &s.channels(&ann).await[0];
    assert_eq!((&mended["state"], &mended["reason"]), (&json!("verified"), &Value::Null));
    let mut last = 200;
    for _ in 0..10 {
        last = s.plain("POST", &path, &ann).await.status.as_u16();
    }
    assert_eq!(last, 429, "the number of tests is limited");
}

// spec: 10.16.08
async fn quiet_hours_are_validated_and_stored(s: Stage) {
    let ann = s.person("ann").await;
    let put = |body: Value| {
        let (s, ann) = (&s, &ann);
        async move { s.call("PUT", "/user/notifications", Some(ann), Some(body)).await }
    };
    let mut setting = s.get("/user/channels", &ann).await.data()["setting"].clone();
    assert_eq!((&setting["quiet_from"], &setting["zone"]), (&Value::Null, &json!("America/Toronto")));
    setting["quiet_from"] = json!("22:00");
    assert_eq!(put(setting.clone()).await.body["data"]["fields"]["quiet_to"], "needs_both");
    setting["quiet_to"] = json!("24:30");
    assert_eq!(put(setting.clone()).await.body["data"]["fields"]["quiet_to"], "not_a_time");
    setting["quiet_to"] = json!("07:30");
    setting["zone"] = json!("Mars/Olympus");
    assert_eq!(put(setting.clone()).await.body["data"]["fields"]["zone"], "unknown");
    setting["zone"] = json!("Asia/Shanghai");
    setting["digest"] = json!("weekly");
    setting["questions_at_night"] = json!(true);
    assert_eq!(put(setting.clone()).await.data(), &setting);
    assert_eq!(s.get("/user/channels", &ann).await.data()["setting"], setting);
}

// spec: 10.16.01
async fn adding_a_channel_needs_a_step_up(s: Stage) {
    let ann = s.person("ann").await;
    let browser = |at: &sandbox::channel::Subscription| json!({ "kind": "web_push", "endpoint": at.endpoint, "p256dh": at.keys.p256dh, "auth": at.keys.auth });
    let add = |target: Value, replaces: Option<Value>| {
        let mut body = json!({ "target": target, "consent": true, "language": "en" });
        if let Some(replaces) = replaces {
            body["replaces"] = replaces;
        }
        s.call("POST", "/user/channels", Some(&ann), Some(body))
    };
    let (first, second) = (s.sandbox.subscribe_browser().unwrap(), s.sandbox.subscribe_browser().unwrap());
    let topic = json!({ "kind": "ntfy", "topic": "a-long-topic" });
    assert_eq!(add(topic, None).await.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(add(browser(&first), None).await.error(), (403, "STEP_UP_REQUIRED"));
    let link = Some(json!({ "kind": "telegram", "consent": true }));
    let link = s.call("POST", "/user/channels/link", Some(&ann), link).await;
    assert_eq!(link.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(s.channels(&ann).await, json!([]));

    // The owner adds a browser. If its push service changes the address later, no step-up is
    // needed.
    let added = s.add(&ann, browser(&first)).await.data().clone();
    s.wait(301);
    let place = |endpoint: &str| Some(json!({ "id": added["id"], "endpoint": endpoint }));
    let guessed = add(browser(&second), place("https://push.example.com/guessed")).await;
    assert_eq!(guessed.error(), (403, "STEP_UP_REQUIRED"));
    let other = add(json!({ "kind": "ntfy", "topic": "a-long-topic" }), place(&first.endpoint)).await;
    assert_eq!(other.error(), (403, "STEP_UP_REQUIRED"), "only a browser needs no proof");
    assert_eq!(add(browser(&second), place(&first.endpoint)).await.data()["state"], "verified");

    // The mail about a new password lists recently added channels.
    s.mails().await;
    let body = json!({ "current_password": crate::app::PASSWORD, "new_password": "Quite-Another-7!" });
    s.ok("POST", "/auth/change-password", &ann, body).await;
    let mails = s.mails().await;
    let told = mails.iter().find(|(kind, ..)| kind == "password_changed").unwrap();
    let kinds: Vec<_> =
        told.2["channels"].as_array().unwrap().iter().map(|one| one["kind"].clone()).collect();
    assert_eq!(kinds, [json!("web_push"), json!("web_push")]);
}
