use serde_json::json;

use crate::client::{Client, booked_in_toronto, effects, fault, holds, slot};

async fn ready_to_book() -> (sandbox::Sandbox, sandbox::ManualClock, u64, Client) {
    let (sandbox, hands, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    (sandbox, hands, id, ann)
}

#[tokio::test]
async fn lie_booked_reports_success_without_booking() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "lie_booked", "times": 1}));
    let page = ann.book(id, 94, "2027-01-14", "08:00").await;
    assert!(page.has("Successfully Scheduled") && page.has("2 August, 2027"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-08-02 08:15"));
    assert!(sandbox.with_world(|w| w.applied.is_empty()));
}

#[tokio::test]
async fn lie_refused_reports_a_refusal_and_books() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "lie_refused", "times": 1}));
    let page = ann.book(id, 94, "2027-01-14", "08:00").await;
    assert!(page.has("could not be scheduled") && !page.has("Successfully"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
    assert!(!sandbox.with_world(|w| w.applied[0].told));
}

#[tokio::test]
async fn cut_after_apply_cuts_the_connection_after_the_post() {
    let (sandbox, _, id, ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "cut_after_apply", "times": 1}));
    assert!(ann.booking(id, 94, "2027-01-14", "08:00").send().await.is_err());
    assert!(effects(&sandbox, "book")[0].get("booked").is_some());
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}

#[tokio::test]
async fn half_answer_truncates_the_response() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "half_answer", "times": 1, "on": "groups"}));
    let groups = ann.get("/account").await.location;
    let broken = ann.request(reqwest::Method::GET, &groups).send().await;
    let whole = match broken {
        Ok(answer) => answer.text().await.is_ok(),
        Err(_) => false,
    };
    assert!(!whole);
    fault(&sandbox, json!({"fault": "half_answer", "times": 1}));
    let _ = ann.booking(id, 94, "2027-01-14", "08:00").send().await;
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}

#[tokio::test]
async fn steal_slot_removes_the_slot_between_times_and_post() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "steal_slot", "times": 1}));
    assert_eq!(ann.times(id, 94, "2027-01-14").await["available_times"], json!(["08:00"]));
    ann.book(id, 94, "2027-01-14", "08:00").await;
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "slot gone"})]);
}

#[tokio::test]
async fn outages_have_their_status_and_end_after_their_count() {
    let (sandbox, _, _, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "bad_gateway", "times": 1}));
    assert_eq!(ann.get("/account").await.status, 502);
    fault(&sandbox, json!({"fault": "maintenance", "times": 1, "retry_after": 60}));
    let down = ann.get("/account").await;
    assert_eq!((down.status.as_u16(), down.headers["retry-after"].to_str().unwrap()), (503, "60"));
    fault(&sandbox, json!({"fault": "reset", "times": 1}));
    assert!(ann.request(reqwest::Method::GET, "/account").send().await.is_err());
    assert_eq!(ann.get("/account").await.status, 302, "the fault ends");
}

#[tokio::test]
async fn faults_apply_only_to_their_account_group_and_kind() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "bad_gateway", "account": "bob@example.com"}));
    fault(&sandbox, json!({"fault": "bad_gateway", "portal_schedule_id": id + 1}));
    fault(&sandbox, json!({"fault": "bad_gateway", "on": "times", "skip": 1, "times": 1}));
    ann.days(id, 94).await;
    ann.times(id, 94, "2027-01-14").await;
    let path = format!("/schedule/{id}/appointment/times/94.json?date=2027-01-14");
    assert_eq!(ann.json(&path).await.status, 502);
    assert_eq!(ann.json(&path).await.status, 200);
}

#[tokio::test]
async fn session_end_ends_the_session_during_a_poll() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "session_end", "on": "times", "times": 1}));
    ann.days(id, 94).await;
    let path = format!("/schedule/{id}/appointment/times/94.json?date=2027-01-14");
    assert_eq!(ann.json(&path).await.status, 401);
    assert_eq!(ann.json(&path).await.status, 401, "the session stays ended until the next sign-in");
    ann.home().await;
    assert_eq!(ann.json(&path).await.status, 200);
}

#[tokio::test]
async fn layout_changes_and_foreign_pages_can_be_injected() {
    let (sandbox, _, id, mut ann) = ready_to_book().await;
    let groups = ann.get("/account").await.location;
    fault(&sandbox, json!({"fault": "changed_layout", "times": 2}));
    let page = ann.get(&groups).await;
    assert!(page.status == 200 && !page.has("class=\"application") && !page.has(&format!("/schedule/{id}")));
    let list = ann.json(&format!("/schedule/{id}/appointment/days/94.json")).await;
    assert!(list.body.starts_with("{\"data\":"));
    fault(&sandbox, json!({"fault": "foreign_html", "times": 1}));
    assert!(ann.get(&groups).await.has("Wi-Fi"));
    fault(&sandbox, json!({"fault": "no_applications", "times": 1}));
    assert!(ann.get(&groups).await.has("no-applications"));
    assert!(ann.get(&groups).await.has("div class=\"application"));
}

#[tokio::test]
async fn latency_is_a_header_when_time_is_virtual() {
    let (sandbox, _, _, mut ann) = ready_to_book().await;
    fault(&sandbox, json!({"fault": "slow", "millis": 90_000, "times": 1}));
    assert_eq!(ann.get("/account").await.headers["x-sandbox-latency-ms"], "90000");
}

#[tokio::test]
async fn kill_ends_the_process_after_its_post_was_applied() {
    let (sandbox, _, id, ann) = ready_to_book().await;
    let mut victim = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    fault(&sandbox, json!({"fault": "kill", "pid": victim.id(), "at": "applied", "times": 1}));
    ann.booking(id, 94, "2027-01-14", "08:00").send().await.unwrap();
    let status = tokio::task::spawn_blocking(move || victim.wait().unwrap()).await.unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}

#[tokio::test]
async fn one_slot_is_booked_by_exactly_one_of_many_clients() {
    let (sandbox, _) = crate::client::quiet("pool:8").await;
    sandbox.with_world(|w| w.slots.clear());
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut clients = Vec::new();
    for account in sandbox.ready().accounts {
        let mut client = Client::new(&sandbox);
        client.sign_in(&account.username, &account.password).await;
        client.get(&format!("/schedule/{}/continue_actions", account.portal_schedule_ids[0])).await;
        clients.push((client, account.portal_schedule_ids[0]));
    }
    let posts = clients.iter().map(|(client, id)| client.booking(*id, 94, "2027-01-14", "08:00").send());
    for answer in futures_util::future::join_all(posts).await {
        assert_eq!(answer.unwrap().status(), 302);
    }
    let booked = effects(&sandbox, "book").iter().filter(|e| e.get("booked").is_some()).count();
    assert_eq!((booked, sandbox.with_world(|w| w.applied.len())), (1, 1));
}

#[tokio::test]
async fn invalid_input_causes_no_server_error() {
    let (_sandbox, _, id, ann) = ready_to_book().await;
    let long = "9".repeat(400);
    let paths = [
        "/schedule/0/appointment".to_owned(),
        format!("/schedule/{long}/appointment"),
        format!("/schedule/{id}/appointment/days/{long}.json"),
        format!("/schedule/{id}/appointment/times/94.json?date=999999-99-99"),
        format!("/schedule/{id}/appointment/times/94.json?date=%ff%fe&date"),
        format!("/schedule/{id}/appointment?applicants[]=x&applicants[]=-1&confirmed_limit_message=1"),
        format!("/schedule/{id}/applicants/{long}"),
        "/groups/%00".to_owned(),
        "/%e2%9c%93/../..".to_owned(),
    ];
    for path in paths {
        for cookie in ["", "_yatri_session=%00--%ff", "_yatri_session=a--b; _yatri_session=", "\u{e9}=="] {
            let request = ann.request(reqwest::Method::GET, &path);
            let request =
                request.header("X-Requested-With", "XMLHttpRequest").header("Accept", "application/json");
            let answer = request.header("Cookie", cookie.as_bytes()).send().await.unwrap();
            assert!(answer.status().as_u16() < 500, "{path} {cookie}");
        }
    }
    for body in ["", "=&=&%", "appointments[consulate_appointment][date]=2027-02-30", &"x".repeat(300_000)] {
        let request = ann.request(reqwest::Method::POST, &format!("/schedule/{id}/appointment"));
        let answer = request.header("X-CSRF-Token", &ann.token).body(body.to_owned()).send().await.unwrap();
        assert!(answer.status().as_u16() < 500);
    }
}

#[tokio::test]
async fn kill_can_end_the_process_after_half_of_the_response() {
    let (sandbox, _, id, ann) = ready_to_book().await;
    let mut victim = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    let kill = json!({"fault": "kill", "pid": victim.id(), "at": "half_answered", "times": 1});
    fault(&sandbox, kill);
    let answer = ann.booking(id, 94, "2027-01-14", "08:00").send().await;
    let whole = match answer {
        Ok(answer) => answer.text().await.is_ok(),
        Err(_) => false,
    };
    assert!(!whole);
    let status = tokio::task::spawn_blocking(move || victim.wait().unwrap()).await.unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}
