//! What a password and an e-mail address must be.

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
/// and a special character.
///
/// # Errors
/// The first thing it lacks.
pub fn check(password: &str) -> Result<(), Weakness> {
    let special = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    check_reset(password)?;
    if password.chars().any(special) { Ok(()) } else { Err(Weakness::Classes) }
}

/// Checks a password set by a mailed link: as [`check`], without the special character.
///
/// # Errors
/// The first thing it lacks.
pub fn check_reset(password: &str) -> Result<(), Weakness> {
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

/// Whether a text looks like an e-mail address one can send to; the mail that follows is the real test.
#[must_use]
pub fn is_email(text: &str) -> bool {
    let Some((local, host)) = text.rsplit_once('@') else { return false };
    let clean = |part: &str| {
        part.chars().all(|c| !c.is_whitespace() && !c.is_control() && !"<>()[],;:\\\"@".contains(c))
    };
    let labels = || host.split('.');
    let label = |l: &str| {
        !l.is_empty()
            && l.len() <= 63
            && !l.starts_with('-')
            && !l.ends_with('-')
            && l.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    text.len() <= 254
        && !local.is_empty()
        && local.len() <= 64
        && clean(local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && labels().count() >= 2
        && labels().all(label)
}

#[cfg(test)]
mod tests {
    use super::{Weakness, check, check_reset, is_email};

    // spec: 5.1.08
    #[test]
    fn a_password_needs_length_and_four_classes() {
        assert_eq!(check(""), Err(Weakness::Required));
        assert_eq!(check("Aa1!aaa"), Err(Weakness::TooShort));
        assert_eq!(check("Aa1!aaaa"), Ok(()));
        assert_eq!(check(&"Aa1!".repeat(256)), Ok(()));
        assert_eq!(check(&"Aa1!".repeat(257)), Err(Weakness::TooLong));
        for weak in ["aa1!aaaa", "AA1!AAAA", "Aaa!aaaa", "Aa11aaaa", "Aa1 aaaa"] {
            assert_eq!(check(weak), Err(Weakness::Classes), "{weak}");
        }
        assert_eq!(check("密码Aa1！很好的"), Ok(()));
        assert_eq!(check("Aa1🦊aaaa"), Ok(()));
        assert_eq!((check("Aa1aaaaa"), check_reset("Aa1aaaaa")), (Err(Weakness::Classes), Ok(())));
    }

    #[test]
    fn an_address_has_two_sides() {
        for good in ["a@example.com", "first.last+tag@mail.example.com", "李@example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in [
            "",
            "a",
            "a@",
            "@b.com",
            "a@b",
            "a b@c.com",
            "a@b..com",
            "a@-b.com",
            "a@@b.com",
            ".a@b.com",
            "a@b.com\n",
            "<a@b.com>",
        ] {
            assert!(!is_email(bad), "{bad}");
        }
    }
}
