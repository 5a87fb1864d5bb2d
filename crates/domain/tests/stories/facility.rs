use domain::facility::{FACILITIES, FacilityId, UnknownFacility};

// spec: 1.14, 3.58
#[test]
fn the_seven_consular_cities_have_their_numbers_and_names_and_no_other_number_is_known() {
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
