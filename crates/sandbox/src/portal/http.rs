//! Request and response types without a web framework. They keep the portal a pure function of
//! world and request.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::{
    journal::{Effect, PairEffect},
    world::{asc::AscChange, faults::KillAt},
};

/// Request of a client.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub method: String,
    pub path: String,
    pub query_text: String,
    pub query: Vec<(String, String)>,
    pub form: Vec<(String, String)>,
    pub accept: String,
    pub requested_with: String,
    pub csrf_header: String,
    pub cookie: String,
    pub if_none_match: String,
    pub https: bool,
}

/// Response, and the way in which the connection ends.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub status: u16,
    pub content_type: &'static str,
    pub body: Cow<'static, str>,
    pub headers: Vec<(&'static str, String)>,
    pub effect: Effect,
    pub asc: Option<AscChange>,
    pub empty_because: Vec<String>,
    pub cut: Cut,
    pub kills: Vec<(i32, KillAt)>,
    pub latency_ms: u64,
}

/// Way in which a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// The connection stays open.
    No,
    /// The connection is cut before the response.
    Whole,
    /// The connection is cut after half of the response.
    Half,
}

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

impl Reply {
    fn new(status: u16, content_type: &'static str, body: impl Into<Cow<'static, str>>) -> Self {
        Self {
            status,
            content_type,
            body: body.into(),
            headers: Vec::new(),
            effect: Effect::None,
            asc: None,
            empty_because: Vec::new(),
            cut: Cut::No,
            kills: Vec::new(),
            latency_ms: 0,
        }
    }

    pub fn page(body: String) -> Self {
        Self::new(200, HTML, body)
    }

    pub fn page_with(status: u16, body: impl Into<Cow<'static, str>>) -> Self {
        Self::new(status, HTML, body)
    }

    pub fn json(status: u16, body: impl Into<Cow<'static, str>>) -> Self {
        Self::new(status, JSON, body)
    }

    pub fn script(body: String) -> Self {
        Self::new(200, SCRIPT, body)
    }

    pub fn asset(content_type: &'static str, body: &'static str) -> Self {
        Self::new(200, content_type, body).header("cache-control", "max-age=600")
    }

    /// Creates a 302 response with the small body that Rails sends.
    pub fn redirect(to: String) -> Self {
        let body = format!("<html><body>You are being <a href=\"{to}\">redirected</a>.</body></html>");
        Self::new(302, HTML, body).header("location", to)
    }

    pub fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Returns the value of the first header with this name.
    pub fn header_value(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| *key == name).map(|(_, value)| value.as_str())
    }

    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// Sets the effect of a change on both appointments of a group.
    pub fn pair_effect(mut self, effects: PairEffect) -> Self {
        self.asc = effects.asc;
        self.effect(effects.effect)
    }

    pub fn is_html(&self) -> bool {
        self.content_type == HTML
    }

    pub fn is_json(&self) -> bool {
        self.content_type == JSON
    }
}

impl Request {
    /// Returns the first value of a query parameter.
    pub fn param(&self, name: &str) -> Option<&str> {
        first(&self.query, name)
    }

    /// Returns the first value of a form field.
    pub fn field(&self, name: &str) -> Option<&str> {
        first(&self.form, name)
    }

    /// Returns the path with its query.
    pub fn target(&self) -> String {
        if self.query_text.is_empty() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, self.query_text)
        }
    }

    /// Returns the effective HTTP method, because a form may override the method with the field
    /// `_method`.
    pub fn meant_method(&self) -> String {
        match self.field("_method") {
            Some(method) if self.method == "POST" => method.to_uppercase(),
            _ => self.method.clone(),
        }
    }
}

fn first<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// Parses `a=b&c=d`. Brackets in names may be percent-encoded.
pub(crate) fn pairs(text: &str) -> Vec<(String, String)> {
    text.split('&')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (decoded(key), decoded(value))
        })
        .collect()
}

fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}
