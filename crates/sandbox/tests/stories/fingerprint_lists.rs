//! Booking forms that require a fingerprint (ASC) appointment, and its lists.

use chrono::{Datelike, Days, Duration, NaiveDate};
use reqwest::Method;
use sandbox::{scenario::PASSWORD, world::country::COUNTRIES};
use serde_json::{Value, json};

use crate::client::{Client, Page, between, effects, fault, quiet, slot, with_groups};

/// Consulate and fingerprint place of Mexico City.
const MEXICO: (u32, u32) = (70, 82);

/// Requests fingerprint dates with this query. It needs no `&` at its end.
pub async fn asc_days(client: &mut Client, id: u64, asc: u32, query: &str) -> Vec<NaiveDate> {
    let path = format!("/schedule/{id}/appointment/days/{asc}.json?{query}&appointments[expedite]=false");
    let list: Value = serde_json::from_str(&client.json(&path).await.body).unwrap();
    let date = |day: &Value| day["date"].as_str().unwrap().parse().unwrap();
    list.as_array().unwrap().iter().map(date).collect()
}

/// Requests fingerprint times of a date with this query.
pub async fn asc_times(client: &mut Client, id: u64, asc: u32, date: NaiveDate, query: &str) -> Vec<String> {
    let path = format!(
        "/schedule/{id}/appointment/times/{asc}.json?date={date}&{query}&appointments[expedite]=false"
    );
    let list: Value = serde_json::from_str(&client.json(&path).await.body).unwrap();
    assert_eq!(list["available_times"], list["business_times"]);
    let time = |time: &Value| time.as_str().unwrap().to_owned();
    list["available_times"].as_array().unwrap().iter().map(time).collect()
}

/// Returns the query that names a consular slot, as the portal's own page writes it.
pub fn consular(consulate: impl std::fmt::Display, date: impl std::fmt::Display, time: &str) -> String {
    format!("&consulate_id={consulate}&consulate_date={date}&consulate_time={time}")
}

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Returns the options of a list of the form: value, the rest of the start tag, and text.
fn options(form: &Page, list: &str) -> Vec<(String, String, String)> {
    let list = between(&form.body, &format!("<select id=\"{list}\""), "</select>").unwrap();
    let read = |option: &str| {
        let (tag, rest) = option.split_once('>').unwrap();
        let (value, more) = tag.split_once('"').unwrap();
        (value.to_owned(), more.trim().to_owned(), rest.split('<').next().unwrap().to_owned())
    };
    list.split("<option value=\"").skip(1).map(read).collect()
}

#[tokio::test]
async fn a_form_in_mexico_offers_ten_consulates_and_ten_fingerprint_places() {
    let held = json!({"facility": 71, "date": "2027-08-02", "time": "08:15"});
    let (sandbox, _, id) = with_groups(json!([{"country": "mx", "appointment": held}])).await;
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    let home = ann.home().await;
    assert!(home.has("2 August, 2027, 08:15 Monterrey local time at Monterrey</p>"), "{}", home.body);
    let limit = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert!(limit.has("You have 3 remaining attempt(s)") && limit.has("| Mexico | English"));
    let form = ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1")).await;
    let consulates = options(&form, "appointments_consulate_appointment_facility_id");
    let numbers: Vec<&str> = consulates.iter().skip(1).map(|(value, ..)| value.as_str()).collect();
    assert_eq!(numbers, ["65", "66", "67", "68", "69", "70", "71", "72", "73", "74"]);
    assert!(
        consulates.iter().skip(1).all(|(_, more, _)| more.contains("data-collects-biometrics=\"false\""))
    );
    let places = options(&form, "appointments_asc_appointment_facility_id");
    assert_eq!(places[0], (String::new(), String::new(), String::new()));
    let numbers: Vec<&str> = places.iter().skip(1).map(|(value, ..)| value.as_str()).collect();
    assert_eq!(numbers, ["76", "77", "78", "79", "81", "82", "83", "84", "85", "86"]);
    assert!(places.iter().skip(1).all(|(.., name)| name.ends_with(" ASC")));
    let chosen: Vec<_> = places.iter().filter(|(_, more, _)| more == "selected").collect();
    assert_eq!(chosen, [&("83".to_owned(), "selected".to_owned(), "Monterrey ASC".to_owned())]);
    for piece in [
        "id=\"consulate-appointment-fields\"",
        "id=\"asc-appointment-fields\"",
        "class=\"toggle_biometic_collection\"",
        "id=\"asc_date_time_not_available\"",
        "id=\"appointments_asc_appointment_date\" name=\"appointments[asc_appointment][date]\"",
        "id=\"appointments_asc_appointment_time\" name=\"appointments[asc_appointment][time]\"",
    ] {
        assert!(form.has(piece), "{piece}: {}", form.body);
    }
    assert!(!form.has("asc_left"));
    fault(&sandbox, json!({"fault": "facility_missing", "facility": 83}));
    let form = ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1")).await;
    assert!(!form.has("Monterrey ASC") && form.has("Monterrey</option>"));
}

#[tokio::test]
async fn a_form_in_brazil_marks_consulates_that_collect_fingerprints() {
    let (sandbox, _, id) = with_groups(json!([{"country": "br"}])).await;
    let mut ann = Client::at(&sandbox, "/en-br/niv");
    ann.home().await;
    let form = ann.get(&format!("/schedule/{id}/appointment")).await;
    let collects = |more: &str| more.contains("data-collects-biometrics=\"true\"");
    let consulates = options(&form, "appointments_consulate_appointment_facility_id");
    let own = consulates.iter().skip(1).map(|(value, more, _)| (value.as_str(), collects(more)));
    let own: Vec<(&str, bool)> = own.collect();
    assert_eq!(own, [("54", false), ("128", true), ("57", true), ("55", false), ("56", false)]);
    let places = options(&form, "appointments_asc_appointment_facility_id");
    let names: Vec<&str> = places.iter().map(|(.., name)| name.as_str()).collect();
    assert_eq!(names, ["", "Brasilia ASC", "Rio de Janeiro ASC", "Sao Paulo ASC Unidade Vila Mariana"]);
    assert_eq!(places.iter().filter(|(_, more, _)| more == "selected").count(), 1);
}

#[tokio::test]
async fn fingerprint_dates_are_working_days_of_the_twelve_before_the_interview() {
    let (sandbox, _, id) = with_groups(json!([{"country": "mx"}])).await;
    let (consulate, asc) = MEXICO;
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    ann.home().await;
    let (mut without, first) = (0, day("2027-02-01"));
    for interview in first.iter_days().take(35).filter(|date| date.weekday().num_days_from_monday() < 5) {
        let list = asc_days(&mut ann, id, asc, &consular(consulate, interview, "08:00")).await;
        assert_eq!(list, asc_days(&mut ann, id, asc, &consular(consulate, interview, "")).await);
        without += usize::from(list.is_empty());
        let window = interview - Days::new(12)..interview;
        let expected = window.start.iter_days().take_while(|date| *date < window.end);
        let expected: Vec<_> = expected.filter(|date| date.weekday().num_days_from_monday() < 5).collect();
        assert!(list.is_empty() || list == expected, "{interview}: {list:?}");
    }
    assert_eq!(without, 5, "each fifth consular date has none");
}

#[tokio::test]
async fn the_nearest_two_consular_dates_have_no_fingerprint_date_and_no_date_is_past() {
    let (sandbox, hands, id) = with_groups(json!([{"country": "mx"}])).await;
    let (consulate, asc) = MEXICO;
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    for start in 0..5 {
        hands.set(crate::client::start_of_story() + chrono::Duration::days(start));
        ann.home().await;
        let today = day("2026-11-18") + Days::new(start as u64);
        let mut later = today.iter_days().skip(1).filter(|date| date.weekday().num_days_from_monday() < 5);
        for interview in later.by_ref().take(2) {
            let query = consular(consulate, interview, "08:00");
            assert_eq!(asc_days(&mut ann, id, asc, &query).await, [], "{interview}");
        }
        let mut found = 0;
        for interview in later.take(6) {
            let list = asc_days(&mut ann, id, asc, &consular(consulate, interview, "08:00")).await;
            assert!(list.iter().all(|date| *date > today && *date < interview), "{interview}: {list:?}");
            found += usize::from(!list.is_empty());
        }
        assert!(found >= 4, "{today}: {found}");
    }
}

#[tokio::test]
async fn lists_without_a_consular_slot_are_not_filtered() {
    let (sandbox, _, id) = with_groups(json!([{"country": "mx"}])).await;
    let (consulate, asc) = MEXICO;
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    ann.home().await;
    let all = asc_days(&mut ann, id, asc, "").await;
    assert!(all.len() > 40 && all[0] == day("2026-11-19"), "{all:?}");
    assert_eq!(all, asc_days(&mut ann, id, asc, &consular("", "", "")).await);
    let query = consular(consulate, "2027-01-14", "08:00");
    let few = asc_days(&mut ann, id, asc, &query).await;
    assert!(!few.is_empty() && few.len() < 10);
    let (mut counts, mut sets) = (Vec::new(), Vec::new());
    for date in few {
        let times = asc_times(&mut ann, id, asc, date, &query).await;
        let unfiltered = asc_times(&mut ann, id, asc, date, "").await;
        assert_eq!(unfiltered.len(), 32);
        assert!(times.iter().all(|time| unfiltered.contains(time)));
        let other = consular(consulate, "2027-01-14", "08:15");
        sets.push(times != asc_times(&mut ann, id, asc, date, &other).await);
        counts.push(times.len());
    }
    let average = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    assert!((26.0..=30.0).contains(&average), "{counts:?}");
    assert!(sets.contains(&true), "the times depend on the consular time");
    assert_eq!(asc_times(&mut ann, id, asc, day("2027-01-18"), &query).await, [] as [String; 0]);
}

#[tokio::test]
async fn a_stray_ampersand_and_another_consulate_number_change_no_list() {
    let (sandbox, _, id) = with_groups(json!([{"country": "co"}])).await;
    slot(&sandbox, 25, "2027-01-14", "08:00");
    let mut ann = Client::at(&sandbox, "/en-co/niv");
    ann.home().await;
    let query = consular(25, "2027-01-14", "08:00");
    let list = asc_days(&mut ann, id, 26, &query).await;
    assert!(!list.is_empty());
    assert_eq!(list, asc_days(&mut ann, id, 26, &query[1..]).await);
    assert_eq!(list, asc_days(&mut ann, id, 26, &consular(id, "2027-01-14", "08:00")).await);
    assert_eq!(ann.days(id, 25).await, json!([{"date": "2027-01-14", "business_day": true}]));
    assert_eq!(effects(&sandbox, "asc_days")[0]["looked"]["days"], json!(list.len()));
    assert_eq!(effects(&sandbox, "days").len(), 1, "fingerprint lists have their own kind");
    let times = asc_times(&mut ann, id, 26, list[0], &query).await;
    assert_eq!(effects(&sandbox, "asc_times")[0]["timed"]["times"], json!(times.len()));
}

#[tokio::test]
async fn the_fingerprint_places_of_a_consulate_are_an_object() {
    let (sandbox, _, id) = with_groups(json!([{"country": "br"}, {"schedule_id": 42}])).await;
    let mut ann = Client::at(&sandbox, "/en-br/niv");
    ann.home().await;
    let page = ann.json(&format!("/schedule/{id}/appointment/available_ascs/56.json")).await;
    let places: Value = serde_json::from_str(&page.body).unwrap();
    assert_eq!(
        places,
        json!({"58": "Brasilia ASC", "59": "Rio de Janeiro ASC", "60": "Sao Paulo ASC Unidade Vila Mariana"})
    );
    let other = ann.json(&format!("/schedule/{id}/appointment/available_ascs/94.json")).await;
    assert_eq!(other.body, "{}");
    let html = ann.get(&format!("/schedule/{id}/appointment/available_ascs/56.json")).await;
    assert_eq!(html.status, 404, "without the headers of the portal's page");
    let mut canadian = Client::new(&sandbox);
    canadian.home().await;
    let none = canadian.json("/schedule/42/appointment/available_ascs/94.json").await;
    assert_eq!(none.status, 404);
    assert_eq!(canadian.days(42, 82).await, json!([]), "a place of another country");
}

#[tokio::test]
async fn fingerprint_lists_are_hidden_like_others_and_need_a_session() {
    let (sandbox, _, id) = with_groups(json!([{"country": "do"}])).await;
    let mut ann = Client::at(&sandbox, "/en-do/niv");
    let path = format!("/schedule/{id}/appointment/days/139.json?{}", consular(138, "2027-01-14", "08:00"));
    assert_eq!(ann.json(&path).await.status, 401);
    ann.home().await;
    assert!(ann.json(&path).await.has("2027-01-"));
    let until = json!({"banned_until": "2027-01-01T00:00:00Z"});
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("{}/control/accounts/ann@example.com", sandbox.control_url());
    http.request(Method::PATCH, url).json(&until).send().await.unwrap();
    assert_eq!(ann.json(&path).await.body, "[]");
    assert_eq!(effects(&sandbox, "asc_days")[2]["looked"]["hidden"], "soft ban");
}

#[tokio::test]
async fn the_scenario_of_fingerprints_has_pairs_and_bookable_dates_in_every_country() {
    let (sandbox, hands) = quiet("fingerprints").await;
    hands.advance(Duration::hours(2));
    for (code, groups) in [("mx", 2), ("co", 2), ("br", 3), ("do", 2)] {
        let country = COUNTRIES.iter().find(|country| country.code == code).unwrap();
        let username = format!("{code}@example.com");
        let account = sandbox.ready().accounts.into_iter().find(|a| a.username == username).unwrap();
        assert_eq!(account.portal_schedule_ids.len(), groups);
        let (holder, id) = (account.portal_schedule_ids[0], account.portal_schedule_ids[1]);
        let (interview, asc) = sandbox.with_world(|w| {
            let group = &w.groups[&holder];
            (group.appointment.clone().unwrap(), group.asc.clone().unwrap())
        });
        assert!(asc.date < interview.date && country.asc_place(asc.facility).is_some(), "{code}");
        let mut client = Client::at(&sandbox, &format!("/en-{code}/niv"));
        client.sign_in(&username, PASSWORD).await;
        for (place, near) in country.facilities.iter().zip(country.asc.iter().cycle()) {
            let days = client.days(id, place.id).await;
            let days = days.as_array().unwrap().iter().map(|entry| entry["date"].as_str().unwrap());
            let mut with_asc = 0;
            for date in days.clone() {
                let query = consular(place.id, date, "09:20");
                with_asc += usize::from(!asc_days(&mut client, id, near.id, &query).await.is_empty());
            }
            let count = days.count();
            assert!(count >= 4 && with_asc >= 2, "{}: {with_asc} of {count}", place.name);
        }
    }
    assert_eq!(sandbox.ready().accounts.len(), 4);
}

#[tokio::test]
async fn a_fingerprint_list_begins_at_the_next_date_of_its_own_city() {
    let (sandbox, hands, id) = with_groups(json!([{"country": "mx"}])).await;
    // 1:00 in Mexico City and 23:00 on the previous date in Tijuana.
    hands.set("2026-11-19T07:00:00Z".parse().unwrap());
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    ann.home().await;
    for (asc, first) in [(82, "2026-11-20"), (86, "2026-11-19")] {
        assert_eq!(asc_days(&mut ann, id, asc, "").await[0], day(first));
        assert!(!asc_times(&mut ann, id, asc, day(first), "").await.is_empty());
    }
    assert_eq!(asc_times(&mut ann, id, 82, day("2026-11-19"), "").await, [] as [String; 0]);
}
