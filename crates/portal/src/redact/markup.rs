//! Redaction of HTML pages. Elements are kept. Texts, attributes, addresses and comments are
//! replaced.

use super::address::{address, is_facility};
use super::mapping::{Mapping, WORD};
use super::script::script;
use super::text::text;
use super::words::{is_attribute, is_tag};
use crate::html::Doc;
use scraper::node::Element;
use scraper::{ElementRef, Node};

const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track",
    "wbr",
];

/// Returns the redacted HTML of a page.
pub(super) fn html(mapping: &mut Mapping, raw: &str) -> String {
    let doc = Doc::new(raw);
    let mut out = String::with_capacity(raw.len());
    // The loop is not recursive, because a page of the portal may be nested thousands of levels
    // deep.
    let mut stack = vec![Step::Open(doc.tree().tree.root())];
    while let Some(step) = stack.pop() {
        let node = match step {
            Step::Close(name) => {
                // Leave the end out if the original page was cut short too.
                if !(doc.is_cut() && name == "html") {
                    out.push_str(&format!("</{name}>"));
                }
                continue;
            }
            Step::Open(node) => node,
        };
        match node.value() {
            Node::Doctype(_) => out.push_str("<!DOCTYPE html>\n"),
            Node::Comment(_) => out.push_str(&format!("<!-- {WORD} -->")),
            Node::Text(content) => {
                let parent = node.parent().and_then(ElementRef::wrap).map(|parent| parent.value().name());
                match parent {
                    Some("script") => out.push_str(&script(mapping, content)),
                    Some("style") => {}
                    _ => escape(&text(mapping, content), &mut out),
                }
            }
            Node::Element(element) => {
                let name = open(mapping, element, &mut out);
                if VOID.contains(&name.as_str()) {
                    continue;
                }
                stack.push(Step::Close(name));
            }
            _ => {}
        }
        stack.extend(node.children().rev().map(Step::Open));
    }
    out
}

enum Step<'a> {
    Open(ego_tree::NodeRef<'a, Node>),
    Close(String),
}

/// Writes an opening tag and returns the element's name as written.
fn open(mapping: &mut Mapping, element: &Element, out: &mut String) -> String {
    let known = is_tag(element.name());
    let tag = if known { element.name().to_owned() } else { format!("x-{}", mapping.token(element.name())) };
    out.push('<');
    out.push_str(&tag);
    for (name, value) in element.attrs() {
        let written =
            if is_attribute(name) { name.to_owned() } else { format!("data-{}", mapping.token(name)) };
        out.push_str(&format!(" {written}=\""));
        escape(&attribute(mapping, &tag, name, value), out);
        out.push('"');
    }
    out.push('>');
    tag
}

/// Returns the replacement of an attribute's value.
fn attribute(mapping: &mut Mapping, tag: &str, name: &str, value: &str) -> String {
    match name {
        "class" | "id" | "for" | "name" | "rel" | "type" | "method" | "role" | "autocomplete" | "charset"
        | "accept-charset" | "lang" | "data-method" | "data-turbo-method" | "aria-labelledby"
        | "aria-describedby" | "aria-controls" => structure(mapping, value),
        "checked" | "selected" | "disabled" | "readonly" | "required" | "multiple" | "novalidate"
        | "hidden" => String::new(),
        "style" | "title" if value.is_empty() => String::new(),
        "href" | "action" | "src" | "formaction" => address(mapping, value),
        _ if value.starts_with('/') || value.contains("://") => address(mapping, value),
        "value" if tag == "option" && is_facility(value) => value.to_owned(),
        // `authenticity_token` is the name of a token, not its value, and is on every page.
        "content" if value == "authenticity_token" => value.to_owned(),
        _ => {
            let replaced = text(mapping, value);
            if replaced.contains(WORD) { WORD.to_owned() } else { replaced }
        }
    }
}

/// Keeps known class names and ids, changes their numbers, and replaces unknown ones.
fn structure(mapping: &mut Mapping, value: &str) -> String {
    value.split_whitespace().map(|token| mapping.known_token(token)).collect::<Vec<_>>().join(" ")
}

fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            c => out.push(c),
        }
    }
}
