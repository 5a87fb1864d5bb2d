//! Stories of a solo server that its owner starts in an empty folder.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Child, Command, Output};
use std::time::Duration;

use serde_json::{Value, json};

fn sooner(home: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(words).current_dir(home).env_clear().env("HOME", home);
    command
}

fn said(output: &Output) -> (bool, String) {
    let text = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.success(), String::from_utf8(text.clone()).unwrap())
}

fn typed(home: &Path, words: &[&str]) -> (bool, String) {
    said(&sooner(home, words).output().unwrap())
}

/// Starts a server with defaults except its address and an unreachable portal. Returns when the
/// server is ready.
fn serve(home: &Path, bind: &str) -> Child {
    let notify = home.join("notify");
    let _ = std::fs::remove_file(&notify);
    let socket = UnixDatagram::bind(&notify).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
    let mut command =
        sooner(home, &["serve", "--solo", "--bind", bind, "--portal-url", "http://127.0.0.1:9"]);
    let server = command.env("NOTIFY_SOCKET", &notify).spawn().unwrap();
    let mut heard = [0; 64];
    let length = socket.recv(&mut heard).unwrap();
    assert_eq!(&heard[..length], b"READY=1");
    server
}

fn end(mut server: Child) {
    assert!(Command::new("kill").arg(server.id().to_string()).status().unwrap().success());
    assert!(server.wait().unwrap().success());
}

fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_command_sets_up_a_solo_server_for_all_other_commands() {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let folder = tempfile::tempdir().unwrap();
    let (home, bind) = (folder.path(), free_address());
    let server = serve(home, &bind);

    let (done, link) = typed(home, &["link"]);
    let token = link.trim().strip_prefix(&format!("http://{bind}/auth/link?token="));
    let token = token.unwrap_or_else(|| panic!("{done}: {link}"));
    let client = reqwest::Client::new();
    let api = format!("http://{bind}/api/v1");
    let post = async |path: &str, body: Value| {
        let reply = client.post(format!("{api}{path}")).json(&body).send().await.unwrap();
        reply.json::<Value>().await.unwrap()
    };
    let signed_in = post("/auth/link", json!({ "token": token })).await;
    let tokens = post("/auth/refresh", json!({ "refresh_token": signed_in["data"]["refresh_token"] })).await;
    assert!(tokens["data"]["access_token"].is_string(), "{tokens}");
    let methods = client.get(format!("{api}/auth/methods")).send().await.unwrap();
    let offered = methods.json::<Value>().await.unwrap()["data"].clone();
    let expected = json!({
        "google": false, "mail": false, "passkeys": false, "registration": "closed", "billing": false,
        "link": true,
    });
    assert_eq!(offered, expected);

    let (done, invitation) = typed(home, &["users", "add", "mei@example.com"]);
    assert!(done && invitation.contains(&format!("http://{bind}/auth/invitation?token=")), "{invitation}");
    let (_, list) = typed(home, &["users", "list"]);
    assert!(list.contains("owner@localhost") && list.contains("mei@example.com"), "{list}");
    let (done, second) = typed(home, &["serve", "--solo", "--bind", &free_address()]);
    assert!(!done && second.contains("another server works on"), "{second}");
    end(server);
}

#[test]
fn a_solo_server_refuses_unsafe_settings() {
    let folder = tempfile::tempdir().unwrap();
    let (home, bind) = (folder.path(), free_address());
    end(serve(home, &bind));
    let refused = |words: &[&str]| {
        let (done, text) =
            typed(home, &[&["serve", "--solo", "--portal-url", "http://127.0.0.1:9"], words].concat());
        assert!(!done, "{words:?}");
        text
    };
    let keys = home.join(".config/sooner/sooner.keys");
    std::fs::rename(&keys, home.join("kept")).unwrap();
    assert!(refused(&[]).contains("restore the key ring from its copy"));
    assert!(!keys.exists(), "no new key ring is created in its place");
    std::fs::rename(home.join("kept"), &keys).unwrap();
    // 192.0.2.1 is an address that no machine has.
    let text = refused(&["--bind", "192.0.2.1:80"]);
    assert!(text.contains("can be reached from outside") && text.contains("--public-url https://"), "{text}");
    let file = home.join("a-file");
    std::fs::write(&file, "").unwrap();
    let text = refused(&["--data", "a-file/below"]);
    assert!(text.contains("cannot create the folder") && text.contains("--data DIR"), "{text}");
}

#[test]
fn an_existing_database_needs_an_owner_for_solo() {
    let folder = tempfile::tempdir().unwrap();
    let (home, bind) = (folder.path(), free_address());
    std::fs::create_dir(home.join("keys")).unwrap();
    assert!(typed(home, &["keys", "init", "--key-ring", "keys/ring"]).0);
    let served = ["--database-url", "sqlite:data/sooner.db", "--key-ring", "keys/ring"];
    std::fs::create_dir(home.join("data")).unwrap();
    assert!(typed(home, &[&["migrate"][..], &served[..2]].concat()).0);
    assert!(typed(home, &[&["users", "add", "lin@example.com"][..], &served[..2]].concat()).0);
    let start =
        [&["serve", "--solo", "--bind", &bind, "--portal-url", "http://127.0.0.1:9"][..], &served].concat();
    let (done, text) = typed(home, &start);
    assert!(!done && text.contains("sooner users own EMAIL"), "{text}");
    let (done, text) = typed(home, &[&["link"][..], &served[..2]].concat());
    assert!(!done && text.contains("this server has no owner"), "{text}");
    let address = format!("http://{bind}");
    let own = ["users", "own", "lin@example.com", "--public-url", &address];
    assert!(typed(home, &[&own[..], &served[..2]].concat()).0);
    let (done, text) = typed(home, &[&["link"][..], &served[..2]].concat());
    assert!(done && text.starts_with(&address), "{text}");
}
