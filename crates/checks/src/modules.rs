//! Checks the dependencies between the modules of one crate: they must not form a cycle.
//!
//! A module and the modules below it count as one unit where they touch. A parent composes and
//! re-exports its children, and a child may use what its parent's file defines. Any other way back
//! is a cycle. A path through a re-export counts as a path to the re-exported module.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::File;

/// Present cycles, by crate root and one of their modules. Entries may only be removed.
pub const KNOWN: &[(&str, &str)] = &[("crates/sandbox/src", "world")];

/// Parts of the engine, from the lowest up. None may use one that comes after it.
const ENGINE: [&str; 8] =
    ["model", "memory", "persist", "gateway", "jobs", "schedule", "verify_login", "runner"];

/// Modules of one crate, by path from its root (`""`), each with the modules it uses.
#[derive(Debug, Default)]
pub struct Graph {
    uses: BTreeMap<String, BTreeSet<String>>,
}

/// Returns the graphs of all crates among these files, by the folder of their root.
#[must_use]
pub fn graphs(files: &[File]) -> BTreeMap<String, Graph> {
    let mut crates: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let roots: BTreeSet<&str> = files.iter().filter_map(|file| root(&file.path)).collect();
    for file in files.iter().filter(|file| file.path.contains("/src/") && file.path.ends_with(".rs")) {
        let of = roots.iter().filter(|root| file.path.starts_with(&format!("{root}/")));
        let Some(root) = of.max_by_key(|root| root.len()) else { continue };
        let module = module(&file.path[root.len() + 1..]);
        crates.entry((*root).to_owned()).or_default().insert(module, code(&file.text));
    }
    crates.into_iter().map(|(root, modules)| (root, graph(&modules))).collect()
}

fn root(path: &str) -> Option<&str> {
    path.strip_suffix("/lib.rs").or_else(|| path.strip_suffix("/main.rs"))
}

fn module(path: &str) -> String {
    let path = path.trim_end_matches(".rs");
    let path = path.strip_suffix("/mod").unwrap_or(path);
    if matches!(path, "lib" | "main" | "mod") { String::new() } else { path.replace('/', "::") }
}

/// Returns the text without comments and unit tests.
fn code(text: &str) -> String {
    let product = text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let lines = product.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

fn graph(modules: &BTreeMap<String, String>) -> Graph {
    let exports: BTreeMap<(String, String), String> = modules
        .iter()
        .flat_map(|(at, text)| exported(at, text).map(move |(name, path)| ((at.clone(), name), path)))
        .collect();
    let mut graph = Graph::default();
    for (at, text) in modules {
        let used = paths(text).filter_map(|path| home(&absolute(at, &path)?, modules, &exports));
        let used: BTreeSet<String> = used.filter(|to| to != at && !is_below(to, at)).collect();
        graph.uses.insert(at.clone(), used);
    }
    graph
}

fn is_below(module: &str, parent: &str) -> bool {
    parent.is_empty() || module.starts_with(&format!("{parent}::"))
}

/// Returns the path from the root, or `None` if it leaves the crate.
fn absolute(at: &str, path: &str) -> Option<String> {
    if let Some(rest) = path.strip_prefix("crate::") {
        return Some(rest.to_owned());
    }
    let (mut at, mut path) = (at, path);
    while let Some(rest) = path.strip_prefix("super::") {
        at = at.rsplit_once("::").map_or("", |(parent, _)| parent);
        path = rest;
    }
    Some(if at.is_empty() { path.to_owned() } else { format!("{at}::{path}") })
}

/// Returns the module that defines the item at a path.
fn home(
    path: &str,
    modules: &BTreeMap<String, String>,
    exports: &BTreeMap<(String, String), String>,
) -> Option<String> {
    let mut path = path.to_owned();
    // A re-export may refer to another re-export.
    for _ in 0..8 {
        let mut module = path.as_str();
        while !modules.contains_key(module) {
            module = module.rsplit_once("::").map_or("", |(parent, _)| parent);
        }
        let rest = path[module.len()..].trim_start_matches("::");
        let name = rest.split("::").next().unwrap_or_default();
        match exports.get(&(module.to_owned(), name.to_owned())) {
            Some(target) => path = target.clone(),
            None => return (!module.is_empty()).then(|| module.to_owned()),
        }
    }
    None
}

/// Returns the re-exports of a module: each name with the path from the root that it refers to.
fn exported(at: &str, text: &str) -> impl Iterator<Item = (String, String)> {
    let found: Vec<(String, String)> = statements(text)
        .filter(|statement| statement.starts_with("pub"))
        .filter_map(|statement| Some(statement.split_once("use ")?.1.to_owned()))
        .flat_map(|tree| leaves(&tree))
        .filter_map(|path| {
            let (path, name) = match path.split_once(" as ") {
                Some((path, name)) => (path.to_owned(), name.to_owned()),
                None => (path.clone(), path.rsplit("::").next()?.to_owned()),
            };
            Some((name, absolute(at, path.trim_start_matches("self::"))?))
        })
        .collect();
    found.into_iter()
}

/// Returns every path of a text that begins at the crate's root or at a parent.
fn paths(text: &str) -> impl Iterator<Item = String> {
    let mut found = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let before = text[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '$') {
                continue;
            }
            let rest = &text[at..];
            let end =
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(rest.len());
            let path = &rest[..end];
            if path.ends_with("::") && rest[end..].starts_with('{') {
                let close = closing(&rest[end..]);
                found.extend(leaves(&rest[..end + close]));
            } else {
                found.push(path.trim_end_matches(':').to_owned());
            }
        }
    }
    found.into_iter()
}

/// Returns the end of the bracket that a text begins with.
fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Returns the `use` statements of a text, one line each.
fn statements(text: &str) -> impl Iterator<Item = String> {
    let starts =
        |line: &&str| line.starts_with("use ") || (line.starts_with("pub") && line.contains(" use "));
    let mut found = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if starts(&line) {
            let mut statement = line.to_owned();
            while !statement.contains(';') {
                let Some(line) = lines.next() else { break };
                statement.push_str(line.trim());
            }
            found.push(statement.trim_end_matches(';').to_owned());
        }
    }
    found.into_iter()
}

/// Returns the paths of a `use` tree.
fn leaves(tree: &str) -> Vec<String> {
    let tree = tree.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some(open) = tree.find('{') else { return vec![tree.trim().to_owned()] };
    let (prefix, inner) = (&tree[..open], &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())]);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
    }
    let named = parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
    named.flat_map(|part| leaves(&format!("{}{}", prefix.trim(), part.trim_start_matches("self")))).collect()
}

/// Returns the cycles of a crate: groups of modules that all lead to each other.
#[must_use]
pub fn cycles(graph: &Graph) -> Vec<Vec<String>> {
    let reached: BTreeMap<&String, BTreeSet<&String>> =
        graph.uses.keys().map(|from| (from, reachable(graph, from))).collect();
    let mut found: Vec<Vec<String>> = Vec::new();
    for (from, to) in &reached {
        if !to.contains(from) || found.iter().flatten().any(|known| known == *from) {
            continue;
        }
        let back = |other: &&&String| reached.get(**other).is_some_and(|reached| reached.contains(from));
        found.push(to.iter().filter(back).map(|module| (**module).clone()).collect());
    }
    found
}

fn reachable<'a>(graph: &'a Graph, from: &String) -> BTreeSet<&'a String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&String> = graph.uses.get(from).into_iter().flatten().collect();
    while let Some(module) = open.pop() {
        if reached.insert(module) {
            open.extend(graph.uses.get(module).into_iter().flatten());
        }
    }
    reached
}

/// Returns complaints about cycles that are not in [`KNOWN`].
#[must_use]
pub fn complaints(root: &str, graph: &Graph) -> Vec<String> {
    let known = |cycle: &Vec<String>| {
        KNOWN.iter().any(|(at, module)| *at == root && cycle.iter().any(|m| m == module))
    };
    let new = cycles(graph).into_iter().filter(|cycle| !known(cycle));
    new.map(|cycle| format!("{root}: {} use each other", cycle.join(", "))).collect()
}

/// Returns the lines where a file of the engine outside the runner names the whole engine.
#[must_use]
pub fn whole_engine(path: &str, text: &str) -> Vec<String> {
    let Some(file) = path.strip_prefix("crates/engine/src/") else { return Vec::new() };
    if file == "lib.rs" || file == "runner.rs" || file.starts_with("runner/") {
        return Vec::new();
    }
    let names = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        code.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "Engine")
    };
    let lines = text.lines().enumerate().filter(|(_, line)| names(line));
    lines.map(|(n, line)| format!("{path}:{} {}", n + 1, line.trim())).collect()
}

/// Returns the dependencies of the engine that lead upwards, and those between jobs.
#[must_use]
pub fn engine_arrows(graph: &Graph) -> Vec<String> {
    let part = |module: &str| {
        let first = module.split("::").next().unwrap_or_default();
        ENGINE.iter().position(|part| *part == first)
    };
    let is_job = |module: &str| module.starts_with("jobs::");
    let arrows = graph.uses.iter().flat_map(|(from, to)| to.iter().map(move |to| (from, to)));
    let wrong = arrows
        .filter(|(from, to)| part(from) < part(to) && part(from).is_some() || is_job(from) && is_job(to));
    wrong.map(|(from, to)| format!("engine: {from} uses {to}")).collect()
}

/// Returns the types of the product that can commit attempts to be sent. Only one is allowed.
#[must_use]
pub fn commit_keys(files: &[File]) -> Vec<String> {
    let product = files.iter().filter(|file| file.path.contains("/src/") && file.path.ends_with(".rs"));
    let keys = |file: &File| {
        let found =
            file.text.lines().filter(|line| line.starts_with("impl") && line.contains("CommitKey for "));
        found.map(|line| format!("{}: {line}", file.path)).collect::<Vec<_>>()
    };
    product.flat_map(keys).collect()
}

/// Returns the lines where a file of the engine sends requests itself. Only the gateway and the
/// verifications may do so.
#[must_use]
pub fn own_requests(path: &str, text: &str) -> Vec<String> {
    let Some(file) = path.strip_prefix("crates/engine/src/") else { return Vec::new() };
    if !["model", "persist", "jobs", "schedule"].iter().any(|part| file.starts_with(part)) {
        return Vec::new();
    }
    let sends = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        [".client", "portal::Client", "BookingConnection::"].iter().any(|word| code.contains(word))
    };
    let lines = text.lines().enumerate().filter(|(_, line)| sends(line));
    lines.map(|(n, line)| format!("{path}:{} {}", n + 1, line.trim())).collect()
}
