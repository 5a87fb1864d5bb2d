use std::collections::BTreeSet;

use chrono_tz::America;
use domain::country::{
    Changes, Country, CountryCode, CountryState, NotNumbered, VisaType, countries, set_number,
};
use domain::facility::{Facility, FacilityId, UnknownFacility, take_missed};

fn facilities() -> impl Iterator<Item = &'static Facility> {
    countries().iter().flat_map(Country::facilities)
}

fn code(locale: &str) -> CountryCode {
    locale.parse().expect("a country")
}

// spec: 1.14, 3.58
#[test]
fn canada_has_the_seven_consular_cities() {
    let table: Vec<_> = CountryCode::CANADA
        .country()
        .facilities()
        .map(|city| (city.id.number(), city.name_en, city.name_zh))
        .collect();
    let expected = [
        (89, "Calgary", "卡尔加里"),
        (90, "Halifax", "哈利法克斯"),
        (91, "Montreal", "蒙特利尔"),
        (92, "Ottawa", "渥太华"),
        (93, "Quebec City", "魁北克城"),
        (94, "Toronto", "多伦多"),
        (95, "Vancouver", "温哥华"),
    ];
    assert_eq!(table, expected);
    assert_eq!(CountryCode::CANADA.country().changes, Changes::Count(3));
}

#[test]
fn only_numbers_of_the_table_are_cities() {
    let known: BTreeSet<u16> = facilities().map(|city| city.id.number()).collect();
    assert_eq!(known.len(), facilities().count(), "two cities with one number");
    for number in 0..=u16::MAX {
        assert_eq!(FacilityId::try_from(number).is_ok(), known.contains(&number), "{number}");
    }
    assert!(matches!(FacilityId::try_from(0), Err(UnknownFacility)));
    for city in facilities() {
        assert_eq!((city.id.facility(), city.id.zone(), city.id.name()), (city, city.zone, city.name_en));
        assert_eq!(FacilityId::in_country(city.country, city.name_en), Some(city.id));
        assert_eq!(FacilityId::in_country(city.country, city.name_zh), Some(city.id));
        assert_eq!(FacilityId::by_name(city.name_en), Some(city.id), "{} is in two countries", city.name_en);
    }
}

// spec: 1.15
#[test]
fn only_known_country_and_visa_type_codes_parse() {
    for country in countries() {
        let word = country.code.as_str();
        assert_eq!(word.parse(), Ok(country.code));
        assert_eq!(serde_json::to_value(country.code).unwrap(), word);
        assert_eq!(serde_json::from_value::<CountryCode>(word.into()).unwrap(), country.code);
        assert!(word.ends_with(country.code.letters()) && country.code.letters().len() == 2);
    }
    let distinct: BTreeSet<_> = countries().iter().map(|country| country.code.letters()).collect();
    assert_eq!(distinct.len(), countries().len());
    for known in ["en-ca", "zh-cn", "en-us", "en-mx"] {
        assert_eq!(code(known).to_string(), known);
    }
    assert_eq!(["niv", "iv"].map(|word| word.parse::<VisaType>().unwrap().as_str()), ["niv", "iv"]);
    for unknown in ["", "EN-CA", "en_ca", "es-mx", "ca", "../x"] {
        assert!(unknown.parse::<CountryCode>().is_err() && unknown.parse::<VisaType>().is_err(), "{unknown}");
    }
}

#[test]
fn the_portal_serves_48_countries_and_others_have_no_cities_to_monitor() {
    let served = countries().iter().filter(|country| country.state == CountryState::Served);
    assert_eq!(served.count(), 48);
    for country in countries() {
        let served = country.state == CountryState::Served;
        assert!(served || country.facilities().next().is_none(), "{}", country.name_en);
        assert!(country.code.as_str().starts_with("en-") || !served, "{}", country.name_en);
        assert!(country.official_site.is_none() || country.state == CountryState::OtherSystem);
    }
    for other in ["zh-cn", "en-us", "en-in", "en-fr"] {
        assert_eq!(code(other).country().state, CountryState::OtherSystem);
    }
}

#[test]
fn the_served_countries_are_bookable() {
    let bookable = countries().iter().filter(|country| country.is_bookable());
    let letters: Vec<_> = bookable.map(|country| country.code.letters()).collect();
    assert_eq!(letters.len(), 48);
    for not in ["cn", "us"] {
        assert!(!letters.contains(&not), "{not}");
    }
    let known = countries().iter().filter(|country| country.is_bookable() && !country.needs_a_form());
    let known: Vec<_> = known.map(|country| country.code.letters()).collect();
    assert_eq!(
        known,
        ["ca", "ar", "br", "co", "ie", "kz", "ke", "mx", "pe", "es", "gb"],
        "their facts are known"
    );
    for city in countries().iter().flat_map(|country| &country.cities) {
        assert_eq!(city.seen.is_some(), city.facility().is_some(), "{}", city.name_en);
    }
}

#[test]
fn a_form_gives_a_city_of_the_table_its_number_once() {
    let (jamaica, togo) = (code("en-jm"), code("en-tg"));
    let offered = [(901, "KINGSTON"), (902, "Montego Bay"), (94, "Toronto")];
    assert_eq!(jamaica.country().unnumbered(offered.into_iter()), [(901, "Kingston")]);
    for unusable in [
        &[(901, "Kingston"), (902, "kingston")][..],
        &[(94, "Kingston")],
        &[(0, "Kingston")],
        &[(4096, "Kingston")],
    ] {
        assert!(jamaica.country().unnumbered(unusable.iter().copied()).is_empty(), "{unusable:?}");
    }
    assert!(FacilityId::try_from(901).is_err() && take_missed() && !take_missed());
    assert_eq!(FacilityId::in_country(jamaica, "Kingston"), None);

    let kingston = set_number(jamaica, "Kingston", 901).expect("a free number");
    assert_eq!((kingston.number(), kingston.name(), kingston.zone()), (901, "Kingston", America::Jamaica));
    assert_eq!(FacilityId::try_from(901), Ok(kingston));
    assert_eq!(FacilityId::by_name("Kingston"), Some(kingston));
    assert!(kingston.facility().restricted.is_empty() && kingston.facility().may_be_labelled("Kingston"));
    assert!(jamaica.country().unnumbered(offered.into_iter()).is_empty());

    assert_eq!(set_number(jamaica, "Kingston", 901), Ok(kingston));
    for (country, city, number, why) in [
        (jamaica, "Kingston", 903, NotNumbered::Taken),
        (togo, "Lome", 901, NotNumbered::Taken),
        (togo, "Lome", 94, NotNumbered::Taken),
        (togo, "Lome", 4096, NotNumbered::Taken),
        (togo, "Kara", 904, NotNumbered::UnknownCity),
        (CountryCode::CANADA, "Toronto", 905, NotNumbered::Taken),
    ] {
        assert_eq!(set_number(country, city, number), Err(why), "{city} {number}");
    }
    assert!(FacilityId::try_from(903).is_err() && FacilityId::try_from(905).is_err());
}

#[test]
fn a_printed_name_is_a_city_of_its_country_only() {
    let city = |country: &str, name: &str| FacilityId::in_country(code(country), name).map(FacilityId::name);
    for (printed, name) in [
        ("Toronto", "Toronto"),
        (" toronto ", "Toronto"),
        ("Québec", "Quebec City"),
        ("Toronto Consular Address", "Toronto"),
        ("多伦多", "Toronto"),
    ] {
        assert_eq!(city("en-ca", printed), Some(name));
    }
    assert_eq!(city("en-ie", "Dublin"), Some("Dublin"));
    assert_eq!(city("en-br", "Brasília"), Some("Brasilia"));
    for (country, none) in [
        ("en-ie", "Toronto"),
        ("en-ca", "Dublin"),
        ("en-br", "Brasilia ASC"),
        ("en-mx", "Mexico City ASC"),
        ("en-ca", "Toronto or Ottawa"),
        ("en-ca", ""),
        ("zh-cn", "Beijing"),
    ] {
        assert_eq!(city(country, none), None, "{none} in {country}");
    }
}

#[test]
fn a_label_of_another_city_contradicts_the_number() {
    let may = |city: &str, label: &str| {
        FacilityId::by_name(city).expect("a city").facility().may_be_labelled(label)
    };
    assert!(
        may("London", "London") && may("Brasilia", "Brasília") && may("Toronto", "Toronto Consular Address")
    );
    assert!(!may("London", "Belfast") && !may("Toronto", "Ottawa"));
    assert!(!may("Dublin", "U.S. Embassy") && may("Toronto", "U.S. Consulate"), "Canada was seen");
}

#[test]
fn only_canada_restricts_hours() {
    for city in facilities() {
        let hours = city.restricted.clone();
        assert_eq!(hours.is_empty(), city.country != CountryCode::CANADA, "{}", city.name_en);
        assert!(hours.is_empty() || (hours.start < hours.end && hours.end <= 24));
    }
    let hours = |city: FacilityId| city.facility().restricted.clone();
    assert_eq!(hours(FacilityId::CALGARY), 2..17);
    assert_eq!(hours(FacilityId::HALIFAX), 5..20);
    assert_eq!(hours(FacilityId::TORONTO), 4..19);
    assert_eq!(hours(FacilityId::VANCOUVER), 1..16);
}
