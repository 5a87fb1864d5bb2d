//! Finds retired words in the names that Rust files declare, and in their paths.

use crate::tree::File;
use crate::word_lists::rows;

/// Returns each name that contains a retired word, with its line and an explanation.
#[must_use]
pub fn complaints(file: &File) -> Vec<(usize, String)> {
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
        .filter(|(_, name)| rows("kept-name", name).is_empty())
        .filter_map(|(line, name)| {
            let row = parts(name).iter().find_map(|part| rows("name", part).first())?;
            Some((line, format!("{name}: not {}, but {}", row[1], row[2])))
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
