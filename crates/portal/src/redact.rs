//! Removal of personal data from pages, for reports of unknown pages.
//!
//! The first pass replaces every word that is not on the lists of known words. The second pass,
//! [`Secrets::left_in`], searches the result for known personal data. The passes share only these
//! lists.

mod address;
mod mapping;
mod markup;
mod script;
mod search;
mod text;
mod tokens;
mod words;

use mapping::Mapping;
pub use search::Secrets;

/// Redactor for the pages of one report. Equal inputs get equal replacements in all pages.
pub struct Redactor {
    mapping: Mapping,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor(..)")
    }
}

impl Redactor {
    /// Creates a redactor that moves every date by `shift_days`. The caller chooses the number at
    /// random and must not store it.
    #[must_use]
    pub fn new(shift_days: i32, secrets: &Secrets) -> Self {
        Self { mapping: Mapping::new(shift_days, secrets.numbers()) }
    }

    /// Returns a page, JSON list or script with its personal data replaced.
    pub fn page(&mut self, raw: &str) -> String {
        if raw.trim_start().starts_with('<') {
            return markup::html(&mut self.mapping, raw);
        }
        match serde_json::from_str(raw) {
            Ok(value) => script::json(&mut self.mapping, value).to_string(),
            Err(_) => script::script(&mut self.mapping, raw),
        }
    }

    /// Returns a URL or path with its personal data replaced.
    pub fn address(&mut self, raw: &str) -> String {
        address::address(&mut self.mapping, raw)
    }
}
