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

#[tokio::test]
async fn a_restart_keeps_countries_and_reads_worlds_without_them() {
    let folder = std::env::temp_dir().join(format!("sandbox-countries-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let saved = || std::fs::read_to_string(folder.join("world.json")).unwrap();
    sandbox::start(options(&folder)).await.unwrap().shutdown().await.unwrap();
    assert!(!saved().contains("\"country\""), "a Canadian world has the format of older versions");

    let second = sandbox::start(options(&folder)).await.unwrap();
    assert!(second.with_world(|w| w.groups.values().all(|group| group.country.is_canada())));
    let account = json!({"username": "ann@example.com", "password": "pw", "country": "pe", "groups": [{}]});
    let account = serde_json::from_value(account).unwrap();
    let id = second.with_world(|w| w.add_account(account))[0];
    slot(&second, 115, "2027-01-14", "08:00");
    second.shutdown().await.unwrap();

    let third = sandbox::start(options(&folder)).await.unwrap();
    assert_eq!(third.with_world(|w| w.groups[&id].attempts_total), 2);
    let mut ann = Client::at(&third, "/en-pe/niv");
    assert!(ann.home().await.has("| Peru | English"));
    assert_eq!(ann.days(id, 115).await[0]["date"], "2027-01-14");
    third.shutdown().await.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
