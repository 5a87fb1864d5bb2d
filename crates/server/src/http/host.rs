//! Check of the `Host` header against DNS rebinding: a foreign web page must not reach the server
//! through a foreign name that resolves to the server's address.

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::AppState;
use crate::config::Settings;

/// Paths that monitoring tools request under any host name. They reveal no user data.
const FOR_MACHINES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Returns 421 for requests with a foreign host name.
pub async fn around(State(app): State<AppState>, request: Request, next: Next) -> Response {
    let named = request.headers().get(header::HOST).map(|value| value.to_str().unwrap_or_default());
    let named = named.or_else(|| request.uri().host());
    let is_ours = named.is_none_or(|host| is_ours(host, &app.settings));
    if is_ours || FOR_MACHINES.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    let text = format!("This server answers at {}.\n", app.settings.public_url);
    (StatusCode::MISDIRECTED_REQUEST, text).into_response()
}

/// Returns `true` if a `Host` header names this machine, the bind address, or a public name of the
/// server.
fn is_ours(host: &str, settings: &Settings) -> bool {
    let Some(name) = name(host) else { return false };
    let given = [Some(settings.public_url.as_str()), settings.card_origin.as_deref()];
    let is_given = given.into_iter().flatten().any(|url| {
        url.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(|host| host.eq_ignore_ascii_case(&name)))
    });
    let bind = settings.bind.ip();
    is_given
        || name == "localhost"
        || address(&name).is_some_and(|ip| ip.is_loopback() || ip == bind || bind.is_unspecified())
}

/// Returns the lower-case host name of a `Host` header, without its port; `None` if it is
/// malformed.
fn name(host: &str) -> Option<String> {
    let uri = Uri::builder().scheme("http").authority(host).path_and_query("/").build().ok()?;
    Some(uri.host()?.trim_end_matches('.').to_ascii_lowercase())
}

fn address(name: &str) -> Option<IpAddr> {
    let bare = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    bare.parse::<IpAddr>().ok().map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::is_ours;
    use crate::config::Settings;

    #[test]
    fn foreign_host_headers_are_refused() {
        let served = Settings {
            public_url: "https://Sooner.Example.com".to_owned(),
            card_origin: Some("https://pay.example.com".to_owned()),
            ..Settings::defaults()
        };
        for ours in [
            "127.0.0.1:8080",
            "localhost",
            "LOCALHOST:8080",
            "[::1]:8080",
            "sooner.example.com",
            "Sooner.Example.com:443",
            "sooner.example.com.",
            "pay.example.com",
        ] {
            assert!(is_ours(ours, &served), "{ours}");
        }
        for foreign in [
            "evil.example",
            "127.0.0.1.evil.example",
            "192.0.2.7",
            "sooner.example.com.evil.example",
            "",
            "a b",
            "@x",
        ] {
            assert!(!is_ours(foreign, &served), "{foreign}");
        }
        let everywhere = Settings { bind: ([0, 0, 0, 0], 8080).into(), ..Settings::defaults() };
        assert!(is_ours("192.0.2.7:8080", &everywhere));
        assert!(!is_ours("evil.example:8080", &everywhere));
    }
}
