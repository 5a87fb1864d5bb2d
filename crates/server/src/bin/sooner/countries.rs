//! Command `sooner countries`: prints docs/COUNTRIES.md.

use std::fmt::Write as _;

use domain::country::city::City;
use domain::country::{Changes, Country, CountryState, Fingerprints, Seen, countries};

/// Text before the tables.
const INTRODUCTION: &str = "\
# Countries

`sooner countries` generates this page from `crates/domain/data/places.toml`, and `scripts/fresh.sh
--write` updates it. Users can add portal accounts of the countries in `SOONER_COUNTRIES`; the
default is Canada (`ca`), which is the best tested. Countries are served in English, which the
portal offers in each.

## Opening a country

Sooner was tested against a simulation only, and most of those tests are in Canada. Open one country
at a time:

1. Read its row below. A country that is not bookable is refused, with the list of those that are.
2. Run `sooner portal try --country ie` with your own account of that country. Every page must be
   *understood*, and the form must offer the cities of the row, under the same numbers where the row
   has numbers. If it asks for a fingerprint appointment, the list of its dates must be understood
   too. Report anything else, and do not open the country.
3. Book once with *ask first* on a server of your own (`sooner serve --solo`), whose
   `SOONER_COUNTRIES` has the letters. Only non-immigrant visas are checked by step 2.
4. On every node, install this version, add the letters and restart. This opens the country to all
   users. An older node cannot read tasks of other countries. Until the server has read a form and a
   list there, every task asks first.

Numbers that a row lacks are read from the booking form of the first account that is added, and kept
in the table `facility`. A city that this page does not name cannot be held; the log names it.

Where the form asks for a fingerprint appointment, it is booked together with the interview. How the
portal's instructions page shows it is not known, so a booking counts only when the list of
applications shows both. Nothing is booked at a consulate that takes the fingerprints itself, such
as Porto Alegre and Recife, nor for a form with unknown fields for fingerprints.

Without a limit page, the limit of the row counts: *not known* is treated as two changes. The last
change needs the user's consent. Where the limit is for life, every change does. Hours in which
accounts with an appointment see no dates were reported only in Canada.
";

/// Returns the page.
pub fn page() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str(
        "\n## Served by the portal\n\n\
         The list is that of `juanortega10/visa-scraper` (May 2026). A number in brackets is the portal's\n\
         number of the city, and * was seen in a public client only.\n\n\
         | letters | country | bookable | fingerprint appointments | changes | cities | sources |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for country in in_state(CountryState::Served) {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            country.code.letters(),
            country.name_en,
            bookable(country),
            fingerprints(country),
            changes(country),
            list(country.cities.iter().map(city), ", "),
            list(country.sources.iter().map(|source| (*source).to_owned()), "; "),
        );
    }
    page.push_str("\n## Another appointment system\n\n| country | site | sources |\n|---|---|---|\n");
    for country in in_state(CountryState::OtherSystem) {
        let sources = list(country.sources.iter().map(|source| (*source).to_owned()), "; ");
        let site = country.official_site.unwrap_or("not known");
        let _ = writeln!(page, "| {} | {site} | {sources} |", country.name_en);
    }
    page.push_str(
        "\n## No longer on the portal\n\n\
         The list of `aigrvch/USA-VISA-Bot` (October 2024) has them, that of May 2026 does not. Which system\n\
         they use is not known.\n\n",
    );
    for country in in_state(CountryState::Ended) {
        let _ = writeln!(page, "- {}", country.name_en);
    }
    page
}

fn in_state(state: CountryState) -> impl Iterator<Item = &'static Country> {
    countries().iter().filter(move |country| country.state == state)
}

fn list(items: impl Iterator<Item = String>, separator: &str) -> String {
    items.collect::<Vec<_>>().join(separator)
}

fn bookable(country: &Country) -> String {
    match country.obstacle {
        Some(obstacle) => format!("no: {obstacle}"),
        None if country.needs_a_form() => "if its first form allows it".to_owned(),
        None => "yes".to_owned(),
    }
}

const fn fingerprints(country: &Country) -> &'static str {
    match country.fingerprints {
        Some(Fingerprints::No) => "no",
        Some(Fingerprints::Yes) => "yes",
        Some(Fingerprints::Varies) => "in some cities",
        None => "not known",
    }
}

fn changes(country: &Country) -> String {
    match country.changes {
        Changes::Count(count) if country.is_limit_for_life => format!("{count} for life"),
        Changes::Count(count) => count.to_string(),
        Changes::Unlimited => "no limit".to_owned(),
        Changes::Unknown => "not known".to_owned(),
    }
}

fn city(city: &City) -> String {
    let Some(facility) = city.facility() else { return city.name_en.to_owned() };
    let mark = if city.seen == Some(Seen::ClientCode) { "*" } else { "" };
    format!("{} ({}{mark}, {})", city.name_en, facility.id.number(), facility.zone.name())
}
