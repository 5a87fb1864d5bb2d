//! Text messages: number of billed segments, delivery reports, and replies from phones.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use sha1::Sha1;

use super::Channels;
use super::message::Message;
use super::outcome::Reason;
use super::{aliyun, twilio};

/// Maximum length of a message that needs only one segment: in ASCII characters, and in UTF-16
/// units. Longer messages are split into shorter segments.
const ALONE: (usize, usize) = (160, 70);
const IN_A_ROW: (usize, usize) = (153, 67);

/// Delivery report for one text message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Identifier that Sooner gave to the message.
    pub id: String,
    /// Delivery state.
    pub state: DeliveryState,
}

/// State of a text message after its provider accepted it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeliveryState {
    /// On the way to the phone.
    UnderWay,
    /// Delivered to the phone.
    Arrived,
    /// Failed. The message will not be delivered.
    Lost {
        /// Error code of the carrier.
        code: String,
        /// Present if the number itself is the cause, so that no message can ever reach it.
        reason: Option<Reason>,
    },
}

/// Meaning of a reply from a phone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyMeaning {
    /// The receiver wants no more messages.
    Stop,
    /// The receiver wants messages again.
    Start,
    /// The receiver requests information about the sender.
    Help,
    /// Anything else.
    Other,
}

impl ReplyMeaning {
    /// Parses a reply. Recognises the keywords that carriers require, and their Chinese
    /// equivalents.
    #[must_use]
    pub fn of(text: &str) -> Self {
        match text.trim().trim_end_matches(['.', '!', '。', '！']).to_uppercase().as_str() {
            "STOP" | "STOPALL" | "UNSUBSCRIBE" | "CANCEL" | "END" | "QUIT" | "REVOKE" | "OPTOUT"
            | "ARRET" | "停止" | "退订" | "TD" | "T" | "R" => Self::Stop,
            "START" | "UNSTOP" | "YES" | "恢复" => Self::Start,
            "HELP" | "INFO" | "AIDE" | "帮助" => Self::Help,
            _ => Self::Other,
        }
    }
}

impl ReplyMeaning {
    /// Parses a reply to the operator's Twilio number.
    ///
    /// With Twilio's feature Advanced Opt-Out, the operator chooses the keywords and Twilio answers
    /// them. Twilio then sends the meaning of the keyword as `OptOutType` (STOP, START or HELP).
    /// <https://support.twilio.com/hc/en-us/articles/31560110671259>
    #[must_use]
    pub fn at_twilio(form: &[(String, String)]) -> Self {
        match Self::of(field(form, "OptOutType")) {
            Self::Other => Self::of(field(form, "Body")),
            word => word,
        }
    }
}

/// Returns the value of a form field, or an empty text if the field is missing.
#[must_use]
pub fn field<'a>(form: &'a [(String, String)], name: &str) -> &'a str {
    form.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value.as_str())
}

/// Returns the number of segments billed for a message body.
#[must_use]
pub fn segments(body: &str) -> u32 {
    let (length, alone, in_a_row) = match body.is_ascii() {
        true => (body.len(), ALONE.0, IN_A_ROW.0),
        false => (body.encode_utf16().count(), ALONE.1, IN_A_ROW.1),
    };
    let count = if length <= alone { 1 } else { length.div_ceil(in_a_row) };
    u32::try_from(count).unwrap_or(u32::MAX)
}

impl Channels {
    /// Returns the number of segments billed for a message to this number.
    #[must_use]
    pub fn text_segments(&self, phone: &str, message: &Message) -> u32 {
        match (&self.config.aliyun, &self.config.twilio) {
            (Some(account), _) if phone.starts_with("+86") => segments(&aliyun::body(account, message)),
            (_, Some(account)) => segments(&twilio::body(account, message)),
            _ => 0,
        }
    }

    /// Returns `true` if the request was signed by Twilio. The signature covers the URL and the
    /// form's fields in order.
    #[must_use]
    pub fn is_of_twilio(&self, url: &str, form: &[(String, String)], signature: &str) -> bool {
        let Some(account) = &self.config.twilio else { return false };
        let Ok(given) = BASE64_STANDARD.decode(signature.trim()) else { return false };
        let key = account.auth_token.expose_secret().as_bytes();
        let Ok(mut mac) = Hmac::<Sha1>::new_from_slice(key) else { return false };
        mac.update(signed_text(url, form).as_bytes());
        mac.verify_slice(&given).is_ok()
    }
}

fn signed_text(url: &str, form: &[(String, String)]) -> String {
    let mut sorted: Vec<_> = form.iter().collect();
    sorted.sort();
    sorted.into_iter().fold(url.to_owned(), |text, (name, value)| text + name + value)
}

/// Parses Twilio's delivery report for the message `id`.
#[must_use]
pub fn twilio_report(id: String, form: &[(String, String)]) -> Report {
    let of = |name: &str| field(form, name);
    let state = match of("MessageStatus") {
        "delivered" | "read" => DeliveryState::Arrived,
        "undelivered" | "failed" | "canceled" => {
            let code = of("ErrorCode");
            let reason = match code {
                "30004" | "21610" => Some(Reason::Blocked),
                // The number is unknown or is a landline.
                "30005" | "30006" => Some(Reason::Malformed),
                _ => None,
            };
            DeliveryState::Lost {
                code: shown(if code.is_empty() { of("MessageStatus") } else { code }),
                reason,
            }
        }
        _ => DeliveryState::UnderWay,
    };
    Report { id, state }
}

#[derive(Deserialize)]
struct AliyunReport {
    success: bool,
    #[serde(default)]
    err_code: String,
    #[serde(default)]
    out_id: String,
}

/// Parses a list sent by Aliyun and skips unreadable entries. A refusal of the whole list would
/// lose it, because Aliyun repeats a refused list only three times. Returns `None` if the body is
/// not a list.
fn entries<T: DeserializeOwned>(body: &[u8]) -> Option<Vec<T>> {
    let all: Vec<Value> = serde_json::from_slice(body).ok()?;
    let given = all.len();
    let read: Vec<T> = all.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect();
    if read.len() < given {
        tracing::warn!(
            unreadable = given - read.len(),
            "skipping unreadable entries of Aliyun's delivery reports or replies"
        );
    }
    Some(read)
}

/// Parses Aliyun's delivery reports (`SmsReport`, HTTP). Returns `None` if the body is not a list.
/// <https://help.aliyun.com/en/sms/developer-reference/smsreport-http>
///
/// Aliyun's page of error codes was not accessible, so the codes here come from several public
/// programs. `MOBILE_NOT_ON_SERVICE` and `INVALID_NUMBER` also occur for a phone that is switched
/// off. They therefore do not mark a number as invalid. `MK:0001` (unknown user) and `MBBLACK` are
/// codes of the carrier China Mobile.
#[must_use]
pub fn aliyun_reports(body: &[u8]) -> Option<Vec<Report>> {
    let all: Vec<AliyunReport> = entries(body)?;
    let read = |one: AliyunReport| {
        let reason = match one.err_code.as_str() {
            "MK:0001" => Some(Reason::Malformed),
            "MOBILE_IN_BLACK" | "USER_REJECT" | "MBBLACK" => Some(Reason::Blocked),
            _ => None,
        };
        let state = match one.success {
            true => DeliveryState::Arrived,
            false => DeliveryState::Lost { code: shown(&one.err_code), reason },
        };
        Report { id: one.out_id, state }
    };
    Some(all.into_iter().map(read).collect())
}

/// Reply sent from a phone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Phone number in E.164 format.
    pub phone: String,
    /// Meaning of the reply.
    pub word: ReplyMeaning,
}

#[derive(Deserialize)]
struct AliyunWritten {
    phone_number: String,
    #[serde(default)]
    content: String,
    #[serde(default)]
    send_time: String,
}

/// Parses replies from phones in mainland China (`SmsUp`, HTTP), sorted by their send time. Returns
/// `None` if the body is not a list.
/// <https://help.aliyun.com/zh/sms/developer-reference/smsup-http>
#[must_use]
pub fn aliyun_written(body: &[u8]) -> Option<Vec<Written>> {
    let mut all: Vec<AliyunWritten> = entries(body)?;
    // Times in the format `2017-09-01 00:00:00` can be sorted as text.
    all.sort_by(|a, b| a.send_time.cmp(&b.send_time));
    let read = |one: AliyunWritten| {
        let digits: String = one.phone_number.chars().filter(char::is_ascii_digit).collect();
        // Some carriers include the country code and others do not.
        let number = match digits.len() {
            0..=11 => digits.as_str(),
            _ => digits.trim_start_matches('0').trim_start_matches("86"),
        };
        Written { phone: format!("+86{number}"), word: ReplyMeaning::of(&one.content) }
    };
    Some(all.into_iter().map(read).collect())
}

/// Removes unusual characters from a carrier's code and limits it to 40 characters, for display.
fn shown(code: &str) -> String {
    code.chars().filter(|c| c.is_ascii_alphanumeric() || "_:.-".contains(*c)).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::channels::config::{Config, TwilioAccount};

    fn form(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn signature_checks_match_the_example_of_the_provider() {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let twilio = Some(TwilioAccount {
            sid: "AC".to_owned(),
            auth_token: "12345".into(),
            from: "+14165550100".to_owned(),
            sender: "Sooner".to_owned(),
            status_callback: None,
        });
        let clock = domain::clock::ManualClock::new(chrono::DateTime::UNIX_EPOCH).clock();
        let channels = Channels::new(Config { twilio, ..Config::default() }, clock).unwrap();
        let url = "https://mycompany.com/myapp.php?foo=1&bar=2";
        let pairs = [
            ("CallSid", "CA1234567890ABCDE"),
            ("From", "+12349013030"),
            ("To", "+18005551212"),
            ("Caller", "+12349013030"),
            ("Digits", "1234"),
        ];
        let signature = "0/KCTR6DLpKmkAf8muzZqo1nDgQ=";
        assert!(channels.is_of_twilio(url, &form(&pairs), signature));
        assert!(!channels.is_of_twilio("https://mycompany.com/myapp.php?foo=1", &form(&pairs), signature));
        assert!(!channels.is_of_twilio(url, &form(&pairs[1..]), signature));
        for wrong in ["", "0/KCTR6DLpKmkAf8muzZqo1nDgQ", "1/KCTR6DLpKmkAf8muzZqo1nDgQ="] {
            assert!(!channels.is_of_twilio(url, &form(&pairs), wrong), "{wrong}");
        }
    }

    #[test]
    fn text_segments_depend_on_the_alphabet() {
        for (body, count) in
            [("a".repeat(160), 1), ("a".repeat(161), 2), ("早".repeat(70), 1), ("早".repeat(71), 2)]
        {
            assert_eq!(segments(&body), count);
        }
    }

    #[test]
    fn reply_keywords_parse_in_both_languages() {
        for (text, word) in [
            (" stop ", ReplyMeaning::Stop),
            ("Stop.", ReplyMeaning::Stop),
            ("退订", ReplyMeaning::Stop),
            ("td", ReplyMeaning::Stop),
            ("R", ReplyMeaning::Stop),
            ("START", ReplyMeaning::Start),
            ("help", ReplyMeaning::Help),
            ("please stop", ReplyMeaning::Other),
            ("", ReplyMeaning::Other),
        ] {
            assert_eq!(ReplyMeaning::of(text), word, "{text}");
        }
    }

    #[test]
    fn the_opt_out_type_of_twilio_overrides_the_text() {
        for (pairs, word) in [
            (&[("Body", "STOP")][..], ReplyMeaning::Stop),
            (&[("Body", "baja"), ("OptOutType", "STOP")], ReplyMeaning::Stop),
            (&[("Body", "alta"), ("OptOutType", "START")], ReplyMeaning::Start),
            (&[("Body", "END"), ("OptOutType", "HELP")], ReplyMeaning::Help),
            (&[("Body", "退订"), ("OptOutType", "")], ReplyMeaning::Stop),
            (&[("Body", "STOP"), ("OptOutType", "SOMETHING")], ReplyMeaning::Stop),
            (&[("OptOutType", "STOP")], ReplyMeaning::Stop),
            (&[], ReplyMeaning::Other),
        ] {
            assert_eq!(ReplyMeaning::at_twilio(&form(pairs)), word, "{pairs:?}");
        }
    }

    #[test]
    fn delivery_reports_parse_in_both_formats() {
        let report = |pairs: &[(&str, &str)]| twilio_report("7".to_owned(), &form(pairs)).state;
        assert_eq!(report(&[("MessageStatus", "sent")]), DeliveryState::UnderWay);
        assert_eq!(report(&[("MessageStatus", "delivered")]), DeliveryState::Arrived);
        let lost = |code: &str, reason| DeliveryState::Lost { code: code.to_owned(), reason };
        assert_eq!(report(&[("MessageStatus", "undelivered"), ("ErrorCode", "30003")]), lost("30003", None));
        let landline = report(&[("MessageStatus", "undelivered"), ("ErrorCode", "30006")]);
        assert_eq!(landline, lost("30006", Some(Reason::Malformed)));
        let body = br#"[{"success":true,"err_code":"DELIVERED","out_id":"1","biz_id":"x"},
            {"success":false,"err_code":"MK:0001<b>","out_id":"2"}]"#;
        let all = aliyun_reports(body).unwrap();
        assert_eq!(all[0], Report { id: "1".to_owned(), state: DeliveryState::Arrived });
        assert_eq!(all[1].state, lost("MK:0001b", None));
        for (code, reason) in [
            ("MK:0001", Some(Reason::Malformed)),
            ("MOBILE_NOT_ON_SERVICE", None),
            ("INVALID_NUMBER", None),
            ("MOBILE_IN_BLACK", Some(Reason::Blocked)),
        ] {
            let body =
                format!(r#"[7, {{"success":false,"err_code":"{code}","out_id":"1"}}, {{"out_id":"2"}}]"#);
            let all = aliyun_reports(body.as_bytes()).unwrap();
            assert_eq!(all.len(), 1, "an unreadable message does not affect the others");
            assert_eq!(all[0].state, lost(code, reason));
        }
        assert_eq!(aliyun_reports(b"{}"), None);
    }

    #[test]
    fn aliyun_reply_numbers_parse_with_or_without_country_code() {
        let body = r#"[{"phone_number":"13800138000","content":"TD","sign_name":"早签","sequence_id":1},
            {"phone_number":"8613800138001","content":"退订。"},{"phone_number":"008613800138002"}]"#;
        let read: Vec<_> =
            aliyun_written(body.as_bytes()).unwrap().into_iter().map(|one| (one.phone, one.word)).collect();
        let phone = |last: u8| format!("+861380013800{last}");
        assert_eq!(
            read,
            [(phone(0), ReplyMeaning::Stop), (phone(1), ReplyMeaning::Stop), (phone(2), ReplyMeaning::Other)]
        );
        assert_eq!(aliyun_written(b"{}"), None);
    }

    #[test]
    fn aliyun_replies_are_processed_in_the_order_of_sending() {
        // Example from Aliyun's documentation. In an earlier version of it, `sequence_id` was a
        // number.
        let body = r#"[{"phone_number":"13800138000","content":"恢复","send_time":"2026-11-25 08:00:09","dest_code":"1234","sequence_id":"12"},
            "nonsense", {"content":"TD"},
            {"phone_number":"13800138000","content":"TD","send_time":"2026-11-25 08:00:01","dest_code":"1234","sequence_id":11}]"#;
        let words: Vec<_> =
            aliyun_written(body.as_bytes()).unwrap().into_iter().map(|one| one.word).collect();
        assert_eq!(words, [ReplyMeaning::Stop, ReplyMeaning::Start]);
    }
}
