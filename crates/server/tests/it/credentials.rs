//! Stories of portal passwords: replaced and deleted after a step-up, deleted when no task needs
//! them, and shown nowhere.

use base64::Engine as _;
use chrono::TimeDelta;
use domain::booking::AttemptState;
use serde_json::{Value, json};

use crate::app::{PASSWORD, Person};
use crate::operator::{unconfirmed, watched};
use crate::stage::{PORTAL_PASSWORD, Stage};

portal_stories!(
    replacing_a_stored_portal_password_needs_a_step_up,
    a_deleted_login_stops_its_tasks_with_a_reason,
    no_login_is_deleted_while_a_booking_is_in_progress,
    no_login_is_deleted_while_a_booking_outcome_is_unknown,
    a_password_is_deleted_with_the_last_task_that_needs_it,
    an_unused_password_is_deleted_after_a_notice_to_its_owner,
);

async fn proven(s: &Stage, person: &Person) {
    s.ok("POST", "/auth/step-up", person, json!({ "password": PASSWORD })).await;
}

async fn logins(s: &Stage, person: &Person) -> Vec<Value> {
    s.get("/user/credentials", person).await.data()["credentials"].as_array().unwrap().clone()
}

// spec: 10.7.34
async fn replacing_a_stored_portal_password_needs_a_step_up(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    assert_eq!(
        s.verify(&person, "lin", PORTAL_PASSWORD).await.status,
        200,
        "a first password needs no proof"
    );
    assert_eq!(
        s.verify(&person, "lin", PORTAL_PASSWORD).await.status,
        200,
        "the same password needs no proof"
    );
    s.sandbox
        .with_world(|w| w.accounts.get_mut("lin@example.com").unwrap().password = "Changed-2026".to_owned());
    let asked = s.requests("sign_in");
    let refused = s.verify(&person, "Lin", "Changed-2026").await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(refused.body["data"], json!({ "methods": ["password"], "totp": false }));
    assert_eq!(s.requests("sign_in"), asked, "the portal was called");
    proven(&s, &person).await;
    assert_eq!(s.verify(&person, "lin", "Changed-2026").await.status, 200);
    // Checking a guess against the stored password is limited like any other guess.
    s.wait(3601);
    let person = s.again(&person).await;
    let mut answers = Vec::new();
    for n in 0..8 {
        answers.push(s.verify(&person, "lin", &format!("guess-{n}")).await.status.as_u16());
    }
    assert_eq!((answers[0], answers[7]), (403, 429), "{answers:?}");
}

// spec: 10.7.33
async fn a_deleted_login_stops_its_tasks_with_a_reason(s: Stage) {
    let (person, task) = watched(&s, "lin").await;
    let other = s.person("other").await;
    let listed = logins(&s, &person).await;
    assert_eq!((&listed[0]["username"], &listed[0]["health"]), (&json!("lin@example.com"), &json!("valid")));
    let tasks = json!([{ "id": task, "title": "LIN", "status": "active", "stage": "running" }]);
    assert_eq!((&listed[0]["tasks"], &listed[0]["country_code"]), (&tasks, &json!("en-ca")));
    assert!(listed[0]["removed_after"].is_null());
    let path = format!("/user/credentials/{}", listed[0]["id"].as_str().unwrap());
    assert_eq!(s.plain("DELETE", &path, &person).await.error(), (403, "STEP_UP_REQUIRED"));
    proven(&s, &other).await;
    assert_eq!(s.plain("DELETE", &path, &other).await.error(), (404, "NOT_FOUND"));
    proven(&s, &person).await;
    s.plain("DELETE", &path, &person).await.data();
    assert_eq!(logins(&s, &person).await, Vec::<Value>::new());
    assert_eq!(s.plain("DELETE", &path, &person).await.error(), (404, "NOT_FOUND"));
    let stopped = s.status(&person, &task).await;
    assert_eq!(
        (&stopped["status"], &stopped["status_reason"]),
        (&json!("error"), &json!("credentials_removed"))
    );
    assert_eq!(stopped["visa_credentials"]["health"], "deleted");
    let start = s.plain("POST", &format!("/schedules/{task}/start"), &person).await;
    assert_eq!(start.error(), (409, "ILLEGAL_TRANSITION"));
    let asked = s.requests("sign_in");
    s.run_for(TimeDelta::hours(1)).await;
    assert_eq!(s.requests("sign_in"), asked, "there is no password to sign in with");
    // After the password is entered again, the task continues.
    let person = s.again(&person).await;
    s.verify(&person, "lin", PORTAL_PASSWORD).await.data();
    s.plain("POST", &format!("/schedules/{task}/start"), &person).await.data();
    s.run_for(TimeDelta::seconds(60)).await;
    assert_eq!(s.status(&person, &task).await["status"], "active");
    s.books_balance().await;
}

// spec: 10.7.33
async fn no_login_is_deleted_while_a_booking_is_in_progress(s: Stage) {
    kept_while(&s, AttemptState::Sending).await;
}

// spec: 10.7.33
async fn no_login_is_deleted_while_a_booking_outcome_is_unknown(s: Stage) {
    kept_while(&s, AttemptState::Unknown).await;
}

async fn kept_while(s: &Stage, state: AttemptState) {
    let (person, task) = watched(s, "lin").await;
    unconfirmed(s, &task, state).await;
    proven(s, &person).await;
    let id = logins(s, &person).await[0]["id"].as_str().unwrap().to_owned();
    let refused = s.plain("DELETE", &format!("/user/credentials/{id}"), &person).await;
    assert_eq!(refused.error(), (409, "ACCOUNT_BUSY"));
    s.plain("DELETE", &format!("/schedules/{task}"), &person).await.data();
    assert_eq!(logins(s, &person).await.len(), 1, "the password stays for the read-back");
}

// spec: 10.7.35
async fn a_password_is_deleted_with_the_last_task_that_needs_it(s: Stage) {
    let (person, task) = watched(&s, "lin").await;
    s.plain("DELETE", &format!("/schedules/{task}"), &person).await.data();
    assert_eq!(logins(&s, &person).await, Vec::<Value>::new(), "deleted at once");
    let mut tx = s.app.db.read().await.unwrap();
    let left = store::scalar!(
        &mut tx,
        i64,
        "SELECT (SELECT COUNT(*) FROM credential) + (SELECT COUNT(*) FROM portal_account WHERE session_blob IS NOT NULL)"
    );
    assert_eq!(left.unwrap(), 0, "neither password nor cookies");
}

// spec: 10.7.35
async fn an_unused_password_is_deleted_after_a_notice_to_its_owner(s: Stage) {
    let (person, task) = watched(&s, "lin").await;
    s.plain("POST", &format!("/schedules/{task}/stop"), &person).await.data();
    let stopped = s.clock.now();
    s.mails().await;
    let round = async |days: i64| {
        s.clock.set(stopped + TimeDelta::days(days));
        server::run::keep_secrets(&s.app).await.unwrap();
        s.mails().await
    };
    assert_eq!(round(22).await, []);
    let told = round(23).await;
    let day = (stopped + TimeDelta::days(30)).date_naive().to_string();
    let data = json!({ "username": "lin@example.com", "leaves_on": day });
    assert_eq!(told, [("credential_leaving".to_owned(), person.email.clone(), data)]);
    assert_eq!(round(24).await, [], "notified once");
    let person = s.again(&person).await;
    assert_eq!(logins(&s, &person).await[0]["removed_after"], day);
    // After another start and stop, the retention period begins again.
    s.plain("POST", &format!("/schedules/{task}/start"), &person).await.data();
    assert!(logins(&s, &person).await[0]["removed_after"].is_null());
    s.plain("POST", &format!("/schedules/{task}/stop"), &person).await.data();
    let stopped = s.clock.now();
    let round = async |days: i64| {
        s.clock.set(stopped + TimeDelta::days(days));
        server::run::keep_secrets(&s.app).await.unwrap();
        s.mails().await.len()
    };
    // Housekeeping that did not run for a long time still notifies first, and deletes a week later.
    assert_eq!(round(40).await, 1);
    assert_eq!(round(46).await, 0);
    let person = s.again(&person).await;
    assert_eq!(logins(&s, &person).await.len(), 1, "no password is deleted without a notice");
    round(47).await;
    let person = s.again(&person).await;
    assert_eq!(logins(&s, &person).await, Vec::<Value>::new());
    assert_eq!(s.status(&person, &task).await["status_reason"], "credentials_removed");
    s.books_balance().await;
}

/// Returns a text in four encodings.
fn encodings(secret: &str) -> [String; 4] {
    let percent = secret.bytes().map(|b| format!("%{b:02X}")).collect::<String>();
    let plain64 = base64::engine::general_purpose::STANDARD_NO_PAD.encode(secret);
    // The last character of base64 depends on the bytes that follow, so it is cut off.
    let plain64 = plain64[..plain64.len() - 1].to_owned();
    [secret.to_owned(), plain64, hex::encode(secret), percent]
}

fn found_in(bytes: &[u8], secrets: &[&str]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes).to_lowercase();
    let needles = secrets.iter().flat_map(|secret| encodings(secret));
    needles.filter(|needle| text.contains(&needle.to_lowercase())).collect()
}

/// A recorded log.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

// spec: 10.7.36
/// Checks promise 14 during verification, polls, rejection, replacement, export and deletion, with
/// the most detailed log.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn portal_passwords_appear_in_no_log_mail_response_or_database() {
    const FIRST: &str = "Canary+Maple/7f3a9c?x=1&y";
    const WRONG: &str = "Canary+Birch/51d0ee?x=2&y";
    const SECOND: &str = "Canary+Cedar/b2648d?x=3&y";
    let secrets = [FIRST, WRONG, SECOND];
    let log = Log::default();
    let writer = {
        let log = log.clone();
        move || log.clone()
    };
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(writer)
        .with_ansi(false)
        .init();
    let s = crate::stage::sqlite().await;
    let mut answers = Vec::new();
    let number = s.booked("lin");
    let set = |password: &str| {
        s.sandbox
            .with_world(|w| w.accounts.get_mut("lin@example.com").unwrap().password = password.to_owned())
    };
    set(FIRST);
    let person = s.payer("lin", 50_00).await;
    answers.push(s.verify(&person, "lin", WRONG).await);
    let verified = s.verify(&person, "lin", FIRST).await;
    let id = verified.data()["schedules"][0]["id"].as_str().unwrap().to_owned();
    answers.push(verified);
    answers.push(
        s.call(
            "POST",
            "/schedules/verify-credentials",
            Some(&person),
            Some(json!({ "username": "lin", "password": FIRST, "odd": 1 })),
        )
        .await,
    );
    s.ok("POST", "/schedules/configure", &person, crate::stage::configuration(&id, number)).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;
    s.run_for(TimeDelta::minutes(10)).await;
    // The password at the portal changes, so the stored one is rejected. The owner is notified and
    // enters the new password.
    set(SECOND);
    s.sandbox.with_world(|w| w.sessions.clear());
    s.run_for(TimeDelta::hours(2)).await;
    let person = s.again(&person).await;
    answers.push(s.verify(&person, "lin", SECOND).await);
    proven(&s, &person).await;
    answers.push(s.verify(&person, "lin", SECOND).await);
    for path in ["/schedules", "/user/credentials", "/user/profile", "/stats", "/user/sessions"] {
        answers.push(s.get(path, &person).await);
    }
    answers.push(s.get(&format!("/schedules/{id}/progress"), &person).await);
    let mails = s.mails().await;
    for (template, recipient, data) in &mails {
        let text = format!("{template} {recipient} {data}");
        assert_eq!(found_in(text.as_bytes(), &secrets), Vec::<String>::new(), "a mail");
    }
    for answer in &answers {
        let text = format!("{:?} {}", answer.headers, answer.body);
        assert_eq!(found_in(text.as_bytes(), &secrets), Vec::<String>::new(), "an answer");
    }
    let database = s.app.settings.database_url.strip_prefix("sqlite:").unwrap();
    let folder = std::path::Path::new(database).parent().unwrap();
    let (mut files, mut bytes) = (0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read(entry.unwrap().path()).unwrap();
        (files, bytes) = (files + 1, bytes + text.len());
        assert_eq!(found_in(&text, &secrets), Vec::<String>::new(), "the database");
    }
    let said = log.0.lock().unwrap().clone();
    assert_eq!(found_in(&said, &secrets), Vec::<String>::new(), "the log");
    assert!(said.len() > 10_000 && files > 0 && bytes > 100_000, "there was too little to search");
    assert_eq!(
        found_in(format!("x{}y", hex::encode(FIRST)).as_bytes(), &secrets).len(),
        1,
        "the search finds nothing"
    );
}
