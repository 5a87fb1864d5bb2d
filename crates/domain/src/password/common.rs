//! Passwords that are tried first: the 300,000 most used of ten million that became public.
//!
//! The table has the first 5 bytes of the SHA-256 of each, sorted; `scripts/common-passwords.mjs` makes it, and says of what. One
//! password in three million is refused by mistake.

use sha2::{Digest, Sha256};
use unicode_normalization::UnicodeNormalization as _;

const BYTES: usize = 5;
static TABLE: &[u8] = include_bytes!("../../data/common-passwords.bin");

/// A password as it is compared: in one form of Unicode, lower case, without what is put before and after words to please
/// rules (`Password1!` is `password1`).
#[must_use]
pub fn folded(password: &str) -> String {
    let lower: String = password.nfkc().collect::<String>().to_lowercase();
    lower.trim_matches(|c: char| !c.is_alphanumeric()).to_owned()
}

/// Whether a password is one of them.
#[must_use]
pub fn is_common(password: &str) -> bool {
    let digest = Sha256::digest(folded(password));
    let wanted = &digest[..BYTES];
    let (entries, _) = TABLE.as_chunks::<BYTES>();
    entries.binary_search_by(|entry| entry.as_slice().cmp(wanted)).is_ok()
}

/// The entries of the table that begin with these 12 bits, about 70: a browser asks for them to compare by itself, so that no
/// password leaves it before it is sent.
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
    fn what_everybody_takes_is_known_however_it_is_dressed() {
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
    fn the_table_is_sorted_and_whole() {
        let (entries, rest) = TABLE.as_chunks::<BYTES>();
        assert!(rest.is_empty() && entries.is_sorted());
        assert!(entries.len() >= 100_000 && TABLE.len() <= 2_000_000);
        let in_parts: usize = (0..4096).map(|beginning| beginning_with(beginning).count()).sum();
        assert_eq!(in_parts, entries.len());
    }
}
