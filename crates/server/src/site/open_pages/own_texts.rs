//! Pages of the operator that replace built-in ones: Markdown, converted to safe HTML.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Parser, Tag, TagEnd};

/// HTML of the operator's pages, by page and language.
pub type OwnTexts = BTreeMap<&'static str, BTreeMap<&'static str, String>>;

/// Converts Markdown to HTML that cannot contain scripts. Embedded HTML becomes text, and pictures
/// become their descriptions. Links may lead only to web pages, mail addresses and pages of this
/// site. Headings are one level lower, because the page has its own title.
#[must_use]
pub fn html(markdown: &str) -> String {
    let mut out = String::new();
    // A byte order mark is not part of the first heading.
    let events = Parser::new(markdown.trim_start_matches('\u{feff}')).filter_map(harmless);
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

fn harmless(event: Event<'_>) -> Option<Event<'_>> {
    Some(match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => return None,
        Event::Start(Tag::Heading { level, .. }) => Event::Start(Tag::Heading {
            level: below(level),
            id: None,
            classes: Vec::new(),
            attrs: Vec::new(),
        }),
        Event::End(TagEnd::Heading(level)) => Event::End(TagEnd::Heading(below(level))),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = if leads_somewhere(&dest_url) { dest_url } else { CowStr::Borrowed("#") };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        other => other,
    })
}

fn leads_somewhere(address: &str) -> bool {
    let address = address.to_ascii_lowercase();
    let within = address.starts_with('#') || (address.starts_with('/') && !address.starts_with("//"));
    // An address in angle brackets is a mail address. The renderer adds `mailto:`.
    let mail = !address.contains([':', '/']) && address.contains('@');
    within || mail || ["https://", "http://", "mailto:"].iter().any(|scheme| address.starts_with(scheme))
}

const fn below(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H2,
        HeadingLevel::H2 => HeadingLevel::H3,
        _ => HeadingLevel::H4,
    }
}

#[cfg(test)]
mod tests {
    use super::html;

    // spec: 10.13.16
    #[test]
    fn operator_markdown_contains_no_scripts() {
        let text = "# Terms\n\nA *b* <script>alert(1)</script> & \"c\"\n\n<div onclick=\"x()\">\n\n\
            [bad](javascript:alert(1)) [worse](JavaScript:alert(1)) [data](data:text/html,x) [host](//evil.example.com) \
            [web](https://example.com) [mail](mailto:a@example.com) [here](/pricing) <b@example.com> ![a picture](x.png)\n\n- one\n";
        let made = html(text);
        for bad in ["<script", "<div", "<img", "javascript:", "data:", "//evil", "<h1"] {
            assert!(!made.to_lowercase().contains(bad), "{bad}: {made}");
        }
        for good in [
            "<h2>Terms</h2>",
            "<em>b</em>",
            "&lt;script&gt;alert(1)&lt;/script&gt; &amp;",
            "<a href=\"#\">bad</a>",
            "<a href=\"#\">worse</a>",
            "<a href=\"#\">data</a>",
            "<a href=\"#\">host</a>",
            "<a href=\"https://example.com\">web</a>",
            "<a href=\"mailto:a@example.com\">mail</a>",
            "<a href=\"/pricing\">here</a>",
            "<a href=\"mailto:b@example.com\">",
            "a picture",
            "<li>one</li>",
        ] {
            assert!(made.contains(good), "{good}: {made}");
        }
        assert!(html("\u{feff}# A").starts_with("<h2>A</h2>"));
    }
}
