use domain::country::{COUNTRIES, CountryCode, VisaType};
use domain::facility::{FACILITIES, FacilityId, UnknownFacility};

// spec: 1.14, 3.58
#[test]
fn only_the_seven_consular_cities_have_numbers_and_names() {
    let table = FACILITIES.map(|city| (city.id.number(), city.name_en, city.name_zh));
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
    for number in 0..=u16::MAX {
        let known = expected.iter().any(|(id, ..)| *id == number);
        assert_eq!(FacilityId::try_from(number).is_ok(), known, "{number}");
    }
    assert!(matches!(FacilityId::try_from(0), Err(UnknownFacility)));
}

// spec: 1.15
#[test]
fn only_known_country_and_visa_type_codes_parse() {
    for country in COUNTRIES {
        let word = country.code.as_str();
        assert_eq!(word.parse(), Ok(country.code));
        assert_eq!(serde_json::to_value(country.code).unwrap(), word);
    }
    assert_eq!(COUNTRIES.map(|country| country.code.as_str()), ["en-ca", "zh-cn", "en-us"]);
    assert_eq!(["niv", "iv"].map(|word| word.parse::<VisaType>().unwrap().as_str()), ["niv", "iv"]);
    for unknown in ["", "EN-CA", "en_ca", "es-mx", "../x"] {
        assert!(unknown.parse::<CountryCode>().is_err() && unknown.parse::<VisaType>().is_err(), "{unknown}");
    }
}
