//! What a password and an e-mail address must be.

pub mod common;

/// What a new password lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Weakness {
    /// Nothing was typed.
    Required,
    /// Fewer than 8 characters.
    TooShort,
    /// More than 1,024 characters.
    TooLong,
    /// No upper-case letter, lower-case letter, digit or special character.
    Classes,
    /// One of those that are tried first.
    Common,
    /// Little besides the address of its owner, or our name.
    Context,
}

impl Weakness {
    /// The code on the wire.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.into()
    }
}

/// More than anybody types, less than a request may hold.
const LONGEST: usize = 1024;

/// Checks a password at registration: at least 8 characters, with an upper-case letter, a lower-case letter, a digit
/// and a special character; none that many people have, and not mostly what it is for.
///
/// # Errors
/// The first thing it lacks.
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
/// The first thing it lacks.
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

/// Words that a password for us, of the owner of an address, is guessed from.
fn context(email: &str) -> Vec<String> {
    let (local, host) = email.trim().rsplit_once('@').unwrap_or((email, ""));
    let parts = local.split(['.', '-', '_', '+']).chain(host.split('.'));
    let mut words: Vec<String> = std::iter::once(local)
        .chain(parts)
        .map(common::folded)
        .filter(|word| word.chars().count() >= 4)
        .collect();
    words.extend(OUR_NAMES.map(str::to_owned));
    // The longest first, so that what is left of a longer one does not hide it.
    words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    words
}

const OUR_NAMES: [&str; 3] = ["sooner", "zaoqian", "早签"];

/// Refuses what many people have, and what has fewer than [`OWN`] letters or digits besides words of its context.
fn check_known(password: &str, email: &str) -> Result<(), Weakness> {
    if common::is_common(password) {
        return Err(Weakness::Common);
    }
    let whole = common::folded(password);
    let rest = context(email).iter().fold(whole.clone(), |rest, word| rest.replace(word.as_str(), ""));
    let own = rest.chars().filter(|c| c.is_alphanumeric()).count();
    if rest != whole && own < OWN { Err(Weakness::Context) } else { Ok(()) }
}

/// More than a year and a sign.
const OWN: usize = 6;

#[cfg(test)]
mod tests {
    use super::{Weakness, check, check_reset};

    // spec: 5.1.08
    #[test]
    fn a_password_needs_length_and_four_classes() {
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
    fn a_password_is_not_what_others_guess_first() {
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
