//! Addresses and logins of a running sandbox.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use serde::Serialize;
use tokio::net::TcpListener;

use crate::{
    Error, Shared, World, card, channel, identity,
    world::country::{Country, is_default},
};

/// Content of the ready file. Other processes wait for this file and read it.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// Base address of the portal without locale, e.g. `http://127.0.0.1:4001`.
    pub portal_url: String,
    /// Base address of the control API and page.
    pub control_url: String,
    /// Address of the inbox page.
    pub inbox_url: String,
    /// Address of the mail server, `host:port`.
    pub smtp: String,
    /// Issuer address of the identity provider.
    pub identity_issuer: String,
    /// Client id at the identity provider.
    pub identity_client_id: String,
    /// Client secret at the identity provider.
    pub identity_client_secret: String,
    /// Base address of the card provider's API, without `/v1`.
    pub card_api_url: String,
    /// Address of the script that replaces the card provider's browser library.
    pub card_js_url: String,
    /// Secret API key at the card provider.
    pub card_secret_key: String,
    /// Publishable key, which browsers send to the card provider.
    pub card_publishable_key: String,
    /// Secret that signs the card provider's messages.
    pub card_webhook_secret: String,
    /// Base address of the notification providers. Each provider's name follows.
    pub channels_url: String,
    /// Logins of the portal.
    pub accounts: Vec<ReadyAccount>,
}

/// Login of a portal account.
#[derive(Clone, Debug, Serialize)]
pub struct ReadyAccount {
    /// E-mail address, used as login.
    pub username: String,
    /// Password.
    pub password: String,
    /// Country of the account's first group.
    #[serde(skip_serializing_if = "is_default")]
    pub country: &'static Country,
    /// Portal schedule ids of the account's groups.
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
            country: world.country_of(&account.username),
            portal_schedule_ids: world.groups_of(&account.username).map(|g| g.schedule_id).collect(),
        })
        .collect()
}
