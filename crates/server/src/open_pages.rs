//! The pages that are rendered at build time, in two languages: which document an address gets.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Uri, header};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::security;

/// The languages documents exist in; the first is the default.
const LANGUAGES: [&str; 2] = ["zh", "en"];

/// The document of an open page in the visitor's language, e.g. `open/faq.en.html`; none where the app answers.
///
/// The language is the address's (`?lang=`), else that of the cookie in which the page keeps its choice, else the
/// browser's (`Accept-Language`), else Chinese.
#[must_use]
pub fn document(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let page = match uri.path().trim_matches('/') {
        "" => "home",
        "faq" => "faq",
        "privacy" => "privacy",
        _ => return None,
    };
    let language = asked(uri).or_else(|| kept(headers)).or_else(|| accepted(headers)).unwrap_or(LANGUAGES[0]);
    Some(format!("open/{page}.{language}.html"))
}

fn known(tag: &str) -> Option<&'static str> {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    LANGUAGES.into_iter().find(|language| primary.eq_ignore_ascii_case(language))
}

fn asked(uri: &Uri) -> Option<&'static str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(known)
}

fn kept(headers: &HeaderMap) -> Option<&'static str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .find_map(|pair| pair.trim().strip_prefix("lang="))
        .and_then(known)
}

/// The first of the browser's languages, by weight and then by order, that is one of ours. What is neither is read by
/// people who know more English than Chinese only if they say so: then it is Chinese, as in the app.
fn accepted(headers: &HeaderMap) -> Option<&'static str> {
    let line = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let mut best: Option<(f32, &'static str)> = None;
    for part in line.split(',') {
        let mut pieces = part.trim().split(';');
        let Some(language) = pieces.next().and_then(known) else { continue };
        let weight =
            pieces.find_map(|p| p.trim().strip_prefix("q=")).map_or(1.0, |q| q.parse().unwrap_or(0.0));
        if weight > 0.0 && best.is_none_or(|(heaviest, _)| weight > heaviest) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

/// Stands for the server's address in the documents: links for search engines and shared pictures must name it whole.
const PLACE: &str = "https://public-url.invalid";
/// Good, and quick enough to be done once while somebody waits.
const BROTLI: (u32, u32) = (9, 22);

/// The documents of the open pages with this server's address in them, packed once when they are first asked for.
#[derive(Debug, Default)]
pub struct Documents(Mutex<HashMap<String, Arc<Packed>>>);

/// A document in every encoding it is sent in.
#[derive(Debug)]
pub struct Packed {
    /// As it is.
    pub plain: Bytes,
    /// For browsers on plain http.
    pub gzip: Bytes,
    /// For all others.
    pub brotli: Bytes,
    /// The page's policy: its one script within it is allowed by its hash.
    pub policy: Option<HeaderValue>,
}

impl Documents {
    /// The document `name` for a server at `public_url`, made by `read` at its first use.
    ///
    /// # Errors
    /// None where `read` knows no such document.
    pub fn get(
        &self,
        name: &str,
        public_url: &str,
        read: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Arc<Packed>> {
        let mut known = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(packed) = known.get(name) {
            return Some(packed.clone());
        }
        let text = String::from_utf8(read()?).ok()?.replace(PLACE, public_url.trim_end_matches('/'));
        let packed = Arc::new(Packed::new(text.into_bytes()));
        known.insert(name.to_owned(), packed.clone());
        Some(packed)
    }
}

impl Packed {
    fn new(plain: Vec<u8>) -> Self {
        // Writing to memory does not fail; if it did, the document would be sent as it is.
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        let gzip = gzip.write_all(&plain).and_then(|()| gzip.finish()).unwrap_or_default();
        let mut brotli = Vec::new();
        let (quality, window) = BROTLI;
        let packed = brotli::CompressorWriter::new(&mut brotli, 4096, quality, window).write_all(&plain);
        if packed.is_err() {
            brotli.clear();
        }
        let policy = script(&plain)
            .and_then(|code| security::policy_allowing(&BASE64_STANDARD.encode(Sha256::digest(code))));
        Self { plain: plain.into(), gzip: gzip.into(), brotli: brotli.into(), policy }
    }
}

/// What stands between the tags of a document's first script.
fn script(document: &[u8]) -> Option<&[u8]> {
    let text = std::str::from_utf8(document).ok()?;
    let tag = text.find("<script")?;
    let begin = tag + text[tag..].find('>')? + 1;
    let end = begin + text[begin..].find("</script>")?;
    Some(&document[begin..end])
}

/// What search engines are told: which pages there are, in which languages.
#[must_use]
pub fn sitemap(public_url: &str) -> String {
    let base = public_url.trim_end_matches('/');
    let mut entries = String::new();
    for path in ["/", "/faq", "/privacy"] {
        for language in LANGUAGES {
            let alternates: String = [("zh-CN", "zh"), ("en", "en")]
                .map(|(tag, code)| {
                    format!(
                        r#"<xhtml:link rel="alternate" hreflang="{tag}" href="{base}{path}?lang={code}"/>"#
                    )
                })
                .concat();
            entries.push_str(&format!("<url><loc>{base}{path}?lang={language}</loc>{alternates}</url>\n"));
        }
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" \
         xmlns:xhtml=\"http://www.w3.org/1999/xhtml\">\n{entries}</urlset>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::{Documents, HeaderMap, document, header};

    fn headers(cookie: &str, accept: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        if !cookie.is_empty() {
            headers.insert(header::COOKIE, cookie.parse().expect("a header"));
        }
        if !accept.is_empty() {
            headers.insert(header::ACCEPT_LANGUAGE, accept.parse().expect("a header"));
        }
        headers
    }

    fn chosen(address: &str, cookie: &str, accept: &str) -> String {
        document(&address.parse().expect("an address"), &headers(cookie, accept)).unwrap_or_default()
    }

    #[test]
    fn the_address_decides_then_the_cookie_then_the_browser() {
        assert_eq!(chosen("/?lang=en", "lang=zh", "zh-CN"), "open/home.en.html");
        assert_eq!(chosen("/faq", "a=b; lang=en", "zh-CN"), "open/faq.en.html");
        assert_eq!(chosen("/privacy/", "", "fr-CA, en-CA;q=0.8, zh;q=0.5"), "open/privacy.en.html");
        assert_eq!(chosen("/", "", "en;q=0.3, zh-TW"), "open/home.zh.html");
        assert_eq!(chosen("/?lang=fr", "lang=xx", "fr"), "open/home.zh.html");
        assert_eq!(chosen("/", "", ""), "open/home.zh.html");
        assert_eq!(chosen("/", "", "en;q=0"), "open/home.zh.html");
    }

    #[test]
    fn the_script_of_a_document_is_allowed_by_its_hash_and_the_address_is_put_in() {
        let documents = Documents::default();
        let page =
            b"<link href=\"https://public-url.invalid/faq\"><script data-a=\"b\">go()</script>".to_vec();
        let packed = documents.get("x", "https://sooner.example/", || Some(page)).expect("a document");
        assert!(packed.plain.starts_with(b"<link href=\"https://sooner.example/faq\">"));
        let policy = packed.policy.as_ref().and_then(|policy| policy.to_str().ok()).unwrap_or_default();
        // printf 'go()' | openssl dgst -sha256 -binary | base64
        assert!(
            policy.contains("script-src 'self' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw=';"),
            "{policy}"
        );
        assert!(documents.get("y", "https://sooner.example", || None).is_none());
    }

    #[test]
    fn other_addresses_are_the_apps() {
        assert_eq!(chosen("/dashboard", "", "en"), "");
        assert_eq!(chosen("/open/home.en.html", "", "en"), "");
    }
}
