//! Splits files into passages of prose: paragraphs of comments and of Markdown, log messages and
//! error texts.

use crate::tree::File;

/// A paragraph.
#[derive(Debug)]
pub struct Passage {
    /// `true` for the first paragraph of a doc comment.
    pub begins_doc: bool,
    /// Lines of the paragraph.
    pub lines: Vec<Line>,
}

/// A line of a paragraph.
#[derive(Debug)]
pub struct Line {
    /// Number in its file, from 1.
    pub number: usize,
    /// Width of the whole line; 0 if it need not be wrapped.
    pub width: usize,
    /// Text without the marker of a comment.
    pub text: String,
}

/// A word in lower case, empty for code and quotations.
#[derive(Debug)]
pub struct Word {
    /// Line of the word in its file.
    pub line: usize,
    /// The word without punctuation.
    pub text: String,
    /// `true` for the last word of a sentence.
    pub ends_sentence: bool,
}

/// Beginnings of code whose string literals are prose.
const CALLS: [&str; 6] = ["#[error(", "error!(", "warn!(", "info!(", "debug!(", "trace!("];
const MARKERS: [&str; 6] = ["///", "//!", "//", "/**", "/*", "{/*"];

/// Returns the passages of a Rust, TypeScript or Markdown file.
#[must_use]
pub fn passages(file: &File) -> Vec<Passage> {
    let markdown = file.path.ends_with(".md");
    let mut found = if markdown { Vec::new() } else { texts(file) };
    let (mut before, mut block, mut fenced) = ("", None, false);
    for (number, line) in (1..).zip(file.text.lines()) {
        let (marker, text) = if markdown { ("#", line.trim()) } else { comment(line.trim(), &mut block) };
        let fence = !marker.is_empty() && text.starts_with("```");
        fenced ^= fence;
        let is_code = fence || fenced || markdown && line.starts_with("    ");
        let is_item = text.starts_with(['-', '*', '#', '|', '@']) || numbered(text);
        if marker != before || text.is_empty() || is_item {
            let begins_doc = marker != before && ["///", "//!", "/**"].contains(&marker);
            found.push(Passage { begins_doc, lines: Vec::new() });
        }
        before = marker;
        let free = text.starts_with('|') || ["](", "://", "spec: "].iter().any(|part| text.contains(part));
        let width = if free { 0 } else { line.chars().count() };
        if let Some(passage) = found.last_mut().filter(|_| !marker.is_empty() && !is_code) {
            passage.lines.push(Line { number, width, text: text.to_owned() });
        }
    }
    found
}

fn numbered(text: &str) -> bool {
    text.split_once(". ").is_some_and(|(number, _)| number.parse::<u8>().is_ok())
}

/// Returns the string literals of log messages and error texts.
fn texts(file: &File) -> Vec<Passage> {
    let mut found = Vec::new();
    for (at, _) in CALLS.iter().flat_map(|call| file.text.match_indices(call)) {
        let mut depth = 0;
        let end = file.text[at..].find(|letter| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            letter == ')' && depth == 0
        });
        let call = file.text[at..at + end.unwrap_or(0)].replace("\\\"", "`");
        let number = file.text[..at].lines().count();
        for text in call.split('"').skip(1).step_by(2) {
            let line = Line { number, width: 0, text: text.to_owned() };
            found.push(Passage { begins_doc: false, lines: vec![line] });
        }
    }
    found
}

/// Splits a comment into its marker and its text. Code has an empty marker.
fn comment<'a>(line: &'a str, block: &mut Option<&'static str>) -> (&'static str, &'a str) {
    let Some(marker) = block.or_else(|| MARKERS.into_iter().find(|marker| line.starts_with(marker))) else {
        return ("", line);
    };
    let text = if block.is_some() { line.trim_start_matches("* ") } else { &line[marker.len()..] };
    *block = (marker.contains("/*") && !text.contains("*/")).then_some(marker);
    (marker, text.split("*/").next().unwrap_or_default().trim())
}

impl Passage {
    /// Returns the words of the passage. A piece of code counts as one word.
    #[must_use]
    pub fn words(&self) -> Vec<Word> {
        let (mut code, mut quoted) = (false, false);
        let mut hide = |letter: char| {
            code ^= letter == '`';
            quoted ^= !code && letter == '"';
            if code || quoted && letter.is_alphanumeric() { '_' } else { letter }
        };
        let mut found = Vec::new();
        for line in &self.lines {
            let text: String = line.text.chars().map(&mut hide).collect();
            let is_word =
                |token: &&str| token.contains(|c: char| c.is_alphanumeric() || c == '_' || c == '|');
            for token in text.split_whitespace().filter(is_word) {
                let ends_sentence =
                    token.trim_end_matches([')', '*', '"', '\'']).ends_with(['.', '?', '!', '|']);
                let word = token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
                let text = word.trim_end_matches("'s").to_owned();
                found.push(Word { line: line.number, text, ends_sentence });
            }
        }
        found
    }
}
