//! Stories of digests: when they are sent, what they contain, and how they end.

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use domain::channel::EventKind;
use providers::channels::target::Target;
use sandbox::Mail;
use serde_json::{Value, json};
use server::workers::digests::round;

use crate::app::{Person, Reply};
use crate::notices::{deliver, delivery, linked, taken, telegram};
use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_digest_is_sent_once_each_morning,
    no_digest_is_sent_without_an_active_task_or_subscription,
    one_click_unsubscribes_from_digests_without_a_sign_in,
    a_user_who_never_chose_gets_a_weekly_digest_with_initials,
);

/// Time until the next morning. The clock of a story starts at 19:30 in Toronto.
const TO_THE_MORNING: TimeDelta = TimeDelta::minutes(12 * 60 + 30);

/// Sets the frequency of a user's digests; other settings keep their defaults.
async fn wants(s: &Stage, person: &Person, often: &str) {
    let setting = json!({
        "quiet_from": null, "quiet_to": null, "zone": "America/Toronto", "questions_at_night": false, "digest": often,
    });
    s.ok("PUT", "/user/notifications", person, setting).await;
}

async fn wanted(s: &Stage, person: &Person) -> Value {
    s.get("/user/channels", person).await.data()["setting"]["digest"].clone()
}

/// Prepares digests twice concurrently, like two processes, and sends them.
async fn look(s: &Stage) {
    let (one, other) = tokio::join!(round(&s.app), round(&s.app));
    one.unwrap();
    other.unwrap();
    deliver(&delivery(s, &s.sandbox.smtp_addr())).await;
}

/// Returns the digest mails that were sent.
fn digests(s: &Stage) -> Vec<Mail> {
    s.sandbox.mails().into_iter().filter(|mail| mail.subject.contains("查号")).collect()
}

fn header<'a>(mail: &'a Mail, name: &str) -> Option<&'a str> {
    let mut headers = mail.headers.iter();
    headers.find(|(of, _)| of.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

/// Requests a link of a mail, without a sign-in.
async fn follow(s: &Stage, method: &str, link: &str, body: &'static str) -> Reply {
    let path = link.strip_prefix(&s.app.settings.public_url).unwrap();
    let request = Request::builder().method(method).uri(path).header("accept-language", "en");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    s.send(request.body(Body::from(body)).unwrap()).await
}

// spec: 10.16.10
async fn a_digest_is_sent_once_each_morning(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    linked(&s, &person, &telegram(), &[EventKind::Digest]).await;
    linked(&s, &person, &Target::Bark { server: None, device_key: "phone-1".into() }, &[EventKind::Opening])
        .await;
    let task = s.submitted(&person, "lin").await;
    // The date is after the task's window, but early enough to be in the digest.
    s.slot(TORONTO, "2027-08-20", "09:15");
    wants(&s, &person, "daily").await;
    s.run_for(TimeDelta::minutes(30)).await;
    look(&s).await;
    assert!(digests(&s).is_empty(), "it is evening");
    s.wait(TO_THE_MORNING.num_seconds() - 30 * 60);
    look(&s).await;
    s.wait(3600);
    look(&s).await;
    let [mail] = &digests(&s)[..] else { panic!("one mail: {:?}", s.sandbox.mails()) };
    let text = mail.text.clone().unwrap();
    assert!(text.contains("L.") && text.contains("2027-08-20") && text.contains(&task), "{text}");
    assert!(!text.contains("LIN"), "{text}");
    let [message] = &taken(&s, "telegram")[..] else { panic!("one message") };
    let all = format!("{} {}", message.content.title, message.content.text);
    assert!(all.contains("2027-08-20") && !all.contains("LIN"), "{all}");
    assert!(taken(&s, "bark").is_empty(), "only over the chosen channel");
    s.wait(23 * 3600);
    look(&s).await;
    assert_eq!((digests(&s).len(), taken(&s, "telegram").len()), (2, 2), "the next morning");
    let person = s.again(&person).await;
    let page = s.get("/user/notifications", &person).await.data().clone();
    assert!(page["entries"].as_array().unwrap().iter().any(|entry| entry["event"] == "digest"), "{page}");
}

// spec: 10.16.10
async fn no_digest_is_sent_without_an_active_task_or_subscription(s: Stage) {
    let idle = s.person("idle").await;
    wants(&s, &idle, "daily").await;
    let busy = s.payer("lin", 50_00).await;
    let task = s.submitted(&busy, "lin").await;
    s.run_for(TimeDelta::minutes(2)).await;
    s.wait(TO_THE_MORNING.num_seconds());
    look(&s).await;
    assert!(digests(&s).is_empty(), "one user has no task, the other wants no digest");
    let busy = s.again(&busy).await;
    wants(&s, &busy, "weekly").await;
    s.plain("POST", &format!("/schedules/{task}/stop"), &busy).await;
    for _ in 0..8 {
        s.wait(24 * 3600);
        look(&s).await;
    }
    assert!(digests(&s).is_empty(), "no task is active any more");
}

// spec: 10.16.11
async fn one_click_unsubscribes_from_digests_without_a_sign_in(s: Stage) {
    let person = s.payer("lin", 50_00).await;
    s.submitted(&person, "lin").await;
    s.run_for(TimeDelta::minutes(2)).await;
    wants(&s, &person, "daily").await;
    s.wait(TO_THE_MORNING.num_seconds());
    look(&s).await;
    let [mail] = &digests(&s)[..] else { panic!("one mail") };
    assert_eq!(header(mail, "List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    let link = header(mail, "List-Unsubscribe").unwrap().trim_matches(['<', '>']).to_owned();
    assert!(mail.text.clone().unwrap().contains(&link));
    // Opening the link changes nothing, because mail programs open links as well.
    for _ in 0..3 {
        let page = follow(&s, "GET", &link, "").await;
        assert_eq!(page.status, 200);
        assert!(page.body.as_str().unwrap().contains("<form method=\"post\">"), "{:?}", page.body);
        assert_eq!(page.headers["x-robots-tag"], "noindex");
    }
    let person = s.again(&person).await;
    assert_eq!(wanted(&s, &person).await, "daily");
    let last = link.chars().last().unwrap();
    let forged = format!("{}{}", &link[..link.len() - 1], if last == '0' { '1' } else { '0' });
    assert_eq!(follow(&s, "POST", &forged, "List-Unsubscribe=One-Click").await.status, 404);
    assert_eq!(follow(&s, "POST", &link[..link.len() - 8], "").await.status, 404, "the token was cut off");
    assert_eq!(wanted(&s, &person).await, "daily");
    for _ in 0..2 {
        let ended = follow(&s, "POST", &link, "List-Unsubscribe=One-Click").await;
        assert_eq!(ended.status, 200);
        assert!(ended.body.as_str().unwrap().contains("The digest is off"));
    }
    assert_eq!(wanted(&s, &person).await, "off");
    s.wait(24 * 3600);
    look(&s).await;
    assert_eq!(digests(&s).len(), 1);
    // Other mails have no link to unsubscribe, and are still sent.
    let others = s.sandbox.mails().into_iter().filter(|mail| !mail.subject.contains("查号"));
    assert!(others.filter(|mail| header(mail, "List-Unsubscribe").is_some()).count() == 0);
}

// spec: 10.16.60, 10.16.61
async fn a_user_who_never_chose_gets_a_weekly_digest_with_initials(s: Stage) {
    let idle = s.person("idle").await;
    let (silent, off) = (s.payer("lin", 50_00).await, s.payer("wang", 50_00).await);
    let settings = s.get("/user/channels", &silent).await.data().clone();
    let shown = (&settings["setting"]["digest"], &settings["setting_chosen"]);
    assert_eq!(shown, (&json!("weekly"), &json!(false)));
    for (person, name) in [(&silent, "lin"), (&off, "wang")] {
        s.submitted(person, name).await;
    }
    wants(&s, &off, "off").await;
    assert_eq!(s.get("/user/channels", &off).await.data()["setting_chosen"], true);
    // The window ends on 2027-05-31. The appointments are later than this date.
    s.slot(TORONTO, "2027-06-04", "09:15");
    s.run_for(TimeDelta::minutes(30)).await;
    s.wait(TO_THE_MORNING.num_seconds() - 30 * 60);
    look(&s).await;
    assert!(digests(&s).is_empty(), "it is Wednesday");
    for _ in 0..5 {
        s.wait(24 * 3600);
        look(&s).await;
    }
    let [mail] = &digests(&s)[..] else { panic!("one mail: {:?}", s.sandbox.mails()) };
    assert!(mail.to.iter().any(|to| to.contains("lin")), "{:?}", mail.to);
    let text = mail.text.clone().unwrap();
    assert!(text.contains("最近七天") && text.contains("L.") && !text.contains("LIN"), "{text}");
    assert!(text.contains("见到的最早日期：2027-06-04 多伦多"), "{text}");
    assert!(text.contains("这个日期比您要的最晚日期晚 4 天。"), "{text}");
    let silent = s.again(&silent).await;
    assert_eq!(
        s.get("/user/channels", &silent).await.data()["setting_chosen"],
        false,
        "a digest is no choice"
    );
    for _ in 0..7 {
        s.wait(24 * 3600);
        look(&s).await;
    }
    let mails = digests(&s);
    assert_eq!(mails.len(), 2, "the next Monday");
    let link = header(&mails[0], "List-Unsubscribe").unwrap().trim_matches(['<', '>']).to_owned();
    assert_eq!(header(&mails[0], "List-Unsubscribe-Post"), Some("List-Unsubscribe=One-Click"));
    assert_eq!(follow(&s, "POST", &link, "List-Unsubscribe=One-Click").await.status, 200);
    let (silent, idle) = (s.again(&silent).await, s.again(&idle).await);
    assert_eq!((wanted(&s, &silent).await, wanted(&s, &idle).await), (json!("off"), json!("weekly")));
    for _ in 0..7 {
        s.wait(24 * 3600);
        look(&s).await;
    }
    assert_eq!(digests(&s).len(), 2);
}
