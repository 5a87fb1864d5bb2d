//! Content security policy of the pages.

use axum::http::HeaderValue;

/// Default content policy. Scripts must be files of this server. Inline styles are allowed until
/// every page has a list of its styles.
pub(super) const POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
    img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; media-src 'self'; worker-src 'self'; \
    manifest-src 'self'; object-src 'none'; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Returns the content policy of a document whose scripts and styles are listed by hash
/// (`sha256-…`). The policy permits these and files of this server, but no style attributes.
#[must_use]
pub fn policy_of(scripts: &[String], styles: &[String]) -> Option<HeaderValue> {
    let listed = |hashes: &[String]| hashes.iter().fold(String::new(), |line, hash| line + " '" + hash + "'");
    let scripts = format!("script-src 'self'{}", listed(scripts));
    let styles = format!("style-src 'self'{}", listed(styles));
    let policy = POLICY.replacen("script-src 'self'", &scripts, 1);
    HeaderValue::from_str(&policy.replacen("style-src 'self' 'unsafe-inline'", &styles, 1)).ok()
}
