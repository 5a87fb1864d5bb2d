use reqwest::Method;
use sandbox::{Sandbox, journal::Effect};
use serde_json::{Value, json};

use crate::client::{Client, booked_in_toronto, quiet};

async fn call(sandbox: &Sandbox, method: Method, path: &str, body: Option<Value>) -> (u16, Value) {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.request(method, format!("{}{path}", sandbox.control_url()));
    let answer = match body {
        Some(body) => request.json(&body),
        None => request,
    }
    .send()
    .await
    .unwrap();
    let status = answer.status().as_u16();
    (status, serde_json::from_str(&answer.text().await.unwrap()).unwrap_or(Value::Null))
}

#[tokio::test]
async fn a_world_can_be_built_by_control_calls_only() {
    let (sandbox, _) = quiet("empty").await;
    let account = json!({"username": "ann@example.com", "password": "pw",
        "groups": [{"schedule_id": 42, "applicants": ["ANN"], "appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}}]});
    let (status, made) = call(&sandbox, Method::POST, "/control/accounts", Some(account.clone())).await;
    assert_eq!((status, &made["portal_schedule_ids"]), (200, &json!([42])));
    assert_eq!(call(&sandbox, Method::POST, "/control/accounts", Some(account)).await.0, 409);
    let slot = json!({"facility": 94, "date": "2027-01-14", "time": "08:00", "lifetime_seconds": 90});
    assert_eq!(call(&sandbox, Method::POST, "/control/slots", Some(slot)).await.0, 200);
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.days(42, 94).await.as_array().unwrap().len(), 1);
    let (_, clock) =
        call(&sandbox, Method::POST, "/control/clock", Some(json!({"advance_seconds": 90}))).await;
    assert_eq!(clock["now"], json!("2026-11-19T03:01:30Z"));
    assert_eq!(ann.days(42, 94).await, json!([]));
    let (_, polls) = call(&sandbox, Method::GET, "/control/journal?kind=days&after=0", None).await;
    assert_eq!(polls.as_array().unwrap().len(), 2);
    assert_eq!(polls[0]["effect"]["looked"]["days"], json!(1));
    let (_, state) = call(&sandbox, Method::GET, "/control/state", None).await;
    assert_eq!(state["accounts"]["ann@example.com"]["looks"], json!(2));
}

#[tokio::test]
async fn invalid_control_calls_are_refused_with_a_message() {
    let (sandbox, _, _) = booked_in_toronto().await;
    for (path, body) in [
        ("/control/faults", json!({"fault": "bad_gateway", "tims": 3})),
        ("/control/faults", json!({"fault": "nonsense"})),
        ("/control/slots", json!({"facility": 1, "date": "2027-01-14", "time": "08:00"})),
        ("/control/slots", json!({"facility": 94, "date": "tomorrow", "time": "08:00"})),
        ("/control/scenario", json!({"name": "nowhere"})),
        ("/control/config", json!({"ban": {"enable": true}})),
        ("/control/clock", json!({"advance_seconds": -5})),
        ("/control/clock", json!({"set": "2020-01-01T00:00:00Z"})),
    ] {
        let (status, answer) = call(&sandbox, Method::POST, path, Some(body)).await;
        assert!(status == 422 && answer != json!({}), "{path}: {status} {answer}");
    }
}

#[tokio::test]
async fn faults_config_groups_and_scenarios_change_at_run_time() {
    let (sandbox, _, id) = booked_in_toronto().await;
    let (_, made) =
        call(&sandbox, Method::POST, "/control/faults", Some(json!({"fault": "maintenance"}))).await;
    let mut ann = Client::new(&sandbox);
    assert_eq!(ann.get("/users/sign_in").await.status, 503);
    assert_eq!(call(&sandbox, Method::DELETE, &format!("/control/faults/{}", made["id"]), None).await.0, 204);
    ann.home().await;
    let (_, config) =
        call(&sandbox, Method::POST, "/control/config", Some(json!({"ban": {"enabled": true}}))).await;
    assert_eq!((&config["ban"]["enabled"], &config["ban"]["after_calls"]), (&json!(true), &json!(60)));
    call(&sandbox, Method::PATCH, &format!("/control/groups/{id}"), Some(json!({"appointment": null}))).await;
    let groups = ann.get("/account").await.location;
    assert!(ann.get(&groups).await.has("<br>Schedule Appointment"));
    call(&sandbox, Method::PATCH, "/control/accounts/ann@example.com", Some(json!({"end_sessions": true})))
        .await;
    assert!(ann.get(&groups).await.location.ends_with("/users/sign_in"));
    let (_, loaded) =
        call(&sandbox, Method::POST, "/control/scenario", Some(json!({"name": "pool:12"}))).await;
    assert_eq!(loaded["accounts"].as_array().unwrap().len(), 12);
}

#[tokio::test]
async fn the_demo_offers_a_better_slot_first_and_earlier_ones_later() {
    let (sandbox, hands) = quiet("demo").await;
    let lin = sandbox.ready().accounts.into_iter().find(|a| a.username == "linzhixia@example.com").unwrap();
    let mut client = Client::new(&sandbox);
    client.sign_in(&lin.username, &lin.password).await;
    let id = lin.portal_schedule_ids[0];
    let current = sandbox.with_world(|w| w.groups[&id].appointment.clone().unwrap());
    for facility in [94, 92, 91] {
        let days = client.days(id, facility).await;
        assert!(days[0]["date"].as_str().unwrap() < current.date.to_string().as_str());
    }
    hands.advance(chrono::Duration::minutes(30));
    let earlier = sandbox.with_world(|w| {
        let first = w.now.date_naive() + chrono::Duration::days(127);
        let appeared = |e: &&sandbox::journal::Entry| match &e.effect {
            Effect::Slot { slot, what } => {
                what == "appeared" && slot.date < first && [94, 92, 91].contains(&slot.facility)
            }
            _ => false,
        };
        w.journal.after(0).iter().filter(appeared).count()
    });
    assert!(earlier >= 5, "{earlier} in half an hour");
}

#[tokio::test]
async fn the_control_page_lists_logins_and_controls() {
    let (sandbox, _) = quiet("demo").await;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let page = http.get(sandbox.control_url()).send().await.unwrap().text().await.unwrap();
    for piece in [
        "linzhixia@example.com",
        sandbox::scenario::PASSWORD,
        "cut_after_apply",
        "Add a slot",
        &sandbox.portal_url(),
    ] {
        assert!(page.contains(piece), "{piece}");
    }
}

#[tokio::test]
async fn accounts_of_another_country_are_added_by_control_calls() {
    let (sandbox, _) = quiet("empty").await;
    let held = json!({"facility": 13, "date": "2027-08-02", "time": "08:15"});
    let account = |country: &str, groups: Value| json!({"username": format!("{country}@example.com"), "password": "pw", "country": country, "groups": groups});
    let both = json!([{"schedule_id": 41, "appointment": held}, {"schedule_id": 42, "country": "ca"}]);
    assert_eq!(call(&sandbox, Method::POST, "/control/accounts", Some(account("ie", both))).await.0, 200);
    for (country, group) in [
        ("xx", json!({})),
        ("IE", json!({})),
        ("gb", json!({"country": "xx"})),
        ("gb", json!({"appointment": held})),
        ("ca", json!({"appointment": held})),
        ("ie", json!({"country": "ca", "appointment": held})),
    ] {
        let body = account(country, json!([group]));
        let (status, answer) = call(&sandbox, Method::POST, "/control/accounts", Some(body)).await;
        assert!(status == 422 && answer["error"].is_string(), "{country}: {status} {answer}");
    }
    let ottawa = json!({"appointment": {"facility": 92, "date": "2027-08-02", "time": "08:15"}});
    let change = |id: u64| format!("/control/groups/{id}");
    assert_eq!(call(&sandbox, Method::PATCH, &change(41), Some(ottawa.clone())).await.0, 422);
    assert_eq!(call(&sandbox, Method::PATCH, &change(42), Some(ottawa)).await.0, 204);
    let left = json!({"attempts_left": 1});
    assert_eq!(call(&sandbox, Method::PATCH, &change(41), Some(left)).await.0, 204);
    let (_, state) = call(&sandbox, Method::GET, "/control/state", None).await;
    assert_eq!(state["groups"]["41"]["country"], "ie");
    assert_eq!(state["groups"]["41"]["attempts_left"], 1);
    assert_eq!(state["groups"]["42"].get("country"), None, "Canada is the default");
    let (_, ready) = call(&sandbox, Method::GET, "/control/ready", None).await;
    assert_eq!(ready["accounts"][0]["country"], "ie");
    let page = reqwest::get(sandbox.control_url()).await.unwrap().text().await.unwrap();
    for piece in [
        "<option value=\"ie\">Ireland</option>",
        "<optgroup label=\"Kenya\"><option value=\"104\">Nairobi</option></optgroup>",
        "<span class=\"tag\">Ireland</span>",
        "1 of 3 changes left",
        "/en-gb/niv",
    ] {
        assert!(page.contains(piece), "{piece}");
    }
}
