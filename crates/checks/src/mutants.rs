//! Checks planted bugs (`mutants/*.patch`): each must apply to the present code and name the tests
//! that catch it.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::tests_found;
use crate::tree::{self, File};

/// Returns complaints about a mutant, given all files of the repository and the names of their
/// tests.
#[must_use]
pub fn complaints(mutant: &File, files: &[File], tests: &BTreeSet<String>) -> Vec<String> {
    let (head, diff) = mutant.text.split_once("\n---").unwrap_or((&mutant.text, ""));
    let harnesses: Vec<&str> = head.lines().filter_map(|line| line.strip_prefix("caught-by: ")).collect();
    let mut found = Vec::new();
    if harnesses.is_empty() || diff.is_empty() {
        found.push(format!("{}: it needs a line `caught-by:` and a diff", mutant.path));
    }
    for harness in harnesses {
        let words: Vec<&str> = harness.split(' ').collect();
        let [package, binary, test] = words[..] else {
            found.push(format!("{}: package, test binary and test, not `{harness}`", mutant.path));
            continue;
        };
        let folder = package.trim_start_matches("sooner-");
        let function = test.rsplit("::").next().unwrap_or_default();
        let main = format!("crates/{folder}/tests/{binary}/main.rs");
        if !tests.contains(&format!("{folder}::{function}")) || !files.iter().any(|file| file.path == main) {
            found.push(format!("{}: there is no test {harness}", mutant.path));
        }
    }
    found
}

/// Returns the message of `git apply` for a patch that does not fit the files below `root`, or
/// `None` if it fits.
#[must_use]
pub fn refusal(root: &Path, mutant: &File) -> Option<String> {
    match check(root, &mutant.text) {
        Ok(said) => (!said.is_empty()).then(|| format!("{}: {said}", mutant.path)),
        Err(error) => Some(format!("{}: git cannot be run: {error}", mutant.path)),
    }
}

fn check(root: &Path, patch: &str) -> std::io::Result<String> {
    let mut git = Command::new("git");
    git.args(["apply", "--check", "-"]).current_dir(root).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut child = git.spawn()?;
    child.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(patch.as_bytes()))?;
    let output = child.wait_with_output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(if output.status.success() { String::new() } else { said })
}

/// Returns the mutants among these files.
pub fn mutants(files: &[File]) -> impl Iterator<Item = &File> {
    files.iter().filter(|file| file.path.starts_with("mutants/"))
}

/// Returns all complaints about the mutants of this repository.
#[must_use]
pub fn of_repository() -> Vec<String> {
    let root = tree::root();
    let files = tree::files(&root);
    let tests = tests_found::names(&files);
    mutants(&files).flat_map(|m| complaints(m, &files, &tests).into_iter().chain(refusal(&root, m))).collect()
}
