//! What the engine has learned, by subject; it survives restarts and moves with the lease.

use domain::clock::Instant;
use domain::country::CountryCode;
use serde_json::Value;

use crate::{Error, Tx, all, exec};

/// The subject of what is known of a calendar's rates.
#[must_use]
pub fn rates_of(calendar: &str) -> String {
    format!("rates {calendar}")
}

/// The subject of why a calendar was looked at last, and when it will be next.
#[must_use]
pub fn choice_of(calendar: &str) -> String {
    format!("choice {calendar}")
}

/// Begins every subject of [`agreement_of`].
const AGREEMENT: &str = "agreement ";

/// The subject of how often the lists of a calendar's accounts agreed.
#[must_use]
pub fn agreement_of(calendar: &str) -> String {
    format!("{AGREEMENT}{calendar}")
}

/// Whether a subject is one of [`agreement_of`].
#[must_use]
pub fn is_agreement(subject: &str) -> bool {
    subject.starts_with(AGREEMENT)
}

/// How often the lists of each calendar's accounts agreed, by calendar.
pub async fn agreements(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    let told = about(tx, AGREEMENT).await?;
    Ok(told.into_iter().map(|(subject, data)| (subject[AGREEMENT.len()..].to_owned(), data)).collect())
}

/// Begins every subject of [`page_subject`].
const LAYOUT: &str = "layout ";

/// The subject of a page of one country's portal that nobody can read, or could not.
#[must_use]
pub fn page_subject(country: CountryCode, page: &str) -> String {
    format!("{LAYOUT}{country} {page}")
}

/// The country and the page a subject of [`page_subject`] tells of.
#[must_use]
pub fn page_of_subject(subject: &str) -> Option<(CountryCode, &str)> {
    let (country, page) = subject.strip_prefix(LAYOUT)?.split_once(' ')?;
    Some((country.parse().ok()?, page))
}

/// What is known of pages nobody could read, by subject.
pub async fn page_incidents(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    about(tx, LAYOUT).await
}

/// The subject of the first whole walk of one country's portal.
#[must_use]
pub fn walk_subject(host: &str, country: CountryCode) -> String {
    format!("walk {host} {country}")
}

/// The countries of a host whose portal was walked whole.
pub async fn walked(tx: &mut Tx, host: &str) -> Result<Vec<CountryCode>, Error> {
    let beginning = format!("walk {host} ");
    let told = about(tx, &beginning).await?;
    Ok(told.iter().filter_map(|(subject, _)| subject[beginning.len()..].parse().ok()).collect())
}

/// Everything that was learned.
pub async fn everything(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    all!(tx, (String, Value), "SELECT subject, data FROM learned ORDER BY subject")
}

/// What was learned of some subjects that begin alike.
pub async fn about(tx: &mut Tx, beginning: &str) -> Result<Vec<(String, Value)>, Error> {
    let after = format!("{beginning}\u{7f}");
    all!(
        tx,
        (String, Value),
        "SELECT subject, data FROM learned WHERE subject >= $1 AND subject < $2 ORDER BY subject",
        beginning,
        after
    )
}

/// Keeps what was learned of a subject.
pub async fn keep(tx: &mut Tx, subject: &str, data: &Value, at: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO learned (subject, data, learned_at) VALUES ($1, $2, $3)
         ON CONFLICT (subject) DO UPDATE SET data = $2, learned_at = $3",
        subject,
        data.clone(),
        at
    )?;
    Ok(())
}
