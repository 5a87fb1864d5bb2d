//! Checks that migrations are compatible with earlier builds: expand first, contract a release
//! later (ADR 29).

use crate::tree::File;

/// First migration that this rule applies to.
const BEFORE: &str = "0037";
/// Statements that remove something an earlier build uses. Such a migration must name the release
/// that stopped using it.
const CONTRACTS: [&str; 4] = ["DROP TABLE", "DROP COLUMN", "RENAME", "SET NOT NULL"];
/// Prefix of the line that names that release.
const UNUSED_SINCE: &str = "-- unused since release ";
/// First line of a migration that older builds may run beside.
const OLDER_MAY_RUN: &str = "-- older-builds: may-run";

/// Prefix of the line that explains why a file's triggers and constraints refuse nothing that older
/// builds write.
const GUARDS: &str = "-- guards: ";

/// Returns complaints about the migrations among `files`.
#[must_use]
pub fn complaints(files: &[File]) -> Vec<String> {
    let ours = files.iter().filter(|f| f.path.starts_with("migrations/") && f.path.ends_with(".sql"));
    let new = ours.filter(|f| name(f) >= BEFORE);
    new.flat_map(|file| {
        let mut found = contracts(file);
        let both = files.iter().find(|f| f.path == format!("migrations/{}", name(file)));
        if both.is_some_and(|both| both.text.starts_with(OLDER_MAY_RUN)) {
            found.extend(not_additive(file));
        }
        found
    })
    .collect()
}

fn name(file: &File) -> &str {
    file.path.rsplit('/').next().unwrap_or_default()
}

fn contracts(file: &File) -> Vec<String> {
    if file
        .text
        .lines()
        .any(|line| line.strip_prefix(UNUSED_SINCE).is_some_and(|release| !release.is_empty()))
    {
        return Vec::new();
    }
    let takes = |word: &&&str| statements(&file.text).iter().any(|sql| sql.contains(**word));
    let complain = |word: &&str| {
        format!(
            "{}: {word} breaks builds of before; say \"{UNUSED_SINCE}…\" or do it a release later",
            file.path
        )
    };
    CONTRACTS.iter().filter(takes).map(complain).collect()
}

/// Returns the statements that add anything but a table, an index, a column that may stay empty, or
/// an explained guard.
fn not_additive(file: &File) -> Vec<String> {
    let has_guards = file.text.lines().any(|line| line.starts_with(GUARDS));
    let is_guard = |sql: &String| {
        let constraint = sql.starts_with("ALTER TABLE") && sql.contains(" ADD CONSTRAINT ");
        sql.starts_with("CREATE TRIGGER") || sql == "END" || (constraint && sql.ends_with(" NOT VALID"))
    };
    let adds = |sql: &String| {
        let column = sql.starts_with("ALTER TABLE") && sql.contains(" ADD COLUMN ");
        let filled = sql.contains(" NOT NULL") && !sql.contains(" DEFAULT ");
        sql.starts_with("CREATE TABLE") || sql.starts_with("CREATE INDEX") || (column && !filled)
    };
    let others =
        statements(&file.text).into_iter().filter(|sql| !(adds(sql) || (has_guards && is_guard(sql))));
    others.map(|sql| format!("{}: older builds may not run beside: {sql}", file.path)).collect()
}

/// Returns the statements without comments, in capitals, each on one line.
fn statements(text: &str) -> Vec<String> {
    let code: Vec<_> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let one_line = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ").to_uppercase();
    code.join("\n").split(';').map(one_line).filter(|sql| !sql.is_empty()).collect()
}
