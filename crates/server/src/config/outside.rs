//! Refuses settings that would send passwords or keys from this machine without encryption, or to
//! an unauthenticated server, unless the operator explicitly allows it.

use std::net::IpAddr;

use axum::http::Uri;

use super::Settings;

/// Checks the addresses of other servers in the settings.
///
/// # Errors
/// Returns the invalid setting and the remedy.
pub fn check(settings: &Settings) -> Result<(), (&'static str, String)> {
    let addresses = [
        ("--portal-url", &settings.portal_url),
        ("--google-issuer", &settings.google_issuer),
        ("--card-api-url", &settings.card_api_url),
        ("--card-js-url", &settings.card_js_url),
    ];
    let traces = settings.traces_url.as_ref().map(|url| ("--traces-url", url));
    for (name, address) in addresses.into_iter().chain(traces) {
        if !settings.allow_http && is_clear(address) {
            let why = "passwords and keys would be sent unencrypted; use https://, or --allow-http for tests";
            return Err((name, why.to_owned()));
        }
    }
    if names_no_tls(&settings.database_url) {
        let why = "the URL does not set sslmode; add sslmode=verify-full, or sslmode=disable in a network without other users";
        return Err(("--database-url", why.to_owned()));
    }
    Ok(())
}

/// Returns `true` if an address is on another machine and uses unencrypted HTTP.
fn is_clear(address: &str) -> bool {
    let Ok(uri) = address.parse::<Uri>() else { return false };
    uri.scheme_str() == Some("http") && !uri.host().is_some_and(is_here)
}

/// Returns `true` if an address is on this machine.
pub fn is_on_this_machine(address: &str) -> bool {
    address.parse::<Uri>().is_ok_and(|uri| uri.host().is_some_and(is_here))
}

/// Returns `true` if the URL of a PostgreSQL server on another machine sets no `sslmode`. The
/// server would then not be authenticated.
fn names_no_tls(url: &str) -> bool {
    let Some((_, rest)) = url.split_once("://").filter(|(scheme, _)| scheme.starts_with("postgres")) else {
        return false;
    };
    let (place, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut asked = query.split('&').map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    if asked.clone().any(|(name, _)| name == "sslmode" || name == "ssl-mode") {
        return false;
    }
    // A host in the query replaces the host of the authority; it may be the folder of a socket.
    let named = asked.find(|(name, _)| *name == "host" || *name == "hostaddr").map(|(_, value)| value);
    let authority = place.split('/').next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = named.unwrap_or_else(|| match host.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    });
    !host.is_empty()
        && !host.starts_with('/')
        && !host.to_ascii_lowercase().starts_with("%2f")
        && !is_here(host)
}

fn is_here(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: 10.7.66
    #[test]
    fn unencrypted_external_urls_need_allow_http() {
        let with = |change: fn(&mut Settings)| {
            let mut settings = Settings::defaults();
            change(&mut settings);
            check(&settings).map_err(|(name, _)| name)
        };
        assert_eq!(with(|_| ()), Ok(()));
        assert_eq!(with(|s| s.portal_url = "http://portal.example.com".to_owned()), Err("--portal-url"));
        assert_eq!(with(|s| s.google_issuer = "http://id.example.com".to_owned()), Err("--google-issuer"));
        assert_eq!(with(|s| s.card_api_url = "http://10.0.0.7:80".to_owned()), Err("--card-api-url"));
        assert_eq!(with(|s| s.card_js_url = "http://js.example.com".to_owned()), Err("--card-js-url"));
        let collector =
            |s: &mut Settings| s.traces_url = Some("http://collector.example.com/v1/traces".to_owned());
        assert_eq!(with(collector), Err("--traces-url"));
        assert_eq!(with(|s| s.portal_url = "http://127.0.0.1:9000".to_owned()), Ok(()));
        assert_eq!(with(|s| s.portal_url = "http://[::1]:9000/x".to_owned()), Ok(()));
        assert_eq!(
            with(|s| {
                s.portal_url = "http://sandbox:9000".to_owned();
                s.allow_http = true;
            }),
            Ok(())
        );
    }

    #[test]
    fn a_remote_database_url_must_name_its_sslmode() {
        for url in [
            "postgres://sooner:pw@db.example.com/sooner",
            "postgresql://10.0.0.7:5432/x?options=a",
            "postgres://u@[2001:db8::1]/x",
        ] {
            assert!(names_no_tls(url), "{url}");
        }
        for url in [
            "sqlite:sooner.db",
            "postgres://sooner@127.0.0.1:5432/sooner",
            "postgres://sooner@localhost/sooner",
            "postgres://sooner@[::1]/sooner",
            "postgres://sooner@localhost/sooner?host=/var/run/postgresql",
            "postgres://sooner@%2Fvar%2Frun%2Fpostgresql/sooner",
            "postgres:///sooner",
            "postgres://sooner@db/sooner?sslmode=disable",
            "postgres://sooner@db/sooner?sslmode=verify-full&sslrootcert=/x",
        ] {
            assert!(!names_no_tls(url), "{url}");
        }
    }
}
