//! A document with places for facts, as the web app's build marks them (`web/src/shared/api/facts.tsx`).
//!
//! `⟦name⟧` is a text; `⟦?name⟧ … ⟦/name⟧` stays where it is there and `⟦!name⟧ … ⟦/name⟧` where it is not;
//! `⟦*gallery⟧ … ⟦/gallery⟧` stands once for each picture, with `⟦.src⟧`, `⟦.zh⟧`, `⟦.en⟧`; `⟦#facts⟧` is all of them as
//! JSON. `⟦~name⟧` and `⟦~.zh⟧` are texts within a sentence, in which the web app never breaks dates.

use std::collections::BTreeSet;

use super::facts::{Facts, Picture};

const OPEN: char = '⟦';
const CLOSE: char = '⟧';
/// Forbids a line break where it stands.
const WORD_JOINER: char = '\u{2060}';

/// A document that can be filled in.
#[derive(Debug)]
pub struct Template {
    pieces: Vec<Piece>,
    names: BTreeSet<String>,
}

#[derive(Debug)]
enum Piece {
    Text(String),
    Value { name: String, unbroken: bool },
    When { name: String, there: bool, inner: Vec<Piece> },
    Each(Vec<Piece>),
    Facts,
}

/// A document whose marks do not fit together; holds the mark.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the mark {0:?} is not closed, or closes nothing")]
pub struct Malformed(String);

impl Template {
    /// Reads a marked document.
    ///
    /// # Errors
    /// [`Malformed`] where a mark does not end, or has no partner.
    pub fn parse(text: &str) -> Result<Self, Malformed> {
        let mut names = BTreeSet::new();
        let mut rest = text;
        let pieces = parse(&mut rest, None, &mut names)?;
        Ok(Self { pieces, names })
    }

    /// The facts it speaks of.
    #[must_use]
    pub fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// The document with `facts` in it, each escaped for HTML.
    #[must_use]
    pub fn fill(&self, facts: &Facts) -> String {
        let mut out = String::new();
        fill(&self.pieces, facts, None, &mut out);
        out
    }
}

fn parse(
    rest: &mut &str,
    within: Option<&str>,
    names: &mut BTreeSet<String>,
) -> Result<Vec<Piece>, Malformed> {
    let mut pieces = Vec::new();
    loop {
        let Some((before, after)) = rest.split_once(OPEN) else {
            if let Some(name) = within {
                return Err(Malformed(name.to_owned()));
            }
            pieces.push(Piece::Text((*rest).to_owned()));
            return Ok(pieces);
        };
        pieces.push(Piece::Text(before.to_owned()));
        let Some((mark, after)) = after.split_once(CLOSE) else {
            return Err(Malformed(after.chars().take(20).collect()));
        };
        *rest = after;
        if let Some(closed) = mark.strip_prefix('/') {
            return if within == Some(closed) { Ok(pieces) } else { Err(Malformed(mark.to_owned())) };
        }
        pieces.push(piece(mark, rest, names)?);
    }
}

fn piece(mark: &str, rest: &mut &str, names: &mut BTreeSet<String>) -> Result<Piece, Malformed> {
    let mut seen = |name: &str| {
        if !name.starts_with('.') {
            names.insert(name.to_owned());
        }
        name.to_owned()
    };
    let (sign, name) = mark.split_at(usize::from(mark.starts_with(['?', '!', '*', '#', '~'])));
    Ok(match sign {
        "?" | "!" => {
            let name = seen(name);
            let inner = parse(rest, Some(&name), names)?;
            Piece::When { name, there: sign == "?", inner }
        }
        "*" => {
            let name = seen(name);
            Piece::Each(parse(rest, Some(&name), names)?)
        }
        "#" => Piece::Facts,
        _ => Piece::Value { name: seen(name), unbroken: sign == "~" },
    })
}

fn fill(pieces: &[Piece], facts: &Facts, picture: Option<&Picture>, out: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Text(text) => out.push_str(text),
            Piece::Value { name, unbroken } => {
                let text = match (name.as_str(), picture) {
                    (".src", Some(picture)) => &picture.src,
                    (".zh", Some(picture)) => &picture.zh,
                    (".en", Some(picture)) => &picture.en,
                    (name, _) => facts.text(name).unwrap_or_default(),
                };
                escape(text, *unbroken, out);
            }
            Piece::When { name, there, inner } => {
                if facts.text(name).is_some() == *there {
                    fill(inner, facts, picture, out);
                }
            }
            Piece::Each(inner) => {
                for picture in facts.gallery() {
                    fill(inner, facts, Some(picture), out);
                }
            }
            Piece::Facts => out.push_str(&facts.json()),
        }
    }
}

/// Writes a text as HTML reads it back, in a text and in an attribute alike.
fn escape(text: &str, unbroken: bool, out: &mut String) {
    let mut before = None;
    let mut coming = text.chars().peekable();
    while let Some(c) = coming.next() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#x27;"),
            _ => out.push(c),
        }
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        if unbroken && c == '-' && digit(before) && digit(coming.peek().copied()) {
            out.push(WORD_JOINER);
        }
        before = Some(c);
    }
}

#[cfg(test)]
mod tests {
    use super::{Malformed, Template};
    use crate::open_pages::facts::{Facts, Picture};

    fn filled(text: &str, facts: &Facts) -> String {
        Template::parse(text).expect("a template").fill(facts)
    }

    #[test]
    fn what_is_so_stays_and_what_is_not_goes() {
        let text = "a⟦?demo⟧b⟦!few⟧c⟦/few⟧⟦few⟧⟦/demo⟧⟦!demo⟧d⟦/demo⟧e";
        assert_eq!(filled(text, &Facts::default()), "ade");
        assert_eq!(filled(text, &Facts::from([("demo", "1")])), "abce");
        assert_eq!(filled(text, &Facts::from([("demo", "1"), ("few", "7")])), "ab7e");
    }

    #[test]
    fn texts_are_escaped_and_are_no_templates() {
        let facts = Facts::from([("email", "\"><script>'&⟦?demo⟧ 2026-11-08 a-1")]);
        assert_eq!(
            filled("<p title=\"⟦email⟧\">", &facts),
            "<p title=\"&quot;&gt;&lt;script&gt;&#x27;&amp;⟦?demo⟧ 2026-11-08 a-1\">"
        );
        assert!(filled("⟦~email⟧", &facts).ends_with("2026-\u{2060}11-\u{2060}08 a-1"));
        assert_eq!(
            filled("⟦#facts⟧", &Facts::from([("email", "</script><!--\"")])),
            r#"{"email":"\u003c/script>\u003c!--\""}"#
        );
    }

    #[test]
    fn each_picture_has_its_part() {
        let picture =
            |src: &str, zh: &str| Picture { src: src.to_owned(), zh: zh.to_owned(), en: "e<".to_owned() };
        let facts = Facts::from([("demo", "1")]).with_gallery(vec![picture("/a", "一"), picture("/b", "二")]);
        let text = "⟦*gallery⟧<img src=⟦.src⟧ alt=⟦~.en⟧>⟦.zh⟧⟦?demo⟧!⟦/demo⟧⟦/gallery⟧.";
        assert_eq!(filled(text, &facts), "<img src=/a alt=e&lt;>一!<img src=/b alt=e&lt;>二!.");
        assert_eq!(filled(text, &Facts::default()), ".");
    }

    #[test]
    fn marks_that_do_not_fit_are_told() {
        for (text, mark) in [("⟦?a⟧", "a"), ("b⟦/a⟧", "/a"), ("⟦?a⟧⟦?b⟧⟦/a⟧", "/a"), ("⟦a", "a")]
        {
            assert_eq!(Template::parse(text).err(), Some(Malformed(mark.to_owned())), "{text}");
        }
        let names = Template::parse("⟦a⟧⟦?b⟧⟦~c⟧⟦/b⟧⟦*gallery⟧⟦.src⟧⟦/gallery⟧⟦#facts⟧").expect("a template");
        assert_eq!(names.names().iter().map(String::as_str).collect::<Vec<_>>(), ["a", "b", "c", "gallery"]);
    }
}
