//! Stories of `sooner portal parse`, run with the real program.

use std::io::Write as _;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const COLOMBIA: &str = include_str!("../../../portal/tests/fixtures/groups_es_co.html");
const BRAZIL: &str = include_str!("../../../portal/tests/fixtures/form_pt_br.html");
const CANADA: &str = include_str!("../../../portal/tests/fixtures/limit_fr_ca.html");
const KAZAKHSTAN: &str = include_str!("../../../portal/tests/fixtures/groups_ru_kz.html");
const JAPAN: &str = include_str!("../../../portal/tests/fixtures/groups_ja_jp.html");

/// Runs the command with a page on its standard input. Returns the exit code and both outputs.
fn parse(kind: &str, page: &str) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
    command.args(["portal", "parse", kind]).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let [text, error] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    (output.status.code(), text, error)
}

fn read(kind: &str, page: &str) -> Value {
    let (code, text, error) = parse(kind, page);
    assert_eq!(code, Some(0), "{error}");
    serde_json::from_str(&text).unwrap()
}

#[test]
fn saved_pages_in_spanish_portuguese_french_and_russian_are_read() {
    let group = &read("groups", COLOMBIA)[0];
    assert_eq!((&group["date"], &group["facility"]), (&json!("2027-11-12"), &json!("Bogota")));
    let fingerprints = json!({ "date": "2027-11-03", "time": "08:00", "city": "Bogota" });
    assert_eq!(group["fingerprints"], fingerprints);
    let places = &read("form", BRAZIL)["fingerprints"]["places"];
    assert_eq!(places.as_array().map(Vec::len), Some(3));
    assert_eq!(read("limit", CANADA), json!({ "remaining": 2 }));
    let group = &read("groups", KAZAKHSTAN)[0];
    assert_eq!((&group["date"], &group["time"]), (&json!("2027-10-14"), &json!("09:30")));
    assert_eq!(group["not_read"], json!(["ivr_account_number"]), "its words are not known");
}

#[test]
fn a_saved_page_in_an_unknown_language_is_refused_like_an_unread_page() {
    let (code, text, error) = parse("groups", JAPAN);
    assert_eq!((code, text.as_str()), (Some(1), ""));
    assert!(error.starts_with("sooner: unknown language: Japanese; known: English"), "{error}");
    let (unread, ..) = parse("form", COLOMBIA);
    assert_eq!(unread, code);
}
