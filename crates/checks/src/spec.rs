//! Generates docs/SPEC.md: one row per item of the specification, with the tests that show it. The
//! sources are the items (docs/spec-items.md) and the marks above the tests (`// spec: 2.17,
//! 2.18`).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::tests_found::{self, Mark};
use crate::tree;

const HEAD: &str =
    "<!-- Made by `scripts/fresh.sh --write` from docs/spec-items.md and the marks in the tests. -->\n";

/// One row of docs/spec-items.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Unique id, e.g. `2.17`.
    pub id: String,
    /// Text of the specification.
    pub says: String,
    /// Part that the tests do not show; `*open*` with the letter of an issue if it is not built.
    pub note: Option<String>,
}

/// Returns the document, and complaints about the items and marks.
#[must_use]
pub fn document(items: &str, marks: &[Mark]) -> (String, Vec<String>) {
    let mut shown: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for mark in marks {
        shown.entry(&mark.item).or_default().insert(&mark.test);
    }
    let (mut text, mut wrong, mut ids) = (HEAD.to_owned(), Vec::new(), BTreeSet::new());
    for (line, row) in items.lines().enumerate().map(|(n, row)| (n + 1, row)) {
        match parse(row) {
            None if row.starts_with("| id |") => text.push_str(&format!("{row} shown by |\n")),
            None if row.starts_with("|---|") => text.push_str(&format!("{row}---|\n")),
            None => text.push_str(&format!("{row}\n")),
            Some(Err(complaint)) => wrong.push(format!("line {line}: {complaint}")),
            Some(Ok(item)) => {
                let tests = shown.get(item.id.as_str());
                if tests.is_none() && !item.is_open() {
                    wrong.push(format!("line {line} ({}): neither a test with its mark nor *open*", item.id));
                }
                text.push_str(&item.row(tests));
                if !ids.insert(item.id.clone()) {
                    wrong.push(format!("line {line} ({}): the id stands twice", item.id));
                }
            }
        }
    }
    let strays = marks.iter().filter(|mark| !ids.contains(&mark.item));
    wrong.extend(strays.map(|mark| format!("{}: no item {}", mark.test, mark.item)));
    (text, wrong)
}

impl Item {
    /// Returns `true` if a part of the item is not built.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.note.as_ref().is_some_and(|note| note.contains("*open*"))
    }

    fn row(&self, tests: Option<&BTreeSet<&str>>) -> String {
        let names = tests.into_iter().flatten().map(|name| format!("`{name}`"));
        let shown = names.chain(self.note.clone()).collect::<Vec<_>>().join(", ");
        format!("| {} | {} | {shown} |\n", self.id, self.says)
    }
}

/// Parses a row whose first column is a number with dots.
fn parse(row: &str) -> Option<Result<Item, String>> {
    let row = row.strip_prefix("| ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))?;
    let cells: Vec<_> =
        row.trim_end().trim_end_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    Some(match &cells[..] {
        [id, says] => Ok(Item { id: id.clone(), says: says.clone(), note: None }),
        [id, says, note] => Ok(Item { id: id.clone(), says: says.clone(), note: Some(note.clone()) }),
        _ => Err(format!("{} columns instead of 2 or 3", cells.len())),
    })
}

/// Returns [`document`] for the repository at `root`. The complaints include marks that have no
/// test below them.
#[must_use]
pub fn of_repository(root: &Path) -> (String, Vec<String>) {
    let items = fs::read_to_string(root.join("docs/spec-items.md")).unwrap_or_default();
    let (marks, strays): (Vec<_>, Vec<_>) =
        tests_found::marks(&tree::files(root)).into_iter().partition(Result::is_ok);
    let marks: Vec<_> = marks.into_iter().flatten().collect();
    let (text, mut wrong) = document(&items, &marks);
    wrong.extend(strays.into_iter().filter_map(Result::err));
    (text, wrong)
}
