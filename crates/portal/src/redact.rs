//! Pages without personal data, for a report of a page that is not as known.
//!
//! The first pass replaces every word that is not on a hand-kept list. The second pass, [`Secrets::left_in`], searches the
//! result for what is known to be personal, and shares only those lists with the first.

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

/// Replaces personal data in the pages of one report, equal data by equal replacements.
pub struct Redactor {
    mapping: Mapping,
}

impl std::fmt::Debug for Redactor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Redactor(..)")
    }
}

impl Redactor {
    /// A redactor that moves every date by `shift_days`, which the caller draws and forgets.
    #[must_use]
    pub fn new(shift_days: i32, secrets: &Secrets) -> Self {
        Self { mapping: Mapping::new(shift_days, secrets.numbers()) }
    }

    /// The page, list or script without personal data.
    pub fn page(&mut self, raw: &str) -> String {
        if raw.trim_start().starts_with('<') {
            return markup::html(&mut self.mapping, raw);
        }
        match serde_json::from_str(raw) {
            Ok(value) => script::json(&mut self.mapping, value).to_string(),
            Err(_) => script::script(&mut self.mapping, raw),
        }
    }

    /// The address without personal data.
    pub fn address(&mut self, raw: &str) -> String {
        address::address(&mut self.mapping, raw)
    }
}
