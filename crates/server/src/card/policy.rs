//! Content policy of the payment page. Only this page may load the card provider's code.

use axum::http::{HeaderValue, Uri};

/// `Content-Security-Policy` header of the payment page.
#[derive(Clone, Debug)]
pub struct Policy(pub HeaderValue);

/// Origin of the provider's library. It loads code from further hosts.
const STRIPE: &str = "https://js.stripe.com";

impl Policy {
    /// Creates the policy for the library at `js_url`, which calls `api_url`. Only `framer` may
    /// frame the page. Returns `None` if an address is invalid.
    #[must_use]
    pub fn new(js_url: &str, api_url: &str, framer: &str) -> Option<Self> {
        let (js, api) = (origin(js_url)?, origin(api_url)?);
        if js != STRIPE {
            return Some(Self(policy(&js, &js, &api, "", framer)?));
        }
        let frames = "https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com";
        let scripts = "https://js.stripe.com https://*.js.stripe.com";
        Some(Self(policy(scripts, frames, "https://api.stripe.com", " https://*.stripe.com", framer)?))
    }

    /// Returns the policy for a server without card payments, which permits only its own files.
    #[must_use]
    pub fn without_provider() -> Self {
        Self(policy("", "'none'", "", "", "'self'").unwrap_or(HeaderValue::from_static("default-src 'none'")))
    }
}

fn policy(scripts: &str, frames: &str, calls: &str, pictures: &str, framer: &str) -> Option<HeaderValue> {
    let text = format!(
        "default-src 'self'; script-src 'self' {scripts}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob:{pictures}; font-src 'self' data:; connect-src 'self' {calls}; frame-src {frames}; \
         object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {framer}"
    );
    HeaderValue::from_str(&text.replace(" ;", ";")).ok()
}

/// Returns `scheme://host[:port]` of an address.
pub(super) fn origin(url: &str) -> Option<String> {
    let uri: Uri = url.parse().ok()?;
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let web = matches!(scheme, "http" | "https") && !authority.as_str().contains(['@', ';', ',', '*', '\'']);
    web.then(|| format!("{scheme}://{authority}"))
}

#[cfg(test)]
mod tests {
    use super::Policy;

    fn text(js: &str, api: &str) -> String {
        Policy::new(js, api, "'self'").unwrap().0.to_str().unwrap().to_owned()
    }

    #[test]
    fn the_policy_names_only_the_providers_origins() {
        let real = text("https://js.stripe.com/endive/stripe.js", "https://api.stripe.com");
        assert!(real.contains("script-src 'self' https://js.stripe.com https://*.js.stripe.com;"));
        assert!(real.contains("connect-src 'self' https://api.stripe.com;"));
        assert!(real.contains("https://hooks.stripe.com;") && real.contains("frame-ancestors 'self'"));
        let sandbox = text("http://127.0.0.1:4002/stripe.js", "http://127.0.0.1:4002");
        assert!(
            sandbox.contains("script-src 'self' http://127.0.0.1:4002;") && !sandbox.contains("stripe.com")
        );
        let none = Policy::without_provider().0;
        assert!(none.to_str().unwrap().contains("script-src 'self'; style-src"), "{none:?}");
        let apart =
            Policy::new("https://js.stripe.com/x", "https://api.stripe.com", "https://sooner.example.com");
        let apart = apart.unwrap().0;
        assert!(apart.to_str().unwrap().ends_with("frame-ancestors https://sooner.example.com"), "{apart:?}");
        for wrong in ["", "stripe.js", "ftp://x/y", "https://a;b/x", "//host/x"] {
            assert!(Policy::new(wrong, "https://api.stripe.com", "'self'").is_none(), "{wrong}");
        }
    }
}
