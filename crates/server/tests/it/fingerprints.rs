//! Stories of accounts whose booking form asks for a fingerprint appointment too, over the API.

use chrono::TimeDelta;
use sandbox::world::NewGroup;
use sandbox::world::country::Country;
use serde_json::{Value, json};

use crate::app::Person;
use crate::stage::{PORTAL_PASSWORD, Stage, at, configuration};

portal_stories!(
    a_pair_is_shown_booked_and_exported,
    a_calendar_file_has_an_event_in_each_zone_of_a_pair,
    conditions_for_the_fingerprints_are_checked_kept_and_shown,
);

/// Opens a country, and adds an account there that holds a pair. Returns the first verified group
/// and the portal's number of it.
async fn verified(s: Stage, letters: &str, consulate: u16, asc: u16) -> (Stage, Person, Value, u64) {
    let code = format!("en-{letters}");
    let opened = |settings: &mut server::config::Settings| {
        settings.countries = ["en-ca", code.as_str()].map(|code| code.parse().unwrap()).to_vec();
    };
    let s = s.restarted(opened).await.unwrap();
    let group = NewGroup {
        country: Country::with_code(letters),
        appointment: Some(at(consulate, "2027-08-17", "08:15")),
        asc: Some(at(asc, "2027-08-10", "07:30")),
        ..NewGroup::default()
    };
    let number = s.portal("ana", vec![group])[0];
    let person = s.payer("ana", 100_000).await;
    let login = json!({ "username": "ana@example.com", "password": PORTAL_PASSWORD, "country_code": code });
    let found = s.ok("POST", "/schedules/verify-credentials", &person, login).await;
    (s, person, found["schedules"][0].clone(), number)
}

async fn calendar(s: &Stage, person: &Person, id: &str) -> String {
    let path = format!("/schedules/{id}/appointment.ics?language=en");
    let call = crate::app::request("GET", &path, Some(person), None);
    let response = tower::ServiceExt::oneshot(s.router.clone(), call).await.unwrap();
    assert_eq!(response.status(), 200);
    let bytes = http_body_util::BodyExt::collect(response.into_body()).await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

async fn a_pair_is_shown_booked_and_exported(s: Stage) {
    let (s, person, found, number) = verified(s, "co", 25, 26).await;
    let held = json!({ "date": "2027-08-10", "time": "07:30", "city": "Bogota", "city_zh": "波哥大" });
    let appointment = &found["appointments"][0];
    assert_eq!((&appointment["fingerprints"], &appointment["selectable"]), (&held, &json!(true)));
    let id = found["id"].as_str().unwrap().to_owned();
    let mut body = configuration(&id, number);
    body["search_params"]["required_cities"] = json!(["Bogota ASC"]);
    let refused = s.call("POST", "/schedules/configure", Some(&person), Some(body.clone())).await;
    assert_eq!(refused.body["data"]["fields"], json!({ "required_cities": "unknown_city" }));
    body["search_params"]["required_cities"] = json!(["Bogota"]);
    s.ok("POST", "/schedules/configure", &person, body).await;
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;

    let place = sandbox::world::country::facility(26).unwrap();
    let days: Vec<_> = "2027-02-01".parse::<chrono::NaiveDate>().unwrap().iter_days().take(20).collect();
    let fits = |date: &&chrono::NaiveDate| {
        s.sandbox.with_world(|w| !w.has_no_asc(place, **date))
            && !["Sat", "Sun"].contains(&&*date.format("%a").to_string())
    };
    let date = days.iter().find(fits).unwrap().to_string();
    s.slot(25, &date, "09:15");
    s.run_for(TimeDelta::minutes(40)).await;
    let person = s.again(&person).await;
    let booked = s.status(&person, &id).await;
    let appointment = &booked["appointments"][0];
    assert_eq!(appointment["appointment_date"], json!(date), "{booked}");
    let asc = s.sandbox.with_world(|w| w.groups[&number].asc.clone()).unwrap();
    assert_eq!(appointment["fingerprints"]["date"], json!(asc.date));
    let success = &booked["success_history"][0];
    assert_eq!(success["fingerprints"], appointment["fingerprints"]);

    let file = calendar(&s, &person, &id).await;
    assert_eq!((file.matches("BEGIN:VEVENT").count(), file.matches("BEGIN:VTIMEZONE").count()), (2, 1));
    let begins = format!("DTSTART;TZID=America/Bogota:{}T", asc.date.format("%Y%m%d"));
    assert!(file.contains("SUMMARY:US visa fingerprints · Bogota") && file.contains(&begins), "{file}");
    let mails = s.mails().await;
    let mail = mails.iter().find(|(template, _, _)| template == "booked").expect("a mail");
    assert_eq!(mail.2["new"]["fingerprints"]["date"], json!(asc.date));
}

async fn a_calendar_file_has_an_event_in_each_zone_of_a_pair(s: Stage) {
    let (s, person, found, _) = verified(s, "mx", 65, 77).await;
    let file = calendar(&s, &person, found["id"].as_str().unwrap()).await;
    for line in [
        "DTSTART;TZID=America/Ciudad_Juarez:20270817T081500",
        "DTSTART;TZID=America/Mexico_City:20270810T073000",
        "TZID:America/Ciudad_Juarez",
        "TZID:America/Mexico_City",
        "SUMMARY:US visa interview · Ciudad Juarez",
        "SUMMARY:US visa fingerprints · Guadalajara",
    ] {
        assert!(file.contains(line), "{line}: {file}");
    }
    assert_eq!(file.matches("BEGIN:VTIMEZONE").count(), 2);
    let ids: std::collections::BTreeSet<_> = file.lines().filter(|line| line.starts_with("UID:")).collect();
    assert_eq!(ids.len(), 4, "each event and each reminder has an id of its own");
}

async fn conditions_for_the_fingerprints_are_checked_kept_and_shown(s: Stage) {
    let (s, person, found, number) = verified(s, "br", 54, 58).await;
    let id = found["id"].as_str().unwrap().to_owned();
    let mut body = configuration(&id, number);
    body["search_params"]["required_cities"] = json!(["Brasilia"]);
    let wrong = [
        (json!({ "min_days_before": 0 }), "out_of_range"),
        (json!({ "max_days_before": 61 }), "out_of_range"),
        (json!({ "min_days_before": 5, "max_days_before": 4 }), "end_before_start"),
        (json!({ "cities": ["Toronto"] }), "unknown_city"),
        (json!({ "cities": ["Toronto", "Recife", "Porto Alegre", "Lima"] }), "unknown_city"),
        (json!({ "cities": ["Brasilia ASC"] }), "unknown_city"),
        // Its consulate takes the fingerprints itself.
        (json!({ "cities": ["Recife"] }), "unknown_city"),
    ];
    for (asked, code) in wrong {
        body["search_params"]["fingerprints"] = asked.clone();
        let refused = s.call("POST", "/schedules/configure", Some(&person), Some(body.clone())).await;
        assert_eq!(refused.status, 422, "{asked}");
        assert_eq!(refused.body["data"]["fields"], json!({ "fingerprints": code }), "{asked}");
    }
    body["search_params"]["fingerprints"] = json!({ "cities": [] });
    let configured = s.ok("POST", "/schedules/configure", &person, body.clone()).await;
    assert_eq!(configured["schedule"]["schedule_config"]["search_params"]["fingerprints"], Value::Null);
    body["search_params"]["fingerprints"] =
        json!({ "cities": ["里约热内卢", "Brasilia", "Brasilia"], "max_days_before": 10 });
    let kept = json!({
        "cities": ["Rio de Janeiro", "Brasilia"], "min_days_before": null, "max_days_before": 10,
    });
    let configured = s.ok("POST", "/schedules/configure", &person, body.clone()).await;
    assert_eq!(
        configured["schedule"]["schedule_config"]["search_params"]["fingerprints"], kept,
        "{configured}"
    );
    // A client that does not know the field changes nothing of it.
    body["search_params"].as_object_mut().unwrap().remove("fingerprints");
    let configured = s.ok("POST", "/schedules/configure", &person, body.clone()).await;
    assert_eq!(configured["schedule"]["schedule_config"]["search_params"]["fingerprints"], kept);
    s.ok("POST", "/schedules/submit", &person, json!({ "schedule_ids": [id] })).await;
    let edit = json!({ "search_params": body["search_params"] });
    let edited = s.ok("PUT", &format!("/schedules/{id}"), &person, edit).await;
    assert_eq!(edited["schedule"]["schedule_config"]["search_params"]["fingerprints"], kept);
    s.wait(301);
    let cities = json!({ "required_cities": ["Sao Paulo"] });
    let refused = s.call("PUT", &format!("/schedules/{id}/facilities"), Some(&person), Some(cities)).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"));
    let mut edit = json!({ "search_params": body["search_params"] });
    edit["search_params"]["fingerprints"] = Value::Null;
    let refused = s.call("PUT", &format!("/schedules/{id}"), Some(&person), Some(edit)).await;
    assert_eq!(refused.error(), (403, "STEP_UP_REQUIRED"), "more may be booked without the conditions");

    let countries = s.ok("GET", "/facilities", &person, Value::Null).await;
    let countries = countries["countries"].as_array().unwrap();
    let gives = |code: &str| {
        let country = countries.iter().find(|country| country["code"] == code).unwrap();
        let cities = country["facilities"].as_array().unwrap().iter();
        cities.filter(|city| city["fingerprints"] == true).count()
    };
    assert_eq!(["en-ca", "en-co", "en-br", "en-mx"].map(gives), [0, 1, 3, 10]);
}
