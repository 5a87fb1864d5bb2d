//! The names of the tests that exist.

use std::collections::BTreeSet;

use crate::tree::File;

/// Every test by the name docs/SPEC.md uses: `crate::function`, `web: title`, `e2e: title`.
#[must_use]
pub fn names(files: &[File]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in files {
        if let Some(rest) = file.path.strip_prefix("crates/")
            && file.path.ends_with(".rs")
            && let Some((folder, _)) = rest.split_once('/')
        {
            let names = rust(&file.text).into_iter().chain(stories(&file.text));
            found.extend(names.map(|name| format!("{folder}::{name}")));
        } else if file.path.starts_with("web/e2e/") {
            found.extend(titles(&file.text).into_iter().map(|title| format!("e2e: {title}")));
        } else if file.path.starts_with("web/") && file.path.contains(".test.") {
            found.extend(titles(&file.text).into_iter().map(|title| format!("web: {title}")));
        }
    }
    found
}

/// Functions with a test attribute above them; other attributes and comments may stand between.
fn rust(text: &str) -> Vec<String> {
    let mut prepared = false;
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with("#[") {
            prepared |= line.contains("test") && !line.contains("cfg(");
        } else if line.starts_with("//") || line.is_empty() {
        } else {
            if prepared && let Some(name) = function_name(line) {
                found.push(name.to_owned());
            }
            prepared = false;
        }
    }
    found
}

/// The macros whose lists of names make a test of each, with what ends the list.
const LISTS: [(&str, char); 4] =
    [("stories!(", ')'), ("portal_stories!(", ')'), ("crash_tests! {", '}'), ("bugs_seen! {", '}')];

/// The names given to one of [`LISTS`] at the start of a line, indented or not.
fn stories(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // A list may stand in a module of its own.
    let text = text.lines().map(str::trim_start).collect::<Vec<_>>().join("\n");
    for (call, end) in LISTS {
        let call = format!("\n{call}");
        let lists = text.split(&call).skip(1).filter_map(|rest| rest.split_once(end));
        let names = lists.flat_map(|(names, _)| names.split(',')).filter_map(|name| name.split(':').next());
        found.extend(names.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned));
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let line = line.strip_prefix("async ").unwrap_or(line);
    let name = line.strip_prefix("fn ")?;
    name.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
}

/// The first string after `it(`, `test(`, `test.step(`, or the second pair of brackets of `it.each(…)(`.
fn titles(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for call in ["it(", "test(", "test.step(", ")("] {
        for (at, _) in text.match_indices(call) {
            let named =
                call == ")(" || !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let rest = text[at + call.len()..].trim_start();
            let Some(quote) = rest.chars().next().filter(|c| named && matches!(c, '\'' | '"' | '`')) else {
                continue;
            };
            if let Some(title) = until(&rest[1..], quote) {
                found.push(title);
            }
        }
    }
    found
}

fn until(text: &str, quote: char) -> Option<String> {
    let mut title = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => title.extend(chars.next()),
            '\n' => return None,
            c if c == quote => return Some(title),
            c => title.push(c),
        }
    }
    None
}
