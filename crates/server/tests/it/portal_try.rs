//! Stories of `sooner portal try`, run with the real program against a sandbox portal.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use sandbox::world::NewGroup;
use sandbox::world::deviations::DEVIATIONS;
use sandbox::world::faults::{FaultKind, InjectedFault};
use serde_json::Value;

use crate::stage::{self, PORTAL_PASSWORD, Stage, TORONTO, at};

const LOGIN: &str = "wang.xiaoming@example.com";

/// A folder without a database, and the command that runs in it.
struct Trial {
    folder: tempfile::TempDir,
    url: String,
}

impl Trial {
    fn of(s: &Stage) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), url: s.sandbox.portal_url() }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    /// Runs the command with a password. Returns the exit code and the output.
    async fn run(&self, password: &str, words: &[&str]) -> (Option<i32>, String) {
        let mut command = self.command();
        command.args(["--user", LOGIN]).args(words);
        if !words.contains(&"--country") {
            command.args(["--country", "ca"]);
        }
        finished(command, password).await
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
        command.args(["portal", "try", "--pace", "0", "--url", &self.url]);
        command.current_dir(self.folder.path()).env_clear();
        command
    }

    fn parse(&self, kind: &str, report: &Path) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sooner"));
        command.args(["portal", "parse", kind, "--report"]).arg(report).env_clear();
        command.output().unwrap()
    }
}

/// Runs a command with a password on its standard input.
async fn finished(mut command: Command, password: &str) -> (Option<i32>, String) {
    let line = format!("{password}\n");
    tokio::task::spawn_blocking(move || {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that fails at once has already closed the pipe.
        let _ = child.stdin.take().unwrap().write_all(line.as_bytes());
        let output = child.wait_with_output().unwrap();
        let mut text = String::from_utf8(output.stdout).unwrap();
        text.push_str(&String::from_utf8(output.stderr).unwrap());
        (output.status.code(), text)
    })
    .await
    .unwrap()
}

/// Starts a portal with a group of two applicants, an appointment in Toronto, and a free date.
async fn stage() -> (Stage, u64) {
    let s = stage::sqlite().await;
    let appointment = Some(at(TORONTO, "2027-08-17", "08:15"));
    let applicants = vec!["WANG XIAOMING".to_owned(), "李 小红".to_owned()];
    let group = NewGroup { appointment, applicants, ..NewGroup::default() };
    let number = s.portal("wang.xiaoming", vec![group])[0];
    s.slot(TORONTO, "2027-02-03", "09:30");
    (s, number)
}

/// Returns the method and path of every request to the portal.
fn journal(s: &Stage) -> Vec<(String, String)> {
    s.sandbox.with_world(|world| {
        let requests = world.journal.after(0).iter().filter(|entry| !entry.method.is_empty());
        requests.map(|entry| (entry.method.clone(), entry.path.clone())).collect()
    })
}

fn posts(s: &Stage) -> Vec<String> {
    journal(s).into_iter().filter(|(method, _)| method != "GET").map(|(_, path)| path).collect()
}

fn assert_stopped(ended: &(Option<i32>, String), at: &str, reason: &str) {
    let (code, text) = ended;
    assert_eq!(*code, Some(4), "{text}");
    assert!(text.contains(&format!("would stop at {at}: ")) && text.contains(reason), "{text}");
    assert!(text.contains("would book: no"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_is_parsed_within_twelve_requests() {
    let (s, _) = stage().await;
    let (code, text) = Trial::of(&s).run(PORTAL_PASSWORD, &["--city", "Toronto", "Ottawa"]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("would watch: yes\nwould book: yes"), "{text}");
    for page in ["sign_in", "groups", "actions", "instructions", "limit", "form", "days", "times"] {
        assert!(text.contains(&format!("\n{page}: understood (status 200, ")), "{page}: {text}");
    }
    assert!(text.contains("3 attempts left") && text.contains("applicants ***, ***"), "{text}");
    assert!(text.starts_with("This command signs in once at http://127.0.0.1:"), "{text}");
    for personal in ["XIAOMING", "小红", PORTAL_PASSWORD] {
        assert!(!text.contains(personal), "{personal}: {text}");
    }
    let journal = journal(&s);
    assert!(journal.len() <= 12, "{journal:?}");
    let lists = journal.iter().filter(|(_, path)| path.contains(".json")).count();
    assert_eq!(lists, 3, "{journal:?}");
    assert_eq!(posts(&s), ["/en-ca/niv/users/sign_in"]);
    let left = s.sandbox.with_world(|world| world.groups.values().next().unwrap().attempts_left);
    assert_eq!(left, 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_group_without_an_appointment_is_parsed() {
    let s = stage::sqlite().await;
    s.portal("wang.xiaoming", vec![NewGroup::default()]);
    let (code, text) = Trial::of(&s).run(PORTAL_PASSWORD, &["--city", "Toronto"]).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("no date (an empty list does not prove that none is free)"), "{text}");
}

/// The numbers of Italy's cities are in no table. The form shows them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_country_without_known_numbers_is_walked() {
    let s = stage::sqlite().await;
    let country = sandbox::world::country::Country::with_code("it");
    let appointment = Some(at(3104, "2027-08-17", "08:15"));
    s.portal("wang.xiaoming", vec![NewGroup { country, appointment, ..NewGroup::default() }]);
    let (_, text) = Trial::of(&s).run(PORTAL_PASSWORD, &["--country", "it"]).await;
    assert!(text.contains("Rome (3104)") && text.contains("Rome: no date"), "{text}");
    assert!(text.contains("would watch: yes"), "{text}");
}

/// The form asks for a fingerprint appointment. The list of its dates is read instead of the dates
/// of a second city.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_fingerprint_dates_are_read_where_the_form_asks_for_them() {
    let s = stage::sqlite().await;
    let country = sandbox::world::country::Country::with_code("co");
    let (appointment, asc) = (Some(at(25, "2027-08-17", "08:15")), Some(at(26, "2027-08-10", "07:30")));
    s.portal("wang.xiaoming", vec![NewGroup { country, appointment, asc, ..NewGroup::default() }]);
    for date in ["2027-02-09", "2027-02-10"] {
        s.slot(25, date, "09:15");
    }
    let (code, text) = Trial::of(&s).run(PORTAL_PASSWORD, &["--country", "co"]).await;
    assert!(text.contains("would book: yes"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    assert!(lines_of(&text, "fingerprint_days").is_some_and(|line| line.contains("Bogota: ")), "{text}");
    let requests = journal(&s);
    assert!(requests.len() <= 12 && s.requests("asc_days") == 1, "{requests:?}");
    assert_eq!(posts(&s), ["/en-co/niv/users/sign_in"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_wrong_password_is_sent_only_once() {
    let (s, _) = stage().await;
    let ended = Trial::of(&s).run("not-the-password", &[]).await;
    assert_stopped(&ended, "sign_in_answer", "It was tried once and is not tried again");
    assert_eq!(posts(&s).len(), 1);
    assert_eq!(journal(&s).len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_captcha_stops_the_trial_before_the_password_is_sent() {
    let (s, _) = stage().await;
    s.fault(FaultKind::Captcha);
    let ended = Trial::of(&s).run(PORTAL_PASSWORD, &[]).await;
    assert_stopped(&ended, "sign_in", "captcha");
    assert!(posts(&s).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refusal_of_the_portal_stops_the_trial_with_its_reason() {
    for (fault, page, reason) in [
        (FaultKind::Locked { too_many: false }, "sign_in_answer", "has locked this account until"),
        (FaultKind::NoApplications, "groups", "has no group"),
        (FaultKind::AttemptsUsedUp, "limit", "reschedule limit"),
        (FaultKind::Maintenance { retry_after: Some(60) }, "sign_in", "under maintenance"),
        (FaultKind::BadGateway, "sign_in", "down or overloaded (status 502)"),
    ] {
        let (s, _) = stage().await;
        s.fault(fault);
        let ended = Trial::of(&s).run(PORTAL_PASSWORD, &[]).await;
        assert_stopped(&ended, page, reason);
        assert!(posts(&s).len() <= 1 && journal(&s).len() <= 12);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_changed_page_layout_is_reported() {
    let (s, _) = stage().await;
    s.fault(FaultKind::ChangedLayout);
    let (code, text) = Trial::of(&s).run(PORTAL_PASSWORD, &[]).await;
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("not as known") && text.contains("would book: no"), "{text}");
}

/// Returns the lines about a page in the output.
fn lines_of<'a>(text: &'a str, page: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("\n{page}: "))?;
    Some(rest.split("\n\n").next().unwrap_or(rest))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_small_deviation_is_reported() {
    let (s, _) = stage().await;
    s.sandbox.with_world(|world| world.config.ban.enabled = false);
    let words = ["--city", "Toronto"];
    let (_, known) = Trial::of(&s).run(PORTAL_PASSWORD, &words).await;
    assert!(known.contains("would book: yes"), "{known}");
    let mut wrong = Vec::new();
    for deviation in &DEVIATIONS {
        let fault = InjectedFault::of(FaultKind::Deviation { of: deviation });
        let fault = s.sandbox.with_world(|world| world.add_fault(fault));
        let (_, text) = Trial::of(&s).run(PORTAL_PASSWORD, &words).await;
        s.sandbox.with_world(|world| world.remove_faults(Some(fault)));
        let page = deviation.name.split_once('_').unwrap().0.replace("sign", "sign_in");
        let said = lines_of(&text, &page).unwrap_or_default();
        let is_named = ["not as known", "\n  missing", "\n  new "].iter().any(|words| said.contains(words));
        if !is_named || !deviation.may_book && !text.contains("would book: no") {
            wrong.push(format!("{}: {said}", deviation.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Starts a portal that shows a sign-in form and then redirects to another host. Returns its
/// address, and a handle that returns its requests.
fn leading_to(elsewhere: String) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let form = "<html><body><form id=\"sign_in_form\"><input name=\"user[email]\">\
                <input type=\"password\" name=\"user[password]\"></form></body></html>";
    let answers = [
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{form}", form.len()),
        format!(
            "HTTP/1.1 302 Found\r\nconnection: close\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\n\r\n"
        ),
    ];
    let served = std::thread::spawn(move || {
        answers
            .map(|answer| {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = [0; 4096];
                let length = stream.read(&mut request).unwrap();
                stream.write_all(answer.as_bytes()).unwrap();
                String::from_utf8_lossy(&request[..length]).into_owned()
            })
            .to_vec()
    });
    (url, served)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_to_another_host_stops_the_trial() {
    let (s, _) = stage().await;
    let (url, served) = leading_to(s.sandbox.portal_url() + "/en-ca/niv/account");
    let trial = Trial { folder: tempfile::tempdir().unwrap(), url };
    let ended = trial.run(PORTAL_PASSWORD, &[]).await;
    assert_stopped(&ended, "sign_in_answer", "redirects to another host (http://127.0.0.1:");
    assert!(served.join().unwrap()[1].starts_with("POST /en-ca/niv/users/sign_in "));
    assert!(journal(&s).is_empty(), "a request was sent to the other host");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_password_is_sent_only_over_https_or_to_localhost() {
    let (s, _) = stage().await;
    for (url, reason) in [
        ("http://portal.example", "is not https"),
        ("https://li@portal.example", "must not have a login"),
        ("https://portal.example/en-ca", "without a path"),
    ] {
        let trial = Trial { folder: tempfile::tempdir().unwrap(), url: url.to_owned() };
        let (code, text) = trial.run(PORTAL_PASSWORD, &[]).await;
        assert!(code == Some(1) && text.contains(reason), "{text}");
    }
    let (code, text) = Trial::of(&s).run("", &[]).await;
    assert!(code == Some(1) && text.contains("no password was given; nothing was sent"), "{text}");
    assert!(journal(&s).is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_use_the_account_budget_and_a_watched_account_is_refused() {
    let s = stage::sqlite().await;
    let person = s.payer("payer", 100_00).await;
    let number = s.booked("wang.xiaoming");
    let id = s.configured(&person, "wang.xiaoming", number).await;
    let trial = Trial::of(&s);
    let ring = trial.folder.path().join("keys");
    s.app.keyring.save_new(&ring).unwrap();
    let tried = || {
        let mut command = trial.command();
        command.args(["--country", "ca"]);
        command.args(["--user", "Wang.Xiaoming@example.com"]);
        command.env("SOONER_DATABASE_URL", &s.app.settings.database_url).env("SOONER_KEY_RING", &ring);
        finished(command, PORTAL_PASSWORD)
    };
    let budget = || async {
        let login_fp = engine::verify_login::fingerprint(&s.app.keyring, LOGIN);
        let mut tx = s.app.db.read().await.unwrap();
        let account = store::portal_account::find(&mut tx, &login_fp).await.unwrap().unwrap();
        let row = store::portal_account::get(&mut tx, account).await.unwrap().unwrap();
        serde_json::to_value(row.budget).unwrap()
    };
    // Requests from earlier in the story may be older than ten hours, and no longer counted.
    let added = |before: &Value, after: &Value, kind: &str| {
        let old = before[kind].as_array().cloned().unwrap_or_default();
        after[kind].as_array().map_or(0, |calls| calls.iter().filter(|call| !old.contains(call)).count())
    };
    let (before, requests) = (budget().await, journal(&s).len());
    let (code, text) = tried().await;
    assert_eq!(code, Some(0), "{text}");
    let (after, made) = (budget().await, journal(&s).len() - requests);
    assert_eq!(added(&before, &after, "requests"), made, "{before} {after}");
    assert_eq!(added(&before, &after, "sign_ins"), 1, "{before} {after}");

    s.ok("POST", "/schedules/submit", &person, serde_json::json!({ "schedule_ids": [id] })).await;
    let requests = journal(&s).len();
    let (code, text) = tried().await;
    assert!(code == Some(1) && text.contains("this portal account is in use"), "{text}");
    assert_eq!(journal(&s).len(), requests);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_has_no_personal_data_and_can_be_parsed() {
    use std::os::unix::fs::PermissionsExt as _;
    let (s, number) = stage().await;
    let trial = Trial::of(&s);
    let file = trial.path("report.json");
    let (code, shown) = trial.run(PORTAL_PASSWORD, &["--report", &file]).await;
    assert_eq!(code, Some(0), "{shown}");
    let path = Path::new(&file);
    let report = std::fs::read_to_string(path).unwrap();
    assert_eq!(std::fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(shown.contains(&report) && shown.contains("It was not sent."), "{shown}");
    let (ivr, people) = s.sandbox.with_world(|world| {
        let account = world.accounts.values().next().unwrap();
        let group = world.groups.values().next().unwrap();
        (account.ivr_number.clone(), group.applicants.clone())
    });
    let mut personal = vec![ivr, number.to_string(), LOGIN.to_owned(), PORTAL_PASSWORD.to_owned()];
    for word in ["wang", "xiaoming", "李", "小红", "2027-08-17", "17 August"] {
        personal.push(word.to_owned());
    }
    for person in people {
        personal.extend([person.id.to_string(), person.passport, person.ds160]);
    }
    let folded = report.to_lowercase();
    for text in personal {
        assert!(!folded.contains(&text.to_lowercase()), "{text}: {report}");
    }
    for kind in ["sign_in", "groups", "actions", "instructions", "limit", "form"] {
        let output = trial.parse(kind, path);
        assert!(output.status.success(), "{kind}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let groups: Value = serde_json::from_slice(&trial.parse("groups", path).stdout).unwrap();
    assert_eq!(groups[0]["status"], "Attend Appointment");
    assert_eq!(groups[0]["facility"], "Toronto");
    assert_eq!(groups[0]["applicants"], serde_json::json!(["xxx xxx", "xxx xxx"]));
    let missing = String::from_utf8(trial.parse("payment", path).stderr).unwrap();
    assert!(missing.contains("the report has no page payment"), "{missing}");

    let requests = journal(&s).len();
    let (code, text) = trial.run(PORTAL_PASSWORD, &["--report", &file]).await;
    assert!(code == Some(1) && text.contains("exists: name a new file"), "{text}");
    assert_eq!(journal(&s).len(), requests);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_trial_writes_a_report() {
    let (s, _) = stage().await;
    s.fault(FaultKind::ChangedLayout);
    let trial = Trial::of(&s);
    let file = trial.path("report.json");
    let (code, text) = trial.run(PORTAL_PASSWORD, &["--report", &file]).await;
    assert_eq!(code, Some(3), "{text}");
    let report: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert!(report["stopped_at"].is_string(), "{report}");
}
