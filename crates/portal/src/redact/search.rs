//! The second pass: searches a finished report for secrets in all known encodings.

use super::address::percent_decoded;
use super::mapping::WORD;
use super::tokens::words;
use super::words::{is_attribute, is_tag, phrase_at_start};
use crate::structure::is_known_part;
use base64::Engine as _;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use domain::text::fold;
use std::collections::BTreeSet;

/// Number of characters from which a secret is also searched inside other words.
const LONG: usize = 4;

/// Text that a report must not contain.
struct Secret {
    kind: &'static str,
    /// The secret in lower case without accents, reduced to letters and digits.
    squeezed: String,
}

impl Secret {
    /// Returns `true` if the secret is also searched inside other words. This includes every secret
    /// with Chinese characters.
    fn is_long(&self) -> bool {
        self.squeezed.chars().count() >= LONG || !self.squeezed.is_ascii()
    }
}

/// All secrets that a report must not contain: login, password, names and numbers.
#[derive(Default)]
pub struct Secrets {
    found: Vec<Secret>,
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(..)")
    }
}

impl Secrets {
    /// Adds a text and each of its words: the parts of a name, or the local part and the host of a
    /// login.
    pub fn add(&mut self, kind: &'static str, value: &str) {
        let folded = fold(value);
        let pieces = folded.split(|c: char| !c.is_alphanumeric());
        for piece in pieces.chain([folded.as_str()]) {
            let squeezed = squeeze(piece);
            // Skip a year, which is no secret by itself.
            let is_year = squeezed.len() <= LONG && squeezed.bytes().all(|byte| byte.is_ascii_digit());
            let enough =
                if squeezed.is_ascii() { squeezed.len() > 1 } else { !squeezed.is_empty() } && !is_year;
            if enough && !COMMON.contains(&squeezed.as_str()) {
                self.found.push(Secret { kind, squeezed });
            }
        }
    }

    /// Adds a number or password as a whole. A value of less than four characters is ignored.
    pub fn add_whole(&mut self, kind: &'static str, value: &str) {
        let squeezed = squeeze(&fold(value));
        if squeezed.len() >= LONG {
            self.found.push(Secret { kind, squeezed });
        }
    }

    /// Returns the secrets that are numbers.
    pub(super) fn numbers(&self) -> BTreeSet<String> {
        let is_number = |text: &&String| text.bytes().all(|byte| byte.is_ascii_digit());
        self.found.iter().map(|secret| &secret.squeezed).filter(is_number).cloned().collect()
    }

    /// Returns the kind of the first secret found in `text` in any encoding.
    #[must_use]
    pub fn left_in(&self, text: &str) -> Option<&'static str> {
        forms(text).iter().find_map(|form| self.left_in_form(form))
    }

    fn left_in_form(&self, form: &str) -> Option<&'static str> {
        let marked = unknown_words(form);
        let tagless = unknown_words(&without_tags(form));
        let whole: BTreeSet<&str> = marked.iter().chain(&tagless).map(String::as_str).collect();
        let joined = [marked.concat(), tagless.concat()];
        self.found
            .iter()
            .find(|secret| {
                whole.contains(secret.squeezed.as_str())
                    || secret.is_long() && joined.iter().any(|text| text.contains(&secret.squeezed))
            })
            .map(|secret| secret.kind)
    }
}

/// Parts of e-mail addresses that reveal nothing about the user.
const COMMON: [&str; 11] = ["com", "net", "org", "ca", "cn", "www", "mail", "email", "co", "edu", "gmail"];

/// Returns the text and its decoded variants, including nested encodings.
fn forms(text: &str) -> Vec<String> {
    /// Limit on the depth of nested encodings.
    const LEVELS: usize = 3;
    let mut all = vec![text.to_owned()];
    let mut newest = 0;
    for _ in 0..LEVELS {
        let end = all.len();
        for at in newest..end {
            for decoded in [percent_decoded(&all[at]), unescaped(&all[at]), entities(&all[at])] {
                if !all.contains(&decoded) {
                    all.push(decoded);
                }
            }
        }
        newest = end;
    }
    let hidden: Vec<String> = all.iter().map(|form| base64_runs(form)).collect();
    all.extend(hidden);
    all
}

/// Returns the words that are neither interface text nor, inside a tag, known structure. The words
/// are in lower case without accents and punctuation.
fn unknown_words(form: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut end = 0;
    for (start, word) in words(form) {
        if start < end {
            continue;
        }
        if let Some(length) = phrase_at_start(&form[start..]) {
            end = start + length;
            continue;
        }
        let folded = fold(word);
        let lower = folded.as_str();
        let is_structure = is_known_part(lower) || is_tag(lower) || is_attribute(lower);
        if lower != WORD && !(is_structure && is_in_tag(&form[..start])) {
            // Do not split binary data, because its letters could form a name by chance.
            let is_garbage = lower.contains(|c: char| c.is_control() || c == char::REPLACEMENT_CHARACTER);
            found.push(if is_garbage { folded } else { squeeze(lower) });
        }
    }
    found
}

/// Returns `true` if the text after `before` is inside a tag.
fn is_in_tag(before: &str) -> bool {
    before.rfind('<').is_some_and(|open| before.rfind('>').is_none_or(|close| close < open))
}

fn without_tags(form: &str) -> String {
    let mut out = String::with_capacity(form.len());
    let mut in_tag = false;
    for c in form.chars() {
        match c {
            '<' => in_tag = true,
            '>' => in_tag = false,
            c if !in_tag => out.push(c),
            _ => {}
        }
    }
    out
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Decodes `\u738b`, `\x41` and `\/`, the escape sequences of scripts and JSON.
fn unescaped(form: &str) -> String {
    let mut out = String::with_capacity(form.len());
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('\\') {
        out.push_str(before);
        let digits = if after.starts_with('u') { 4 } else { 2 };
        let code = after.strip_prefix(['u', 'x']).and_then(|hex| hex.get(..digits));
        let c = code.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        match c {
            Some(c) => {
                out.push(c);
                rest = &after[1 + digits..];
            }
            None => rest = after.strip_prefix(['n', 'r', 't']).unwrap_or(after),
        }
    }
    out + rest
}

/// Decodes numeric character references such as `&#29579;` and `&#x738b;`, and the entities of
/// punctuation.
fn entities(form: &str) -> String {
    let mut out = String::with_capacity(form.len());
    let mut rest = form;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '#').unwrap_or(after.len());
        let name = &after[..end];
        let number = name.strip_prefix('#').and_then(|number| match number.strip_prefix(['x', 'X']) {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => number.parse().ok(),
        });
        let c = number.and_then(char::from_u32).or(match name {
            "amp" => Some('&'),
            "lt" => Some('<'),
            "gt" => Some('>'),
            "quot" => Some('"'),
            "apos" => Some('\''),
            "nbsp" => Some(' '),
            _ => None,
        });
        match c {
            Some(c) => {
                out.push(c);
                rest = after[end..].strip_prefix(';').unwrap_or(&after[end..]);
            }
            None => {
                out.push('&');
                rest = after;
            }
        }
    }
    out + rest
}

/// Decodes runs of base64. Tries each of the first four characters as the beginning.
fn base64_runs(form: &str) -> String {
    let config = GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true);
    let mut out = String::new();
    for (alphabet, signs) in [(STANDARD, "+/"), (URL_SAFE, "-_")] {
        let engine = GeneralPurpose::new(&alphabet, config);
        for run in form.split(|c: char| !c.is_ascii_alphanumeric() && !signs.contains(c)) {
            for from in 0..4.min(run.len()) {
                let aligned = &run[from..];
                let aligned = &aligned[..aligned.len() - usize::from(aligned.len() % 4 == 1)];
                if let Some(bytes) = engine.decode(aligned).ok().filter(|bytes| bytes.len() > 1) {
                    out.push_str(&String::from_utf8_lossy(&bytes));
                    out.push('\n');
                }
            }
        }
    }
    out
}
