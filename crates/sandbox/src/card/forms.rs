//! Form-encoded request bodies, with field names such as `metadata[user]`.

use percent_encoding::percent_decode_str;

use super::CardError;

/// Fields of a body, as pairs of name and value.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Form(Vec<(String, String)>);

impl Form {
    pub fn read(body: &[u8]) -> Self {
        let text = String::from_utf8_lossy(body);
        let plain = |part: &str| percent_decode_str(&part.replace('+', " ")).decode_utf8_lossy().into_owned();
        let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
        Self(pairs.map(|(name, value)| (plain(name), plain(value))).collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Returns all fields named `prefix[KEY]`, as pairs of `KEY` and value.
    pub fn under(&self, prefix: &str) -> impl Iterator<Item = (String, String)> {
        self.0.iter().filter_map(move |(name, value)| {
            let inner = name.strip_prefix(prefix)?.strip_prefix('[')?.strip_suffix(']')?;
            Some((inner.to_owned(), value.clone()))
        })
    }

    /// Parses a field as an amount in minor units, which must be a positive whole number.
    pub fn amount(&self, name: &str) -> Result<i64, CardError> {
        let amount = self.get(name).and_then(|v| v.parse::<i64>().ok()).filter(|n| *n > 0);
        amount.ok_or_else(|| CardError::request("parameter_invalid_integer", "Invalid integer"))
    }

    /// Returns the body as text, for comparison with another body.
    pub fn text(&self) -> String {
        format!("{:?}", self.0)
    }
}
