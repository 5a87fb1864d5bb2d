//! The address at which passkeys work.

use url::{Host, Url};
use webauthn_rp::request::{AsciiDomain, RpId};

/// The host and origin for which this server accepts passkeys.
#[derive(Clone, Debug)]
pub struct RelyingParty {
    /// Public host of this server.
    pub host: String,
    /// The host as WebAuthn names it.
    pub id: RpId,
    /// Origin of this server's pages.
    pub origin: String,
}

impl RelyingParty {
    /// Returns the relying party of a public URL. `None` if browsers offer no passkeys there: at
    /// an IP address, or without https except on `localhost`.
    #[must_use]
    pub fn of(public_url: &str) -> Option<Self> {
        let url = Url::parse(public_url).ok()?;
        let Some(Host::Domain(host)) = url.host() else { return None };
        if url.scheme() != "https" && host != "localhost" {
            return None;
        }
        let id = RpId::Domain(AsciiDomain::try_from(host.to_owned()).ok()?);
        Some(Self { host: host.to_owned(), id, origin: url.origin().ascii_serialization() })
    }
}
