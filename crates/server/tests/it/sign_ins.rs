//! Stories of the list of sessions, of step-ups, and of second factors.

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use totp_rs::{Builder, Secret};
use tower::ServiceExt as _;

use crate::app::{PASSWORD, Person, Reply, TestApp, request};

stories!(
    users_list_their_sign_ins_and_end_them,
    signing_out_everywhere_takes_effect_at_once,
    only_a_sign_in_from_a_new_device_sends_a_mail,
    a_step_up_lasts_five_minutes_for_one_sign_in,
    a_password_sign_in_counts_as_a_step_up,
    password_guesses_at_step_up_are_slowed,
    a_second_factor_is_required_and_each_code_works_once,
    recovery_codes_work_once,
    a_second_factor_is_replaced_only_once_confirmed,
    guesses_at_a_second_factor_code_are_slowed,
    sign_ins_of_other_users_are_not_found,
    excess_sign_ins_get_a_retry_after,
);

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) \
                      Version/18.6 Mobile/15E148 Safari/604.1";

/// Signs in with a given user agent.
async fn login_with(app: &TestApp, email: &str, agent: &str) -> Reply {
    let body = json!({ "username": email, "password": PASSWORD, "rememberMe": true });
    let mut login: Request<Body> = request("POST", "/auth/login", None, Some(body));
    login.headers_mut().insert("user-agent", agent.parse().unwrap());
    app.send(login).await
}

async fn step_up(app: &TestApp, person: &Person, body: Value) -> Reply {
    app.call("POST", "/auth/step-up", Some(person), Some(body)).await
}

async fn proven(app: &TestApp, person: &Person) {
    assert_eq!(step_up(app, person, json!({ "password": PASSWORD })).await.status, 200);
}

async fn bare(app: &TestApp, method: &str, path: &str, person: &Person) -> Reply {
    app.call(method, path, Some(person), None).await
}

async fn sessions(app: &TestApp, person: &Person) -> Vec<Value> {
    app.get("/user/sessions", person).await.data()["sessions"].as_array().unwrap().clone()
}

/// Returns the code that an authenticator app shows `later` seconds from now.
pub fn code(app: &TestApp, secret: &str, later: i64) -> String {
    let secret = Secret::try_from_base32(secret).unwrap();
    let at = u64::try_from(app.clock.now().timestamp() + later).unwrap();
    Builder::new().with_secret(secret).build().unwrap().generate(at).to_string()
}

/// Activates a second factor. Returns its secret and the recovery codes.
pub async fn second_factor(app: &TestApp, person: &Person) -> (String, Vec<String>) {
    proven(app, person).await;
    let drawn = bare(app, "POST", "/user/totp", person).await;
    let secret = drawn.data()["secret"].as_str().unwrap().to_owned();
    let given = json!({ "code": code(app, &secret, 0) });
    let confirmed = app.call("POST", "/user/totp/confirm", Some(person), Some(given)).await;
    let codes = confirmed.data()["recovery_codes"].as_array().unwrap();
    (secret, codes.iter().map(|c| c.as_str().unwrap().to_owned()).collect())
}

pub async fn login_and(app: &TestApp, person: &Person, totp_code: &str) -> Reply {
    let body = json!({ "username": person.email, "password": PASSWORD, "totp_code": totp_code });
    app.post("/auth/login", body).await
}

// spec: 10.7.19
async fn users_list_their_sign_ins_and_end_them(app: TestApp) {
    let first = app.person("list").await;
    app.wait(60);
    let phone = login_with(&app, &first.email, IPHONE).await;
    let phone = app.signed_in(&first.email, &phone);
    let listed = sessions(&app, &first).await;
    assert_eq!(listed.len(), 2);
    let (theirs, own) = (&listed[0], &listed[1]);
    assert_eq!((&own["current"], &theirs["current"]), (&json!(true), &json!(false)));
    assert_eq!(theirs["client"], json!({ "browser": "Safari", "os": "iOS", "kind": "phone" }));
    assert_eq!((&theirs["method"], &theirs["remembered"]), (&json!("password"), &json!(true)));
    assert_eq!(own["client"], json!({ "browser": "", "os": "", "kind": "other" }));
    assert_eq!(own["network"], "0.0.0.x");
    assert_eq!(theirs["last_used_at"], theirs["created_at"]);
    app.wait(60);
    app.post("/auth/refresh", json!({ "refresh_token": first.refresh })).await.data();
    let listed = sessions(&app, &first).await;
    assert_eq!(listed[0]["current"], true, "the sign-in that was used last is first");
    assert_ne!(listed[0]["last_used_at"], listed[0]["created_at"]);
    let path = format!("/user/sessions/{}", listed[1]["id"].as_str().unwrap());
    assert_eq!(app.get("/users/credit", &phone).await.status, 200);
    assert_eq!(bare(&app, "DELETE", &path, &first).await.data(), &json!({}));
    assert_eq!(app.get("/users/credit", &phone).await.error(), (401, "UNAUTHORIZED"), "signed out at once");
    let late = app.post("/auth/refresh", json!({ "refresh_token": phone.refresh })).await;
    assert_eq!(late.error(), (401, "INVALID_REFRESH_TOKEN"));
    assert_eq!(sessions(&app, &first).await.len(), 1);
    assert_eq!(bare(&app, "DELETE", &path, &first).await.error(), (404, "NOT_FOUND"));
    assert_eq!(bare(&app, "DELETE", "/user/sessions/x", &first).await.error(), (404, "NOT_FOUND"));
}

// spec: 10.7.19
async fn signing_out_everywhere_takes_effect_at_once(app: TestApp) {
    let here = app.person("everywhere").await;
    let mut others = Vec::new();
    for _ in 0..3 {
        others.push(app.signed_in(&here.email, &app.login(&here.email, PASSWORD).await));
    }
    for other in &others {
        assert_eq!(app.get("/users/credit", other).await.status, 200);
    }
    let reply = bare(&app, "POST", "/auth/logout-all", &here).await;
    assert_eq!(reply.data(), &json!({ "ended": 3 }));
    for other in &others {
        assert_eq!(app.get("/users/credit", other).await.error(), (401, "UNAUTHORIZED"));
    }
    assert_eq!(app.get("/users/credit", &here).await.status, 200);
    let all = json!({ "keep_current": false });
    let reply = app.call("POST", "/auth/logout-all", Some(&here), Some(all)).await;
    assert_eq!(reply.data(), &json!({ "ended": 1 }));
    assert_eq!(app.get("/users/credit", &here).await.error(), (401, "UNAUTHORIZED"));
    let odd = app.call("POST", "/auth/logout-all", Some(&here), Some(json!({ "keep": 1 }))).await;
    assert_eq!(odd.error(), (401, "UNAUTHORIZED"));
}

// spec: 10.7.20
async fn only_a_sign_in_from_a_new_device_sends_a_mail(app: TestApp) {
    let person = app.person("places").await;
    assert!(app.mails().await.is_empty(), "the first sign-in is not reported");
    login_with(&app, &person.email, FIREFOX).await.data();
    let mails = app.mails().await;
    assert_eq!((mails.len(), mails[0].0.as_str(), &mails[0].1), (1, "new_sign_in", &person.email));
    assert_eq!((&mails[0].2["browser"], &mails[0].2["os"]), (&json!("Firefox"), &json!("Linux")));
    assert_eq!(mails[0].2["link"], "https://sooner.example.com/settings");
    login_with(&app, &person.email, FIREFOX).await.data();
    app.login(&person.email, PASSWORD).await.data();
    assert!(app.mails().await.is_empty(), "the browser is known by now");
    let wrong = json!({ "username": person.email, "password": "Wrong-1-password" });
    let mut login = request("POST", "/auth/login", None, Some(wrong));
    login.headers_mut().insert("user-agent", IPHONE.parse().unwrap());
    assert_eq!(app.send(login).await.status, 401);
    assert!(app.mails().await.is_empty(), "there was no sign-in");
}

// spec: 10.7.18
async fn a_step_up_lasts_five_minutes_for_one_sign_in(app: TestApp) {
    let here = app.person("again").await;
    let there = app.signed_in_long_ago(&here.email).await;
    let refused = bare(&app, "POST", "/user/totp", &here).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"), "a sign-in alone is not enough");
    assert_eq!(refused.body["data"], json!({ "methods": ["password"], "totp": false }));
    let cases = [
        (json!({}), json!({ "password": "required" })),
        (json!({ "password": "" }), json!({ "password": "required" })),
        (json!({ "password": "Wrong-1-password" }), json!({ "password": "wrong" })),
    ];
    for (body, fields) in cases {
        let reply = step_up(&app, &here, body).await;
        assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
        assert_eq!(reply.body["data"]["fields"], fields);
    }
    assert_eq!(step_up(&app, &here, json!({ "pin": "1" })).await.error(), (400, "INVALID_BODY"));
    assert_eq!(bare(&app, "POST", "/user/totp", &here).await.error(), (403, "STEP_UP_REQUIRED"));
    let reply = step_up(&app, &here, json!({ "password": PASSWORD })).await;
    let until = reply.data()["until"].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(until, app.clock.now() + chrono::TimeDelta::minutes(5));
    assert_eq!(bare(&app, "POST", "/user/totp", &here).await.status, 200);
    assert_eq!(bare(&app, "POST", "/user/totp", &there).await.error(), (403, "STEP_UP_REQUIRED"));
    app.wait(299);
    assert_eq!(bare(&app, "POST", "/user/totp", &here).await.status, 200);
    app.wait(1);
    assert_eq!(bare(&app, "POST", "/user/totp", &here).await.error(), (403, "STEP_UP_REQUIRED"));
    let nobody = app.post("/auth/step-up", json!({ "password": PASSWORD })).await;
    assert_eq!(nobody.error(), (401, "UNAUTHORIZED"));
}

// spec: 10.7.18, 10.7.43
async fn a_password_sign_in_counts_as_a_step_up(app: TestApp) {
    let email = app.person("fresh").await.email;
    for remembered in [false, true] {
        let body = json!({ "username": email, "password": PASSWORD, "rememberMe": remembered });
        let here = app.signed_in(&email, &app.post("/auth/login", body).await);
        app.wait(299);
        assert_eq!(bare(&app, "POST", "/user/totp", &here).await.status, 200, "no second proof is required");
        let rotated = app.post("/auth/refresh", json!({ "refresh_token": here.refresh })).await;
        let here = Person { access: rotated.data()["access_token"].as_str().unwrap().to_owned(), ..here };
        assert_eq!(bare(&app, "POST", "/user/totp", &here).await.status, 200, "the same sign-in");
        app.wait(1);
        let over = bare(&app, "POST", "/user/totp", &here).await;
        assert_eq!(over.error(), (403, "STEP_UP_REQUIRED"), "a refresh renews no proof");
    }
    // With a second factor, the sign-in needs a code.
    let person = app.person("factor").await;
    let (secret, _) = second_factor(&app, &person).await;
    app.wait(600);
    let reply = login_and(&app, &person, &code(&app, &secret, 0)).await;
    let here = app.signed_in(&person.email, &reply);
    assert_eq!(bare(&app, "DELETE", "/user/totp", &here).await.status, 200);
}

// spec: 10.7.18
async fn password_guesses_at_step_up_are_slowed(app: TestApp) {
    let person = app.person("stolen").await;
    let mut refused = 0;
    for n in 0..10 {
        let reply = step_up(&app, &person, json!({ "password": format!("Wrong-{n}-password") })).await;
        if reply.status == 429 {
            refused += 1;
            assert!(reply.headers.contains_key("retry-after"));
        }
    }
    assert!(refused >= 4, "{refused}");
    let early = step_up(&app, &person, json!({ "password": PASSWORD })).await;
    assert_eq!(early.error(), (429, "TOO_MANY_ATTEMPTS"));
    let wait = early.headers["retry-after"].to_str().unwrap().parse::<i64>().unwrap();
    app.wait(wait);
    proven(&app, &person).await;
}

// spec: 10.7.21
async fn a_second_factor_is_required_and_each_code_works_once(app: TestApp) {
    let person = app.person("second").await;
    let off = app.get("/user/totp", &person).await;
    assert_eq!(off.data(), &json!({ "enabled": false, "confirmed_at": null, "recovery_codes_left": 0 }));
    proven(&app, &person).await;
    let drawn = bare(&app, "POST", "/user/totp", &person).await;
    let (secret, url) =
        (drawn.data()["secret"].as_str().unwrap(), drawn.data()["otpauth_url"].as_str().unwrap());
    assert!(url.starts_with("otpauth://totp/Sooner:second%40example.com?") && url.contains(secret), "{url}");
    assert!(drawn.data()["qr_svg"].as_str().unwrap().contains("<svg"));
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200, "nothing changes until it is confirmed");
    for wrong in ["000000", "", "12345", "１２３４５６"] {
        let given = Some(json!({ "code": wrong }));
        let reply = app.call("POST", "/user/totp/confirm", Some(&person), given).await;
        assert_eq!(reply.body["data"]["fields"], json!({ "code": "wrong" }), "{wrong}");
    }
    let now = code(&app, secret, 0);
    let given = Some(json!({ "code": format!("{} {}", &now[..3], &now[3..]) }));
    let confirmed = app.call("POST", "/user/totp/confirm", Some(&person), given).await;
    assert_eq!(confirmed.data()["recovery_codes"].as_array().unwrap().len(), 10);
    let on = app.get("/user/totp", &person).await;
    assert_eq!((&on.data()["enabled"], &on.data()["recovery_codes_left"]), (&json!(true), &json!(10)));
    assert_eq!(app.get("/user/profile", &person).await.data()["user"]["totp_enabled"], true);
    let mails = app.mails().await;
    assert!(mails.iter().any(|(kind, _, data)| kind == "totp_changed" && data["enabled"] == true));
    let stored = bare(&app, "POST", "/user/totp/confirm", &person).await;
    assert_eq!(stored.status, 415, "a body is required");

    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (401, "TOTP_REQUIRED"));
    let wrong = app.login(&person.email, "Wrong-1-password").await;
    assert_eq!(
        wrong.error(),
        (401, "INVALID_CREDENTIALS"),
        "a wrong password does not reveal the second factor"
    );
    assert_eq!(
        login_and(&app, &person, &now).await.error(),
        (401, "TOTP_INVALID"),
        "the code was used to confirm it"
    );
    let next = code(&app, secret, 30);
    assert_eq!(login_and(&app, &person, &next).await.status, 200, "the phone's clock is half a minute ahead");
    assert_eq!(login_and(&app, &person, &next).await.error(), (401, "TOTP_INVALID"), "a code works once");
    assert_eq!(login_and(&app, &person, &code(&app, secret, 60)).await.error(), (401, "TOTP_INVALID"));
    app.wait(600);
    let old = code(&app, secret, -60);
    assert_eq!(login_and(&app, &person, &old).await.error(), (401, "TOTP_INVALID"));
    assert_eq!(login_and(&app, &person, &code(&app, secret, -30)).await.status, 200);

    let asked = bare(&app, "DELETE", "/user/totp", &person).await;
    assert_eq!(asked.body["data"], json!({ "methods": ["password"], "totp": true }));
    let half = step_up(&app, &person, json!({ "password": PASSWORD })).await;
    assert_eq!(half.body["data"]["fields"], json!({ "totp_code": "required" }));
    let proof = json!({ "password": PASSWORD, "totp_code": old });
    assert_eq!(step_up(&app, &person, proof).await.body["data"]["fields"], json!({ "totp_code": "wrong" }));
    let proof = json!({ "password": PASSWORD, "totp_code": code(&app, secret, 0) });
    assert_eq!(step_up(&app, &person, proof).await.status, 200);
    assert_eq!(bare(&app, "DELETE", "/user/totp", &person).await.status, 200);
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200);
    assert_eq!(app.get("/user/totp", &person).await.data(), off.data());
    let mails = app.mails().await;
    assert!(mails.iter().any(|(kind, _, data)| kind == "totp_changed" && data["enabled"] == false));
}

// spec: 10.7.21
async fn recovery_codes_work_once(app: TestApp) {
    let person = app.person("lost").await;
    let (secret, codes) = second_factor(&app, &person).await;
    assert!(codes.iter().all(|c| c.len() == 27 && c.as_bytes()[6] == b'-'), "{codes:?}");
    assert_eq!(login_and(&app, &person, &codes[0]).await.status, 200);
    assert_eq!(login_and(&app, &person, &codes[0]).await.error(), (401, "TOTP_INVALID"));
    let typed = codes[1].to_uppercase().replace('-', " ");
    assert_eq!(login_and(&app, &person, &typed).await.status, 200, "the code as users type it");
    assert_eq!(app.get("/user/totp", &person).await.data()["recovery_codes_left"], 8);
    let both = tokio::join!(login_and(&app, &person, &codes[2]), login_and(&app, &person, &codes[2]));
    let mut both = [both.0.status.as_u16(), both.1.status.as_u16()];
    both.sort_unstable();
    assert_eq!(both, [200, 401], "two simultaneous uses count once");
    let renewed = bare(&app, "POST", "/user/totp/recovery-codes", &person).await;
    assert_eq!(renewed.data()["recovery_codes"].as_array().unwrap().len(), 10);
    assert_eq!(login_and(&app, &person, &codes[3]).await.error(), (401, "TOTP_INVALID"), "replaced");
    app.mails().await;
    let stranger = app.person("stranger").await;
    let (_, theirs) = second_factor(&app, &stranger).await;
    assert_eq!(login_and(&app, &person, &theirs[0]).await.error(), (401, "TOTP_INVALID"));
    app.wait(60);
    assert_eq!(login_and(&app, &person, &code(&app, &secret, 0)).await.status, 200);
    app.mails().await;
    let without = app.person("without").await;
    proven(&app, &without).await;
    let none = bare(&app, "POST", "/user/totp/recovery-codes", &without).await;
    assert_eq!(none.error(), (409, "ILLEGAL_TRANSITION"));
}

// spec: 10.7.21
async fn a_second_factor_is_replaced_only_once_confirmed(app: TestApp) {
    let person = app.person("newphone").await;
    let (old, codes) = second_factor(&app, &person).await;
    let drawn = bare(&app, "POST", "/user/totp", &person).await;
    let new = drawn.data()["secret"].as_str().unwrap().to_owned();
    app.wait(60);
    assert_eq!(login_and(&app, &person, &code(&app, &new, 0)).await.error(), (401, "TOTP_INVALID"));
    assert_eq!(login_and(&app, &person, &code(&app, &old, 0)).await.status, 200);
    let given = Some(json!({ "code": code(&app, &new, 0) }));
    let first = app.call("POST", "/user/totp/confirm", Some(&person), given.clone()).await;
    assert_eq!(first.status, 200);
    let again = app.call("POST", "/user/totp/confirm", Some(&person), given).await;
    assert_eq!(again.error(), (409, "ILLEGAL_TRANSITION"));
    app.wait(60);
    assert_eq!(login_and(&app, &person, &code(&app, &old, 0)).await.error(), (401, "TOTP_INVALID"));
    assert_eq!(login_and(&app, &person, &codes[0]).await.error(), (401, "TOTP_INVALID"));
    assert_eq!(login_and(&app, &person, &code(&app, &new, 0)).await.status, 200);
}

// spec: 10.7.21
async fn guesses_at_a_second_factor_code_are_slowed(app: TestApp) {
    let person = app.person("guessed").await;
    let (secret, _) = second_factor(&app, &person).await;
    let mut tried = 0;
    for n in 0..25 {
        let reply = login_and(&app, &person, &format!("{n:06}")).await;
        tried += u32::from(reply.status == 401);
        app.wait(1);
    }
    assert!(tried < 15, "{tried} guesses in half a minute");
    app.wait(900);
    assert_eq!(login_and(&app, &person, &code(&app, &secret, 0)).await.status, 200, "the account was locked");
}

// spec: 10.7.19
async fn sign_ins_of_other_users_are_not_found(app: TestApp) {
    let (owner, stranger) = (app.person("owner").await, app.person("other").await);
    let own = sessions(&app, &owner).await[0]["id"].as_str().unwrap().to_owned();
    let reply = bare(&app, "DELETE", &format!("/user/sessions/{own}"), &stranger).await;
    assert_eq!(reply.error(), (404, "NOT_FOUND"));
    assert_eq!(app.get("/users/credit", &owner).await.status, 200);
    assert_eq!(sessions(&app, &stranger).await.len(), 1);
    proven(&app, &owner).await;
    assert_eq!(bare(&app, "POST", "/user/totp", &stranger).await.error(), (403, "STEP_UP_REQUIRED"));
    let drawn = bare(&app, "POST", "/user/totp", &owner).await;
    proven(&app, &stranger).await;
    let given = json!({ "code": code(&app, drawn.data()["secret"].as_str().unwrap(), 0) });
    let theirs = app.call("POST", "/user/totp/confirm", Some(&stranger), Some(given)).await;
    assert_eq!(theirs.error(), (409, "ILLEGAL_TRANSITION"));
    bare(&app, "POST", "/auth/logout-all", &stranger).await.data();
    assert_eq!(app.get("/users/credit", &owner).await.status, 200);
}

// spec: 10.7.14
async fn excess_sign_ins_get_a_retry_after(app: TestApp) {
    let person = app.person("calm").await;
    let mut crowd = tokio::task::JoinSet::new();
    for n in 0..150_u8 {
        let body = json!({ "username": format!("crowd{n}@example.com"), "password": PASSWORD });
        let mut login = request("POST", "/auth/login", None, Some(body));
        let from = std::net::SocketAddr::from(([198, 18, n, 7], 1));
        login.extensions_mut().insert(axum::extract::ConnectInfo(from));
        crowd.spawn(app.router.clone().oneshot(login));
    }
    let others = app.get("/users/credit", &person).await;
    assert_eq!(others.status, 200, "others are served meanwhile");
    let (mut seen, mut refused) = (0, 0);
    for answer in crowd.join_all().await {
        let answer = answer.unwrap();
        match answer.status().as_u16() {
            401 => seen += 1,
            503 => {
                refused += 1;
                assert_eq!(answer.headers()["retry-after"], "2");
            }
            status => panic!("{status}"),
        }
    }
    assert!(seen >= 48 && refused > 0, "{seen} checked, {refused} refused");
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200, "sign-ins work again");
}
