//! Stories of the export and the deletion of an account.

use std::collections::BTreeMap;
use std::io::{Cursor, Read as _};

use domain::booking::AttemptState;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use store::identity::ProviderAccount;
use tower::ServiceExt as _;

use crate::app::{PASSWORD, Person, Reply, request};
use crate::operator::{unconfirmed, watched};
use crate::stage::{PORTAL_PASSWORD, Stage};

portal_stories!(
    an_export_has_all_data_of_the_user_and_no_secret,
    deleting_an_account_deletes_all_personal_data,
    no_account_is_deleted_while_a_booking_is_in_progress,
    a_deletion_forfeits_exactly_the_confirmed_balance,
    deleting_one_account_does_not_affect_another,
    a_deletion_during_a_verification_leaves_no_data,
);

async fn proven(s: &Stage, person: &Person) {
    s.ok("POST", "/auth/step-up", person, json!({ "password": PASSWORD })).await;
}

async fn delete(s: &Stage, person: &Person, forfeit: f64) -> Reply {
    s.call("POST", "/user/deletion", Some(person), Some(json!({ "forfeit_balance": forfeit }))).await
}

/// Returns the files of a user's export.
pub async fn export(s: &Stage, person: &Person) -> BTreeMap<String, String> {
    let response =
        s.router.clone().oneshot(request("POST", "/user/export", Some(person), None)).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "application/zip");
    let name = response.headers()["content-disposition"].to_str().unwrap();
    assert!(name.starts_with("attachment; filename=\"sooner-export-20"), "{name}");
    let bytes = response.into_body().collect().await.unwrap().to_bytes();
    let mut zip = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    let mut files = BTreeMap::new();
    for name in names {
        let mut text = String::new();
        zip.by_name(&name).unwrap().read_to_string(&mut text).unwrap();
        files.insert(name, text);
    }
    files
}

// spec: 10.7.22
async fn an_export_has_all_data_of_the_user_and_no_secret(s: Stage) {
    let (person, task) = watched(&s, "taker").await;
    let (other, others) = watched(&s, "bystander").await;
    let refused = s.plain("POST", "/user/export", &person).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    proven(&s, &person).await;
    let secret = s.plain("POST", "/user/totp", &person).await.data()["secret"].as_str().unwrap().to_owned();
    let known = ProviderAccount {
        issuer: "https://id.example.com",
        subject: "77",
        email: Some("taker@id.example.com"),
    };
    let mut tx = s.app.db.begin().await.unwrap();
    store::identity::link(&mut tx, &known, person.id, s.app.now()).await.unwrap();
    tx.commit().await.unwrap();
    let files = export(&s, &person).await;
    for name in [
        "profile",
        "tasks",
        "bookings",
        "journal",
        "portal_accounts",
        "ledger",
        "card_payments",
        "mails",
        "sign_ins",
        "security_events",
        "known_devices",
        "identities",
        "ratings",
        "referrals",
        "promotions",
        "booking_attempts",
    ] {
        let rows: Vec<Value> = serde_json::from_str(&files[&format!("{name}.json")]).unwrap();
        let csv = files[&format!("{name}.csv")].strip_prefix('\u{feff}').unwrap();
        let lines = csv::Reader::from_reader(csv.as_bytes()).into_records().map(Result::unwrap).count();
        assert_eq!(lines, rows.len(), "{name}");
        assert_eq!(rows.is_empty(), NOTHING_YET.contains(&name), "{name}");
    }
    for file in ["identities.json", "identities.csv"] {
        assert!(files[file].contains("taker@id.example.com"), "{file}: {}", files[file]);
    }
    let tasks: Value = serde_json::from_str(&files["tasks.json"]).unwrap();
    assert_eq!(tasks[0]["id"], task);
    assert_eq!(tasks[0]["appointments"][0]["applicant_names"], json!(["TAKER"]));
    assert_eq!(tasks[0]["schedule_config"]["search_params"]["required_cities"], json!(["Toronto", "Ottawa"]));
    let ledger: Value = serde_json::from_str(&files["ledger.json"]).unwrap();
    assert_eq!(ledger.as_array().unwrap().len(), 2, "a top-up and a hold");
    let all = files.values().map(String::as_str).collect::<String>();
    let stranger = [other.email.as_str(), others.as_str(), "BYSTANDER"];
    let secrets = [PASSWORD, PORTAL_PASSWORD, "$argon2", &person.refresh, &person.access, &secret, "token="];
    for forbidden in stranger.into_iter().chain(secrets) {
        assert!(!all.contains(forbidden), "{forbidden} is in the export");
    }
}

const NOTHING_YET: [&str; 6] =
    ["bookings", "card_payments", "ratings", "referrals", "promotions", "booking_attempts"];

// spec: 10.7.23, 10.7.44
async fn deleting_an_account_deletes_all_personal_data(s: Stage) {
    let (person, task) = watched(&s, "leaver").await;
    s.ok("PUT", "/auth/profile", &person, json!({ "display_name": "Leaver" })).await;
    let elsewhere = s.again(&person).await;
    let prospect = s.get("/user/deletion", &person).await;
    let (available, held) = s.credit(&person).await;
    assert!(held > 0.0);
    let expected = json!({
        "possible": true, "blocked_by": null, "balance": 50.0, "on_hold": held, "refundable": 0.0, "currency": "CAD", "tasks": 1,
    });
    assert_eq!(prospect.data(), &expected);
    assert!((available + held - 50.0).abs() < 1e-9);
    assert_eq!(delete(&s, &person, 50.0).await.error(), (403, "STEP_UP_REQUIRED"));
    s.mails().await;
    proven(&s, &person).await;
    for odd in [-1.0, 1e12] {
        assert_eq!(delete(&s, &person, odd).await.error(), (422, "VALIDATION_FAILED"));
    }
    assert_eq!(delete(&s, &person, 50.0).await.data(), &json!({}));
    for gone in [&person, &elsewhere] {
        assert_eq!(s.get("/user/profile", gone).await.error(), (401, "UNAUTHORIZED"), "signed out at once");
        let refresh = s.post("/auth/refresh", json!({ "refresh_token": gone.refresh })).await;
        assert_eq!(refresh.error(), (401, "INVALID_REFRESH_TOKEN"));
    }
    assert_eq!(s.login(&person.email, PASSWORD).await.error(), (401, "INVALID_CREDENTIALS"));
    let mails = s.mails().await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!((mails[0].0.as_str(), &mails[0].1), ("account_deleted", &person.email));
    assert_eq!(mails[0].2, json!({ "forfeited": "50.00 CAD" }));
    s.books_balance().await;
    let mut tx = s.app.db.read().await.unwrap();
    let user = store::user::get(&mut tx, person.id).await.unwrap().unwrap();
    assert!(user.email.ends_with("@deleted.invalid") && user.password_hash.is_none(), "{user:?}");
    assert_eq!(user.display_name, None);
    assert!(store::credential::all_of_user(&mut tx, person.id).await.unwrap().is_empty());
    let rest = store::task::get(&mut tx, task.parse().unwrap()).await.unwrap().unwrap();
    assert!(rest.deleted_at.is_some() && rest.credential_id.is_none());
    assert!(rest.portal_schedule_id.0.starts_with("gone-"), "the row contains no number of the portal");
    assert!(rest.criteria.as_ref().is_some_and(|c| c.cities.is_empty()) && rest.booked.is_none());
    assert!(store::security_event::of_user(&mut tx, person.id, 10).await.unwrap().is_empty());
    assert!(rest.group.applicants.iter().all(|a| a.name.is_empty()), "{:?}", rest.group);
    assert!(store::portal_account::outline(&mut tx, rest.portal_account_id).await.unwrap().is_some());
    assert!(!store::operator::has_session(&mut tx, rest.portal_account_id).await.unwrap());
    assert_eq!(store::ledger::balance(&mut tx, person.id).await.unwrap().held.minor, 0);
    drop(tx);
    // After the last mail is sent, the address is not stored any more.
    let mut tx = s.app.db.begin().await.unwrap();
    let span = chrono::TimeDelta::minutes(1);
    let goodbyes = store::outbox::claim(&mut tx, "story", 10, span, s.clock.now()).await.unwrap();
    for mail in &goodbyes {
        assert!(store::outbox::delivered(&mut tx, mail, s.clock.now()).await.unwrap());
    }
    let left = store::scalar!(
        &mut tx,
        i64,
        "SELECT COUNT(*) FROM outbox WHERE recipient = $1",
        person.email.clone()
    );
    assert_eq!(left.unwrap(), 0);
    tx.commit().await.unwrap();
    // Nothing is processed for the account any more, and no error results.
    let polls = s.requests("days");
    s.run_for(chrono::TimeDelta::minutes(90)).await;
    assert_eq!(s.requests("days"), polls);
    let anew = s.person("leaver").await;
    assert_ne!(anew.id, person.id);
    assert_eq!(s.get("/schedules", &anew).await.data()["total"], 0);
    assert_eq!(s.credit(&anew).await, (0.0, 0.0));
    assert_eq!(s.get("/users/ledger", &anew).await.data()["movements"], json!([]));
}

// spec: 10.7.23
async fn no_account_is_deleted_while_a_booking_is_in_progress(s: Stage) {
    let (person, task) = watched(&s, "busy").await;
    let attempt = unconfirmed(&s, &task, AttemptState::Sending).await;
    proven(&s, &person).await;
    let prospect = s.get("/user/deletion", &person).await;
    assert_eq!(prospect.data()["possible"], false);
    assert_eq!(prospect.data()["blocked_by"], "booking");
    assert_eq!(delete(&s, &person, 50.0).await.error(), (409, "ACCOUNT_BUSY"));
    let (_, held) = s.credit(&person).await;
    assert!(held > 0.0, "a part was undone");
    assert_eq!(s.status(&person, &task).await["id"], task);
    let mut tx = s.app.db.begin().await.unwrap();
    assert_eq!(store::credential::all_of_user(&mut tx, person.id).await.unwrap().len(), 1);
    let later = s.clock.now() + chrono::TimeDelta::days(1);
    store::booking_attempt::add_reading(&mut tx, attempt, &[], AttemptState::Unknown, later).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(
        delete(&s, &person, 50.0).await.error(),
        (409, "ACCOUNT_BUSY"),
        "the outcome is not known yet"
    );
    let mut tx = s.app.db.begin().await.unwrap();
    let step = (AttemptState::Unknown, AttemptState::NotBooked);
    assert!(store::booking_attempt::settle(&mut tx, attempt, step, &[], s.clock.now()).await.unwrap());
    tx.commit().await.unwrap();
    assert_eq!(delete(&s, &person, 50.0).await.data(), &json!({}));
    s.books_balance().await;
}

// spec: 10.7.23
async fn a_deletion_forfeits_exactly_the_confirmed_balance(s: Stage) {
    let person = s.payer("changing", 20_00).await;
    proven(&s, &person).await;
    let code = s.code(5_00).await;
    s.ok("POST", "/topup/use", &person, json!({ "code": code })).await;
    let changed = delete(&s, &person, 20.0).await;
    assert_eq!(changed.error(), (409, "BALANCE_CHANGED"));
    assert_eq!(changed.body["data"], json!({ "balance": 25.0, "on_hold": 0.0 }));
    assert_eq!(s.get("/user/profile", &person).await.status, 200);
    let both = tokio::join!(delete(&s, &person, 25.0), delete(&s, &person, 25.0));
    let mut both = [both.0.status.as_u16(), both.1.status.as_u16()];
    both.sort_unstable();
    assert!(both[0] == 200 && matches!(both[1], 401 | 403), "{both:?}");
    let poor = s.person("poor").await;
    proven(&s, &poor).await;
    s.mails().await;
    assert_eq!(delete(&s, &poor, 0.0).await.data(), &json!({}));
    assert_eq!(s.mails().await[0].2, json!({ "forfeited": null }));
}

// spec: 10.7.23
async fn deleting_one_account_does_not_affect_another(s: Stage) {
    let (leaver, _) = watched(&s, "one").await;
    let (stayer, task) = watched(&s, "stayer").await;
    proven(&s, &leaver).await;
    let stolen = Person { access: stayer.access.clone(), ..leaver.clone() };
    assert_eq!(delete(&s, &stolen, 50.0).await.error(), (403, "STEP_UP_REQUIRED"));
    assert_eq!(delete(&s, &leaver, 50.0).await.data(), &json!({}));
    assert_eq!(s.status(&stayer, &task).await["id"], task);
    let polls = s.requests("days");
    s.run_for(chrono::TimeDelta::minutes(90)).await;
    assert!(s.requests("days") > polls, "the other user's task is still watched");
    let mut tx = s.app.db.read().await.unwrap();
    assert_eq!(store::credential::all_of_user(&mut tx, stayer.id).await.unwrap().len(), 1);
}

/// Waits until a number of this database's transactions wait for a lock. On SQLite they wait for
/// the single writer.
async fn waiting(s: &Stage, many: i64) {
    use sqlx::Connection as _;
    if !s.app.db.is_postgres() {
        for _ in 0..50 {
            tokio::task::yield_now().await;
        }
        return;
    }
    let mut watcher = sqlx::PgConnection::connect(&s.app.settings.database_url).await.unwrap();
    for _ in 0..400 {
        let sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let count: i64 = sqlx::query_scalar(sql).fetch_one(&mut watcher).await.unwrap();
        if count >= many {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("no transaction waited");
}

// spec: 10.7.75
async fn a_deletion_during_a_verification_leaves_no_data(s: Stage) {
    let (person, task) = watched(&s, "leaver").await;
    proven(&s, &person).await;
    let id: domain::ids::TaskId = task.parse().unwrap();
    let mut held = s.app.db.begin().await.unwrap();
    store::lock::exclusive(&mut held, id.0).await.unwrap();
    let leaving = delete(&s, &person, 50.0);
    let verifying = async {
        waiting(&s, 1).await;
        s.verify(&person, "leaver", PORTAL_PASSWORD).await
    };
    let release = async {
        waiting(&s, 2).await;
        held.rollback().await.unwrap();
    };
    // The deletion gets the lock first. The verification continues afterwards; there is no
    // deadlock.
    let (left, verified, ()) = tokio::join!(leaving, verifying, release);
    assert_eq!(left.data(), &json!({}));
    assert_eq!(verified.error(), (401, "UNAUTHORIZED"));
    let mut tx = s.app.db.read().await.unwrap();
    assert!(
        store::task::all_of_user(&mut tx, person.id)
            .await
            .unwrap()
            .iter()
            .all(|task| task.deleted_at.is_some())
    );
    assert!(
        store::credential::all_of_user(&mut tx, person.id).await.unwrap().is_empty(),
        "a password is still stored"
    );
}
