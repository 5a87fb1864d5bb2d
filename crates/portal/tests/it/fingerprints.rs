//! Tests of forms and cards with a fingerprint (ASC) appointment, and of its lists.

use crate::booking::posted;
use crate::fixtures::fixture;
use crate::server::{Portal, say};
use domain::appointment::{Appointment, FingerprintSlot, Slot};
use domain::country::CountryCode;
use domain::country::city::CityId;
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::appointment::{AppointmentForm, Fingerprints, parse_form};
use portal::pages::groups;
use portal::{CannotFill, Meter, PageKind, PortalError, Purpose, Session};
use secrecy::SecretString;

const FIELDS: &str = r#"<fieldset id="asc-appointment-fields"><ol>
<li><select name="appointments[asc_appointment][facility_id]" id="appointments_asc_appointment_facility_id"><option value=""></option><option value="58">Brasilia ASC</option><option selected="selected" value="60">Sao Paulo ASC Unidade Vila Mariana</option></select></li>
<li><input readonly="readonly" type="text" name="appointments[asc_appointment][date]" id="appointments_asc_appointment_date" /></li>
<li><select name="appointments[asc_appointment][time]" id="appointments_asc_appointment_time"><option value=""></option></select></li>
</ol></fieldset>"#;
const BEGIN: &str = r#"<option value="89">Calgary"#;
const END: &str = "Vancouver</option>";

/// Returns the form of Brazil, with these fields for the fingerprint appointment.
fn page(fields: &str) -> String {
    let form = fixture("form.html");
    let (before, rest) = form.split_once(BEGIN).expect("the first city");
    let (_, after) = rest.split_once(END).expect("the last city");
    let cities = r#"<option data-collects-biometrics="false" value="54">Brasilia</option>
        <option data-collects-biometrics="true" value="128">Porto Alegre</option>
        <option data-collects-biometrics="false" value="56">Sao Paulo</option>"#;
    let form = format!("{before}{cities}{after}");
    form.replacen("<fieldset class=\"actions\">", &format!("{fields}<fieldset class=\"actions\">"), 1)
}

fn form(fields: &str) -> AppointmentForm {
    parse_form(&page(fields)).unwrap()
}

fn brazil() -> CountryCode {
    "en-br".parse().unwrap()
}

fn time(text: &str) -> chrono::NaiveTime {
    text.parse().unwrap()
}

fn interview(city: &str) -> Slot {
    let facility = FacilityId::in_country(brazil(), city).unwrap();
    Slot { facility, date: "2027-02-09".parse().unwrap(), time: time("09:15:00") }
}

fn pair(consulate: &str, place: &str) -> Appointment {
    let city = CityId::in_country(brazil(), place).unwrap();
    let slot = FingerprintSlot { city, date: "2027-02-05".parse().unwrap(), time: time("07:45:00") };
    Appointment { consular: interview(consulate), fingerprints: Some(slot) }
}

/// Returns the fields of the fingerprint appointment in the request that sends a filled form.
async fn sent(form: &AppointmentForm, target: &Appointment) -> Vec<(String, String)> {
    let all = posted(form.fill(target).unwrap()).await;
    all.into_iter().filter(|(name, _)| name.contains("asc_appointment")).collect()
}

#[test]
fn each_consulate_asks_for_fingerprints_as_its_option_shows() {
    let form = form(FIELDS);
    let asked = |city: &str| form.fingerprints_for(interview(city).facility);
    assert_eq!(["Brasilia", "Sao Paulo"].map(asked), [Fingerprints::Asked; 2]);
    assert_eq!(asked("Porto Alegre"), Fingerprints::AtConsulate);
    let places = form.fingerprint_places(brazil());
    let places: Vec<_> =
        places.iter().map(|(city, place)| (city.name(), place.id, place.is_preselected)).collect();
    assert_eq!(places, [("Brasilia", 58, false), ("Sao Paulo", 60, true)]);
    let without = parse_form(&page("")).unwrap();
    assert_eq!(without.fingerprints_for(interview("Brasilia").facility), Fingerprints::NotAsked);
}

#[test]
fn the_place_beside_the_consulate_is_taken_unless_others_are_wanted() {
    let form = form(FIELDS);
    let held = "en-br/Sao Paulo".parse().ok();
    let places = |consulate: &str, wanted: &[&str]| {
        let wanted: Vec<_> = wanted.iter().map(|city| format!("en-br/{city}").parse().unwrap()).collect();
        let places = form.fingerprint_places_for(interview(consulate).facility, held, &wanted);
        places.iter().map(|(city, _)| city.name()).collect::<Vec<_>>()
    };
    assert_eq!(places("Brasilia", &[]), ["Brasilia"]);
    assert_eq!(places("Rio de Janeiro", &[]), ["Sao Paulo"], "the preselected place");
    assert_eq!(places("Brasilia", &["Sao Paulo", "Recife", "Brasilia"]), ["Sao Paulo", "Brasilia"]);
    assert_eq!(places("Brasilia", &["Recife"]), Vec::<&str>::new());
}

#[tokio::test]
async fn the_pair_is_filled_in_and_no_field_of_it_is_ever_empty() {
    let both = sent(&form(FIELDS), &pair("Brasilia", "Sao Paulo")).await;
    let field =
        |name: &str, value: &str| (format!("appointments[asc_appointment][{name}]"), value.to_owned());
    assert_eq!(both, [field("facility_id", "60"), field("date", "2027-02-05"), field("time", "07:45")]);
    let hidden = r#"<input type="hidden" name="appointments[asc_appointment][date]" value="" />"#;
    let with_hidden = form(&format!("{FIELDS}{hidden}"));
    assert_eq!(sent(&with_hidden, &pair("Brasilia", "Sao Paulo")).await, both);
    assert_eq!(sent(&form(""), &interview("Brasilia").into()).await, []);
}

#[test]
fn a_form_is_never_filled_with_half_a_pair_or_an_unknown_way_to_choose_it() {
    let whole = pair("Brasilia", "Brasilia");
    let alone: Appointment = interview("Brasilia").into();
    let refused = |form: &AppointmentForm, target: &Appointment| form.fill(target).unwrap_err();
    assert_eq!(refused(&form(FIELDS), &alone), CannotFill::FingerprintsMissing);
    assert_eq!(refused(&form(""), &whole), CannotFill::FingerprintsNotOffered);
    assert_eq!(refused(&form(FIELDS), &pair("Brasilia", "Recife")), CannotFill::FingerprintsNotOffered);
    let at_consulate = [pair("Porto Alegre", "Brasilia"), interview("Porto Alegre").into()];
    for target in &at_consulate {
        assert_eq!(refused(&form(FIELDS), target), CannotFill::FingerprintsAtConsulate);
    }
    let second_place = FIELDS.replace("Sao Paulo ASC Unidade Vila Mariana", "Brasilia ASC Asa Norte");
    assert_eq!(refused(&form(&second_place), &whole), CannotFill::FingerprintsNotOffered);
    for unknown in [
        FIELDS.replace("[asc_appointment][time]", "[asc_appointment][hour]"),
        FIELDS.replace("[asc_appointment][date]", "[asc_appointment][day]"),
        FIELDS.replace("<option", "<b").replace("</option>", "</b>"),
        format!(
            "<div id='asc_left'><input type='hidden' name='appointments[consulate_appointment][x]'></div>{FIELDS}"
        ),
    ] {
        assert_ne!(unknown, FIELDS);
        for target in [&whole, &alone] {
            assert_eq!(refused(&form(&unknown), target), CannotFill::UnknownFingerprintFields);
        }
    }
    let box_to_tick =
        format!("<input type='checkbox' name='collect' id='collect_biometrics_at_consulate'>{FIELDS}");
    assert!(parse_form(&page(&box_to_tick)).is_err(), "an unknown question");
}

#[test]
fn a_card_shows_both_appointments_or_is_unreadable() {
    let page = fixture("groups_several.html");
    let line = "<p class='asc-appt'><strong>ASC Appointment:</strong> 3 January, 2028, 10:00 Toronto local time at Toronto ASC</p>";
    assert!(page.contains(line));
    let first = |page: &str| groups::parse(page).unwrap().swap_remove(0);
    let shown = first(&page).fingerprints.unwrap();
    assert_eq!((shown.facility_name.as_str(), shown.at.date.to_string().as_str()), ("Toronto", "2028-01-03"));
    assert_eq!(first(&page.replace(line, &line.repeat(2))).fingerprints, Some(shown), "for small screens");
    let capitals = line.replace("Toronto local time at Toronto ASC", "BOGOTA Hora Local at Bogota ASC");
    assert_eq!(first(&page.replace(line, &capitals)).fingerprints.unwrap().facility_name, "Bogota");
    assert_eq!(first(&page.replace(line, "")).fingerprints, None);
    let two = format!("{line}{}", line.replace("10:00", "11:00"));
    for odd in [two, line.replace(", 10:00", ""), line.replace(" 3 January, 2028, 10:00", "")] {
        assert_ne!(odd, line);
        assert!(first(&page.replace(line, &odd)).is_unreadable(), "{odd}");
    }
}

#[tokio::test]
async fn the_lists_are_requested_with_the_interview_before_which_they_are() {
    let portal = Portal::start(|request, _| match &request.path {
        path if path.contains("/days/") => say(200, r#"[{"date":"2027-02-05","business_day":true}]"#),
        _ => say(200, r#"{"available_times":["07:45"],"business_times":["07:45"]}"#),
    })
    .await;
    let opened = r#"{"v":1,"path":{"country":"en-br","visa_type":"niv"},"cookies":{"_yatri_session":"s"},"csrf":null,"home":null}"#;
    let session = Session::import(&SecretString::from(opened)).unwrap();
    let (meter, group) = (Meter::new(Purpose::Booking), PortalScheduleId("60000001".to_owned()));
    let client = &portal.client;
    let interview = interview("Brasilia");
    for _ in 0..2 {
        let days = client.fingerprint_days(&meter, &session, &group, 58, &interview).await.unwrap();
        assert_eq!(days, ["2027-02-05".parse().unwrap()]);
    }
    let day = "2027-02-05".parse().unwrap();
    let times = client.fingerprint_times(&meter, &session, &group, 58, day, &interview).await.unwrap();
    assert_eq!(times, [time("07:45:00")]);
    let base = "/en-br/niv/schedule/60000001/appointment";
    let context =
        "consulate_id=54&consulate_date=2027-02-09&consulate_time=09:15&appointments%5Bexpedite%5D=false";
    let days = format!("GET {base}/days/58.json?{context}");
    assert_eq!(
        portal.lines(),
        [days.clone(), days, format!("GET {base}/times/58.json?date=2027-02-05&{context}")]
    );
    let asked = portal.seen();
    assert!(
        asked.iter().all(|request| request.header("if-none-match").is_none()),
        "no ETag of another interview"
    );
}

#[tokio::test]
async fn an_unreadable_list_is_named_as_a_fingerprint_list() {
    let portal = Portal::start(|_, _| say(200, r#"{"dates":[]}"#)).await;
    let opened = r#"{"v":1,"path":{"country":"en-br","visa_type":"niv"},"cookies":{"_yatri_session":"s"},"csrf":null,"home":null}"#;
    let session = Session::import(&SecretString::from(opened)).unwrap();
    let (meter, group) = (Meter::new(Purpose::Booking), PortalScheduleId("60000001".to_owned()));
    let listed = portal.client.fingerprint_days(&meter, &session, &group, 58, &interview("Brasilia")).await;
    let none = Portal::start(|_, _| say(200, r#"{"error":"No appointments"}"#)).await;
    let empty = none.client.fingerprint_days(&meter, &session, &group, 58, &interview("Brasilia")).await;
    assert_eq!(empty, Ok(vec![]), "the portal's script reads an error as no dates");
    match listed {
        Err(PortalError::LayoutChanged(changed)) => assert_eq!(changed.page, PageKind::FingerprintDays),
        other => panic!("{other:?}"),
    }
}
