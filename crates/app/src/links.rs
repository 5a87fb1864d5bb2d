//! Links that need no database row: a token holds an id and a keyed fingerprint of it. Any bearer
//! may do what the link's page offers, any number of times.

use std::fmt::Write as _;

use store::keyring::KeyRing;
use uuid::Uuid;

/// Returns a token of 64 hexadecimal characters for `id` and `purpose`.
#[must_use]
pub fn token(keyring: &KeyRing, purpose: &str, id: Uuid) -> String {
    mark(keyring, purpose, id).iter().fold(id.simple().to_string(), |mut token, byte| {
        let _ = write!(token, "{byte:02x}");
        token
    })
}

/// Returns the id in a token, or `None` if the token is invalid or has another purpose.
#[must_use]
pub fn id_of(keyring: &KeyRing, purpose: &str, token: &[u8; 32]) -> Option<Uuid> {
    let (id, given) = token.split_at(16);
    let id = Uuid::from_slice(id).ok()?;
    let unlike = mark(keyring, purpose, id).iter().zip(given).fold(0, |unlike, (a, b)| unlike | (a ^ b));
    (unlike == 0).then_some(id)
}

fn mark(keyring: &KeyRing, purpose: &str, id: Uuid) -> [u8; 16] {
    keyring.fingerprint(&format!("{purpose}|{id}")).first_chunk().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::Random;

    fn bytes(token: &str) -> [u8; 32] {
        let digits = |at: usize| u8::from_str_radix(&token[2 * at..2 * at + 2], 16).unwrap_or_default();
        std::array::from_fn(digits)
    }

    #[test]
    fn tokens_are_valid_for_one_id_purpose_and_server_only() {
        let (ours, theirs) = (KeyRing::generate(&Random::seeded(1)), KeyRing::generate(&Random::seeded(2)));
        let id = Uuid::from_u128(7);
        let good = bytes(&token(&ours, "seen", id));
        assert_eq!(id_of(&ours, "seen", &good), Some(id));
        assert_eq!(id_of(&ours, "digest", &good), None);
        assert_eq!(id_of(&theirs, "seen", &good), None);
        for at in 0..32 {
            let mut other = good;
            other[at] ^= 1;
            assert_eq!(id_of(&ours, "seen", &other), None, "byte {at}");
        }
    }
}
