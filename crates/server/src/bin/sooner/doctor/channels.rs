//! What the doctor looks at in the notification channels.

use domain::clock::Clock;
use providers::channels::Channels;
use server::config::channels::ChannelSettings;

use super::Finding;

/// Whether a server starts with these settings, and which channels that need an account of the operator's it then offers.
pub fn settings(settings: &ChannelSettings, wall: &Clock) -> Finding {
    let config = settings.config().map_err(|(setting, why)| format!("{setting}: {why}"));
    let channels =
        config.and_then(|config| Channels::new(config, wall.clone()).map_err(|error| error.to_string()));
    match channels {
        Ok(channels) => {
            let offered: Vec<_> = channels.offered().iter().map(ToString::to_string).collect();
            Finding::ok("channels", format!("offered besides mail: {}", offered.join(", ")))
        }
        Err(why) => Finding::bad("channels", why, "mend the setting: a server does not start with it"),
    }
}
