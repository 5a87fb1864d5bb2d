//! Checks dependencies for known vulnerabilities: compares Cargo.lock with a copy of the RustSec
//! database, which `scripts/advisories.py` makes.

use semver::{Version, VersionReq};

/// Age in days after which the database must be fetched again.
pub const FRESH_DAYS: i64 = 30;

/// Advisories that do not concern this project, each with the reason.
pub const ANSWERED: [(&str, &str); 1] = [(
    "RUSTSEC-2023-0071",
    "rsa leaks private keys by its time: only signatures of identity providers are checked with it, which takes public keys",
)];

/// Returns the date of the database from its first line.
#[must_use]
pub fn date(table: &str) -> Option<&str> {
    table.lines().next()?.split(", ").nth(1)
}

/// Returns one sentence for each package of the lock file that an advisory concerns. Those of
/// [`ANSWERED`] are left out.
#[must_use]
pub fn complaints(lock: &str, table: &str) -> Vec<String> {
    let packages = packages(lock);
    let mut found = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        let (id, name, patched, unaffected, kind, title) = (next(), next(), next(), next(), next(), next());
        if kind != "vulnerability" && kind != "unsound"
            || ANSWERED.iter().any(|(answered, _)| *answered == id)
        {
            continue;
        }
        for (_, version) in packages.iter().filter(|(package, _)| package == name) {
            if !any(patched, version) && !any(unaffected, version) {
                found.push(format!("{id}: {name} {version}: {title}"));
            }
        }
    }
    found
}

/// Returns the entries of [`ANSWERED`] that are obsolete, because no package in the lock file has
/// such an advisory.
#[must_use]
pub fn idle_answers(lock: &str, table: &str) -> Vec<&'static str> {
    let packages = packages(lock);
    let concerns = |id: &str| {
        table.lines().filter(|line| line.starts_with(id)).any(|line| {
            let name = line.split('\t').nth(1).unwrap_or_default();
            packages.iter().any(|(package, _)| package == name)
        })
    };
    ANSWERED.iter().map(|(id, _)| *id).filter(|id| !concerns(id)).collect()
}

fn any(requirements: &str, version: &Version) -> bool {
    let read = |text: &str| VersionReq::parse(text).is_ok_and(|one| one.matches(version));
    requirements.split('|').filter(|text| !text.is_empty()).any(read)
}

/// Returns name and version of each package of a lock file.
fn packages(lock: &str) -> Vec<(String, Version)> {
    let value = |line: &str, key: &str| {
        line.strip_prefix(key)
            .and_then(|rest| rest.strip_prefix(" = \""))
            .map(|rest| rest.trim_end_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter_map(|package| {
            let name = package.lines().find_map(|line| value(line, "name"))?;
            let version = package.lines().find_map(|line| value(line, "version"))?;
            Some((name, Version::parse(&version).ok()?))
        })
        .collect()
}
