//! Simulated push service and browsers. It creates the browsers' keys, checks the sender's identity
//! (RFC 8292), and decrypts messages (RFC 8291).

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use p256::{
    PublicKey, SecretKey,
    ecdsa::{Signature, VerifyingKey, signature::Verifier as _},
    elliptic_curve::sec1::ToSec1Point as _,
};
use ring::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    hkdf::{HKDF_SHA256, KeyType, Salt},
};
use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    PATH, Provider, ProviderError,
    arrivals::Content,
    call::{Call, Reply},
};
use crate::Shared;

pub(super) const PROVIDER: Provider = Provider { name: "web_push", read, taken, refuse };

/// Push subscription, in the format of `PushManager.subscribe`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subscription {
    /// Address to which messages are sent.
    pub endpoint: String,
    /// Keys that encrypt messages.
    pub keys: Keys,
}

/// Public part of a browser's keys.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Keys {
    /// Public key of the browser, base64url.
    pub p256dh: String,
    /// Authentication secret of the browser, base64url.
    pub auth: String,
}

/// Private keys of a browser. They depend only on the world's seed and the browser's number.
struct Browser {
    key: SecretKey,
    auth: [u8; 16],
}

/// Subscribes one more simulated browser.
pub(crate) fn subscribe(shared: &Shared) -> Option<Subscription> {
    let origin = shared.urls.get()?.control_url.clone();
    let number = shared.step(|world| {
        world.channels.subscriptions += 1;
        world.channels.subscriptions
    });
    let browser = Browser::of(shared.seed, number);
    Some(Subscription {
        endpoint: format!("{origin}{PATH}/web_push/send/{number}"),
        keys: Keys {
            p256dh: BASE64_URL_SAFE_NO_PAD.encode(browser.key.public_key().to_sec1_point(false)),
            auth: BASE64_URL_SAFE_NO_PAD.encode(browser.auth),
        },
    })
}

impl Browser {
    fn of(seed: u64, number: u64) -> Self {
        let hash = |what: &str, round: u32| {
            Sha256::digest(format!("sandbox browser|{what}|{seed}|{number}|{round}"))
        };
        let mut round = 0;
        let key = loop {
            // Nearly every hash is a valid key. If it is not, try the next one.
            if let Ok(key) = SecretKey::from_slice(&hash("key", round)) {
                break key;
            }
            round += 1;
        };
        let mut auth = [0; 16];
        auth.copy_from_slice(&hash("auth", 0)[..16]);
        Self { key, auth }
    }

    /// Decrypts a message. Returns `None` if it was not encrypted for this browser. A message has a
    /// single record.
    fn open(&self, sealed: &[u8]) -> Option<Vec<u8>> {
        let (salt, rest) = sealed.split_at_checked(16)?;
        let (record_size, rest) = rest.split_at_checked(4)?;
        let (length, rest) = rest.split_first()?;
        let (sender, record) = rest.split_at_checked(usize::from(*length))?;
        let record_size = u32::from_be_bytes(record_size.try_into().ok()?);
        if record.len() > usize::try_from(record_size).ok()? {
            return None;
        }
        let public = PublicKey::from_sec1_bytes(sender).ok()?;
        let shared = p256::ecdh::diffie_hellman(self.key.to_nonzero_scalar(), public.as_affine());
        let own = self.key.public_key().to_sec1_point(false);
        let about = [b"WebPush: info\0", own.as_bytes(), sender].concat();
        let material: [u8; 32] = derive(&self.auth, shared.raw_secret_bytes(), &about)?;
        let key: [u8; 16] = derive(salt, &material, b"Content-Encoding: aes128gcm\0")?;
        let nonce: [u8; 12] = derive(salt, &material, b"Content-Encoding: nonce\0")?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &key).ok()?);
        let mut record = record.to_vec();
        let nonce = Nonce::assume_unique_for_key(nonce);
        let plain = key.open_in_place(nonce, Aad::empty(), &mut record).ok()?;
        let end = plain.iter().rposition(|byte| *byte != 0)?;
        // The last record ends with the delimiter byte 2, followed by zeros.
        (plain[end] == 2).then(|| plain[..end].to_vec())
    }
}

/// Derives `N` bytes with HKDF.
fn derive<const N: usize>(salt: &[u8], material: &[u8], about: &[u8]) -> Option<[u8; N]> {
    struct Length(usize);
    impl KeyType for Length {
        fn len(&self) -> usize {
            self.0
        }
    }
    let mut derived = [0; N];
    let key = Salt::new(HKDF_SHA256, salt).extract(material);
    key.expand(&[about], Length(N)).ok()?.fill(&mut derived).ok()?;
    Some(derived)
}

fn read(call: &Call<'_>) -> Result<Content, Reply> {
    let Some(["send", number]) = call.path::<2>() else { return Err(Reply::nowhere()) };
    let id = number.parse::<u64>().map_err(|_| Reply::text(404, "no such subscription"))?;
    if !is_identified(call) {
        return Err(Reply::json(403, &json!({ "reason": "BadJwtToken" })));
    }
    if call.header("content-encoding") != "aes128gcm" {
        return Err(Reply::text(400, "the encoding has to be aes128gcm"));
    }
    let ttl = call.header("ttl").parse::<u64>().map_err(|_| Reply::text(400, "TTL is missing"))?;
    if call.body.len() > 4096 {
        return Err(Reply::text(413, "more than 4096 bytes"));
    }
    let topic = call.header("topic");
    if topic.len() > 32 || !topic.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_') {
        return Err(Reply::text(400, "the topic is not one"));
    }
    let plain = Browser::of(call.seed, id).open(call.body);
    // A real push service cannot detect this, and the browser would display nothing. The sandbox
    // reports the error to help developers.
    let plain = plain.ok_or_else(|| Reply::text(400, "the browser cannot decrypt it"))?;
    let payload: Value = serde_json::from_slice(&plain).unwrap_or_default();
    let (_, sender) = call.header("authorization").rsplit_once("k=").unwrap_or_default();
    let of = |name: &str| payload[name].as_str().unwrap_or_default().to_owned();
    Ok(Content {
        title: of("title"),
        text: of("body"),
        link: payload["url"].as_str().map(str::to_owned),
        extra: json!({
            "ttl": ttl,
            "urgency": call.header("urgency"),
            "topic": topic,
            "tag": payload["tag"],
            "event": payload["event"],
            // Tests that simulate a browser need the sender and the data that the service worker
            // would receive.
            "plain": String::from_utf8_lossy(&plain),
            "sender": sender,
        }),
        ..Content::to(number)
    })
}

/// Returns `true` if the VAPID token is valid: for this service, not expired, correctly signed, and
/// with a contact.
fn is_identified(call: &Call<'_>) -> bool {
    let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).ok();
    let header = call.header("authorization");
    let Some((token, key)) = header.strip_prefix("vapid t=").and_then(|rest| rest.split_once(", k=")) else {
        return false;
    };
    let Some((signed, signature)) = token.rsplit_once('.') else { return false };
    let key = decode(key).and_then(|key| VerifyingKey::from_sec1_bytes(&key).ok());
    let signature = decode(signature).and_then(|bytes| Signature::from_slice(&bytes).ok());
    let (Some(key), Some(signature)) = (key, signature) else { return false };
    let claims = signed.split_once('.').and_then(|(_, claims)| decode(claims));
    let claims: Value = claims.and_then(|claims| serde_json::from_slice(&claims).ok()).unwrap_or_default();
    let life = claims["exp"].as_i64().unwrap_or_default() - call.now.timestamp();
    let subject = claims["sub"].as_str().unwrap_or_default();
    key.verify(signed.as_bytes(), &signature).is_ok()
        && claims["aud"] == call.origin.as_str()
        && (1..=24 * 60 * 60).contains(&life)
        && (subject.starts_with("mailto:") || subject.starts_with("https://"))
}

fn taken(id: u64) -> Reply {
    Reply::text(201, "").header("location", format!("{PATH}/web_push/messages/{id}"))
}

fn refuse(how: ProviderError) -> Reply {
    match how {
        ProviderError::Error => Reply::json(403, &json!({ "reason": "BadJwtToken" })),
        ProviderError::Limited(seconds) => Reply::text(429, "too many").retry_after(seconds),
        ProviderError::Gone | ProviderError::Blocked => {
            Reply::text(410, "push subscription has unsubscribed or expired.")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vector of RFC 8291, appendix A.
    #[test]
    fn the_rfc_example_is_decrypted() {
        let decode = |text: &str| BASE64_URL_SAFE_NO_PAD.decode(text).expect("base64url");
        let browser = Browser {
            key: SecretKey::from_slice(&decode("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"))
                .expect("a key"),
            auth: decode("BTBZMqHH6r4Tts7J_aSIgg").try_into().expect("16 bytes"),
        };
        let mut sealed = decode(
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6\
             PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN",
        );
        assert_eq!(browser.open(&sealed).as_deref(), Some(&b"When I grow up, I want to be a watermelon"[..]));
        sealed[100] ^= 1;
        assert_eq!(browser.open(&sealed), None);
        assert_eq!(browser.open(&[]), None);
    }
}
