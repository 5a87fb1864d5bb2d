//! Splitting of texts into words.

/// Returns the words of a text with their byte positions.
pub(super) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_of_word)?;
        let end = text[start..].find(|c| !is_of_word(c)).map_or(text.len(), |length| start + length);
        at = end;
        Some((start, &text[start..end]))
    })
}

/// Returns `true` if a character can be part of a word, that is unless it is white space or common
/// punctuation.
pub(super) fn is_of_word(c: char) -> bool {
    let is_sign = c.is_ascii_punctuation()
        || matches!(c, '\u{2010}'..='\u{201f}' | '…' | '«' | '»' | '×' | '✓' | '•' | '▾');
    !is_sign && !c.is_whitespace()
}
