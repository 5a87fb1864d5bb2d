//! Snapshots of the values parsed from each page, and variants found in real captures.

use crate::fixtures::{BY_KIND, fixture};
use portal::pages::{actions, appointment, groups, instructions, payment, sign_in_answer};
use portal::{LayoutChanged, ParseKindError, parse_kind};

// spec: 3.18, 3.19, 3.22, 3.23, 3.25, 4.3.01
#[test]
fn every_fixture_parses_as_its_snapshot() {
    for (kind, names) in BY_KIND {
        for name in names {
            let json = parse_kind(kind, &fixture(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
            insta::assert_json_snapshot!(name.replace('.', "_"), json);
        }
    }
}

#[test]
fn a_page_of_another_kind_does_not_parse() {
    for (kind, _) in BY_KIND {
        for (other, names) in BY_KIND {
            // Skip the pages of the kind itself.
            for name in names.iter().filter(|_| kind != other) {
                let read = parse_kind(kind, &fixture(name));
                assert!(read.is_err(), "{kind} read {name}: {read:?}");
            }
        }
    }
    assert_eq!(parse_kind("tea_leaves", ""), Err(ParseKindError::UnknownKind));
}

// spec: 1.13, 3.20
#[test]
fn typed_groups_contain_applicants_and_actions() {
    let groups = groups::parse(&fixture("groups_several.html")).unwrap();
    insta::assert_json_snapshot!("typed_groups_several", groups);
}

#[test]
fn attributes_classes_whitespace_and_tags_may_vary() {
    let page = fixture("groups_booked.html");
    let known = groups::parse(&page).unwrap();
    let variants = [
        page.replace(
            "class='application attend_appointment card success'",
            "data-x=1 id='a' class=\"card  success\n application   attend_appointment new\"",
        ),
        page.replace("1 November, 2027, 09:15", "\n  1&nbsp;November,\u{a0} 2027,\n\n09:15"),
        page.replace("local time at\nVancouver", "local time at Vancouver"),
        page.replace("local time at\nVancouver", "local time at <a href='/x'>Vancouver</a>"),
        page.replace("1 November, 2027, 09:15", "<span>1 November, 2027, 09:15</span>"),
        page.replace("Consular Appointment<span>&#58;</span>\n</strong>", "Consular Appointment:</strong>"),
        page.replace("<p class='consular-appt'>", "<div><p class=\"appt consular-appt\">"),
        page.replace("<!DOCTYPE html>\n<html class='no-js' lang='en'>", "").replace("</html>", ""),
    ];
    for variant in variants {
        assert_ne!(variant, page);
        assert_eq!(groups::parse(&variant).unwrap(), known, "{variant}");
    }
}

#[test]
fn ambiguous_pages_do_not_parse() {
    let page = fixture("groups_several.html");
    let line = "17 August, 2028, 07:30 Toronto local time at Toronto";
    let broken = [
        page.replace(line, ""),
        page.replace(line, "17 August, 2028 Toronto local time at Toronto"),
        page.replace(line, "17 August, 2028, 07:30"),
        page.replace(line, "17 August, 2028, 07:30 18 August, 2028, 07:30 Toronto local time"),
        page.replace("<p class='consular-appt'>", "<p class='consular-appt'></p><p class='consular-appt'>"),
        page.replace("<p class='consular-appt'>", "<p>"),
        page.replace("/schedule/60000002/", "/schedule/60000001/"),
        page.replacen("/schedule/60000001/", "/schedule/60000003/", 1),
        page.replace("<h4 class='status'>", "<h4>").replace("attend_appointment", ""),
        page.replace("</body>\n</html>\n", ""),
    ];
    for (at, text) in broken.iter().enumerate() {
        assert_ne!(text, &page);
        let read = groups::parse(text);
        let one_is_odd = |list: &[groups::Group]| list.iter().any(|group| !group.is_served());
        assert!(read.as_deref().map_or(true, one_is_odd), "variant {at}: {read:?}");
    }
}

#[test]
fn renamed_card_classes_count_as_a_changed_page() {
    let page = fixture("groups_several.html");
    let renamed = page.replace("class='application", "class='request");
    assert_ne!(renamed, page);
    assert_eq!(groups::parse(&renamed).unwrap_err().what, "links to schedules, but no application");
    let archive = page.split_once("<h3>Archived Groups</h3>").unwrap().1;
    let head = page.split_once("<div class='application").unwrap().0;
    assert_eq!(groups::parse(&format!("{head}<h3>Archived Groups</h3>{archive}")).unwrap(), []);
}

#[test]
fn archived_groups_are_excluded_in_any_position() {
    let page = fixture("groups_several.html");
    let current = groups::parse(&page).unwrap();
    let wrapped = page
        .replace("<h3>Archived Groups</h3>", "<div id='archived_groups'>")
        .replace("<footer>", "</div><footer>");
    assert_eq!(groups::parse(&wrapped).unwrap(), current);
    let (before, rest) = page.split_once("<div class='application attend").unwrap();
    let (now, archive) = rest.split_once("<h3>Archived Groups</h3>").unwrap();
    let (archive, after) = archive.split_once("<footer>").unwrap();
    let first = format!(
        "{before}<section><h3>Archived Groups</h3>{archive}</section><div class='application attend{now}<footer>{after}"
    );
    assert_eq!(groups::parse(&first).unwrap(), current);
}

#[test]
fn cancel_is_never_parsed_as_reschedule() {
    use actions::ActionKind::{Cancel, Reschedule, Schedule};
    let page = fixture("actions_booked.html");
    let read = actions::parse(&page).unwrap();
    assert_eq!(read.only(Reschedule).unwrap().method, "get");
    assert_eq!(read.only(Cancel).unwrap().href, read.only(Reschedule).unwrap().href);
    assert!(read.only(Schedule).is_none());
    // First a deleting link with the label "Reschedule Appointment", then the right address without
    // the label.
    let deletes = page.replace("Cancel Appointment", "Reschedule Appointment");
    assert_eq!(actions::parse(&deletes).unwrap().only(Reschedule).unwrap().method, "get");
    let unnamed = page.replace("'>Reschedule Appointment</a>", "'>Go</a>");
    assert!(actions::parse(&unnamed).unwrap().only(Reschedule).is_none());
}

#[test]
fn a_refusal_in_the_sign_in_script_overrides_a_location() {
    use sign_in_answer::SignInAnswer;
    for bad in ["sign_in_bad.js", "sign_in_locked.js", "sign_in_too_many.js", "sign_in_captcha.js"] {
        let both = format!("window.location.href=\"/en-ca/niv/account\";{}", fixture(bad));
        let read = sign_in_answer::parse(&both).unwrap();
        assert!(!matches!(read, SignInAnswer::SignedIn { .. }), "{bad}: {read:?}");
    }
    for script in [
        "window.location = '/en-ca/niv/groups/7'",
        "window.location.replace(\"\\/en-ca\\/niv\\/account\");",
        "Turbolinks.visit(\"/en-ca/niv/account\")",
        "if (window.location.hash) { go(); } window.location.href = '/en-ca/niv/account'",
    ] {
        assert!(matches!(sign_in_answer::parse(script).unwrap(), SignInAnswer::SignedIn { .. }), "{script}");
    }
    for script in [
        "",
        "alert('hello')",
        "window.location.reload()",
        "if (window.location.pathname == '/en-ca/niv') { go(); }",
        "if (window.location == '/en-ca/niv') { go(); }",
        "window.location.href=\"/en-ca/niv/users/sign_in\"",
    ] {
        assert!(sign_in_answer::parse(script).is_err(), "{script}");
    }
}

#[test]
fn flash_messages_are_classified_in_three_languages() {
    use instructions::FlashTone::{Booked, Refused, Unknown};
    let tone = |name: &str| instructions::parse(&fixture(name)).unwrap().tone();
    assert_eq!(tone("instructions_booked.html"), Some(Booked));
    assert_eq!(tone("instructions_booked_fr.html"), Some(Booked));
    assert_eq!(tone("instructions_refused.html"), Some(Refused));
    assert_eq!(tone("instructions_refused_es.html"), Some(Refused));
    assert_eq!(tone("instructions_no_flash.html"), None);
    let odd = fixture("instructions_booked.html")
        .replace("You Have Successfully Scheduled Your Appointment", "Thank you");
    assert_eq!(instructions::parse(&odd).unwrap().tone(), Some(Unknown));
}

#[test]
fn a_page_without_first_dates_must_state_that_there_are_none() {
    const NONE: &str = "<p>There are no available appointments at this time.</p>";
    const TITLE: &str = "<h3 class='h4'>First Available Appointments</h3>";
    const TABLE: &str = "<table class='other'><tr><td>Calgary</td><td>6 November, 2026</td></tr></table>";
    let read = |main: &str| {
        let page = format!("<html><body class='payment new niv'><main id='main'>{main}</main></body></html>");
        payment::parse(&page).map(|page| (page.first_available.len(), page.receipt_date))
    };
    for none in
        [NONE.to_owned(), format!("{TITLE}{NONE}"), NONE.replace("<p>", "<h3>").replace("</p>", "</h3>")]
    {
        assert_eq!(read(&none).unwrap(), (0, None), "{none}");
    }
    let receipt = "<p>Receipt Date: 5 October, 2026</p>";
    assert_eq!(read(&format!("{receipt}{NONE}")).unwrap(), (0, "2026-10-05".parse().ok()));
    for unread in ["<h2>Pay</h2>".to_owned(), TITLE.to_owned(), format!("{TITLE}{TABLE}")] {
        assert!(read(&unread).is_err(), "{unread}");
    }
    let city = "<table class='for-layout'><tr><td>Calgary</td><td>6 novembre 2026</td></tr></table>";
    let unpaid = "<p>Aucun paiement n'a été reçu.</p><h3>Premiers rendez-vous disponibles</h3>";
    assert_eq!(read(&format!("{unpaid}{city}")).unwrap(), (1, None), "a date of a city is no receipt");
}

#[test]
fn forms_without_token_or_facilities_do_not_parse() {
    let page = fixture("form.html");
    for (from, to) in [
        ("authenticity_token\" value", "other\" value"),
        (
            "<select name=\"appointments[consulate_appointment][facility_id]\" id=\"appointments_consulate_appointment_facility_id\"",
            "<select",
        ),
        ("value=\"94\"", "value=\"Toronto\""),
        ("</html>", ""),
    ] {
        let broken = page.replace(from, to);
        assert_ne!(broken, page, "{from}");
        assert!(appointment::parse_form(&broken).is_err(), "{from}");
    }
}

#[test]
fn only_json_lists_parse() {
    use portal::pages::{days, times};
    let list = days::parse(
        r#"[{"date":"2028-03-17","business_day":true},{"date":"2028-03-16"},{"date":"2028-03-16"}]"#,
    )
    .unwrap();
    assert_eq!(list.iter().map(ToString::to_string).collect::<Vec<_>>(), ["2028-03-16", "2028-03-17"]);
    assert!(days::parse("[]").unwrap().is_empty());
    for bad in ["", "{}", "null", "<html></html>", r#"[{"date":"2028-3-1x"}]"#, r#"[{"day":"2028-03-16"}]"#] {
        assert!(days::parse(bad).is_err(), "{bad}");
    }
    let read = |text: &str| times::parse(text).map(|l| l.iter().map(ToString::to_string).collect::<Vec<_>>());
    assert_eq!(
        read(r#"{"available_times":["09:15","07:30"],"business_times":["07:30"]}"#).unwrap(),
        ["07:30:00", "09:15:00"]
    );
    for empty in [
        r#"{"available_times":[null],"business_times":[null]}"#,
        r#"{"available_times":[]}"#,
        r#"{"available_times":null,"business_times":[]}"#,
    ] {
        assert_eq!(read(empty).unwrap(), [""; 0], "{empty}");
    }
    for bad in ["[]", "{}", r#"{"available_times":["25:00"]}"#, r#"{"available_times":["noon"]}"#, "<p>"] {
        assert!(read(bad).is_err(), "{bad}");
    }
}

#[test]
fn an_unreadable_card_affects_only_its_own_group() {
    let page = fixture("groups_several.html");
    let whole = groups::parse(&page).unwrap();
    let (first, rest) = whole.split_first().unwrap();
    let date =
        page.split_once("</strong>").map(|(_, after)| after.split('<').next().unwrap().trim()).unwrap();
    let odd = groups::parse(&page.replacen(date, "soon", 1)).unwrap();
    assert_eq!(odd[0].portal_schedule_id, first.portal_schedule_id);
    assert!(odd[0].is_unreadable() && odd[0].appointment.is_none(), "{:?}", odd[0]);
    assert_eq!(&odd[1..], rest);
}

#[test]
fn errors_contain_nothing_of_the_page() {
    let page = fixture("groups_booked.html").replace("1 November", "1 Nonsense");
    let error: LayoutChanged = groups::parse(&page).unwrap_err();
    let said = format!("{error} {error:?}");
    assert!(!said.contains("EXAMPLE") && !said.contains("Nonsense"), "{said}");
    let other = groups::parse(&page.replace("ADA", "ZOE")).unwrap_err();
    assert_eq!(error.shape, other.shape, "the same layout has the same shape");
}

// spec: 3.24
#[test]
fn an_applicant_answer_parses_only_if_it_is_unique() {
    let page = fixture("applicant.html");
    for (what, to, read) in [
        ("<dd>Yes</dd>", "<dd> YES </dd>", Some(Some(true))),
        ("<dd>Yes</dd>", "<dd>No</dd>", Some(Some(false))),
        ("<dd>Yes</dd>", "<dd></dd>", Some(None)),
        ("<dd>Yes</dd>", "<dd>Not sure</dd>", Some(None)),
        ("</dl>", "<dt>from another country to apply?</dt><dd>No</dd></dl>", None),
        ("another country", "elsewhere", None),
        ("</html>", "", None),
    ] {
        let variant = page.replace(what, to);
        assert_ne!(variant, page);
        let found = portal::pages::applicant::parse(&variant).ok().map(|page| page.from_another_country);
        assert_eq!(found, read, "{to}");
    }
}
