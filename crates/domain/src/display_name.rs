//! Display names that users choose for their own screens.

/// Maximum length of a name, in characters.
pub const LONGEST: usize = 40;

/// Reason that a text is not a valid display name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Flaw {
    /// The name has more than [`LONGEST`] characters.
    TooLong,
    /// The name contains control characters or characters that change the direction of the
    /// following text.
    Invalid,
}

/// Returns the name within an entered text, or `None` if the text contains only spaces.
///
/// # Errors
/// Returns the first [`Flaw`].
pub fn read(typed: &str) -> Result<Option<String>, Flaw> {
    let name = typed.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.chars().any(|c| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
    {
        return Err(Flaw::Invalid);
    }
    if name.chars().count() > LONGEST {
        return Err(Flaw::TooLong);
    }
    Ok(Some(name).filter(|name| !name.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_name_has_one_line_of_at_most_forty_characters() {
        let long = "名".repeat(LONGEST);
        for (typed, name) in [
            ("  Lin  Zhixia ", Ok(Some("Lin Zhixia"))),
            ("林知夏", Ok(Some("林知夏"))),
            ("Lin\tZhixia\n", Ok(Some("Lin Zhixia"))),
            (" ", Ok(None)),
            ("", Ok(None)),
            (long.as_str(), Ok(Some(long.as_str()))),
            (&format!("{long}名"), Err(Flaw::TooLong)),
            ("Lin\u{0}", Err(Flaw::Invalid)),
            ("\u{202e}niL", Err(Flaw::Invalid)),
        ] {
            assert_eq!(read(typed), name.map(|name| name.map(str::to_owned)), "{typed:?}");
        }
    }
}
