use chrono::Duration;
use reqwest::Method;
use serde_json::json;

use crate::client::{Client, booked_in_toronto, effects, slot, with_groups};

#[tokio::test]
async fn dates_and_times_are_listed_with_raw_or_encoded_brackets() {
    let (sandbox, _, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2026-12-22", "09:30");
    slot(&sandbox, 94, "2026-12-22", "07:30");
    slot(&sandbox, 92, "2026-12-23", "07:30");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.days(id, 94).await, json!([{"date": "2026-12-22", "business_day": true}]));
    let encoded =
        ann.json(&format!("/schedule/{id}/appointment/days/94.json?appointments%5Bexpedite%5D=false")).await;
    assert_eq!(encoded.body, r#"[{"date":"2026-12-22","business_day":true}]"#);
    let times = ann.times(id, 94, "2026-12-22").await;
    assert_eq!(times, json!({"available_times": ["07:30", "09:30"], "business_times": ["07:30", "09:30"]}));
    assert_eq!(ann.times(id, 94, "2026-12-24").await, json!({"available_times": [], "business_times": []}));
}

#[tokio::test]
async fn json_without_its_headers_is_404_and_pages_need_no_user_agent() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let path = format!("/schedule/{id}/appointment/days/94.json");
    let no_header =
        ann.request(Method::GET, &path).header("Accept", "application/json").send().await.unwrap();
    let no_accept =
        ann.request(Method::GET, &path).header("X-Requested-With", "XMLHttpRequest").send().await.unwrap();
    assert_eq!((no_header.status().as_u16(), no_accept.status().as_u16()), (404, 404));
    let page = ann
        .request(Method::GET, &format!("/schedule/{id}/continue_actions"))
        .header("User-Agent", "")
        .send()
        .await
        .unwrap();
    assert_eq!(page.status(), 200);
}

#[tokio::test]
async fn a_known_etag_gives_304_and_is_shared_within_a_visa_class() {
    let (sandbox, _, id) = with_groups(json!([{}, {}, {"visa_class": "F-1 Student"}])).await;
    let ids: Vec<u64> = sandbox.with_world(|w| w.groups.keys().copied().collect());
    slot(&sandbox, 94, "2026-12-22", "09:30");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let mut tags = Vec::new();
    for id in &ids {
        let page = ann.json(&format!("/schedule/{id}/appointment/days/94.json")).await;
        tags.push(page.headers["etag"].to_str().unwrap().to_owned());
    }
    assert!(tags[0].starts_with("W/\"") && tags[0] == tags[1] && tags[1] != tags[2]);
    let again = ann.request(Method::GET, &format!("/schedule/{id}/appointment/days/94.json"));
    let again = again
        .header("X-Requested-With", "XMLHttpRequest")
        .header("Accept", "application/json")
        .header("If-None-Match", &tags[0]);
    let again = again.send().await.unwrap();
    assert_eq!(again.status(), 304);
    assert!(again.headers().contains_key("set-cookie"));
}

#[tokio::test]
async fn a_ban_empties_only_the_lists_of_its_account() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2026-12-22", "09:30");
    let other =
        serde_json::from_value(json!({"username": "bob@example.com", "password": "pw", "groups": [{}]}))
            .unwrap();
    let other = sandbox.with_world(|w| {
        w.config.ban.enabled = true;
        w.config.ban.after_calls = 5;
        w.add_account(other)[0]
    });
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    for call in 1..=6 {
        let seen = ann.days(id, 94).await.as_array().unwrap().len();
        assert_eq!(seen, usize::from(call < 5), "call {call}");
    }
    assert!(effects(&sandbox, "days").iter().any(|e| e.get("banned").is_some()));
    let mut bob = Client::new(&sandbox);
    bob.sign_in("bob@example.com", "pw").await;
    assert_eq!(bob.days(other, 94).await.as_array().unwrap().len(), 1);
    hands.advance(Duration::hours(13));
    ann.home().await;
    assert_eq!(ann.days(id, 94).await.as_array().unwrap().len(), 1, "the ban did not end");
}

#[tokio::test]
async fn restricted_hours_hide_dates_only_from_booked_accounts() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    sandbox.with_world(|w| w.config.restricted_hours = true);
    for facility in [94, 95] {
        slot(&sandbox, facility, "2026-12-22", "09:30");
    }
    let other =
        serde_json::from_value(json!({"username": "bob@example.com", "password": "pw", "groups": [{}]}))
            .unwrap();
    let other = sandbox.with_world(|w| w.add_account(other)[0]);
    let (mut ann, mut bob) = (Client::new(&sandbox), Client::new(&sandbox));
    ann.home().await;
    assert_eq!(ann.days(id, 94).await.as_array().unwrap().len(), 1, "22:00 in Toronto");
    hands.advance(Duration::hours(12) + Duration::minutes(30));
    ann.home().await;
    assert_eq!(ann.days(id, 94).await, json!([]), "10:30 in Toronto");
    bob.sign_in("bob@example.com", "pw").await;
    assert_eq!(bob.days(other, 94).await.as_array().unwrap().len(), 1, "not booked");
    assert_eq!(ann.days(id, 95).await, json!([]), "07:30 in Vancouver");
    hands.advance(Duration::hours(8) + Duration::minutes(45));
    ann.home().await;
    for facility in [94, 95] {
        assert_eq!(
            ann.days(id, facility).await.as_array().unwrap().len(),
            1,
            "19:15 in Toronto, 16:15 in Vancouver"
        );
    }
}

#[tokio::test]
async fn a_phantom_shows_a_date_without_times_and_cannot_be_booked() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let phantom = serde_json::from_value(
        json!({"facility": 94, "date": "2026-12-22", "time": "09:30", "phantom": true}),
    )
    .unwrap();
    sandbox.with_world(|w| w.add_slot(phantom));
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.days(id, 94).await.as_array().unwrap().len(), 1);
    assert_eq!(ann.times(id, 94, "2026-12-22").await["available_times"], json!([]));
    sandbox.with_world(|w| w.config.null_times = true);
    assert_eq!(ann.times(id, 94, "2026-12-22").await["available_times"], json!([null]));
    assert!(ann.book(id, 94, "2026-12-22", "09:30").await.has("2 August, 2027"));
}

#[tokio::test]
async fn the_payment_page_shows_seven_cities_and_the_receipt() {
    let (sandbox, _, id) =
        with_groups(json!([{"status": "pay_visa_fee"}, {"fee_receipt": "2026-10-05"}])).await;
    slot(&sandbox, 94, "2027-01-06", "09:30");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let unpaid = ann.get(&format!("/schedule/{id}/payment")).await;
    assert!(
        unpaid.has("<h3 class=\"h4\">First Available Appointments</h3>")
            && unpaid.has("<table class=\"for-layout\">")
    );
    assert!(unpaid.has("6 January, 2027"));
    assert_eq!(unpaid.body.matches("No Appointments Available").count(), 6);
    assert!(ann.get(&format!("/schedule/{id}/continue")).await.location.ends_with("/payment"));
    let paid = sandbox.with_world(|w| *w.groups.keys().last().unwrap());
    assert!(ann.get(&format!("/schedule/{paid}/payment")).await.has("5 October, 2026"));
}

// spec: 10.6.04
#[tokio::test]
async fn the_payment_page_states_that_no_city_has_a_date() {
    let (sandbox, _, id) = with_groups(json!([{"status": "pay_visa_fee"}])).await;
    for (tree, sentence) in [
        (
            "/en-ca/niv",
            "There are no available appointments at this time. Please check back in a few days as the Consular Section will open more appointments.",
        ),
        ("/fr-ca/niv", "Il n'y a aucun rendez-vous disponible pour le moment."),
    ] {
        let mut ann = Client::at(&sandbox, tree);
        ann.home().await;
        let page = ann.get(&format!("/schedule/{id}/payment")).await;
        assert!(
            page.has(&format!("<h3 class=\"h4\">{sentence}")) && !page.has("for-layout"),
            "{}",
            page.body
        );
    }
    sandbox.with_world(|w| w.config.payment_table_when_none = true);
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let page = ann.get(&format!("/schedule/{id}/payment")).await;
    assert_eq!(page.body.matches("No Appointments Available").count(), 7);
}

#[tokio::test]
async fn equal_seeds_give_equal_sequences_of_slots() {
    let mut told = Vec::new();
    for _ in 0..2 {
        let (sandbox, hands) = crate::client::quiet("busy").await;
        hands.advance(Duration::hours(3));
        let mut lin = Client::new(&sandbox);
        let account =
            sandbox.ready().accounts.into_iter().find(|a| a.username == "linzhixia@example.com").unwrap();
        lin.sign_in(&account.username, &account.password).await;
        let mut seen = Vec::new();
        for _ in 0..20 {
            hands.advance(Duration::minutes(5));
            seen.push(lin.days(account.portal_schedule_ids[0], 94).await);
        }
        assert!(seen.iter().any(|list| list != &seen[0]), "the list did not change");
        let journal = sandbox.with_world(|w| {
            w.journal
                .after(0)
                .iter()
                .cloned()
                .map(|mut e| {
                    e.wall_time = None;
                    e
                })
                .collect::<Vec<_>>()
        });
        told.push((seen, journal));
    }
    assert!(told[0] == told[1]);
}

#[tokio::test]
async fn a_slot_is_not_offered_on_its_own_date() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2026-11-20", "09:30");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.days(id, 94).await.as_array().unwrap().len(), 1);
    hands.set("2026-11-20T05:01:00Z".parse().unwrap());
    ann.home().await;
    assert_eq!(ann.days(id, 94).await, json!([]), "00:01 in Toronto");
}
