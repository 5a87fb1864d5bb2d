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
    if text.trim().is_empty() {
        return Err("name at least one country".to_owned());
    }
    let text = text.trim().to_lowercase();
    let accepted = || countries().iter().filter(|country| accepts(country)).map(|country| country.code);
    accepted().find(|code| [code.as_str(), code.letters()].contains(&text.as_str())).ok_or_else(|| {
        let letters: Vec<_> = accepted().map(CountryCode::letters).collect();
        format!("use one of {}", letters.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::config::Settings;

    #[derive(Parser)]
    struct Arguments {
        #[command(flatten)]
        settings: Settings,
    }

    fn parsed(option: &[&str]) -> Result<Vec<&'static str>, String> {
        let arguments =
            Arguments::try_parse_from(["sooner"].iter().chain(option)).map_err(|e| e.to_string())?;
        Ok(arguments.settings.countries.into_iter().map(|code| code.as_str()).collect())
    }

    #[test]
    fn countries_are_read_by_their_letters() {
        assert_eq!(parsed(&[]), Ok(vec!["en-ca"]));
        assert_eq!(parsed(&["--countries", "ca, IE,en-gb"]), Ok(vec!["en-ca", "en-ie", "en-gb"]));
        assert_eq!(parsed(&["--countries", "it,pe,mx"]), Ok(vec!["en-it", "en-pe", "en-mx"]));
        for wrong in ["", "ca,", "canada", "cn", "fr", "us", "ca;ie"] {
            assert!(parsed(&["--countries", wrong]).is_err(), "{wrong}");
        }
    }
}
