//! Stories of mailed sign-in links: they sign in only the browser that requested them. Elsewhere
//! they show a code.

use serde_json::{Value, json};

use crate::app::{PASSWORD, Reply, TestApp, link_token, request, token_of};

stories!(
    a_mailed_link_signs_in_the_browser_that_requested_it,
    another_browser_shows_a_code_to_type_in_the_first,
    an_attackers_request_signs_in_nobody,
    wrong_codes_end_the_link,
    a_mailed_link_needs_the_second_factor_and_is_no_step_up,
    a_mailed_link_works_once_for_fifteen_minutes,
    unknown_addresses_get_the_same_response_and_no_mail,
    the_first_proof_of_an_address_removes_what_others_set,
    at_most_five_links_an_hour_are_mailed,
    a_password_reset_ends_mailed_links,
    a_mailed_link_can_be_revoked,
    a_new_address_ends_links_to_the_old_one,
    a_repeated_request_keeps_the_earlier_link,
);

/// A requested link: its token, and the cookie of the browser.
struct Requested {
    token: String,
    cookie: String,
}

async fn ask(app: &TestApp, email: &str) -> Reply {
    app.post("/auth/sign-in-link", json!({ "email": email, "rememberMe": true })).await
}

async fn requested(app: &TestApp, email: &str) -> Requested {
    let reply = ask(app, email).await;
    assert_eq!(reply.data(), &json!({}));
    Requested { token: token_of(&app.mails().await, "sign_in", "sign-in"), cookie: reply.cookie() }
}

/// Calls the API from a page of this server, in a browser with this cookie.
async fn from_page(
    app: &TestApp,
    (method, path): (&str, &str),
    cookie: Option<&str>,
    body: Option<Value>,
) -> Reply {
    let mut call = request(method, path, None, body);
    call.headers_mut().insert("sec-fetch-site", "same-origin".parse().unwrap());
    if let Some(cookie) = cookie {
        call.headers_mut().insert("cookie", format!("__Host-sooner_pre={cookie}").parse().unwrap());
    }
    app.send(call).await
}

async fn page(app: &TestApp, token: &str, cookie: Option<&str>) -> Reply {
    from_page(app, ("GET", &format!("/auth/sign-in-link?token={token}")), cookie, None).await
}

async fn press(app: &TestApp, body: Value, cookie: Option<&str>) -> Reply {
    from_page(app, ("POST", "/auth/sign-in-link/use"), cookie, Some(body)).await
}

/// Exchanges the token of a pressed link for a session.
async fn trade(app: &TestApp, pressed: &Reply, cookie: &str, code: Option<&str>) -> Reply {
    let body = json!({ "refresh_token": pressed.data()["refresh_token"], "totp_code": code });
    from_page(app, ("POST", "/auth/refresh"), Some(cookie), Some(body)).await
}

// spec: 10.7.105
async fn a_mailed_link_signs_in_the_browser_that_requested_it(app: TestApp) {
    let person = app.person("lin").await;
    let reply = ask(&app, &person.email).await;
    let attributes = reply.headers["set-cookie"].to_str().unwrap().split_once("; ").unwrap().1;
    assert_eq!(attributes, "Max-Age=86400; Path=/; HttpOnly; SameSite=Lax; Secure");
    let (token, cookie) = (token_of(&app.mails().await, "sign_in", "sign-in"), reply.cookie());
    for _ in 0..3 {
        // Scanners of mails and repeated visits change nothing.
        let shown = page(&app, &token, Some(&cookie)).await;
        assert_eq!(shown.data(), &json!({ "own_browser": true, "code": null }));
    }
    let pressed = press(&app, json!({ "token": token }), Some(&cookie)).await;
    assert_eq!(pressed.data()["first_proof"], false);
    let traded = trade(&app, &pressed, &cookie, None).await;
    let mut here = app.signed_in_long_ago(&person.email).await;
    traded.data()["access_token"].as_str().unwrap().clone_into(&mut here.access);
    let own = app.get("/user/sessions", &here).await.data()["sessions"].clone();
    let own = own.as_array().unwrap().iter().find(|own| own["current"] == true).unwrap();
    assert_eq!((&own["method"], &own["remembered"]), (&json!("mail_link"), &json!(true)));
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200, "the password stays");
}

// spec: 10.7.105
async fn another_browser_shows_a_code_to_type_in_the_first(app: TestApp) {
    let person = app.person("lin").await;
    let Requested { token, cookie } = requested(&app, &person.email).await;
    let elsewhere = page(&app, &token, None).await.data().clone();
    assert_eq!(elsewhere["own_browser"], false);
    let code = elsewhere["code"].as_str().unwrap();
    let groups: Vec<_> = code.split('-').map(str::len).collect();
    assert_eq!(groups, [4, 4], "{code}");
    assert_eq!(page(&app, &token, Some(&"0".repeat(64))).await.data()["code"], code, "the same each time");
    let other = press(&app, json!({ "token": token }), None).await;
    assert_eq!(other.error(), (400, "INVALID_TOKEN"), "the other browser cannot use the link");
    let typed = json!({ "code": format!(" {} ", code.to_uppercase().replace('-', "")) });
    assert_eq!(press(&app, typed.clone(), None).await.body["data"]["fields"]["code"], "wrong");
    let pressed = press(&app, typed.clone(), Some(&cookie)).await;
    assert_eq!(trade(&app, &pressed, &cookie, None).await.status, 200);
    assert_eq!(press(&app, typed, Some(&cookie)).await.body["data"]["fields"]["code"], "wrong", "once");
    assert_eq!(page(&app, &token, None).await.error(), (400, "INVALID_TOKEN"), "the link is used too");
}

// spec: 10.7.105
async fn an_attackers_request_signs_in_nobody(app: TestApp) {
    let victim = app.person("victim").await;
    let attacker = requested(&app, &victim.email).await;
    // The victim opens the mail that the attacker requested: a code, and nothing else.
    let shown = page(&app, &attacker.token, None).await;
    assert_eq!(shown.data()["own_browser"], false);
    let pressed = press(&app, json!({ "token": attacker.token }), None).await;
    assert_eq!(pressed.error(), (400, "INVALID_TOKEN"));
    // The attacker's browser has no token.
    for body in [json!({}), json!({ "token": "0".repeat(64) }), json!({ "code": "" })] {
        let refused = press(&app, body, Some(&attacker.cookie)).await;
        assert!(matches!(refused.status.as_u16(), 400 | 422), "{refused:?}");
    }
    // A request from another site, without the mark of an own page, has no cookie here.
    let mut call = request("POST", "/auth/sign-in-link/use", None, Some(json!({ "token": attacker.token })));
    let cookie = format!("__Host-sooner_pre={}", attacker.cookie);
    call.headers_mut().insert("cookie", cookie.parse().unwrap());
    call.headers_mut().insert("sec-fetch-site", "cross-site".parse().unwrap());
    assert_eq!(app.send(call).await.error(), (400, "INVALID_TOKEN"));
    // The result of the press belongs to the browser too.
    let pressed = press(&app, json!({ "token": attacker.token }), Some(&attacker.cookie)).await;
    assert_eq!(trade(&app, &pressed, &"1".repeat(64), None).await.error(), (401, "INVALID_REFRESH_TOKEN"));
}

// spec: 10.7.105
async fn wrong_codes_end_the_link(app: TestApp) {
    let person = app.person("lin").await;
    let Requested { token, cookie } = requested(&app, &person.email).await;
    let code = page(&app, &token, None).await.data()["code"].clone();
    for _ in 0..5 {
        let wrong = press(&app, json!({ "code": "aaaa-aaaa" }), Some(&cookie)).await;
        assert_eq!(wrong.body["data"]["fields"]["code"], "wrong");
    }
    let right = press(&app, json!({ "code": code }), Some(&cookie)).await;
    assert_eq!(right.body["data"]["fields"]["code"], "wrong", "after five wrong codes");
}

// spec: 10.7.105
async fn a_mailed_link_needs_the_second_factor_and_is_no_step_up(app: TestApp) {
    let person = app.person("lin").await;
    let (secret, _) = crate::sign_ins::second_factor(&app, &person).await;
    app.wait(60);
    let Requested { token, cookie } = requested(&app, &person.email).await;
    let pressed = press(&app, json!({ "token": token }), Some(&cookie)).await;
    assert_eq!(trade(&app, &pressed, &cookie, None).await.error(), (401, "TOTP_REQUIRED"));
    let code = crate::sign_ins::code(&app, &secret, 0);
    let traded = trade(&app, &pressed, &cookie, Some(&code)).await;
    let mut here = person;
    traded.data()["access_token"].as_str().unwrap().clone_into(&mut here.access);
    assert_eq!(app.call("POST", "/user/totp", Some(&here), None).await.error(), (403, "STEP_UP_REQUIRED"));
}

// spec: 10.7.105
async fn a_mailed_link_works_once_for_fifteen_minutes(app: TestApp) {
    let person = app.person("lin").await;
    let first = requested(&app, &person.email).await;
    assert_eq!(press(&app, json!({ "token": first.token }), Some(&first.cookie)).await.status, 200);
    let again = press(&app, json!({ "token": first.token }), Some(&first.cookie)).await;
    assert_eq!(again.error(), (400, "INVALID_TOKEN"), "once");
    app.wait(61);
    let late = requested(&app, &person.email).await;
    app.wait(901);
    assert_eq!(page(&app, &late.token, Some(&late.cookie)).await.error(), (410, "TOKEN_EXPIRED"));
    let pressed = press(&app, json!({ "token": late.token }), Some(&late.cookie)).await;
    assert_eq!(pressed.error(), (410, "TOKEN_EXPIRED"));
}

// spec: 10.7.105, 7.1.02
async fn unknown_addresses_get_the_same_response_and_no_mail(app: TestApp) {
    let person = app.person("lin").await;
    let (known, unknown) = (ask(&app, &person.email).await, ask(&app, "nobody@example.com").await);
    let shape = |reply: &Reply| {
        let cookie = reply.headers["set-cookie"].to_str().unwrap().replace(&reply.cookie(), "…");
        (reply.status, reply.body.clone(), cookie)
    };
    assert_eq!(shape(&known), shape(&unknown));
    let mails = app.mails().await;
    assert_eq!(mails.iter().map(|mail| mail.1.as_str()).collect::<Vec<_>>(), [person.email.as_str()]);
    for bad in ["", "no address"] {
        assert_eq!(ask(&app, bad).await.error(), (422, "VALIDATION_FAILED"), "{bad}");
    }
}

// spec: 10.7.106
async fn the_first_proof_of_an_address_removes_what_others_set(app: TestApp) {
    let victim = "victim@example.com";
    // An attacker registers the address of another user, and waits.
    let attacker = app.post("/auth/register", json!({ "email": victim, "password": "Gannet-rock-41" })).await;
    let link = link_token(&app.mails().await);
    let own = requested(&app, victim).await;
    let pressed = press(&app, json!({ "token": own.token }), Some(&own.cookie)).await;
    assert_eq!(pressed.data()["first_proof"], true);
    let traded = trade(&app, &pressed, &own.cookie, None).await;
    assert_eq!(traded.status, 200);
    assert_ne!(app.login(victim, "Gannet-rock-41").await.status, 200, "the attacker's password is removed");
    let late = app.open_link(&link, Some(&attacker.cookie())).await;
    assert_eq!(late.error(), (410, "TOKEN_EXPIRED"), "the attacker's link has ended");
    // The owner sets a password by mail.
    app.post("/auth/forgot-password", json!({ "email": victim })).await;
    let token = token_of(&app.mails().await, "reset_password", "reset-password");
    let reset = app.post("/auth/reset-password", json!({ "token": token, "password": PASSWORD })).await;
    assert_eq!(reset.status, 200);
    assert_eq!(app.login(victim, PASSWORD).await.status, 200);
}

// spec: 10.7.105
async fn at_most_five_links_an_hour_are_mailed(app: TestApp) {
    let person = app.person("lin").await;
    let mut count = 0;
    for _ in 0..20 {
        ask(&app, &person.email).await;
        count += app.mails().await.len();
        app.wait(90);
    }
    assert_eq!(count, 5);
    app.wait(3600);
    ask(&app, &person.email).await;
    assert_eq!(app.mails().await.len(), 1);
}

// spec: 10.7.105
async fn a_password_reset_ends_mailed_links(app: TestApp) {
    let person = app.person("lin").await;
    let Requested { token, cookie } = requested(&app, &person.email).await;
    app.post("/auth/forgot-password", json!({ "email": person.email })).await;
    let reset = token_of(&app.mails().await, "reset_password", "reset-password");
    app.post("/auth/reset-password", json!({ "token": reset, "password": "New-Pass-word-1" })).await;
    let pressed = press(&app, json!({ "token": token }), Some(&cookie)).await;
    assert_eq!(pressed.error(), (400, "INVALID_TOKEN"));
}

// spec: 10.7.90
async fn a_mailed_link_can_be_revoked(app: TestApp) {
    let person = app.person("lin").await;
    let Requested { token, cookie } = requested(&app, &person.email).await;
    let open = app.get("/user/links", &person).await.data()["links"].clone();
    assert_eq!((open.as_array().unwrap().len(), &open[0]["kind"]), (1, &json!("sign_in")));
    let path = format!("/user/links/{}", open[0]["id"].as_str().unwrap());
    assert_eq!(app.call("DELETE", &path, Some(&person), None).await.status, 200);
    let pressed = press(&app, json!({ "token": token }), Some(&cookie)).await;
    assert_eq!(pressed.error(), (410, "TOKEN_EXPIRED"));
    assert_eq!(app.get("/user/links", &person).await.data()["links"], json!([]));
}

// spec: 10.7.105
async fn a_new_address_ends_links_to_the_old_one(app: TestApp) {
    let person = app.person("lin").await;
    let old = requested(&app, &person.email).await;
    let pressed = press(&app, json!({ "token": old.token }), Some(&old.cookie)).await;
    app.wait(61);
    let second = requested(&app, &person.email).await;
    app.proves(&person).await;
    let change = json!({ "email": "new@example.com" });
    assert_eq!(app.call("PUT", "/auth/profile", Some(&person), Some(change)).await.status, 200);
    let link = token_of(&app.mails().await, "email_change", "verify-email");
    assert_eq!(app.open_link(&link, None).await.data()["outcome"], "email_changed");
    let late = press(&app, json!({ "token": second.token }), Some(&second.cookie)).await;
    assert_eq!(late.error(), (400, "INVALID_TOKEN"));
    assert_eq!(trade(&app, &pressed, &old.cookie, None).await.error(), (401, "INVALID_REFRESH_TOKEN"));
}

// spec: 10.7.105
async fn a_repeated_request_keeps_the_earlier_link(app: TestApp) {
    let person = app.person("lin").await;
    let Requested { token, cookie } = requested(&app, &person.email).await;
    // Requested again within the minute: no second mail, and the browser keeps its cookie.
    let body = Some(json!({ "email": person.email }));
    let again = from_page(&app, ("POST", "/auth/sign-in-link"), Some(&cookie), body).await;
    assert_eq!(again.cookie(), cookie);
    assert_eq!(app.mails().await, []);
    assert_eq!(press(&app, json!({ "token": token }), Some(&cookie)).await.status, 200);
}
