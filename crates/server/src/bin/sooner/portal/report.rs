//! Report of `sooner portal try`: every page without personal data, in one local file that is never
//! sent.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use anyhow::Context as _;
use portal::{Redactor, Secrets};
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};
use store::Random;

use super::login::agrees;
use super::walk::{Walk, WalkResult};

/// Login and password of the account, which the report must not contain.
pub struct Login<'a> {
    pub login: &'a str,
    pub password: &'a SecretString,
}

/// Content of the report file.
#[derive(Serialize, Deserialize)]
struct Report {
    /// Version of this format.
    report: u32,
    /// Version of the program.
    version: String,
    would_watch: bool,
    would_book: bool,
    stopped_at: Option<String>,
    pages: Vec<Page>,
}

#[derive(Serialize, Deserialize)]
struct Page {
    kind: String,
    method: String,
    address: String,
    status: u16,
    milliseconds: u64,
    shape: String,
    understood: String,
    missing: Vec<String>,
    /// Number of fields and classes that known pages do not have.
    new: usize,
    body: Vec<String>,
}

/// Returns an error if the file exists.
pub fn refuse_existing(path: &Path) -> anyhow::Result<()> {
    anyhow::ensure!(!path.exists(), "{} exists: name a new file for the report", path.display());
    Ok(())
}

/// Prints the report, and writes it to a file that only its owner can read.
///
/// # Errors
/// Returns an error if the report still contains personal data, or if the file cannot be written.
pub fn write(
    path: &Path,
    walk: &Walk,
    ended: &WalkResult,
    login: &Login<'_>,
    random: &Random,
) -> anyhow::Result<()> {
    let secrets = secrets(walk, login);
    let report = redacted(walk, ended, &secrets, shift_days(random));
    refuse_secrets(&report, &secrets)?;
    let text = serde_json::to_string_pretty(&report)? + "\n";
    println!("\nThis is the whole report. Read it before you give it to others.\n\n{text}");
    if !agrees(&format!("Write it to {}?", path.display()))? {
        println!("Nothing was written.");
        return Ok(());
    }
    let mut options = std::fs::OpenOptions::new();
    let file = options.write(true).create_new(true).mode(0o600).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes()))
        .with_context(|| format!("cannot write {}", path.display()))?;
    println!("The report is in {}. It was not sent.", path.display());
    Ok(())
}

/// Returns the last page of a kind from a report file.
pub fn page_of(path: &Path, kind: &str) -> anyhow::Result<String> {
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let report: Report = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a report of sooner portal try", path.display()))?;
    let page = report.pages.iter().rev().find(|page| page.kind == kind);
    let kinds: Vec<&str> = report.pages.iter().map(|page| page.kind.as_str()).collect();
    let page = page.with_context(|| format!("the report has no page {kind}; it has {}", kinds.join(" ")))?;
    Ok(page.body.join("\n"))
}

/// Returns the number of days by which all dates of a report are shifted: randomly 30 to 430,
/// forward or backward.
fn shift_days(random: &Random) -> i32 {
    let days = i32::try_from(30 + random.below(401)).unwrap_or(30);
    if random.below(2) == 0 { days } else { -days }
}

fn redacted(walk: &Walk, ended: &WalkResult, secrets: &Secrets, shift_days: i32) -> Report {
    let mut redactor = Redactor::new(shift_days, secrets);
    let pages = walk.findings.iter().map(|finding| Page {
        kind: finding.name.to_owned(),
        method: finding.exchange.method.to_owned(),
        address: redactor.address(&finding.exchange.path),
        status: finding.exchange.status,
        milliseconds: u64::try_from(finding.exchange.took.as_millis()).unwrap_or(u64::MAX),
        shape: format!("{:016x}", finding.comparison.shape),
        understood: finding.grade.words().to_owned(),
        missing: finding.comparison.missing.iter().map(|part| (*part).to_owned()).collect(),
        new: finding.comparison.new_fields.len() + finding.comparison.new_classes.len(),
        body: redactor.page(&finding.exchange.body).lines().map(str::to_owned).collect(),
    });
    Report {
        report: 1,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        pages: pages.collect(),
        would_watch: ended.would_watch,
        would_book: ended.would_book,
        stopped_at: ended.stop.as_ref().map(|stop| stop.at.to_owned()),
    }
}

/// Returns the personal data that must not appear in the report.
fn secrets(walk: &Walk, login: &Login<'_>) -> Secrets {
    let mut secrets = Secrets::default();
    secrets.add("the login", login.login);
    secrets.add_whole("the password", login.password.expose_secret());
    for group in &walk.groups {
        secrets.add_whole("the number of a group", &group.portal_schedule_id.0);
        if let Some(ivr) = &group.ivr_account_number {
            secrets.add_whole("the IVR account number", ivr);
        }
        for applicant in &group.applicants {
            secrets.add("an applicant's name", &applicant.name);
            for (kind, number) in [
                ("a passport number", applicant.passport.as_deref()),
                ("a DS-160 number", applicant.ds160.as_deref()),
                ("the number of an applicant", applicant.id.as_ref().map(portal::ApplicantId::as_str)),
            ] {
                secrets.add_whole(kind, number.unwrap_or_default());
            }
        }
    }
    secrets
}

/// Searches every page of the report for secrets, and returns an error if one is found.
fn refuse_secrets(report: &Report, secrets: &Secrets) -> anyhow::Result<()> {
    for page in &report.pages {
        let texts = [page.body.join("\n"), page.address.clone()];
        if let Some(kind) = texts.iter().find_map(|text| secrets.left_in(text)) {
            anyhow::bail!("the report was not written: its page {} still has {kind} in it", page.kind);
        }
    }
    Ok(())
}
