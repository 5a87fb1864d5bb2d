//! Country of a phone number, which decides the messages that may be sent to it.

/// Area codes of Canada.
const CANADA: [&str; 58] = [
    "204", "226", "236", "249", "250", "257", "263", "289", "306", "343", "354", "365", "367", "368", "382",
    "387", "403", "416", "418", "428", "431", "437", "438", "450", "460", "468", "474", "506", "514", "519",
    "548", "579", "581", "584", "587", "604", "613", "639", "647", "672", "683", "705", "709", "742", "753",
    "778", "780", "782", "807", "819", "825", "851", "867", "873", "879", "902", "905", "942",
];

/// Area codes under +1 outside Canada and the United States, and non-geographic ones: toll-free and
/// premium-rate numbers.
const NEITHER: [&str; 47] = [
    "242", "246", "264", "268", "284", "345", "441", "473", "500", "521", "522", "533", "544", "566", "577",
    "588", "600", "622", "649", "658", "664", "670", "671", "684", "700", "710", "721", "758", "767", "784",
    "787", "800", "809", "829", "833", "844", "849", "855", "866", "868", "869", "876", "877", "888", "900",
    "939", "976",
];

/// Other countries by the prefix of their numbers; longer prefixes first.
const OTHERS: [(&str, &str); 20] = [
    ("+852", "HK"),
    ("+853", "MO"),
    ("+886", "TW"),
    ("+971", "AE"),
    ("+353", "IE"),
    ("+86", "CN"),
    ("+81", "JP"),
    ("+82", "KR"),
    ("+84", "VN"),
    ("+65", "SG"),
    ("+63", "PH"),
    ("+61", "AU"),
    ("+64", "NZ"),
    ("+60", "MY"),
    ("+52", "MX"),
    ("+49", "DE"),
    ("+44", "GB"),
    ("+33", "FR"),
    ("+31", "NL"),
    ("+91", "IN"),
];

/// Returns the two-letter country of an E.164 number. Returns `None` if the country is unknown;
/// such a number receives no messages.
#[must_use]
pub fn country(phone: &str) -> Option<&'static str> {
    if let Some(rest) = phone.strip_prefix("+1") {
        let area = rest.get(..3).filter(|_| rest.len() == 10)?;
        return match area {
            _ if NEITHER.contains(&area) => None,
            _ if CANADA.contains(&area) => Some("CA"),
            _ if area.starts_with(['0', '1']) => None,
            _ => Some("US"),
        };
    }
    OTHERS.iter().find(|(start, _)| phone.starts_with(start)).map(|(_, country)| *country)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phone_numbers_map_to_supported_countries_or_none() {
        let cases = [
            ("+14165550123", Some("CA")),
            ("+16045550123", Some("CA")),
            ("+12125550123", Some("US")),
            ("+8613800138000", Some("CN")),
            ("+85251234567", Some("HK")),
            // Jamaica, toll-free, premium-rate, too short, an unlisted country.
            ("+18765550123", None),
            ("+18005550123", None),
            ("+19005550123", None),
            ("+1416555", None),
            ("+25261234567", None),
        ];
        for (phone, expected) in cases {
            assert_eq!(country(phone), expected, "{phone}");
        }
    }
}
