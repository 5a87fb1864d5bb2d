//! Files of the repository, and rules for each of them.

use std::fs;
use std::path::{Path, PathBuf};

/// A text file of the repository.
#[derive(Clone, Debug)]
pub struct File {
    /// Path from the repository's root, with `/`.
    pub path: String,
    /// Contents of the file.
    pub text: String,
}

/// Folders that are generated, downloaded or external.
const LEFT_OUT: [&str; 9] = [
    ".git",
    ".tools",
    ".data",
    "target",
    "node_modules",
    "dist",
    "test-results",
    "playwright-report",
    "coverage",
];

/// Number of lines above which a source file is reported.
pub const LONG: usize = 400;
/// Largest allowed number of lines of a source file.
pub const TOO_LONG: usize = 800;

/// Returns the repository's root.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns all text files below `root`, sorted by path.
#[must_use]
pub fn files(root: &Path) -> Vec<File> {
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn walk(root: &Path, folder: &Path, found: &mut Vec<File>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        // In a second work tree `.git` is a file.
        if LEFT_OUT.contains(&name.as_str()) {
            continue;
        }
        if kind.is_dir() {
            walk(root, &path, found);
        } else if kind.is_file()
            && let Ok(text) = fs::read_to_string(&path)
        {
            let path = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
            found.push(File { path, text });
        }
    }
}

/// Returns the lines where a file names a folder or a download address of one machine.
#[must_use]
pub fn machine_words(file: &File) -> Vec<String> {
    // The words are split here, so that this file does not complain about itself.
    let folders = ["/ro@ot/", "/wo@rk/", "/ho@me/", "/tm@p/w/"].map(|word| word.replace('@', ""));
    let lock = file.path.ends_with("package-lock.json");
    let about = |line: &str| {
        let folder = folders.iter().find(|folder| {
            line.match_indices(folder.as_str())
                .any(|(at, _)| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.'))
        });
        if let Some(folder) = folder {
            return Some(format!("names {folder}"));
        }
        let address = line.contains("\"resolved\":") && !line.contains("https://registry.npmjs.org/");
        (lock && address).then(|| "names a registry of one machine".to_owned())
    };
    let lines = file.text.lines().enumerate();
    lines.filter_map(|(n, line)| Some(format!("{}:{} {}", file.path, n + 1, about(line)?))).collect()
}

/// Returns the lines where a lock file takes crates from anything but the public index.
#[must_use]
pub fn foreign_sources(lock: &File) -> Vec<String> {
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let lines = lock.text.lines().enumerate();
    lines
        .filter(|(_, line)| line.starts_with("source = ") && *line != public)
        .map(|(n, line)| format!("{}:{} {line}", lock.path, n + 1))
        .collect()
}

/// Returns the lines that keep tests from running.
#[must_use]
pub fn skipped_tests(file: &File) -> Vec<String> {
    let rust = ["#[ign@ore"].map(|word| word.replace('@', ""));
    let web = ["it.sk@ip", "test.sk@ip", "describe.sk@ip", ".on@ly(", "test.fix@me", "it.to@do"]
        .map(|word| word.replace('@', ""));
    let words: &[String] = match file.path.rsplit_once('.') {
        Some((_, "rs")) => &rust,
        Some((_, "ts" | "tsx")) if file.path.starts_with("web/") => &web,
        _ => &[],
    };
    let lines = file.text.lines().enumerate();
    lines
        .filter(|(_, line)| words.iter().any(|word| line.contains(word)))
        .map(|(n, line)| format!("{}:{} {}", file.path, n + 1, line.trim()))
        .collect()
}

/// Returns the number of lines of a source file longer than [`LONG`]. Tests and generated files are
/// exempt.
#[must_use]
pub fn length_if_long(file: &File) -> Option<usize> {
    let source = file.path.ends_with(".rs") || file.path.ends_with(".ts") || file.path.ends_with(".tsx");
    let free = ["/tests/", "/e2e/", "/mock/", ".test.", "api/schema.ts"];
    let lines = file.text.lines().count();
    (source && lines > LONG && !free.iter().any(|part| file.path.contains(part))).then_some(lines)
}
