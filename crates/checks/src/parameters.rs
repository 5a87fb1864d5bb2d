//! Finds parameters that are unreadable at the call site: `bool`, and tuples of several values.
//!
//! Many functions are older than this check and have them. Their number per crate is listed and may
//! only fall.

use std::collections::BTreeMap;

use crate::tree::File;

/// Number of such parameters in a crate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Number of parameters of type `bool`.
    pub bools: usize,
    /// Number of parameters that are tuples of two or more.
    pub tuples: usize,
}

/// Present counts of the crates. A crate that is not listed has none.
pub const KNOWN: &[(&str, Count)] = &[
    ("bench", Count { bools: 7, tuples: 0 }),
    ("domain", Count { bools: 3, tuples: 1 }),
    ("engine", Count { bools: 14, tuples: 24 }),
    ("inference", Count { bools: 5, tuples: 3 }),
    ("portal", Count { bools: 2, tuples: 0 }),
    ("sandbox", Count { bools: 5, tuples: 4 }),
    ("server", Count { bools: 15, tuples: 15 }),
    ("store", Count { bools: 2, tuples: 50 }),
];

/// Counts the parameters in the sources of each crate, without unit tests.
#[must_use]
pub fn count(files: &[File]) -> BTreeMap<String, Count> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for file in files {
        let Some((name, path)) = file.path.strip_prefix("crates/").and_then(|path| path.split_once('/'))
        else {
            continue;
        };
        if !path.starts_with("src/") || !path.ends_with(".rs") {
            continue;
        }
        let of_crate = counts.entry(name.to_owned()).or_default();
        let product = file.text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
        for parameter in parameters(product) {
            of_crate.bools += usize::from(is_bool(&parameter));
            of_crate.tuples += usize::from(is_tuple(&parameter));
        }
    }
    counts
}

/// Returns complaints about counts that differ from the listed ones.
#[must_use]
pub fn complaints(counts: &BTreeMap<String, Count>, known: &[(&str, Count)]) -> Vec<String> {
    let listed = |name: &str| {
        known.iter().find(|(of, _)| *of == name).map_or_else(Count::default, |(_, count)| *count)
    };
    let differs = counts.iter().filter(|(name, count)| listed(name) != **count);
    differs
        .map(|(name, count)| {
            let listed = listed(name);
            format!("crates/{name} has {count:?}, listed are {listed:?}: name the parameters' fields, or lower the list")
        })
        .collect()
}

fn is_bool(parameter: &str) -> bool {
    parameter.split_once(':').is_some_and(|(_, of)| of.trim() == "bool")
}

fn is_tuple(parameter: &str) -> bool {
    // The pattern may also be a tuple: its colon comes after it.
    let of =
        parameter.rsplit_once("): ").map_or_else(|| parameter.split_once(": "), |(_, of)| Some(("", of)));
    let Some(of) = of.map(|(_, of)| of.trim().trim_start_matches('&').trim_start_matches("mut ")) else {
        return false;
    };
    of.strip_prefix('(').is_some_and(|inside| inside.contains(','))
}

/// Returns the parameters of all functions in a text, each as written.
fn parameters(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut rest = text.as_str();
    while let Some(at) = rest.find("fn ") {
        let is_word =
            rest[..at].chars().next_back().is_none_or(|before| !before.is_alphanumeric() && before != '_');
        rest = &rest[at + 3..];
        let Some(open) = rest.find('(').filter(|_| is_word) else { continue };
        let (mut depth, mut one) = (0_usize, String::new());
        for letter in rest[open + 1..].chars() {
            match letter {
                ')' | ']' | '}' if depth == 0 => break,
                ',' if depth == 0 => found.push(std::mem::take(&mut one)),
                _ => {
                    depth += usize::from(matches!(letter, '(' | '[' | '{' | '<'));
                    depth = depth.saturating_sub(usize::from(matches!(letter, ')' | ']' | '}' | '>')));
                    one.push(letter);
                }
            }
        }
        found.push(one);
    }
    found
}
