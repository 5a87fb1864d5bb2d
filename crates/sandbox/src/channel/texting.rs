//! Simulated mobile networks: delivery reports for text messages, and replies from phones.

use std::{sync::Arc, time::Duration as Span};

use chrono::{DateTime, Duration, Utc};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::watch;

use super::{
    TWILIO_NUMBER,
    arrivals::{Arrival, Content},
    sms::twilio_signature,
};
use crate::{
    Shared, World,
    identity::now,
    journal::{Effect, Entry},
    outgoing::{Answer, place, post},
    world::clock::wall,
};

/// Delay between acceptance of a message and its delivery report.
const REPORTS_AFTER: Duration = Duration::seconds(2);
/// Seconds until a failed request is repeated, by the number of attempts.
const AGAIN_SECONDS: [i64; 3] = [1, 5, 15];
/// Interval in which the sender looks for due requests.
const TICK: Span = Span::from_millis(100);
/// Last digits of landline numbers, which receive no text messages.
pub(super) const LANDLINE: &str = "0199";
/// Keywords that Twilio treats as an opt-out.
const STOPS: [&str; 8] = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];
const STARTS: [&str; 3] = ["START", "YES", "UNSTOP"];

/// Addresses of the product for reports and replies. Until they are set, nothing is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextAddresses {
    /// Address for replies to the product's Twilio number. Delivery reports go to the address given
    /// in each message, if its host is the same.
    pub twilio_inbound: String,
    /// Address for delivery reports of messages sent through Aliyun.
    pub aliyun_report: String,
    /// Address for replies to messages sent through Aliyun.
    pub aliyun_inbound: String,
}

/// Text message sent from a phone.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Written {
    pub phone: String,
    pub text: String,
    pub at: DateTime<Utc>,
}

/// Request to the product that is due or will be repeated.
#[derive(Clone, Debug)]
struct Callback {
    url: String,
    headers: Vec<(&'static str, String)>,
    body: String,
    /// The phone that receives the text in the response.
    phone: Option<String>,
    due: DateTime<Utc>,
    tries: usize,
}

/// Messages on phones and requests that wait to be sent.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Texting {
    #[serde(skip)]
    addresses: Option<TextAddresses>,
    written: Vec<Written>,
    #[serde(skip)]
    waiting: Vec<Callback>,
}

impl Texting {
    pub(crate) fn connect(&mut self, addresses: TextAddresses) {
        self.addresses = Some(addresses);
    }

    pub(super) fn is_connected(&self) -> bool {
        self.addresses.is_some()
    }

    /// Returns the messages sent from this phone, oldest first.
    pub(super) fn of(&self, phone: &str) -> impl Iterator<Item = &Written> {
        self.written.iter().filter(move |written| written.phone == phone)
    }

    /// Returns `true` if the phone opted out with its last keyword. Twilio then refuses messages to
    /// this phone.
    pub(super) fn has_stopped(&self, phone: &str) -> bool {
        let word = |written: &Written| {
            let text = written.text.trim().to_uppercase();
            let stops = STOPS.contains(&text.as_str());
            (stops || STARTS.contains(&text.as_str())).then_some(stops)
        };
        self.of(phone).filter_map(word).last().unwrap_or_default()
    }

    /// Schedules the delivery report of a message.
    pub(super) fn report(&mut self, provider: &str, id: u64, content: &Content, now: DateTime<Utc>) {
        let Some(addresses) = &self.addresses else { return };
        let (due, arrives) = (now + REPORTS_AFTER, !content.target.ends_with(LANDLINE));
        let told = match provider {
            "twilio" => {
                let url = content.extra["status_callback"].as_str().unwrap_or_default();
                let (to, ours) = (place(url), place(&addresses.twilio_inbound));
                if to.is_none() || to.map(|there| there.0) != ours.map(|there| there.0) {
                    return;
                }
                let sid = format!("SM{id:032x}");
                let status = if arrives { "delivered" } else { "undelivered" };
                let mut form =
                    vec![("MessageSid", sid.as_str()), ("MessageStatus", status), ("To", &content.target)];
                form.extend((!arrives).then_some(("ErrorCode", "30006")));
                of_twilio(url, &form, due)
            }
            "aliyun" => {
                let report = json!([{
                    "phone_number": content.target, "success": arrives, "out_id": content.extra["out_id"],
                    "err_code": if arrives { "DELIVERED" } else { "MK:0001" }, "err_msg": "", "biz_id": format!("{id}^0"),
                    "sms_size": "1", "send_time": time_of(now), "report_time": time_of(due),
                }]);
                of_aliyun(&addresses.aliyun_report, report.to_string(), due)
            }
            _ => return,
        };
        self.waiting.push(told);
    }

    /// Sends a message from a phone. Returns `false` if no address for replies is set.
    pub(super) fn write(&mut self, phone: &str, text: &str, now: DateTime<Utc>) -> bool {
        let Some(addresses) = &self.addresses else { return false };
        let at = now;
        let told = match phone.strip_prefix("+86") {
            Some(number) => {
                let written = json!([{
                    "phone_number": number, "content": text, "dest_code": "1069", "send_time": time_of(now),
                    "sequence_id": (self.written.len() + 1).to_string(),
                }]);
                of_aliyun(&addresses.aliyun_inbound, written.to_string(), now)
            }
            None => {
                let sid = format!("SM{:032x}", self.written.len() + 1);
                let form =
                    [("MessageSid", sid.as_str()), ("From", phone), ("To", TWILIO_NUMBER), ("Body", text)];
                Callback { phone: Some(phone.to_owned()), ..of_twilio(&addresses.twilio_inbound, &form, now) }
            }
        };
        self.waiting.push(told);
        self.written.push(Written { phone: phone.to_owned(), text: text.to_owned(), at });
        true
    }

    fn due(&mut self, now: DateTime<Utc>) -> Vec<Callback> {
        let (due, later) = std::mem::take(&mut self.waiting).into_iter().partition(|told| told.due <= now);
        self.waiting = later;
        due
    }
}

/// Builds a request with form fields, signed like Twilio's requests.
fn of_twilio(url: &str, form: &[(&str, &str)], due: DateTime<Utc>) -> Callback {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs: Vec<String> = form.iter().map(|(k, v)| format!("{}={}", encode(k), encode(v))).collect();
    Callback {
        url: url.to_owned(),
        headers: vec![
            ("content-type", "application/x-www-form-urlencoded; charset=utf-8".to_owned()),
            ("x-twilio-signature", twilio_signature(url, form)),
        ],
        body: pairs.join("&"),
        phone: None,
        due,
        tries: 0,
    }
}

/// Formats a time as Aliyun does, in Beijing time.
fn time_of(at: DateTime<Utc>) -> String {
    (at + Duration::hours(8)).format("%Y-%m-%d %H:%M:%S").to_string()
}

/// Builds a request with a JSON list, as sent by Aliyun. Aliyun does not sign its requests.
/// <https://help.aliyun.com/zh/sms/developer-reference/smsup-http>, `smsreport-http` beside it.
fn of_aliyun(url: &str, body: String, due: DateTime<Utc>) -> Callback {
    let headers = vec![("content-type", "application/json; charset=utf-8".to_owned())];
    Callback { url: url.to_owned(), headers, body, phone: None, due, tries: 0 }
}

/// Sends due requests to the product until the sandbox stops.
pub(crate) async fn send(shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let mut end = std::pin::pin!(crate::stopped(stop));
    loop {
        tokio::select! {
            () = &mut end => return,
            () = tokio::time::sleep(TICK) => {}
        }
        let due = shared.world().channels.texting.due(now(&shared));
        for told in due {
            let shared = shared.clone();
            tokio::spawn(async move { deliver(&shared, told).await });
        }
    }
}

async fn deliver(shared: &Shared, told: Callback) {
    let headers: Vec<(&str, &str)> =
        told.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let posting = post(&told.url, &headers, &told.body);
    let answer = tokio::time::timeout(Span::from_secs(10), posting).await.ok().and_then(Result::ok);
    let present = now(shared);
    shared.step(|world| {
        world.journal.write(Entry {
            seq: 0,
            world_time: world.now,
            wall_time: Some(wall()),
            kind: "text_told".to_owned(),
            account: told.phone.clone(),
            portal_schedule_id: None,
            method: "POST".to_owned(),
            path: told.url.split('?').next().unwrap_or_default().to_owned(),
            status: answer.as_ref().map_or(0, |answer| answer.status),
            effect: Effect::None,
            asc: None,
            faults: Vec::new(),
            empty_because: Vec::new(),
            retry_after: None,
            latency_ms: 0,
        });
        match answer.filter(Answer::is_yes) {
            Some(answer) => {
                if let Some(phone) = &told.phone {
                    arrive(world, phone, &answer.body);
                }
            }
            None => again(&mut world.channels.texting, told, present),
        }
    });
}

fn again(texting: &mut Texting, mut told: Callback, now: DateTime<Utc>) {
    if let Some(seconds) = AGAIN_SECONDS.get(told.tries) {
        told.tries += 1;
        told.due = now + Duration::seconds(*seconds);
        texting.waiting.push(told);
    }
}

/// Delivers the text in a TwiML response to the phone.
fn arrive(world: &mut World, phone: &str, twiml: &str) {
    let plain = |text: &str| text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    for part in twiml.split("<Message>").skip(1) {
        let title = plain(part.split("</Message>").next().unwrap_or_default());
        world.channels.store(Arrival {
            id: 0,
            world_time: world.now,
            wall_time: wall(),
            provider: "twilio".to_owned(),
            content: Content { title, ..Content::to(phone) },
            acknowledged: true,
        });
    }
}
