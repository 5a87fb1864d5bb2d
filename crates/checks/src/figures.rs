//! Checks the metrics of `/metrics` in operators' documents: alerts, dashboard and runbook may only
//! use existing ones.
//!
//! The test `metrics` compares the runbook's table with what a server exposes. The functions here
//! compare the rest with that table.

use std::collections::{BTreeMap, BTreeSet};

/// Metrics of the runbook's table, each with its labels.
pub type Figures = BTreeMap<String, BTreeSet<String>>;

/// Labels that Prometheus adds.
const ADDED: [&str; 3] = ["instance", "job", "le"];
/// Suffixes of a histogram's series.
const SUFFIXES: [&str; 3] = ["_bucket", "_count", "_sum"];

/// Parses the table of the runbook: rows that begin with `` | `sooner_name{label,label}` | ``.
#[must_use]
pub fn figures(runbook: &str) -> Figures {
    let rows = runbook.lines().filter_map(|line| line.strip_prefix("| `sooner_")?.split_once('`'));
    rows.map(|(figure, _)| {
        let (name, labels) = figure.split_once('{').unwrap_or((figure, ""));
        let labels = labels.trim_end_matches('}').split(',').filter(|label| !label.is_empty());
        (format!("sooner_{name}"), labels.map(str::to_owned).collect())
    })
    .collect()
}

/// Returns the metric names in the program's source that the runbook lacks, and those in the
/// runbook that the source lacks.
#[must_use]
pub fn undocumented(figures: &Figures, source: &str) -> Vec<String> {
    let quoted = source.split('"').skip(1).step_by(2).filter(|text| text.starts_with("sooner_"));
    let ours: BTreeSet<_> = quoted.map(str::to_owned).collect();
    let listed: BTreeSet<_> = figures.keys().cloned().collect();
    let missing = ours.difference(&listed).map(|name| format!("docs/RUNBOOK.md does not explain {name}"));
    let gone = listed.difference(&ours).map(|name| format!("docs/RUNBOOK.md explains {name}, which is gone"));
    missing.chain(gone).collect()
}

/// Returns the names and labels in `text` that no metric has.
#[must_use]
pub fn unknown(figures: &Figures, path: &str, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut labels: BTreeSet<&str> = ADDED.into();
        for (name, selector) in uses(line) {
            let Some(known) = figure(figures, name) else {
                found.push(format!("{path}: there is no figure {name}"));
                continue;
            };
            labels.extend(known.iter().map(String::as_str));
            let selected = selector.split(',').map(label).filter(|l| !l.is_empty());
            let strange = selected.filter(|l| !known.contains(*l) && !ADDED.contains(l));
            found.extend(strange.map(|label| format!("{path}: {name} has no label {label}")));
        }
        if labels.len() > ADDED.len() {
            let strange = grouped(line).into_iter().filter(|label| !labels.contains(label));
            found.extend(
                strange.map(|label| format!("{path}: nothing on this line has a label {label}: {line}")),
            );
        }
    }
    found
}

fn figure<'a>(figures: &'a Figures, name: &str) -> Option<&'a BTreeSet<String>> {
    let base = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
    figures.get(name).or_else(|| figures.get(base?))
}

/// Returns each metric's name on a line with the contents of the braces behind it.
fn uses(line: &str) -> Vec<(&str, &str)> {
    let named = |at: usize| {
        let rest = &line[at..];
        let end = rest.find(|c: char| !c.is_ascii_lowercase() && c != '_').unwrap_or(rest.len());
        let (name, behind) = rest.split_at(end);
        let selector =
            behind.strip_prefix('{').and_then(|s| s.split_once('}')).map_or("", |(inside, _)| inside);
        (name, selector)
    };
    line.match_indices("sooner_").map(|(at, _)| named(at)).collect()
}

fn label(matcher: &str) -> &str {
    matcher.split(['=', '!', '~']).next().unwrap_or_default().trim()
}

/// Returns the labels that a line groups by.
fn grouped(line: &str) -> Vec<&str> {
    let lists = ["by (", "ignoring(", "on("].into_iter().flat_map(|word| line.split(word).skip(1));
    lists
        .filter_map(|rest| rest.split_once(')'))
        .flat_map(|(list, _)| list.split(','))
        .map(str::trim)
        .collect()
}
