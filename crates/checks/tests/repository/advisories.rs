use std::fs;

use checks::{advisories, tree};

fn table() -> String {
    fs::read_to_string(tree::root().join("crates/checks/advisories.tsv")).expect("the database exists")
}

// spec: 10.7.68
#[test]
fn dependencies_have_no_unanswered_advisories() {
    let lock = fs::read_to_string(tree::root().join("Cargo.lock")).expect("Cargo.lock is there");
    let table = table();
    let found = advisories::complaints(&lock, &table);
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    assert!(advisories::idle_answers(&lock, &table).is_empty(), "some answers match no advisory");
    let date: chrono::NaiveDate = advisories::date(&table).expect("a date").parse().expect("a date");
    let stamp = fs::read_to_string(tree::root().join("crates/checks/advisories.date"))
        .expect("the file with the date exists");
    assert_eq!(stamp.trim(), date.to_string(), "scripts/advisories.py writes both");
    // This test reads the wall clock, so an outdated advisory list is reported and does not fail
    // the test.
    #[allow(clippy::disallowed_methods, reason = "how old a file of the repository is")]
    let age = (chrono::Utc::now().date_naive() - date).num_days();
    if age > advisories::FRESH_DAYS {
        eprintln!("the advisories are {age} days old: scripts/advisories.py");
    }
}

#[test]
fn a_vulnerable_package_is_reported() {
    let table = table();
    assert!(table.lines().count() > 1_000);
    let lock =
        |name: &str, version: &str| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n");
    assert_eq!(
        advisories::complaints(&lock("hyper", "0.9.3"), &table)
            .iter()
            .filter(|one| one.contains("2016-0002"))
            .count(),
        1
    );
    assert!(
        !advisories::complaints(&lock("hyper", "1.8.0"), &table).iter().any(|one| one.contains("2016-0002"))
    );
    assert_eq!(advisories::idle_answers("", &table).len(), advisories::ANSWERED.len());
}
