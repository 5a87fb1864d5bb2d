//! Promise 5: each harness here sees the bugs that are planted for it (`store::sabotage`), in a process of its own.

use std::process::Command;

/// Runs a harness with a bug; it must fail, and must say which promise is broken.
fn is_seen(bug: &str, harness: &str) {
    if harness.contains("postgres") && std::env::var_os("SOONER_TEST_POSTGRES").is_none() {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", harness, "--nocapture"])
        .env("SOONER_SABOTAGE", bug)
        .env_remove("SOONER_MONEY")
        // As many as it takes: the first contradiction ends it.
        .envs([("SOONER_KILLS", "60"), ("SOONER_CANCELS", "2000"), ("SOONER_PAYMENTS", "60")])
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(said.contains("running 1 test"), "there is no harness {harness}: {said}");
    assert!(!output.status.success(), "{bug} went unnoticed by {harness}:\n{said}");
    assert!(said.contains("promise"), "{harness} failed, but not of {bug}:\n{said}");
}

macro_rules! bugs_seen {
    ($($name:ident: $bug:literal by $harness:literal),+ $(,)?) => {$(
        #[test]
        fn $name() {
            is_seen($bug, $harness);
        }
    )+};
}

bugs_seen! {
    an_answer_before_its_commit_is_seen: "ack_before_commit" by "kills::sqlite::what_was_acknowledged_survives_kill_nine",
    an_answer_kept_outside_the_transaction_is_seen: "answer_outside" by "kills::sqlite::what_was_acknowledged_survives_kill_nine",
    a_credit_for_every_message_is_seen: "credit_by_event" by "payments::sqlite::one_payment_is_one_credit",
}
