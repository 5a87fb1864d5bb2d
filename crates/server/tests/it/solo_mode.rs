//! Stories of a solo server: no charges, no registration, and links that sign users in.

use app::accounts;
use chrono::TimeDelta;
use domain::ids::TaskId;
use domain::pricing::Billing;
use serde_json::{Value, json};
use server::config::Registration;

use crate::app::{PASSWORD, Person, Reply, TestApp, request};
use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_task_is_free_with_billing_off,
    billing_cannot_be_disabled_while_balances_exist,
    a_task_started_with_billing_off_is_never_charged,
);

mod links {
    use super::{
        an_invitation_works_for_one_user, registration_is_refused_on_a_closed_server,
        requests_for_foreign_hosts_are_refused, the_owners_link_works_once,
    };

    stories!(
        an_invitation_works_for_one_user,
        registration_is_refused_on_a_closed_server,
        the_owners_link_works_once,
        requests_for_foreign_hosts_are_refused,
    );
}

/// Returns every call about money, except the webhook of the card provider.
fn money_calls() -> Vec<(String, String)> {
    let document: Value = serde_json::from_str(&server::router::document_json().unwrap()).unwrap();
    let mut calls = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, call) in methods.as_object().unwrap() {
            if call["tags"] == json!(["money"]) && !path.ends_with("/webhook") {
                let path = path
                    .trim_start_matches("/api/v1")
                    .replace("{id}", "0192aa00-0000-7000-8000-000000000000");
                calls.push((method.to_uppercase(), path));
            }
        }
    }
    calls
}

async fn free(s: Stage) -> Stage {
    s.restarted(|settings| settings.billing = Billing::Off).await.ok().unwrap()
}

async fn submit(s: &Stage, person: &Person, id: &str) -> Value {
    s.ok("POST", "/schedules/submit", person, json!({ "schedule_ids": [id], "promo_code": "SPRING" })).await
}

async fn a_task_is_free_with_billing_off(s: Stage) {
    let s = free(s).await;
    let person = s.person("lin").await;
    assert_eq!(s.call("GET", "/auth/methods", None, None).await.data()["billing"], false);
    let calls = money_calls();
    assert!(calls.len() > 12, "{calls:?}");
    for (method, path) in &calls {
        let reply = s.call(method, path, Some(&person), (method == "POST").then(|| json!({}))).await;
        assert_eq!(reply.error(), (404, "BILLING_OFF"), "{method} {path}");
    }
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    let submitted = submit(&s, &person, &id).await;
    assert_eq!((&submitted["cost_details"], &submitted["user_balance"]), (&Value::Null, &Value::Null));
    s.slot(TORONTO, "2027-01-20", "09:00");
    s.run_for(TimeDelta::minutes(10)).await;
    let task = s.status(&person, &id).await;
    assert_eq!(task["appointments"][0]["appointment_date"], "2027-01-20", "{task}");
    let mails = s.mails().await;
    let (_, _, booked) = mails.iter().find(|(template, ..)| template == "booked").unwrap();
    assert_eq!((&booked["billing"], &booked["charged"]), (&json!(false), &Value::Null));
    for language in ["en", "zh"] {
        let mail = providers::render("booked", language, booked, "https://sooner.example.com").unwrap();
        for text in [&mail.text, &mail.html] {
            assert!(!text.contains("Charged") && !text.contains("扣费"), "{text}");
        }
    }
    s.books_balance().await;
}

async fn billing_cannot_be_disabled_while_balances_exist(s: Stage) {
    let person = s.payer("lin", 7_50).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;
    s.code(20_00).await;
    let why = s.restarted(|settings| settings.billing = Billing::Off).await.err().unwrap().to_string();
    for left in ["balances of users: 2.50 CAD (1)", "held for tasks: 5.00 CAD (1)", "unused top-up codes: 1"]
    {
        assert!(why.contains(left), "{left}: {why}");
    }
}

/// Checks that a task whose hold was released when it stopped continues free of charge, even if
/// billing is switched on again.
async fn a_task_started_with_billing_off_is_never_charged(s: Stage) {
    let person = s.payer("lin", 5_00).await;
    let number = s.booked("lin");
    let id = s.configured(&person, "lin", number).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;
    s.ok("POST", &format!("/schedules/{id}/stop"), &person, json!({})).await;
    let mut tx = s.app.db.begin().await.unwrap();
    let task = store::task::get(&mut tx, TaskId(id.parse().unwrap())).await.unwrap().unwrap();
    store::task_hold::release(&mut tx, &s.app.random, &task, s.app.now()).await.unwrap();
    let all = store::ledger::balance(&mut tx, person.id).await.unwrap().available;
    assert_eq!(all.minor, 5_00, "the hold was released");
    let (kind, source) = (domain::ledger::TransferKind::Forfeit, ("test", person.id.0));
    store::ledger::debit(&mut tx, &s.app.random, person.id, (kind, all), source, s.app.now()).await.unwrap();
    tx.commit().await.unwrap();
    let s = free(s).await;
    let person = s.again(&person).await;
    s.ok("POST", &format!("/schedules/{id}/start"), &person, json!({})).await;
    let s = s.restarted(|settings| settings.billing = Billing::On).await.ok().unwrap();
    s.slot(TORONTO, "2027-01-20", "09:00");
    s.run_for(TimeDelta::minutes(30)).await;
    let person = s.again(&person).await;
    assert_eq!(s.status(&person, &id).await["appointments"][0]["appointment_date"], "2027-01-20");
    assert_eq!(s.credit(&person).await, (0.0, 0.0));
    s.books_balance().await;
}

async fn invite(app: &TestApp, email: &str) -> Option<String> {
    let mut tx = app.app.db.begin().await.unwrap();
    let made = accounts::invite(&mut tx, &app.app.random, email, "en", app.app.now()).await.unwrap();
    tx.commit().await.unwrap();
    made.map(|invitation| hex::encode(invitation.raw))
}

async fn look(app: &TestApp, token: &str) -> Reply {
    app.send(request("GET", &format!("/auth/invitation?token={token}"), None, None)).await
}

async fn accept(app: &TestApp, token: &str, password: &str) -> Reply {
    app.post("/auth/invitation", json!({ "token": token, "password": password, "language": "en" })).await
}

async fn an_invitation_works_for_one_user(app: TestApp) {
    let app = app.restarted(|settings| settings.registration = Registration::Closed).await.ok().unwrap();
    let overtaken = invite(&app, "mei@example.com").await.unwrap();
    let token = invite(&app, "mei@example.com").await.unwrap();
    assert_eq!(look(&app, &overtaken).await.error(), (400, "INVALID_TOKEN"));
    assert_eq!(look(&app, &token).await.data()["email"], "mei@example.com");
    assert_eq!(accept(&app, &token, "short").await.error(), (422, "VALIDATION_FAILED"));
    let accepted = accept(&app, &token, PASSWORD).await;
    let tokens =
        app.post("/auth/refresh", json!({ "refresh_token": accepted.data()["refresh_token"] })).await;
    assert_eq!(tokens.status, 200, "{tokens:?}");
    assert_eq!(app.login("mei@example.com", PASSWORD).await.status, 200);
    assert_eq!(accept(&app, &token, PASSWORD).await.error(), (400, "INVALID_TOKEN"), "once");
    assert!(invite(&app, "mei@example.com").await.is_none(), "the account is in use");
    let late = invite(&app, "bo@example.com").await.unwrap();
    app.wait(7 * 86_400 + 1);
    assert_eq!(look(&app, &late).await.error(), (410, "TOKEN_EXPIRED"));
    assert_eq!(accept(&app, &late, PASSWORD).await.error(), (410, "TOKEN_EXPIRED"));
}

async fn registration_is_refused_on_a_closed_server(mut app: TestApp) {
    for (setting, word) in [(Registration::Invite, "invite"), (Registration::Closed, "closed")] {
        app = app.with_settings(|settings| settings.registration = setting);
        assert_eq!(app.call("GET", "/auth/methods", None, None).await.data()["registration"], word);
        assert_eq!(app.register("li@example.com").await.error(), (403, "REGISTRATION_CLOSED"));
    }
    let app = app.with_settings(|settings| settings.registration = Registration::Open);
    assert_eq!(app.register("li@example.com").await.status, 200);
}

async fn the_owners_link_works_once(app: TestApp) {
    let link = async |app: &TestApp| {
        let mut tx = app.app.db.begin().await.unwrap();
        let link = accounts::owner_link(&mut tx, &app.app.random, app.app.now()).await.unwrap();
        tx.commit().await.unwrap();
        link.map(|link| link.rsplit_once("token=").unwrap().1.to_owned())
    };
    let use_link = async |app: &TestApp, token: &str| app.post("/auth/link", json!({ "token": token })).await;
    assert_eq!(link(&app).await, None, "no user owns the server");
    let mut tx = app.app.db.begin().await.unwrap();
    assert!(accounts::can_be_owned(&mut tx).await.unwrap());
    let owner = accounts::make_personal(&mut tx, &app.app.random, "http://127.0.0.1:8080", app.app.now())
        .await
        .unwrap();
    tx.commit().await.unwrap();
    let (first, second) = (link(&app).await.unwrap(), link(&app).await.unwrap());
    assert_eq!(use_link(&app, &first).await.error(), (400, "INVALID_TOKEN"), "overtaken");
    let signed_in = use_link(&app, &second).await;
    let refresh = signed_in.data()["refresh_token"].as_str().unwrap().to_owned();
    assert_eq!(use_link(&app, &second).await.error(), (400, "INVALID_TOKEN"), "once");
    let tokens = app.post("/auth/refresh", json!({ "refresh_token": refresh })).await;
    let text = |name: &str| tokens.data()[name].as_str().unwrap().to_owned();
    let person = Person {
        email: "owner@localhost".to_owned(),
        access: text("access_token"),
        refresh: text("refresh_token"),
        id: owner,
    };
    assert_eq!(app.get("/user/profile", &person).await.status, 200);
    // The link counts as a step-up for five minutes; then another step-up is needed.
    let export = async || app.call("POST", "/user/export", Some(&person), None).await;
    assert_eq!(export().await.status, 200);
    app.wait(301);
    let asked = export().await;
    assert_eq!(
        (asked.error(), &asked.body["data"]["methods"]),
        ((403, "STEP_UP_REQUIRED"), &json!(["link"]))
    );
    let late = link(&app).await.unwrap();
    app.wait(601);
    assert_eq!(use_link(&app, &late).await.error(), (410, "TOKEN_EXPIRED"));
    let mut tx = app.app.db.begin().await.unwrap();
    let again = accounts::make_personal(&mut tx, &app.app.random, "http://127.0.0.1:8081", app.app.now())
        .await
        .unwrap();
    assert_eq!(again, person.id, "the same owner at another address");
}

async fn requests_for_foreign_hosts_are_refused(app: TestApp) {
    let get = async |path: &str, host: &str| {
        let request = axum::http::Request::builder().uri(path).header("host", host);
        app.send(request.body(axum::body::Body::empty()).unwrap()).await.status.as_u16()
    };
    for (host, status) in
        [("sooner.example.com", 200), ("127.0.0.1:8080", 200), ("localhost", 200), ("evil.example", 421)]
    {
        assert_eq!(get("/api/v1/auth/methods", host).await, status, "{host}");
        assert_eq!(get("/auth/login", host).await, status, "{host}");
        assert_eq!(get("/healthz", host).await, 200, "{host}");
    }
}
