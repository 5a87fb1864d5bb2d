//! Checks of email addresses that can receive mail and cannot be mistaken for others.

use unicode_normalization::UnicodeNormalization as _;

/// Scripts with letters that look like Latin ones. None may be used together with a Latin letter.
const LIKE_LATIN: [(char, char); 12] = [
    ('\u{370}', '\u{3ff}'),
    ('\u{400}', '\u{52f}'),
    ('\u{530}', '\u{58f}'),
    ('\u{13a0}', '\u{13ff}'),
    ('\u{1c80}', '\u{1c8f}'),
    ('\u{1f00}', '\u{1fff}'),
    ('\u{2c80}', '\u{2cff}'),
    ('\u{2de0}', '\u{2dff}'),
    ('\u{a4d0}', '\u{a4ff}'),
    ('\u{a640}', '\u{a69f}'),
    ('\u{ab70}', '\u{abbf}'),
    ('\u{10400}', '\u{1044f}'),
];

/// Characters that are invisible, or that change the display of others.
const UNSEEN: [(char, char); 17] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{2b0}', '\u{36f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{1ab0}', '\u{1aff}'),
    ('\u{1dc0}', '\u{1dff}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{20d0}', '\u{20ff}'),
    ('\u{3164}', '\u{3164}'),
    ('\u{fe00}', '\u{fe0f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff0}', '\u{fffd}'),
    ('\u{e0000}', '\u{10ffff}'),
];

/// Returns `true` if a text looks like an email address that can receive mail. The mail that
/// follows is the real test.
///
/// Rejects invisible characters and other forms of a character (full-width letters). Rejects
/// letters that look like Latin ones together with Latin ones. Rejects hosts outside ASCII, which
/// must be written as `xn--…`.
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
            && l.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    text.len() <= 254
        && !local.is_empty()
        && local.len() <= 64
        && clean(local)
        && !local.starts_with('.')
        && !local.ends_with('.')
        && is_as_seen(local)
        && labels().count() >= 2
        && labels().all(label)
}

/// Returns `true` if a text has only one form and no letters that pass for others.
fn is_as_seen(text: &str) -> bool {
    let within =
        |c: char, ranges: &[(char, char)]| ranges.iter().any(|(from, to)| (*from..=*to).contains(&c));
    let is_latin = |c: char| c.is_ascii_alphabetic() || ('\u{c0}'..='\u{24f}').contains(&c);
    let mixed = text.chars().any(is_latin) && text.chars().any(|c| within(c, &LIKE_LATIN));
    !mixed && !text.chars().any(|c| within(c, &UNSEEN)) && text.nfkc().eq(text.chars())
}

#[cfg(test)]
mod tests {
    use super::is_email;

    #[test]
    fn an_email_address_needs_a_local_part_and_a_domain() {
        for good in [
            "a@example.com",
            "first.last+tag@mail.example.com",
            "李@example.com",
            "josé@example.com",
            "пётр@example.com",
        ] {
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

    #[test]
    fn lookalike_email_addresses_are_rejected() {
        for (bad, why) in [
            ("\u{ff41}@example.com", "full-width letter"),
            ("a@ex\u{430}mple.com", "Cyrillic letter in the host"),
            ("p\u{430}ul@example.com", "Cyrillic letter among Latin ones"),
            ("a\u{200b}b@example.com", "zero width"),
            ("a\u{ad}b@example.com", "soft hyphen"),
            ("a\u{202e}b@example.com", "reading order"),
            ("a\u{fe0f}@example.com", "variation"),
            ("e\u{301}@example.com", "a mark that composes"),
            ("a\u{e0041}@example.com", "tag"),
            ("a@b\u{3002}com", "another dot"),
        ] {
            assert!(!is_email(bad), "{why}");
        }
    }
}
