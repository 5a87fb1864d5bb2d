//! Templates of documents with placeholders for facts. The web app's build writes them
//! (`web/src/shared/api/facts.tsx`). They are minijinja templates with the delimiters `⟦ ⟧` for
//! texts and `⟦% %⟧` for conditions, because documents contain `{{ }}`.

use std::collections::BTreeSet;

use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, Value};

use super::facts::{Facts, NAMES};

/// Name of the only template in the environment.
const DOCUMENT: &str = "document";
/// Names that a template can use in addition to the facts: the operator's pictures and pages, the
/// current and past status, and all facts as one value.
const OTHERS: [&str; 5] = ["gallery", "own", "now", "past", "facts"];
/// Character that prevents a line break at its position.
const WORD_JOINER: char = '\u{2060}';

/// A document with placeholders.
#[derive(Debug)]
pub struct Template {
    environment: Environment<'static>,
    names: BTreeSet<String>,
}

/// An error of a template.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The markup is malformed, or a required text is missing.
    #[error(transparent)]
    Template(#[from] minijinja::Error),
    /// The template uses a name that is not a fact.
    #[error("unknown fact {0:?}")]
    Unknown(String),
}

impl Template {
    /// Parses a document with placeholders.
    ///
    /// # Errors
    /// Returns an error if the markup is malformed, or uses a name that is not a fact.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let mut environment = Environment::new();
        environment.set_syntax(
            SyntaxConfig::builder()
                .variable_delimiters("⟦", "⟧")
                .block_delimiters("⟦%", "%⟧")
                .comment_delimiters("⟦#", "#⟧")
                .build()?,
        );
        environment.set_auto_escape_callback(|_| AutoEscape::Html);
        // A text outside of its condition is an error of the template. Tests detect the error; in
        // production the text is empty.
        let missing =
            if cfg!(debug_assertions) { UndefinedBehavior::SemiStrict } else { UndefinedBehavior::Lenient };
        environment.set_undefined_behavior(missing);
        environment.add_filter("unbroken", unbroken);
        environment.add_template_owned(DOCUMENT, text.to_owned())?;
        let names: BTreeSet<_> =
            environment.get_template(DOCUMENT)?.undeclared_variables(false).into_iter().collect();
        let known = |name: &str| NAMES.contains(&name) || OTHERS.contains(&name);
        match names.iter().find(|name| !known(name)) {
            Some(unknown) => Err(Error::Unknown(unknown.clone())),
            None => Ok(Self { environment, names }),
        }
    }

    /// Returns the names of the facts that the document uses.
    #[must_use]
    pub fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Returns the document filled with facts. Each text is escaped for HTML.
    ///
    /// # Errors
    /// In tests and development, returns an error if a required text is missing.
    pub fn fill(&self, facts: &Facts) -> Result<String, Error> {
        Ok(self.environment.get_template(DOCUMENT)?.render(Value::from_pairs(facts.values()))?)
    }
}

/// Inserts word joiners into dates, so that they do not break across lines. The build does the same
/// with static texts.
fn unbroken(text: &str) -> String {
    let mut out = String::new();
    let mut before = None;
    let mut coming = text.chars().peekable();
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    while let Some(c) = coming.next() {
        out.push(c);
        if c == '-' && digit(before) && digit(coming.peek().copied()) {
            out.push(WORD_JOINER);
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Error, Template};
    use crate::site::open_pages::facts::{Facts, Picture};

    fn filled(text: &str, facts: &Facts) -> String {
        Template::parse(text).expect("a template").fill(facts).expect("a document")
    }

    // spec: 10.12.04
    #[test]
    fn conditions_keep_or_drop_their_content() {
        let text = "a⟦%if demo%⟧b⟦%if not few%⟧c⟦%endif%⟧⟦%if few%⟧⟦few⟧⟦%endif%⟧⟦%endif%⟧⟦%if not demo%⟧d⟦%endif%⟧e";
        assert_eq!(filled(text, &Facts::default()), "ade");
        assert_eq!(filled(text, &Facts::from([("demo", "1")])), "abce");
        assert_eq!(filled(text, &Facts::from([("demo", "1"), ("few", "0")])), "ab0e");
    }

    // spec: 10.12.06
    #[test]
    fn texts_are_escaped_and_not_parsed_as_templates() {
        let facts = Facts::from([("email", "\"><script>'&⟦demo⟧{{demo}} 2026-11-08 a-1")]);
        assert_eq!(
            filled("<p title=\"⟦email⟧\">{{count}}{%if%}", &facts),
            "<p title=\"&quot;&gt;&lt;script&gt;&#x27;&amp;⟦demo⟧{{demo}} 2026-11-08 a-1\">{{count}}{%if%}"
        );
        assert!(filled("⟦email|unbroken⟧", &facts).ends_with("2026-\u{2060}11-\u{2060}08 a-1"));
        assert!(filled("⟦email|unbroken⟧", &facts).starts_with("&quot;&gt;&lt;script&gt;"));
        assert_eq!(
            filled("⟦facts|tojson⟧", &Facts::from([("demo", "</script><!--\"")])),
            r#"{"demo": "\u003c/script\u003e\u003c!--\""}"#
        );
    }

    #[test]
    fn a_loop_renders_each_picture() {
        let picture =
            |src: &str, zh: &str| Picture { src: src.to_owned(), zh: zh.to_owned(), en: "e<".to_owned() };
        let facts = Facts::from([("demo", "1")]).with_gallery(vec![picture("a", "一"), picture("b", "二")]);
        let text = "⟦%for picture in gallery%⟧<img src=⟦picture.src⟧ alt=⟦picture.en|unbroken⟧>⟦picture.zh⟧⟦%if demo%⟧!⟦%endif%⟧⟦%endfor%⟧.";
        assert_eq!(filled(text, &facts), "<img src=a alt=e&lt;>一!<img src=b alt=e&lt;>二!.");
        assert_eq!(filled(text, &Facts::default()), ".");
    }

    #[test]
    fn an_invalid_template_is_an_error() {
        for text in ["⟦%if demo%⟧", "b⟦%endif%⟧", "⟦%if demo%⟧⟦%for picture in gallery%⟧⟦%endif%⟧", "⟦demo"]
        {
            assert!(matches!(Template::parse(text), Err(Error::Template(_))), "{text}");
        }
        assert!(matches!(Template::parse("⟦fancy⟧"), Err(Error::Unknown(name)) if name == "fancy"));
        let unfilled = Template::parse("⟦email⟧").expect("a template").fill(&Facts::default());
        assert!(unfilled.is_err(), "a text outside of its condition");
        let text = "⟦few⟧⟦%if rating%⟧⟦email|unbroken⟧⟦%endif%⟧⟦%for picture in gallery%⟧⟦picture.src⟧⟦%endfor%⟧⟦facts|tojson⟧";
        let template = Template::parse(text).expect("a template");
        assert_eq!(
            template.names().iter().map(String::as_str).collect::<Vec<_>>(),
            ["email", "facts", "few", "gallery", "rating"]
        );
    }
}
