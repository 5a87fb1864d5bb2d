//! What somebody types at the command line, before any server runs.

use std::os::unix::net::UnixDatagram;
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

#[test]
fn shells_and_man_learn_every_command() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let (done, text) = said(&sooner(folder.path(), &["completion", shell]));
        assert!(done && text.contains("doctor") && text.contains("database-url"), "{shell}: {text}");
    }
    assert!(sooner(folder.path(), &["manual", "pages"]).status.success());
    let page = |name: &str| std::fs::read_to_string(folder.path().join("pages").join(name)).unwrap();
    assert!(page("sooner.1").contains("sooner\\-doctor(1)"), "{}", page("sooner.1"));
    assert!(page("sooner-serve.1").contains("SOONER_PUBLIC_URL"));
}

#[test]
fn only_the_server_s_own_help_shows_its_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (_, serve) = said(&sooner(folder.path(), &["serve", "--help"]));
    assert!(serve.contains("--smtp-url") && serve.contains("Notification channels:"), "{serve}");
    let small: [&[&str]; 5] =
        [&["migrate"], &["doctor"], &["codes", "mint"], &["tasks", "list"], &["keys", "rotate"]];
    for words in small {
        let (done, text) = said(&sooner(folder.path(), &[words, &["--help"]].concat()));
        assert!(done && text.contains("--database-url") && text.contains("--config"), "{words:?}: {text}");
        assert!(!text.contains("--smtp") && !text.contains("--push-key"), "{words:?}: {text}");
        assert!(!text.contains("--engine-connections"), "{words:?}: {text}");
    }
}

#[test]
fn every_setting_of_the_server_stands_under_a_heading() {
    let folder = tempfile::tempdir().unwrap();
    let (_, serve) = said(&sooner(folder.path(), &["serve", "--help"]));
    let (_, rest) = serve.split_once("\nOptions:\n").unwrap();
    let general = rest.split("\n\n\n").next().unwrap();
    let unsorted = general.split(":\n").next().unwrap();
    let options: Vec<_> = unsorted.lines().filter_map(|l| l.trim().strip_prefix("--")).collect();
    assert!(options.iter().all(|o| o.starts_with("config") || o.starts_with("log-format")), "{options:?}");
    let (_, settings) = said(&sooner(folder.path(), &["settings"]));
    assert!(settings.contains("| `--smtp-url`<br>`SOONER_SMTP_URL` |"), "{settings}");
}

#[test]
fn the_service_manager_hears_of_the_server_s_life() {
    let folder = tempfile::tempdir().unwrap();
    assert!(sooner(folder.path(), &["keys", "init"]).status.success());
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let bind = format!("127.0.0.1:{port}");
    let (done, text) = said(&sooner(folder.path(), &["healthcheck", "--bind", &bind]));
    assert!(!done && text.contains("nothing answers"), "{text}");

    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["serve", "--bind", &bind, "--portal-url", "http://127.0.0.1:9"]);
    command.current_dir(folder.path()).env_clear().env("WATCHDOG_USEC", "200000");
    let mut server = command.env("NOTIFY_SOCKET", folder.path().join("notify")).spawn().unwrap();
    let hear = || {
        let mut said = [0; 64];
        let length = socket.recv(&mut said).unwrap();
        String::from_utf8(said[..length].to_vec()).unwrap()
    };
    let hear_at_last = |word: &str| (0..100).any(|_| hear() == word);
    assert!(hear_at_last("READY=1"));
    assert!(sooner(folder.path(), &["healthcheck", "--bind", &bind]).status.success());
    assert!((0..3).filter(|_| hear() == "WATCHDOG=1").count() == 3, "it goes on");
    Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(hear_at_last("STOPPING=1"));
    assert!(server.wait().unwrap().success());
}
