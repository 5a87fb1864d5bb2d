use sandbox::{Clock, ManualClock, Options};
use serde_json::json;

use crate::client::{Client, holds, slot, start_of_story};

fn options(folder: &std::path::Path) -> Options {
    let clock = Clock::Manual(ManualClock::new(start_of_story()));
    Options { scenario: "quiet".to_owned(), data: Some(folder.to_owned()), clock, ..Options::default() }
}

// spec: 10.6.05
#[tokio::test]
async fn a_restart_resumes_the_world_journal_and_mail() {
    let folder = std::env::temp_dir().join(format!("sandbox-resume-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let first = sandbox::start(options(&folder)).await.unwrap();
    let sun = first.ready().accounts.into_iter().find(|a| a.username == "sunhaoran@example.com").unwrap();
    let id = sun.portal_schedule_ids[0];
    slot(&first, 94, "2027-01-14", "08:00");
    let mut client = Client::new(&first);
    client.sign_in(&sun.username, &sun.password).await;
    client.get("/account").await;
    client.get(&format!("/schedule/{id}/continue_actions")).await;
    client.book(id, 94, "2027-01-14", "08:00").await;
    let before = first.with_world(|w| w.journal.after(0).to_vec());
    let cookie = client.cookie.clone();
    first.shutdown().await.unwrap();

    let second = sandbox::start(options(&folder)).await.unwrap();
    assert_eq!(holds(&second, id).as_deref(), Some("94 2027-01-14 08:00"));
    assert_eq!(second.with_world(|w| w.journal.after(0).to_vec()), before);
    let mut client = Client::new(&second);
    client.cookie = cookie;
    assert_eq!(client.days(id, 94).await, json!([]), "the session and its cookie stay valid");
    second.shutdown().await.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
