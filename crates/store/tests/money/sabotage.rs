//! Promise 5: each harness here sees the bugs that are planted for it (`store::sabotage`). The harness runs in a
//! process of its own, this test binary again, so that the bug is in nobody else's way.

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
        // Small ones suffice: each of these bugs shows within a few hundred operations.
        .envs([("SOONER_OPS", "1200"), ("SOONER_HOLDS", "40"), ("SOONER_CODES", "8")])
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
    a_hold_without_its_guard_is_seen: "unguarded_hold" by "crowd::sqlite::thirty_two_workers_leave_books_that_balance",
    a_hold_resolved_twice_is_seen: "resolve_twice" by "holds::sqlite::each_hold_resolves_once_under_four_at_once",
    a_balance_that_drifts_is_seen: "balance_drift" by "crowd::sqlite::thirty_two_workers_leave_books_that_balance",
    a_code_checked_before_it_is_taken_is_seen: "code_check_then_act" by "codes::postgres::a_code_is_one_credit_among_sixty_four",
}
