//! Shortening of texts to a provider's limits, at character boundaries.

/// Unit in which a provider counts the length of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Unicode characters.
    Chars,
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
}

/// Maximum length of a text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limit {
    pub most: usize,
    pub unit: Unit,
}

/// Message to be joined to one text: title, text and last line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'a> {
    pub title: &'a str,
    pub text: &'a str,
    /// Last line, usually the link. It is used whole or left out, never shortened.
    pub tail: Option<&'a str>,
}

impl Limit {
    pub const fn chars(most: usize) -> Self {
        Self { most, unit: Unit::Chars }
    }

    pub const fn utf16(most: usize) -> Self {
        Self { most, unit: Unit::Utf16 }
    }

    pub const fn bytes(most: usize) -> Self {
        Self { most, unit: Unit::Bytes }
    }

    fn of(self, text: &str) -> usize {
        match self.unit {
            Unit::Chars => text.chars().count(),
            Unit::Utf16 => text.encode_utf16().count(),
            Unit::Bytes => text.len(),
        }
    }

    fn less(self, by: usize) -> Self {
        Self { most: self.most.saturating_sub(by), ..self }
    }

    /// Returns the text, shortened and with an ellipsis if it exceeds the limit.
    pub fn cut(self, text: &str) -> String {
        if self.of(text) <= self.most {
            return text.to_owned();
        }
        // Use three full stops in an ASCII text. A character outside of ASCII would make a text
        // message more expensive.
        let ellipsis = if text.is_ascii() { "..." } else { "…" };
        let room = self.less(self.of(ellipsis)).most;
        let mut used = 0;
        let mut short = String::new();
        let mut buffer = [0; 4];
        for c in text.chars() {
            used += self.of(c.encode_utf8(&mut buffer));
            if used > room {
                break;
            }
            short.push(c);
        }
        if self.of(ellipsis) <= self.most {
            short.push_str(ellipsis);
        }
        short
    }

    /// Joins the parts. If the result is too long, first shortens the text, then the title, and
    /// finally leaves out the last line.
    pub fn join(self, lines: Lines<'_>) -> String {
        let tail = lines.tail.filter(|tail| self.of(tail) < self.most);
        let room = self.less(tail.map_or(0, |tail| self.of(tail) + 1));
        let mut joined = room.cut(lines.title);
        let rest = room.less(self.of(&joined) + 1);
        if rest.most > 0 && !lines.text.is_empty() {
            joined = format!("{joined}\n{}", rest.cut(lines.text));
        }
        match tail {
            Some(tail) => format!("{joined}\n{tail}"),
            None => joined,
        }
    }
}

/// Replaces each run of white space and control characters by one space.
pub(super) fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|w| !w.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn cut_texts_fit_and_end_at_a_character_boundary(text in "[a-zé约🎉\n]{0,60}", most in 0_usize..80) {
            for limit in [Limit::chars(most), Limit::utf16(most), Limit::bytes(most)] {
                let cut = limit.cut(&text);
                prop_assert!(limit.of(&cut) <= most);
                let kept = cut.trim_end_matches(['…', '.']);
                prop_assert!(text.starts_with(kept));
                prop_assert_eq!(cut == text, limit.of(&text) <= most);
            }
        }

        #[test]
        fn joined_texts_fit_and_retain_the_link(title in "[a-z约🎉]{0,30}", text in "[a-z约🎉]{0,90}", most in 0_usize..120) {
            let tail = "https://s.example/t/1";
            for limit in [Limit::chars(most), Limit::utf16(most), Limit::bytes(most)] {
                let joined = limit.join(Lines { title: &title, text: &text, tail: Some(tail) });
                prop_assert!(limit.of(&joined) <= most, "{joined}");
                prop_assert!(most <= tail.len() || joined.ends_with(tail), "{joined}");
            }
        }
    }

    #[test]
    fn cut_texts_end_with_an_ellipsis() {
        assert_eq!(Limit::bytes(10).cut("预约成功了"), "预约…");
        assert_eq!(Limit::utf16(5).cut("🎉🎉🎉"), "🎉🎉…");
        assert_eq!(Limit::chars(8).cut("an opening"), "an op...");
    }

    #[test]
    fn line_breaks_and_control_characters_are_removed() {
        assert_eq!(one_line(" a\r\nBcc: b\u{0}c "), "a Bcc: b c");
    }
}
