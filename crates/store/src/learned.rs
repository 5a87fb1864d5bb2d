//! Data that the engine has learned, by subject. It survives restarts and moves with the lease.

use domain::clock::Instant;
use domain::country::CountryCode;
use serde_json::Value;

use crate::{Error, Tx, all, exec};

/// Returns the subject of a calendar's rates.
#[must_use]
pub fn rates_of(calendar: &str) -> String {
    format!("rates {calendar}")
}

/// Returns the subject of the reason for a calendar's last poll, and of its next poll.
#[must_use]
pub fn choice_of(calendar: &str) -> String {
    format!("choice {calendar}")
}

/// Prefix of every subject of [`agreement_of`].
const AGREEMENT: &str = "agreement ";

/// Returns the subject of the agreement between the lists of a calendar's accounts.
#[must_use]
pub fn agreement_of(calendar: &str) -> String {
    format!("{AGREEMENT}{calendar}")
}

/// Returns `true` if a subject is one of [`agreement_of`].
#[must_use]
pub fn is_agreement(subject: &str) -> bool {
    subject.starts_with(AGREEMENT)
}

/// Returns the agreement between the lists of each calendar's accounts, by calendar.
pub async fn agreements(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    let told = about(tx, AGREEMENT).await?;
    Ok(told.into_iter().map(|(subject, data)| (subject[AGREEMENT.len()..].to_owned(), data)).collect())
}

/// Prefix of every subject of [`page_subject`].
const LAYOUT: &str = "layout ";

/// Returns the subject of a page of one country's portal that is, or was, unreadable.
#[must_use]
pub fn page_subject(country: CountryCode, page: &str) -> String {
    format!("{LAYOUT}{country} {page}")
}

/// Parses the country and the page of a subject of [`page_subject`].
#[must_use]
pub fn page_of_subject(subject: &str) -> Option<(CountryCode, &str)> {
    let (country, page) = subject.strip_prefix(LAYOUT)?.split_once(' ')?;
    Some((country.parse().ok()?, page))
}

/// Returns the stored data of unreadable pages, by subject.
pub async fn page_incidents(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    about(tx, LAYOUT).await
}

/// Returns the subject of the first complete walk of one country's portal.
#[must_use]
pub fn walk_subject(host: &str, country: CountryCode) -> String {
    format!("walk {host} {country}")
}

/// Returns the countries of a host whose portal was walked completely.
pub async fn walked(tx: &mut Tx, host: &str) -> Result<Vec<CountryCode>, Error> {
    let beginning = format!("walk {host} ");
    let told = about(tx, &beginning).await?;
    Ok(told.iter().filter_map(|(subject, _)| subject[beginning.len()..].parse().ok()).collect())
}

/// Returns all learned data.
pub async fn everything(tx: &mut Tx) -> Result<Vec<(String, Value)>, Error> {
    all!(tx, (String, Value), "SELECT subject, data FROM learned ORDER BY subject")
}

/// Returns the learned data of all subjects with a common prefix.
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

/// Stores the learned data of a subject.
pub async fn save(tx: &mut Tx, subject: &str, data: &Value, at: Instant) -> Result<(), Error> {
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
