//! Stories of passkeys, with a software authenticator.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::app::{PASSWORD, Person, Reply, TestApp, token_of};

stories!(
    a_passkey_signs_in_and_counts_as_a_step_up,
    a_passkey_signs_in_without_the_second_factor,
    an_answer_works_once_within_five_minutes,
    answers_of_another_site_or_without_user_verification_are_refused,
    adding_and_removing_passkeys_needs_a_step_up_and_is_mailed,
    a_passkey_of_another_user_proves_nothing,
    a_password_reset_removes_passkeys,
    a_moved_server_says_that_passkeys_do_not_work,
    a_removed_passkey_leaves_a_way_in,
    passkeys_need_a_host_name_and_https,
    an_ended_session_adds_no_passkey,
    a_reset_by_an_older_build_disables_passkeys,
    a_passkey_of_an_unproven_address_signs_nobody_in,
    google_can_be_unlinked_beside_a_passkey,
);

const SITE: &str = "https://sooner.example.com";

/// An authenticator with one passkey.
struct Authenticator {
    key: EcdsaKeyPair,
    id: [u8; 32],
    user: Vec<u8>,
    /// Origin of the page that uses it.
    origin: String,
    /// Relying party whose passkey it has.
    host: String,
    /// `true` if it verifies its user.
    verifies: bool,
}

impl Authenticator {
    fn new(seed: u8) -> Self {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, key.as_ref(), &random).unwrap();
        let (origin, host) = (SITE.to_owned(), "sooner.example.com".to_owned());
        Self { key, id: [seed; 32], user: Vec::new(), origin, host, verifies: true }
    }

    fn data(&self, attested: &[u8]) -> Vec<u8> {
        let mut data = Sha256::digest(self.host.as_bytes()).to_vec();
        // User present, verified, attested credential data.
        let mut flags = 0x01;
        if self.verifies {
            flags |= 0x04;
        }
        if !attested.is_empty() {
            flags |= 0x40;
        }
        data.push(flags);
        data.extend([0; 4]);
        data.extend(attested);
        data
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let client = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false,
        });
        client.to_string().into_bytes()
    }

    /// Answers the options of a new passkey.
    fn create(&mut self, options: &Value) -> Value {
        self.user = BASE64.decode(options["user"]["id"].as_str().unwrap()).unwrap();
        let point = self.key.public_key().as_ref();
        // COSE key in CBOR: EC2, ES256, P-256, x, y.
        let mut cose = vec![0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20];
        cose.extend(&point[1..33]);
        cose.extend([0x22, 0x58, 0x20]);
        cose.extend(&point[33..65]);
        let mut attested = vec![0; 16];
        attested.extend([0, 32]);
        attested.extend(self.id);
        attested.extend(&cose);
        let data = self.data(&attested);
        let client = self.client_data("webauthn.create", options);
        // Attestation object in CBOR: no attestation, and the authenticator data.
        let mut object = vec![0xa3, 0x63];
        object.extend(b"fmt");
        object.push(0x64);
        object.extend(b"none");
        object.push(0x67);
        object.extend(b"attStmt");
        object.extend([0xa0, 0x68]);
        object.extend(b"authData");
        object.extend([0x58, u8::try_from(data.len()).unwrap()]);
        object.extend(&data);
        // SubjectPublicKeyInfo of a P-256 key.
        let mut spki = hex::decode("3059301306072a8648ce3d020106082a8648ce3d030107034200").unwrap();
        spki.extend(point);
        json!({
            "id": BASE64.encode(self.id), "rawId": BASE64.encode(self.id), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": BASE64.encode(client), "attestationObject": BASE64.encode(object),
                "authenticatorData": BASE64.encode(data), "transports": ["internal"],
                "publicKey": BASE64.encode(spki), "publicKeyAlgorithm": -7,
            },
        })
    }

    /// Answers the options of a sign-in or a step-up.
    fn get(&self, options: &Value) -> Value {
        let (data, client) = (self.data(&[]), self.client_data("webauthn.get", options));
        let mut signed = data.clone();
        signed.extend(Sha256::digest(&client));
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": BASE64.encode(self.id), "rawId": BASE64.encode(self.id), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": BASE64.encode(client), "authenticatorData": BASE64.encode(data),
                "signature": BASE64.encode(signature), "userHandle": BASE64.encode(&self.user),
            },
        })
    }
}

/// Adds a passkey for a user who has stepped up.
async fn add(app: &TestApp, person: &Person, device: &mut Authenticator, name: &str) -> Reply {
    let options = app.call("POST", "/user/passkeys/options", Some(person), None).await;
    let credential = device.create(&options.data()["options"]);
    let body = json!({ "name": name, "credential": credential });
    app.call("POST", "/user/passkeys", Some(person), Some(body)).await
}

/// Adds a passkey for a user who has stepped up. Returns its id.
pub async fn added(app: &TestApp, person: &Person) -> String {
    let added = add(app, person, &mut Authenticator::new(1), "Phone").await;
    added.data()["id"].as_str().unwrap().to_owned()
}

async fn options(app: &TestApp) -> Value {
    app.call("POST", "/auth/passkey/options", None, None).await.data()["options"].clone()
}

async fn sign_in(app: &TestApp, device: &Authenticator) -> Reply {
    let credential = device.get(&options(app).await);
    app.post("/auth/passkey", json!({ "credential": credential, "rememberMe": true })).await
}

/// Returns a user with a passkey, whose step-up is over.
async fn with_passkey(app: &TestApp, name: &str) -> (Person, Authenticator) {
    let person = app.person(name).await;
    app.proves(&person).await;
    let mut device = Authenticator::new(name.as_bytes()[0]);
    assert_eq!(add(app, &person, &mut device, "Phone").await.data()["usable"], true);
    (app.signed_in_long_ago(&person.email).await, device)
}

async fn list(app: &TestApp, person: &Person) -> Value {
    app.get("/user/passkeys", person).await.data()["passkeys"].clone()
}

async fn notices(app: &TestApp) -> Vec<Value> {
    let mails = app.mails().await.into_iter().filter(|mail| mail.0 == "security_notice");
    mails.map(|(.., data)| data["what"].clone()).collect()
}

// spec: 10.7.100
async fn a_passkey_signs_in_and_counts_as_a_step_up(app: TestApp) {
    assert_eq!(app.call("GET", "/auth/methods", None, None).await.data()["passkeys"], true);
    let (person, device) = with_passkey(&app, "lin").await;
    let signed_in = sign_in(&app, &device).await;
    let here = app.signed_in(&person.email, &signed_in);
    assert_eq!(here.id, person.id);
    let own = app.get("/user/sessions", &here).await.data()["sessions"].clone();
    let own = own.as_array().unwrap().iter().find(|own| own["current"] == true).unwrap();
    assert_eq!((&own["method"], &own["remembered"]), (&json!("passkey"), &json!(true)));
    assert_eq!(app.call("POST", "/user/totp", Some(&here), None).await.status, 200, "no step-up is needed");
    let used = list(&app, &here).await[0]["used_at"].clone();
    assert!(used.is_string(), "its last use is listed: {used}");
    // In an older session the same passkey is a step-up.
    let risky = app.call("POST", "/user/totp", Some(&person), None).await;
    assert_eq!(risky.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(risky.body["data"]["methods"], json!(["password", "passkey"]));
    let answer = device.get(&options(&app).await);
    let proof = app.call("POST", "/auth/step-up", Some(&person), Some(json!({ "passkey": answer }))).await;
    assert_eq!(proof.status, 200, "{proof:?}");
    assert_eq!(app.call("POST", "/user/totp", Some(&person), None).await.status, 200);
}

// spec: 10.7.100
async fn a_passkey_signs_in_without_the_second_factor(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    app.proves(&person).await;
    crate::sign_ins::second_factor(&app, &person).await;
    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (401, "TOTP_REQUIRED"));
    assert_eq!(sign_in(&app, &device).await.status, 200);
}

// spec: 10.7.101
async fn an_answer_works_once_within_five_minutes(app: TestApp) {
    let (_, device) = with_passkey(&app, "lin").await;
    let answer = json!({ "credential": device.get(&options(&app).await) });
    assert_eq!(app.post("/auth/passkey", answer.clone()).await.status, 200);
    assert_eq!(app.post("/auth/passkey", answer).await.error(), (422, "PASSKEY_REFUSED"), "once");
    let late = json!({ "credential": device.get(&options(&app).await) });
    app.wait(301);
    assert_eq!(app.post("/auth/passkey", late).await.error(), (422, "PASSKEY_REFUSED"), "late");
    let mut made_up = options(&app).await;
    made_up["challenge"] = json!(BASE64.encode([7; 16]));
    let made_up = json!({ "credential": device.get(&made_up) });
    assert_eq!(app.post("/auth/passkey", made_up).await.error(), (422, "PASSKEY_REFUSED"), "own challenge");
    for bad in [json!(null), json!({}), json!("x"), json!({ "id": "x", "response": {} })] {
        let reply = app.post("/auth/passkey", json!({ "credential": bad })).await;
        assert_eq!(reply.error(), (422, "PASSKEY_REFUSED"), "{bad}");
    }
}

// spec: 10.7.101
async fn answers_of_another_site_or_without_user_verification_are_refused(app: TestApp) {
    let (person, mut device) = with_passkey(&app, "lin").await;
    "https://sooner.example.com.evil.example".clone_into(&mut device.origin);
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"), "another origin");
    SITE.clone_into(&mut device.origin);
    "evil.example".clone_into(&mut device.host);
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"), "another host");
    "sooner.example.com".clone_into(&mut device.host);
    device.verifies = false;
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"), "no user verification");
    device.verifies = true;
    let other = Authenticator { id: device.id, user: device.user.clone(), ..Authenticator::new(9) };
    assert_eq!(sign_in(&app, &other).await.error(), (422, "PASSKEY_REFUSED"), "another key");
    assert_eq!(sign_in(&app, &device).await.status, 200);
    app.proves(&person).await;
    let mut weak = Authenticator { verifies: false, ..Authenticator::new(8) };
    assert_eq!(add(&app, &person, &mut weak, "Weak").await.error(), (422, "PASSKEY_REFUSED"));
    assert_eq!(list(&app, &person).await.as_array().unwrap().len(), 1);
}

// spec: 10.7.102
async fn adding_and_removing_passkeys_needs_a_step_up_and_is_mailed(app: TestApp) {
    let person = app.person("lin").await;
    let start = async || app.call("POST", "/user/passkeys/options", Some(&person), None).await;
    assert_eq!(start().await.error(), (403, "STEP_UP_REQUIRED"));
    app.proves(&person).await;
    let offered = start().await.data()["options"].clone();
    assert_eq!(offered["authenticatorSelection"]["userVerification"], "required");
    let protection = &offered["extensions"]["enforceCredentialProtectionPolicy"];
    assert_ne!(protection, &json!(true), "authenticators of phones would refuse");
    let mut device = Authenticator::new(1);
    for (name, code) in [("  ", "required"), ("x".repeat(61).as_str(), "too_long")] {
        let refused = add(&app, &person, &mut device, name).await;
        assert_eq!(refused.body["data"]["fields"]["name"], code);
    }
    let added = add(&app, &person, &mut device, " Phone ").await.data().clone();
    assert_eq!((&added["name"], &added["host"]), (&json!("Phone"), &json!("sooner.example.com")));
    assert_eq!(notices(&app).await, [json!("passkey_added")]);
    let again = add(&app, &person, &mut device, "Phone").await;
    assert_eq!(again.error(), (422, "PASSKEY_REFUSED"), "the same passkey twice");
    let excluded = start().await.data()["options"]["excludeCredentials"][0]["id"].clone();
    assert_eq!(excluded, BASE64.encode(device.id), "the browser offers a known authenticator no second one");
    // The answer belongs to the session that started.
    let other = app.signed_in_long_ago(&person.email).await;
    app.proves(&other).await;
    let mut second = Authenticator::new(2);
    let credential = second.create(&start().await.data()["options"]);
    let body = json!({ "name": "Laptop", "credential": credential });
    let stolen = app.call("POST", "/user/passkeys", Some(&other), Some(body)).await;
    assert_eq!(stolen.error(), (422, "PASSKEY_REFUSED"), "another session");
    let path = format!("/user/passkeys/{}", added["id"].as_str().unwrap());
    let old = app.signed_in_long_ago(&person.email).await;
    assert_eq!(app.call("DELETE", &path, Some(&old), None).await.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(app.call("DELETE", &path, Some(&person), None).await.status, 200);
    assert_eq!(app.call("DELETE", &path, Some(&person), None).await.error(), (404, "NOT_FOUND"));
    assert_eq!(notices(&app).await, [json!("passkey_removed")]);
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"), "a removed passkey");
    let events = app.get("/user/security-events", &person).await.data()["events"].clone();
    let kinds: Vec<_> = events.as_array().unwrap().iter().map(|event| event["kind"].clone()).collect();
    assert!(
        kinds.contains(&json!("passkey_added")) && kinds.contains(&json!("passkey_removed")),
        "{kinds:?}"
    );
}

// spec: 10.7.102
async fn a_passkey_of_another_user_proves_nothing(app: TestApp) {
    let (_, stranger) = with_passkey(&app, "mallory").await;
    let (person, device) = with_passkey(&app, "lin").await;
    let answer = stranger.get(&options(&app).await);
    let proof = app.call("POST", "/auth/step-up", Some(&person), Some(json!({ "passkey": answer }))).await;
    assert_eq!(proof.error(), (422, "PASSKEY_REFUSED"));
    assert_eq!(app.call("POST", "/user/totp", Some(&person), None).await.error(), (403, "STEP_UP_REQUIRED"));
    // A passkey with the handle of another user.
    let forged = Authenticator { user: device.user.clone(), ..stranger };
    assert_eq!(sign_in(&app, &forged).await.error(), (422, "PASSKEY_REFUSED"));
}

// spec: 10.7.103
async fn a_password_reset_removes_passkeys(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    app.post("/auth/forgot-password", json!({ "email": person.email })).await;
    let token = token_of(&app.mails().await, "reset_password", "reset-password");
    let reset =
        app.post("/auth/reset-password", json!({ "token": token, "password": "New-Pass-word-1" })).await;
    assert_eq!(reset.status, 200, "{reset:?}");
    let mails = app.mails().await;
    let mail = mails.iter().find(|mail| mail.0 == "password_changed").unwrap();
    assert_eq!(mail.2["passkeys_removed"], true);
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"));
}

// spec: 10.7.104
async fn a_moved_server_says_that_passkeys_do_not_work(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    let app = app.reached_at("https://elsewhere.example.com");
    let person = app.signed_in_long_ago(&person.email).await;
    let known = list(&app, &person).await;
    assert_eq!((&known[0]["usable"], &known[0]["host"]), (&json!(false), &json!("sooner.example.com")));
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"));
    let risky = app.call("POST", "/user/totp", Some(&person), None).await;
    assert_eq!(risky.body["data"]["methods"], json!(["password"]));
}

// spec: 10.7.102
async fn a_removed_passkey_leaves_a_way_in(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    let mut tx = app.app.db.begin().await.unwrap();
    store::exec!(&mut tx, "UPDATE users SET password_hash = NULL WHERE id = $1", person.id.0).unwrap();
    tx.commit().await.unwrap();
    let here = app.signed_in(&person.email, &sign_in(&app, &device).await);
    let path = format!("/user/passkeys/{}", list(&app, &here).await[0]["id"].as_str().unwrap());
    let refused = app.call("DELETE", &path, Some(&here), None).await;
    assert_eq!(refused.body["data"]["fields"]["password"], "not_set");
    let mut second = Authenticator::new(5);
    assert_eq!(add(&app, &here, &mut second, "Laptop").await.status, 200);
    assert_eq!(app.call("DELETE", &path, Some(&here), None).await.status, 200);
    assert_eq!(sign_in(&app, &second).await.status, 200);
}

// spec: 10.7.104
async fn passkeys_need_a_host_name_and_https(app: TestApp) {
    let mut app = app;
    for (site, offered) in [
        ("http://sooner.example.com", false),
        ("https://203.0.113.7", false),
        ("https://[2001:db8::1]", false),
        ("http://127.0.0.1:8080", false),
        ("http://localhost:8080", true),
        ("https://sooner.example.com:8443", true),
    ] {
        app = app.reached_at(site);
        assert_eq!(app.call("GET", "/auth/methods", None, None).await.data()["passkeys"], offered, "{site}");
        let started = app.call("POST", "/auth/passkey/options", None, None).await.status;
        assert_eq!(started.as_u16(), if offered { 200 } else { 404 }, "{site}");
    }
}

// spec: 10.7.103
async fn an_ended_session_adds_no_passkey(app: TestApp) {
    let person = app.person("lin").await;
    app.proves(&person).await;
    let options = app.call("POST", "/user/passkeys/options", Some(&person), None).await;
    let mut device = Authenticator::new(1);
    let body = json!({ "name": "Phone", "credential": device.create(&options.data()["options"]) });
    // The reset happens elsewhere, after this node has accepted the token of the request.
    let session = app.app.access.read(&person.access, app.clock.now()).unwrap().session;
    let mut tx = app.app.db.begin().await.unwrap();
    store::session::revoke(&mut tx, session, "password_reset", app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let late = app.call("POST", "/user/passkeys", Some(&person), Some(body)).await;
    assert_eq!(late.error(), (401, "UNAUTHORIZED"));
    let mut tx = app.app.db.read().await.unwrap();
    assert!(store::passkey::of_user(&mut tx, person.id).await.unwrap().is_empty());
}

// spec: 10.7.103
async fn a_reset_by_an_older_build_disables_passkeys(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    assert_eq!(sign_in(&app, &device).await.status, 200);
    app.wait(1);
    let kind = domain::security_event::SecurityEventKind::PasswordReset;
    let event = store::security_event::NewEvent {
        user: person.id,
        kind,
        succeeded: true,
        session: None,
        client: None,
    };
    let mut tx = app.app.db.begin().await.unwrap();
    store::security_event::add(&mut tx, &app.app.random, &event, app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"));
}

// spec: 10.7.106
async fn a_passkey_of_an_unproven_address_signs_nobody_in(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    let mut tx = app.app.db.begin().await.unwrap();
    let sql = "UPDATE users SET email_verified_at = NULL WHERE id = $1";
    store::exec!(&mut tx, sql, person.id.0).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"));
    // The owner proves the address by a registration: the passkey is removed.
    let registered = app.register(&person.email).await;
    let link = crate::app::link_token(&app.mails().await);
    assert_eq!(app.open_link(&link, Some(&registered.cookie())).await.data()["outcome"], "verified");
    assert_eq!(sign_in(&app, &device).await.error(), (422, "PASSKEY_REFUSED"));
}

// spec: 10.7.102
async fn google_can_be_unlinked_beside_a_passkey(app: TestApp) {
    let (person, device) = with_passkey(&app, "lin").await;
    let mut tx = app.app.db.begin().await.unwrap();
    let google =
        store::identity::ProviderAccount { issuer: "https://accounts.google.com", subject: "1", email: None };
    assert!(store::identity::link(&mut tx, &google, person.id, app.clock.now()).await.unwrap());
    store::exec!(&mut tx, "UPDATE users SET password_hash = NULL WHERE id = $1", person.id.0).unwrap();
    tx.commit().await.unwrap();
    let here = app.signed_in(&person.email, &sign_in(&app, &device).await);
    assert_eq!(app.call("DELETE", "/user/google", Some(&here), None).await.status, 200);
    let path = format!("/user/passkeys/{}", list(&app, &here).await[0]["id"].as_str().unwrap());
    let last = app.call("DELETE", &path, Some(&here), None).await;
    assert_eq!(last.body["data"]["fields"]["password"], "not_set");
}
