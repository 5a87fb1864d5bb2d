//! The most common passwords: the 300,000 most used of ten million that became public.
//!
//! The table contains the first 5 bytes of the SHA-256 of each, sorted.
//! `scripts/common-passwords.mjs` generates it and names the source. One password in three million
//! is rejected by mistake.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

const BYTES: usize = 5;
static TABLE: &[u8] = include_bytes!("../../data/common-passwords.bin");

/// Returns a password in the form used for comparison: normalised Unicode, lower case, trimmed to
/// letters and digits. Characters added before and after words to satisfy rules are removed
/// (`Password1!` is `password1`).
#[must_use]
pub fn folded(password: &str) -> String {
    let lower: String = password.nfkc().collect::<String>().to_lowercase();
    lower.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Returns `true` if a password is in the table.
#[must_use]
pub fn is_common(password: &str) -> bool {
    let digest = Sha256::digest(folded(password));
    let wanted = &digest[..BYTES];
    let (entries, _) = TABLE.as_chunks::<BYTES>();
    entries.binary_search_by(|entry| entry.as_slice().cmp(wanted)).is_ok()
}

/// Returns the entries of the table that begin with these 12 bits, about 70. A browser requests
/// them to compare locally, so that no password leaves it before it is submitted.
pub fn beginning_with(twelve_bits: u16) -> impl Iterator<Item = &'static [u8; BYTES]> {
    let (entries, _) = TABLE.as_chunks::<BYTES>();
    let beginning = |entry: &[u8; BYTES]| u16::from_be_bytes([entry[0], entry[1]]) >> 4;
    let from = entries.partition_point(|entry| beginning(entry) < twelve_bits);
    entries[from..].iter().take_while(move |entry| beginning(entry) == twelve_bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: 10.7.61
    #[test]
    fn variants_of_common_passwords_are_detected() {
        for common in
            ["password1", "Password1!", "  QWERTY123##", "P@ssw0rd", "Ｐａｓｓｗｏｒｄ１", "Iloveyou1!"]
        {
            assert!(is_common(common), "{common}");
        }
        for rare in ["Sunrise#2026", "Kestrel-41!", "correct horse battery staple", "早签-Aa1很好", ""] {
            assert!(!is_common(rare), "{rare}");
        }
    }

    #[test]
    fn the_common_password_table_is_sorted_and_complete() {
        let (entries, rest) = TABLE.as_chunks::<BYTES>();
        assert!(rest.is_empty() && entries.is_sorted());
        assert!(entries.len() >= 100_000 && TABLE.len() <= 2_000_000);
        let in_parts: usize = (0..4096).map(|beginning| beginning_with(beginning).count()).sum();
        assert_eq!(in_parts, entries.len());
    }
}
