//! Helpers that read HTML: visible text, links, and detection of pages that were cut short.

use crate::error::{LayoutChanged, PageKind};
use crate::wording::{self, UnknownText, Wording};
use scraper::{ElementRef, Html, Selector, node::Node};

/// Compiles a literal CSS selector once and returns it.
macro_rules! sel {
    ($css:literal) => {{
        static SELECTOR: std::sync::LazyLock<scraper::Selector> =
            std::sync::LazyLock::new(|| scraper::Selector::parse($css).expect("a literal selector"));
        &*SELECTOR
    }};
}
pub(crate) use sel;

/// Failure text for a page whose end is missing.
pub(crate) const CUT_SHORT: &str = "the page is cut short";

/// Parsed page, with a flag for a page that was cut short.
pub(crate) struct Doc {
    html: Html,
    cut: bool,
    wording: &'static Wording,
}

impl Doc {
    /// Parses a page for the readers with the wording of the client.
    pub(crate) fn new(text: &str) -> Self {
        let html = Html::parse_document(text);
        // A captured page may lack <html>, because its edges were trimmed. A page that opens <html>
        // must also close it. A closing tag inside a comment or script does not count.
        let opened = find_ignore_case(text, "<html").is_some();
        let closed = find_ignore_case(text, "</html").is_some();
        let swallowed = html.tree.values().any(|node| match node {
            Node::Comment(c) => find_ignore_case(c, "</html").is_some(),
            Node::Text(t) => find_ignore_case(t, "</html").is_some(),
            _ => false,
        });
        Self { html, cut: swallowed || opened && !closed, wording: &wording::CLIENT }
    }

    /// Permits the readers further texts. The client never calls this.
    pub(crate) fn with_wording(self, wording: &'static Wording) -> Self {
        Self { wording, ..self }
    }

    /// Returns the texts that a reader accepts beside its own.
    pub(crate) fn wording(&self) -> &'static Wording {
        self.wording
    }

    /// Returns `true` if a reader leaves out a value whose text is not known.
    pub(crate) fn may_leave_out(&self) -> bool {
        self.wording.unknown_text == UnknownText::LeaveOut
    }

    pub(crate) fn root(&self) -> ElementRef<'_> {
        self.html.root_element()
    }

    pub(crate) fn all<'a>(&'a self, sel: &'a Selector) -> impl Iterator<Item = ElementRef<'a>> {
        self.html.select(sel)
    }

    pub(crate) fn first(&self, sel: &Selector) -> Option<ElementRef<'_>> {
        self.html.select(sel).next()
    }

    pub(crate) fn has(&self, sel: &Selector) -> bool {
        self.first(sel).is_some()
    }

    /// Fails if the page was cut short.
    pub(crate) fn whole(&self, page: PageKind) -> Result<(), LayoutChanged> {
        if self.cut { Err(self.changed(page, CUT_SHORT)) } else { Ok(()) }
    }

    /// Builds the error for this page. The error contains the page's shape and none of its text.
    pub(crate) fn changed(&self, page: PageKind, what: &'static str) -> LayoutChanged {
        LayoutChanged { page, what, shape: self.shape() }
    }

    /// Returns `true` if a heading contains one of `titles`. Both are compared in lower case
    /// without accents.
    pub(crate) fn headed(&self, titles: &[&str]) -> bool {
        self.all(sel!("h1, h2, h3")).any(|h| {
            let text = domain::text::fold(&text(h));
            titles.iter().any(|t| text.contains(t))
        })
    }

    /// Returns the token in `<meta name="csrf-token">`.
    pub(crate) fn csrf_token(&self) -> Option<String> {
        self.first(sel!("meta[name='csrf-token']")).and_then(|m| attr(m, "content"))
    }

    pub(crate) fn body_has_class(&self, class: &str) -> bool {
        self.first(sel!("body")).is_some_and(|b| b.value().classes().any(|c| c == class))
    }

    /// Computes the page's shape: the FNV-1a hash of tags and classes in document order.
    pub(crate) fn shape(&self) -> u64 {
        let mut hash = Fnv::default();
        for element in self.root().descendent_elements() {
            hash.eat(element.value().name().as_bytes());
            for class in element.value().classes() {
                hash.eat(b".");
                hash.eat(class.as_bytes());
            }
            hash.eat(b"/");
        }
        hash.sum()
    }

    /// Returns `true` if the page opens `<html>` and does not close it, or closes it only inside a
    /// comment or text.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns the parsed document.
    pub(crate) fn tree(&self) -> &Html {
        &self.html
    }
}

/// State of an FNV-1a hash.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    pub(crate) fn eat(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn sum(&self) -> u64 {
        self.0
    }
}

/// Builds a [`LayoutChanged`] for a response that is not HTML.
pub(crate) fn not_html(page: PageKind, what: &'static str) -> LayoutChanged {
    LayoutChanged { page, what, shape: 0 }
}

/// Returns the trimmed value of an attribute, or `None` if the value is missing or empty.
pub(crate) fn attr(el: ElementRef<'_>, name: &str) -> Option<String> {
    el.value().attr(name).map(str::trim).filter(|v| !v.is_empty()).map(str::to_owned)
}

/// Returns the visible text of an element. Runs of white space, no-break spaces included, become
/// single spaces.
pub(crate) fn text(el: ElementRef<'_>) -> String {
    text_without(el, &[])
}

/// Returns the visible text like [`text`], without the elements whose tag names are in `skip`.
pub(crate) fn text_without(el: ElementRef<'_>, skip: &[&str]) -> String {
    let mut raw = String::new();
    gather(el, skip, &mut raw);
    squeeze(&raw)
}

/// Collects the text of an element. The loop is not recursive, because a page of the portal may be
/// nested thousands of levels deep.
fn gather(el: ElementRef<'_>, skip: &[&str], out: &mut String) {
    // `None` marks the end of a block element, which becomes a space.
    let mut stack: Vec<_> = el.children().rev().map(Some).collect();
    while let Some(step) = stack.pop() {
        let Some(node) = step else {
            out.push(' ');
            continue;
        };
        match node.value() {
            Node::Text(t) => out.push_str(t),
            Node::Element(e) => {
                let name = e.name();
                if matches!(name, "script" | "style" | "template" | "svg") || skip.contains(&name) {
                    out.push(' ');
                    continue;
                }
                if is_block(name) {
                    out.push(' ');
                    stack.push(None);
                }
                stack.extend(node.children().rev().map(Some));
            }
            _ => {}
        }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "br" | "p"
            | "div"
            | "li"
            | "ul"
            | "ol"
            | "td"
            | "th"
            | "tr"
            | "table"
            | "section"
            | "article"
            | "h1"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "dt"
            | "dd"
            | "dl"
            | "label"
            | "option"
            | "header"
            | "footer"
            | "small"
            | "hr"
            | "button"
    )
}

/// Replaces every run of white space, no-break and zero-width characters included, by one space.
pub(crate) fn squeeze(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for word in raw
        .split(|c: char| c.is_whitespace() || matches!(c, '\u{200b}' | '\u{feff}' | '\u{200e}' | '\u{200f}'))
        .filter(|w| !w.is_empty())
    {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Returns the digits that directly follow `marker` in `text`.
pub(crate) fn number_after<'a>(text: &'a str, marker: &str) -> Option<&'a str> {
    let rest = &text[text.find(marker)? + marker.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

pub(crate) fn find_ignore_case(text: &str, needle: &str) -> Option<usize> {
    let (hay, needle) = (text.as_bytes(), needle.as_bytes());
    (0..hay.len().checked_sub(needle.len() - 1)?)
        .find(|&at| hay[at..at + needle.len()].eq_ignore_ascii_case(needle))
}
