//! Stories of unusual input and data: characters that databases cannot store, names that break
//! calendar files, and very old rows.

use chrono::TimeDelta;
use domain::appointment::Applicant;
use domain::ids::TaskId;
use serde_json::{Value, json};

use crate::app::Person;
use crate::stage::{PORTAL_PASSWORD, Stage, raw};

portal_stories!(
    an_invalid_body_error_names_the_field_but_no_value,
    a_nul_character_is_refused_in_every_field,
    odd_names_do_not_break_a_calendar_file,
    old_hourly_counts_are_deleted,
    the_server_stops_if_a_background_loop_panics,
);

async fn an_invalid_body_error_names_the_field_but_no_value(s: Stage) {
    let (person, _) = crate::operator::watched(&s, "lin").await;
    for (path, body, expected) in [
        ("/auth/login", json!({ "username": "lin@example.com" }), "lacks the field password"),
        (
            "/auth/login",
            json!({ "username": "a", "password": ["Secret-1"] }),
            "has a wrong type or value in the field password",
        ),
        (
            "/pricing/calculate",
            json!({ "promo": "Secret-1", "promo_code": "A" }),
            "has the unknown field promo",
        ),
        (
            "/pricing/calculate",
            json!({ "Secret-1": 1, "promo_code": "A" }),
            "has a wrong type or an unknown field",
        ),
    ] {
        let reply = s.call("POST", path, Some(&person), Some(body)).await;
        assert_eq!(reply.error(), (400, "INVALID_BODY"), "{path}");
        let message = reply.body["error"]["message"].as_str().unwrap();
        assert!(message.contains(expected), "{message}");
        assert!(!message.contains("Secret"), "{message}");
    }
}

// spec: 10.8.16
async fn a_nul_character_is_refused_in_every_field(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    let number = s.booked("sun");
    let odd = "a\u{0}b";
    let calls = [
        (
            "POST",
            "/auth/register".to_owned(),
            json!({ "username": odd, "email": "x@example.com", "password": odd }),
        ),
        ("POST", "/auth/login".to_owned(), json!({ "username": odd, "password": PORTAL_PASSWORD })),
        ("POST", "/auth/forgot-password".to_owned(), json!({ "email": format!("x@{odd}.example.com") })),
        ("PUT", "/auth/profile".to_owned(), json!({ "email": format!("x@{odd}.example.com") })),
        (
            "POST",
            "/schedules/verify-credentials".to_owned(),
            json!({ "username": odd, "password": PORTAL_PASSWORD }),
        ),
        ("POST", "/schedules/configure".to_owned(), crate::stage::configuration(odd, number)),
        ("POST", "/schedules/submit".to_owned(), json!({ "schedule_id": id, "promo_code": odd })),
        ("POST", "/schedules/submit".to_owned(), json!({ "schedule_id": id, "referral_code": odd })),
        ("POST", "/pricing/calculate".to_owned(), json!({ "promo_code": odd })),
        ("POST", "/topup/use".to_owned(), json!({ "code": odd })),
        ("POST", format!("/schedules/{id}/rating"), json!({ "stars": 5, "comment": odd })),
    ];
    for (method, path, body) in calls {
        // An unknown path returns another error, so only existing paths are tested.
        let known = s.call(method, &path, Some(&person), Some(json!({ "no such": 1 }))).await;
        assert_eq!(known.error(), (400, "INVALID_BODY"), "{path}");
        let reply = s.call(method, &path, Some(&person), Some(body)).await;
        assert_eq!(reply.error(), (400, "INVALID_BODY"), "{path}");
    }
    for query in ["status=%00", "page=%00", "status=active%00"] {
        let reply = s.get(&format!("/schedules?{query}"), &person).await;
        assert_eq!(reply.error(), (400, "INVALID_QUERY"), "{query}");
    }
    for path in ["journal?before=%00", "seen?before=%00", "appointment.ics?language=%00"] {
        let reply = s.get(&format!("/schedules/{id}/{path}"), &person).await;
        assert_eq!(reply.error(), (400, "INVALID_QUERY"), "{path}");
    }
    // A text that only looks like the escape of such a character is accepted.
    let text = br#"{"code":"\\u0000"}"#;
    let reply = s.send(raw("POST", "/topup/use", &person, Some("application/json"), text)).await;
    assert_eq!(reply.error(), (404, "TOPUP_CODE_INVALID"));
}

async fn name(s: &Stage, id: &str, names: &[&str]) {
    let id: TaskId = id.parse().unwrap();
    let mut tx = s.app.db.begin().await.unwrap();
    let mut group = store::task::get(&mut tx, id).await.unwrap().unwrap().group;
    let like = group.applicants[0].clone();
    group.applicants =
        names.iter().map(|name| Applicant { name: (*name).to_owned(), ..like.clone() }).collect();
    store::task::set_group(&mut tx, id, &group, s.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn file(s: &Stage, person: &Person, id: &str) -> String {
    let reply = s.get(&format!("/schedules/{id}/appointment.ics"), person).await;
    let Value::String(text) = reply.body else { panic!("{:?}", reply.body) };
    text
}

// spec: 10.8.16
async fn odd_names_do_not_break_a_calendar_file(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    let long = "欧阳".repeat(40);
    for names in [
        &["LIN, \"ANNA\"; X\\Y"][..],
        &[
            "X\r\nEND:VEVENT\r\nBEGIN:VALARM\r\nACTION:AUDIO",
            "Y\nATTENDEE:mailto:x@example.com",
            "Z\rSUMMARY:no",
        ],
        &[
            &long,
            " ",
            "",
            "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r",
        ],
        &["BEGIN:VEVENT", "END:VCALENDAR"],
        &["👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦"],
    ] {
        name(&s, &id, names).await;
        let text = file(&s, &person, &id).await;
        assert!(text.split("\r\n").all(|line| line.len() <= 75), "{text}");
        let whole = text.replace("\r\n ", "");
        let lines: Vec<&str> = whole.split("\r\n").collect();
        assert!(lines.iter().all(|line| !line.contains(['\r', '\n'])), "{text:?}");
        let of = |start: &str| lines.iter().filter(|line| line.starts_with(start)).count();
        assert_eq!((of("BEGIN:VEVENT"), of("END:VEVENT"), of("END:VCALENDAR")), (1, 1, 1), "{text}");
        // The reminder comes from this program, and contains the name of the event.
        assert_eq!(
            (of("BEGIN:VALARM"), of("ACTION:DISPLAY"), of("ATTENDEE"), of("SUMMARY"), of("DESCRIPTION")),
            (1, 1, 0, 1, 2),
            "{text}"
        );
        let told = lines.iter().find_map(|line| line.strip_prefix("DESCRIPTION:")).unwrap();
        let plain = told.replace("\\,", ",").replace("\\;", ";").replace("\\\\", "\\");
        // After the names come the advice about the address, and the link to the task's page.
        let [names_told, .., link] = &plain.split("\\n").collect::<Vec<_>>()[..] else { panic!("{text}") };
        assert!(link.ends_with(&format!("/schedule/{id}")), "{text}");
        let words = |name: &&str| name.split_whitespace().collect::<Vec<_>>().join(" ");
        let expected = names.iter().map(words).collect::<Vec<_>>().join("、");
        assert_eq!(*names_told, expected, "{text}");
    }
}

// spec: 10.8.15
async fn old_hourly_counts_are_deleted(s: Stage) {
    let (person, id) = crate::operator::watched(&s, "lin").await;
    s.run_for(TimeDelta::hours(2)).await;
    let count = async || {
        let mut tx = s.app.db.read().await.unwrap();
        let old = chrono::DateTime::UNIX_EPOCH;
        store::seen::portal_hours(&mut tx, old).await.unwrap().len()
    };
    let hours = count().await;
    assert!(hours > 1);
    s.wait(60 * 60 * 24 * 89);
    server::run::housekeeping_round(&s.app).await.unwrap();
    assert_eq!(count().await, hours, "a page over 90 days has all of them");
    let journal = s.get(&format!("/schedules/{id}/journal"), &s.again(&person).await).await.data().clone();
    assert!(journal["entries"].to_string().contains("\"looks\""));
    s.wait(60 * 60 * 24 * (store::forget::HOURS_DAYS - 88));
    server::run::housekeeping_round(&s.app).await.unwrap();
    assert_eq!(count().await, 0);
    // Entries other than hourly polls remain, such as the task's actions and its count of polls.
    let person = s.again(&person).await;
    assert!(s.status(&person, &id).await["engine"]["checks"].as_i64() > Some(0));
    let journal = s.get(&format!("/schedules/{id}/journal"), &person).await.data().clone();
    assert!(journal["entries"].to_string().contains("\"submitted\""));
}

// spec: 10.8.17
/// Checks that the server ends if one of its loops ends. Otherwise pages would work while no loop
/// polls, books or notifies.
async fn the_server_stops_if_a_background_loop_panics(s: Stage) {
    let mut app = s.app.clone();
    let broken = domain::clock::Clock::new(|| panic!("panic planted by this story"));
    let context = engine::Context { portal_time: broken, ..s.app.engine.context().clone() };
    app.engine = engine::Engine::new(context);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let stop = tokio_util::sync::CancellationToken::new();
    let serving = tokio::spawn(server::run::serve(app, listener, stop));
    let ended = tokio::time::timeout(std::time::Duration::from_secs(30), serving).await.unwrap().unwrap();
    assert!(matches!(ended, Err(server::run::StartError::Fell(_))), "{ended:?}");
}
