//! Web Push: sends to a browser through the push service of its vendor. Implements RFC 8030, RFC
//! 8291 (encryption) and RFC 8292 (VAPID identity).

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::channel::Priority;
use reqwest::{Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sha2::{Digest, Sha256};
use web_push_native::p256::PublicKey;
use web_push_native::p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use web_push_native::{Auth, encrypt};

use super::http::{Answer, Http, Prepared};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::Limit;

/// Hosts of the push services of browser vendors. No browser uses another host.
const HOSTS: [&str; 4] =
    ["fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"];
/// Maximum size of a payload: 4,096 bytes minus the overhead of encryption.
const LARGEST: usize = 4096 - 86 - 17;
const TITLE: Limit = Limit::bytes(300);
/// Seconds for which a push service stores a message without expiry time.
const KEPT: i64 = 24 * 60 * 60;
/// Lifetime of a VAPID token in seconds. Push services accept at most a day.
const IDENTITY_LIFE: i64 = 12 * 60 * 60;

/// Push subscription of a browser.
#[derive(Clone, Copy)]
pub(super) struct Subscription<'a> {
    pub endpoint: &'a SecretString,
    pub p256dh: &'a str,
    pub auth: &'a SecretString,
}

/// VAPID identity of this server, with its signing key.
pub(super) struct Identity {
    key: SigningKey,
    subject: String,
}

impl Identity {
    /// Creates the identity. Returns `None` if the key is invalid, or if `subject` is neither a
    /// `mailto:` nor an `https://` URL.
    pub fn new(private_key: &SecretString, subject: &str) -> Option<Self> {
        let key = BASE64_URL_SAFE_NO_PAD.decode(private_key.expose_secret().trim_end_matches('=')).ok()?;
        let key = SigningKey::from_slice(&key).ok()?;
        let reachable = subject.starts_with("https://") || subject.strip_prefix("mailto:")?.contains('@');
        reachable.then(|| Self { key, subject: subject.to_owned() })
    }

    /// Returns the public key that browsers pass to `subscribe` (`applicationServerKey`).
    pub fn public_key(&self) -> String {
        BASE64_URL_SAFE_NO_PAD.encode(self.key.verifying_key().to_encoded_point(false).as_bytes())
    }

    /// Returns the `Authorization` header for the push service of `endpoint`. `now` is in Unix
    /// seconds.
    fn header(&self, endpoint: &Url, now: i64) -> String {
        let claims = json!({
            "aud": endpoint.origin().ascii_serialization(),
            "exp": now + IDENTITY_LIFE,
            "sub": self.subject,
        });
        let part = |json: &str| BASE64_URL_SAFE_NO_PAD.encode(json);
        let signed = format!("{}.{}", part(r#"{"typ":"JWT","alg":"ES256"}"#), part(&claims.to_string()));
        let signature: Signature = self.key.sign(signed.as_bytes());
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public_key())
    }
}

pub(super) fn prepare(
    http: &Http,
    identity: &Identity,
    to: Subscription<'_>,
    message: &Message,
) -> Result<Prepared, Reason> {
    let endpoint = http.policy.check_host(to.endpoint.expose_secret(), &HOSTS)?;
    let now = http.clock.now();
    let topic = topic(&message.id);
    let body = encrypted(payload(message, &topic), to)?;
    let life = message.not_after.map_or(KEPT, |end| (end - now).num_seconds().clamp(0, KEPT));
    let authorization = identity.header(&endpoint.url, now.timestamp());
    let request = http
        .post_checked(endpoint)
        .header(header::AUTHORIZATION, authorization)
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header("TTL", life)
        .header("Urgency", urgency(message.priority()))
        .header("Topic", topic)
        .body(body);
    Ok(Prepared { request, judge })
}

fn urgency(priority: Priority) -> &'static str {
    match priority {
        Priority::Urgent => "high",
        Priority::Normal => "normal",
        Priority::Low => "low",
    }
}

/// Returns the topic of an event, at most 32 characters. A push service replaces an undelivered
/// message by a later one with the same topic, so a retry does not appear twice.
fn topic(id: &str) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(&Sha256::digest(id.as_bytes())[..24])
}

/// Returns the payload: JSON that the site's service worker reads.
fn payload(message: &Message, tag: &str) -> Vec<u8> {
    let answers = message.answers.as_ref().map(|answers| json!({ "yes": answers.yes, "no": answers.no }));
    let of = |text: Limit| {
        let payload = json!({
            "title": TITLE.cut(&message.title),
            "body": text.cut(&message.text),
            "url": message.url(),
            "event": message.kind,
            "answers": answers,
            "tag": tag,
        });
        payload.to_string().into_bytes()
    };
    // JSON may need six bytes for one byte of text, so try shorter texts until the payload fits.
    let sizes = [3000, 1500, 400].map(Limit::bytes);
    sizes.into_iter().map(of).find(|payload| payload.len() <= LARGEST).unwrap_or_else(|| of(Limit::bytes(0)))
}

fn encrypted(payload: Vec<u8>, to: Subscription<'_>) -> Result<Vec<u8>, Reason> {
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text.trim_end_matches('='));
    let key = decode(to.p256dh).ok().and_then(|key| PublicKey::from_sec1_bytes(&key).ok());
    let auth = decode(to.auth.expose_secret()).ok().and_then(|auth| <[u8; 16]>::try_from(auth).ok());
    let (Some(key), Some(auth)) = (key, auth) else { return Err(Reason::Malformed) };
    encrypt(payload, &key, &Auth::from(auth)).map_err(|_| Reason::Malformed)
}

fn judge(answer: &Answer) -> Outcome {
    match answer.status.as_u16() {
        200..=299 => Outcome::Accepted { receipt: answer.location.clone() },
        404 | 410 => Outcome::Broken(Reason::Gone),
        // The key or subject is refused (BadJwtToken), or the browser subscribed with another key
        // of this server.
        401 | 403 => Outcome::Broken(Reason::Operator),
        _ => answer.busy().unwrap_or(Outcome::Broken(Reason::Refused)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::channel::EventKind;
    use web_push_native::p256::SecretKey;
    use web_push_native::p256::ecdsa::VerifyingKey;
    use web_push_native::p256::ecdsa::signature::Verifier as _;

    fn bytes(text: &str) -> Vec<u8> {
        BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64url")
    }

    /// Test vector of RFC 8291, appendix A.
    const RECEIVER: &str = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94";
    const AUTH: &str = "BTBZMqHH6r4Tts7J_aSIgg";
    const SENT: &str = "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27ml\
        mlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";

    fn auth() -> Auth {
        Auth::from(<[u8; 16]>::try_from(bytes(AUTH)).expect("16 bytes"))
    }

    fn message(text: &str) -> Message {
        Message {
            id: "event-1".to_owned(),
            kind: EventKind::Opening,
            title: "A day is free".to_owned(),
            text: text.to_owned(),
            link: None,
            acknowledge: None,
            answers: None,
            not_after: None,
        }
    }

    #[test]
    fn the_library_decrypts_the_rfc_example() {
        let key = SecretKey::from_slice(&bytes(RECEIVER)).expect("a key");
        let plain = web_push_native::decrypt(bytes(SENT), &key, &auth());
        assert_eq!(plain.expect("the message is decrypted"), b"When I grow up, I want to be a watermelon");
    }

    #[test]
    fn payloads_fit_and_only_their_browser_can_decrypt_them() {
        let key = SecretKey::from_slice(&bytes(RECEIVER)).expect("a key");
        let p256dh = BASE64_URL_SAFE_NO_PAD.encode(key.public_key().to_sec1_bytes());
        let secret = SecretString::from(AUTH);
        let endpoint = SecretString::from("https://fcm.googleapis.com/fcm/send/x");
        let to = Subscription { endpoint: &endpoint, p256dh: &p256dh, auth: &secret };
        for text in ["约".repeat(5000), "\u{1}".repeat(5000), "\"".repeat(5000)] {
            let sealed = encrypted(payload(&message(&text), "tag"), to).expect("the message is encrypted");
            assert!(sealed.len() <= 4096);
            let plain = web_push_native::decrypt(sealed, &key, &auth());
            let read: serde_json::Value = serde_json::from_slice(&plain.expect("decrypted")).expect("JSON");
            assert_eq!((&read["title"], &read["event"]), (&json!("A day is free"), &json!("opening")));
        }
        for (p256dh, auth) in [("", AUTH), ("BAAA", AUTH), (p256dh.as_str(), "AAAA"), (p256dh.as_str(), "?")]
        {
            let auth = SecretString::from(auth);
            let refused = encrypted(vec![1], Subscription { endpoint: &endpoint, p256dh, auth: &auth });
            assert_eq!(refused, Err(Reason::Malformed));
        }
    }

    #[test]
    fn vapid_identities_are_signed_for_one_push_service() {
        let key = SecretString::from(RECEIVER);
        let identity = Identity::new(&key, "mailto:ops@example.com").expect("an identity");
        let endpoint = Url::parse("https://fcm.googleapis.com/fcm/send/x").expect("an address");
        let header = identity.header(&endpoint, 1_700_000_000);
        let (token, public) =
            header.strip_prefix("vapid t=").and_then(|h| h.split_once(", k=")).expect("parts");
        let (signed, signature) = token.rsplit_once('.').expect("a signature");
        let verifier = VerifyingKey::from_sec1_bytes(&bytes(public)).expect("a key");
        let signature = Signature::from_slice(&bytes(signature)).expect("a signature");
        assert!(verifier.verify(signed.as_bytes(), &signature).is_ok());
        let claims: serde_json::Value =
            serde_json::from_slice(&bytes(signed.split_once('.').expect("claims").1)).expect("JSON");
        let meant = json!({ "aud": "https://fcm.googleapis.com", "exp": 1_700_043_200, "sub": "mailto:ops@example.com" });
        assert_eq!(claims, meant);
        for subject in ["", "ops@example.com", "mailto:", "http://example.com"] {
            assert!(Identity::new(&key, subject).is_none(), "{subject}");
        }
        assert!(Identity::new(&SecretString::from("AAAA"), "mailto:ops@example.com").is_none());
    }

    #[test]
    fn topics_are_short_and_unique_per_event() {
        assert_eq!(topic("event-1"), topic("event-1"));
        assert_ne!(topic("event-1"), topic("event-2"));
        assert_eq!(topic("event-1").len(), 32);
    }
}
