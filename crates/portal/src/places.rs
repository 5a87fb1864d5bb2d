//! The consulates in Canada as the portal numbers and names them.

use crate::FacilityId;
use chrono_tz::Tz;

/// One consulate: number, the portal's English name and its time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    id: u16,
    /// The portal's English city name.
    pub name: &'static str,
    /// Zone of the civil dates and times the portal prints for it.
    pub zone: Tz,
    /// What a name must start with once folded to plain lower-case letters.
    stem: &'static str,
}

impl Place {
    /// The portal's number.
    pub fn id(&self) -> FacilityId {
        FacilityId::from(self.id)
    }
}

const fn place(id: u16, name: &'static str, zone: Tz, stem: &'static str) -> Place {
    Place { id, name, zone, stem }
}

/// All consulates in Canada, by number.
pub const CANADA: [Place; 7] = [
    place(89, "Calgary", Tz::America__Edmonton, "calgary"),
    place(90, "Halifax", Tz::America__Halifax, "halifax"),
    place(91, "Montreal", Tz::America__Toronto, "montreal"),
    place(92, "Ottawa", Tz::America__Toronto, "ottawa"),
    place(93, "Quebec City", Tz::America__Toronto, "quebec"),
    place(94, "Toronto", Tz::America__Toronto, "toronto"),
    place(95, "Vancouver", Tz::America__Vancouver, "vancouver"),
];

/// The consulate with this number.
pub fn by_id(id: FacilityId) -> Option<&'static Place> {
    CANADA.iter().find(|p| p.id() == id)
}

/// The consulate a page means by `name`: case, accents and words such as "Consular" do not
/// matter (`Québec`, `Quebec City`, `Toronto Consular Address`); two cities in one name = none.
pub fn by_name(name: &str) -> Option<&'static Place> {
    let folded = fold(name);
    let mut hits =
        CANADA.iter().filter(|p| folded.split(|c: char| !c.is_ascii_alphabetic()).any(|w| w == p.stem));
    let first = hits.next()?;
    hits.next().is_none().then_some(first)
}

/// The portal's English name of the place meant, or the name as printed.
pub(crate) fn canonical_name(name: &str) -> String {
    by_name(name).map_or_else(|| name.trim().to_owned(), |p| p.name.to_owned())
}

/// Lower case with the accents of French and Spanish removed.
pub(crate) fn fold(text: &str) -> String {
    text.chars()
        .flat_map(char::to_lowercase)
        .filter(|c| !('\u{300}'..='\u{36f}').contains(c))
        .map(|c| match c {
            'à' | 'â' | 'ä' | 'á' => 'a',
            'é' | 'è' | 'ê' | 'ë' => 'e',
            'î' | 'ï' | 'í' => 'i',
            'ô' | 'ö' | 'ó' => 'o',
            'û' | 'ü' | 'ù' | 'ú' => 'u',
            'ç' => 'c',
            'ñ' => 'n',
            '’' => '\'',
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect()
}
