//! Separate origin of the payment page, so that its code cannot read the session data of the app's
//! origin.

use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};

use super::policy::origin;

/// Endpoint that the payment page reads. This origin serves it besides the page and its files.
const CONFIG: &str = "/api/v1/payment/stripe/config";

/// Separate origin of the payment page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardOrigin {
    /// The origin, for example `https://pay.example.com`.
    pub origin: String,
    /// Origin of the app. Only the app may frame the payment page.
    pub framer: String,
    authority: String,
}

impl CardOrigin {
    /// Creates the origin from the setting `--card-origin` and the public address.
    ///
    /// # Errors
    /// Returns the reason for which the setting is invalid.
    pub fn new(setting: &str, public_url: &str) -> Result<Self, &'static str> {
        let setting = setting.trim_end_matches('/').to_ascii_lowercase();
        let framer = origin(public_url).ok_or("--public-url is not an address")?.to_ascii_lowercase();
        let own = origin(&setting).filter(|own| *own == setting);
        let own = own.ok_or("not an origin such as https://pay.example.com")?;
        let (scheme, authority) = own.split_once("://").unwrap_or_default();
        let (public_scheme, public_authority) = framer.split_once("://").unwrap_or_default();
        if authority == public_authority {
            return Err("the same as --public-url; the payment page needs a separate host name");
        }
        if scheme != public_scheme {
            return Err("not http or https like --public-url");
        }
        let authority = authority.to_owned();
        Ok(Self { origin: own, framer, authority })
    }

    /// Returns the address of the payment page.
    #[must_use]
    pub fn page(&self) -> String {
        format!("{}/pay", self.origin)
    }

    /// Returns `true` if a request may be served under its host name. This origin serves only the
    /// payment page and the files that it needs. Other hosts serve everything except the payment
    /// page.
    #[must_use]
    pub fn serves(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
        let named = headers
            .get(header::HOST)
            .and_then(|host| host.to_str().ok())
            .or_else(|| uri.authority().map(|a| a.as_str()));
        let own = named.is_some_and(|host| host.eq_ignore_ascii_case(&self.authority));
        let path = uri.path();
        let page = matches!(path.trim_matches('/'), "pay" | "pay.html");
        if !own {
            return !page;
        }
        let reads = method == Method::GET || method == Method::HEAD;
        reads && (page || path == CONFIG || path.starts_with("/assets/") || path == "/favicon.ico")
    }

    /// Adds this origin to the content policy of a page of the app, so that the page may frame it.
    pub fn admit(&self, headers: &mut HeaderMap) {
        let policy = headers.get(header::CONTENT_SECURITY_POLICY).and_then(|policy| policy.to_str().ok());
        let wider = policy.map(|policy| format!("{policy}; frame-src 'self' {}", self.origin));
        if let Some(value) = wider.and_then(|text| HeaderValue::from_str(&text).ok()) {
            headers.insert(header::CONTENT_SECURITY_POLICY, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CardOrigin, HeaderMap, Method, header};

    // spec: 10.7.73
    #[test]
    fn the_card_origin_must_be_a_separate_https_host() {
        let new = |setting: &str| CardOrigin::new(setting, "https://sooner.example.com/").map(|o| o.page());
        assert_eq!(new("https://Pay.example.com/"), Ok("https://pay.example.com/pay".to_owned()));
        for wrong in
            ["", "pay.example.com", "https://pay.example.com/x", "https://a;b", "ftp://pay.example.com"]
        {
            assert!(new(wrong).is_err(), "{wrong}");
        }
        assert!(new("https://sooner.example.com").is_err(), "ours");
        assert!(new("http://pay.example.com").is_err(), "the address is unencrypted");
    }

    // spec: 10.7.73
    #[test]
    fn each_host_serves_only_its_own_pages() {
        let origin =
            CardOrigin::new("https://pay.example.com", "https://sooner.example.com").expect("an origin");
        let serves = |method: Method, host: &str, path: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a header"));
            origin.serves(&method, &path.parse().expect("a path"), &headers)
        };
        for path in ["/pay", "/pay?lang=en", "/pay.html", "/assets/x.js", "/api/v1/payment/stripe/config"] {
            assert!(serves(Method::GET, "PAY.example.com", path), "{path}");
        }
        for path in
            ["/", "/dashboard", "/api/v1/auth/login", "/worker.js", "/api/v1/user/profile", "/metrics"]
        {
            assert!(!serves(Method::GET, "pay.example.com", path), "{path}");
            assert!(serves(Method::GET, "sooner.example.com", path), "{path}");
        }
        assert!(!serves(Method::POST, "pay.example.com", "/api/v1/payment/stripe/config"));
        for path in ["/pay", "/pay/", "/pay.html"] {
            assert!(!serves(Method::GET, "sooner.example.com", path), "{path}");
        }
    }
}
