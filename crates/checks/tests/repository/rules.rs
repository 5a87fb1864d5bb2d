use std::fs;

use checks::tree::{self, File};
use checks::{figures, layers, migrations, mutants, parameters, tests_found, tree::LONG, tree::TOO_LONG};

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

fn assert_none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

// spec: 10.6.01
#[test]
fn crates_depend_only_on_allowed_crates() {
    let mut complaints = Vec::new();
    let mut seen = 0;
    for entry in fs::read_dir(tree::root().join("crates")).expect("crates/ exists").flatten() {
        let Ok(manifest) = fs::read_to_string(entry.path().join("Cargo.toml")) else {
            continue;
        };
        seen += 1;
        complaints.extend(layers::complaints(&entry.file_name().to_string_lossy(), &manifest));
    }
    assert!(seen >= 7, "only {seen} crates were read");
    assert_none(&complaints);
}

#[test]
fn a_forbidden_crate_dependency_is_reported() {
    let bad = "[dependencies]\nsooner-portal = { path = \"../portal\" }\n";
    assert_eq!(layers::complaints("store", bad).len(), 1);
    assert_eq!(layers::complaints("engine", bad).len(), 0);
    assert_eq!(layers::complaints("domain", "[dependencies]\ntokio.workspace = true\n").len(), 1);
    assert_eq!(layers::complaints("domain", "[dependencies.sqlx]\nversion = \"1\"\n").len(), 1);
    assert_eq!(layers::complaints("engine", "[dependencies]\nsooner-sandbox = \"1\"\n").len(), 1);
    assert_eq!(layers::complaints("engine", "[dev-dependencies]\nsooner-sandbox = \"1\"\n").len(), 0);
    assert_eq!(layers::complaints("newcomer", "").len(), 1);
}

#[test]
fn the_server_uses_the_sandbox_only_to_start_it() {
    let files = tree::files(&tree::root());
    let leaks: Vec<String> = files.iter().flat_map(|f| layers::sandbox_leaks(&f.path, &f.text)).collect();
    assert_none(&leaks);
    assert_eq!(layers::sandbox_leaks("crates/server/src/api/a.rs", "use sandbox::World;").len(), 1);
    assert_eq!(layers::sandbox_leaks("crates/server/src/demo.rs", "use sandbox::World;").len(), 0);
}

// spec: 10.6.02
#[test]
fn no_file_contains_machine_specific_paths_or_registries() {
    let files = tree::files(&tree::root());
    assert!(files.len() > 100, "only {} files were read", files.len());
    let complaints: Vec<String> = files.iter().flat_map(tree::machine_words).collect();
    assert_none(&complaints);
    let lock = files.iter().find(|f| f.path == "Cargo.lock").expect("Cargo.lock is committed");
    assert_none(&tree::foreign_sources(lock));
}

#[test]
fn machine_specific_text_is_reported() {
    let path = ["/ro", "ot/x"].concat();
    assert_eq!(tree::machine_words(&file("a.md", &format!("see {path}"))).len(), 1);
    assert_eq!(tree::machine_words(&file("a.md", &format!("see example.com{path}"))).len(), 0);
    let resolved = "\"resolved\": \"http://127.0.0.1/a.tgz\"";
    assert_eq!(tree::machine_words(&file("web/package-lock.json", resolved)).len(), 1);
    assert_eq!(tree::foreign_sources(&file("Cargo.lock", "source = \"registry+http://127.0.0.1\"")).len(), 1);
}

// spec: 10.2.09, 10.10.06
#[test]
fn every_mutant_applies_and_names_an_existing_test() {
    assert_none(&mutants::of_repository());
    let files = tree::files(&tree::root());
    let tests = tests_found::names(&files);
    assert!(mutants::mutants(&files).count() > 10, "there are too few planted bugs");
    let complaints = |text: &str| mutants::complaints(&file("mutants/a.patch", text), &files, &tests).len();
    let known = "caught-by: sooner-engine stories week::a_week_of_injected_failures_breaks_no_promise\n";
    assert_eq!(complaints(&format!("A bug.\n\n{known}\n--- a/x\n+++ b/x\n")), 0);
    assert_eq!(complaints(&format!("A bug.\n\n{known}\n")), 1, "a patch without a diff was accepted");
    assert_eq!(complaints("A bug.\n\n--- a/x\n+++ b/x\n"), 1, "a patch without a test was accepted");
    assert_eq!(
        complaints("A bug.\n\ncaught-by: sooner-engine stories week::never_written\n\n--- a/x\n+++ b/x\n"),
        1
    );
    let stale =
        "A bug.\n\n--- a/README.md\n+++ b/README.md\n@@ -1,1 +1,1 @@\n-a line that is not there\n+another\n";
    assert!(mutants::refusal(&tree::root(), &file("mutants/never.patch", stale)).is_some());
}

#[test]
fn only_engine_tests_enable_fail_points() {
    let mut complaints = Vec::new();
    for manifest in tree::files(&tree::root()).iter().filter(|file| file.path.ends_with("Cargo.toml")) {
        let product = manifest.text.split("[dev-dependencies]").next().unwrap_or_default();
        let named = product.matches("fail-points").count();
        if named != usize::from(manifest.path == "crates/engine/Cargo.toml") {
            complaints.push(format!("{}: fail-points stands {named} times outside of tests", manifest.path));
        }
    }
    assert_none(&complaints);
}

// spec: 10.6.03
#[test]
fn no_test_is_skipped() {
    let files = tree::files(&tree::root());
    let complaints: Vec<String> = files.iter().flat_map(tree::skipped_tests).collect();
    assert_none(&complaints);
    let seeded = ["#[ign", "ore]"].concat();
    assert_eq!(tree::skipped_tests(&file("crates/a/tests/b.rs", &seeded)).len(), 1);
}

#[test]
fn source_files_stay_below_the_length_limit() {
    let files = tree::files(&tree::root());
    let long: Vec<(usize, &str)> =
        files.iter().filter_map(|f| Some((tree::length_if_long(f)?, f.path.as_str()))).collect();
    for (lines, path) in &long {
        println!("{path}: {lines} lines, more than {LONG}");
    }
    let too_long: Vec<String> =
        long.iter().filter(|(n, _)| *n > TOO_LONG).map(|(n, p)| format!("{p}: {n} lines")).collect();
    assert_none(&too_long);
    assert_eq!(tree::length_if_long(&file("a.rs", &"x\n".repeat(LONG + 1))), Some(LONG + 1));
}

#[test]
fn every_adr_has_a_status_consequences_and_an_index_row() {
    let files = tree::files(&tree::root());
    let index = files.iter().find(|file| file.path == "docs/adr/README.md").expect("the index");
    let decisions: Vec<&File> = files.iter().filter(|file| file.path.starts_with("docs/adr/0")).collect();
    assert!(decisions.len() > 40, "only {} decisions were read", decisions.len());
    let missing = |file: &&File| {
        let name = file.path.trim_start_matches("docs/adr/");
        let has = |text: &str| file.text.contains(text);
        !(has("\n## Status\n") && has("Consequences") && index.text.contains(&format!("({name})")))
    };
    let complaints: Vec<String> =
        decisions.into_iter().filter(missing).map(|file| file.path.clone()).collect();
    assert_none(&complaints);
}

#[test]
fn bool_and_tuple_parameters_stay_within_known_counts() {
    let counts = parameters::count(&tree::files(&tree::root()));
    assert!(counts.len() >= 10, "only {} crates were read", counts.len());
    assert_none(&parameters::complaints(&counts, parameters::KNOWN));
}

#[test]
fn bool_and_tuple_parameters_are_counted() {
    let text = "pub async fn a(tx: &mut Tx, (one, two): (Id, &[Day]), force: bool) -> (A, B) {\n\
                fn plain(only: Option<(A, B)>, of: impl Fn(bool) -> bool, pair: &Pair) {}\n// fn b(c: bool)\n";
    let counts = parameters::count(&[file("crates/a/src/b.rs", text), file("crates/a/tests/c.rs", text)]);
    let one_each = parameters::Count { bools: 1, tuples: 1 };
    assert_eq!(counts["a"], one_each);
    assert_eq!(parameters::complaints(&counts, &[("a", one_each)]).len(), 0);
    assert_eq!(parameters::complaints(&counts, &[]).len(), 1);
}

#[test]
fn every_file_named_in_where_md_exists() {
    let page = fs::read_to_string(tree::root().join("docs/WHERE.md")).expect("docs/WHERE.md is there");
    let named: Vec<&str> = page.split('`').filter(|piece| piece.contains('/')).collect();
    assert!(named.len() > 30, "only {} files are named", named.len());
    let gone: Vec<&str> = named.into_iter().filter(|path| !tree::root().join(path).is_file()).collect();
    assert!(gone.is_empty(), "docs/WHERE.md names files that do not exist: {gone:?}");
}

#[test]
fn engine_jobs_and_gateway_write_only_through_persist() {
    let files = tree::files(&tree::root());
    let decide = |f: &&File| {
        ["jobs", "gateway"].iter().any(|dir| f.path.starts_with(&format!("crates/engine/src/{dir}/")))
    };
    let deciding: Vec<&File> = files.iter().filter(decide).collect();
    assert!(deciding.len() > 10, "only {} files were read", deciding.len());
    let writing: Vec<&str> =
        deciding.iter().filter(|f| f.text.contains("db.begin")).map(|f| f.path.as_str()).collect();
    assert!(writing.is_empty(), "these files begin their own transactions: {writing:?}");
}

#[test]
fn older_builds_can_run_with_every_new_migration() {
    assert_none(&migrations::complaints(&tree::files(&tree::root())));
}

#[test]
fn a_migration_that_breaks_older_builds_is_reported() {
    let seen = |text: &str| migrations::complaints(&[file("migrations/0099_new.sql", text)]).len();
    assert_eq!(seen("ALTER TABLE outbox\n  DROP COLUMN channel;"), 1);
    assert_eq!(seen("ALTER TABLE outbox RENAME COLUMN channel TO kind;"), 1);
    assert_eq!(seen("-- unused since release 0.2.0\nALTER TABLE outbox DROP COLUMN channel;"), 0);
    assert_eq!(seen("-- never DROP TABLE\nCREATE TABLE t (id UUID PRIMARY KEY);"), 0);
    let marked = |sql: &str| seen(&format!("-- older-builds: may-run\n{sql}"));
    assert_eq!(marked("ALTER TABLE task ADD COLUMN note TEXT;\nCREATE INDEX i ON task (note);"), 0);
    assert_eq!(marked("ALTER TABLE task ADD COLUMN note TEXT NOT NULL;"), 1);
    assert_eq!(marked("ALTER TABLE task ADD COLUMN note TEXT NOT NULL DEFAULT '';"), 0);
    assert_eq!(marked("CREATE UNIQUE INDEX i ON task (note);"), 1);
    assert_eq!(marked("UPDATE task SET note = '';"), 1);
    let guard = "CREATE TRIGGER t BEFORE INSERT ON task\nBEGIN SELECT RAISE(ABORT, 'no'); END;";
    assert!(marked(guard) > 0);
    assert_eq!(marked(&format!("-- guards: older builds write no such row\n{guard}")), 0);
    assert_eq!(marked("-- guards: none\nDELETE FROM task;"), 1);
    // The header of the common file also applies to the file for one database.
    let both = file("migrations/0099_new.sql", "-- older-builds: may-run\n");
    let own = file("migrations/sqlite/0099_new.sql", "DELETE FROM task;");
    assert_eq!(migrations::complaints(&[both, own]).len(), 1);
    assert_eq!(migrations::complaints(&[file("migrations/0036_outbox.sql", "DROP TABLE task;")]).len(), 0);
}

#[test]
fn alerts_dashboard_and_docs_name_existing_metrics() {
    let read = |path: &str| fs::read_to_string(tree::root().join(path)).expect(path);
    let listed = figures::figures(&read("docs/RUNBOOK.md"));
    let mut complaints = figures::undocumented(&listed, &read("crates/engine/src/metrics.rs"));
    for path in [
        "deploy/prometheus/alerts.yml",
        "deploy/prometheus/grafana.json",
        "docs/OPERATING.md",
        "docs/RUNBOOK.md",
    ] {
        complaints.extend(figures::unknown(&listed, path, &read(path)));
    }
    let (alerts, runbook) = (read("deploy/prometheus/alerts.yml"), read("docs/RUNBOOK.md"));
    for alert in alerts.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")) {
        if !runbook.contains(&format!("\n### {alert}\n")) {
            complaints.push(format!("docs/RUNBOOK.md does not explain the alert {alert}"));
        }
    }
    assert_none(&complaints);
}

#[test]
fn an_unknown_metric_is_reported() {
    let listed =
        figures::figures("| `sooner_mails_total{outcome}` | mails |\n| `sooner_round_seconds` | time |");
    let seen = |text: &str| figures::unknown(&listed, "alerts.yml", text).len();
    assert_eq!(seen("sum by (outcome) (rate(sooner_mails_total{outcome=\"waits\"}[5m]))"), 0);
    assert_eq!(seen("histogram_quantile(0.9, sum by (le) (sooner_round_seconds_bucket))"), 0);
    assert_eq!(seen("sooner_mail_total"), 1);
    assert_eq!(seen("sooner_mails_total{agreed=\"false\"}"), 1);
    assert_eq!(seen("sum by (state) (sooner_mails_total)"), 1);
    let source = "const MAILS: &str = \"sooner_mails_total\"; const OTHER: &str = \"sooner_other\";";
    assert_eq!(figures::undocumented(&listed, source).len(), 2);
}
