use serde_json::json;

use crate::client::{Client, booked_in_toronto, effects, fault, holds, slot, with_groups};
use chrono::Duration;

// spec: 10.6.04
#[tokio::test]
async fn a_reschedule_passes_the_limit_page_and_uses_one_attempt() {
    let (sandbox, _, id) = booked_in_toronto().await;
    slot(&sandbox, 92, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let actions = ann.get(&format!("/schedule/{id}/continue_actions")).await;
    assert!(actions.has("Reschedule Appointment") && actions.has("data-method=\"delete\""));
    let limit = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert!(limit.has("<h1 class=\"text\">Scheduling Limit Warning</h1>"));
    assert!(limit.has("There is a maximum number of 3 cancellations/reschedules permitted by this service. You have 3 remaining attempt(s) before you reach the limit."));
    let form =
        ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1&commit=Continue")).await;
    for piece in [
        "<body class=\"appointment new niv\">",
        "id=\"appointment-form\" class=\"formtastic appointments\"",
        "id=\"appointments_consulate_appointment_facility_id\"",
        "id=\"consulate_date_time_not_available\" class=\"display-none error\"",
        "name=\"use_consulate_appointment_capacity\"",
        "id=\"appointments_consulate_appointment_date\"",
        "id=\"appointments_consulate_appointment_time\"",
        "id=\"appointments_submit\" value=\"Reschedule\"",
    ] {
        assert!(form.has(piece), "{piece}");
    }
    ann.token = crate::client::between(&form.body, "name=\"authenticity_token\" value=\"", "\"").unwrap();
    let done = ann.book(id, 92, "2027-01-14", "08:00").await;
    assert!(done.has("<p class=\"notice\">You Have Successfully Scheduled Your Appointment</p>"));
    assert!(done.has("14 January, 2027, 08:00 Ottawa local time"));
    assert!(done.has(
        "You have until 10 January, 2027, 15:30 Ottawa local time to cancel or reschedule your appointment."
    ));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("92 2027-01-14 08:00"));
    assert!(ann.get(&format!("/schedule/{id}/appointment")).await.has("You have 2 remaining attempt(s)"));
    assert_eq!(ann.days(id, 92).await, json!([]), "the slot is booked");
}

#[tokio::test]
async fn a_family_selects_its_applicants_first() {
    let (sandbox, _, id) = with_groups(json!([{
        "applicants": ["ONE", "TWO", "THREE"], "appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}}])).await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let page =
        ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1&commit=Continue")).await;
    assert_eq!(page.body.matches("name=\"applicants[]\"").count(), 3);
    let people: Vec<u64> = sandbox.with_world(|w| w.groups[&id].applicants.iter().map(|a| a.id).collect());
    let chosen: String = people.iter().map(|p| format!("applicants%5B%5D={p}&")).collect();
    let form = ann
        .get(&format!("/schedule/{id}/appointment?{chosen}confirmed_limit_message=1&commit=Continue"))
        .await;
    assert!(form.has("appointment-form"));
    let narrow = serde_json::from_value(
        json!({"facility": 94, "date": "2027-01-14", "time": "08:00", "max_party": 2}),
    )
    .unwrap();
    sandbox.with_world(|w| w.add_slot(narrow));
    assert_eq!(ann.days(id, 94).await, json!([]), "a slot for two was shown to three applicants");
}

#[tokio::test]
async fn a_first_booking_needs_no_limit_page_and_uses_no_attempt() {
    let (sandbox, _, id) = with_groups(json!([{}])).await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    assert!(ann.home().await.has("Schedule Appointment"));
    assert!(
        ann.get(&format!("/schedule/{id}/appointment"))
            .await
            .has("id=\"appointments_submit\" value=\"Schedule\"")
    );
    assert!(ann.book(id, 94, "2027-01-14", "08:00").await.has("You Have Successfully Scheduled"));
    assert_eq!(sandbox.with_world(|w| w.groups[&id].attempts_left), 3);
}

#[tokio::test]
async fn a_refusal_differs_from_a_success_only_in_text_and_date() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let refused = ann.book(id, 94, "2027-01-14", "08:00").await;
    assert!(
        refused.has("Confirmation and Instructions")
            && refused.has("class=\"notice\"")
            && !refused.has("Successfully")
    );
    assert!(refused.has("Consular Section Interview Date:") && refused.has("2 August, 2027, 08:15"));
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "slot gone"})]);
}

#[tokio::test]
async fn a_stale_token_redirects_to_the_sign_in_page() {
    let (sandbox, _, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let stale = std::mem::take(&mut ann.token);
    ann.get("/users/sign_out").await;
    ann.home().await;
    ann.token = stale;
    let answer = ann.booking(id, 94, "2027-01-14", "08:00").send().await.unwrap();
    assert_eq!(answer.status(), 302);
    assert!(answer.headers()["location"].to_str().unwrap().ends_with("/users/sign_in"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-08-02 08:15"));
}

#[tokio::test]
async fn used_up_attempts_show_limit_reached_on_get_and_post() {
    let (sandbox, _, id) = booked_in_toronto().await;
    sandbox.with_world(|w| w.groups.get_mut(&id).unwrap().attempts_left = 0);
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let page = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert!(page.status == 200 && page.has("<h1>Limit Reached</h1>"));
    let post = ann.book(id, 94, "2027-01-14", "08:00").await;
    assert!(post.status == 200 && post.has("<h1>Limit Reached</h1>"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-08-02 08:15"));
}

#[tokio::test]
async fn cancelling_is_a_delete_at_the_same_url() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let delete = ann.request(reqwest::Method::POST, &format!("/schedule/{id}/appointment"));
    let delete = delete.form(&[("_method", "delete"), ("authenticity_token", ann.token.as_str())]);
    assert_eq!(delete.send().await.unwrap().status(), 302);
    assert_eq!(holds(&sandbox, id), None);
    assert_eq!(sandbox.with_world(|w| w.groups[&id].attempts_left), 2);
    assert!(effects(&sandbox, "cancel")[0].get("cancelled").is_some());
}

#[tokio::test]
async fn after_the_deadline_no_change_is_possible() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    slot(&sandbox, 94, "2027-07-31", "08:00");
    hands.set("2027-07-29T20:00:00Z".parse().unwrap());
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    ann.book(id, 94, "2027-07-31", "08:00").await;
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "past the change deadline"})]);
}

#[tokio::test]
async fn a_second_post_during_the_page_lag_replaces_the_first() {
    let (sandbox, hands, id) = booked_in_toronto().await;
    fault(&sandbox, json!({"fault": "groups_lag", "times": 2}));
    slot(&sandbox, 94, "2027-01-14", "08:00");
    slot(&sandbox, 94, "2027-01-13", "08:00");
    let mut ann = Client::new(&sandbox);
    let home = ann.home().await;
    assert!(home.has("2 August, 2027"));
    let groups = ann.get("/account").await.location;
    assert!(
        ann.book(id, 94, "2027-01-14", "08:00").await.has("14 January, 2027"),
        "the instructions show the new date"
    );
    hands.advance(Duration::seconds(119));
    assert!(ann.get(&groups).await.has("2 August, 2027"));
    hands.advance(Duration::seconds(1));
    assert!(ann.get(&groups).await.has("14 January, 2027"));
    ann.book(id, 94, "2027-01-13", "08:00").await;
    slot(&sandbox, 94, "2027-01-12", "08:00");
    ann.book(id, 94, "2027-01-12", "08:00").await;
    assert!(effects(&sandbox, "book")[2].get("reverted").is_some());
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-01-14 08:00"));
}

#[tokio::test]
async fn visiting_the_appointment_page_clears_selected_applicants() {
    let (sandbox, _, id) = with_groups(json!([{
        "applicants": ["ONE", "TWO"], "appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}}]))
    .await;
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    let people: Vec<u64> = sandbox.with_world(|w| w.groups[&id].applicants.iter().map(|a| a.id).collect());
    let chosen: String = people.iter().map(|p| format!("applicants[]={p}&")).collect();
    let chosen = format!("/schedule/{id}/appointment?{chosen}confirmed_limit_message=1&commit=Continue");
    let form = ann.get(&chosen).await;
    ann.token = crate::client::between(&form.body, "name=\"authenticity_token\" value=\"", "\"").unwrap();
    let token = ann.token.clone();
    ann.get(&format!("/schedule/{id}/appointment")).await;
    ann.token = token;
    let answer = ann.booking(id, 94, "2027-01-14", "08:00").send().await.unwrap();
    assert!(answer.headers()["location"].to_str().unwrap().ends_with("/users/sign_in"));
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "applicants not chosen"})]);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-08-02 08:15"));
    let form = ann.get(&chosen).await;
    ann.token = crate::client::between(&form.body, "name=\"authenticity_token\" value=\"", "\"").unwrap();
    assert!(ann.book(id, 94, "2027-01-14", "08:00").await.has("You Have Successfully Scheduled"));
}

#[tokio::test]
async fn a_manual_change_can_lag_on_groups_and_instructions_pages() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let mut ann = Client::new(&sandbox);
    sandbox.with_world(|w| w.config.lag.probability = 1.0);
    let new = serde_json::from_value(json!({"facility": 92, "date": "2027-01-14", "time": "08:00"})).unwrap();
    assert!(sandbox.with_world(|w| w.change_by_hand(id, Some(new), None)));
    assert!(ann.home().await.has("2 August, 2027, 08:15"));
    let instructions = format!("/schedule/{id}/appointment/instructions");
    assert!(ann.get(&instructions).await.has("14 January, 2027, 08:00"));
    sandbox.with_world(|w| w.config.lag.instructions = true);
    assert!(ann.get(&instructions).await.has("2 August, 2027, 08:15"));
    assert!(ann.get(&format!("/schedule/{id}/appointment")).await.has("You have 2 remaining attempt(s)"));
}

// spec: 10.2.23
#[tokio::test]
async fn a_form_expires_after_its_configured_lifetime() {
    for (after, held) in [(120, "94 2027-01-14 08:00"), (121, "94 2027-08-02 08:15")] {
        let (sandbox, hands, id) = booked_in_toronto().await;
        slot(&sandbox, 94, "2027-01-14", "08:00");
        sandbox.with_world(|w| w.config.form_lives_seconds = 120);
        let mut ann = Client::new(&sandbox);
        ann.home().await;
        let without = ann.booking(id, 94, "2027-01-14", "08:00").send().await.unwrap();
        assert!(
            without.headers()["location"].to_str().unwrap().ends_with("/users/sign_in"),
            "a form was shown without a session"
        );
        ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1&commit=Continue")).await;
        hands.advance(Duration::seconds(after));
        ann.book(id, 94, "2027-01-14", "08:00").await;
        assert_eq!(holds(&sandbox, id).as_deref(), Some(held), "after {after} s");
    }
}
