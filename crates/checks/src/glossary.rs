//! Retired words: no module, type, function or constant of the product's code may use one in its
//! name.
//!
//! Strings are not checked. Stored and wire names that are older than the glossary stay;
//! docs/NAMES.md lists them.

use crate::tree::File;

/// Retired words, each with its replacement.
pub const RETIRED: [(&str, &str); 26] = [
    ("wish", "criteria"),
    ("viewpoint", "poll source"),
    ("look", "poll"),
    ("looks", "polls"),
    ("looked", "polled"),
    ("looker", "poller"),
    ("hint", "opening"),
    ("taker", "candidate"),
    ("takers", "candidates"),
    ("armed", "prepared"),
    ("acting", "sending"),
    ("patience", "read-back policy"),
    ("verdict", "condition"),
    ("weather", "overload estimator"),
    ("weigh", "cause probabilities"),
    ("trouble", "portal error"),
    ("standby", "prewarm"),
    ("seat", "candidate"),
    ("roster", "task index"),
    ("desk", "ledger, or calendar index"),
    ("lent", "lease guard"),
    ("stir", "mark dirty"),
    ("clockwork", "clock jump"),
    ("figures", "stats"),
    ("glance", "change marker"),
    ("yard", "fixture"),
];

/// Names that keep a retired word: names of the language or of another crate, and schemas that API
/// clients know.
const KEPT: [&str; 4] = ["size_hint", "max_level_hint", "LooksView", "VerdictView"];

/// Returns complaints about the names that a Rust file declares, and about its own path.
#[must_use]
pub fn complaints(file: &File) -> Vec<String> {
    let product =
        file.path.starts_with("crates/") && file.path.contains("/src/") && file.path.ends_with(".rs");
    if !product || file.path.starts_with("crates/checks/") {
        return Vec::new();
    }
    let module = file.path.rsplit_once("/src/").map_or("", |(_, path)| path).trim_end_matches(".rs");
    let path_names = module.split('/').map(|name| (1, name));
    // Tests are skipped, because their names are sentences.
    let code = file.text.split("\nmod tests {").next().unwrap_or_default();
    let declared = code.lines().enumerate().filter_map(|(n, line)| Some((n + 1, declared(line)?)));
    path_names
        .chain(declared)
        .filter(|(_, name)| !KEPT.contains(name))
        .filter_map(|(line, name)| {
            let parts = parts(name);
            let (old, new) = RETIRED.iter().find(|(old, _)| parts.iter().any(|part| part == old))?;
            Some(format!("{}:{line} {name}: not {old} but {new}", file.path))
        })
        .collect()
}

/// Returns the name that a line declares.
fn declared(line: &str) -> Option<&str> {
    let mut words = line
        .trim_start()
        .split([' ', '('])
        .skip_while(|word| word.starts_with("pub") || matches!(*word, "crate)" | "super)" | "async" | "in"));
    let kinds = ["struct", "enum", "trait", "type", "mod", "fn", "const", "static"];
    kinds.contains(&words.next()?).then_some(())?;
    let name = words.find(|word| !matches!(*word, "fn" | "async"))?;
    let end = name.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(name.len());
    Some(&name[..end])
}

/// Splits a name in either case into lower-case words.
fn parts(name: &str) -> Vec<String> {
    if !name.contains(char::is_lowercase) {
        return name.to_lowercase().split('_').map(str::to_owned).collect();
    }
    let mut parts = vec![String::new()];
    for c in name.chars() {
        if c == '_' || c.is_uppercase() {
            parts.push(String::new());
        }
        if c != '_'
            && let Some(last) = parts.last_mut()
        {
            last.extend(c.to_lowercase());
        }
    }
    parts
}
