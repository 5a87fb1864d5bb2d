use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::Duration;
use reqwest::Method;
use serde_json::json;

use crate::client::{Client, booked_in_toronto, effects, fault, with_groups};

fn unmasked(token: &str) -> Vec<u8> {
    let bytes = STANDARD.decode(token).unwrap();
    assert_eq!((token.len(), bytes.len()), (88, 64));
    bytes[..32].iter().zip(&bytes[32..]).map(|(a, b)| a ^ b).collect()
}

#[tokio::test]
async fn a_correct_password_returns_javascript_that_opens_the_groups() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    let form = ann.get("/users/sign_in").await;
    assert!(
        form.has("id=\"sign_in_form\"")
            && form.has("data-remote=\"true\"")
            && form.has("name=\"policy_confirmed\"")
    );
    let form_only = form.body.split("<form").nth(1).unwrap();
    assert!(!form_only.contains("authenticity_token"), "the sign-in form has no hidden token");
    let home = ann.home().await;
    assert_eq!(home.status, 200);
    assert!(home.has("<body class=\"groups index niv\">"));
    assert!(home.has(&format!("/schedule/{id}/continue_actions")));
    assert!(home.has("2 August, 2027, 08:15 Toronto local time at Toronto"));
    assert_eq!(effects(&sandbox, "sign_in"), [json!("signed_in")]);
}

// spec: 10.6.04
#[tokio::test]
async fn each_response_sets_a_new_cookie_and_old_ones_stay_valid() {
    let (sandbox, _, _) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let old = ann.cookie.clone();
    assert!(!old.contains('=') && !old.contains(';'), "the value is URL-encoded");
    ann.get("/account").await;
    assert_ne!(ann.cookie, old);
    ann.cookie = old;
    assert!(ann.get("/account").await.location.contains("/groups/"));
    ann.get("/users/sign_out").await;
    assert!(ann.get("/account").await.location.ends_with("/users/sign_in"), "signing out ends all sessions");
}

#[tokio::test]
async fn the_meta_token_is_per_session_and_each_form_has_its_own() {
    let (sandbox, _, id) = with_groups(json!([{}])).await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let first = ann.token.clone();
    let form = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert_ne!(first, ann.token);
    assert_eq!(unmasked(&first), unmasked(&ann.token));
    let own = crate::client::between(&form.body, "name=\"authenticity_token\" value=\"", "\"").unwrap();
    assert_ne!(unmasked(&own), unmasked(&first));
}

#[tokio::test]
async fn wrong_passwords_return_200_and_finally_lock_the_account() {
    let (sandbox, hands, _) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    for _ in 0..4 {
        let answer = ann.sign_in("ann@example.com", "wrong").await;
        assert_eq!(answer.status, 200);
        assert!(answer.has("Invalid email or password.") && !answer.has("window.location"));
    }
    assert!(
        ann.sign_in("ann@example.com", "wrong")
            .await
            .has("Your account is locked until 18 November, 2026, 23:00:00 -05.")
    );
    assert!(
        ann.sign_in("ann@example.com", "pw").await.has("locked until"),
        "the right password does not open a lock"
    );
    hands.advance(Duration::minutes(61));
    assert!(ann.sign_in("ann@example.com", "pw").await.has("window.location"));
}

#[tokio::test]
async fn sign_in_refuses_html_and_missing_tokens() {
    let (sandbox, _, _) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    ann.get("/users/sign_in").await;
    let form = [("user[email]", "ann@example.com"), ("user[password]", "pw"), ("policy_confirmed", "1")];
    let html = ann
        .request(Method::POST, "/users/sign_in")
        .header("X-CSRF-Token", &ann.token)
        .header("Accept", "text/html")
        .form(&form);
    assert_eq!(html.send().await.unwrap().status(), 404);
    let bare =
        ann.request(Method::POST, "/users/sign_in").header("Accept", "*/*").form(&form).send().await.unwrap();
    assert_eq!(bare.status(), 302);
}

#[tokio::test]
async fn a_captcha_is_shown_at_the_sign_in() {
    let (sandbox, _, _) = booked_in_toronto().await;
    sandbox.with_world(|w| w.accounts.get_mut("ann@example.com").unwrap().captcha = true);
    let mut ann = Client::new(&sandbox);
    let answer = ann.sign_in("ann@example.com", "pw").await;
    assert!(answer.has("data-sitekey") && answer.has("g-recaptcha-response"));
    fault(&sandbox, json!({"fault": "captcha"}));
    assert!(
        ann.get("/users/sign_in").await.has("data-sitekey"),
        "a captcha for all users is on the page itself"
    );
}

#[tokio::test]
async fn sessions_expire_with_a_message() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    let path = format!("/schedule/{id}/appointment/days/94.json?appointments[expedite]=false");
    let stranger = ann.json(&path).await;
    assert_eq!(
        (stranger.status.as_u16(), stranger.body.as_str()),
        (401, r#"{"error":"You need to sign in or sign up before continuing."}"#)
    );
    ann.home().await;
    hands.advance(Duration::minutes(241));
    let idle = ann.json(&path).await;
    assert_eq!(
        (idle.status.as_u16(), idle.body.as_str()),
        (401, r#"{"error":"Your session expired. Please sign in again to continue."}"#)
    );
    assert!(ann.get("/account").await.location.ends_with("/users/sign_in"));
}

#[tokio::test]
async fn groups_of_other_accounts_are_inaccessible() {
    let (sandbox, _, _) = booked_in_toronto().await;
    let other =
        serde_json::from_value(json!({"username": "bob@example.com", "password": "pw", "groups": [{}]}))
            .unwrap();
    let id = sandbox.with_world(|w| w.add_account(other))[0];
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.get(&format!("/schedule/{id}/appointment")).await.status, 302);
    let home = ann.get("/account").await.location;
    assert!(
        ann.get(&home)
            .await
            .body
            .to_lowercase()
            .contains("you do not have permission to access that account")
    );
}

// spec: 3.15
#[tokio::test]
async fn french_and_immigrant_visa_pages_are_served_too() {
    let (sandbox, _, _) =
        with_groups(json!([{"appointment": {"facility": 95, "date": "2026-12-09", "time": "08:15"}}])).await;
    let mut ann = Client::at(&sandbox, "/fr-ca/niv");
    assert!(ann.home().await.has("9 décembre 2026, 08:15 Heure locale de Vancouver"));
    let mut twin = Client::at(&sandbox, "/en-ca/iv");
    twin.sign_in("ann@example.com", "pw").await;
    let home = twin.get("/account").await.location;
    assert!(home.starts_with("/en-ca/iv/groups/"));
}
