//! Aliyun (阿里云): sends text messages within mainland China, with approved templates.
//! <https://help.aliyun.com/zh/sms/developer-reference/api-dysmsapi-2017-05-25-sendsms>

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use chrono::SecondsFormat;
use hmac::{Hmac, KeyInit, Mac};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use reqwest::RequestBuilder;
use secrecy::ExposeSecret;
use serde_json::json;
use sha1::Sha1;

use super::config::AliyunAccount;
use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, one_line};

/// Maximum length of one template parameter.
const PARAMETER: Limit = Limit::chars(35);
const ENCODED: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// Name and value of one request parameter.
pub(super) type Parameter<'a> = (&'a str, String);

pub(super) fn prepare(
    http: &Http,
    base: &str,
    account: &AliyunAccount,
    phone: &str,
    message: &Message,
) -> Result<Prepared, Reason> {
    let template = account.templates.get(&message.kind).ok_or(Reason::NotConfigured)?;
    let asked = [
        ("OutId", message.id.clone()),
        ("PhoneNumbers", phone.trim_start_matches("+86").to_owned()),
        ("SignName", account.sign_name.clone()),
        ("TemplateCode", template.clone()),
        ("TemplateParam", json!({ "text": PARAMETER.cut(&one_line(&message.title)) }).to_string()),
    ];
    Ok(Prepared { request: query(http, base, account, "SendSms", &asked)?, judge })
}

/// Builds a signed request for one API action.
pub(super) fn query(
    http: &Http,
    base: &str,
    account: &AliyunAccount,
    action: &str,
    asked: &[Parameter<'_>],
) -> Result<RequestBuilder, Reason> {
    let now = http.clock.now();
    let mut parameters: Vec<Parameter<'_>> = vec![
        ("AccessKeyId", account.access_key_id.clone()),
        ("Action", action.to_owned()),
        ("Format", "JSON".to_owned()),
        ("RegionId", "cn-hangzhou".to_owned()),
        ("SignatureMethod", "HMAC-SHA1".to_owned()),
        // The nonce must differ in each request, so it is a hash of the parameters followed by the
        // time.
        ("SignatureNonce", format!("{:x}-{}", hash(asked), now.timestamp_micros())),
        ("SignatureVersion", "1.0".to_owned()),
        ("Timestamp", now.to_rfc3339_opts(SecondsFormat::Secs, true)),
        ("Version", "2017-05-25".to_owned()),
    ];
    parameters.extend_from_slice(asked);
    let signature = sign("POST", account.access_key_secret.expose_secret(), &mut parameters)?;
    parameters.push(("Signature", signature));
    Ok(http.post(address(base, &[])?).form(&parameters))
}

fn hash(asked: &[Parameter<'_>]) -> u64 {
    let mut hasher = DefaultHasher::new();
    asked.hash(&mut hasher);
    hasher.finish()
}

/// Returns the message as the phone displays it. Aliyun prepends the signature (sender name) to the
/// text.
pub(super) fn body(account: &AliyunAccount, message: &Message) -> String {
    format!("【{}】{}", account.sign_name, PARAMETER.cut(&one_line(&message.title)))
}

/// Sorts and encodes the parameters and returns their signature. Aliyun requires them to be
/// percent-encoded twice.
fn sign(method: &str, secret: &str, parameters: &mut [Parameter<'_>]) -> Result<String, Reason> {
    parameters.sort();
    let encode = |text: &str| utf8_percent_encode(text, &ENCODED).to_string();
    let pairs = parameters.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    let query = pairs.collect::<Vec<_>>().join("&");
    let key = format!("{secret}&");
    let mut mac = Hmac::<Sha1>::new_from_slice(key.as_bytes()).map_err(|_| Reason::Operator)?;
    mac.update(format!("{method}&%2F&{}", encode(&query)).as_bytes());
    Ok(BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}

fn judge(answer: &Answer) -> Outcome {
    match answer.text("Code") {
        "OK" => Outcome::accepted(answer.text("BizId")),
        // Aliyun's limits for one phone number: 1 a minute, 5 an hour, 10 a day.
        "isv.BUSINESS_LIMIT_CONTROL" => Outcome::NEXT_MINUTE,
        "isv.MOBILE_NUMBER_ILLEGAL" | "isv.MOBILE_COUNT_OVER_LIMIT" => Outcome::Broken(Reason::Malformed),
        "isv.BLACK_KEY_CONTROL_LIMIT" | "isv.PARAM_LENGTH_LIMIT" => Outcome::Broken(Reason::Refused),
        code if code.starts_with("isp.") || code.starts_with("Throttling") => Outcome::NEXT_MINUTE,
        "ServiceUnavailable" | "InternalError" => Outcome::AGAIN,
        "" => answer.busy().unwrap_or(Outcome::AGAIN),
        // A fault of the account, key, signature, template or balance.
        _ => Outcome::Broken(Reason::Operator),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_match_the_example_of_the_provider() {
        let mut parameters: Vec<Parameter<'_>> = [
            ("SignatureMethod", "HMAC-SHA1"),
            ("SignatureNonce", "45e25e9b-0a6f-4070-8c85-2956eda1b466"),
            ("AccessKeyId", "testId"),
            ("SignatureVersion", "1.0"),
            ("Timestamp", "2017-07-12T02:42:19Z"),
            ("Format", "XML"),
            ("Action", "SendSms"),
            ("Version", "2017-05-25"),
            ("RegionId", "cn-hangzhou"),
            ("PhoneNumbers", "15300000001"),
            ("SignName", "阿里云短信测试专用"),
            ("TemplateParam", r#"{"customer":"test"}"#),
            ("TemplateCode", "SMS_71390007"),
            ("OutId", "123"),
        ]
        .map(|(name, value)| (name, value.to_owned()))
        .to_vec();
        let signature = sign("GET", "testSecret", &mut parameters);
        assert_eq!(signature.as_deref(), Ok("zJDF+Lrzhj/ThnlvIToysFRq6t4="));
    }
}
