//! Profile of the operator, read from a file: facts for receipts and terms, and texts that replace
//! built-in pages.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use chrono::NaiveDate;
use chrono_tz::America::Toronto;
use domain::clock::Instant;
use domain::tax::TaxRate;
use serde::Deserialize;

use crate::site::open_pages::own_texts::{self, OwnTexts};

/// Maximum size of a file with the text of a page, in bytes.
const MOST_BYTES: u64 = 200_000;

/// Profile of the operator; empty if the operator has not configured one.
#[derive(Debug, Default)]
pub struct OperatorProfile {
    /// Name of the individual or company.
    pub name: Option<String>,
    /// Address on one line.
    pub address: Option<String>,
    /// Contact of the operator.
    pub contact: Option<String>,
    /// Tax number of the operator.
    pub tax_number: Option<String>,
    /// Taxes included in prices, newest first.
    taxes: Vec<Tax>,
    /// Pages that replace the built-in ones.
    pub texts: Arc<OwnTexts>,
}

/// A tax that prices include from a date on.
#[derive(Clone, Debug)]
pub struct Tax {
    from: NaiveDate,
    /// Name of the tax, for example `HST`.
    pub name: String,
    /// Rate of the tax; `None` if prices include no tax from this date on.
    pub rate: Option<TaxRate>,
}

/// An error in the operator's profile. The message names the file.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// A file has invalid content.
    #[error("{0}: {1}")]
    Content(PathBuf, String),
}

/// Content of `operator.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    address: Option<String>,
    contact: Option<String>,
    tax_number: Option<String>,
    #[serde(default)]
    tax: Vec<TaxEntry>,
    #[serde(default)]
    pages: Pages,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TaxEntry {
    from: String,
    name: String,
    percent: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pages {
    pricing: Option<TextFiles>,
    refunds: Option<TextFiles>,
    terms: Option<TextFiles>,
}

/// Files of a page's text. Both languages are required, because the operator is responsible for
/// both versions.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextFiles {
    zh: PathBuf,
    en: PathBuf,
}

impl OperatorProfile {
    /// Reads the file and the texts that it names; returns an empty profile if no file is set.
    ///
    /// # Errors
    /// Returns an error if a file is missing, cannot be read, or is invalid.
    pub fn read(file: Option<&Path>) -> Result<Self, ProfileError> {
        let Some(path) = file.filter(|path| !path.as_os_str().is_empty()) else { return Ok(Self::default()) };
        let wrong = |why: String| ProfileError::Content(path.to_owned(), why);
        let file: File = toml::from_str(&text(path)?).map_err(|error| wrong(error.message().to_owned()))?;
        let mut taxes = file.tax.into_iter().map(Tax::read).collect::<Result<Vec<_>, _>>().map_err(wrong)?;
        taxes.sort_by_key(|tax| std::cmp::Reverse(tax.from));
        if taxes.windows(2).any(|pair| pair[0].from == pair[1].from) {
            return Err(wrong("two taxes begin on one date".to_owned()));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        Ok(Self {
            name: line(file.name),
            address: line(file.address),
            contact: line(file.contact),
            tax_number: line(file.tax_number),
            taxes,
            texts: Arc::new(file.pages.read(folder)?),
        })
    }

    /// Returns the tax that prices include at a given time.
    #[must_use]
    pub fn tax_at(&self, moment: Instant) -> Option<(&str, TaxRate)> {
        let today = moment.with_timezone(&Toronto).date_naive();
        let tax = self.taxes.iter().find(|tax| tax.from <= today)?;
        Some((&tax.name, tax.rate?))
    }
}

impl Tax {
    fn read(entry: TaxEntry) -> Result<Self, String> {
        let TaxEntry { from, name, percent } = entry;
        let day = from.parse().map_err(|_| format!("tax: {from} is not a date such as 2026-01-31"))?;
        let rate = TaxRate::parse(&percent);
        if rate.is_none() && percent != "0" {
            return Err(format!("tax: {percent} is not a percentage such as 13 or 14.975"));
        }
        let name = line(Some(name)).ok_or("tax: needs a name such as HST")?;
        Ok(Self { from: day, name, rate })
    }
}

impl Pages {
    fn read(self, folder: &Path) -> Result<OwnTexts, ProfileError> {
        let mut texts = OwnTexts::default();
        for (page, files) in [("pricing", self.pricing), ("refunds", self.refunds), ("terms", self.terms)] {
            let Some(files) = files else { continue };
            let mut languages = BTreeMap::new();
            for (language, file) in [("zh", files.zh), ("en", files.en)] {
                let path = folder.join(file);
                let markdown = text(&path)?;
                if markdown.trim().is_empty() {
                    return Err(ProfileError::Content(path, "is empty".to_owned()));
                }
                languages.insert(language, own_texts::html(&markdown));
            }
            texts.insert(page, languages);
        }
        Ok(texts)
    }
}

/// Reads a text file of limited size.
fn text(path: &Path) -> Result<String, ProfileError> {
    let failed = |error| ProfileError::Io(path.to_owned(), error);
    if std::fs::metadata(path).map_err(failed)?.len() > MOST_BYTES {
        return Err(ProfileError::Content(path.to_owned(), "is larger than 200 kB".to_owned()));
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// Returns a value on one line; `None` if it is empty.
fn line(value: Option<String>) -> Option<String> {
    let words = value?.replace(char::is_control, " ").split_whitespace().collect::<Vec<_>>().join(" ");
    (!words.is_empty()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::OperatorProfile;

    // spec: 10.13.16
    #[test]
    fn an_invalid_profile_is_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("operator.toml");
        let read = |text: &str| {
            std::fs::write(&path, text).expect("written");
            OperatorProfile::read(Some(&path))
        };
        std::fs::write(folder.path().join("empty.md"), " \n").expect("written");
        for (text, why) in [
            ("name = 1", "invalid type"),
            ("names = \"x\"", "unknown field"),
            ("[[tax]]\nfrom = \"2026-13-01\"\nname = \"HST\"\npercent = \"13\"", "not a date"),
            ("[[tax]]\nfrom = \"2026-01-01\"\nname = \"HST\"\npercent = \"13 %\"", "not a percentage"),
            ("[[tax]]\nfrom = \"2026-01-01\"\nname = \" \"\npercent = \"13\"", "needs a name"),
            ("[pages.terms]\nzh = \"none.md\"\nen = \"none.md\"", "none.md"),
            ("[pages.terms]\nzh = \"empty.md\"\nen = \"empty.md\"", "is empty"),
            ("[pages.terms]\nzh = \"empty.md\"", "missing field"),
            ("[pages.faq]\nzh = \"empty.md\"\nen = \"empty.md\"", "unknown field"),
        ] {
            let error = read(text).map(|_| ()).expect_err(text).to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        let error = OperatorProfile::read(Some(&folder.path().join("gone.toml"))).map(|_| ());
        assert!(error.expect_err("missing").to_string().contains("gone.toml"));
        assert!(OperatorProfile::read(None).expect("nothing is set").name.is_none());
    }

    // spec: 10.11.26
    #[test]
    fn a_tax_rate_applies_from_its_date_until_the_next() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("operator.toml");
        let taxes = "address = \"1 Main St\\n  Toronto\"\n\
            [[tax]]\nfrom = \"2026-02-01\"\nname = \"HST\"\npercent = \"15\"\n\
            [[tax]]\nfrom = \"2026-01-01\"\nname = \"HST\"\npercent = \"13\"\n\
            [[tax]]\nfrom = \"2026-03-01\"\nname = \"none\"\npercent = \"0\"\n";
        std::fs::write(&path, taxes).expect("written");
        let profile = OperatorProfile::read(Some(&path)).expect("a profile");
        assert_eq!(profile.address.as_deref(), Some("1 Main St Toronto"));
        let rate = |moment: &str| {
            profile.tax_at(moment.parse().expect("a moment")).map(|(_, rate)| rate.to_string())
        };
        assert_eq!(rate("2026-01-01T04:59:59Z"), None, "the day begins in Toronto");
        assert_eq!(rate("2026-01-01T05:00:00Z").as_deref(), Some("13"));
        assert_eq!(rate("2026-02-01T05:00:00Z").as_deref(), Some("15"));
        assert_eq!(rate("2026-03-02T05:00:00Z"), None);
    }
}
