//! Whether a harness sees a bug that is planted for it (`store::sabotage`). The harness runs in a process of its own, the test
//! binary again, so that the bug is in nobody else's way. The server's stories of money share this file.

use std::process::Command;

/// How much a harness does: small ones suffice, for each of these bugs shows within a few hundred operations, and the first
/// contradiction ends it.
const SIZES: [(&str, &str); 6] = [
    ("SOONER_OPS", "1200"),
    ("SOONER_HOLDS", "40"),
    ("SOONER_CODES", "8"),
    ("SOONER_KILLS", "60"),
    ("SOONER_CANCELS", "2000"),
    ("SOONER_PAYMENTS", "60"),
];

/// Runs a harness with a bug; it must fail, and must say which promise is broken.
pub fn is_seen(bug: &str, harness: &str) {
    if harness.contains("postgres") && std::env::var("SOONER_TEST_POSTGRES").as_deref() == Ok("skip") {
        return;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", harness, "--nocapture"])
        .env("SOONER_SABOTAGE", bug)
        .env_remove("SOONER_MONEY")
        .envs(SIZES)
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
            seen::is_seen($bug, $harness);
        }
    )+};
}
