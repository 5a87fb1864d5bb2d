//! Requirements for passwords of this service.

pub mod common;

/// Requirement that a new password does not meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Weakness {
    /// The password is empty.
    Required,
    /// The password has fewer than 8 characters.
    TooShort,
    /// The password has more than 1,024 characters.
    TooLong,
    /// An upper-case letter, a lower-case letter, a digit or a special character is missing.
    Classes,
    /// The password is one of the most common ones.
    Common,
    /// The password consists mostly of the user's email address or the service's name.
    Context,
}

impl Weakness {
    /// Returns the code on the wire.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }
}

/// Maximum length: more than any user enters, less than a request may hold.
const LONGEST: usize = 1024;

/// Checks a password at registration.
///
/// It needs at least 8 characters, with an upper-case letter, a lower-case letter, a digit and a
/// special character. It must not be common, nor consist mostly of its context.
///
/// # Errors
/// Returns the first requirement that the password does not meet.
pub fn check(password: &str, email: &str) -> Result<(), Weakness> {
    let special = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    check_classes(password)?;
    if !password.chars().any(special) {
        return Err(Weakness::Classes);
    }
    check_known(password, email)
}

/// Checks a password set by a mailed link: as [`check`], without the special character.
///
/// # Errors
/// Returns the first requirement that the password does not meet.
pub fn check_reset(password: &str, email: &str) -> Result<(), Weakness> {
    check_classes(password)?;
    check_known(password, email)
}

fn check_classes(password: &str) -> Result<(), Weakness> {
    let length = password.chars().count();
    if length == 0 {
        return Err(Weakness::Required);
    }
    if length < 8 {
        return Err(Weakness::TooShort);
    }
    if length > LONGEST {
        return Err(Weakness::TooLong);
    }
    let all = password.chars().any(char::is_uppercase)
        && password.chars().any(char::is_lowercase)
        && password.chars().any(|c| c.is_ascii_digit());
    if all { Ok(()) } else { Err(Weakness::Classes) }
}

/// Returns the words from which an attacker would guess a password of the owner of `email`.
fn context(email: &str) -> Vec<String> {
    let (local, host) = email.trim().rsplit_once('@').unwrap_or((email, ""));
    let parts = local.split(['.', '-', '_', '+']).chain(host.split('.'));
    let mut words: Vec<String> = std::iter::once(local)
        .chain(parts)
        .map(common::folded)
        .filter(|word| word.chars().count() >= 4)
        .collect();
    words.extend(OUR_NAMES.map(str::to_owned));
    // The longest first, so that the removal of a shorter word does not hide a longer one.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

const OUR_NAMES: [&str; 3] = ["sooner", "zaoqian", "早签"];

/// Rejects common passwords, and passwords with fewer than [`OWN`] letters or digits besides words
/// of the context.
fn check_known(password: &str, email: &str) -> Result<(), Weakness> {
    if common::is_common(password) {
        return Err(Weakness::Common);
    }
    let whole = common::folded(password);
    let rest = context(email).iter().fold(whole.clone(), |rest, word| rest.replace(word.as_str(), ""));
    let own = rest.chars().filter(|c| c.is_alphanumeric()).count();
    if rest != whole && own < OWN { Err(Weakness::Context) } else { Ok(()) }
}

/// Minimum number of letters and digits besides words of the context. A year alone, as in
/// `Anna2024!`, is too few.
const OWN: usize = 6;

#[cfg(test)]
mod tests {
    use super::{Weakness, check, check_reset};

    // spec: 5.1.08
    #[test]
    fn a_password_needs_length_and_four_character_classes() {
        assert_eq!(check("", ""), Err(Weakness::Required));
        assert_eq!(check("Aa1!aaa", ""), Err(Weakness::TooShort));
        assert_eq!(check("Aa1!vwxk", ""), Ok(()));
        assert_eq!(check(&"Aa1!".repeat(256), ""), Ok(()));
        assert_eq!(check(&"Aa1!".repeat(257), ""), Err(Weakness::TooLong));
        for weak in ["aa1!aaaa", "AA1!AAAA", "Aaa!aaaa", "Aa11aaaa", "Aa1 aaaa"] {
            assert_eq!(check(weak, ""), Err(Weakness::Classes), "{weak}");
        }
        assert_eq!(check("密码Aa1！很好的", ""), Ok(()));
        assert_eq!(check("Aa1🦊vwxk", ""), Ok(()));
        assert_eq!((check("Aa1vwxkz", ""), check_reset("Aa1vwxkz", "")), (Err(Weakness::Classes), Ok(())));
    }

    // spec: 10.7.61
    #[test]
    fn common_and_context_passwords_are_rejected() {
        let email = "mei.zhang@maple.example.com";
        for (password, why) in [
            ("Password1!", Weakness::Common),
            ("Sooner-2026!", Weakness::Context),
            ("早签Aa1!早签早签", Weakness::Context),
            ("Mei.Zhang1!", Weakness::Context),
            ("#Zhang2026a", Weakness::Context),
            ("MAPLE-1a2b!", Weakness::Context),
        ] {
            assert_eq!(check(password, email), Err(why), "{password}");
            assert_eq!(check(password, email), check_reset(password, email));
        }
        for good in ["Sooner-or-later-99", "Zhang-kestrel-41", "Mei1!Kestrel"] {
            assert_eq!(check_reset(good, email), Ok(()), "{good}");
        }
    }
}
