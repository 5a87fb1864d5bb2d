//! Stories of sign-in with Google, simulated by the sandbox's identity provider.

use axum::body::Body;
use axum::http::{HeaderMap, Request};
use sandbox::world::faults::FaultKind;
use serde_json::{Value, json};

use crate::app::{PASSWORD, Person, Reply, TestApp, link_token, request};
use crate::stage::Stage;

portal_stories!(
    a_new_google_user_gets_a_verified_account_without_a_password,
    a_returning_google_user_is_identified_by_id_not_address,
    an_account_with_the_same_verified_address_is_linked,
    an_account_gets_no_second_google_link_by_its_address,
    google_linking_does_not_bypass_the_second_factor,
    an_unverified_registration_gains_no_access_to_a_google_account,
    an_unverified_google_address_is_refused,
    invalid_id_tokens_are_refused,
    an_attackers_callback_link_signs_no_victim_in,
    a_callback_works_once_and_within_ten_minutes,
    a_provider_outage_is_reported,
    a_bootstrap_token_works_once_within_a_minute,
    a_user_without_a_password_steps_up_at_google,
    a_step_up_with_another_google_identity_is_refused,
    deleting_an_account_removes_its_google_link,
    repeated_google_sign_in_starts_are_limited,
    a_google_sign_in_needs_the_second_factor,
    an_address_at_an_untrusted_mail_host_is_not_linked,
    linking_and_unlinking_google_need_a_step_up,
    an_unlinked_identity_is_only_relinked_by_the_user,
    a_password_reset_removes_the_google_link,
    a_google_step_up_needs_the_second_factor,
);

mod unconfigured {
    stories!(google_is_off_unless_configured);
    use super::google_is_off_unless_configured;
}

/// A browser that stores only the pre-session cookie.
#[derive(Clone, Default)]
struct Browser {
    cookie: Option<String>,
}

/// Query of the web page to which the provider's redirect leads.
#[derive(Debug)]
struct Landing(Vec<(String, String)>);

impl Landing {
    fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    fn error(&self) -> &str {
        assert_eq!(self.get("success"), "", "{self:?}");
        self.get("error")
    }
}

impl Browser {
    async fn call(&self, app: &TestApp, mut request: Request<Body>) -> Reply {
        if let Some(cookie) = &self.cookie {
            let value = format!("other=1; __Host-sooner_pre={cookie}");
            request.headers_mut().insert("cookie", value.parse().unwrap());
        }
        app.send(request).await
    }

    /// Starts the flow at Google, and returns the address of Google's page.
    async fn leave(&mut self, app: &TestApp, person: Option<&Person>, body: Value) -> String {
        let reply = self.call(app, request("POST", "/auth/google/login", person, Some(body))).await;
        let address = reply.data()["auth_url"].as_str().unwrap().to_owned();
        assert!(address.contains(reply.data()["state"].as_str().unwrap()));
        self.cookie = Some(set_cookie(&reply.headers));
        address
    }

    /// Requests the callback, and returns the query of the page.
    async fn back(&self, app: &TestApp, path: &str) -> Landing {
        let reply = self.call(app, request("GET", path, None, None)).await;
        assert_eq!(reply.status, 303);
        let to = reply.headers["location"].to_str().unwrap();
        let query = to.strip_prefix("/auth/google/callback?").unwrap();
        let pairs = query.split('&').map(|pair| pair.split_once('=').unwrap());
        Landing(pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    async fn trade(&self, app: &TestApp, landing: &Landing) -> Reply {
        let body = json!({ "refresh_token": landing.get("refresh_token") });
        self.call(app, request("POST", "/auth/refresh", None, Some(body))).await
    }

    /// Completes a flow at the provider as one of the invented users.
    async fn visit(&mut self, stage: &Stage, who: &str) -> Landing {
        let address = self.leave(stage, None, json!({})).await;
        self.back(stage, &choose(&address, who).await).await
    }

    /// Signs in as one of the invented users.
    async fn sign_in(&mut self, stage: &Stage, who: &str) -> Person {
        let landing = self.visit(stage, who).await;
        assert_eq!(landing.get("success"), "true", "{landing:?}");
        let reply = self.trade(stage, &landing).await;
        person(stage, &reply).await
    }
}

/// Returns the value of the cookie, and checks its attributes.
fn set_cookie(headers: &HeaderMap) -> String {
    let cookie = headers["set-cookie"].to_str().unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(attributes, "Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure");
    pair.strip_prefix("__Host-sooner_pre=").unwrap().to_owned()
}

/// Selects a user on the provider's page. Returns the path of the callback.
async fn choose(address: &str, who: &str) -> String {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none());
    let client = client.build().unwrap();
    let page = client.get(address).send().await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(page.text().await.unwrap().contains("Han Xiaoyu"));
    let form = match who.split_once(':') {
        Some((who, email)) => vec![("person", who), ("email", email)],
        None => vec![("person", who)],
    };
    let answer = client.post(address).form(&form).send().await.unwrap();
    let to = answer.headers()["location"].to_str().unwrap();
    to.strip_prefix("https://sooner.example.com/api/v1").unwrap().to_owned()
}

async fn person(app: &TestApp, tokens: &Reply) -> Person {
    let text = |name: &str| tokens.data()[name].as_str().unwrap().to_owned();
    let (access, refresh) = (text("access_token"), text("refresh_token"));
    let id = "00000000-0000-7000-8000-000000000000".parse().unwrap();
    let anybody = Person { email: String::new(), access, refresh, id };
    let profile = app.get("/user/profile", &anybody).await;
    let user = &profile.data()["user"];
    let (email, id) = (user["email"].as_str().unwrap().to_owned(), user["id"].as_str().unwrap());
    Person { email, id: id.parse().unwrap(), ..anybody }
}

async fn user(app: &TestApp, person: &Person) -> Value {
    app.get("/user/profile", person).await.data()["user"].clone()
}

// spec: 1.11, 4.1.02, 7.1.04, 10.7.39
async fn a_new_google_user_gets_a_verified_account_without_a_password(stage: Stage) {
    let methods = stage.send(request("GET", "/auth/methods", None, None)).await;
    let offered = methods.data();
    assert_eq!((&offered["google"], &offered["mail"]), (&json!(true), &json!(true)));
    let mut browser = Browser::default();
    let criteria =
        json!({ "language": "en", "rememberMe": true, "purpose": "sign_in", "origin": "/pricing" });
    let address = browser.leave(&stage, None, criteria).await;
    for part in ["response_type=code", "code_challenge_method=S256", "nonce=", "scope=openid+email"] {
        assert!(address.contains(part), "{part} in {address}");
    }
    let landing = browser.back(&stage, &choose(&address, "new").await).await;
    assert_eq!((landing.get("success"), landing.get("is_new_user")), ("true", "true"));
    let reply = browser.trade(&stage, &landing).await;
    assert!(reply.headers["set-cookie"].to_str().unwrap().starts_with("__Host-sooner_pre=; Max-Age=0"));
    let han = person(&stage, &reply).await;
    let profile = user(&stage, &han).await;
    assert_eq!((&profile["email"], &profile["language"]), (&json!("hanxiaoyu@example.com"), &json!("en")));
    let flags = ["emailVerified", "has_password", "google_linked", "totp_enabled"].map(|f| &profile[f]);
    assert_eq!(flags, [true, false, true, false]);
    let sessions = stage.get("/user/sessions", &han).await.data()["sessions"].clone();
    assert_eq!((&sessions[0]["method"], &sessions[0]["remembered"]), (&json!("google"), &json!(true)));
    assert!(stage.mails().await.is_empty(), "Google proved the address");
    let next = stage.post("/auth/refresh", json!({ "refresh_token": han.refresh })).await;
    assert_eq!(next.status, 200, "from here on it is a normal sign-in");
    assert_eq!(stage.login("hanxiaoyu@example.com", "").await.status, 422);
    assert_eq!(stage.login("hanxiaoyu@example.com", PASSWORD).await.error(), (401, "INVALID_CREDENTIALS"));
}

// spec: 10.7.27
async fn a_returning_google_user_is_identified_by_id_not_address(stage: Stage) {
    let first = Browser::default().sign_in(&stage, "new").await;
    // The address of the account here changes; the identity at Google stays the same.
    let mut tx = stage.app.db.begin().await.unwrap();
    let moved =
        store::user::set_unproven_email(&mut tx, first.id, "han@example.org", stage.clock.now()).await;
    assert!(moved.unwrap());
    tx.commit().await.unwrap();
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "new").await;
    assert_eq!(landing.get("is_new_user"), "false");
    let again = person(&stage, &browser.trade(&stage, &landing).await).await;
    assert_eq!((again.id, again.email.as_str()), (first.id, "han@example.org"));
    // Another subject with the old address is a different user.
    let other = Browser::default().sign_in(&stage, "other:hanxiaoyu@example.com").await;
    assert_ne!(other.id, first.id);
}

// spec: 10.7.27
async fn an_account_with_the_same_verified_address_is_linked(stage: Stage) {
    let demo = stage.person("demo").await;
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "known").await;
    assert_eq!(landing.get("is_new_user"), "false");
    let by_google = person(&stage, &browser.trade(&stage, &landing).await).await;
    assert_eq!(by_google.id, demo.id);
    let profile = user(&stage, &demo).await;
    assert_eq!((&profile["has_password"], &profile["google_linked"]), (&json!(true), &json!(true)));
    assert_eq!(stage.login("demo@example.com", PASSWORD).await.status, 200, "the password still works");
}

// spec: 10.7.27
async fn google_linking_does_not_bypass_the_second_factor(stage: Stage) {
    let demo = stage.person("demo").await;
    let mut tx = stage.app.db.begin().await.unwrap();
    let drawn = server::auth::totp::draw(&stage.app, demo.id, &demo.email).unwrap();
    store::totp::put_pending(&mut tx, &drawn.row, stage.clock.now()).await.unwrap();
    assert!(store::totp::confirm(&mut tx, &drawn.row, 0, stage.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    // An attacker who reads a mailbox can create a Google account with its address.
    assert_eq!(Browser::default().visit(&stage, "known").await.error(), "totp_required");
    assert_eq!(user(&stage, &demo).await["google_linked"], false);
}

// spec: 10.7.27
async fn an_unverified_registration_gains_no_access_to_a_google_account(stage: Stage) {
    let email = "hanxiaoyu@example.com";
    assert_eq!(stage.register(email).await.status, 200);
    let link = link_token(&stage.mails().await);
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "new").await;
    assert_eq!(landing.get("is_new_user"), "true");
    let han = person(&stage, &browser.trade(&stage, &landing).await).await;
    assert_eq!(user(&stage, &han).await["has_password"], false);
    let used = stage.open_link(&link, None).await;
    assert_eq!(used.body["success"], false);
    let stranger = stage.login(email, PASSWORD).await;
    assert!([401, 403].contains(&stranger.status.as_u16()), "{stranger:?}");
    assert_eq!(user(&stage, &han).await["has_password"], false);
    assert_eq!(Browser::default().sign_in(&stage, "new").await.id, han.id);
}

// spec: 10.7.27
async fn an_unverified_google_address_is_refused(stage: Stage) {
    assert_eq!(Browser::default().visit(&stage, "unverified").await.error(), "email_unverified");
    assert_eq!(Browser::default().visit(&stage, "refusing").await.error(), "access_denied");
    let mut tx = stage.app.db.read().await.unwrap();
    for email in ["moweizhi@example.com", "buyuan@example.com"] {
        assert!(store::user::by_email(&mut tx, email).await.unwrap().is_none(), "{email}");
    }
}

// spec: 10.7.24, 10.7.39
async fn invalid_id_tokens_are_refused(stage: Stage) {
    let ways = ["signature", "unsigned", "missing", "nonce", "audience", "issuer", "expired"]
        .map(|w| format!("broken-{w}"));
    for who in ways.iter().map(String::as_str).chain(["broken"]) {
        assert_eq!(Browser::default().visit(&stage, who).await.error(), "invalid_token", "{who}");
    }
    assert_eq!(stage.requests("identity_token"), 8);
    assert_eq!(stage.requests("identity_discovery"), 1, "the provider's description is cached");
    let mut tx = stage.app.db.read().await.unwrap();
    assert!(store::user::by_email(&mut tx, "huailing@example.com").await.unwrap().is_none());
}

// spec: 10.7.26
async fn an_attackers_callback_link_signs_no_victim_in(stage: Stage) {
    let (mut stranger, mut victim) = (Browser::default(), Browser::default());
    let address = stranger.leave(&stage, None, json!({})).await;
    let link = choose(&address, "new").await;
    // The attacker stops before the callback and sends the link to the victim. The victim has
    // started no flow at Google, or a different one.
    assert_eq!(victim.back(&stage, &link).await.error(), "state_mismatch");
    let own = victim.leave(&stage, None, json!({})).await;
    assert_eq!(victim.back(&stage, &link).await.error(), "state_mismatch");
    // The attacker completes the callback, and sends the victim the page that exchanges the token.
    let page = stranger.back(&stage, &link).await;
    assert_eq!(page.get("success"), "true", "the link was used up by another browser");
    for browser in [&Browser::default(), &victim] {
        assert_eq!(browser.trade(&stage, &page).await.error(), (401, "INVALID_REFRESH_TOKEN"));
    }
    let both = Browser { cookie: stranger.cookie.clone().map(|c| format!("{c}; __Host-sooner_pre={c}")) };
    assert_eq!(both.trade(&stage, &page).await.error().0, 401, "two cookies count as none");
    // The victim's flow continues. The attacker can only sign in to the attacker's account.
    let landing = victim.back(&stage, &choose(&own, "other:victim@example.com").await).await;
    let victim = person(&stage, &victim.trade(&stage, &landing).await).await;
    assert_eq!(victim.email, "victim@example.com");
    let stranger = person(&stage, &stranger.trade(&stage, &page).await).await;
    assert_eq!(stranger.email, "hanxiaoyu@example.com");
}

// spec: 10.7.25
async fn a_callback_works_once_and_within_ten_minutes(stage: Stage) {
    let mut browser = Browser::default();
    let address = browser.leave(&stage, None, json!({})).await;
    let path = choose(&address, "new").await;
    assert_eq!(browser.back(&stage, &path).await.get("success"), "true");
    assert_eq!(browser.back(&stage, &path).await.error(), "state_mismatch", "replayed");
    let state = "0".repeat(64);
    for (query, word) in [
        (String::new(), "missing_code"),
        ("?code=".to_owned(), "missing_code"),
        (format!("?state={state}"), "missing_code"),
        ("?code=x".to_owned(), "state_mismatch"),
        (format!("?code=x&state={state}"), "state_mismatch"),
        ("?code=x&state=%ff%00".to_owned(), "state_mismatch"),
        ("?code=x&code=y".to_owned(), "missing_code"),
        ("?error=access_denied".to_owned(), "access_denied"),
        ("?error=server_error&state=x".to_owned(), "provider_unavailable"),
        ("?error=<script>".to_owned().replace('<', "%3C").replace('>', "%3E"), "access_denied"),
    ] {
        let landing = browser.back(&stage, &format!("/auth/google/callback{query}")).await;
        assert_eq!(landing.error(), word, "{query}");
    }
    let address = browser.leave(&stage, None, json!({})).await;
    let (state, _) = address.split_once("state=").unwrap().1.split_at(64);
    let forged = format!("/auth/google/callback?code=forged&state={state}");
    assert_eq!(browser.back(&stage, &forged).await.error(), "invalid_token", "the code belongs to nobody");
    let address = browser.leave(&stage, None, json!({})).await;
    let path = choose(&address, "new").await;
    stage.wait(600);
    assert_eq!(browser.back(&stage, &path).await.error(), "expired");
    server::run::housekeeping_round(&stage.app).await.unwrap();
    stage.wait(2 * 24 * 3600);
    server::run::housekeeping_round(&stage.app).await.unwrap();
    assert_eq!(browser.back(&stage, &path).await.error(), "state_mismatch", "forgotten");
}

// spec: 10.7.24
async fn a_provider_outage_is_reported(stage: Stage) {
    let down = stage.fault(FaultKind::IdentityDown);
    let reply = stage.post("/auth/google/login", json!({})).await;
    assert_eq!(reply.error(), (502, "GOOGLE_OAUTH_ERROR"));
    assert!(reply.headers.get("set-cookie").is_none());
    stage.sandbox.with_world(|w| w.remove_faults(Some(down)));
    let mut browser = Browser::default();
    let address = browser.leave(&stage, None, json!({})).await;
    let path = choose(&address, "new").await;
    let down = stage.fault(FaultKind::IdentityDown);
    assert_eq!(browser.back(&stage, &path).await.error(), "provider_unavailable");
    stage.sandbox.with_world(|w| w.remove_faults(Some(down)));
    assert_eq!(browser.back(&stage, &path).await.error(), "state_mismatch", "the sign-in has to begin again");
    browser.sign_in(&stage, "new").await;
}

// spec: 10.7.25
async fn a_bootstrap_token_works_once_within_a_minute(stage: Stage) {
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "new").await;
    let shown = landing.get("token").to_owned();
    let claims = claims(&shown);
    assert_eq!(
        (&claims["typ"], claims["exp"].as_i64().unwrap()),
        (&json!("bootstrap"), stage.clock.now().timestamp() + 60)
    );
    let liar = Person {
        access: shown,
        email: String::new(),
        refresh: String::new(),
        id: claims["sub"].as_str().unwrap().parse().unwrap(),
    };
    for path in ["/user/profile", "/users/credit", "/schedules", "/user/sessions"] {
        assert_eq!(stage.get(path, &liar).await.error(), (401, "UNAUTHORIZED"), "{path}");
    }
    assert_eq!(browser.trade(&stage, &landing).await.status, 200);
    assert_eq!(browser.trade(&stage, &landing).await.error(), (401, "INVALID_REFRESH_TOKEN"), "once");
    let late = browser.visit(&stage, "new").await;
    stage.wait(60);
    assert_eq!(
        browser.trade(&stage, &late).await.error(),
        (401, "INVALID_REFRESH_TOKEN"),
        "the page was in time"
    );
    let bare = json!({ "refresh_token": late.get("refresh_token").trim_start_matches("b-") });
    assert_eq!(stage.post("/auth/refresh", bare).await.error(), (401, "INVALID_REFRESH_TOKEN"));
}

fn claims(token: &str) -> Value {
    use base64::Engine as _;
    let part = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&base64::prelude::BASE64_URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

async fn need_proof(stage: &Stage, person: &Person) -> Reply {
    stage.call("POST", "/user/totp", Some(person), None).await
}

async fn prove(stage: &Stage, person: &Person, who: &str) -> Landing {
    let mut browser = Browser::default();
    let address = browser.leave(stage, Some(person), json!({ "purpose": "step_up" })).await;
    assert!(address.contains("prompt=select_account") && address.contains("max_age=0"), "{address}");
    browser.back(stage, &choose(&address, who).await).await
}

// spec: 10.7.28
async fn a_user_without_a_password_steps_up_at_google(stage: Stage) {
    let han = Browser::default().sign_in(&stage, "new").await;
    let refused = need_proof(&stage, &han).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(refused.body["data"], json!({ "methods": ["google"], "totp": false }));
    let landing = prove(&stage, &han, "new").await;
    assert_eq!((landing.get("success"), landing.get("step_up")), ("true", "true"));
    assert_eq!((landing.get("token"), landing.get("refresh_token")), ("", ""), "no new sign-in");
    assert_eq!(need_proof(&stage, &han).await.status, 200);
    let elsewhere = Browser::default().sign_in(&stage, "new").await;
    assert_eq!(need_proof(&stage, &elsewhere).await.error().0, 403, "the proof counts for this sign-in only");
    stage.wait(300);
    assert_eq!(need_proof(&stage, &han).await.error(), (403, "STEP_UP_REQUIRED"));
}

// spec: 10.7.28
async fn a_step_up_with_another_google_identity_is_refused(stage: Stage) {
    let nobody = stage.post("/auth/google/login", json!({ "purpose": "step_up" })).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
    let plain = stage.person("plain").await;
    let step_up = Some(json!({ "purpose": "step_up" }));
    let unlinked = stage.call("POST", "/auth/google/login", Some(&plain), step_up).await;
    assert_eq!(unlinked.error(), (403, "FORBIDDEN"), "no identity at Google is linked");
    stage.person("demo").await;
    let demo = Browser::default().sign_in(&stage, "known").await;
    assert_eq!(need_proof(&stage, &demo).await.body["data"]["methods"], json!(["password", "google"]));
    for who in ["new", "other:demo@example.com", "broken-stale"] {
        assert_eq!(prove(&stage, &demo, who).await.error(), "step_up_mismatch", "{who}");
        assert_eq!(need_proof(&stage, &demo).await.error().0, 403, "{who}");
    }
    assert!(user_by(&stage, "hanxiaoyu@example.com").await.is_none(), "a step-up registers no user");
    // The callback counts only in the browser that started the flow, and while the session is live.
    let mut browser = Browser::default();
    let address = browser.leave(&stage, Some(&demo), json!({ "purpose": "step_up" })).await;
    let path = choose(&address, "known").await;
    assert_eq!(Browser::default().back(&stage, &path).await.error(), "state_mismatch");
    assert_eq!(stage.call("POST", "/auth/logout", Some(&demo), None).await.status, 200);
    assert_eq!(browser.back(&stage, &path).await.error(), "expired");
}

async fn user_by(stage: &Stage, email: &str) -> Option<store::user::User> {
    let mut tx = stage.app.db.read().await.unwrap();
    store::user::by_email(&mut tx, email).await.unwrap()
}

// spec: 10.7.27
async fn deleting_an_account_removes_its_google_link(stage: Stage) {
    let han = Browser::default().sign_in(&stage, "new").await;
    prove(&stage, &han, "new").await;
    let body = json!({ "forfeit_balance": 0.0 });
    let gone = stage.call("POST", "/user/deletion", Some(&han), Some(body)).await;
    assert_eq!(gone.status, 200, "{gone:?}");
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "new").await;
    assert_eq!(landing.get("is_new_user"), "true");
    assert_ne!(person(&stage, &browser.trade(&stage, &landing).await).await.id, han.id);
}

// spec: 10.7.13
async fn repeated_google_sign_in_starts_are_limited(stage: Stage) {
    let mut last = stage.post("/auth/google/login", json!({})).await;
    for _ in 0..60 {
        last = stage.post("/auth/google/login", json!({})).await;
    }
    assert_eq!(last.error(), (429, "TOO_MANY_ATTEMPTS"));
    assert!(last.headers.contains_key("retry-after"));
    let back = Browser::default().back(&stage, "/auth/google/callback?code=x").await;
    assert_eq!(back.error(), "too_many_attempts");
    stage.wait(60);
    assert_eq!(stage.post("/auth/google/login", json!({})).await.status, 200);
}

// spec: 10.7.24
async fn google_is_off_unless_configured(app: TestApp) {
    let methods = app.send(request("GET", "/auth/methods", None, None)).await;
    let offered = methods.data();
    assert_eq!((&offered["google"], &offered["mail"]), (&json!(false), &json!(true)));
    assert_eq!(app.post("/auth/google/login", json!({})).await.error(), (503, "GOOGLE_NOT_CONFIGURED"));
    let landing = Browser::default().back(&app, "/auth/google/callback?code=x&state=y").await;
    assert_eq!(landing.error(), "provider_unavailable");
}

// spec: 10.7.72
async fn a_google_sign_in_needs_the_second_factor(stage: Stage) {
    let demo = stage.person("demo").await;
    let mut browser = Browser::default();
    let landing = browser.visit(&stage, "known").await;
    browser.trade(&stage, &landing).await.data();
    let (secret, codes) = crate::sign_ins::second_factor(&stage, &demo).await;
    stage.wait(60);
    let landing = browser.visit(&stage, "known").await;
    let trade = |code: Option<String>| {
        let body = json!({ "refresh_token": landing.get("refresh_token"), "totp_code": code });
        browser.call(&stage, request("POST", "/auth/refresh", None, Some(body)))
    };
    assert_eq!(trade(None).await.error(), (401, "TOTP_REQUIRED"));
    assert_eq!(trade(Some("000000".to_owned())).await.error(), (401, "TOTP_INVALID"));
    // The user needs more than a minute to find the code on the phone.
    stage.wait(120);
    let right = trade(Some(crate::sign_ins::code(&stage, &secret, 0))).await;
    assert_eq!(person(&stage, &right).await.id, demo.id);
    assert_eq!(trade(Some(codes[0].clone())).await.error(), (401, "INVALID_REFRESH_TOKEN"), "once");
}

// spec: 10.7.72
async fn an_address_at_an_untrusted_mail_host_is_not_linked(stage: Stage) {
    let mut settings = server::config::Settings::clone(&stage.app.settings);
    settings.google_mail_hosts = vec!["gmail.com".to_owned()];
    let mut app = stage.app.clone();
    app.settings = std::sync::Arc::new(settings);
    let demo = stage.person("demo").await;
    let router = server::router(app);
    let mut browser = Browser::default();
    let address = browser.leave(&stage, None, json!({})).await;
    let path = choose(&address, "known").await;
    let mut back = request("GET", &path, None, None);
    let cookie = format!("__Host-sooner_pre={}", browser.cookie.as_ref().unwrap());
    back.headers_mut().insert("cookie", cookie.parse().unwrap());
    let landed = tower::ServiceExt::oneshot(router, back).await.unwrap();
    assert_eq!(landed.headers()["location"], "/auth/google/callback?error=link_first");
    assert_eq!(user(&stage, &demo).await["google_linked"], false);
}

// spec: 10.7.72
async fn linking_and_unlinking_google_need_a_step_up(stage: Stage) {
    let wang = stage.person("wang").await;
    stage.wait(301);
    let mut browser = Browser::default();
    let link = json!({ "purpose": "link" });
    let refused = stage.call("POST", "/auth/google/login", Some(&wang), Some(link.clone())).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    let proof = json!({ "password": PASSWORD });
    assert_eq!(stage.call("POST", "/auth/step-up", Some(&wang), Some(proof)).await.status, 200);
    stage.mails().await;
    let address = browser.leave(&stage, Some(&wang), link.clone()).await;
    let landing = browser.back(&stage, &choose(&address, "known").await).await;
    assert_eq!((landing.get("success"), landing.get("linked")), ("true", "true"));
    assert_eq!(landing.get("refresh_token"), "", "no new sign-in");
    assert_eq!(Browser::default().sign_in(&stage, "known").await.id, wang.id);
    let shown = user(&stage, &wang).await;
    assert_eq!(
        shown["google_email"], "demo@example.com",
        "the address at Google is another than the account's: {}",
        shown["email"]
    );
    assert_eq!(notices(&stage).await, [json!("google_linked")]);
    // Another account cannot link the same identity, and an account cannot link two identities.
    let other = stage.person("han").await;
    let proof = json!({ "password": PASSWORD });
    assert_eq!(stage.call("POST", "/auth/step-up", Some(&other), Some(proof)).await.status, 200);
    let mut elsewhere = Browser::default();
    let address = elsewhere.leave(&stage, Some(&other), link.clone()).await;
    assert_eq!(elsewhere.back(&stage, &choose(&address, "known").await).await.error(), "linked_elsewhere");
    let address = browser.leave(&stage, Some(&wang), link).await;
    assert_eq!(browser.back(&stage, &choose(&address, "new").await).await.error(), "another_linked");
    // The user removes the link.
    let gone = stage.call("DELETE", "/user/google", Some(&wang), None).await;
    assert_eq!(gone.data(), &json!({}));
    let shown = user(&stage, &wang).await;
    assert_eq!((&shown["google_linked"], &shown["google_email"]), (&json!(false), &json!(null)));
    assert_eq!(notices(&stage).await, [json!("google_unlinked")]);
    // A user without another sign-in method cannot remove the link.
    let only = Browser::default().sign_in(&stage, "new").await;
    let mut proving = Browser::default();
    let address = proving.leave(&stage, Some(&only), json!({ "purpose": "step_up" })).await;
    assert_eq!(proving.back(&stage, &choose(&address, "new").await).await.get("step_up"), "true");
    let refused = stage.call("DELETE", "/user/google", Some(&only), None).await;
    assert_eq!(refused.error(), (422, "VALIDATION_FAILED"));
}

// spec: 10.7.72
async fn an_account_gets_no_second_google_link_by_its_address(stage: Stage) {
    let demo = stage.person("demo").await;
    let proof = json!({ "password": PASSWORD });
    assert_eq!(stage.call("POST", "/auth/step-up", Some(&demo), Some(proof)).await.status, 200);
    let mut browser = Browser::default();
    let address = browser.leave(&stage, Some(&demo), json!({ "purpose": "link" })).await;
    assert_eq!(browser.back(&stage, &choose(&address, "new").await).await.get("linked"), "true");
    assert_eq!(Browser::default().visit(&stage, "known").await.error(), "link_first");
    assert_eq!(user(&stage, &demo).await["google_email"], "hanxiaoyu@example.com");
}

// spec: 10.7.72
async fn an_unlinked_identity_is_only_relinked_by_the_user(stage: Stage) {
    let demo = stage.person("demo").await;
    assert_eq!(
        Browser::default().sign_in(&stage, "known").await.id,
        demo.id,
        "by the address that both proved"
    );
    assert_eq!(notices(&stage).await, [json!("google_linked")], "its owner is notified");
    let proof = json!({ "password": PASSWORD });
    assert_eq!(stage.call("POST", "/auth/step-up", Some(&demo), Some(proof)).await.status, 200);
    assert_eq!(stage.call("DELETE", "/user/google", Some(&demo), None).await.status, 200);
    assert_eq!(
        stage.call("DELETE", "/user/google", Some(&demo), None).await.status,
        200,
        "a repeat is accepted"
    );
    assert_eq!(Browser::default().visit(&stage, "known").await.error(), "link_first");
    let mut browser = Browser::default();
    let address = browser.leave(&stage, Some(&demo), json!({ "purpose": "link" })).await;
    assert_eq!(browser.back(&stage, &choose(&address, "known").await).await.get("linked"), "true");
    assert_eq!(Browser::default().sign_in(&stage, "known").await.id, demo.id);
}

// spec: 10.7.72
async fn a_password_reset_removes_the_google_link(stage: Stage) {
    let demo = stage.person("demo").await;
    assert_eq!(Browser::default().sign_in(&stage, "known").await.id, demo.id, "anyone may have linked it");
    let email = json!({ "email": demo.email });
    assert_eq!(stage.post("/auth/forgot-password", email).await.status, 200);
    let token = crate::app::token_of(&stage.mails().await, "reset_password", "reset-password");
    let chosen = json!({ "token": token, "password": "Harbour#Lantern-73" });
    assert_eq!(stage.post("/auth/reset-password", chosen).await.status, 200);
    assert_eq!(Browser::default().visit(&stage, "known").await.error(), "link_first");
    let mails = stage.mails().await;
    let told = mails.iter().find(|(kind, ..)| kind == "password_changed");
    assert!(told.is_some_and(|(_, _, data)| data["unlinked"] == true), "its owner is notified");
}

// spec: 10.7.72
async fn a_google_step_up_needs_the_second_factor(stage: Stage) {
    let demo = stage.person("demo").await;
    Browser::default().sign_in(&stage, "known").await;
    let (secret, _) = crate::sign_ins::second_factor(&stage, &demo).await;
    stage.wait(301);
    let send = |body: Value| stage.call("POST", "/auth/step-up", Some(&demo), Some(body));
    let code = |later: i64| json!({ "totp_code": crate::sign_ins::code(&stage, &secret, later) });
    let before = send(code(0)).await;
    assert_eq!(before.body["data"]["fields"], json!({ "password": "required" }), "a code alone is no proof");
    let landing = prove(&stage, &demo, "known").await;
    assert_eq!((landing.get("step_up"), landing.get("code")), ("true", "true"));
    assert_eq!(need_proof(&stage, &demo).await.error(), (403, "STEP_UP_REQUIRED"), "not proven yet");
    assert_eq!(send(json!({})).await.body["data"]["fields"], json!({ "totp_code": "required" }));
    let wrong = send(json!({ "totp_code": "000000" })).await;
    assert_eq!(wrong.body["data"]["fields"], json!({ "totp_code": "wrong" }));
    stage.wait(60);
    assert_eq!(send(code(0)).await.status, 200);
    assert_eq!(need_proof(&stage, &demo).await.status, 200);
    // The step-up was used up; it also expires.
    stage.wait(60);
    assert_eq!(send(code(0)).await.body["data"]["fields"], json!({ "password": "required" }));
    prove(&stage, &demo, "known").await;
    stage.wait(300);
    assert_eq!(send(code(0)).await.body["data"]["fields"], json!({ "password": "required" }));
}

/// Returns the security notices to users, oldest first.
async fn notices(stage: &Stage) -> Vec<Value> {
    let told = stage.mails().await.into_iter().filter(|mail| mail.0 == "security_notice");
    told.map(|mail| mail.2["what"].clone()).collect()
}
