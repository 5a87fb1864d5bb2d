//! Lists of the language check: retired words, exceptions, and numbers of complaints that remain.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Rows by their kind and by the first word of their second field.
type Rows = HashMap<&'static str, HashMap<&'static str, Vec<Vec<&'static str>>>>;

const LISTS: [&str; 2] = [include_str!("../retired-words.tsv"), include_str!("../prose-exceptions.tsv")];

/// Rows of both lists.
pub static ROWS: LazyLock<Rows> = LazyLock::new(|| {
    let mut rows = Rows::new();
    for line in LISTS.iter().flat_map(|list| list.lines()).filter(|line| !line.starts_with('#')) {
        let row: Vec<&str> = line.split('\t').collect();
        let first = row[1].split(' ').next().unwrap_or_default();
        rows.entry(row[0]).or_default().entry(first).or_default().push(row);
    }
    rows
});

/// Returns the rows of a kind that begin with a word.
#[must_use]
pub fn rows(kind: &str, word: &str) -> &'static [Vec<&'static str>] {
    ROWS.get(kind).and_then(|rows| rows.get(word)).map_or(&[], Vec::as_slice)
}
