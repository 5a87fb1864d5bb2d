//! Checks of the notification channels.

use domain::channel::{ChannelKind, EventKind};
use domain::clock::Clock;
use providers::channels::Channels;
use providers::channels::registration::Registration;
use server::api::sms::addresses;
use server::config::channels::ChannelSettings;
use store::keyring::KeyRing;
use store::{Error, Tx};

use super::Finding;

/// Checks that the settings of the channels are valid. Lists the offered channels.
pub fn settings(settings: &ChannelSettings, wall: &Clock) -> Finding {
    let config = settings.config().map_err(|(setting, why)| format!("{setting}: {why}"));
    let channels =
        config.and_then(|config| Channels::new(config, wall.clone()).map_err(|error| error.to_string()));
    match channels {
        Ok(channels) => {
            let offered: Vec<_> = channels.offered().iter().map(ToString::to_string).collect();
            Finding::ok("channels", format!("offered besides mail: {}", offered.join(", ")))
        }
        Err(why) => Finding::bad("channels", why, "correct the setting; a server does not start with it"),
    }
}

/// Returns what the providers report about the operator's bot, number, signature and templates, and
/// about the addresses of delivery reports.
pub async fn registrations(settings: &ChannelSettings, wall: &Clock) -> Vec<Finding> {
    let channels = settings.config().ok().and_then(|config| Channels::new(config, wall.clone()).ok());
    // The check of the settings has already reported an invalid configuration.
    let Some(channels) = channels else { return Vec::new() };
    let said = channels.registrations(&settings.sms_countries).await;
    let finding = |(kind, said)| {
        let name = if kind == ChannelKind::Sms { "text messages" } else { "telegram" };
        match said {
            Registration::Ready(what) => Finding::ok(name, what),
            Registration::Refused(what) => Finding::bad(
                name,
                what,
                "correct this at the provider; until then nothing is sent over this channel",
            ),
            Registration::Silent(what) => {
                Finding::warn(name, what, "the provider did not report this; run sooner doctor again")
            }
        }
    };
    said.into_iter().map(finding).collect()
}

/// Lists the addresses of this server that the operator must register at the providers of text
/// messages.
pub fn callbacks(settings: &ChannelSettings, ring: &KeyRing, site: &str) -> Option<Finding> {
    let ours = addresses(ring, site);
    let twilio =
        settings.twilio_sid.is_some().then(|| format!("{} (incoming messages)", ours.twilio_inbound));
    let aliyun = settings
        .aliyun_key_id
        .is_some()
        .then(|| format!("{} (reports), {} (incoming messages)", ours.aliyun_report, ours.aliyun_inbound));
    let all: Vec<_> = twilio.into_iter().chain(aliyun).collect();
    (!all.is_empty())
        .then(|| Finding::ok("text messages", format!("register at the provider: {}", all.join(", "))))
}

/// Lists the recipients of alarms with their channels. If a recipient has only one, its failure
/// cannot be reported.
pub async fn alarms(tx: &mut Tx, addresses: &[String]) -> Result<Finding, Error> {
    let (mut ways, mut says) = (Vec::new(), Vec::new());
    for address in addresses {
        let mut over = vec!["mail".to_owned()];
        let account = store::user::by_email(tx, address).await?;
        if let Some(user) = account.filter(|user| user.email_verified_at.is_some()) {
            let channels = store::channel::verified(tx, user.id).await?.into_iter();
            over.extend(channels.filter(|c| c.takes(EventKind::OperatorAlarm)).map(|c| c.kind.to_string()));
        }
        says.push(format!("{address} ({})", over.join(", ")));
        ways.extend(over);
    }
    ways.sort_unstable();
    ways.dedup();
    let says = says.join(", ");
    Ok(match ways.len() {
        0 => Finding::ok(
            "alarms",
            "no recipient is set; to set recipients: --alarm-to, in the server's settings",
        ),
        1 => Finding::ok(
            "alarms",
            format!(
                "{says}; if an account with this address had a channel too, it would report a failing mail server"
            ),
        ),
        _ => Finding::ok("alarms", says),
    })
}
