//! Language of a page that a file contains.
//!
//! The client requests English pages and does not use this module. Only
//! [`parse_kind`](crate::parse_kind) reads pages of other languages.

use crate::html::{Doc, attr, sel, text};
use crate::wording::{self, Wording};
use std::cmp::Reverse;
use std::collections::HashMap;

/// Languages in which [`parse_kind`](crate::parse_kind) reads pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    Spanish,
    Portuguese,
    French,
    Russian,
}

/// Languages with their codes and English names.
const LANGUAGES: [(Language, &str, &str); 5] = [
    (Language::English, "en", "English"),
    (Language::Spanish, "es", "Spanish"),
    (Language::Portuguese, "pt", "Portuguese"),
    (Language::French, "fr", "French"),
    (Language::Russian, "ru", "Russian"),
];

/// Returns the English names of the languages in which pages are read.
pub(crate) fn names() -> [&'static str; 5] {
    LANGUAGES.map(|(_, _, name)| name)
}

impl Language {
    /// Returns the language of a page, or the name or code of an unknown language.
    ///
    /// The title's end (`… | Peru | Spanish`) names the language in English on every page. It
    /// decides before the `lang` attribute, because some pages in other languages have English
    /// parts. A page with neither has the language of most of its addresses. A text without any of
    /// the three is English.
    pub(crate) fn of(doc: &Doc) -> Result<Self, String> {
        let title = in_title(doc);
        let titled = title.as_deref().and_then(Self::by_name);
        if let Some(language) = titled.filter(|language| *language != Self::English) {
            return Ok(language);
        }
        if let Some(code) = declared(doc) {
            return Self::by_code(&code).ok_or_else(|| title.filter(|_| titled.is_none()).unwrap_or(code));
        }
        if let Some(name) = title {
            return titled.ok_or(name);
        }
        in_addresses(doc).map_or(Ok(Self::English), |code| Self::by_code(&code).ok_or(code))
    }

    /// Returns the texts of the language beside those in the readers' own code.
    pub(crate) fn wording(self) -> &'static Wording {
        match self {
            Self::English | Self::French => &wording::CLIENT,
            Self::Spanish => &wording::SPANISH,
            Self::Portuguese => &wording::PORTUGUESE,
            Self::Russian => &wording::RUSSIAN,
        }
    }

    fn by_code(code: &str) -> Option<Self> {
        LANGUAGES.iter().find(|(_, known, _)| *known == code).map(|(language, ..)| *language)
    }

    fn by_name(name: &str) -> Option<Self> {
        let found = LANGUAGES.iter().find(|(.., known)| known.eq_ignore_ascii_case(name));
        found.map(|(language, ..)| *language)
    }
}

/// Returns the language code in the `lang` attribute, such as `es` of `es-PE`.
fn declared(doc: &Doc) -> Option<String> {
    let lang = attr(doc.root(), "lang")?.to_ascii_lowercase();
    let code = lang.split(['-', '_']).next().unwrap_or_default();
    is_plain(code).then(|| code.to_owned())
}

/// Returns the last part of a title such as `Groups | Official … Service | Peru | Spanish`.
fn in_title(doc: &Doc) -> Option<String> {
    let title = text(doc.first(sel!("title"))?);
    let parts: Vec<&str> = title.split('|').map(str::trim).collect();
    let (name, before) = parts.split_last()?;
    // The redacted title of a report ends with a word in lower case.
    let is_name = is_plain(name) && name.starts_with(|c: char| c.is_ascii_uppercase());
    (before.len() >= 2 && is_name).then(|| (*name).to_owned())
}

/// Returns `true` if a text can be printed as the name of a language.
fn is_plain(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphabetic() || c == ' ')
}

/// Returns the language code of most addresses such as `/es-pe/niv/groups/1`. A page also links to
/// its copy in another language.
fn in_addresses(doc: &Doc) -> Option<String> {
    let mut found: HashMap<String, (usize, Reverse<usize>)> = HashMap::new();
    let linked = doc.all(sel!("a[href], form[action]")).filter_map(|e| attr(e, "href").or(attr(e, "action")));
    for (at, code) in linked.filter_map(|address| code_in(&address)).enumerate() {
        found.entry(code).or_insert((0, Reverse(at))).0 += 1;
    }
    found.into_iter().max_by_key(|(_, rank)| *rank).map(|(code, _)| code)
}

/// Returns `es` of `/es-pe/niv/groups/1`, with or without a host.
fn code_in(address: &str) -> Option<String> {
    let segments: Vec<&str> = address.split(['/', '?', '#']).collect();
    segments.windows(2).find_map(|pair| {
        let (language, country) = pair[0].split_once('-')?;
        let are_letters = [language, country].iter().all(|part| part.len() == 2 && is_plain(part));
        (are_letters && ["niv", "iv"].contains(&pair[1])).then(|| language.to_ascii_lowercase())
    })
}
