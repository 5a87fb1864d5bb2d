//! What somebody types at the command line, before any server runs.

use std::path::Path;
use std::process::{Command, Output};

fn sooner(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).current_dir(folder).env_clear().output().unwrap()
}

fn said(output: &Output) -> (bool, String) {
    let text = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.success(), String::from_utf8(text.clone()).unwrap())
}

#[test]
fn a_key_ring_is_named_before_or_after_the_word_that_makes_it() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["keys", "init", "--key-ring", "after.keys"]));
    assert!(done && text.starts_with("after.keys written"), "{text}");
    let (done, text) = said(&sooner(folder.path(), &["keys", "--key-ring", "before.keys", "init"]));
    assert!(done && text.starts_with("before.keys written"), "{text}");
    let (done, text) = said(&sooner(folder.path(), &["keys", "init", "--key-ring", "after.keys"]));
    assert!(!done && text.contains("after.keys exists already"), "{text}");
}

#[test]
fn a_missing_key_ring_is_said_once_with_what_makes_one() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["serve"]));
    assert!(!done && text.contains("sooner.keys") && text.contains("sooner keys init"), "{text}");
    assert_eq!(text.matches("No such file").count(), 1, "{text}");
}

#[test]
fn the_help_shows_what_people_begin_with() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["--help"]));
    assert!(done && text.contains("sooner demo") && text.contains("sooner keys init"), "{text}");
}
