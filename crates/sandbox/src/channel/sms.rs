//! Text messages through Twilio and Aliyun.

use axum::{
    extract::Query,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use ring::hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY;
use serde_json::{Value, json};

use super::{
    ALIYUN_KEY_ID, ALIYUN_KEY_SECRET, Provider, ProviderError, TWILIO_AUTH_TOKEN, TWILIO_NUMBER, TWILIO_SID,
    arrivals::Content,
    call::{Call, Reply, signed, split, value},
    campaigns,
};

pub(super) const TWILIO: Provider =
    Provider { name: "twilio", read: read_twilio, taken: taken_twilio, refuse: refuse_twilio };
pub(super) const ALIYUN: Provider =
    Provider { name: "aliyun", read: read_aliyun, taken: taken_aliyun, refuse: refuse_aliyun };

fn read_twilio(call: &Call<'_>) -> Result<Content, Reply> {
    let credentials = BASE64_STANDARD.encode(format!("{TWILIO_SID}:{TWILIO_AUTH_TOKEN}"));
    let right = call.header("authorization") == format!("Basic {credentials}");
    if !right || call.path::<4>() != Some(["2010-04-01", "Accounts", TWILIO_SID, "Messages.json"]) {
        return Err(twilio(401, 20_003, "Authenticate"));
    }
    let form = call.form();
    let (to, body) = (value(&form, "To"), value(&form, "Body"));
    let digits = to.strip_prefix('+').unwrap_or_default();
    if digits.len() < 8 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(twilio(400, 21_211, "Invalid 'To' Phone Number"));
    }
    if value(&form, "From").is_empty() || body.is_empty() || body.chars().count() > 1600 {
        return Err(twilio(400, 21_617, "The concatenated message body exceeds the 1600 character limit"));
    }
    let (title, text) = split(body);
    let link = text.lines().last().filter(|line| line.starts_with("http")).map(str::to_owned);
    let extra = json!({ "segments": segments(body), "status_callback": value(&form, "StatusCallback") });
    Ok(Content { title, text, link, extra, ..Content::to(to) })
}

/// Computes Twilio's signature over the address and then each field in order.
#[must_use]
pub fn twilio_signature(url: &str, form: &[(&str, &str)]) -> String {
    let mut form = form.to_vec();
    form.sort_unstable();
    let text: String = form.iter().map(|(name, value)| format!("{name}{value}")).collect();
    signed(HMAC_SHA1_FOR_LEGACY_USE_ONLY, TWILIO_AUTH_TOKEN, &format!("{url}{text}"))
}

/// Returns the number of billed segments.
fn segments(body: &str) -> usize {
    let (length, one, more) = match body.is_ascii() {
        true => (body.len(), 160, 153),
        false => (body.encode_utf16().count(), 70, 67),
    };
    if length <= one { 1 } else { length.div_ceil(more) }
}

fn twilio(status: u16, code: u32, words: &str) -> Reply {
    Reply::json(status, &json!({ "code": code, "message": words, "status": status }))
}

fn taken_twilio(id: u64) -> Reply {
    Reply::json(201, &json!({ "sid": format!("SM{id:032x}"), "status": "queued" }))
}

fn refuse_twilio(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => {
            twilio(400, 21_408, "Permission to send an SMS has not been enabled for the region")
        }
        ProviderError::Limited(seconds) => twilio(429, 20_429, "Too Many Requests").retry_after(seconds),
        ProviderError::Gone => twilio(400, 21_614, "'To' number is not a valid mobile number"),
        ProviderError::Blocked => twilio(400, 21_610, "Attempt to send to unsubscribed recipient"),
    }
}

fn read_aliyun(call: &Call<'_>) -> Result<Content, Reply> {
    const SET: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');
    let encode = |text: &str| utf8_percent_encode(text, &SET).to_string();
    let mut form = call.form();
    let given = value(&form, "Signature").to_owned();
    form.retain(|(name, _)| name != "Signature");
    form.sort();
    let pairs: Vec<String> = form.iter().map(|(k, v)| format!("{}={}", encode(k), encode(v))).collect();
    let text = format!("POST&%2F&{}", encode(&pairs.join("&")));
    if value(&form, "AccessKeyId") != ALIYUN_KEY_ID {
        return Err(aliyun(404, "InvalidAccessKeyId.NotFound"));
    }
    if given != signed(HMAC_SHA1_FOR_LEGACY_USE_ONLY, &format!("{ALIYUN_KEY_SECRET}&"), &text) {
        return Err(aliyun(400, "SignatureDoesNotMatch"));
    }
    let of = |name: &str| value(&form, name).to_owned();
    match of("Action").as_str() {
        "SendSms" => {}
        // Names that contain "waits" are still pending. All other names are approved.
        "QuerySmsSign" => return Err(approval("SignStatus", &of("SignName"))),
        "QuerySmsTemplate" => return Err(approval("TemplateStatus", &of("TemplateCode"))),
        _ => return Err(aliyun(404, "InvalidAction.NotFound")),
    }
    let phone = of("PhoneNumbers");
    if phone.len() != 11 || !phone.starts_with('1') {
        return Err(aliyun(200, "isv.MOBILE_NUMBER_ILLEGAL"));
    }
    if !of("TemplateCode").starts_with("SMS_") {
        return Err(aliyun(200, "isv.SMS_TEMPLATE_ILLEGAL"));
    }
    let parameters: Value = serde_json::from_str(&of("TemplateParam")).unwrap_or_default();
    let text = parameters["text"].as_str().unwrap_or_default();
    if text.is_empty() || text.chars().count() > 35 || text.contains("://") {
        return Err(aliyun(200, "isv.TEMPLATE_PARAMS_ILLEGAL"));
    }
    let extra = json!({ "template": of("TemplateCode"), "sign_name": of("SignName"), "out_id": of("OutId") });
    Ok(Content { title: text.to_owned(), extra, ..Content::to(phone) })
}

fn approval(status: &str, what: &str) -> Reply {
    let state = if what.contains("waits") { 0 } else { 1 };
    Reply::json(200, &json!({ "Code": "OK", "Message": "OK", status: state }))
}

/// Returns an error response unless the request contains the account's credentials.
pub(super) fn refused(headers: &HeaderMap) -> Option<Response> {
    let credentials = BASE64_STANDARD.encode(format!("{TWILIO_SID}:{TWILIO_AUTH_TOKEN}"));
    let given = headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    (given != format!("Basic {credentials}")).then(|| twilio(401, 20_003, "Authenticate").into_response())
}

/// Handles `GET …/IncomingPhoneNumbers.json` and returns the account's phone numbers.
pub(super) async fn numbers(headers: HeaderMap, Query(asked): Query<Vec<(String, String)>>) -> Response {
    if let Some(refused) = refused(&headers) {
        return refused;
    }
    let number = value(&asked, "PhoneNumber");
    let all = match number == TWILIO_NUMBER || campaigns::is_of_a_service(number) {
        true => vec![json!({ "phone_number": number, "capabilities": { "sms": true, "voice": true } })],
        false => Vec::new(),
    };
    Reply::json(200, &json!({ "incoming_phone_numbers": all })).into_response()
}

fn aliyun(status: u16, code: &str) -> Reply {
    Reply::json(status, &json!({ "Code": code, "Message": code, "RequestId": "sandbox" }))
}

fn taken_aliyun(id: u64) -> Reply {
    Reply::json(200, &json!({ "Code": "OK", "Message": "OK", "BizId": format!("{id}^0") }))
}

fn refuse_aliyun(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => aliyun(200, "isv.AMOUNT_NOT_ENOUGH"),
        ProviderError::Limited(_) => aliyun(200, "isv.BUSINESS_LIMIT_CONTROL"),
        ProviderError::Gone => aliyun(200, "isv.MOBILE_NUMBER_ILLEGAL"),
        ProviderError::Blocked => aliyun(200, "isv.BLACK_KEY_CONTROL_LIMIT"),
    }
}
