//! Tests of pages in languages that the client does not request.

use crate::fixtures::{OTHER_LANGUAGES, fixture};
use crate::server::{Portal, html};
use domain::ids::PortalScheduleId;
use portal::pages::appointment::{AppointmentPage, Limit};
use portal::pages::{appointment, groups};
use portal::{Meter, ParseKindError, PortalError, Purpose, Redactor, Secrets, Session, parse_kind};
use secrecy::SecretString;
use serde_json::json;

#[test]
fn every_page_of_another_language_parses_as_its_snapshot() {
    for (kind, names) in OTHER_LANGUAGES {
        for name in names {
            let json = parse_kind(kind, &fixture(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
            insta::assert_json_snapshot!(name.replace('.', "_"), json);
        }
    }
}

fn unknown(page: &str) -> Option<String> {
    match parse_kind("groups", page) {
        Err(ParseKindError::UnknownLanguage { name }) => Some(name),
        _ => None,
    }
}

#[test]
fn a_page_in_an_unknown_language_is_not_read() {
    let page = fixture("groups_ja_jp.html");
    assert_eq!(unknown(&page).as_deref(), Some("Japanese"));
    let message = parse_kind("groups", &page).unwrap_err().to_string();
    assert_eq!(message, "unknown language: Japanese; known: English Spanish Portuguese French Russian");
    let untitled = page.replace(" | Japan | Japanese", "");
    assert_eq!(unknown(&untitled).as_deref(), Some("ja"), "by the attribute");
    let unmarked = page.replace(" lang='ja'", "");
    assert_eq!(unknown(&unmarked).as_deref(), Some("Japanese"), "by the title");
    let bare = untitled.replace(" lang='ja'", "");
    assert_eq!(unknown(&bare).as_deref(), Some("ja"), "by the addresses");
    assert_eq!(unknown(&page.replace("'ja'", "'Ja-JP'").replace("Japanese", "J<b>")).as_deref(), Some("ja"));
}

#[test]
fn the_language_is_that_of_the_attribute_the_title_or_most_addresses() {
    let page = fixture("groups_ru_kz.html");
    let read = parse_kind("groups", &page).unwrap();
    let unmarked = page.replace(" lang='ru'", "");
    let untitled = page.replace(" | Kazakhstan | Russian", "");
    let variants = [
        unmarked.clone(),
        untitled.clone(),
        unmarked.replace(" | Kazakhstan | Russian", ""),
        // The portal may mark a page as English whose title names its language.
        page.replace("lang='ru'", "lang='en'"),
        page.replace("lang='ru'", "lang='ru-KZ'"),
    ];
    for variant in variants {
        assert_ne!(variant, page);
        assert_eq!(parse_kind("groups", &variant).unwrap(), read, "{variant}");
    }
    let english = untitled.replace("lang='ru'", "lang='en'");
    let read = parse_kind("groups", &english).unwrap();
    assert_eq!(read[0]["not_read"], json!(["all but portal_schedule_id"]));
}

#[test]
fn a_report_of_try_keeps_the_language() {
    let secrets = Secrets::default();
    for (kind, names) in OTHER_LANGUAGES {
        for name in names {
            let redacted = Redactor::new(40, &secrets).page(&fixture(name));
            let read = parse_kind(kind, &redacted);
            let is_unknown = matches!(read, Err(ParseKindError::UnknownLanguage { .. }));
            assert!(!is_unknown, "{name}: {read:?}\n{redacted}");
        }
    }
}

#[test]
fn each_month_is_read_in_each_language() {
    let months = [
        ("es", "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        ("pt", "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        ("fr", "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        ("ru", "январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь"),
        ("ru", "января февраля марта апреля мая июня июля августа сентября октября ноября декабря"),
    ];
    let page = fixture("groups_es_pe.html").replace(" | Peru | Spanish", "");
    for (language, names) in months {
        let page = page.replace("lang='es'", &format!("lang='{language}'"));
        for (month, name) in (1..).zip(names.split(' ')) {
            let page = page.replace("9 julio, 2027", &format!("9 {name}, 2027"));
            let read = parse_kind("groups", &page).unwrap();
            assert_eq!(read[0]["date"], format!("2027-{month:02}-09"), "{language} {name}");
        }
    }
}

#[test]
fn a_text_that_is_not_known_leaves_its_value_out() {
    let groups = parse_kind("groups", &fixture("groups_pt_br.html")).unwrap();
    assert_eq!(groups[0]["facility"], "Sao Paulo", "the name after the English word at");
    assert_eq!(groups[0]["fingerprints"]["city"], json!(null));
    assert_eq!(groups[0]["not_read"], json!(["fingerprints.city", "ivr_account_number"]));
    let form = fixture("form_pt_br.html").replace("Reagendar", "xxxx");
    assert_eq!(parse_kind("form", &form).unwrap()["not_read"], json!(["button"]));
    let limit = fixture("limit_ru_kz.html").replace("осталось", "xxxx");
    assert_eq!(parse_kind("limit", &limit).unwrap(), json!({ "remaining": null, "not_read": ["remaining"] }));
}

#[test]
fn a_damaged_page_of_another_language_is_not_read() {
    for (kind, names) in OTHER_LANGUAGES {
        for name in names {
            let page = fixture(name).replace("</body>\n</html>", "");
            let is_limit = name.starts_with("limit_reached");
            assert!(is_limit || parse_kind(kind, &page).is_err(), "{name}");
        }
    }
    let two = fixture("groups_ru_kz.html").replace("09:30", "09:30 15 октябрь, 2027, 09:30");
    let read = parse_kind("groups", &two).unwrap();
    assert_eq!(read[0]["not_read"], json!(["all but portal_schedule_id"]));
}

#[test]
fn a_busy_page_is_named() {
    let page = fixture("busy_pt_br.html");
    assert!(matches!(parse_kind("form", &page), Err(ParseKindError::Busy(_))));
    for (language, sentence) in
        [("es", "El sistema está ocupado"), ("fr", "Le système est surchargé"), ("en", "System is busy")]
    {
        let page = page.replace("O sistema está ocupado", sentence).replace("'pt'", &format!("'{language}'"));
        let page = page.replace(" | Brazil | Portuguese", "");
        assert!(matches!(parse_kind("form", &page), Err(ParseKindError::Busy(_))), "{language}");
    }
}

/// The client requests English pages. A page whose values need the texts of another language is an
/// unread page for it.
#[tokio::test]
async fn the_client_reads_no_page_with_texts_of_another_language() {
    for name in ["groups_pt_br.html", "groups_ru_kz.html", "groups_ja_jp.html"] {
        let read = groups::parse(&fixture(name)).unwrap_or_default();
        assert!(read.iter().all(|group| group.appointment.is_none()), "{name}: {read:?}");
    }
    let opened = r#"{"v":1,"path":{"country":"en-kz","visa_type":"niv"},"cookies":{"_yatri_session":"s"},"csrf":null,"home":null}"#;
    let session = Session::import(&SecretString::from(opened)).unwrap();
    let (meter, group) = (Meter::new(Purpose::Booking), PortalScheduleId("60000041".to_owned()));
    for name in ["limit_es_pe.html", "limit_reached_es_pe.html", "form_pt_br.html", "form_ru_kz.html"] {
        assert!(appointment::parse(&fixture(name)).is_err(), "{name}");
        let portal = Portal::start(move |_, _| html(fixture(name))).await;
        let read = portal.client.appointment_page(&meter, &session, &group).await;
        assert!(matches!(read, Err(PortalError::LayoutChanged(_))), "{name}: {read:?}");
    }
    // In Kazakhstan the text under the English title is Russian.
    let limit = appointment::parse(&fixture("limit_ru_kz.html")).unwrap();
    assert_eq!(limit, AppointmentPage::Limit(Limit { remaining: 2 }));
}
