//! Countries of `SOONER_COUNTRIES` and of commands.

use domain::country::{Country, CountryCode, CountryState, countries};

/// Parses a country that the portal serves: two letters such as `ca`, or its locale `en-ca`.
///
/// # Errors
/// Returns an error that lists the countries.
pub fn read_served(text: &str) -> Result<CountryCode, String> {
    find(text, |country| country.state == CountryState::Served)
}

/// Parses a country in which this version can book.
///
/// # Errors
/// Returns an error that lists the countries.
pub fn read_bookable(text: &str) -> Result<CountryCode, String> {
    find(text, Country::is_bookable)
}

fn find(text: &str, accepts: impl Fn(&Country) -> bool) -> Result<CountryCode, String> {
    let accepted = || countries().iter().filter(|country| accepts(country)).map(|country| country.code);
    accepted().find(|code| [code.as_str(), code.letters()].contains(&text)).ok_or_else(|| {
        let letters: Vec<_> = accepted().map(CountryCode::letters).collect();
        format!("use one of {}", letters.join(", "))
    })
}
