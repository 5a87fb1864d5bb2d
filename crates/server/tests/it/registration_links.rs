//! Stories of new users: the link of their mail signs them in only in the browser in which they
//! registered (ADR 56).

use serde_json::{Value, json};

use crate::app::{PASSWORD, Person, Reply, TestApp, link_token, request};

stories!(
    a_verification_link_signs_in_the_browser_that_registered,
    a_known_address_gets_a_cookie_without_effect,
    an_attackers_link_signs_no_victim_in,
    a_victim_does_not_verify_an_attackers_password,
    a_link_on_another_device_needs_the_password,
    a_resent_link_belongs_to_the_same_browser,
    a_registration_cookie_works_for_a_day_and_same_origin_calls,
    a_verification_link_keeps_the_current_sign_in,
);

/// A registration: its link, and the cookie of its browser.
struct Newcomer {
    link: String,
    cookie: String,
}

async fn registered(app: &TestApp, email: &str, password: &str) -> Newcomer {
    let reply = app.post("/auth/register", json!({ "email": email, "password": password })).await;
    assert_eq!(reply.data(), &json!({}));
    Newcomer { link: link_token(&app.mails().await), cookie: reply.cookie() }
}

/// Exchanges the bootstrap token of a link, in a browser with this cookie.
async fn trade(app: &TestApp, pressed: &Reply, cookie: Option<&str>) -> Reply {
    let body = json!({ "refresh_token": pressed.data()["refresh_token"] });
    let mut call = request("POST", "/auth/refresh", None, Some(body));
    if let Some(cookie) = cookie {
        call.headers_mut().insert("cookie", format!("__Host-sooner_pre={cookie}").parse().unwrap());
    }
    app.send(call).await
}

/// Signs in with a password and the token of the mailed link.
async fn login_with(app: &TestApp, email: &str, password: &str, link: &str) -> Reply {
    app.post("/auth/login", json!({ "username": email, "password": password, "link": link })).await
}

// spec: 10.7.42
async fn a_verification_link_signs_in_the_browser_that_registered(app: TestApp) {
    let email = "new@example.com";
    let reply = app.post("/auth/register", json!({ "email": email, "password": PASSWORD })).await;
    let attributes = reply.headers["set-cookie"].to_str().unwrap().split_once("; ").unwrap().1;
    assert_eq!(attributes, "Max-Age=86400; Path=/; HttpOnly; SameSite=Lax; Secure");
    let (link, cookie) = (link_token(&app.mails().await), reply.cookie());
    let pressed = app.open_link(&link, Some(&cookie)).await;
    assert_eq!((&pressed.data()["outcome"], &pressed.data()["email"]), (&json!("verified"), &json!(email)));
    let stolen = trade(&app, &pressed, None).await;
    assert_eq!(stolen.error(), (401, "INVALID_REFRESH_TOKEN"), "the link is worthless without the cookie");
    let traded = trade(&app, &pressed, Some(&cookie)).await;
    assert!(traded.headers["set-cookie"].to_str().unwrap().contains("Max-Age=0"), "the cookie is deleted");
    let person = Person {
        email: email.to_owned(),
        access: traded.data()["access_token"].as_str().unwrap().to_owned(),
        refresh: traded.data()["refresh_token"].as_str().unwrap().to_owned(),
        id: "00000000-0000-7000-8000-000000000000".parse().unwrap(),
    };
    assert_eq!(app.get("/user/profile", &person).await.data()["user"]["email"], email);
    let own = app.get("/user/sessions", &person).await.data()["sessions"][0].clone();
    assert_eq!((&own["method"], &own["remembered"]), (&json!("mail_link"), &json!(false)));
    // This sign-in needed no password, so risky actions require a step-up.
    let risky = app.call("POST", "/user/totp", Some(&person), None).await;
    assert_eq!(risky.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(trade(&app, &pressed, Some(&cookie)).await.error().0, 401, "once");
    let again = app.open_link(&link, Some(&cookie)).await;
    assert_eq!(again.data()["refresh_token"], Value::Null, "once");
    assert_eq!(app.login(email, PASSWORD).await.status, 200);
}

// spec: 10.7.42, 7.1.02
async fn a_known_address_gets_a_cookie_without_effect(app: TestApp) {
    let known = app.person("known").await;
    let again = app.register(&known.email).await;
    let fresh = app.register("fresh@example.com").await;
    let shape = |reply: &Reply| {
        let cookie = reply.headers["set-cookie"].to_str().unwrap().replace(&reply.cookie(), "…");
        let mut names: Vec<_> = reply.headers.keys().map(ToString::to_string).collect();
        names.sort_unstable();
        (reply.status, reply.body.clone(), cookie, names)
    };
    assert_eq!(shape(&again), shape(&fresh), "the cookie reveals nothing");
    let mails = app.mails().await;
    assert_eq!(mails.iter().filter(|mail| mail.1 == known.email && mail.0 == "verify_email").count(), 0);
    let others = app.open_link(&link_token(&mails), Some(&again.cookie())).await;
    assert_eq!(others.data()["outcome"], "sign_in_first");
}

// spec: 10.7.42
async fn an_attackers_link_signs_no_victim_in(app: TestApp) {
    let stranger = registered(&app, "stranger@example.com", "Gannet-rock-41").await;
    let victim = registered(&app, "victim@example.com", PASSWORD).await;
    for cookie in [None, Some(victim.cookie.as_str())] {
        let pressed = app.open_link(&stranger.link, cookie).await;
        let expected =
            json!({ "outcome": "sign_in_first", "email": "stranger@example.com", "refresh_token": null });
        assert_eq!(pressed.data(), &expected, "no user is signed in, and nothing is proven");
    }
    // The link of the attacker's registration signs in only the attacker.
    let pressed = app.open_link(&stranger.link, Some(&stranger.cookie)).await;
    assert_eq!(trade(&app, &pressed, Some(&victim.cookie)).await.error(), (401, "INVALID_REFRESH_TOKEN"));
    let own = app.open_link(&victim.link, Some(&victim.cookie)).await;
    assert_eq!(trade(&app, &own, Some(&victim.cookie)).await.status, 200);
}

// spec: 10.7.42, 10.7.01
async fn a_victim_does_not_verify_an_attackers_password(app: TestApp) {
    let victim = "victim@example.com";
    let strangers = registered(&app, victim, "Gannet-rock-41").await;
    for _ in 0..2 {
        let pressed = app.open_link(&strangers.link, None).await;
        assert_eq!(pressed.data()["outcome"], "sign_in_first");
    }
    assert_eq!(
        app.login(victim, "Gannet-rock-41").await.error(),
        (403, "EMAIL_NOT_VERIFIED"),
        "nothing was proven"
    );
    // The victim registers as well. The attacker's mail still verifies nothing, with either
    // password.
    let own = registered(&app, victim, PASSWORD).await;
    assert_eq!(app.open_link(&strangers.link, Some(&own.cookie)).await.data()["outcome"], "sign_in_first");
    let mixed = login_with(&app, victim, PASSWORD, &strangers.link).await;
    assert_eq!(mixed.error(), (403, "EMAIL_NOT_VERIFIED"), "that link belongs to another password");
    let pressed = app.open_link(&own.link, Some(&own.cookie)).await;
    assert_eq!(trade(&app, &pressed, Some(&own.cookie)).await.status, 200);
    assert_eq!(app.open_link(&strangers.link, Some(&strangers.cookie)).await.error(), (410, "TOKEN_EXPIRED"));
    assert_ne!(login_with(&app, victim, "Gannet-rock-41", &strangers.link).await.status, 200);
    app.wait(3);
    assert_eq!(app.login(victim, PASSWORD).await.status, 200);
}

// spec: 10.7.42
async fn a_link_on_another_device_needs_the_password(app: TestApp) {
    let email = "phone@example.com";
    let newcomer = registered(&app, email, PASSWORD).await;
    let pressed = app.open_link(&newcomer.link, None).await;
    assert_eq!(
        (&pressed.data()["outcome"], &pressed.data()["email"]),
        (&json!("sign_in_first"), &json!(email))
    );
    let wrong = login_with(&app, email, "Wrong-1-password", &newcomer.link).await;
    assert_eq!(wrong.error(), (401, "INVALID_CREDENTIALS"));
    for odd in ["", "x", "0".repeat(64).as_str()] {
        assert_eq!(
            login_with(&app, email, PASSWORD, odd).await.error(),
            (403, "EMAIL_NOT_VERIFIED"),
            "{odd}"
        );
    }
    let reply = login_with(&app, email, PASSWORD, &newcomer.link).await;
    assert_eq!(reply.data()["user"]["emailVerified"], true);
    assert_eq!(
        login_with(&app, email, PASSWORD, &newcomer.link).await.status,
        200,
        "a used link does no harm"
    );
    let late = registered(&app, "late@example.com", PASSWORD).await;
    app.wait(25 * 3600);
    let expired = login_with(&app, "late@example.com", PASSWORD, &late.link).await;
    assert_eq!(expired.error(), (403, "EMAIL_NOT_VERIFIED"), "a link expires after a day");
}

// spec: 10.7.42
async fn a_resent_link_belongs_to_the_same_browser(app: TestApp) {
    let email = "again@example.com";
    let newcomer = registered(&app, email, PASSWORD).await;
    app.wait(61);
    // Any caller may request the mail again.
    app.post("/auth/resend-verification", json!({ "email": email })).await.data();
    let link = link_token(&app.mails().await);
    assert_ne!(link, newcomer.link);
    assert_eq!(app.open_link(&link, None).await.data()["outcome"], "sign_in_first");
    let pressed = app.open_link(&link, Some(&newcomer.cookie)).await;
    assert_eq!(trade(&app, &pressed, Some(&newcomer.cookie)).await.status, 200);
    assert_eq!(app.open_link(&newcomer.link, Some(&newcomer.cookie)).await.error(), (410, "TOKEN_EXPIRED"));
}

// spec: 10.7.42
async fn a_registration_cookie_works_for_a_day_and_same_origin_calls(app: TestApp) {
    let newcomer = registered(&app, "day@example.com", PASSWORD).await;
    for site in [Some("cross-site"), Some("same-site"), Some("none"), None] {
        let path = format!("/auth/verify-email?token={}", newcomer.link);
        let mut call = request("GET", &path, None, None);
        let cookie = format!("__Host-sooner_pre={}", newcomer.cookie);
        call.headers_mut().insert("cookie", cookie.parse().unwrap());
        if let Some(site) = site {
            call.headers_mut().insert("sec-fetch-site", site.parse().unwrap());
        }
        assert_eq!(app.send(call).await.data()["outcome"], "sign_in_first", "{site:?}");
    }
    app.wait(23 * 3600);
    app.post("/auth/resend-verification", json!({ "email": "day@example.com" })).await.data();
    let link = link_token(&app.mails().await);
    app.wait(3600);
    let late = app.open_link(&link, Some(&newcomer.cookie)).await;
    assert_eq!(late.data()["outcome"], "sign_in_first", "the link still works, with the password");
    assert_eq!(login_with(&app, "day@example.com", PASSWORD, &link).await.status, 200);
}

// spec: 10.7.42
async fn a_verification_link_keeps_the_current_sign_in(app: TestApp) {
    let person = app.person("here").await;
    let newcomer = registered(&app, "second@example.com", PASSWORD).await;
    let mut call =
        request("GET", &format!("/auth/verify-email?token={}", newcomer.link), Some(&person), None);
    call.headers_mut().insert("cookie", format!("__Host-sooner_pre={}", newcomer.cookie).parse().unwrap());
    call.headers_mut().insert("sec-fetch-site", "same-origin".parse().unwrap());
    let pressed = app.send(call).await;
    assert_eq!(
        (&pressed.data()["outcome"], &pressed.data()["refresh_token"]),
        (&json!("verified"), &Value::Null)
    );
    assert_eq!(app.login("second@example.com", PASSWORD).await.status, 200);
}
