//! Stories of operator commands about users and money, run with the real program.

use std::process::{Command, Output};

use chrono::TimeDelta;
use domain::card::PaymentMethod;
use domain::ids::{CardPaymentId, uuid_v7};
use domain::money::Money;
use serde_json::{Value, json};
use store::card::{NewPayment, PaidWith, PaymentReport, ReportOutcome};
use store::exec;

use crate::app::{PASSWORD, Person, TestApp};

stories!(
    the_operator_can_set_the_price,
    users_in_a_discount_group_pay_less,
    a_personal_discount_applies_and_the_user_is_shown,
    promo_codes_are_added_shown_and_ended,
    referral_terms_are_set_and_shown,
    codes_are_minted_listed_exported_and_revoked,
    balances_are_listed_with_totals,
    the_ledger_is_checked_frozen_and_unfrozen,
    a_payment_is_refunded_at_most_once,
    topup_code_money_is_not_refunded_to_a_card,
    a_stuck_payment_can_be_given_up_after_two_weeks,
    every_operator_command_is_audited,
    the_audit_check_detects_changed_entries,
    a_compromised_account_is_suspended_and_resumed,
);

/// Runs `sooner` on the database of the story, at the story's time.
fn sooner(app: &TestApp, words: &[&str]) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let ring = folder.path().join("keys");
    app.app.keyring.save_new(&ring).unwrap();
    let now = app.clock.now().to_rfc3339();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).args(["--at", &now]).env("SOONER_DATABASE_URL", &app.app.settings.database_url);
    command
        .env("SOONER_KEY_RING", &ring)
        .env("USER", "somebody-else")
        .env("SUDO_USER", "somebody-else")
        .output()
        .unwrap()
}

/// Returns `true` if the actor of an audit entry is the user who runs the tests.
pub fn is_us(actor: &str) -> bool {
    let uid = Command::new("id").arg("-u").output().unwrap().stdout;
    let uid = String::from_utf8(uid).unwrap();
    actor.ends_with(&format!("({})", uid.trim())) || actor.ends_with(&format!("uid {}", uid.trim()))
}

/// Runs a command that must succeed, once for text and once for JSON. Checks that the lines of the
/// text fit a terminal, and returns the text.
fn text(app: &TestApp, words: &[&str]) -> String {
    let output = sooner(app, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().all(|line| line.chars().count() <= 100), "too wide:\n{text}");
    text
}

fn answer(app: &TestApp, words: &[&str]) -> Value {
    let output = sooner(app, &[words, &["--json"]].concat());
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Runs a command that must fail, and returns its message.
fn refusal(app: &TestApp, words: &[&str]) -> String {
    let output = sooner(app, words);
    assert!(!output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8(output.stderr).unwrap()
}

// spec: 10.10.11
async fn the_operator_can_set_the_price(app: TestApp) {
    assert_eq!(answer(&app, &["plans", "list"])[0]["price"], json!(5.0));
    let set = answer(&app, &["plans", "set", "--price", "38.00"]);
    assert_eq!(set, json!({ "before": 5.0, "price": 38.0 }));
    let plans = answer(&app, &["plans", "list"]);
    assert_eq!((plans[0]["price"].clone(), plans.as_array().unwrap().len()), (json!(38.0), 1));
    assert!(text(&app, &["plans", "list"]).contains("38.00"));
    for wrong in ["-1", "1.234", "NaN", "1e9", "9999999999"] {
        assert!(
            refusal(&app, &["plans", "set", &format!("--price={wrong}")]).contains("such as 38.00"),
            "{wrong}"
        );
    }
    let person = app.person("lin").await;
    let price = app.get("/pricing/calculate", &person).await;
    assert_eq!(price.data()["unit_price"], 38.0);
}

// spec: 10.10.12
async fn users_in_a_discount_group_pay_less(app: TestApp) {
    let (lin, wang) = (app.person("lin").await, app.person("wang").await);
    answer(&app, &["groups", "add", "students", "--discount", "2.00"]);
    assert!(refusal(&app, &["groups", "add", "students", "--discount", "1.00"]).contains("already"));
    assert!(
        refusal(&app, &["groups", "assign", "teachers", "lin@example.com"]).contains("there is no group")
    );
    assert!(
        refusal(&app, &["groups", "assign", "students", "nobody@example.com"])
            .contains("no user is registered")
    );
    answer(&app, &["groups", "assign", "students", "LIN@example.com", &wang.id.to_string()]);
    let groups = answer(&app, &["groups", "list"]);
    assert_eq!((&groups[0]["people"], &groups[0]["discount"]), (&json!(2), &json!(2.0)));
    answer(&app, &["groups", "set", "students", "--discount", "1.50"]);
    assert!(text(&app, &["groups", "list"]).contains("1.50"));
    let price = app.get("/pricing/calculate", &lin).await;
    assert_eq!(price.data()["unit_price"], 3.5, "{price:?}");
    assert!(refusal(&app, &["groups", "remove", "students"]).contains("2 users belong"));
    answer(&app, &["users", "group", "lin@example.com", "--none"]);
    answer(&app, &["users", "group", "wang@example.com", "--none"]);
    answer(&app, &["groups", "remove", "students"]);
    assert_eq!(answer(&app, &["groups", "list"]), json!([]));
}

// spec: 10.10.13
async fn a_personal_discount_applies_and_the_user_is_shown(app: TestApp) {
    let person = app.person("lin").await;
    let code = app.code(50_00).await;
    app.call("POST", "/topup/use", Some(&person), Some(json!({ "code": code }))).await.data();
    answer(&app, &["users", "discount", "lin@example.com", "--amount", "3.00", "--note", "a friend of ours"]);
    let price = app.get("/pricing/calculate", &person).await;
    assert_eq!(price.data()["unit_price"], 2.0, "{price:?}");
    let shown = answer(&app, &["users", "show", "lin@example.com"]);
    assert_eq!((&shown["discount"], &shown["available"]), (&json!(3.0), &json!(50.0)), "{shown}");
    assert_eq!(shown["audit"][0]["command"], "users discount");
    assert_eq!(shown["audit"][0]["data"]["note"], "a friend of ours");
    let page = text(&app, &["users", "show", &person.id.to_string()]);
    assert!(page.contains("lin@example.com") && page.contains("discount        3.00 CAD"), "{page}");
    let balance = answer(&app, &["users", "balance", "lin@example.com"]);
    assert_eq!((&balance["available"], &balance["bonus"]), (&json!(50.0), &json!(0.0)));
    assert!(text(&app, &["users", "list"]).contains("50.00"));
    answer(&app, &["users", "discount", "lin@example.com", "--none"]);
    assert_eq!(app.get("/pricing/calculate", &person).await.data()["unit_price"], 5.0);
    assert!(refusal(&app, &["users", "show", "00000000-0000-7000-8000-000000000000"]).contains("no user"));
    assert!(refusal(&app, &["users", "discount", "lin@example.com", "--amount", "0"]).contains("above zero"));
}

// spec: 10.10.14
async fn promo_codes_are_added_shown_and_ended(app: TestApp) {
    let person = app.person("lin").await;
    let words = [
        "promos",
        "add",
        "spring-26",
        "--amount",
        "2.50",
        "--lasts",
        "30d",
        "--limit",
        "10",
        "--per-user",
        "1",
    ];
    let made = answer(&app, &words);
    assert_eq!(
        (&made["code"], &made["state"], &made["uses"]),
        (&json!("SPRING26"), &json!("open"), &json!(0))
    );
    assert!(refusal(&app, &words).contains("already"));
    let asked = json!({ "user_id": person.id, "promo_code": "spring 26" });
    let price = app.call("POST", "/pricing/calculate", Some(&person), Some(asked.clone())).await;
    assert_eq!(price.data()["promo"]["status"], "applied", "{price:?}");
    assert!(text(&app, &["promos", "list"]).contains("0/10"));
    let page = text(&app, &["promos", "show", "Spring 26"]);
    assert!(
        page.contains("2.50 CAD off") && page.contains("used for 0; limit in total: 10, per user: 1"),
        "{page}"
    );
    answer(&app, &["promos", "end", "SPRING26"]);
    assert!(refusal(&app, &["promos", "end", "SPRING26"]).contains("has ended already"));
    assert_eq!(answer(&app, &["promos", "list"])[0]["state"], "ended");
    let price = app.call("POST", "/pricing/calculate", Some(&person), Some(asked)).await;
    assert_ne!(price.data()["promo"]["status"], "applied", "{price:?}");
    let own = answer(&app, &["promos", "add", "ONLYLIN", "--amount", "1.00", "--user", "lin@example.com"]);
    assert_eq!(own["only_user"], json!(person.id));
    assert!(refusal(&app, &["promos", "add", "x", "--amount", "1.00"]).contains("3 to 40"));
    let backwards =
        ["promos", "add", "LATE", "--amount", "1.00", "--starts", "2027-03-01", "--ends", "2027-02-01"];
    assert!(refusal(&app, &backwards).contains("end before it begins"));
}

// spec: 10.10.15
async fn referral_terms_are_set_and_shown(app: TestApp) {
    assert!(text(&app, &["referrals", "show"]).contains("no discount and no bonus"));
    answer(&app, &["referrals", "set", "--newcomer", "1.00", "--referrer", "3.00"]);
    let shown = answer(&app, &["referrals", "show"]);
    assert_eq!((&shown["newcomer"], &shown["referrer"]), (&json!(1.0), &json!(3.0)));
    assert!(text(&app, &["referrals", "show"]).contains("gets 3.00 CAD"));
}

// spec: 10.10.16
async fn codes_are_minted_listed_exported_and_revoked(app: TestApp) {
    let person = app.person("lin").await;
    let printed = text(&app, &["codes", "mint", "--amount", "20.00", "--count", "2", "--note", "=SUM(A1)"]);
    let codes: Vec<&str> = printed.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert_eq!((printed.lines().next(), codes.len()), (Some("code,amount,currency,expires_at,id"), 2));
    let body = Some(json!({ "code": codes[0] }));
    app.call("POST", "/topup/use", Some(&person), body).await.data();
    let listed = answer(&app, &["codes", "list", "--state", "open"]);
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["tail"]), (1, &json!(codes[1][12..])));
    let exported = sooner(&app, &["codes", "export"]);
    let exported = String::from_utf8(exported.stdout).unwrap();
    assert!(codes.iter().all(|code| !exported.contains(code)), "codes are printed once");
    let used = exported.lines().find(|line| line.contains(",used,")).unwrap();
    assert!(used.contains(&person.id.to_string()) && used.ends_with("\"'=SUM(A1)\""), "{used}");
    let id = listed[0]["id"].as_str().unwrap();
    answer(&app, &["codes", "revoke", id]);
    assert!(refusal(&app, &["codes", "revoke", id]).contains("no open code"));
    let body = Some(json!({ "code": codes[1] }));
    let gone = app.call("POST", "/topup/use", Some(&person), body).await;
    assert_eq!(gone.error(), (404, "TOPUP_CODE_INVALID"));
    assert!(refusal(&app, &["codes", "mint", "--amount", "0"]).contains("above zero"));
}

// spec: 10.10.17
async fn balances_are_listed_with_totals(app: TestApp) {
    let (rich, _) = (app.person("rich").await, app.person("poor").await);
    let code = app.code(50_00).await;
    app.call("POST", "/topup/use", Some(&rich), Some(json!({ "code": code }))).await.data();
    let balances = answer(&app, &["balances", "list"]);
    let people = balances["people"].as_array().unwrap();
    assert_eq!((people.len(), &people[0]["email"]), (1, &json!("rich@example.com")), "{balances}");
    let sum: f64 = balances["totals"].as_array().unwrap().iter().map(|t| t["posted"].as_f64().unwrap()).sum();
    assert!(sum.abs() < 0.005, "{balances}");
    assert!(text(&app, &["balances", "list"]).contains("-50.00"));
}

// spec: 10.10.17
async fn the_ledger_is_checked_frozen_and_unfrozen(app: TestApp) {
    let person = app.person("lin").await;
    assert_eq!(answer(&app, &["ledger", "check"]), json!({ "differences": [], "frozen": null }));
    assert!(refusal(&app, &["ledger", "freeze", "--why", " "]).contains("--why"));
    answer(&app, &["ledger", "freeze", "--why", "looking into it"]);
    assert!(text(&app, &["ledger", "check"]).contains("looking into it"));
    let code = app.code(50_00).await;
    let body = || Some(json!({ "code": code }));
    let frozen = app.call("POST", "/topup/use", Some(&person), body()).await;
    assert_eq!(frozen.error(), (503, "MONEY_FROZEN"));
    answer(&app, &["ledger", "thaw"]);
    app.call("POST", "/topup/use", Some(&person), body()).await.data();
    let mut tx = app.app.db.begin().await.unwrap();
    store::exec!(&mut tx, "UPDATE ledger_account SET posted = posted + 1 WHERE kind = 'user'").unwrap();
    tx.commit().await.unwrap();
    assert!(refusal(&app, &["ledger", "check"]).contains("does not balance"));
    answer(&app, &["ledger", "freeze", "--why", "found"]);
    assert!(refusal(&app, &["ledger", "thaw"]).contains("stays frozen"));
}

/// Prepares a payment of 50 CAD.
async fn begins(app: &TestApp, person: &Person, intent_id: &str) {
    let (now, random) = (app.clock.now(), &app.app.random);
    let (id, asked) = (CardPaymentId::new(now, random.bytes()), Money::cad(50_00));
    let new =
        NewPayment { id, user: person.id, intent_id, asked, method: PaymentMethod::Card, description: None };
    let mut tx = app.app.db.begin().await.unwrap();
    assert!(store::card::insert(&mut tx, random, &new, (now, now)).await.unwrap());
    tx.commit().await.unwrap();
}

/// Delivers the provider's message that the payment succeeded.
async fn comes_in(app: &TestApp, intent_id: &str) -> ReportOutcome {
    let said = PaymentReport::Paid(Money::cad(50_00), PaidWith::Known("card_1"));
    let with = (app.app.keyring.as_ref(), &app.app.random);
    let mut tx = app.app.db.begin().await.unwrap();
    let outcome = store::card::apply_report(&mut tx, with, intent_id, said, app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    outcome
}

// spec: 10.10.18
async fn a_payment_is_refunded_at_most_once(app: TestApp) {
    let person = app.person("lin").await;
    begins(&app, &person, "pi_story").await;
    comes_in(&app, "pi_story").await;
    assert!(text(&app, &["payments", "list", "--user", "lin@example.com"]).contains("pi_story"));
    let part = ["payments", "refund", "pi_story", "--amount", "20.00", "--why", "asked for it"];
    assert_eq!(answer(&app, &part)["amount"], 20.0);
    assert_eq!(app.get("/users/credit", &person).await.data()["credit"], 30.0);
    let more = ["payments", "refund", "pi_story", "--amount", "30.01", "--why", "more"];
    assert!(refusal(&app, &more).contains("at most 30.00 CAD"));
    let shown = answer(&app, &["payments", "show", "pi_story"]);
    assert_eq!((&shown["refunded"], &shown["can_go_back"]), (&json!(20.0), &json!(30.0)), "{shown}");
    answer(&app, &["payments", "refund", "pi_story", "--why", "the rest"]);
    assert!(
        refusal(&app, &["payments", "refund", "pi_story", "--why", "again"])
            .contains("nothing can be refunded")
    );
    assert!(refusal(&app, &["payments", "refund", "pi_none", "--why", "x"]).contains("no such payment"));
    assert!(text(&app, &["payments", "show", "pi_story"]).contains("asked for it"));
    app.books_balance().await;
}

// spec: 10.10.18
async fn topup_code_money_is_not_refunded_to_a_card(app: TestApp) {
    let person = app.person("lin").await;
    begins(&app, &person, "pi_spent").await;
    comes_in(&app, "pi_spent").await;
    // The payment is spent for a task, and a top-up code adds the same amount.
    let (now, random) = (app.clock.now(), &app.app.random);
    let mut tx = app.app.db.begin().await.unwrap();
    let task = ("task", uuid_v7(now, random.bytes()));
    let hold = store::ledger::hold(&mut tx, random, person.id, Money::cad(45_00), task, now).await.unwrap();
    store::ledger::capture(&mut tx, random, hold, now).await.unwrap();
    let code = ("topup_code", uuid_v7(now, random.bytes()));
    store::ledger::topup(&mut tx, random, person.id, Money::cad(50_00), code, now).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(app.get("/users/credit", &person).await.data()["credit"], 55.0);
    let all = ["payments", "refund", "pi_spent", "--amount", "50.00", "--why", "asked for it"];
    assert!(refusal(&app, &all).contains("at most 5.00 CAD"), "the rest of the card's money");
    assert_eq!(answer(&app, &["payments", "show", "pi_spent"])["can_go_back"], 5.0);
    assert_eq!(answer(&app, &["users", "balance", "lin@example.com"])["refundable"], 5.0);
    assert_eq!(answer(&app, &["payments", "refund", "pi_spent", "--why", "the rest"])["amount"], 5.0);
    let again = ["payments", "refund", "pi_spent", "--why", "of the code"];
    assert!(refusal(&app, &again).contains("45.00 CAD of the payment, 0.00 CAD of the balance came by card"));
    assert_eq!(app.get("/users/credit", &person).await.data()["credit"], 50.0);
    app.books_balance().await;
}

// spec: 10.10.27
async fn a_stuck_payment_can_be_given_up_after_two_weeks(app: TestApp) {
    let person = app.person("lin").await;
    begins(&app, &person, "pi_stuck").await;
    let words = ["payments", "give-up", "pi_stuck", "--why", "the account at the provider is gone"];
    assert!(refusal(&app, &words).contains("could still succeed"), "the payment only began");
    app.wait(14 * 86_400);
    assert!(refusal(&app, &words).contains("could still succeed"), "true until the last day");
    app.wait(1);
    assert!(refusal(&app, &["payments", "give-up", "pi_stuck", "--why", " "]).contains("give a reason"));
    let done = answer(&app, &words);
    assert_eq!((&done["state"], &done["why"]), (&json!("lapsed"), &json!(words[4])));
    let mut tx = app.app.db.read().await.unwrap();
    let due = store::card::due(&mut tx, app.clock.now() + TimeDelta::days(400), 10).await.unwrap();
    assert!(due.is_empty(), "the payment is not read any more");
    drop(tx);
    assert!(refusal(&app, &words).contains("the payment has ended: lapsed"));
    let line = &answer(&app, &["audit", "--subject", &person.id.to_string()])[0];
    assert_eq!((&line["command"], &line["data"]["why"]), (&json!("payments give-up"), &json!(words[4])));
    // The payment succeeds after all, and is credited.
    assert_eq!(comes_in(&app, "pi_stuck").await, ReportOutcome::Credited(Money::cad(50_00)));
    assert!(refusal(&app, &words).contains("the payment has ended: succeeded"));
    assert!(refusal(&app, &["payments", "give-up", "pi_none", "--why", "x"]).contains("no such payment"));
    app.books_balance().await;
}

// spec: 10.10.19
async fn every_operator_command_is_audited(app: TestApp) {
    let person = app.person("lin").await;
    answer(&app, &["plans", "set", "--price", "6.00"]);
    app.wait(1);
    answer(&app, &["users", "show", "lin@example.com"]);
    refusal(&app, &["plans", "set", "--price", "x"]);
    refusal(&app, &["users", "show", "nobody@example.com"]);
    let done = answer(&app, &["audit"]);
    let actor = done[0]["actor"].as_str().unwrap().to_owned();
    assert!(is_us(&actor), "the actor is the operator, not the user that the environment names: {actor}");
    let seen: Vec<(&str, &str)> = done
        .as_array()
        .unwrap()
        .iter()
        .map(|e| (e["command"].as_str().unwrap(), e["actor"].as_str().unwrap()))
        .collect();
    assert_eq!(
        seen,
        [("users show", actor.as_str()), ("plans set", actor.as_str())],
        "a failed command changed nothing"
    );
    let own = answer(&app, &["audit", "--subject", &person.id.to_string()]);
    assert_eq!(own[0]["command"], "users show");
    assert_eq!(answer(&app, &["audit", "--subject", &person.email]), own, "by the address as by the id");
    assert!(refusal(&app, &["audit", "--subject", "nobody@example.com"]).contains("no user is registered"));
    assert!(text(&app, &["audit", "--command", "plans"]).contains("\"price\":6.0"));
}

// spec: 10.7.64
async fn the_audit_check_detects_changed_entries(app: TestApp) {
    for price in ["6.00", "7.00", "8.00"] {
        answer(&app, &["plans", "set", "--price", price]);
    }
    let whole = answer(&app, &["audit", "--check"]);
    assert_eq!((&whole["lines"], &whole["without_hash"]), (&json!(3), &json!(0)));
    assert_eq!(whole["newest"].as_str().unwrap().len(), 64);
    let again = answer(&app, &["audit", "--check"]);
    assert_eq!(again["lines"], 4, "the query itself is an entry");
    // A user with access to the database drops the triggers and changes the price.
    let mut tx = app.app.db.begin().await.unwrap();
    let off = tx.pick("DROP TRIGGER audit_no_update", "ALTER TABLE audit DISABLE TRIGGER audit_fixed");
    exec!(&mut tx, off).unwrap();
    exec!(&mut tx, "UPDATE audit SET subject = 'another' WHERE number = 2").unwrap();
    tx.commit().await.unwrap();
    assert!(refusal(&app, &["audit", "--check"]).contains("entry 2 "));
    // With a real clock, no command accepts another time.
    let mut tx = app.app.db.begin().await.unwrap();
    exec!(&mut tx, "DELETE FROM made_up_time").unwrap();
    tx.commit().await.unwrap();
    assert!(refusal(&app, &["plans", "set", "--price", "9.00"]).contains("--at is for demos"));
    assert!(refusal(&app, &["tasks", "list"]).contains("--at is for demos"));
}

// spec: 10.7.60
async fn a_compromised_account_is_suspended_and_resumed(app: TestApp) {
    let person = app.person("lin").await;
    let shown = text(&app, &["users", "sessions", "lin@example.com"]);
    assert!(shown.contains("sign_in") && shown.contains("0.0.0.x"), "{shown}");
    answer(&app, &["users", "sign-out", "lin@example.com", "--why", "stolen phone"]);
    let late = app.post("/auth/refresh", json!({ "refresh_token": person.refresh })).await;
    assert_eq!(late.error(), (401, "INVALID_REFRESH_TOKEN"));
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200);
    refusal(&app, &["users", "suspend", "lin@example.com", "--why", " "]);
    let closed = answer(&app, &["users", "suspend", "lin@example.com", "--why", "fraud"]);
    assert_eq!((&closed["ended"], &closed["stopped"]), (&json!(1), &json!(0)));
    assert_eq!(app.login(&person.email, PASSWORD).await.error(), (403, "ACCOUNT_SUSPENDED"));
    assert_eq!(app.login(&person.email, "Wrong-1234!").await.error(), (401, "INVALID_CREDENTIALS"));
    refusal(&app, &["users", "suspend", "lin@example.com", "--why", "twice"]);
    answer(&app, &["users", "resume", "lin@example.com", "--why", "cleared"]);
    let person = app.signed_in(&person.email, &app.login(&person.email, PASSWORD).await);
    crate::sign_ins::second_factor(&app, &person).await;
    answer(&app, &["users", "reset-second-factor", "lin@example.com", "--why", "lost phone, identity shown"]);
    assert_eq!(app.login(&person.email, PASSWORD).await.status, 200, "no code is required");
    assert!(refusal(&app, &["users", "unlink-google", "lin@example.com", "--why", "x"]).contains("no link"));
    let none = refusal(&app, &["users", "remove-passkeys", "lin@example.com", "--why", "x"]);
    assert!(none.contains("no passkey"), "{none}");
    let mut told: Vec<String> = app
        .mails()
        .await
        .into_iter()
        .filter(|mail| mail.0 == "security_notice")
        .map(|mail| mail.2["what"].as_str().unwrap().to_owned())
        .collect();
    told.sort();
    assert_eq!(told, ["second_factor_reset", "signed_out"]);
    let done = answer(&app, &["audit", "--command", "users s"]);
    assert_eq!(done[0]["data"]["why"], "fraud");
}
