//! Addresses and logins of a running sandbox.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde::Serialize;
use tokio::net::TcpListener;

use crate::{Error, Shared, World, card, channel, identity};

/// Content of a ready file, for processes that wait for the sandbox.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// Base of the portal without locale, e.g. `http://127.0.0.1:4001`.
    pub portal_url: String,
    /// Base of the control API and its page.
    pub control_url: String,
    /// The inbox's page.
    pub inbox_url: String,
    /// `host:port` of the mail server.
    pub smtp: String,
    /// The identity provider's issuer.
    pub identity_issuer: String,
    /// The client that the identity provider knows.
    pub identity_client_id: String,
    /// The secret of that client.
    pub identity_client_secret: String,
    /// The card provider's API, without `/v1`.
    pub card_api_url: String,
    /// The replacement for the card provider's browser library.
    pub card_js_url: String,
    /// The product's secret key at the card provider.
    pub card_secret_key: String,
    /// The key for browsers.
    pub card_publishable_key: String,
    /// The signing secret of the card provider's messages.
    pub card_webhook_secret: String,
    /// The notification providers, each under its name.
    pub channels_url: String,
    /// Portal logins.
    pub accounts: Vec<ReadyAccount>,
}

/// A portal login of the running world.
#[derive(Clone, Debug, Serialize)]
pub struct ReadyAccount {
    /// E-mail address.
    pub username: String,
    /// Password.
    pub password: String,
    /// The groups of the account.
    pub portal_schedule_ids: Vec<u64>,
}

pub(crate) fn describe(
    shared: &Shared,
    portal: &TcpListener,
    control: &TcpListener,
    smtp: &TcpListener,
) -> Result<Ready, Error> {
    let reach = |listener: &TcpListener| -> Result<SocketAddr, Error> {
        let mut address = listener.local_addr()?;
        if address.ip().is_unspecified() {
            address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST));
        }
        Ok(address)
    };
    let control_url = format!("http://{}", reach(control)?);
    Ok(Ready {
        portal_url: format!("http://{}", reach(portal)?),
        inbox_url: format!("{control_url}/inbox"),
        identity_issuer: format!("{control_url}{}", identity::PATH),
        identity_client_id: identity::CLIENT_ID.to_owned(),
        identity_client_secret: identity::CLIENT_SECRET.to_owned(),
        card_api_url: control_url.clone(),
        card_js_url: format!("{control_url}{}", card::SCRIPT),
        card_secret_key: card::SECRET_KEY.to_owned(),
        card_publishable_key: card::PUBLISHABLE_KEY.to_owned(),
        card_webhook_secret: card::WEBHOOK_SECRET.to_owned(),
        channels_url: format!("{control_url}{}", channel::PATH),
        control_url,
        smtp: reach(smtp)?.to_string(),
        accounts: accounts(&shared.world()),
    })
}

pub(crate) fn accounts(world: &World) -> Vec<ReadyAccount> {
    world
        .accounts
        .values()
        .map(|account| ReadyAccount {
            username: account.username.clone(),
            password: account.password.clone(),
            portal_schedule_ids: world.groups_of(&account.username).map(|g| g.schedule_id).collect(),
        })
        .collect()
}
