//! docs/SPEC.md: one row per item of the specification, and the test that shows it.

use std::collections::BTreeSet;

/// One row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its line in the file.
    pub line: usize,
    /// Unique, e.g. `2.17`.
    pub id: String,
    /// Tests by name.
    pub tests: Vec<String>,
    /// Nothing shows it yet.
    pub open: bool,
}

/// The rows of all tables whose first column is a number with dots.
#[must_use]
pub fn rows(text: &str) -> Vec<Result<Row, String>> {
    let lines = text.lines().enumerate();
    lines.filter(|(_, line)| line.starts_with("| ")).filter_map(|(n, line)| row(n + 1, line)).collect()
}

fn row(line: usize, text: &str) -> Option<Result<Row, String>> {
    let cells = cells(text);
    let id = cells.first()?.clone();
    if !id.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let [_, says, shown] = &cells[..] else {
        return Some(Err(format!("line {line}: {} columns instead of 3", cells.len())));
    };
    if says.is_empty() {
        return Some(Err(format!("line {line}: says nothing")));
    }
    let tests = ticked(shown);
    let open = shown.contains("*open*");
    if tests.is_empty() && !open {
        return Some(Err(format!("line {line}: neither a test nor *open*")));
    }
    Some(Ok(Row { line, id, tests, open }))
}

fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').trim_end_matches('|');
    line.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// What stands between backticks.
fn ticked(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// What is wrong with the table, given the tests that exist.
#[must_use]
pub fn complaints(text: &str, tests: &BTreeSet<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut ids = BTreeSet::new();
    for row in rows(text) {
        let row = match row {
            Ok(row) => row,
            Err(complaint) => {
                wrong.push(complaint);
                continue;
            }
        };
        let at = format!("line {} ({})", row.line, row.id);
        if !ids.insert(row.id.clone()) {
            wrong.push(format!("{at}: the id stands twice"));
        }
        let missing = row.tests.iter().filter(|name| !tests.contains(*name));
        wrong.extend(missing.map(|name| format!("{at}: no test {name}")));
    }
    wrong
}
