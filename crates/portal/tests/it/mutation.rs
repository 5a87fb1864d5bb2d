//! Checks that damaged, reordered and unrelated pages cause no panic and no wrong date.

use crate::fixtures::{BY_KIND, fixture};
use domain::facility::FacilityId;
use portal::pages::{groups, instructions, payment};
use portal::{KINDS, parse_kind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// Kind of damage to a page. Positions are scaled to the length of the page.
#[derive(Debug, Clone)]
enum Damage {
    Truncate(u16),
    DropTag(u16),
    DoubleTag(u16),
    SwapCards(u16, u16),
    MoveParagraph(u16, u16),
    Insert(u16, &'static str),
    Shout,
}

const FOREIGN: [&str; 9] = [
    "</div>",
    "<div>",
    "<p>5 May, 2030, 10:00 Nowhere local time at Nowhere</p>",
    " <span>, 5 May, 2030, 10:00 Calgary local time at Calgary</span> ",
    "<!--",
    "<table><tr><td>",
    "<script>",
    "<strong>Consular Appointment:</strong>",
    "\u{0}\u{200b}&nbsp;&#x2713;",
];

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<u16>;
    prop_oneof![
        4 => at().prop_map(Damage::Truncate),
        4 => at().prop_map(Damage::DropTag),
        2 => at().prop_map(Damage::DoubleTag),
        2 => (at(), at()).prop_map(|(a, b)| Damage::SwapCards(a, b)),
        3 => (at(), at()).prop_map(|(a, b)| Damage::MoveParagraph(a, b)),
        4 => (at(), proptest::sample::select(&FOREIGN[..])).prop_map(|(a, f)| Damage::Insert(a, f)),
        1 => Just(Damage::Shout),
    ]
}

fn scaled(at: u16, len: usize) -> usize {
    usize::from(at) * len / (usize::from(u16::MAX) + 1)
}

fn boundary(page: &str, at: u16) -> usize {
    (0..=scaled(at, page.len())).rev().find(|i| page.is_char_boundary(*i)).unwrap_or(0)
}

/// Returns the byte ranges from each `open` to the end of the next `close`.
fn spans(page: &str, open: &str, close: &str) -> Vec<std::ops::Range<usize>> {
    page.match_indices(open)
        .filter_map(|(from, _)| Some(from..from + page[from..].find(close)? + close.len()))
        .collect()
}

/// Returns the byte ranges of the applications: from each `div.application` to the next
/// application, heading or footer.
fn cards(page: &str) -> Vec<std::ops::Range<usize>> {
    page.match_indices("<div class='application")
        .map(|(from, open)| {
            let ends = ["<div class='application", "<h3>", "<footer>"];
            let rest = &page[from + open.len()..];
            let len = ends.iter().filter_map(|e| rest.find(e)).min().unwrap_or(rest.len());
            from..from + open.len() + len
        })
        .collect()
}

fn apply(page: &str, damage: &Damage) -> String {
    let tag = |at: u16| {
        let tags = spans(page, "<", ">");
        tags.get(scaled(at, tags.len())).cloned().unwrap_or(0..0)
    };
    match damage {
        Damage::Truncate(at) => page[..boundary(page, *at)].to_owned(),
        Damage::DropTag(at) => {
            let tag = tag(*at);
            format!("{}{}", &page[..tag.start], &page[tag.end..])
        }
        Damage::DoubleTag(at) => {
            let tag = tag(*at);
            format!("{}{}", &page[..tag.end], &page[tag.start..])
        }
        Damage::SwapCards(a, b) => {
            let cards = cards(page);
            let (a, b) = (scaled(*a, cards.len()), scaled(*b, cards.len()));
            let (Some(first), Some(second)) = (cards.get(a.min(b)), cards.get(a.max(b))) else {
                return page.to_owned();
            };
            if first == second || first.end > second.start {
                return page.to_owned();
            }
            let (head, mid, tail) =
                (&page[..first.start], &page[first.end..second.start], &page[second.end..]);
            format!("{head}{}{mid}{}{tail}", &page[second.clone()], &page[first.clone()])
        }
        Damage::MoveParagraph(from, to) => {
            let all = spans(page, "<p", "</p>");
            let Some(p) = all.get(scaled(*from, all.len())).cloned() else {
                return page.to_owned();
            };
            let rest = format!("{}{}", &page[..p.start], &page[p.end..]);
            // Move text only between tags. A text moved into a word could not be distinguished from
            // a real one.
            let ends = spans(&rest, "<", ">");
            let at = ends.get(scaled(*to, ends.len())).map_or(0, |t| t.end);
            format!("{}{}{}", &rest[..at], &page[p], &rest[at..])
        }
        Damage::Insert(at, foreign) => {
            let at = boundary(page, *at);
            format!("{}{foreign}{}", &page[..at], &page[at..])
        }
        Damage::Shout => page.replace("<div", "<DIV").replace("class=", "CLASS ="),
    }
}

fn damaged(names: &'static [&'static str]) -> impl Strategy<Value = (&'static str, String)> {
    (proptest::sample::select(names), proptest::collection::vec(damage(), 1..4))
        .prop_map(|(name, list)| (name, list.iter().fold(fixture(name), |page, d| apply(&page, d))))
}

/// Returns time and city of the appointment that the undamaged page shows for a group.
fn true_appointment(id: &str) -> Option<(&'static str, &'static str)> {
    Some(match id {
        "60000001" => ("2028-08-17T07:30", "Toronto"),
        "60000009" => ("2023-02-02T08:00", "Calgary"),
        "60000011" => ("2026-03-09T08:15", "Vancouver"),
        "60000012" => ("2026-08-01T10:45", "Montreal"),
        _ => return None,
    })
}

/// Returns a configuration that generates the same cases in every run. `SOONER_SEED` and
/// `SOONER_CASES` select another seed and more cases.
fn config() -> ProptestConfig {
    let number = |name: &str| std::env::var(name).ok().and_then(|v| v.parse::<u64>().ok());
    ProptestConfig {
        cases: number("SOONER_CASES").map_or(400, |n| n.try_into().unwrap()),
        rng_seed: RngSeed::Fixed(number("SOONER_SEED").unwrap_or(1)),
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    // spec: 3.21
    #[test]
    fn a_damaged_group_parses_with_its_true_date_or_fails((name, page) in damaged(&["groups_several.html", "groups_fr.html"])) {
        if let Ok(list) = groups::parse(&page) {
            // An application that cannot be parsed affects only its own group.
            for group in list.into_iter().filter(|group| group.is_served()) {
                let truth = true_appointment(group.portal_schedule_id.0.as_str());
                let read = group.appointment.as_ref().map(|a| a.at.iso());
                prop_assert_eq!(read.as_deref(), truth.map(|(at, _)| at), "{}: {}", name, page);
                // A damaged city name must not become another known city.
                let city = group.appointment.and_then(|a| FacilityId::by_name(&a.facility_name)).map(FacilityId::name);
                prop_assert!(city.is_none() || city == truth.map(|(_, city)| city), "{}: {}", name, page);
            }
        }
    }

    #[test]
    fn damaged_instructions_parse_with_true_dates_or_fail((name, page) in damaged(&["instructions_booked.html"])) {
        if let Ok(read) = instructions::parse(&page) {
            let interview = read.interview.map(|m| m.iso());
            let deadline = read.deadline.map(|m| m.iso());
            prop_assert!(interview.as_deref().is_none_or(|d| d == "2025-01-14T08:00"), "{}: {}", name, page);
            prop_assert!(deadline.as_deref().is_none_or(|d| d == "2025-01-10T15:30"), "{}: {}", name, page);
        }
    }

    #[test]
    fn damaged_first_dates_parse_as_true_dates_or_fail((_, page) in damaged(&["payment.html"])) {
        let truth = payment::parse(&fixture("payment.html")).unwrap().first_available;
        if let Ok(read) = payment::parse(&page) {
            for row in read.first_available {
                // A damaged city name must not become another known city. A known city must have
                // its own date.
                prop_assert!(row.facility_id.is_none() || truth.contains(&row), "{:?}: {}", row, page);
            }
        }
    }

    #[test]
    fn damaged_pages_never_cause_a_panic(kind in 0..KINDS.len(), list in proptest::collection::vec(damage(), 0..6), which in any::<u16>()) {
        for (_, names) in BY_KIND {
            let name = names[scaled(which, names.len())];
            let page = list.iter().fold(fixture(name), |page, d| apply(&page, d));
            let _ = parse_kind(KINDS[kind], &page);
        }
    }

    #[test]
    fn arbitrary_text_never_causes_a_panic(text in "(<[a-z]{1,6}[^>]{0,20}>|[^<]{0,12}|IVR|You have until |[0-9]{1,4} (may|août) [0-9]{4}, [0-9:]{1,5}|é|\\\\u[0-9a-f]{0,4}|account is locked until ){0,40}") {
        for kind in KINDS {
            let _ = parse_kind(kind, &text);
        }
        let _ = portal::pages::days::parse(&text);
        let _ = portal::pages::times::parse(&text);
        let _ = FacilityId::by_name(&text);
    }
}

#[test]
fn a_truncated_page_never_parses_wrongly() {
    let page = fixture("groups_several.html");
    let whole = groups::parse(&page).unwrap();
    for at in (0..page.len()).filter(|at| page.is_char_boundary(*at)) {
        if let Ok(read) = groups::parse(&page[..at]) {
            assert_eq!(read, whole, "cut at {at}");
        }
    }
}

#[test]
fn a_deeply_nested_page_is_rejected() {
    let deep = "<div class='application'><p class='consular-appt'>".repeat(2_000);
    for kind in KINDS {
        assert!(parse_kind(kind, &deep).is_err());
    }
}
