//! Pages without personal data, for the report of an unknown page.
//!
//! The first pass replaces every word that is not on a hand-kept list. The second pass,
//! [`Secrets::left_in`], searches the result for known personal data. The two passes share only
//! those lists.

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

/// Redactor of the pages of one report. Equal data gets equal replacements.
pub struct Redactor {
    mapping: Mapping,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor(..)")
    }
}

impl Redactor {
    /// Creates a redactor that moves every date by `shift_days`. The caller chooses this number at
    /// random and does not store it.
    #[must_use]
    pub fn new(shift_days: i32, secrets: &Secrets) -> Self {
        Self { mapping: Mapping::new(shift_days, secrets.numbers()) }
    }

    /// Returns the page, list or script without personal data.
    pub fn page(&mut self, raw: &str) -> String {
        if raw.trim_start().starts_with('<') {
            return markup::html(&mut self.mapping, raw);
        }
        match serde_json::from_str(raw) {
            Ok(value) => script::json(&mut self.mapping, value).to_string(),
            Err(_) => script::script(&mut self.mapping, raw),
        }
    }

    /// Returns the address without personal data.
    pub fn address(&mut self, raw: &str) -> String {
        address::address(&mut self.mapping, raw)
    }
}
