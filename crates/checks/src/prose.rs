//! Checks the language of the repository: comments, Markdown, log messages, error texts, and
//! declared names.
//!
//! `retired-words.tsv` lists the retired words. `prose-exceptions.tsv` lists the exceptions, and
//! how many complaints an area may still have. Code and quotations may contain retired words.
//!
//! Prose may use these words of the table, because a word alone does not show its meaning: stand,
//! look as a verb, rest, word, ask, line, take, keep, note, leave, hand, way and books. The same
//! holds for ring, round, sweep, outline, day, time, draw, put up, lead to and be over. The word
//! spell is free until the type `Spells` has another name.

use std::collections::BTreeMap;

use crate::names;
use crate::passages::{Passage, Word, passages};
use crate::tree::File;
use crate::word_lists::rows;

/// A violation of a rule of the language.
#[derive(Debug)]
pub struct Complaint {
    /// Name of a crate, or `web`, or `docs` for Markdown.
    pub area: String,
    /// The rule: `question`, `word`, `width`, `sentence` or `name`.
    pub kind: &'static str,
    /// File, line and explanation.
    pub text: String,
}

const GENERATED: [&str; 4] = ["docs/SPEC.md", "docs/SETTINGS.md", "docs/spec-items.md", "/api/schema.ts"];
const QUESTIONS: [&str; 6] = ["what", "who", "whether", "how", "whose", "where"];
const LARGEST_WIDTH: usize = 100;
const LONGEST_SENTENCE: usize = 35;

/// Counts complaints by area and kind.
#[must_use]
pub fn counts(complaints: &[Complaint]) -> BTreeMap<(String, &'static str), usize> {
    let mut counts = BTreeMap::new();
    for complaint in complaints {
        *counts.entry((complaint.area.clone(), complaint.kind)).or_default() += 1;
    }
    counts
}

/// Returns the complaints of every area and kind that has more of them than the list allows.
#[must_use]
pub fn too_many(complaints: &[Complaint]) -> Vec<String> {
    let allowed = |area: &str, kind| {
        let row = rows("allowed", area).iter().find(|row| row[2] == kind);
        row.map_or(0, |row| row[3].parse().expect("the last field of the row is a number"))
    };
    let counts = counts(complaints);
    let excess = |c: &&Complaint| counts[&(c.area.clone(), c.kind)] > allowed(&c.area, c.kind);
    complaints.iter().filter(excess).map(|complaint| complaint.text.clone()).collect()
}

/// Returns the complaints about a file.
#[must_use]
pub fn complaints(file: &File) -> Vec<Complaint> {
    let Some(area) = area(&file.path) else { return Vec::new() };
    let mut found: Vec<_> =
        passages(file).iter().flat_map(|passage| of_passage(passage, &file.path)).collect();
    found.extend(names::complaints(file).into_iter().map(|(line, text)| (line, "name", text)));
    let complaint = |(line, kind, text)| Complaint {
        area: area.to_owned(),
        kind,
        text: format!("{}:{line} {kind}: {text}", file.path),
    };
    found.into_iter().map(complaint).collect()
}

fn area(path: &str) -> Option<&str> {
    let web = ["web/src/", "web/e2e/", "web/mock/"].iter().any(|folder| path.starts_with(folder));
    match path.split('/').collect::<Vec<_>>()[..] {
        _ if GENERATED.iter().any(|end| path.ends_with(end)) => None,
        ["crates", area, ..] if path.ends_with(".rs") => Some(area),
        _ if web && (path.ends_with(".ts") || path.ends_with(".tsx")) => Some("web"),
        _ => path.ends_with(".md").then_some("docs"),
    }
}

fn of_passage(passage: &Passage, path: &str) -> Vec<(usize, &'static str, String)> {
    let mut found = Vec::new();
    let words = passage.words();
    if let Some(first) = words.first().filter(|word| passage.begins_doc && QUESTIONS.contains(&&*word.text)) {
        found.push((first.line, "question", format!("a doc comment begins with {}", first.text)));
    }
    for line in passage.lines.iter().filter(|line| line.width > LARGEST_WIDTH) {
        found.push((line.number, "width", format!("{} columns", line.width)));
    }
    for sentence in words.split_inclusive(|word| word.ends_sentence) {
        if sentence.len() > LONGEST_SENTENCE {
            found.push((sentence[0].line, "sentence", format!("{} words", sentence.len())));
        }
    }
    for at in 0..words.len() {
        let retired = rows("prose", &words[at].text).iter().filter(|row| begins(&words[at..], row[1]));
        let exempt = |row: &Vec<&str>| path.starts_with(row[2].trim_end_matches('*'));
        for row in retired.filter(|_| !in_phrase(&words, at, exempt)) {
            found.push((words[at].line, "word", format!("not {}, but {}", row[1], row[2])));
        }
    }
    found
}

/// Returns `true` if an exempt phrase contains the word at a position.
fn in_phrase(words: &[Word], at: usize, exempt: impl Fn(&Vec<&str>) -> bool) -> bool {
    (0..=at).any(|start| {
        let rows = rows("except", &words[start].text).iter().filter(|row| exempt(row));
        let phrases = rows.map(|row| row[1]).filter(|phrase| begins(&words[start..], phrase));
        phrases.map(|phrase| start + phrase.split(' ').count()).any(|end| end > at)
    })
}

/// Returns `true` if the words begin with a phrase.
fn begins(words: &[Word], phrase: &str) -> bool {
    let texts = words.iter().map(|word| word.text.as_str());
    phrase.split(' ').eq(texts.take(phrase.split(' ').count()))
}
