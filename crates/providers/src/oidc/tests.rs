//! Tests with a token in the form that Google signs (RS256), and with providers that misbehave. The
//! private key of the token was discarded.

use std::time::Duration;

use chrono::{DateTime, TimeDelta};
use domain::clock::ManualClock;
use openidconnect::core::CoreJsonWebKeySet;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

const ISSUER: &str = "https://accounts.google.com";
const CLIENT: &str = "client.apps.example.com";

fn clock() -> ManualClock {
    ManualClock::new(DateTime::from_timestamp(1_795_000_000, 0).unwrap())
}

fn provider(issuer: &str, client_id: &str, clock: &ManualClock) -> Provider {
    let config = Config {
        issuer: issuer.to_owned(),
        client_id: client_id.to_owned(),
        client_secret: "secret".to_owned().into(),
        redirect_uri: "https://sooner.example.com/api/v1/auth/google/callback".to_owned(),
        timeout: Duration::from_millis(300),
    };
    let _ = rustls::crypto::ring::default_provider().install_default();
    Provider::new(config, clock.clock()).unwrap()
}

fn fixture() -> Value {
    serde_json::from_str(include_str!("google.json")).unwrap()
}

fn check(clock: &ManualClock, client_id: &str, id_token: &str, nonce: &str) -> Result<ProviderUser, String> {
    let description = json!({
        "issuer": ISSUER,
        "authorization_endpoint": "https://accounts.google.com/o/oauth2/v2/auth",
        "token_endpoint": "https://oauth2.googleapis.com/token",
        "jwks_uri": "https://www.googleapis.com/oauth2/v3/certs",
        "response_types_supported": ["code"],
        "subject_types_supported": ["public"],
        // The provider's metadata may list any algorithm. Only secure signatures are accepted.
        "id_token_signing_alg_values_supported": ["RS256", "none", "HS256"],
    });
    let metadata: CoreProviderMetadata = serde_json::from_value(description).unwrap();
    let keys: CoreJsonWebKeySet = serde_json::from_value(fixture()["keys"].clone()).unwrap();
    let known = CachedMetadata { metadata: Arc::new(metadata.set_jwks(keys)), at: clock.now() };
    let answer = json!({ "access_token": "x", "token_type": "Bearer", "id_token": id_token });
    let answer: CoreTokenResponse = serde_json::from_value(answer).map_err(|e| e.to_string())?;
    let provider = provider(ISSUER, client_id, clock);
    provider.check(&known, &answer, &Nonce::new(nonce.to_owned())).map_err(|e| e.to_string())
}

// spec: 10.7.24
#[test]
fn a_google_token_identifies_the_user() {
    let clock = clock();
    let token = fixture()["id_token"].as_str().unwrap().to_owned();
    let person = check(&clock, CLIENT, &token, "the-nonce").unwrap();
    assert_eq!((person.issuer.as_str(), person.subject.as_str()), (ISSUER, "110169484474386276334"));
    assert_eq!((person.email.as_deref(), person.email_verified), (Some("hanxiaoyu@example.com"), true));
    assert_eq!(person.authenticated_at, Some(clock.now() - TimeDelta::seconds(60)));
    clock.advance(TimeDelta::minutes(10));
    check(&clock, CLIENT, &token, "the-nonce").unwrap();
    clock.advance(TimeDelta::seconds(1));
    assert!(check(&clock, CLIENT, &token, "the-nonce").is_err(), "old");
}

// spec: 10.7.24
#[test]
fn altered_tokens_and_tokens_of_other_clients_are_refused() {
    let clock = clock();
    let token = fixture()["id_token"].as_str().unwrap().to_owned();
    assert!(check(&clock, CLIENT, &token, "another-nonce").is_err());
    assert!(check(&clock, "another-client", &token, "the-nonce").is_err());
    let mut parts: Vec<&str> = token.split('.').collect();
    let none = "eyJhbGciOiJub25lIn0";
    for (at, part) in [(2, "AAAA"), (0, none)] {
        let right = std::mem::replace(&mut parts[at], part);
        assert!(check(&clock, CLIENT, &parts.join("."), "the-nonce").is_err(), "{part}");
        parts[at] = right;
    }
    assert!(check(&clock, CLIENT, &format!("{none}.{}.", parts[1]), "the-nonce").is_err());
    let early = ManualClock::new(clock.now() - TimeDelta::minutes(3));
    assert!(check(&early, CLIENT, &token, "the-nonce").is_err(), "the token is from the future");
}

/// Starts a server that answers every connection with `bytes`, or never answers if `bytes` is
/// `None`. Returns its URL.
async fn answering(bytes: Option<Vec<u8>>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let bytes = bytes.clone();
            tokio::spawn(async move {
                let mut asked = [0; 4096];
                let _ = stream.read(&mut asked).await;
                match bytes {
                    Some(bytes) => drop(stream.write_all(&bytes).await),
                    None => std::future::pending().await,
                }
            });
        }
    });
    format!("http://{address}")
}

// spec: 10.7.24
#[tokio::test]
async fn a_misbehaving_provider_counts_as_unavailable() {
    let page = |head: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
        Some([head.as_bytes(), body].concat())
    };
    let ways = [
        ("silent", None),
        ("down", page("503 Down", b"")),
        ("large", page("200 OK", &vec![b' '; 600 * 1024])),
        ("elsewhere", page("302 Found\r\nlocation: https://example.com/", b"")),
        ("nonsense", page("200 OK\r\ncontent-type: application/json", b"{\"issuer\":1}")),
    ];
    let parameters =
        AuthorizationParameters { state: "s", nonce: "n", verifier: &"v".repeat(43), reauthenticate: false };
    for (way, bytes) in ways {
        let provider = provider(&answering(bytes).await, CLIENT, &clock());
        let address = provider.address(parameters).await;
        assert!(matches!(address, Err(OidcError::Unavailable(_))), "{way}: {address:?}");
    }
    let nobody = provider("http://127.0.0.1:1", CLIENT, &clock());
    assert!(matches!(nobody.identify("c", "v", "n").await, Err(OidcError::Unavailable(_))));
    let config = Config {
        issuer: "no address".to_owned(),
        client_id: String::new(),
        client_secret: String::new().into(),
        redirect_uri: String::new(),
        timeout: Duration::from_secs(1),
    };
    assert!(matches!(Provider::new(config, clock().clock()), Err(OidcError::Setting(_))));
}
