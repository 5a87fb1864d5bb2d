//! Finds tests and their marks. A mark names the items of the specification that a test shows: `//
//! spec: 2.17, 2.18` in a line above the test.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::File;

/// One item that one test shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Id of the item.
    pub item: String,
    /// Name of the test: `crate::function`, `web: title`, `e2e: title`.
    pub test: String,
}

/// Returns all marks, with a complaint for each that has no test below it.
#[must_use]
pub fn marks(files: &[File]) -> Vec<Result<Mark, String>> {
    files.iter().flat_map(marks_of).collect()
}

/// Returns the names of all tests: `crate::function`, `web: title`, `e2e: title`.
#[must_use]
pub fn names(files: &[File]) -> BTreeSet<String> {
    let found = files.iter().filter_map(tests_of);
    found.flat_map(|(prefix, names)| names.into_iter().map(move |name| format!("{prefix}{name}"))).collect()
}

fn marks_of(file: &File) -> Vec<Result<Mark, String>> {
    let Some((prefix, names)) = tests_of(file) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut end = 0;
    for line in file.text.split_inclusive('\n') {
        end += line.len();
        let Some(items) = line.trim().strip_prefix("// spec: ") else {
            continue;
        };
        let below = &file.text[end..];
        let name =
            if file.path.ends_with(".rs") { named_below(below) } else { titles(below).into_iter().next() };
        let test = name.filter(|name| names.contains(name)).map(|name| format!("{prefix}{name}"));
        found.extend(items.split(", ").map(|item| match &test {
            Some(test) => Ok(Mark { item: item.to_owned(), test: test.clone() }),
            None => Err(format!("{}: no test below the mark of {item}", file.path)),
        }));
    }
    found
}

/// Returns the prefix of a file's tests in docs/SPEC.md, and their names. Returns `None` for a file
/// without tests.
fn tests_of(file: &File) -> Option<(String, BTreeSet<String>)> {
    if let Some(rest) = file.path.strip_prefix("crates/")
        && file.path.ends_with(".rs")
        && let Some((folder, _)) = rest.split_once('/')
    {
        return Some((
            format!("{folder}::"),
            rust(&file.text).into_iter().chain(stories(&file.text)).collect(),
        ));
    }
    let titles = || titles(&file.text).into_iter().collect();
    if file.path.starts_with("web/e2e/") {
        return Some(("e2e: ".to_owned(), titles()));
    }
    (file.path.starts_with("web/") && file.path.contains(".test.")).then(|| ("web: ".to_owned(), titles()))
}

/// Returns the function, or the name in a list of stories, below a mark.
fn named_below(text: &str) -> Option<String> {
    let mut lines = text.lines().map(str::trim);
    let line = lines.find(|line| !line.is_empty() && !line.starts_with("#[") && !line.starts_with("//"))?;
    let name = function_name(line).or_else(|| line.split([':', ',']).next())?;
    Some(name.to_owned())
}

/// Returns the functions with a test attribute above them. Other attributes and comments may come
/// between.
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

/// Macros that make a test of each name in their list, with the character that ends the list.
const LISTS: [(&str, char); 4] =
    [("stories!(", ')'), ("portal_stories!(", ')'), ("crash_tests! {", '}'), ("bugs_seen! {", '}')];

/// Returns the names given to one of [`LISTS`] at the start of a line, indented or not.
fn stories(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // A list may be in a module of its own, and a mark in a list.
    let lines = text.lines().map(str::trim_start).filter(|line| !line.starts_with("//"));
    let text = lines.collect::<Vec<_>>().join("\n");
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

/// Returns the first string after `it(`, `test(`, `test.step(`, or the second pair of brackets of
/// `it.each(…)(`, in order.
fn titles(text: &str) -> Vec<String> {
    let mut found = BTreeMap::new();
    for call in ["it(", "test(", "test.step(", ")("] {
        for (at, _) in text.match_indices(call) {
            let named =
                call == ")(" || !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '.');
            let rest = text[at + call.len()..].trim_start();
            let Some(quote) = rest.chars().next().filter(|c| named && matches!(c, '\'' | '"' | '`')) else {
                continue;
            };
            if let Some(title) = until(&rest[1..], quote) {
                found.insert(at, title);
            }
        }
    }
    found.into_values().collect()
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
