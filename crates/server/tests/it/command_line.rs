//! Stories of the command line that need no running server.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Output};

fn sooner(folder: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).current_dir(folder).env_clear();
    command.env("SOONER_KEY_RING", "sooner.keys").env("SOONER_KEYS_BESIDE_DATA", "true").output().unwrap()
}

fn said(output: &Output) -> (bool, String) {
    let text = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.success(), String::from_utf8(text.clone()).unwrap())
}

#[test]
fn the_key_ring_option_works_before_or_after_init() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["keys", "init", "--key-ring", "after.keys"]));
    assert!(done && text.starts_with("created the key ring after.keys"), "{text}");
    let (done, text) = said(&sooner(folder.path(), &["keys", "--key-ring", "before.keys", "init"]));
    assert!(done && text.starts_with("created the key ring before.keys"), "{text}");
    let (done, text) = said(&sooner(folder.path(), &["keys", "init", "--key-ring", "after.keys"]));
    assert!(!done && text.contains("after.keys exists already"), "{text}");
}

#[test]
fn a_missing_key_ring_is_reported_once_with_the_init_command() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["serve"]));
    assert!(!done && text.contains("sooner.keys") && text.contains("sooner keys init"), "{text}");
    assert_eq!(text.matches("No such file").count(), 1, "{text}");
}

#[test]
fn the_help_shows_the_first_commands() {
    let folder = tempfile::tempdir().unwrap();
    let (done, text) = said(&sooner(folder.path(), &["--help"]));
    assert!(done && text.contains("sooner demo") && text.contains("sooner keys init"), "{text}");
}

#[test]
fn completions_and_man_pages_cover_every_command() {
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
fn only_the_help_of_serve_shows_the_server_settings() {
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
fn every_server_setting_is_listed_under_a_heading() {
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
fn the_service_manager_gets_ready_watchdog_and_stopping() {
    let folder = tempfile::tempdir().unwrap();
    assert!(sooner(folder.path(), &["keys", "init"]).status.success());
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let bind = format!("127.0.0.1:{port}");
    let (done, text) = said(&sooner(folder.path(), &["healthcheck", "--bind", &bind]));
    assert!(!done && text.contains("cannot connect to"), "{text}");

    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["serve", "--bind", &bind, "--portal-url", "http://127.0.0.1:9"]);
    command.args(["--key-ring", "sooner.keys", "--keys-beside-data"]);
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
    assert!((0..3).filter(|_| hear() == "WATCHDOG=1").count() == 3, "the notifications continue");
    Command::new("kill").arg(server.id().to_string()).status().unwrap();
    assert!(hear_at_last("STOPPING=1"));
    assert!(server.wait().unwrap().success());
}

// spec: 10.7.65
#[test]
fn the_database_is_private_and_help_shows_no_secrets() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("sh");
    // Runs the command with a common umask and with core dumps enabled.
    command.args([
        "-c",
        "umask 022; ulimit -c unlimited 2>/dev/null; \"$0\" migrate",
        env!("CARGO_BIN_EXE_sooner"),
    ]);
    assert!(command.current_dir(folder.path()).env_clear().status().unwrap().success());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let database = folder.path().join("sooner.db");
    assert_eq!(mode(&database), 0o600);
    // The permissions of an existing file are corrected.
    std::fs::set_permissions(&database, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(sooner(folder.path(), &["codes", "list"]).status.success());
    assert_eq!(mode(&database), 0o600);
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["serve", "--help"]).env("SOONER_SMTP_URL", "smtps://a:s3cret@mail.example.com");
    let help = command.env("SOONER_DATABASE_URL", "postgres://a:s3cret@localhost/x").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    assert!(help.contains("SOONER_SMTP_URL") && !help.contains("s3cret"), "{help}");
    std::fs::write(folder.path().join("sooner.toml"), "smtp_url = \"smtps://a:s3cret@mail.example.com\"\n")
        .unwrap();
    let (done, help) = said(&sooner(folder.path(), &["--config", "sooner.toml", "serve", "--help"]));
    assert!(done && !help.contains("s3cret"), "{help}");
}

// spec: 10.7.65
#[test]
fn a_key_ring_in_the_databases_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(sooner(folder.path(), &["keys", "init"]).status.success());
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["serve", "--bind", "127.0.0.1:0", "--key-ring", "sooner.keys"]).current_dir(folder.path());
    let (done, text) = said(&command.env_clear().output().unwrap());
    assert!(!done && text.contains("--keys-beside-data"), "{text}");
}

// spec: 10.7.65
#[test]
fn a_server_writes_no_core_dumps() {
    let folder = tempfile::tempdir().unwrap();
    assert!(sooner(folder.path(), &["keys", "init"]).status.success());
    let socket = UnixDatagram::bind(folder.path().join("notify")).unwrap();
    socket.set_read_timeout(Some(std::time::Duration::from_secs(30))).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["serve", "--bind", "127.0.0.1:0", "--portal-url", "http://127.0.0.1:9"]);
    command.args(["--key-ring", "sooner.keys", "--keys-beside-data"]).current_dir(folder.path()).env_clear();
    let mut server = command.env("NOTIFY_SOCKET", folder.path().join("notify")).spawn().unwrap();
    let mut said = [0; 64];
    socket.recv(&mut said).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", server.id())).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    let core = limits.lines().find(|line| line.starts_with("Max core file size")).unwrap();
    let words: Vec<&str> = core.split_whitespace().collect();
    assert_eq!(words[4..6], ["0", "0"], "{core}");
}

// spec: 10.7.65
#[test]
fn a_closed_output_pipe_ends_a_command_without_a_panic() {
    let folder = tempfile::tempdir().unwrap();
    for words in [&["settings"][..], &["completion", "bash"], &["doctor"], &["openapi"]] {
        assert!(sooner(folder.path(), &["migrate"]).status.success());
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
        command.args(words).current_dir(folder.path()).env_clear().stdout(writer);
        let ended = command.output().unwrap();
        let errors = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(141), "{words:?}: {errors}");
        assert!(!errors.contains("panicked") && !errors.contains("roken pipe"), "{words:?}: {errors}");
    }
}
