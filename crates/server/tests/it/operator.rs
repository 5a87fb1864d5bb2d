//! Stories of operator commands, run with the real program on the database of a story.

use domain::appointment::Slot;
use domain::country::CountryCode;
use domain::health::{AccountHealth, CredentialHealth};
use std::process::{Command, Output};

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::booking::AttemptState;
use domain::facility::FacilityId;
use domain::ids::{AttemptId, TaskId};
use domain::task::{Reason, TaskStatus};
use inference::agreement::{Agreement, Comparison};
use serde_json::{Value, json};
use store::booking_attempt::NewAttempt;

use crate::app::Person;
use crate::stage::{Stage, TORONTO};

portal_stories!(
    tasks_are_listed_and_shown,
    explain_names_the_rule_that_rejects_a_date,
    a_released_task_frees_its_hold_and_its_group,
    no_task_is_released_while_a_booking_is_open,
    a_booking_confirmed_by_the_operator_is_charged,
    a_booking_denied_by_the_operator_is_free_and_the_task_continues,
    the_doctor_reports_problems,
    the_doctor_reports_unknown_settings_and_tests_the_mail_server,
    the_doctor_checks_how_many_servers_the_database_allows,
    a_paused_portal_gets_no_requests,
    the_doctor_warns_of_undetectable_failovers,
    a_deleted_task_keeps_its_hold_until_its_booking_is_settled,
);

/// Runs `sooner` on the database of the story, at the story's time.
fn sooner(s: &Stage, words: &[&str]) -> Output {
    sooner_with(s, words, &[])
}

/// Runs `sooner` with further environment variables.
fn sooner_with(s: &Stage, words: &[&str], set: &[(&str, &str)]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let ring = folder.path().join("keys");
    s.app.keyring.save_new(&ring).unwrap();
    let now = s.clock.now().to_rfc3339();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).args(["--at", &now]).env("SOONER_DATABASE_URL", &s.app.settings.database_url);
    command
        .env("SOONER_KEY_RING", &ring)
        .env("USER", "somebody-else")
        .env("SUDO_USER", "somebody-else")
        .envs(set.iter().copied())
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "too wide:\n{text}");
    text
}

/// Returns the JSON that a successful command prints.
pub fn answer(s: &Stage, words: &[&str]) -> Value {
    let output = sooner(s, &[words, &["--json"]].concat());
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Returns the worst level of the doctor's findings with a name.
fn level<'a>(answer: &'a Value, name: &str) -> &'a str {
    let levels = ["ok", "warn", "bad"];
    let of = answer["findings"].as_array().unwrap().iter().filter(|f| f["name"] == name);
    let worst = of.map(|f| f["level"].as_str().unwrap()).max_by_key(|l| levels.iter().position(|k| k == l));
    worst.unwrap_or_else(|| panic!("no finding {name} in {answer}"))
}

/// Runs a command that must fail, and returns its message.
fn refusal(s: &Stage, words: &[&str]) -> String {
    let output = sooner(s, words);
    assert_eq!(output.status.code(), Some(1), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

/// Creates a user with an active task. Returns the user and the task.
pub async fn watched(s: &Stage, name: &str) -> (Person, String) {
    let person = s.payer(name, 50_00).await;
    let id = s.submitted(&person, name).await;
    s.run_for(TimeDelta::seconds(30)).await;
    (person, id)
}

/// Inserts a booking of 2027-02-03 08:15 in Toronto that could not be confirmed.
pub async fn unconfirmed(s: &Stage, id: &str, state: AttemptState) -> AttemptId {
    let now = s.clock.now();
    let mut tx = s.app.db.begin().await.unwrap();
    let task = store::task::get(&mut tx, id.parse::<TaskId>().unwrap()).await.unwrap().unwrap();
    let attempt = AttemptId::new(now, s.app.random.bytes());
    let new = NewAttempt {
        id: attempt,
        task_id: task.id,
        user_id: task.user_id,
        portal_account_id: task.portal_account_id,
        country: task.country,
        portal_schedule_id: task.portal_schedule_id.clone(),
        epoch: 1,
        expected: task.booked,
        target: (FacilityId::TORONTO, NaiveDate::from_ymd_opt(2027, 2, 3).unwrap()),
        attempts_before: None,
    };
    store::booking_attempt::prepare(&mut tx, &new, now).await.unwrap();
    let time = NaiveTime::from_hms_opt(8, 15, 0).unwrap();
    let target = Slot { facility: new.target.0, date: new.target.1, time }.into();
    let late = now + TimeDelta::days(90);
    let read = store::booking_attempt::PreflightReading { shown: task.booked, attempts: None };
    assert!(store::booking_attempt::mark_sending(&mut tx, attempt, &target, read, (now, now)).await.unwrap());
    store::task::count_reschedule(&mut tx, task.id, 1, now).await.unwrap();
    store::booking_attempt::add_reading(&mut tx, attempt, &[], AttemptState::Sending, late).await.unwrap();
    if state != AttemptState::Sending {
        store::booking_attempt::add_reading(&mut tx, attempt, &[], AttemptState::Unknown, late)
            .await
            .unwrap();
    }
    if state == AttemptState::Manual {
        let step = (AttemptState::Unknown, AttemptState::Manual);
        assert!(store::booking_attempt::settle(&mut tx, attempt, step, &[], now).await.unwrap());
        let step = (task.status, TaskStatus::Error);
        let reason = Some(Reason::BookingUnconfirmed);
        assert!(store::task::set_status(&mut tx, task.id, step, reason, now).await.unwrap());
    }
    tx.commit().await.unwrap();
    attempt
}

async fn tasks_are_listed_and_shown(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let all = answer(&s, &["tasks", "list"]);
    assert_eq!((&all[0]["id"], &all[0]["status"]), (&json!(id), &json!("active")));
    let mine = answer(&s, &["tasks", "list", "--status", "active", "--user", "LIN@example.com"]);
    assert_eq!(mine.as_array().unwrap().len(), 1);
    let by_id = answer(&s, &["tasks", "list", "--status", "error", "--user", &person.id.to_string()]);
    assert_eq!(by_id, json!([]));
    assert!(text(&sooner(&s, &["tasks", "list"])).contains("2027-08-17 Toronto"));

    let shown = answer(&s, &["tasks", "show", &id.replace('-', "")[..14]]);
    assert_eq!(shown["user"], "lin@example.com");
    assert_eq!(shown["wish"]["start_date"], "2026-12-01");
    assert_eq!(shown["holds"][0]["state"], "open");
    assert_eq!(shown["account"]["health"], "valid");
    assert!(shown["journal"].as_array().unwrap().iter().any(|line| line["kind"] == "watching"), "{shown}");
    let page = text(&sooner(&s, &["tasks", "show", &id]));
    assert!(page.contains("lin@example.com") && page.contains("Toronto > Ottawa"), "{page}");

    assert!(refusal(&s, &["tasks", "show", "ffffffff"]).contains("there is no task"));
    assert!(refusal(&s, &["tasks", "show", "' OR 1=1"]).contains("there is no task"));
    assert!(
        refusal(&s, &["tasks", "list", "--user", "nobody@example.com"]).contains("no user is registered")
    );
}

async fn explain_names_the_rule_that_rejects_a_date(s: Stage) {
    s.slot(TORONTO, "2027-08-12", "09:00");
    s.slot(TORONTO, "2027-07-01", "09:00");
    let (_, first) = watched(&s, "lin").await;
    let (_, second) = watched(&s, "chen").await;
    let explained = answer(&s, &["tasks", "explain", &second]);
    let toronto = &explained["calendars"][0];
    assert_eq!(toronto["city"], "Toronto");
    assert_eq!((&toronto["ahead"], &toronto["accounts"]), (&json!(1), &json!(2)), "{explained}");
    let why = toronto["next_look"]["why"].as_str().unwrap_or_default();
    assert!(toronto["last_look_at"].is_string() && why.starts_with("due now"), "{explained}");
    let days = toronto["days"].as_array().unwrap();
    let day = |day: &str| days.iter().find(|d| d["day"] == day).unwrap();
    assert_eq!(
        day("2027-08-12")["rejected"],
        json!({ "rule": "not_earlier_enough", "gained": 5, "needed": 7 })
    );
    assert_eq!(day("2027-07-01")["rejected"], json!({ "rule": "after_window", "days": 31 }));
    let page = text(&sooner(&s, &["tasks", "explain", &first]));
    assert!(page.contains("only 5 days earlier than booked; the task needs 7"), "{page}");
    assert!(
        page.contains("31 days after the window") && page.contains("served before   0 other tasks"),
        "{page}"
    );
}

async fn a_released_task_frees_its_hold_and_its_group(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    s.mails().await;
    let (_, held) = s.credit(&person).await;
    assert!(held > 0.0);
    assert!(refusal(&s, &["tasks", "release", &id, "--why", " "]).contains("--why"));
    let done = answer(&s, &["tasks", "release", &id, "--why", "the group is another's"]);
    assert_eq!(done["released"], json!(held));
    assert_eq!(s.credit(&person).await, (50.0, 0.0));
    let task = s.status(&person, &id).await;
    assert_eq!(
        (&task["status"], &task["status_reason"]),
        (&json!("stopped"), &json!("released_by_operator")),
        "{task}"
    );
    let mails = s.mails().await;
    let (template, to, data) = mails.last().unwrap();
    assert_eq!((template.as_str(), to.as_str()), ("needs_you", "lin@example.com"));
    assert_eq!(data["reason"], "released_by_operator");
    for language in ["en", "zh"] {
        providers::render(template, language, data, "x").unwrap();
    }
    let shown = answer(&s, &["tasks", "show", &id]);
    let audit = &shown["audit"][0];
    assert_eq!(audit["command"], "tasks release");
    assert!(crate::cli::is_us(audit["actor"].as_str().unwrap()));
    assert_eq!(audit["data"]["why"], "the group is another's");
    assert!(refusal(&s, &["tasks", "release", &id, "--why", "again"]).contains("released already"));
    // Another user with the portal login may monitor the group now.
    let other = s.payer("chen", 50_00).await;
    let draft = s.draft(&other, "lin").await;
    let number = shown["portal_schedule_id"].as_str().unwrap().parse().unwrap();
    s.ok("POST", "/schedules/configure", &other, crate::stage::configuration(&draft, number)).await;
    s.ok("POST", "/schedules/submit", &other, json!({ "schedule_ids": [draft] })).await;
    s.books_balance().await;
}

async fn no_task_is_released_while_a_booking_is_open(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    unconfirmed(&s, &id, AttemptState::Sending).await;
    assert!(refusal(&s, &["tasks", "release", &id, "--why", "x"]).contains("acting"));
    assert!(refusal(&s, &["tasks", "settle", &id, "--not-booked", "--why", "x"]).contains("acting"));
    assert_eq!(s.status(&person, &id).await["status"], "active");
    let shown = answer(&s, &["tasks", "show", &id]);
    assert_eq!((&shown["audit"], &shown["holds"][0]["state"]), (&json!([]), &json!("open")));
}

async fn a_booking_confirmed_by_the_operator_is_charged(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let (_, held) = s.credit(&person).await;
    unconfirmed(&s, &id, AttemptState::Manual).await;
    let other = ["tasks", "settle", &id, "--booked", "2027-02-04", "08:15", "Toronto"];
    assert!(refusal(&s, &other).contains("this booking was for 2027-02-03 08:15 Toronto"));
    let seen = ["tasks", "settle", &id, "--booked", "2027-02-03", "08:15", "Toronto"];
    assert_eq!(answer(&s, &seen)["settled"], "confirmed");
    assert_eq!(s.credit(&person).await, (50.0 - held, 0.0));
    let history = s.get(&format!("/schedules/{id}/success-history"), &person).await;
    assert_eq!(history.data().as_array().unwrap().len(), 1);
    let shown = answer(&s, &["tasks", "show", &id]);
    assert_eq!(
        (&shown["booked"]["date"], &shown["holds"][0]["state"]),
        (&json!("2027-02-03"), &json!("capture"))
    );
    assert_eq!((&shown["status"], &shown["verdict"]), (&json!("processing"), &json!("booked")), "{shown}");
    assert_eq!(shown["audit"][0]["command"], "tasks settle");
    assert!(s.mails().await.iter().any(|(template, ..)| template == "booked"));
    assert!(refusal(&s, &seen).contains("no booking of this task is left"));
    s.books_balance().await;
}

async fn a_booking_denied_by_the_operator_is_free_and_the_task_continues(s: Stage) {
    let (person, id) = watched(&s, "lin").await;
    let (_, held) = s.credit(&person).await;
    unconfirmed(&s, &id, AttemptState::Unknown).await;
    let not = ["tasks", "settle", &id, "--not-booked", "--why", "seen on the site"];
    assert!(refusal(&s, &not).contains("--force"));
    let forced = [&not[..], &["--force"]].concat();
    assert_eq!(answer(&s, &forced)["settled"], "not_booked");
    let shown = answer(&s, &["tasks", "show", &id]);
    assert_eq!((&shown["attempts"]["used_here"], &shown["live_intents"]), (&json!(0), &json!([])));
    assert_eq!(s.credit(&person).await.1, held);
    s.run_for(TimeDelta::minutes(20)).await;
    s.slot(TORONTO, "2027-02-09", "09:15");
    s.run_for(TimeDelta::minutes(20)).await;
    let shown = answer(&s, &["tasks", "show", &id]);
    assert_eq!(
        (&shown["status"], &shown["booked"]["date"]),
        (&json!("active"), &json!("2027-02-09")),
        "{shown}"
    );
}

async fn the_doctor_reports_problems(s: Stage) {
    let (_, id) = watched(&s, "lin").await;
    s.mails().await;
    let examine = |words: &[&str]| {
        let output = sooner(&s, &[&["doctor", "--json"], words].concat());
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let code = ["ok", "warn", "bad"].iter().position(|level| answer["level"] == *level).unwrap();
        assert_eq!(output.status.code(), i32::try_from(code).ok(), "{answer}");
        answer
    };
    let well = examine(&[]);
    assert_eq!(level(&well, "operator"), "ok", "{well}");
    let folder = tempfile::tempdir().unwrap();
    let (profile, page) = (folder.path().join("operator.toml"), folder.path().join("terms.md"));
    std::fs::write(&profile, "[pages.terms]\nzh = \"terms.md\"\nen = \"terms.md\"\n").unwrap();
    let told = examine(&["--operator", profile.to_str().unwrap()]);
    assert_eq!(level(&told, "operator"), "bad", "a named text is missing: {told}");
    assert!(told.to_string().contains("terms.md"));
    std::fs::write(&page, "Ours.").unwrap();
    let told = examine(&["--operator", profile.to_str().unwrap()]);
    assert!(level(&told, "operator") == "ok" && told.to_string().contains("own texts for terms"), "{told}");
    for name in [
        "database",
        "keys",
        "books",
        "money",
        "bookings",
        "engine",
        "budgets",
        "pages",
        "lists",
        "passwords",
        "mail",
    ] {
        assert_eq!(level(&well, name), "ok", "{name}: {well}");
    }
    unconfirmed(&s, &id, AttemptState::Manual).await;
    let now = s.clock.now();
    let mut tx = s.app.db.begin().await.unwrap();
    store::ledger::freeze(&mut tx, now, "a story").await.unwrap();
    store::parse_failure::record(&mut tx, "groups", "no groups", 7, now).await.unwrap();
    store::parse_failure::record(&mut tx, "groups", "no groups", 8, now).await.unwrap();
    let since = json!({ "since": now, "probes": 2, "next_probe_at": now + TimeDelta::hours(3) });
    let subject = store::learned::page_subject(CountryCode::CANADA, "groups");
    store::learned::save(&mut tx, &subject, &since, now).await.unwrap();
    let mut parted = Agreement::default();
    for _ in 0..8 {
        parted.observe(Comparison::Differed, now);
    }
    for known in store::observation::calendars(&mut tx).await.unwrap() {
        let subject = store::learned::agreement_of(&known.key.to_string());
        store::learned::save(&mut tx, &subject, &json!(parted), now).await.unwrap();
    }
    let task = store::task::get(&mut tx, id.parse().unwrap()).await.unwrap().unwrap();
    let (credential, account) = (task.credential_id.unwrap(), task.portal_account_id);
    store::credential::set_health(&mut tx, credential, CredentialHealth::Rejected, now).await.unwrap();
    store::portal_account::set_health(&mut tx, account, AccountHealth::Cooling, None, now).await.unwrap();
    let mail = json!({});
    store::outbox::enqueue_mail(&mut tx, &s.app.random, task.user_id, "booked", "k", &mail, now)
        .await
        .unwrap();
    tx.commit().await.unwrap();
    s.wait(3 * 3600);
    let ill = examine(&[]);
    for (name, found) in
        [("money", "bad"), ("bookings", "bad"), ("pages", "warn"), ("stopped", "bad"), ("mail", "bad")]
    {
        assert_eq!(level(&ill, name), found, "{name}: {ill}");
    }
    for name in ["passwords", "accounts", "lists"] {
        assert_eq!(level(&ill, name), "warn", "{name}: {ill}");
    }
    let page = text(&sooner(&s, &["doctor"]));
    assert!(page.contains("sooner tasks settle") && page.contains(&id) && page.contains("2 times"), "{page}");
    assert!(page.contains("no account can read groups since"), "{page}");
    let explained = text(&sooner(&s, &["tasks", "explain", &id]));
    assert!(explained.contains("not shared: accounts see different lists"), "{explained}");
    assert_eq!(level(&examine(&["--thaw"]), "money"), "ok");
    assert_eq!(level(&ill, "secrets"), "ok", "{ill}");
    let mut tx = s.app.db.begin().await.unwrap();
    store::exec!(&mut tx, "UPDATE credential SET secret_version = secret_version + 1").unwrap();
    tx.commit().await.unwrap();
    assert_eq!(level(&examine(&[]), "secrets"), "bad", "the canary opens, portal passwords do not");
}

// spec: 10.15.13
// spec: 10.15.31
async fn the_doctor_reports_unknown_settings_and_tests_the_mail_server(s: Stage) {
    let examine = |set: &[(&str, &str)]| -> Value {
        let output = sooner_with(&s, &["doctor", "--json"], set);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let said = |answer: &Value, name: &str| {
        let findings = answer["findings"].as_array().unwrap().iter();
        findings
            .filter(|f| f["name"] == name)
            .map(|f| f["says"].as_str().unwrap().to_owned())
            .collect::<String>()
    };
    let none = examine(&[]);
    assert!(
        said(&none, "mail server").contains("none is set") && level(&none, "mail server") == "ok",
        "{none}"
    );
    let mail = format!("smtp://{}", s.sandbox.smtp_addr());
    let well = examine(&[("SOONER_SMTP_URL", &mail)]);
    assert_eq!(level(&well, "mail server"), "ok", "{well}");
    let closed = examine(&[("SOONER_SMTP_URL", "smtp://127.0.0.1:9")]);
    assert_eq!(level(&closed, "mail server"), "warn", "{closed}");
    let wrong = examine(&[("SOONER_SMTP_URL", "smtp://mail.example.com:25")]);
    assert_eq!(level(&wrong, "mail server"), "bad", "unencrypted beyond this machine: {wrong}");
    let misspelt = [("SOONER_SMTP_ULR", "x"), ("SOONER_GOOGLE_CLIENT_SECRET_FILE", "/dev/null")];
    let told = said(&examine(&misspelt), "settings");
    assert!(told.contains("SOONER_SMTP_ULR") && !told.contains("GOOGLE"), "{told}");
}

async fn the_doctor_checks_how_many_servers_the_database_allows(s: Stage) {
    let connections = |requests: i64| {
        let output = sooner(&s, &["doctor", "--json", "--request-connections", &requests.to_string()]);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        let found =
            answer["findings"].as_array().unwrap().iter().find(|f| f["name"] == "database connections");
        found.map(|f| (f["level"].as_str().unwrap().to_owned(), f["says"].as_str().unwrap().to_owned()))
    };
    if !s.app.db.is_postgres() {
        assert_eq!(connections(8), None, "a file has no such limit");
        return;
    }
    let mut tx = s.app.db.read().await.unwrap();
    let sql = "SELECT CAST(current_setting('max_connections') AS BIGINT)
        - CAST(current_setting('superuser_reserved_connections') AS BIGINT)";
    let room = store::scalar!(&mut tx, i64, sql).unwrap();
    drop(tx);
    // By default the engine and the background loops use six connections. The commits of bookings,
    // the trial of commits and the watchdog use four.
    let level = |requests: i64| connections(requests).unwrap().0;
    assert_eq!(level(room / 2 - 10), "ok", "room for two servers");
    assert_eq!(level(room / 2 - 9), "warn", "the second server would be refused connections");
    assert_eq!(level(room - 10), "warn", "room for one server");
    assert_eq!(level(room - 9), "bad", "not even room for one server");
    let (_, says) = connections(8).unwrap();
    assert!(says.contains(&format!("enough for {}", room / 18)), "{says}");
}

// spec: 10.15.06
async fn a_paused_portal_gets_no_requests(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    assert!(refusal(&s, &["engine", "pause", "--why", " "]).contains("why"));
    answer(&s, &["engine", "pause", "--why", "the site asked us to stop"]);
    assert!(refusal(&s, &["engine", "pause", "--why", "again"]).contains("paused already"));
    let refused = s.verify(&person, "lin", crate::stage::PORTAL_PASSWORD).await;
    assert_eq!(refused.error(), (503, "PORTAL_PAUSED"));
    assert_eq!(s.sandbox.with_world(|w| w.journal.after(0).len()), 0);
    let status = s.call("GET", "/status", None, None).await;
    assert!(status.data()["engine"]["paused_since"].is_string(), "{status:?}");
    let found = sooner(&s, &["doctor", "--json"]).stdout;
    assert_eq!(level(&serde_json::from_slice(&found).unwrap(), "outward"), "warn");
    let resumed = answer(&s, &["engine", "resume", "--why", "settled"]);
    assert_eq!(resumed["host"], "*");
    let entries = answer(&s, &["audit", "--command", "engine"]);
    // Both entries have the same time, so their order is undefined.
    let why = |command: &str| {
        let entry = entries.as_array().unwrap().iter().find(|entry| entry["command"] == command);
        entry.unwrap_or_else(|| panic!("no {command} in {entries}"))["data"]["why"].clone()
    };
    assert_eq!(entries.as_array().unwrap().len(), 2);
    assert_eq!(why("engine pause"), "the site asked us to stop");
    assert_eq!(why("engine resume"), "settled");
    assert_eq!(s.verify(&person, "lin", crate::stage::PORTAL_PASSWORD).await.status, 200);
    // A pause of another host has no effect on this one.
    answer(&s, &["engine", "pause", "--host", "elsewhere.example.com", "--why", "maintenance"]);
    assert_eq!(s.verify(&person, "lin", crate::stage::PORTAL_PASSWORD).await.status, 200);
}

// spec: 10.3.16
async fn the_doctor_warns_of_undetectable_failovers(s: Stage) {
    let doctor = || {
        let output = sooner(&s, &["doctor", "--json"]);
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    if !s.app.db.is_postgres() {
        let findings = doctor();
        assert!(
            findings["findings"].as_array().unwrap().iter().all(|f| f["name"] != "failover"),
            "a file has no failover"
        );
        return;
    }
    assert_eq!(level(&doctor(), "failover"), "ok");
    // Simulates a database role that may not query this.
    let silent =
        "CREATE OR REPLACE FUNCTION server_timeline() RETURNS TEXT LANGUAGE sql AS 'SELECT NULL::TEXT'";
    let mut tx = s.app.db.begin().await.unwrap();
    store::exec!(&mut tx, silent).unwrap();
    tx.commit().await.unwrap();
    assert_eq!(level(&doctor(), "failover"), "warn");
}

// spec: 10.2.12
async fn a_deleted_task_keeps_its_hold_until_its_booking_is_settled(s: Stage) {
    for booked in [true, false] {
        let name = if booked { "gone" } else { "left" };
        let (person, id) = watched(&s, name).await;
        let (_, held) = s.credit(&person).await;
        unconfirmed(&s, &id, AttemptState::Manual).await;
        let deleted = s.plain("DELETE", &format!("/schedules/{id}"), &person).await;
        assert_eq!(deleted.data()["released_amount"], 0.0, "the amount to charge is not known yet");
        s.run_for(TimeDelta::hours(2)).await;
        let person = s.again(&person).await;
        assert_eq!(s.credit(&person).await.1, held, "the hold waits for the outcome");
        let seen: &[&str] =
            if booked { &["--booked", "2027-02-03", "08:15", "Toronto"] } else { &["--not-booked"] };
        answer(&s, &[&["tasks", "settle", &id], seen, &["--why", "a person looked"]].concat());
        s.run_for(TimeDelta::minutes(2)).await;
        assert_eq!(s.credit(&person).await.1, 0.0);
        let left = if booked { 50.0 - held } else { 50.0 };
        assert!((s.credit(&person).await.0 - left).abs() < 1e-9, "{:?}", s.credit(&person).await);
        s.books_balance().await;
    }
}
