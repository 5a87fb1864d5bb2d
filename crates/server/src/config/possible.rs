//! Checks of settings that are well formed but cannot work, so that the server fails at start.

use axum::http::Uri;
use domain::email::is_email;

use super::Settings;

/// Checks settings that would fail only when they are used.
///
/// # Errors
/// Returns the setting, and the reason for which it cannot work.
pub fn check(settings: &Settings) -> Result<(), (&'static str, String)> {
    if let Some(why) = public_url(&settings.public_url) {
        return Err(("--public-url", why.to_owned()));
    }
    let subject = settings.channels.push_subject.as_deref().filter(|subject| !subject.is_empty());
    match subject.and_then(push_subject) {
        Some(why) => Err(("--push-subject", why.to_owned())),
        None => Ok(()),
    }
}

/// Returns the reason for which pages cannot be served at this public address.
fn public_url(url: &str) -> Option<&'static str> {
    let Ok(uri) = url.parse::<Uri>() else {
        return Some("it is not an address such as https://sooner.example.com");
    };
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Some("it is not an address such as https://sooner.example.com");
    }
    let has_path = !matches!(uri.path(), "" | "/") || uri.query().is_some() || url.contains('#');
    has_path.then_some("it has a path: pages, cookies and links begin at the root of a host; give this server one of its own")
}

/// Returns the reason for which push services, especially Apple's, refuse this contact (RFC 8292,
/// 2.1).
fn push_subject(subject: &str) -> Option<&'static str> {
    let is_public = |host: &str| {
        host.contains('.')
            && !host.ends_with(".local")
            && !host.ends_with(".localhost")
            && !host.ends_with(".")
    };
    if let Some(address) = subject.strip_prefix("mailto:") {
        let host = address.rsplit_once('@').map_or("", |(_, host)| host);
        return (!is_email(address) || !is_public(host))
            .then_some("Apple refuses it: write mailto: and one address, as in mailto:help@example.com");
    }
    let host = subject.parse::<Uri>().ok().filter(|uri| uri.scheme_str() == Some("https"));
    let host = host.as_ref().and_then(Uri::host).unwrap_or_default();
    (!is_public(host))
        .then_some("Apple refuses it: it is neither mailto:help@example.com nor an https:// address")
}

#[cfg(test)]
mod tests {
    use super::{public_url, push_subject};

    #[test]
    fn a_public_url_with_a_path_is_refused() {
        for good in [
            "http://127.0.0.1:8080",
            "https://sooner.example.com",
            "https://sooner.example.com/",
            "http://[::1]:80",
        ] {
            assert_eq!(public_url(good), None, "{good}");
        }
        for bad in [
            "https://example.com/sooner",
            "https://example.com/?a=b",
            "https://example.com/#x",
            "sooner.example.com",
            "/x",
            "",
        ] {
            assert!(public_url(bad).is_some(), "{bad}");
        }
    }

    #[test]
    fn push_subjects_that_apple_refuses_are_refused() {
        for good in ["mailto:help@sooner.example", "mailto:a@example.com", "https://example.com/contact"] {
            assert_eq!(push_subject(good), None, "{good}");
        }
        for bad in [
            "help@example.com",
            "mailto: help@example.com",
            "mailto:<help@example.com>",
            "mailto:help@localhost",
            "https://localhost",
            "http://example.com",
            "mailto:help@mail.local",
            "mailto:",
        ] {
            assert!(push_subject(bad).is_some(), "{bad}");
        }
    }
}
