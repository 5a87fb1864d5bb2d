//! Stories of requests from providers that are forged, altered, too large, repeated, late, or about
//! unknown objects.
//!
//! Requests about payments are in `cards.rs`, the one-click unsubscription in `digests.rs`.
//! Telegram and WxPusher send no requests, because the server polls them.

use axum::body::Body;
use axum::http::Request;
use domain::channel::EventKind;
use providers::channels::target::Target;
use sandbox::channel::twilio_signature;
use serde_json::{Value, json};
use server::api::sms::addresses;
use uuid::Uuid;

use crate::app::{Person, Reply};
use crate::notices::{deliver, delivery, linked, notice, taken};
use crate::stage::Stage;

portal_stories!(
    forged_altered_or_oversized_calls_change_nothing,
    repeated_or_late_calls_count_once,
    calls_about_unknown_messages_change_nothing,
    an_unreadable_entry_does_not_affect_the_others,
);

const CANADA: &str = "+14165550123";
const CHINA: &str = "13800138000";
const FORM: &str = "application/x-www-form-urlencoded";
const JSON: &str = "application/json";

/// A request as a provider sends it.
#[derive(Clone, Debug)]
struct Callback {
    /// Path, with a token for providers that do not sign.
    path: String,
    kind: &'static str,
    body: String,
    /// Signature of Twilio's requests; `None` for other providers, whose path contains a token.
    signature: Option<String>,
}

impl Callback {
    fn of_twilio(site: &str, url: &str, form: &[(&str, &str)]) -> Self {
        let encode = |text: &str| text.replace('+', "%2B").replace(' ', "+");
        let body: Vec<_> = form.iter().map(|(name, value)| format!("{name}={}", encode(value))).collect();
        Self {
            path: url.strip_prefix(site).expect("an address of ours").to_owned(),
            kind: FORM,
            body: body.join("&"),
            signature: Some(twilio_signature(url, form)),
        }
    }

    fn with_token(site: &str, url: &str, kind: &'static str, body: String) -> Self {
        let path = url.strip_prefix(site).expect("an address of ours").to_owned();
        Self { path, kind, body, signature: None }
    }

    async fn make(&self, s: &Stage) -> Reply {
        let mut request = Request::post(&self.path).header("content-type", self.kind);
        if let Some(signature) = &self.signature {
            request = request.header("x-twilio-signature", signature);
        }
        s.send(request.body(Body::from(self.body.clone())).unwrap()).await
    }

    /// Returns variants of the request from a caller who does not know the secret, or knows only
    /// the secret of `other`.
    fn forged(&self, other: &Self) -> Vec<Self> {
        if self.signature.is_some() {
            let signed =
                |signature: Option<&str>| Self { signature: signature.map(str::to_owned), ..self.clone() };
            return vec![
                signed(None),
                signed(Some("")),
                signed(Some("AAAA")),
                signed(other.signature.as_deref()),
                Self { body: format!("{}&More=1", self.body), ..self.clone() },
                Self { body: String::new(), ..self.clone() },
            ];
        }
        let (address, token) = self.path.split_once("token=").expect("a token");
        let (_, others) = other.path.split_once("token=").expect("a token");
        let turned: String = token.chars().rev().collect();
        let with = |token: &str| Self { path: format!("{address}token={token}"), ..self.clone() };
        vec![with(""), with(&token[..40]), with(&turned), with(others), with("%00")]
    }
}

/// Three messages that providers report on: a text message in Canada, one in China, and a repeating
/// alert.
struct Told {
    people: [Person; 3],
    /// A report and a reply from Twilio, a report and a reply from Aliyun, and an acknowledgement
    /// from Pushover.
    calls: [Callback; 5],
    /// Id of the text message to China.
    aliyun_message: String,
}

impl Stage {
    async fn told_of(&self) -> Told {
        let [lin, wang, ann] =
            [self.person("lin").await, self.person("wang").await, self.person("ann").await];
        let china = format!("+86{CHINA}");
        for (person, target, event) in [
            (&lin, Target::Sms { phone: CANADA.to_owned() }, EventKind::Booked),
            (&wang, Target::Sms { phone: china }, EventKind::Booked),
            (
                &ann,
                Target::Pushover { user_key: "uabcdefghijklmnopqrstuvwxyz123".into() },
                EventKind::NeedsYou,
            ),
        ] {
            linked(self, person, &target, &[event]).await;
            let template = if event == EventKind::Booked { "booked" } else { "needs_you" };
            notice(self, person, template, &person.email).await;
            deliver(&delivery(self, &self.sandbox.smtp_addr())).await;
        }
        let site = self.app.settings.public_url.clone();
        let ours = addresses(&self.app.keyring, &site);
        let extra = |provider: &str, what: &str| {
            taken(self, provider)[0].content.extra[what].as_str().unwrap().to_owned()
        };
        let aliyun_message = extra("aliyun", "out_id");
        let arrived = [("MessageSid", "SM1"), ("MessageStatus", "delivered")];
        let stop = [("MessageSid", "SM2"), ("From", CANADA), ("Body", "STOP")];
        let stop_there = said("TD", "2026-11-25 08:31:00");
        let calls = [
            Callback::of_twilio(&site, &extra("twilio", "status_callback"), &arrived),
            Callback::of_twilio(&site, &ours.twilio_inbound, &stop),
            Callback::with_token(&site, &ours.aliyun_report, JSON, report(&aliyun_message, true)),
            Callback::with_token(&site, &ours.aliyun_inbound, JSON, json!([stop_there]).to_string()),
            Callback::with_token(
                &site,
                &extra("pushover", "callback"),
                FORM,
                "acknowledged=1&receipt=r".to_owned(),
            ),
        ];
        Told { people: [lin, wang, ann], calls, aliyun_message }
    }

    /// Returns all state that a request could change.
    async fn known(&self, people: &[Person; 3]) -> Value {
        let mut all = Vec::new();
        for person in people {
            let person = self.again(person).await;
            let history = self.get("/user/notifications", &person).await.data()["entries"].clone();
            all.push(json!([self.channels(&person).await, history]));
        }
        // A repeated acknowledgement calls Pushover twice, because the first call may have failed.
        let mut silent = self.sandbox.with_world(|w| w.channels.silent().to_vec());
        silent.dedup();
        json!([all, self.sandbox.mails().len(), silent])
    }
}

fn report(message: &str, success: bool) -> String {
    let code = if success { "DELIVERED" } else { "UNDELIV" };
    json!([{
        "phone_number": CHINA, "send_time": "2026-11-25 08:30:00", "report_time": "2026-11-25 08:30:04", "success": success,
        "err_code": code, "err_msg": "", "sms_size": "1", "biz_id": "932702304080415357^0", "out_id": message,
    }])
    .to_string()
}

fn said(content: &str, at: &str) -> Value {
    json!({ "phone_number": CHINA, "content": content, "send_time": at, "dest_code": "1069", "sequence_id": "1234567890" })
}

/// Returns `true` if a request was accepted and had an effect.
fn is_taken(reply: &Reply) -> bool {
    reply.status == 200
}

// spec: 10.16.22
async fn forged_altered_or_oversized_calls_change_nothing(s: Stage) {
    let Told { people, calls, .. } = s.told_of().await;
    let before = s.known(&people).await;
    // Each request has the credentials of another one: the two of Twilio are swapped, and the
    // tokens are rotated.
    for (call, other) in [(0, 1), (1, 0), (2, 4), (3, 4), (4, 2)] {
        let (call, other) = (&calls[call], &calls[other]);
        for forged in call.forged(other) {
            let reply = forged.make(&s).await;
            assert!(matches!(reply.status.as_u16(), 400 | 404), "{forged:?}: {reply:?}");
        }
        let no_token = Callback { path: call.path.split('?').next().unwrap().to_owned(), ..call.clone() };
        if call.path.contains('?') {
            assert_eq!(no_token.make(&s).await.status, 400, "{no_token:?}");
        }
        let looked = Request::get(&call.path).body(Body::empty()).unwrap();
        let looked = s.send(looked).await;
        assert!(matches!(looked.status.as_u16(), 405 | 200), "a call that only reads: {looked:?}");
    }
    // The token is right, but the body is too large, and such a body cannot have a valid signature.
    // The body of Pushover's request is not read at all.
    for call in &calls[..4] {
        let huge = Callback { body: "x".repeat(70_000), ..call.clone() };
        assert_eq!(huge.make(&s).await.error(), (413, "BODY_TOO_LARGE"), "{}", call.path);
    }
    for call in &calls[2..4] {
        for body in ["", "{}", "7", "[", "null", "\u{0}"] {
            let odd = Callback { body: body.to_owned(), ..call.clone() };
            assert_eq!(odd.make(&s).await.error(), (400, "INVALID_BODY"), "{body:?}");
        }
    }
    assert_eq!(s.known(&people).await, before);
    // Each unaltered request has an effect.
    let mut last = before;
    for call in &calls {
        assert!(is_taken(&call.make(&s).await), "{call:?}");
        let now = s.known(&people).await;
        assert_ne!(now, last, "{call:?}");
        last = now;
    }
}

// spec: 10.16.22
async fn repeated_or_late_calls_count_once(s: Stage) {
    let Told { people, calls, aliyun_message } = s.told_of().await;
    // Each request is sent three times, concurrently.
    let all: Vec<_> = calls.iter().flat_map(|call| [call.clone(), call.clone(), call.clone()]).collect();
    for reply in futures_util::future::join_all(all.iter().map(|call| call.make(&s))).await {
        // A busy database returns 503, and the provider repeats the request.
        assert!(matches!(reply.status.as_u16(), 200 | 503), "{reply:?}");
    }
    for call in &calls {
        assert!(is_taken(&call.make(&s).await));
    }
    let known = s.known(&people).await;
    // Ten minutes later each request is sent again, with reports that are older than the stored
    // state.
    s.wait(600);
    for call in &calls {
        assert!(is_taken(&call.make(&s).await));
    }
    let site = &s.app.settings.public_url;
    let url = format!("{site}{}", calls[0].path);
    for status in ["sent", "queued", "undelivered", "failed"] {
        let form = [("MessageSid", "SM1"), ("MessageStatus", status), ("ErrorCode", "30006")];
        assert!(is_taken(&Callback::of_twilio(site, &url, &form).make(&s).await));
    }
    let lost = Callback { body: report(&aliyun_message, false), ..calls[2].clone() };
    assert!(is_taken(&lost.make(&s).await), "an arrived message stays arrived");
    assert_eq!(s.known(&people).await, known);
    // Within a list, the times of the replies decide, not their order.
    let list = json!([said("恢复", "2026-11-25 08:50:09"), said("TD", "2026-11-25 08:50:01")]);
    assert!(is_taken(&Callback { body: list.to_string(), ..calls[3].clone() }.make(&s).await));
    let wang = s.again(&people[1]).await;
    assert_eq!(s.channels(&wang).await[0]["state"], "verified");
}

// spec: 10.16.22
async fn calls_about_unknown_messages_change_nothing(s: Stage) {
    let Told { people, calls, .. } = s.told_of().await;
    let before = s.known(&people).await;
    let site = &s.app.settings.public_url;
    let mut tx = s.app.db.read().await.unwrap();
    let others = store::all!(
        &mut tx,
        (Uuid,),
        "SELECT id FROM outbox WHERE channel_kind IS NULL OR channel_kind <> 'sms'"
    );
    drop(tx);
    let others: Vec<String> = others.unwrap().into_iter().map(|(id,)| id.to_string()).collect();
    assert!(others.len() >= 4, "mails and the alert that rings: {others:?}");
    let unknown = [Uuid::from_u128(7).to_string()].into_iter().chain(others);
    for id in unknown {
        let url = format!("{site}/api/v1/sms/twilio/status?id={id}");
        for status in ["delivered", "undelivered"] {
            let form = [("MessageSid", "SM1"), ("MessageStatus", status), ("ErrorCode", "30006")];
            assert!(is_taken(&Callback::of_twilio(site, &url, &form).make(&s).await));
        }
        for success in [true, false] {
            let told = Callback { body: report(&id, success), ..calls[2].clone() };
            assert!(is_taken(&told.make(&s).await));
        }
    }
    for id in ["", "7", "' OR 1=1", "not an id"] {
        assert!(is_taken(&Callback { body: report(id, true), ..calls[2].clone() }.make(&s).await), "{id}");
    }
    let phones = [("MessageSid", "SM2"), ("From", "+16045550199"), ("Body", "STOP")];
    let inbound = format!("{site}{}", calls[1].path);
    assert!(is_taken(&Callback::of_twilio(site, &inbound, &phones).make(&s).await));
    let nobody =
        json!([{ "phone_number": "13900000000", "content": "TD" }, { "phone_number": "", "content": "TD" }]);
    assert!(is_taken(&Callback { body: nobody.to_string(), ..calls[3].clone() }.make(&s).await));
    let unseen = ::app::notices::link(&s.app.keyring, site, Uuid::from_u128(7));
    assert_eq!(Callback::with_token(site, &unseen, FORM, String::new()).make(&s).await.status, 404);
    assert_eq!(s.known(&people).await, before);
}

// spec: 10.16.22
async fn an_unreadable_entry_does_not_affect_the_others(s: Stage) {
    let Told { people, calls, aliyun_message } = s.told_of().await;
    let mut reports: Vec<Value> = serde_json::from_str(&report(&aliyun_message, true)).unwrap();
    reports.insert(0, json!({ "out_id": aliyun_message, "success": "perhaps" }));
    reports.insert(0, json!(7));
    assert!(is_taken(&Callback { body: json!(reports).to_string(), ..calls[2].clone() }.make(&s).await));
    let list = json!([{ "content": "TD" }, null, said("TD", "2026-11-25 08:31:00")]);
    assert!(is_taken(&Callback { body: list.to_string(), ..calls[3].clone() }.make(&s).await));
    let wang = s.again(&people[1]).await;
    let history = s.get("/user/notifications", &wang).await.data()["entries"].clone();
    let text = history.as_array().unwrap().iter().find(|one| one["channel"]["kind"] == "sms").unwrap();
    assert!(text["arrived_at"].is_string(), "{text}");
    assert_eq!(s.channels(&wang).await[0]["state"], "off");
}
