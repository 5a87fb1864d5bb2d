//! Countries other than Canada that ask for no fingerprint appointments.

use chrono::Duration;
use reqwest::Method;
use sandbox::{Sandbox, journal::Effect, scenario::PASSWORD, world::country::COUNTRIES};
use serde_json::{Value, json};

use crate::client::{Client, Page, booked_in_toronto, effects, fault, holds, quiet, slot, with_groups};

const SERVICE: &str = "Official U.S. Department of State Visa Appointment Service";

fn days(list: &Value) -> usize {
    list.as_array().unwrap().len()
}

/// Returns the numbers of the facilities that a booking form offers.
fn offered(form: &Page) -> Vec<u32> {
    let from = form.body.find("<select id=\"appointments_consulate_appointment_facility_id\"").unwrap();
    let list = &form.body[from..from + form.body[from..].find("</select>").unwrap()];
    list.split("value=\"").filter_map(|part| part.split('"').next()?.parse().ok()).collect()
}

#[tokio::test]
async fn an_irish_group_is_read_and_booked_in_dublin() {
    let (sandbox, _, id) = with_groups(json!([{"country": "ie"}])).await;
    slot(&sandbox, 13, "2027-01-14", "08:00");
    slot(&sandbox, 13, "2027-01-14", "09:15");
    let mut ann = Client::at(&sandbox, "/en-ie/niv");
    let landing = ann.get("").await;
    assert!(landing.has("Apply for a U.S. Visa in Ireland") && landing.has("<html lang=\"en-ie\">"));
    assert!(landing.has("<li><a href=\"/en-ie/niv\">English</a></li>") && !landing.has("Français"));
    let home = ann.home().await;
    assert!(home.has(&format!("<title>Groups | {SERVICE} | Ireland | English</title>")));
    assert!(home.has(&format!("/en-ie/niv/schedule/{id}/continue_actions")));
    let form = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert_eq!(offered(&form), [13]);
    assert!(form.has(">Dublin</option>") && form.has("value=\"Schedule\"") && !form.has("asc_appointment"));
    assert_eq!(ann.days(id, 13).await, json!([{"date": "2027-01-14", "business_day": true}]));
    assert_eq!(ann.times(id, 13, "2027-01-14").await["available_times"], json!(["08:00", "09:15"]));
    let done = ann.book(id, 13, "2027-01-14", "09:15").await;
    assert!(done.has("You Have Successfully Scheduled"));
    assert!(done.has("14 January, 2027, 09:15 Dublin local time"));
    assert!(done.has("You have until 10 January, 2027, 15:30 Dublin local time"));
    let groups = ann.get("/account").await.location;
    assert!(ann.get(&groups).await.has("14 January, 2027, 09:15 Dublin local time at Dublin"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("13 2027-01-14 09:15"));
}

#[tokio::test]
async fn changes_in_ireland_have_no_limit_and_no_limit_page() {
    let appointment = json!({"facility": 13, "date": "2027-08-02", "time": "08:15"});
    let (sandbox, _, id) = with_groups(json!([
        {"country": "ie", "appointment": appointment},
        {"country": "ie", "appointment": appointment, "applicants": ["ONE", "TWO"]},
    ]))
    .await;
    let mut ann = Client::at(&sandbox, "/en-ie/niv");
    ann.home().await;
    for day in ["2027-07-01", "2027-06-01", "2027-05-03", "2027-04-01"] {
        slot(&sandbox, 13, day, "08:00");
        let form = ann.get(&format!("/schedule/{id}/appointment")).await;
        assert!(form.has("id=\"appointments_submit\" value=\"Reschedule\"") && !form.has("Limit"));
        assert!(ann.book(id, 13, day, "08:00").await.has("You Have Successfully Scheduled"));
    }
    let couple = sandbox.with_world(|w| *w.groups.keys().find(|other| **other != id).unwrap());
    let page = ann.get(&format!("/schedule/{couple}/appointment")).await;
    assert!(page.has("Select Applicants") && !page.has("Limit Warning"));
    // A limit can still be simulated.
    sandbox.with_world(|w| w.groups.get_mut(&id).unwrap().set_attempts_left(0));
    assert!(ann.get(&format!("/schedule/{id}/appointment")).await.has("<h1>Limit Reached</h1>"));
}

#[tokio::test]
async fn the_united_kingdom_offers_london_and_belfast() {
    let (sandbox, _, id) = with_groups(json!([{"country": "gb"}])).await;
    slot(&sandbox, 17, "2027-01-14", "08:00");
    slot(&sandbox, 16, "2027-01-15", "08:00");
    let mut ann = Client::at(&sandbox, "/en-gb/niv");
    assert!(ann.get("").await.has("Apply for a U.S. Visa in the United Kingdom"));
    ann.home().await;
    let form = ann.get(&format!("/schedule/{id}/appointment")).await;
    assert!(form.has(&format!("{SERVICE} | United Kingdom | English")));
    assert_eq!(offered(&form), [17, 16]);
    assert_eq!(ann.days(id, 17).await[0]["date"], "2027-01-14");
    assert_eq!(ann.days(id, 16).await[0]["date"], "2027-01-15");
    let payment = ann.get(&format!("/schedule/{id}/payment")).await;
    for cell in ["London", "14 January, 2027", "Belfast", "15 January, 2027"] {
        assert!(payment.has(&format!(">{cell}</td>")), "{cell}");
    }
    assert_eq!(payment.body.matches("<tr>").count(), 2);
    assert!(ann.book(id, 16, "2027-01-15", "08:00").await.has("15 January, 2027, 08:00 Belfast local time"));
}

#[tokio::test]
async fn peru_permits_two_changes() {
    let (sandbox, _, id) = with_groups(json!([{"country": "pe"}])).await;
    let mut ann = Client::at(&sandbox, "/en-pe/niv");
    ann.home().await;
    slot(&sandbox, 115, "2027-08-02", "08:15");
    assert!(ann.book(id, 115, "2027-08-02", "08:15").await.has("2 August, 2027, 08:15 Lima local time"));
    for (left, day) in [(2, "2027-07-01"), (1, "2027-06-01")] {
        slot(&sandbox, 115, day, "08:15");
        let limit = ann.get(&format!("/schedule/{id}/appointment")).await;
        assert!(limit.has("<h1 class=\"text\">Scheduling Limit Warning</h1>"));
        assert!(limit.has("There is a maximum number of 2 cancellations/reschedules"));
        assert!(limit.has(&format!("You have {left} remaining attempt(s)")) && limit.has("| Peru | English"));
        ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1&commit=Continue")).await;
        assert!(ann.book(id, 115, day, "08:15").await.has("You Have Successfully Scheduled"));
    }
    slot(&sandbox, 115, "2027-05-03", "08:15");
    assert!(ann.get(&format!("/schedule/{id}/appointment")).await.has("<h1>Limit Reached</h1>"));
    let post = ann.book(id, 115, "2027-05-03", "08:15").await;
    assert!(post.status == 200 && post.has("<h1>Limit Reached</h1>"));
    let delete = ann.request(Method::POST, &format!("/schedule/{id}/appointment"));
    let delete = delete.form(&[("_method", "delete"), ("authenticity_token", ann.token.as_str())]);
    assert_eq!(delete.send().await.unwrap().status(), 302);
    assert_eq!(effects(&sandbox, "cancel"), [json!({"refused": "limit reached"})]);
    assert!(!sandbox.with_world(|w| w.change_by_hand(id, None, None)));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("115 2027-06-01 08:15"));
}

#[tokio::test]
async fn spain_and_kenya_show_a_limit_page() {
    for (tree, facility, city) in [("/en-es/niv", 7, "Madrid"), ("/en-ke/niv", 104, "Nairobi")] {
        let appointment = json!({"facility": facility, "date": "2027-08-02", "time": "08:15"});
        let country = &tree[4..6];
        let (sandbox, _, id) = with_groups(json!([{"country": country, "appointment": appointment}])).await;
        let mut ann = Client::at(&sandbox, tree);
        assert!(ann.home().await.has(&format!("2 August, 2027, 08:15 {city} local time at {city}")));
        let limit = ann.get(&format!("/schedule/{id}/appointment")).await;
        assert!(
            limit.has("You have 3 remaining attempt(s)") && limit.has("name=\"confirmed_limit_message\"")
        );
        slot(&sandbox, facility, "2027-01-14", "08:00");
        assert!(ann.book(id, facility, "2027-01-14", "08:00").await.has("You Have Successfully Scheduled"));
        let limit = ann.get(&format!("/schedule/{id}/appointment")).await;
        assert!(limit.has("You have 2 remaining attempt(s)"));
    }
}

#[tokio::test]
async fn an_unknown_country_or_language_is_not_found() {
    let (sandbox, _, _) = booked_in_toronto().await;
    for locale in ["en-xx", "en-us", "es-pe", "fr-ie", "zh-ca", "en", "en-c", "EN-CA"] {
        for rest in ["", "/niv", "/niv/users/sign_in", "/iv/groups"] {
            let page = Client::at(&sandbox, "").get(&format!("/{locale}{rest}")).await;
            assert_eq!(page.status, 404, "/{locale}{rest}");
        }
    }
    assert_eq!(Client::at(&sandbox, "").get("/en-ke").await.location, "/en-ke/niv");
}

#[tokio::test]
async fn a_facility_of_another_country_has_no_dates_and_is_never_booked() {
    let (sandbox, _, id) = booked_in_toronto().await;
    slot(&sandbox, 13, "2027-01-14", "08:00");
    let mut ann = Client::new(&sandbox);
    ann.home().await;
    assert_eq!(ann.days(id, 13).await, json!([]));
    assert_eq!(ann.times(id, 13, "2027-01-14").await, json!({"available_times": [], "business_times": []}));
    let form = ann.get(&format!("/schedule/{id}/appointment?confirmed_limit_message=1")).await;
    assert_eq!(offered(&form), [89, 90, 91, 92, 93, 94, 95]);
    assert!(ann.book(id, 13, "2027-01-14", "08:00").await.has("could not be scheduled"));
    assert_eq!(effects(&sandbox, "book"), [json!({"refused": "slot gone"})]);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("94 2027-08-02 08:15"));
}

#[tokio::test]
async fn an_account_sees_only_the_groups_of_the_locale() {
    let (sandbox, _, canadian) = with_groups(json!([
        {"appointment": {"facility": 94, "date": "2027-08-02", "time": "08:15"}},
        {"country": "ie", "schedule_id": 42, "attempts": 1},
    ]))
    .await;
    slot(&sandbox, 13, "2027-01-14", "08:00");
    let irish = 42;
    for (tree, own, other) in
        [("/en-ca/niv", canadian, irish), ("/fr-ca/niv", canadian, irish), ("/en-ie/niv", irish, canadian)]
    {
        let mut ann = Client::at(&sandbox, tree);
        let home = ann.home().await;
        assert!(
            home.has(&format!("/schedule/{own}/")) && !home.has(&format!("/schedule/{other}/")),
            "{tree}"
        );
        for path in ["/continue_actions", "/appointment", "/payment", "/appointment/days/13.json"] {
            let page = ann.json(&format!("/schedule/{other}{path}")).await;
            assert_eq!(page.location, format!("{tree}/account"), "{tree} {path}");
        }
        ann.booking(other, 13, "2027-01-14", "08:00").send().await.unwrap();
    }
    let mut ann = Client::at(&sandbox, "/en-ke/niv");
    assert!(ann.home().await.has("You have no active applications."));
    assert_eq!(sandbox.with_world(|w| w.applied.len()), 0);
}

#[tokio::test]
async fn restricted_hours_exist_only_in_canada() {
    let (sandbox, hands, canadian) = with_groups(json!([
        {},
        {"country": "ie", "schedule_id": 42, "appointment": {"facility": 13, "date": "2027-08-02", "time": "08:15"}},
    ]))
    .await;
    sandbox.with_world(|w| w.config.restricted_hours = true);
    slot(&sandbox, 13, "2027-01-14", "08:00");
    slot(&sandbox, 94, "2027-01-14", "08:00");
    let (mut irish, mut ann) = (Client::at(&sandbox, "/en-ie/niv"), Client::new(&sandbox));
    for hour in 0..24 {
        hands.set(crate::client::start_of_story() + Duration::hours(hour));
        irish.home().await;
        assert_eq!(days(&irish.days(42, 13).await), 1, "hour {hour}");
        ann.home().await;
        assert_eq!(days(&ann.days(canadian, 94).await), 1, "an Irish appointment restricts Canadian hours");
    }
    fault(&sandbox, json!({"fault": "restricted_hours"}));
    assert_eq!(days(&irish.days(42, 13).await), 0);
}

#[tokio::test]
async fn a_lock_ends_at_a_local_time_of_the_country() {
    let (sandbox, _, _) = with_groups(json!([{"country": "ke"}])).await;
    fault(&sandbox, json!({"fault": "locked"}));
    let answer = Client::at(&sandbox, "/en-ke/niv").sign_in("ann@example.com", "pw").await;
    assert!(answer.has("Your account is locked until 19 November, 2026, 07:00:00 +03."), "{}", answer.body);
}

#[tokio::test]
async fn the_scenario_of_countries_has_slots_arrivals_and_faults_in_every_city() {
    let (sandbox, hands) = quiet("countries").await;
    hands.advance(Duration::hours(2));
    for country in COUNTRIES.iter().filter(|country| !country.is_canada() && country.asc.is_empty()) {
        let username = format!("{}@example.com", country.code);
        let account = sandbox.ready().accounts.into_iter().find(|a| a.username == username).unwrap();
        assert_eq!(account.country, country);
        let id = account.portal_schedule_ids[1];
        let mut client = Client::at(&sandbox, &format!("/en-{}/niv", country.code));
        client.sign_in(&username, PASSWORD).await;
        for place in country.facilities {
            assert!(days(&client.days(id, place.id).await) > 0, "{}", place.name);
            assert!(arrivals(&sandbox, place.id) > 5, "{}", place.name);
            let only = json!({"fault": "facility_missing", "facility": place.id, "times": 1});
            fault(&sandbox, json!({"fault": "phantom_dates", "times": 1}));
            let date = client.days(id, place.id).await[0]["date"].as_str().unwrap().to_owned();
            assert_eq!(client.times(id, place.id, &date).await["available_times"], json!([]));
            fault(&sandbox, only);
            let form = client.get(&format!("/schedule/{id}/appointment")).await;
            assert!(!offered(&form).contains(&place.id), "{}", place.name);
        }
    }
    assert_eq!(COUNTRIES[0].facilities.iter().map(|place| arrivals(&sandbox, place.id)).sum::<usize>(), 0);
}

fn arrivals(sandbox: &Sandbox, facility: u32) -> usize {
    let appeared = |effect: &Effect| match effect {
        Effect::Slot { slot, what } => what == "appeared" && slot.facility == facility,
        _ => false,
    };
    sandbox.with_world(|w| w.journal.after(0).iter().filter(|entry| appeared(&entry.effect)).count())
}
