//! Open pages, which need no sign-in and are rendered at build time in two languages. Selects the
//! document for a request.

mod documents;
pub mod facts;
pub mod own_texts;
pub mod status_texts;
pub mod template;

use std::iter;

use axum::http::{HeaderMap, Uri, header};

pub use self::documents::{Documents, Packed, policy};

/// Languages of the documents; the first is the default.
const LANGUAGES: [&str; 2] = ["zh", "en"];

/// Open pages that the sitemap lists, besides the home page
/// (`web/src/app/documents/publicPages.ts`).
const PUBLIC_PAGES: [&str; 6] = ["faq", "privacy", "pricing", "refunds", "terms", "status"];

/// Open pages of the sign-in flows (`web/src/app/documents/authPages.ts`).
const AUTH_PAGES: [&str; 9] = [
    "auth/answer",
    "auth/check-mail",
    "auth/login",
    "auth/register",
    "auth/forgot-password",
    "auth/reset-password",
    "auth/resend-verification",
    "auth/verify-email",
    "auth/google/callback",
];

/// Returns the name of an open page's document in the visitor's language, for example
/// `documents/en/faq.html`. Returns `None` for pages of the app.
///
/// The language is taken from the address (`?lang=`), from the cookie with the visitor's setting,
/// or from the browser (`Accept-Language`), in this order. The default is Chinese.
#[must_use]
pub fn document(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let page = match uri.path().trim_matches('/') {
        "" => "home",
        // One document for both languages, because the service worker stores it for use without a
        // network.
        "offline" => return Some("documents/offline.html".to_owned()),
        page if PUBLIC_PAGES.contains(&page) || AUTH_PAGES.contains(&page) => page,
        _ => return None,
    };
    Some(format!("documents/{}/{page}.html", language(uri, headers)))
}

/// Returns the visitor's language (`zh` or `en`) from the address, the cookie or the browser. The
/// default is Chinese.
#[must_use]
pub fn language(uri: &Uri, headers: &HeaderMap) -> &'static str {
    language_of_query(uri)
        .or_else(|| language_of_cookie(headers))
        .or_else(|| language_of_header(headers))
        .unwrap_or(LANGUAGES[0])
}

fn supported(tag: &str) -> Option<&'static str> {
    let primary = tag.split(['-', '_']).next().unwrap_or_default();
    LANGUAGES.into_iter().find(|language| primary.eq_ignore_ascii_case(language))
}

fn language_of_query(uri: &Uri) -> Option<&'static str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("lang=")).and_then(supported)
}

fn language_of_cookie(headers: &HeaderMap) -> Option<&'static str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|line| line.split(';'))
        .find_map(|pair| pair.trim().strip_prefix("lang="))
        .and_then(supported)
}

/// Returns the browser's preferred language among those that the site supports; `None` if it lists
/// none of them.
fn language_of_header(headers: &HeaderMap) -> Option<&'static str> {
    let line = headers.get(header::ACCEPT_LANGUAGE)?.to_str().ok()?;
    let mut best: Option<(f32, &'static str)> = None;
    for part in line.split(',') {
        let mut pieces = part.trim().split(';');
        let Some(language) = pieces.next().and_then(supported) else { continue };
        let weight =
            pieces.find_map(|p| p.trim().strip_prefix("q=")).map_or(1.0, |q| q.parse().unwrap_or(0.0));
        if weight > 0.0 && best.is_none_or(|(heaviest, _)| weight > heaviest) {
            best = Some((weight, language));
        }
    }
    best.map(|(_, language)| language)
}

/// Returns the sitemap for search engines, with every public page in every language.
#[must_use]
pub fn sitemap(public_url: &str) -> String {
    let base = public_url.trim_end_matches('/');
    let mut entries = String::new();
    for page in iter::once("").chain(PUBLIC_PAGES) {
        let path = format!("/{page}");
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
    use super::{HeaderMap, document, header};

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

    // spec: 10.12.01
    #[test]
    fn language_comes_from_url_then_cookie_then_browser() {
        assert_eq!(chosen("/?lang=en", "lang=zh", "zh-CN"), "documents/en/home.html");
        assert_eq!(chosen("/faq", "a=b; lang=en", "zh-CN"), "documents/en/faq.html");
        assert_eq!(chosen("/privacy/", "", "fr-CA, en-CA;q=0.8, zh;q=0.5"), "documents/en/privacy.html");
        assert_eq!(chosen("/", "", "en;q=0.3, zh-TW"), "documents/zh/home.html");
        assert_eq!(chosen("/?lang=fr", "lang=xx", "fr"), "documents/zh/home.html");
        assert_eq!(chosen("/", "", ""), "documents/zh/home.html");
        assert_eq!(chosen("/", "", "en;q=0"), "documents/zh/home.html");
        assert_eq!(chosen("/status", "lang=en", ""), "documents/en/status.html");
    }

    #[test]
    fn auth_pages_have_documents() {
        assert_eq!(chosen("/auth/login?next=%2Fsettings", "", "en"), "documents/en/auth/login.html");
        assert_eq!(
            chosen("/auth/google/callback?lang=zh", "", "en"),
            "documents/zh/auth/google/callback.html"
        );
        assert_eq!(chosen("/auth/reset-password/", "lang=en", ""), "documents/en/auth/reset-password.html");
        assert_eq!(chosen("/auth/other", "", "en"), "");
        assert_eq!(chosen("/auth/../open/home", "", "en"), "");
    }

    #[test]
    fn other_paths_have_no_open_page() {
        assert_eq!(chosen("/dashboard", "", "en"), "");
        assert_eq!(chosen("/open/home.en.html", "", "en"), "");
        assert_eq!(chosen("/home", "", "en"), "");
    }
}
