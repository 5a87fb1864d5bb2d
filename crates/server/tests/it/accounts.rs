//! Stories of registration, verification, sign-in and sign-out.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{PASSWORD, TestApp, link_token, request};

stories!(
    a_new_user_registers_verifies_and_signs_in,
    registration_answers_alike_for_known_and_unknown_addresses,
    a_weak_registration_returns_an_error_per_field,
    an_address_belongs_to_the_user_who_reads_its_mail,
    a_repeated_registration_lets_the_mail_reader_set_the_password,
    password_guesses_are_slowed,
    concurrent_password_guesses_are_limited_too,
    a_correct_password_does_not_reset_the_network_limit,
    calls_that_move_money_see_a_remote_sign_out_at_once,
    a_lost_refresh_response_does_not_sign_the_user_out,
    a_late_repeat_of_a_refresh_needs_a_new_sign_in,
    a_stolen_token_used_from_another_browser_is_detected,
    a_stolen_refresh_token_ends_the_sign_in,
    signing_out_ends_the_sign_in_at_once,
    a_sign_in_expires,
    preferences_are_stored,
    a_user_can_set_a_display_name,
    tokens_that_are_not_access_tokens_are_refused,
    a_handler_finishes_after_its_client_disconnects,
);

// spec: 1.10, 3.02, 3.03, 3.04, 3.05, 4.1.01, 7.1.02, 7.1.03, 7.1.07, 7.1.09, 7.1.14
async fn a_new_user_registers_verifies_and_signs_in(app: TestApp) {
    let email = "new@example.com";
    let registered = app.register(email).await;
    assert_eq!(registered.data(), &json!({}));
    let cookie = registered.cookie();
    let token = link_token(&app.mails().await);
    assert_eq!(app.login(email, PASSWORD).await.error(), (403, "EMAIL_NOT_VERIFIED"));
    assert_eq!(app.login(email, "Wrong-1-password").await.error(), (401, "INVALID_CREDENTIALS"));
    let first = app.open_link(&token, Some(&cookie)).await;
    assert_eq!((&first.data()["outcome"], &first.data()["email"]), (&json!("verified"), &json!(email)));
    for _ in 0..2 {
        let again = app.open_link(&token, Some(&cookie)).await;
        let nothing_new = json!({ "outcome": "verified", "email": null, "refresh_token": null });
        assert_eq!(again.data(), &nothing_new, "a repeat proves nothing new");
    }
    let reply = app.login("  NEW@Example.com ", PASSWORD).await;
    let person = app.signed_in(email, &reply);
    let profile = app.get("/user/profile", &person).await;
    assert_eq!(profile.data()["user"], reply.data()["user"]);
    assert_eq!(profile.data()["user"]["emailVerified"], true);
    assert_eq!(profile.data()["user"]["language"], "zh");
    assert_eq!(app.get("/auth/profile", &person).await.body, profile.body);
    let old = "0".repeat(64);
    let unknown = app.open_link(&old, Some(&cookie)).await;
    assert_eq!(unknown.error(), (400, "INVALID_TOKEN"));
    let odd = app.open_link("x", None).await;
    assert_eq!(odd.error(), (400, "INVALID_TOKEN"));
}

// spec: 7.1.08, 10.7.02
async fn registration_answers_alike_for_known_and_unknown_addresses(app: TestApp) {
    let person = app.person("known").await;
    let known = app.register(&person.email).await;
    let unknown = app.register("unknown@example.com").await;
    assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
    let mut templates: Vec<_> = app.mails().await.into_iter().map(|(t, to, _)| (t, to)).collect();
    templates.sort_unstable();
    let expected = [("already_registered", "known@example.com"), ("verify_email", "unknown@example.com")];
    assert_eq!(templates, expected.map(|(t, to)| (t.to_owned(), to.to_owned())));
    for address in ["known@example.com", "nobody@example.com"] {
        let reply = app.post("/auth/resend-verification", json!({ "email": address })).await;
        assert_eq!(reply.data(), &json!({}));
    }
    assert!(app.mails().await.is_empty());
    let wrong = app.login("known@example.com", "Wrong-1-password").await;
    let nobody = app.login("nobody@example.com", "Wrong-1-password").await;
    assert_eq!((wrong.status, &wrong.body), (nobody.status, &nobody.body));
    app.wait(61);
    app.post("/auth/resend-verification", json!({ "email": "unknown@example.com" })).await;
    let token = link_token(&app.mails().await);
    app.wait(24 * 3600);
    let late = app.open_link(&token, None).await;
    assert_eq!(late.error(), (410, "TOKEN_EXPIRED"));
}

// spec: 5.1.08
async fn a_weak_registration_returns_an_error_per_field(app: TestApp) {
    let cases = [
        (json!({ "email": "", "password": "" }), json!({ "email": "required", "password": "required" })),
        (
            json!({ "email": "a@b", "password": "Ab1!" }),
            json!({ "email": "invalid", "password": "too_short" }),
        ),
        (json!({ "email": "a@example.com", "password": "abcdefgh" }), json!({ "password": "classes" })),
    ];
    for (body, fields) in cases {
        let reply = app.post("/auth/register", body).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    assert!(app.mails().await.is_empty());
}

// spec: 10.7.03
async fn password_guesses_are_slowed(app: TestApp) {
    app.person("victim").await;
    let mut seen = Vec::new();
    for _ in 0..7 {
        let reply = app.login("victim@example.com", "Wrong-1-password").await;
        seen.push(reply.status.as_u16());
        if reply.status == StatusCode::TOO_MANY_REQUESTS {
            assert!(reply.headers["retry-after"].to_str().unwrap().parse::<u64>().unwrap() >= 1);
        }
    }
    assert_eq!(seen, [401, 401, 401, 401, 401, 429, 429]);
    assert_eq!(app.login("victim@example.com", PASSWORD).await.error(), (429, "TOO_MANY_ATTEMPTS"));
    app.person("bystander").await;
    app.wait(3);
    assert_eq!(app.login("victim@example.com", PASSWORD).await.status, 200, "the account was locked");
    assert_eq!(
        app.login("victim@example.com", "Wrong-1-password").await.status,
        401,
        "a success resets the throttle"
    );
}

/// Returns the link of a registration, and the cookie of the browser in which it was made.
async fn registered(app: &TestApp, password: &str, language: &str) -> (String, String) {
    let body = json!({ "email": "victim@example.com", "password": password, "language": language });
    let reply = app.post("/auth/register", body).await;
    assert_eq!(reply.data(), &json!({}));
    (link_token(&app.mails().await), reply.cookie())
}

async fn use_link(app: &TestApp, (token, cookie): &(String, String)) -> crate::app::Reply {
    app.open_link(token, Some(cookie)).await
}

// spec: 10.7.01
async fn an_address_belongs_to_the_user_who_reads_its_mail(app: TestApp) {
    let victim = "victim@example.com";
    // The attackers' requests come within the same minute; the mail of the victim is still sent.
    let strangers = registered(&app, "Stranger-1", "zh").await;
    let own = registered(&app, PASSWORD, "en").await;
    // Until the address is verified, every registration of it gets the same response, that its mail
    // is on the way. The callers learn nothing about each other.
    let later = registered(&app, "Stranger-2", "zh").await;
    for password in ["Stranger-1", PASSWORD, "Stranger-2"] {
        assert_eq!(app.login(victim, password).await.error(), (403, "EMAIL_NOT_VERIFIED"));
    }
    assert_eq!(use_link(&app, &own).await.data()["outcome"], "verified");
    app.wait(61);
    for password in ["Stranger-1", "Stranger-2"] {
        assert_eq!(
            app.login(victim, password).await.error(),
            (403, "EMAIL_NOT_VERIFIED"),
            "the other users learn nothing"
        );
    }
    for link in [strangers, later] {
        assert_eq!(
            use_link(&app, &link).await.error(),
            (410, "TOKEN_EXPIRED"),
            "the link ended with the first one"
        );
    }
    assert_eq!(use_link(&app, &own).await.data()["refresh_token"], Value::Null, "the link works once");
    app.wait(3);
    let reply = app.login(victim, PASSWORD).await;
    assert_eq!(reply.data()["user"]["language"], "en");
    // The address is verified now, so another registration changes nothing.
    app.post("/auth/register", json!({ "email": victim, "password": "Stranger-3" })).await.data();
    app.mails().await;
    assert_eq!(app.login(victim, "Stranger-3").await.error(), (403, "EMAIL_NOT_VERIFIED"));
    assert_eq!(app.login(victim, PASSWORD).await.status, 200);
}

// spec: 10.7.01
async fn a_repeated_registration_lets_the_mail_reader_set_the_password(app: TestApp) {
    let victim = "victim@example.com";
    registered(&app, "Stranger-1", "zh").await;
    registered(&app, PASSWORD, "en").await;
    // The first link has expired, but the registration has not.
    app.wait(9 * 24 * 3600);
    server::run::housekeeping_round(&app.app).await.unwrap();
    app.post("/auth/resend-verification", json!({ "email": victim })).await.data();
    app.post("/auth/resend-verification", json!({ "email": victim })).await.data();
    let mails = app.mails().await;
    assert_eq!(mails.len(), 1, "at most one a minute");
    // Two registrations with different passwords wait, and the server cannot know which caller owns
    // the address. The reader of the mail therefore chooses a new password.
    let token = crate::app::token_of(&mails, "reset_password", "reset-password");
    let body = json!({ "token": token, "password": PASSWORD });
    assert_eq!(app.post("/auth/reset-password", body).await.data(), &json!({}));
    assert_eq!(app.login(victim, PASSWORD).await.data()["user"]["language"], "en");
    assert_eq!(app.login(victim, "Stranger-1").await.error(), (401, "INVALID_CREDENTIALS"));
}

// spec: 10.7.03
async fn concurrent_password_guesses_are_limited_too(app: TestApp) {
    app.person("victim").await;
    let app = std::sync::Arc::new(app);
    let mut guesses = tokio::task::JoinSet::new();
    for _ in 0..60 {
        let app = app.clone();
        guesses.spawn(async move { app.login("victim@example.com", "Wrong-1-password").await.error().0 });
    }
    let seen = guesses.join_all().await;
    assert_eq!(seen.iter().filter(|status| **status == 401).count(), 5, "{seen:?}");
    assert!(seen.iter().all(|status| [401, 429].contains(status)), "{seen:?}");
    app.wait(3);
    assert_eq!(app.login("victim@example.com", PASSWORD).await.status, 200);
}

// spec: 10.7.13
async fn a_correct_password_does_not_reset_the_network_limit(app: TestApp) {
    app.person("honest").await;
    for _ in 0..40 {
        assert_eq!(
            app.login("honest@example.com", PASSWORD).await.status,
            200,
            "users of one office can sign in"
        );
    }
    for n in 0..29 {
        let reply = app.login(&format!("nobody{n}@example.com"), "Wrong-1-password").await;
        assert_eq!(reply.status, 401);
        assert_eq!(app.login("honest@example.com", PASSWORD).await.status, 200);
    }
    assert_eq!(app.login("nobody@example.com", "Wrong-1-password").await.status, 401);
    let covered = app.login("honest@example.com", PASSWORD).await;
    assert_eq!(
        covered.error(),
        (429, "TOO_MANY_ATTEMPTS"),
        "the thirtieth attempt counts, whatever was in between"
    );
}

// spec: 10.7.05
async fn calls_that_move_money_see_a_remote_sign_out_at_once(app: TestApp) {
    let id = "00000000-0000-7000-8000-000000000000";
    let verify = json!({ "username": "lin@example.com", "password": "Maple-2026" });
    let routes = [
        ("POST", "/schedules/submit".to_owned(), Some(json!({ "schedule_id": id }))),
        ("POST", format!("/schedules/{id}/start"), None),
        ("DELETE", format!("/schedules/{id}"), None),
        ("POST", "/schedules/verify-credentials".to_owned(), Some(verify)),
    ];
    for (n, (method, path, body)) in routes.into_iter().enumerate() {
        let person = app.person(&format!("leaver{n}")).await;
        assert_eq!(app.get("/user/profile", &person).await.status, 200);
        // Another process ended the session; this process accepts the session for some seconds.
        let mut tx = app.app.db.begin().await.unwrap();
        store::session::revoke_all(&mut tx, person.id, None, "logout", app.clock.now()).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(app.get("/user/profile", &person).await.status, 200);
        let reply = app.call(method, &path, Some(&person), body).await;
        assert_eq!(reply.error(), (401, "UNAUTHORIZED"), "{method} {path}");
    }
}

// spec: 4.1.08, 7.1.06
async fn a_lost_refresh_response_does_not_sign_the_user_out(app: TestApp) {
    let person = app.person("mobile").await;
    let first = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    app.wait(60);
    let again = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(first.data()["refresh_token"], again.data()["refresh_token"]);
    let next = app.post("/auth/refresh", json!({ "refresh_token": again.data()["refresh_token"] })).await;
    assert_ne!(next.data()["refresh_token"], again.data()["refresh_token"]);
    let person =
        crate::app::Person { access: next.data()["access_token"].as_str().unwrap().to_owned(), ..person };
    assert_eq!(app.get("/user/profile", &person).await.status, 200);
    assert!(app.mails().await.is_empty());
}

fn refresh_from(token: &Value, agent: &str) -> axum::http::Request<axum::body::Body> {
    let mut asked = request("POST", "/auth/refresh", None, Some(json!({ "refresh_token": token })));
    asked.headers_mut().insert("user-agent", agent.parse().unwrap());
    asked
}

// spec: 4.1.08
async fn a_late_repeat_of_a_refresh_needs_a_new_sign_in(app: TestApp) {
    let person = app.person("tunnel").await;
    app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await.data();
    app.wait(600);
    let late = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(late.error(), (401, "INVALID_REFRESH_TOKEN"));
    assert!(app.mails().await.is_empty(), "no other user has the address, so no warning is sent");
    assert_eq!(app.login(&person.email, crate::app::PASSWORD).await.status, 200);
}

// spec: 4.1.09
async fn a_stolen_token_used_from_another_browser_is_detected(app: TestApp) {
    let person = app.person("watched").await;
    let mut newest = json!(person.refresh);
    let owner = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
    // The thief uses the token 13 seconds after the owner did, before the owner's next refresh. The
    // thief's user agent is the same as the owner's, or another one.
    for agent in [owner, "curl/8.17.0"] {
        let first = app.send(refresh_from(&newest, owner)).await;
        app.wait(13);
        let stolen = app.send(refresh_from(&newest, agent)).await;
        if agent == owner {
            newest = first.data()["refresh_token"].clone();
            assert_eq!(stolen.data()["refresh_token"], newest);
            app.wait(600);
        } else {
            assert_eq!(stolen.error(), (401, "INVALID_REFRESH_TOKEN"));
            let next = app.send(refresh_from(&first.data()["refresh_token"].clone(), owner)).await;
            assert_eq!(next.error(), (401, "INVALID_REFRESH_TOKEN"), "the token family ended");
        }
    }
    let mails = app.mails().await;
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, "session_revoked"));
}

// spec: 4.1.09
async fn a_stolen_refresh_token_ends_the_sign_in(app: TestApp) {
    let person = app.person("honest").await;
    let mut newest = json!(person.refresh);
    for _ in 0..2 {
        let reply = app.post("/auth/refresh", json!({ "refresh_token": newest })).await;
        newest = reply.data()["refresh_token"].clone();
        app.wait(11);
    }
    let thief = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(thief.error(), (401, "INVALID_REFRESH_TOKEN"));
    let honest = app.post("/auth/refresh", json!({ "refresh_token": newest })).await;
    assert_eq!(honest.error(), (401, "INVALID_REFRESH_TOKEN"));
    let mails = app.mails().await;
    assert_eq!((mails.len(), mails[0].0.as_str()), (1, "session_revoked"));
    assert_eq!(app.get("/user/profile", &person).await.error(), (401, "UNAUTHORIZED"));
}

// spec: 4.1.03, 7.1.05
async fn signing_out_ends_the_sign_in_at_once(app: TestApp) {
    let person = app.person("leaver").await;
    let other = app.login("leaver@example.com", PASSWORD).await;
    let other = app.signed_in("leaver@example.com", &other);
    assert_eq!(app.get("/user/profile", &person).await.status, 200);
    assert_eq!(app.call("POST", "/auth/logout", Some(&person), None).await.data(), &json!({}));
    assert_eq!(app.get("/user/profile", &person).await.error(), (401, "UNAUTHORIZED"));
    let refresh = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(refresh.error(), (401, "INVALID_REFRESH_TOKEN"));
    assert_eq!(app.get("/user/profile", &other).await.status, 200, "other devices stay signed in");
    // Without an access token, the refresh token alone signs out. A repeated call is accepted.
    for _ in 0..2 {
        assert_eq!(app.post("/auth/logout", json!({ "refresh_token": other.refresh })).await.status, 200);
    }
    assert_eq!(app.get("/user/profile", &other).await.status, 401);
}

// spec: 4.1.05, 9.04
async fn a_sign_in_expires(app: TestApp) {
    let short = app.person("short").await;
    let body = json!({ "username": "short@example.com", "password": PASSWORD, "rememberMe": true });
    let long = app.post("/auth/login", body).await;
    let long = app.signed_in("short@example.com", &long);
    app.wait(15 * 60);
    assert_eq!(
        app.get("/user/profile", &short).await.status,
        401,
        "an access token expires after 15 minutes"
    );
    app.wait(24 * 3600 - 15 * 60);
    let refresh = |token: &str| app.post("/auth/refresh", json!({ "refresh_token": token.to_owned() }));
    assert_eq!(refresh(&short.refresh).await.status, 401);
    assert_eq!(refresh(&long.refresh).await.status, 200);
    app.wait(30 * 24 * 3600);
    assert_eq!(refresh(&long.refresh).await.status, 401);
}

// spec: 3.02, 3.13, 7.1.15, 7.1.16
async fn preferences_are_stored(app: TestApp) {
    let person = app.person("chooser").await;
    let reply = app.call("PUT", "/user/language", Some(&person), Some(json!({ "language": "en" }))).await;
    assert_eq!(reply.data()["language"], "en");
    let body = json!({ "auto_stop_scheduler": true });
    let reply = app.call("PUT", "/user/auto-stop-scheduler", Some(&person), Some(body)).await;
    assert_eq!(reply.data()["autoStopScheduler"], true);
    let user = app.get("/user/profile", &person).await.data()["user"].clone();
    assert_eq!((&user["language"], &user["profile"]["autoStopScheduler"]), (&json!("en"), &json!(true)));
    let at = |name: &str| user[name].as_str().and_then(|at| at.parse::<chrono::DateTime<chrono::Utc>>().ok());
    assert_eq!(user["credit"], 0.0);
    assert!(at("createdAt").is_some() && at("createdAt") <= at("updatedAt"), "{user}");
    let reply = app.call("PUT", "/user/language", Some(&person), Some(json!({ "language": "fr" }))).await;
    assert_eq!(reply.error(), (400, "INVALID_BODY"));
}

// spec: 10.7.44
async fn a_user_can_set_a_display_name(app: TestApp) {
    let person = app.person("named").await;
    let set =
        |name: &str| app.call("PUT", "/auth/profile", Some(&person), Some(json!({ "display_name": name })));
    assert_eq!(app.get("/user/profile", &person).await.data()["user"]["display_name"], Value::Null);
    assert_eq!(set("  林  知夏 ").await.data()["user"]["display_name"], "林 知夏");
    let longest = "n".repeat(domain::display_name::LONGEST);
    let refused = set(&format!("{longest}n")).await;
    assert_eq!(refused.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(refused.body["data"]["fields"]["display_name"], "too_long");
    assert_eq!(
        app.get("/user/profile", &person).await.data()["user"]["display_name"],
        "林 知夏",
        "the name stays"
    );
    assert_eq!(set(&longest).await.data()["user"]["display_name"], longest);
    let other = app.call("PUT", "/auth/profile", Some(&person), Some(json!({ "language": "en" }))).await;
    assert_eq!(other.data()["user"]["display_name"], longest, "an absent field stays unchanged");
    assert_eq!(set(" ").await.data()["user"]["display_name"], Value::Null);
}

// spec: 6.04
async fn tokens_that_are_not_access_tokens_are_refused(app: TestApp) {
    let person = app.person("plain").await;
    let claims: Vec<&str> = person.access.split('.').collect();
    let tampered = format!("{}.{}.{}", claims[0], claims[1], "A".repeat(claims[2].len()));
    for token in ["", "x", person.refresh.as_str(), tampered.as_str()] {
        let liar = crate::app::Person { access: token.to_owned(), ..person.clone() };
        assert_eq!(app.get("/users/credit", &liar).await.error(), (401, "UNAUTHORIZED"), "{token}");
    }
    assert_eq!(app.send(request("GET", "/users/credit", None, None)).await.error(), (401, "UNAUTHORIZED"));
}

// spec: 10.5.10
async fn a_handler_finishes_after_its_client_disconnects(app: TestApp) {
    for n in 0..20_u8 {
        let email = format!("gone{n}@example.com");
        // Each request comes from a different address, because one address has only a share of the
        // queue.
        let body = json!({ "username": email, "email": email, "password": PASSWORD });
        let mut call = request("POST", "/auth/register", None, Some(body));
        let from = std::net::SocketAddr::from(([198, 18, n, 7], 1));
        call.extensions_mut().insert(axum::extract::ConnectInfo(from));
        let call = app.send(call);
        // The client disconnects at a random time between the first byte and the response.
        let waited = tokio::time::timeout(std::time::Duration::from_micros(300 * u64::from(n)), call).await;
        if n == 0 {
            assert!(waited.is_err());
        }
    }
    // Every registration that the server began is complete.
    let all_mailed = async {
        loop {
            let mut tx = app.app.db.read().await.unwrap();
            let (waiting, _) = store::mail_request::waiting(&mut tx).await.unwrap();
            drop(tx);
            if waiting >= 15 {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(30), all_mailed).await.unwrap();
    assert!(app.mails().await.iter().all(|(_, _, data)| data["link"] != Value::Null));
}
