//! Booking of a consular and a fingerprint (ASC) appointment in one POST.

use chrono::NaiveDate;
use reqwest::Method;
use sandbox::{ManualClock, Sandbox};
use serde_json::{Value, json};

use crate::{
    client::{Client, Page, effects, holds, slot, with_groups},
    fingerprint_lists::{asc_days, asc_times, consular, day},
};

pub const BOOKED: &str = "You Have Successfully Scheduled Your Appointment";
const REFUSED: &str = "Your appointment could not be scheduled.";

/// Consular date of most stories. It has fingerprint dates.
pub const INTERVIEW: &str = "2027-01-14";

/// Fingerprint slot as the three fields of the form.
pub type Fields<'a> = [&'a str; 3];

/// Starts a world with a group in Colombia that has both appointments, and signs its account in.
pub async fn pair_in_bogota() -> (Sandbox, ManualClock, u64, Client) {
    let (sandbox, hands, id) = with_groups(json!([{
        "country": "co",
        "appointment": {"facility": 25, "date": "2027-08-03", "time": "08:15"},
        "asc": {"facility": 26, "date": "2027-07-30", "time": "07:15"},
    }]))
    .await;
    slot(&sandbox, 25, INTERVIEW, "08:00");
    let mut ann = Client::at(&sandbox, "/en-co/niv");
    ann.home().await;
    (sandbox, hands, id, ann)
}

/// Sends a booking POST with the given fingerprint fields, and follows its redirect.
pub async fn book(client: &mut Client, id: u64, consular: Fields<'_>, asc: Option<Fields<'_>>) -> Page {
    let token = client.token.clone();
    let mut form = vec![
        ("authenticity_token".to_owned(), token.as_str()),
        ("confirmed_limit_message".to_owned(), "1"),
        ("use_consulate_appointment_capacity".to_owned(), "true"),
        ("commit".to_owned(), "Reschedule"),
    ];
    for (kind, fields) in [("consulate", Some(consular)), ("asc", asc)] {
        let names = ["facility_id", "date", "time"].into_iter().zip(fields.into_iter().flatten());
        form.extend(names.map(|(name, value)| (format!("appointments[{kind}_appointment][{name}]"), value)));
    }
    let request = client.request(Method::POST, &format!("/schedule/{id}/appointment")).form(&form);
    let answer = request.send().await.unwrap();
    let answer = client.take(answer).await;
    assert_eq!(answer.status, 302, "{}", answer.body);
    assert!(answer.location.ends_with("/appointment/instructions"), "{}", answer.location);
    client.get(&answer.location).await
}

/// Returns the first fingerprint slot in the lists of a consular slot.
pub async fn first_asc(client: &mut Client, id: u64, asc: u32, query: &str) -> (NaiveDate, String) {
    let date = asc_days(client, id, asc, query).await[0];
    (date, asc_times(client, id, asc, date, query).await[0].clone())
}

/// Returns the fingerprint appointment of the group in the world, independently of any page.
pub fn holds_asc(sandbox: &Sandbox, id: u64) -> Option<String> {
    sandbox.with_world(|w| {
        let asc = w.groups[&id].asc.as_ref();
        asc.map(|a| format!("{} {} {}", a.facility, a.date, a.time.format("%H:%M")))
    })
}

/// Returns the changes of the fingerprint appointment in entries of one kind, oldest first.
pub fn asc_changes(sandbox: &Sandbox, kind: &str) -> Vec<Value> {
    sandbox.with_world(|w| {
        let entries = w.journal.after(0).iter().filter(|entry| entry.kind == kind);
        entries.map(|entry| json!(entry.asc)).collect()
    })
}

#[tokio::test]
async fn a_pair_is_booked_and_shown_with_the_words_of_both_cities() {
    let (sandbox, _, id) =
        with_groups(json!([{"country": "mx"}, {"country": "mx", "schedule_id": 42}])).await;
    slot(&sandbox, 74, INTERVIEW, "08:00");
    slot(&sandbox, 74, INTERVIEW, "08:30");
    let mut ann = Client::at(&sandbox, "/en-mx/niv");
    ann.home().await;
    assert_eq!(ann.days(id, 74).await[0]["date"], INTERVIEW);
    assert_eq!(ann.times(id, 74, INTERVIEW).await["available_times"], json!(["08:00", "08:30"]));
    // A fingerprint place may be in another city than the consulate.
    let (date, time) = first_asc(&mut ann, id, 82, &consular(74, INTERVIEW, "08:00")).await;
    let text = date.to_string();
    let page = book(&mut ann, id, ["74", INTERVIEW, "08:00"], Some(["82", &text, &time])).await;
    assert!(page.has(BOOKED) && page.has("14 January, 2027, 08:00 Tijuana local time"));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("74 2027-01-14 08:00"));
    assert_eq!(holds_asc(&sandbox, id), Some(format!("82 {date} {time}")));
    let slot = json!({"facility": 82, "date": date, "time": time});
    assert_eq!(asc_changes(&sandbox, "book"), [json!({"from": null, "to": slot})]);
    assert_eq!(sandbox.with_world(|w| json!(w.applied[0].asc)), json!({"from": null, "to": slot}));
    let home = ann.get("/account").await.location;
    let home = ann.get(&home).await;
    let printed = date.format("%-d %B, %Y");
    for piece in [
        "<p class=\"consular-appt\"><strong>Consular Appointment:</strong>\n14 January, 2027, 08:00 Tijuana local time at Tijuana</p>".to_owned(),
        format!("<p class=\"asc-appt\"><strong>ASC Appointment:</strong> {printed}, {time} Mexico City local time at Mexico City ASC</p>"),
    ] {
        assert!(home.has(&piece), "{piece}: {}", home.body);
    }
    // The fingerprint slot is taken now, also for another group.
    let other = consular(74, INTERVIEW, "08:30");
    assert!(!asc_times(&mut ann, 42, 82, date, &other).await.contains(&time));
    assert!(!asc_times(&mut ann, 42, 82, date, "").await.contains(&time));
    let page = book(&mut ann, 42, ["74", INTERVIEW, "08:30"], Some(["82", &text, &time])).await;
    assert!(page.has(REFUSED) && !page.has(BOOKED));
    assert_eq!(effects(&sandbox, "book")[1], json!({"refused": "fingerprint slot gone"}));
    assert_eq!((holds(&sandbox, 42), holds_asc(&sandbox, 42)), (None, None));
}

#[tokio::test]
async fn a_client_that_sends_its_schedule_id_as_the_consulate_can_book() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let query = consular(id, INTERVIEW, "08:00");
    let (date, time) = first_asc(&mut ann, id, 26, &query[1..]).await;
    let asc = ["26", &date.to_string(), &time];
    assert!(book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(asc)).await.has(BOOKED));
    assert_eq!(holds(&sandbox, id).as_deref(), Some("25 2027-01-14 08:00"));
    assert_eq!(holds_asc(&sandbox, id), Some(format!("26 {date} {time}")));
    let before = json!({"facility": 26, "date": "2027-07-30", "time": "07:15"});
    assert_eq!(asc_changes(&sandbox, "book")[0]["from"], before);
}

#[tokio::test]
async fn empty_fingerprint_fields_delete_the_fingerprint_appointment() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let page = book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(["", "", ""])).await;
    assert!(page.has(BOOKED), "{}", page.body);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("25 2027-01-14 08:00"));
    assert_eq!(holds_asc(&sandbox, id), None);
    let before = json!({"facility": 26, "date": "2027-07-30", "time": "07:15"});
    assert_eq!(asc_changes(&sandbox, "book"), [json!({"from": before, "to": null})]);
    let home = ann.get("/account").await.location;
    let home = ann.get(&home).await;
    assert!(home.has("consular-appt") && !home.has("asc-appt"));
}

#[tokio::test]
async fn missing_and_incomplete_fingerprint_fields_are_refused() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let page = book(&mut ann, id, ["25", INTERVIEW, "08:00"], None).await;
    assert!(page.has(REFUSED) && !page.has(BOOKED));
    // This client sends the place alone, without a value.
    ann.book(id, 25, INTERVIEW, "08:00").await;
    book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(["26", "", ""])).await;
    let missing = json!({"refused": "fingerprint fields missing"});
    let incomplete = json!({"refused": "fingerprint fields incomplete"});
    assert_eq!(effects(&sandbox, "book"), [missing.clone(), missing, incomplete]);
    assert_eq!(holds(&sandbox, id).as_deref(), Some("25 2027-08-03 08:15"));
    assert_eq!(holds_asc(&sandbox, id).as_deref(), Some("26 2027-07-30 07:15"));
    assert_eq!(sandbox.with_world(|w| w.slots.iter().count()), 1, "the consular slot stays");
}

#[tokio::test]
async fn a_fingerprint_slot_outside_the_lists_is_refused() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let query = consular(25, INTERVIEW, "08:00");
    let (date, _) = first_asc(&mut ann, id, 26, &query).await;
    let offered = asc_times(&mut ann, id, 26, date, &query).await;
    let unfiltered = asc_times(&mut ann, id, 26, date, "").await;
    let hidden = unfiltered.iter().find(|time| !offered.contains(time)).unwrap();
    let (first, time) = (date.to_string(), offered[0].as_str());
    let mut refused = 0;
    for asc in [
        ["26", "2027-01-14", time],
        ["26", "2027-01-01", time],
        ["26", "2027-01-15", time],
        ["26", &first, hidden],
        ["26", &first, "06:45"],
        ["25", &first, time],
        ["82", &first, time],
        ["58", &first, time],
    ] {
        let page = book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(asc)).await;
        assert!(page.has(REFUSED), "{asc:?}");
        refused += 1;
    }
    assert_eq!(effects(&sandbox, "book"), vec![json!({"refused": "fingerprint slot gone"}); refused]);
    assert_eq!(sandbox.with_world(|w| w.applied.len()), 0);
    let page = book(&mut ann, id, ["25", INTERVIEW, "08:00"], Some(["26", &first, time])).await;
    assert!(page.has(BOOKED));
}

#[tokio::test]
async fn a_consular_date_without_fingerprint_dates_needs_another_date() {
    let (sandbox, _, id, mut ann) = pair_in_bogota().await;
    let mut without = None;
    for date in day("2027-01-04").iter_days().take(5) {
        slot(&sandbox, 25, &date.to_string(), "08:00");
        if asc_days(&mut ann, id, 26, &consular(25, date, "08:00")).await.is_empty() {
            assert!(without.replace(date).is_none(), "one of five dates");
        }
    }
    let without = without.expect("one of five dates");
    let all = asc_days(&mut ann, id, 26, "").await;
    let near = all.into_iter().rfind(|date| *date < without).unwrap();
    let time = asc_times(&mut ann, id, 26, near, "").await[0].clone();
    let (without, any) = (without.to_string(), near.to_string());
    let page = book(&mut ann, id, ["25", &without, "08:00"], Some(["26", &any, &time])).await;
    assert!(page.has(REFUSED));
    assert_eq!(ann.times(id, 25, &without).await["available_times"], json!(["08:00"]));
    // The consular date alone can be booked there, as empty fields ask for no fingerprints.
    let page = book(&mut ann, id, ["25", &without, "08:00"], Some(["", "", ""])).await;
    assert!(page.has(BOOKED));
}

#[tokio::test]
async fn a_consulate_that_collects_fingerprints_ignores_the_fields_and_drops_the_appointment() {
    for asc in [None, Some(["58", "", ""]), Some(["58", "2027-01-11", "09:00"])] {
        let (sandbox, _, id) = with_groups(json!([{
            "country": "br",
            "appointment": {"facility": 54, "date": "2027-08-03", "time": "08:15"},
            "asc": {"facility": 58, "date": "2027-07-30", "time": "07:15"},
        }]))
        .await;
        slot(&sandbox, 57, INTERVIEW, "08:00");
        slot(&sandbox, 54, INTERVIEW, "08:00");
        let mut ann = Client::at(&sandbox, "/en-br/niv");
        ann.home().await;
        book(&mut ann, id, ["54", INTERVIEW, "08:00"], None).await;
        assert_eq!(holds_asc(&sandbox, id).as_deref(), Some("58 2027-07-30 07:15"), "Brasilia needs them");
        let page = book(&mut ann, id, ["57", INTERVIEW, "08:00"], asc).await;
        assert!(page.has(BOOKED) && page.has("14 January, 2027, 08:00 Recife local time"), "{asc:?}");
        assert_eq!(holds(&sandbox, id).as_deref(), Some("57 2027-01-14 08:00"));
        assert_eq!(holds_asc(&sandbox, id), None, "{asc:?}");
    }
}

#[tokio::test]
async fn a_cancellation_removes_both_appointments_and_frees_the_fingerprint_slot() {
    let (sandbox, hands, id, mut ann) = pair_in_bogota().await;
    hands.set("2027-07-20T15:00:00Z".parse().unwrap());
    ann.home().await;
    let taken = asc_times(&mut ann, id, 26, day("2027-07-30"), "").await;
    assert!(!taken.contains(&"07:15".to_owned()));
    let delete = ann.request(Method::POST, &format!("/schedule/{id}/appointment"));
    let delete = delete.form(&[("_method", "delete"), ("authenticity_token", ann.token.as_str())]);
    assert_eq!(delete.send().await.unwrap().status(), 302);
    assert_eq!((holds(&sandbox, id), holds_asc(&sandbox, id)), (None, None));
    assert!(effects(&sandbox, "cancel")[0].get("cancelled").is_some());
    assert_eq!(asc_changes(&sandbox, "cancel")[0]["from"]["date"], "2027-07-30");
    let free = asc_times(&mut ann, id, 26, day("2027-07-30"), "").await;
    assert_eq!(free.len(), taken.len() + 1);
    let home = ann.get("/account").await.location;
    assert!(!ann.get(&home).await.has("asc-appt"));
}
