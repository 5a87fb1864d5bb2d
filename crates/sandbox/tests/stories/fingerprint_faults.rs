//! Faults and manual changes that concern fingerprint (ASC) appointments.

use chrono::Duration;
use reqwest::Method;
use sandbox::World;
use serde_json::{Value, json};

use crate::{
    client::{Client, Page, effects, fault, holds, quiet, rustls_ring, slot, with_groups},
    fingerprint_booking::{BOOKED, INTERVIEW, asc_changes, book, first_asc, holds_asc, pair_in_bogota},
    fingerprint_lists::{asc_times, consular},
};

const OLD: &str = "3 August, 2027, 08:15 Bogota local time at Bogota</p>";
const OLD_ASC: &str = "30 July, 2027, 07:15 Bogota local time at Bogota ASC</p>";
const NEW: &str = "14 January, 2027, 08:00 Bogota local time at Bogota</p>";

async fn groups_page(client: &mut Client) -> Page {
    let home = client.get("/account").await.location;
    client.get(&home).await
}

/// Sends a control request and returns its status and JSON.
async fn call(sandbox: &sandbox::Sandbox, method: Method, path: &str, body: Value) -> (u16, Value) {
    let _ = rustls_ring();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.request(method, format!("{}{path}", sandbox.control_url())).json(&body);
    let answer = request.send().await.unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_burst_of_502_affects_only_the_fingerprint_lists() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    fault(&sandbox, json!({"fault": "asc_bad_gateway", "times": 3}));
    let query = consular(25, INTERVIEW, "08:00");
    let days = format!("/schedule/{id}/appointment/days/26.json?{query}");
    let times = format!("/schedule/{id}/appointment/times/26.json?date=2027-01-13{query}");
    for path in [&days, &times, &days] {
        assert_eq!(ann.days(id, 25).await[0]["date"], INTERVIEW);
        assert_eq!(ann.times(id, 25, INTERVIEW).await["available_times"], json!(["08:00"]));
        assert_eq!(ann.json(path).await.status, 502);
    }
    assert_eq!(ann.json(&days).await.status, 200, "the burst ends");
    fault(&sandbox, json!({"fault": "asc_bad_gateway", "on": "asc_times"}));
    assert_eq!(ann.json(&days).await.status, 200);
    assert_eq!(ann.json(&times).await.status, 502);
    sandbox.with_world(|w| w.remove_faults(None));
    assert_eq!(ann.json(&times).await.status, 200);
}

#[tokio::test]
async fn a_fingerprint_slot_can_be_taken_between_its_times_and_the_post() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let query = consular(25, INTERVIEW, "08:00");
    fault(&sandbox, json!({"fault": "steal_asc_slot", "times": 1}));
    let (date, time) = first_asc(&mut ann, id, 26, &query).await;
    let asc = ["26", &date.to_string(), &time];
    assert!(!book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(asc)).await.has(BOOKED));
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "fingerprint slot gone"})]);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("25 2027-08-03 08:15"));
    assert_eq!(asc_times(&mut ann, id, 26, date, "").await, [] as [String; 0]);
    // The consular slot is still free, and the next fingerprint date is too.
    let (later, time) = first_asc(&mut ann, id, 26, &query).await;
    assert!(later > date);
    let asc = ["26", &later.to_string(), &time];
    assert!(book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(asc)).await.has(BOOKED));
}

#[tokio::test]
async fn the_groups_page_can_lag_for_both_appointments_or_one() {
    for (injected, shows_old, shows_old_asc) in [
        (json!({"fault": "groups_lag", "times": 1}), true, true),
        (json!({"fault": "half_groups_lag", "of": "consular", "times": 1}), true, false),
        (json!({"fault": "half_groups_lag", "of": "asc", "seconds": 120, "times": 1}), false, true),
    ] {
        let (sandbox, hands, id, mut ann) = pair_in_bogota().await;
        fault(&sandbox, injected);
        let (date, time) = first_asc(&mut ann, id, 26, &consular(25, INTERVIEW, "08:00")).await;
        let asc = ["26", &date.to_string(), &time];
        book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(asc)).await;
        hands.advance(Duration::seconds(119));
        let home = groups_page(&mut ann).await;
        assert_eq!((home.has(OLD), home.has(NEW)), (shows_old, !shows_old), "{}", home.body);
        assert_eq!(home.has(OLD_ASC), shows_old_asc, "{}", home.body);
        let actions = ann.get(&format!("/schedule/{id}/continue_actions")).await;
        assert_eq!((actions.has(OLD), actions.has(OLD_ASC)), (shows_old, shows_old_asc));
        hands.advance(Duration::seconds(1));
        let home = groups_page(&mut ann).await;
        assert!(home.has(NEW) && !home.has(OLD) && !home.has(OLD_ASC));
    }
}

#[tokio::test]
async fn a_second_post_during_the_lag_restores_both_appointments() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    slot(&sandbox, 25, "2027-01-18", "08:00");
    fault(&sandbox, json!({"fault": "groups_lag", "times": 1}));
    book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(["", "", ""])).await;
    assert_eq!(holds_asc(&sandbox, id), None);
    book(&mut ann, id, ["25", "2027-01-18", "08:00"], Some(["", "", ""])).await;
    assert_eq!(holds(&sandbox, id).as_deref(), Some("25 2027-08-03 08:15"));
    assert_eq!(holds_asc(&sandbox, id).as_deref(), Some("26 2027-07-30 07:15"));
    assert_eq!(asc_changes(&sandbox, "book")[1]["to"]["date"], "2027-07-30");
}

#[tokio::test]
async fn a_card_can_show_a_fingerprint_appointment_alone() {
    let asc = json!({"facility": 26, "date": "2027-07-30", "time": "07:15"});
    let (alone, _, _) = with_groups(json!([{"country": "co", "asc": asc}])).await;
    let home = Client::at(&alone, "/en-co/niv").home().await;
    assert!(home.has(OLD_ASC) && !home.has("consular-appt") && home.has("<br>Schedule Appointment"));
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let only = fault(&sandbox, json!({"fault": "fingerprints_only", "group": id}));
    let home = groups_page(&mut ann).await;
    assert!(home.has(OLD_ASC) && !home.has("consular-appt"));
    assert_eq!(home.body.matches("asc-appt").count(), 1);
    sandbox.with_world(|w| w.remove_faults(Some(only)));
    let home = groups_page(&mut ann).await;
    assert!(home.has(OLD) && home.has(OLD_ASC));
}

#[tokio::test]
async fn the_control_api_creates_reads_moves_and_removes_a_fingerprint_appointment() {
    let (sandbox, _) = quiet("empty").await;
    let at = |facility: u32, date: &str| json!({"facility": facility, "date": date, "time": "07:15"});
    let group = |asc: Value| {
        json!({"username": "ann@example.com", "password": "pw", "country": "br", "groups": [
            {"schedule_id": 42, "appointment": at(54, "2027-08-03"), "asc": asc}]})
    };
    for wrong in [at(54, "2027-07-30"), at(26, "2027-07-30"), at(128, "2027-07-30"), at(1, "2027-07-30")] {
        assert_eq!(call(&sandbox, Method::POST, "/control/accounts", group(wrong)).await.0, 422);
    }
    let made = call(&sandbox, Method::POST, "/control/accounts", group(at(58, "2027-07-30"))).await;
    assert_eq!(made.0, 200, "{}", made.1);
    let source = |facility: u32| {
        json!({"pool": "B1/B2", "facility": facility, "mean_gap_seconds": 60.0, "at_marks": 0.5,
            "median_life_seconds": 60.0, "life_sigma": 1.0, "days_ahead": [1, 9], "burst": 1,
            "phantoms": 0.0, "rivals": 0.0})
    };
    for (place, accepted) in [(58, 422), (54, 200)] {
        let slot = call(&sandbox, Method::POST, "/control/slots", at(place, INTERVIEW)).await;
        let arrivals = call(&sandbox, Method::POST, "/control/sources", source(place)).await;
        assert_eq!((slot.0, arrivals.0), (accepted, accepted), "a fingerprint place has no such slots");
    }
    let patch = |body: Value| call(&sandbox, Method::PATCH, "/control/groups/42", body);
    assert_eq!(patch(json!({"asc": at(54, "2027-07-29")})).await.0, 422);
    assert_eq!(patch(json!({"appointment": at(58, "2027-07-29")})).await.0, 422, "no consulate");
    let (_, bookings) = call(&sandbox, Method::GET, "/control/bookings", Value::Null).await;
    assert_eq!(bookings["groups"][0]["asc"], at(58, "2027-07-30"));
    let (_, state) = call(&sandbox, Method::GET, "/control/state", Value::Null).await;
    assert_eq!(state["groups"]["42"]["asc"], at(58, "2027-07-30"));
    let page = reqwest::get(sandbox.control_url()).await.unwrap().text().await.unwrap();
    assert!(page.contains("Fingerprints: <strong>Brasilia ASC 2027-07-30 07:15</strong>"));
    let mut ann = Client::at(&sandbox, "/en-br/niv");
    assert!(ann.home().await.has("30 July, 2027, 07:15 Brasilia local time at Brasilia ASC"));
    assert_eq!(patch(json!({"asc": at(60, "2027-07-29")})).await.0, 204);
    let home = groups_page(&mut ann).await;
    assert!(home.has("29 July, 2027, 07:15 Sao Paulo local time at Sao Paulo ASC</p>"), "{}", home.body);
    assert!(home.has("3 August, 2027, 07:15 Brasilia local time at Brasilia</p>"));
    assert_eq!(patch(json!({"asc": null})).await.0, 204);
    assert!(!groups_page(&mut ann).await.has("asc-appt"));
    assert_eq!(
        asc_changes(&sandbox, "hand"),
        [
            json!({"from": at(58, "2027-07-30"), "to": at(60, "2027-07-29")}),
            json!({"from": at(60, "2027-07-29"), "to": null})
        ]
    );
}

#[tokio::test]
async fn a_user_can_change_a_pair_elsewhere() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let at = |facility: u32, date: &str| {
        Some(serde_json::from_value(json!({"facility": facility, "date": date, "time": "09:00"})).unwrap())
    };
    let change = |to, asc| sandbox.with_world(|w| w.change_pair_by_hand(id, to, asc, None));
    assert!(change(at(25, "2027-06-01"), at(26, "2027-05-28")));
    assert!(!change(at(25, "2027-06-01"), at(26, "2027-05-28")), "nothing would change");
    assert!(groups_page(&mut ann).await.has("28 May, 2027, 09:00 Bogota local time at Bogota ASC"));
    assert!(change(at(25, "2027-06-01"), at(26, "2027-05-27")));
    assert!(sandbox.with_world(|w| w.change_by_hand(id, at(25, "2027-06-02"), Some(60))));
    assert_eq!(holds_asc(&sandbox, id).as_deref(), Some("26 2027-05-27 09:00"), "it stays");
    assert!(sandbox.with_world(|w| w.change_by_hand(id, None, None)));
    assert_eq!((holds(&sandbox, id), holds_asc(&sandbox, id)), (None, None));
    let kinds: Vec<String> = effects(&sandbox, "hand")
        .iter()
        .map(|effect| effect.as_object().map_or("none".to_owned(), |o| o.keys().next().unwrap().clone()))
        .collect();
    assert_eq!(kinds, ["booked", "none", "booked", "cancelled"]);
    let dates: Vec<Value> =
        asc_changes(&sandbox, "hand").iter().map(|change| change["to"]["date"].clone()).collect();
    assert_eq!(dates, [json!("2027-05-28"), json!("2027-05-27"), json!("2027-05-27"), Value::Null]);
}

#[tokio::test]
async fn a_saved_world_keeps_pairs_and_taken_fingerprint_slots() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    fault(&sandbox, json!({"fault": "steal_asc_slot", "times": 1}));
    fault(&sandbox, json!({"fault": "half_groups_lag", "of": "asc"}));
    let query = consular(25, INTERVIEW, "08:00");
    let (stolen, _) = first_asc(&mut ann, id, 26, &query).await;
    let (date, time) = first_asc(&mut ann, id, 26, &query).await;
    book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(["26", &date.to_string(), &time])).await;
    let (before, after) = sandbox.with_world(|w| {
        let saved = serde_json::to_string(w).unwrap();
        let restored: World = serde_json::from_str(&saved).unwrap();
        (json!(w), json!(restored))
    });
    assert_eq!(before, after);
    assert_eq!(after["groups"][id.to_string()]["lag"]["half"], "asc");
    assert_eq!(after["groups"][id.to_string()]["asc"]["date"], json!(date));
    assert!(after["asc_taken"].as_array().unwrap().iter().all(|taken| taken["date"] == json!(stolen)));
    assert_eq!(after["applied"][0]["asc"]["to"]["date"], json!(date));
}
