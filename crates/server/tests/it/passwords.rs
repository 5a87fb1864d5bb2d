//! Stories of passwords that are lost, changed, or typed in any script, and of addresses that are
//! verified, contested or changed.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::app::{PASSWORD, Person, Reply, TestApp, link_token, request, token_of};

stories!(
    a_reset_link_works_once,
    a_reset_ends_all_sign_ins_and_pending_links,
    checking_a_reset_link_does_not_use_it_up,
    a_truncated_or_expired_link_is_reported,
    repeated_reset_requests_send_one_mail_a_minute,
    reset_requests_do_not_reveal_known_addresses,
    registration_and_sign_in_do_not_reveal_known_addresses,
    a_reset_verifies_the_address,
    a_password_change_ends_all_other_sign_ins,
    a_wrong_current_password_changes_nothing,
    passwords_of_any_length_and_script_work,
    addresses_of_any_spelling_work,
    a_new_address_applies_once_it_is_verified,
    a_password_change_cancels_an_address_change,
    a_taken_address_is_neither_revealed_nor_assigned,
    an_unverified_account_loses_its_address_to_a_verified_one,
    without_mail_no_account_can_take_anothers_address,
    a_second_registration_sends_the_pending_owner_one_mail,
    a_reset_request_survives_a_crash_and_a_week,
    frequent_mail_requests_get_a_retry_after,
);

const NEW: &str = "Fresh-words-7";

async fn forgot(app: &TestApp, email: &str) -> Reply {
    app.post("/auth/forgot-password", json!({ "email": email })).await
}

async fn reset_token(app: &TestApp, email: &str) -> String {
    assert_eq!(forgot(app, email).await.data(), &json!({}));
    token_of(&app.mails().await, "reset_password", "reset-password")
}

async fn poll(app: &TestApp, token: &str) -> Value {
    let path = format!("/auth/verify-reset-token?token={token}");
    app.send(request("GET", &path, None, None)).await.data().clone()
}

async fn reset(app: &TestApp, token: &str, password: &str) -> Reply {
    app.post("/auth/reset-password", json!({ "token": token, "password": password })).await
}

async fn open_link(app: &TestApp, token: &str) -> Reply {
    app.open_link(token, None).await
}

async fn step_up(app: &TestApp, person: &Person) {
    let reply = app.call("POST", "/auth/step-up", Some(person), Some(json!({ "password": PASSWORD }))).await;
    assert_eq!(reply.status, 200, "{reply:?}");
}

async fn set_profile(app: &TestApp, person: &Person, body: Value) -> Reply {
    app.call("PUT", "/auth/profile", Some(person), Some(body)).await
}

/// Returns the token in the mail to a new address.
fn new_address(mails: &[(String, String, Value)]) -> String {
    let mail = mails.iter().find(|m| m.0 == "email_change").expect("a link to the new address").clone();
    token_of(&[mail], "email_change", "verify-email")
}

fn templates(mails: &[(String, String, Value)]) -> Vec<(&str, &str)> {
    mails.iter().map(|(template, to, _)| (template.as_str(), to.as_str())).collect()
}

// spec: 3.64, 5.1.15, 7.1.13
async fn a_reset_link_works_once(app: TestApp) {
    let person = app.person("forgetful").await;
    let token = reset_token(&app, " Forgetful@Example.com ").await;
    assert_eq!(poll(&app, &token).await, json!({ "valid": true, "reason": null }));
    let weak = reset(&app, &token, "abcdefgh").await;
    assert_eq!(weak.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(weak.body["data"]["fields"], json!({ "password": "classes" }));
    assert_eq!(
        reset(&app, &token, "Gannet41rock").await.data(),
        &json!({}),
        "no special character is needed"
    );
    assert_eq!(reset(&app, &token, NEW).await.error(), (400, "INVALID_TOKEN"), "a link works once");
    assert_eq!(poll(&app, &token).await, json!({ "valid": false, "reason": "invalid" }));
    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (401, "INVALID_CREDENTIALS"));
    assert_eq!(app.login(&person.email, "Gannet41rock").await.status, 200);
    let mails = app.mails().await;
    assert!(templates(&mails).contains(&("password_changed", "forgetful@example.com")), "{mails:?}");
}

// spec: 7.1.13
async fn a_reset_ends_all_sign_ins_and_pending_links(app: TestApp) {
    let person = app.person("robbed").await;
    let other = app.login(&person.email, PASSWORD).await;
    let other = app.signed_in(&person.email, &other);
    step_up(&app, &other).await;
    let mine = json!({ "email": "thief@example.com" });
    assert_eq!(set_profile(&app, &other, mine).await.data()["email_change_sent"], true);
    let thiefs = new_address(&app.mails().await);
    let first = reset_token(&app, &person.email).await;
    app.wait(61);
    let second = reset_token(&app, &person.email).await;
    assert_eq!(reset(&app, &second, NEW).await.status, 200);
    for somebody in [&person, &other] {
        assert_eq!(
            app.get("/user/profile", somebody).await.error(),
            (401, "UNAUTHORIZED"),
            "signed out at once"
        );
        let refresh = app.post("/auth/refresh", json!({ "refresh_token": somebody.refresh })).await;
        assert_eq!(refresh.error(), (401, "INVALID_REFRESH_TOKEN"));
    }
    assert_eq!(reset(&app, &first, "Gannet41rock").await.error(), (400, "INVALID_TOKEN"), "older links end");
    assert_eq!(
        open_link(&app, &thiefs).await.error(),
        (410, "TOKEN_EXPIRED"),
        "the link to a new address ends too"
    );
    assert_eq!(app.login(&person.email, NEW).await.status, 200);
}

// spec: 7.1.12, 10.7.15
async fn checking_a_reset_link_does_not_use_it_up(app: TestApp) {
    let person = app.person("scanned").await;
    let token = reset_token(&app, &person.email).await;
    for _ in 0..5 {
        assert_eq!(poll(&app, &token).await, json!({ "valid": true, "reason": null }));
        let page = axum::http::Request::builder().uri(format!("/auth/reset-password?token={token}"));
        app.send(page.body(axum::body::Body::empty()).unwrap()).await;
        let get = app.send(request("GET", &format!("/auth/reset-password?token={token}"), None, None)).await;
        assert_eq!(get.error(), (405, "METHOD_NOT_ALLOWED"));
    }
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
}

// spec: 2.5.07, 7.1.12, 9.06
async fn a_truncated_or_expired_link_is_reported(app: TestApp) {
    let person = app.person("late").await;
    let token = reset_token(&app, &person.email).await;
    let other_kind = {
        app.register("unproven@example.com").await;
        link_token(&app.mails().await)
    };
    let strange = ["", "x", &token[..63], &token[..62], &"0".repeat(64), &other_kind, "ü"];
    for bad in strange {
        let path = if bad == "ü" { "%C3%BC" } else { bad };
        assert_eq!(poll(&app, path).await, json!({ "valid": false, "reason": "invalid" }), "{bad}");
        assert_eq!(reset(&app, bad, NEW).await.error(), (400, "INVALID_TOKEN"), "{bad}");
    }
    assert_eq!(reset(&app, &format!(" {token}\n"), "short").await.error(), (422, "VALIDATION_FAILED"));
    app.wait(3599);
    assert_eq!(poll(&app, &token).await, json!({ "valid": true, "reason": null }));
    app.wait(1);
    assert_eq!(poll(&app, &token).await, json!({ "valid": false, "reason": "expired" }));
    assert_eq!(reset(&app, &token, NEW).await.error(), (410, "TOKEN_EXPIRED"));
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200, "nothing changed");
}

// spec: 7.1.11, 10.7.11
async fn repeated_reset_requests_send_one_mail_a_minute(app: TestApp) {
    let person = app.person("impatient").await;
    for _ in 0..3 {
        assert_eq!(forgot(&app, &person.email).await.data(), &json!({}));
    }
    assert_eq!(app.mails().await.len(), 1);
    app.wait(30);
    forgot(&app, &person.email).await;
    assert_eq!(app.mails().await.len(), 0);
    app.wait(31);
    forgot(&app, &person.email).await;
    assert_eq!(app.mails().await.len(), 1);
    // The mail server is unavailable. The waiting mail is enough; no further mail is queued.
    for _ in 0..5 {
        app.wait(61);
        forgot(&app, &person.email).await;
        server::workers::mail_requests::resolve_due(&app.app).await.unwrap();
    }
    assert_eq!(app.mails().await.len(), 1);
}

// spec: 7.1.11, 10.7.02, 10.7.12
async fn reset_requests_do_not_reveal_known_addresses(app: TestApp) {
    let known = app.person("known").await.email;
    app.register("pending@example.com").await;
    app.mails().await;
    app.wait(3600);
    let unknown = "nobody@example.com".to_owned();
    for path in ["/auth/forgot-password", "/auth/resend-verification"] {
        let mut seen = Vec::new();
        for email in [&known, "pending@example.com", &unknown] {
            let reply = app.post(path, json!({ "email": email })).await;
            let length = reply.headers.get("content-length").cloned();
            seen.push((reply.status, length, reply.body.to_string()));
        }
        assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{path} {seen:?}");
    }
    let mails = app.mails().await;
    let expected = [
        ("reset_password", "known@example.com"),
        ("reset_password", "pending@example.com"),
        ("verify_email", "pending@example.com"),
    ];
    let mut seen = templates(&mails);
    seen.sort_unstable();
    assert_eq!(seen, expected);
    for bad in ["", " ", "nobody", "a@b", "a b@example.com"] {
        assert_eq!(forgot(&app, bad).await.error(), (422, "VALIDATION_FAILED"), "{bad}");
    }
    let extra = app.post("/auth/forgot-password", json!({ "email": known, "admin": true })).await;
    assert_eq!(extra.error(), (400, "INVALID_BODY"));
}

// spec: 10.7.02, 10.7.12
async fn registration_and_sign_in_do_not_reveal_known_addresses(app: TestApp) {
    let known = app.person("known").await.email;
    let stranger = "Stranger-1";
    let mut seen = vec![Vec::new(), Vec::new()];
    for (email, seen) in [known.as_str(), "unknown@example.com"].into_iter().zip(&mut seen) {
        let registered = app.post("/auth/register", json!({ "email": email, "password": stranger })).await;
        seen.push((registered.status, registered.body));
        for _ in 0..2 {
            for password in [stranger, "Another-1"] {
                let reply = app.login(email, password).await;
                seen.push((reply.status, reply.body));
            }
            app.mails().await;
            app.wait(25 * 3600);
        }
        let reply = app.login(email, stranger).await;
        seen.push((reply.status, reply.body));
    }
    assert_eq!(seen[0], seen[1]);
    assert_eq!(seen[0][1].0, StatusCode::FORBIDDEN, "a user who registered is informed that a mail waits");
    assert_eq!(app.login(&known, PASSWORD).await.status, 200);
}

// spec: 10.7.01
async fn a_reset_verifies_the_address(app: TestApp) {
    let email = "both@example.com";
    app.register(email).await;
    let link = link_token(&app.mails().await);
    let token = reset_token(&app, email).await;
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    assert_eq!(app.login(email, NEW).await.data()["user"]["emailVerified"], true);
    assert_eq!(
        open_link(&app, &link).await.error(),
        (410, "TOKEN_EXPIRED"),
        "its password is not the account's"
    );
    assert_eq!(app.login(email, PASSWORD).await.error(), (401, "INVALID_CREDENTIALS"));
}

async fn change(app: &TestApp, person: &Person, body: Value) -> Reply {
    app.call("POST", "/auth/change-password", Some(person), Some(body)).await
}

// spec: 7.1.10
async fn a_password_change_ends_all_other_sign_ins(app: TestApp) {
    let person = app.person("owner").await;
    let other = app.login(&person.email, PASSWORD).await;
    let other = app.signed_in(&person.email, &other);
    let link = reset_token(&app, &person.email).await;
    let body = json!({ "current_password": PASSWORD, "new_password": NEW });
    assert_eq!(change(&app, &person, body).await.data(), &json!({}));
    assert_eq!(app.get("/user/profile", &person).await.status, 200, "this sign-in stays valid");
    assert_eq!(app.get("/user/profile", &other).await.status, 401, "the other sign-ins end");
    assert_eq!(reset(&app, &link, "Gannet41rock").await.error(), (400, "INVALID_TOKEN"), "links end as well");
    let refresh = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(refresh.status, 200);
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 401);
    let mails = app.mails().await;
    assert!(templates(&mails).contains(&("password_changed", "owner@example.com")), "{mails:?}");
    let camel = json!({ "currentPassword": NEW, "newPassword": "Other-words-8" });
    assert_eq!(change(&app, &person, camel).await.status, 200);
    assert_eq!(app.login(&person.email, "Other-words-8").await.status, 200);
    let nobody = app.post("/auth/change-password", json!({ "new_password": NEW })).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
}

// spec: 5.1.16, 7.1.10
async fn a_wrong_current_password_changes_nothing(app: TestApp) {
    let person = app.person("owner").await;
    let weak = change(&app, &person, json!({ "current_password": "", "new_password": "Gannet41rock" })).await;
    let fields = json!({ "current_password": "required", "new_password": "classes" });
    assert_eq!((weak.error(), &weak.body["data"]["fields"]), ((422, "VALIDATION_FAILED"), &fields));
    let wrong = json!({ "current_password": "Wrong-1-password", "new_password": NEW });
    for _ in 0..5 {
        let reply = change(&app, &person, wrong.clone()).await;
        assert_eq!(reply.body["data"]["fields"], json!({ "current_password": "wrong" }), "{reply:?}");
    }
    let slow = change(&app, &person, wrong.clone()).await;
    assert_eq!(slow.error(), (429, "TOO_MANY_ATTEMPTS"), "guesses are throttled like sign-ins");
    assert!(slow.headers.contains_key("retry-after"));
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200);
    app.wait(3);
    let right = json!({ "current_password": PASSWORD, "new_password": NEW });
    assert_eq!(change(&app, &person, right).await.status, 200, "the account was locked");
}

// spec: 10.7.17
async fn passwords_of_any_length_and_script_work(app: TestApp) {
    let passwords = [
        "Kestrel-41!".to_owned(),
        "Ab1!".repeat(16),
        "Ab1!".repeat(250),
        "密码很好记Aa1！".to_owned(),
        "Aa1🦊🦊🦊🦊👩‍👩‍👧".to_owned(),
        "Ünïcödé-1 with spaces ".to_owned(),
    ];
    for (n, password) in passwords.iter().enumerate() {
        let email = format!("typist{n}@example.com");
        let body = json!({ "email": email, "password": password });
        let registered = app.post("/auth/register", body).await;
        assert_eq!(registered.status, 200, "{password}");
        let link = link_token(&app.mails().await);
        assert_eq!(app.open_link(&link, Some(&registered.cookie())).await.status, 200);
        let shorter: String = password.chars().take(password.chars().count() - 1).collect();
        assert_eq!(app.login(&email, &shorter).await.status, 401, "every character counts");
        assert_eq!(app.login(&email, password).await.status, 200, "{password}");
    }
    // Another keyboard encodes the same letters as one code point or two.
    assert_eq!(app.login("typist5@example.com", "U\u{308}nïcödé-1 with spaces ").await.status, 200);
    let long = json!({ "email": "long@example.com", "password": "Ab1!".repeat(300) });
    let reply = app.post("/auth/register", long).await;
    assert_eq!((reply.error().0, &reply.body["data"]["fields"]), (422, &json!({ "password": "too_long" })));
    let huge = json!({ "email": "long@example.com", "password": "Ab1!".repeat(20_000) });
    assert_eq!(app.post("/auth/register", huge).await.error(), (413, "BODY_TOO_LARGE"));
}

// spec: 10.7.17
async fn addresses_of_any_spelling_work(app: TestApp) {
    for (typed, also) in [
        ("First.Last+visa@Example.com", "first.last+VISA@example.COM"),
        ("李雷@example.com", " 李雷@EXAMPLE.com "),
        ("josé@example.com", "JOSÉ@example.com"),
    ] {
        let registered = app.register(typed).await;
        assert_eq!(registered.status, 200, "{typed}");
        let mails = app.mails().await;
        assert_eq!(mails.last().unwrap().1, typed, "mail is sent to the address as it was typed");
        assert_eq!(app.open_link(&link_token(&mails), Some(&registered.cookie())).await.status, 200);
        assert_eq!(app.login(also, PASSWORD).await.status, 200, "{also}");
        let token = reset_token(&app, also).await;
        assert_eq!(reset(&app, &token, NEW).await.status, 200);
        assert_eq!(app.login(typed, NEW).await.status, 200);
        assert_eq!(
            app.login(&typed.replace("+visa", "+other"), NEW).await.status,
            if typed.contains('+') { 401 } else { 200 }
        );
        app.mails().await;
    }
}

// spec: 7.1.09, 10.7.16
async fn a_new_address_applies_once_it_is_verified(app: TestApp) {
    let person = app.person("mover").await;
    let body = json!({ "email": "moved@example.com", "language": "en", "autoStopScheduler": true });
    let early = set_profile(&app, &person, body.clone()).await;
    assert_eq!(early.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(
        app.get("/user/profile", &person).await.data()["user"]["language"],
        "zh",
        "all fields or none"
    );
    let plain = set_profile(&app, &person, json!({ "language": "zh", "email": person.email })).await;
    assert_eq!(plain.data()["email_change_sent"], false, "an unchanged value needs no step-up");
    step_up(&app, &person).await;
    let reply = set_profile(&app, &person, body).await;
    let user = &reply.data()["user"];
    assert_eq!(
        (&reply.data()["email_change_sent"], &user["email"]),
        (&json!(true), &json!("mover@example.com"))
    );
    assert_eq!((&user["language"], &user["profile"]["autoStopScheduler"]), (&json!("en"), &json!(true)));
    let mails = app.mails().await;
    let expected = [("email_change", "moved@example.com"), ("email_change_notice", "mover@example.com")];
    let mut seen = templates(&mails);
    seen.sort_unstable();
    assert_eq!(seen, expected);
    let token = new_address(&mails);
    assert_eq!(app.login("moved@example.com", PASSWORD).await.status, 401);
    let before = reset_token(&app, "mover@example.com").await;
    let moved = open_link(&app, &token).await;
    let proven = (&moved.data()["outcome"], &moved.data()["email"], &moved.data()["refresh_token"]);
    assert_eq!(
        proven,
        (&json!("email_changed"), &json!("moved@example.com"), &Value::Null),
        "the link signs no user in"
    );
    assert_eq!(
        open_link(&app, &token).await.data()["email"],
        Value::Null,
        "a repeat reveals nothing of the account"
    );
    assert_eq!(app.get("/user/profile", &person).await.status, 401, "the old sign-ins ended");
    assert_eq!(
        reset(&app, &before, NEW).await.error(),
        (400, "INVALID_TOKEN"),
        "the links of the old mailbox are void"
    );
    assert_eq!(app.login("mover@example.com", PASSWORD).await.status, 401);
    assert_eq!(app.login("moved@example.com", PASSWORD).await.status, 200);
}

async fn a_password_change_cancels_an_address_change(app: TestApp) {
    let person = app.person("owner").await;
    let change = json!({ "email": "thief@example.com" });
    step_up(&app, &person).await;
    assert_eq!(set_profile(&app, &person, change.clone()).await.status, 200);
    let token = new_address(&app.mails().await);
    // One more request is not processed yet.
    assert_eq!(set_profile(&app, &person, change).await.status, 200);
    let passwords = json!({ "current_password": PASSWORD, "new_password": NEW });
    assert_eq!(app.call("POST", "/auth/change-password", Some(&person), Some(passwords)).await.status, 200);
    let later = app.mails().await;
    assert_eq!(templates(&later).iter().filter(|(kind, _)| *kind == "email_change").count(), 0, "{later:?}");
    assert_ne!(open_link(&app, &token).await.status, 200, "the link has no effect");
    assert_eq!(app.get("/user/profile", &person).await.data()["user"]["email"], "owner@example.com");
}

// spec: 10.7.16
async fn a_taken_address_is_neither_revealed_nor_assigned(app: TestApp) {
    let owner = app.person("owner").await;
    let mover = app.person("mover").await;
    step_up(&app, &mover).await;
    let taken = set_profile(&app, &mover, json!({ "email": owner.email })).await;
    assert_eq!(taken.data()["email_change_sent"], true);
    let mails = app.mails().await;
    assert_eq!(templates(&mails), [("email_change_notice", "mover@example.com")]);
    // The address is free when the link is requested, and belongs to another user when the link is
    // used.
    let reply = set_profile(&app, &mover, json!({ "email": "wanted@example.com" })).await;
    assert_eq!(reply.body["data"]["email_change_sent"], taken.body["data"]["email_change_sent"]);
    let token = new_address(&app.mails().await);
    app.person("wanted").await;
    assert_eq!(open_link(&app, &token).await.error(), (400, "INVALID_TOKEN"));
    assert_eq!(app.login("wanted@example.com", PASSWORD).await.data()["user"]["email"], "wanted@example.com");
    assert_eq!(app.get("/user/profile", &mover).await.data()["user"]["email"], "mover@example.com");
}

// spec: 10.7.16
async fn an_unverified_account_loses_its_address_to_a_verified_one(app: TestApp) {
    let mover = app.person("mover").await;
    app.post("/auth/register", json!({ "email": "squatted@example.com", "password": "Stranger-1" })).await;
    let squatters = link_token(&app.mails().await);
    step_up(&app, &mover).await;
    set_profile(&app, &mover, json!({ "email": "Squatted@example.com" })).await.data();
    let token = new_address(&app.mails().await);
    assert_eq!(open_link(&app, &token).await.status, 200);
    let now = app.login("squatted@example.com", PASSWORD).await;
    assert_eq!(now.data()["user"]["id"], mover.id.to_string());
    assert_eq!(open_link(&app, &squatters).await.error(), (410, "TOKEN_EXPIRED"), "the account is deleted");
    assert_ne!(app.login("squatted@example.com", "Stranger-1").await.status, 200);
}

// spec: 10.7.01
async fn a_second_registration_sends_the_pending_owner_one_mail(app: TestApp) {
    let victim = "victim@example.com";
    let cookie = app.register(victim).await.cookie();
    let own = link_token(&app.mails().await);
    app.post("/auth/register", json!({ "email": victim, "password": "Stranger-1" })).await;
    let mails = app.mails().await;
    assert_eq!(
        (mails.len(), &mails[0].2["contested"]),
        (1, &json!(true)),
        "the second mail reports the conflict"
    );
    assert_eq!(app.login(victim, PASSWORD).await.error(), (403, "EMAIL_NOT_VERIFIED"), "nothing changed");
    // Either user requests the mail again. The reader of the mail chooses the password, so no user
    // gets an account with the password of another.
    app.wait(61);
    app.post("/auth/resend-verification", json!({ "email": victim })).await;
    let again = app.mails().await;
    let token = token_of(&again, "reset_password", "reset-password");
    assert_eq!(again.len(), 1);
    assert_eq!(
        app.open_link(&own, Some(&cookie)).await.data()["outcome"],
        "verified",
        "the first link still works"
    );
    assert_eq!(app.login(victim, PASSWORD).await.status, 200);
    assert_ne!(app.login(victim, "Stranger-1").await.status, 200);
    assert_eq!(reset(&app, &token, NEW).await.status, 200);
    assert_eq!(app.login(victim, NEW).await.status, 200);
    // The same registration sent twice counts once.
    app.register("twice@example.com").await;
    app.register("twice@example.com").await;
    let mails = app.mails().await;
    assert!(mails.iter().filter(|m| m.0 == "verify_email").all(|m| m.2["contested"] == false), "{mails:?}");
}

// spec: 10.7.11
async fn a_reset_request_survives_a_crash_and_a_week(app: TestApp) {
    let person = app.person("patient").await;
    assert_eq!(forgot(&app, &person.email).await.status, 200);
    // The transaction of a process that dies is rolled back.
    let mut tx = app.app.db.begin().await.unwrap();
    assert!(store::mail_request::claim(&mut tx, app.clock.now()).await.unwrap().is_some());
    drop(tx);
    app.wait(7 * 24 * 3600);
    server::run::housekeeping_round(&app.app).await.unwrap();
    let mails = app.mails().await;
    assert_eq!(templates(&mails), [("reset_password", "patient@example.com")]);
    assert_eq!(server::workers::mail_requests::resolve_due(&app.app).await.unwrap(), 0, "once");
    let token = token_of(&mails, "reset_password", "reset-password");
    assert_eq!(reset(&app, &token, NEW).await.status, 200, "the hour began with the mail");
}

// spec: 10.7.13
async fn frequent_mail_requests_get_a_retry_after(app: TestApp) {
    let known = app.person("known").await.email;
    app.wait(61);
    for path in ["/auth/forgot-password", "/auth/resend-verification", "/auth/register"] {
        let mut seen = Vec::new();
        for email in [known.as_str(), "nobody@example.com"] {
            let body = match path {
                "/auth/register" => json!({ "email": email, "password": NEW }),
                _ => json!({ "email": email }),
            };
            for _ in 0..5 {
                assert_eq!(app.post(path, body.clone()).await.status, 200, "{path} {email}");
            }
            let reply = app.post(path, body.clone()).await;
            assert_eq!(reply.error(), (429, "TOO_MANY_ATTEMPTS"), "{path}");
            let wait: i64 = reply.headers["retry-after"].to_str().unwrap().parse().unwrap();
            assert!((1..=12).contains(&wait), "{path} {wait}");
            seen.push((reply.headers["retry-after"].clone(), reply.body));
            app.wait(wait);
            assert_eq!(app.post(path, body).await.status, 200, "the account was locked");
        }
        assert_eq!(seen[0], seen[1], "{path}");
        app.wait(61);
    }
}

// spec: 10.7.16
/// Checks that without a mail server no address counts as verified. Two accounts may be in use, and
/// neither replaces the other.
async fn without_mail_no_account_can_take_anothers_address(mut app: TestApp) {
    // One account was verified while a mail server was configured.
    let proven = app.person("proven").await;
    let settings = std::sync::Arc::make_mut(&mut app.app.settings);
    settings.smtp_url = None;
    app.router = server::router(app.app.clone());
    for name in ["victim", "mallory"] {
        app.register(&format!("{name}@example.com")).await;
    }
    let signed_in = |email: &'static str| {
        let app = &app;
        async move { app.signed_in(email, &app.login(email, PASSWORD).await) }
    };
    let (victim, mallory) = (signed_in("victim@example.com").await, signed_in("mallory@example.com").await);
    step_up(&app, &mallory).await;
    for wanted in ["victim@example.com", " VICTIM@example.com", "proven@example.com"] {
        let reply = set_profile(&app, &mallory, json!({ "email": wanted })).await;
        let user = &reply.data()["user"];
        let shown = (&user["email"], &user["emailVerified"]);
        assert_eq!(shown, (&json!("mallory@example.com"), &json!(false)), "{wanted}");
    }
    assert_eq!(signed_in("victim@example.com").await.id, victim.id, "the name still belongs to the victim");
    app.wait(61);
    // A free address is assigned, but does not count as verified.
    let reply = set_profile(&app, &mallory, json!({ "email": "mallory@example.org" })).await;
    let user = &reply.data()["user"];
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("mallory@example.org"), &json!(false)));
    assert_eq!(signed_in("mallory@example.org").await.id, mallory.id);
    // The verification of the old address does not apply to a new one.
    step_up(&app, &proven).await;
    let reply = set_profile(&app, &proven, json!({ "email": "moved@example.com" })).await;
    let user = &reply.data()["user"];
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("moved@example.com"), &json!(false)));
}
