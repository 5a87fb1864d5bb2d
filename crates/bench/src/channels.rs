//! Verified channels at the simulated providers of a sandbox, and tables with a row for each
//! provider. The benchmarks of delivery use them.

use ::sandbox::Sandbox;
use ::sandbox::channel as there;
use anyhow::Context as _;
use domain::clock::Instant;
use domain::ids::{ChannelId, UserId};
use providers::channels::target::{FeishuRegion, Target};
use secrecy::SecretString;
use serde_json::{Value, json};
use store::channel::{self, NewChannel};
use store::keyring::KeyRing;
use store::{Random, Tx};

use crate::Output;

/// Names of the simulated providers.
pub const PROVIDERS: [&str; 16] = [
    "web_push",
    "telegram",
    "wxpusher",
    "server_chan",
    "pushplus",
    "wecom",
    "dingtalk",
    "feishu",
    "bark",
    "ntfy",
    "pushover",
    "discord",
    "slack",
    "webhook",
    "twilio",
    "aliyun",
];

/// Returns the target of user number `n` at a provider. No two users have the same target.
pub fn target(sandbox: &Sandbox, provider: &str, n: usize) -> anyhow::Result<Target> {
    let at = |path: String| SecretString::from(format!("{}{path}", sandbox.ready().channels_url));
    Ok(match provider {
        "web_push" => {
            let browser =
                sandbox.subscribe_browser().context("the sandbox created no subscription of a browser")?;
            Target::WebPush {
                endpoint: browser.endpoint.into(),
                p256dh: browser.keys.p256dh,
                auth: browser.keys.auth.into(),
            }
        }
        "telegram" => Target::Telegram { chat_id: 4_200_000 + i64::try_from(n)? },
        "wxpusher" => Target::WxPusher { uid: format!("UID_{n}") },
        "server_chan" => Target::ServerChan { send_key: format!("SCT{n}Tbench").into() },
        "pushplus" => Target::PushPlus { token: format!("{n:032x}").into() },
        "wecom" => Target::WeCom { key: format!("group-{n}").into() },
        "dingtalk" => {
            Target::DingTalk { token: format!("group-{n}").into(), secret: there::DINGTALK_SECRET.into() }
        }
        "feishu" => Target::Feishu {
            region: FeishuRegion::Feishu,
            token: format!("group-{n}").into(),
            secret: there::FEISHU_SECRET.into(),
        },
        "bark" => Target::Bark { server: None, device_key: format!("phone-{n}").into() },
        "ntfy" => Target::Ntfy { server: None, topic: format!("topic-{n}").into(), token: None },
        "pushover" => Target::Pushover { user_key: format!("u{n:029}").into() },
        "discord" => Target::Discord { webhook_url: at(format!("/discord/api/webhooks/{n}/token")) },
        "slack" => Target::Slack { webhook_url: at(format!("/slack/services/T1/B{n}/token")) },
        "webhook" => Target::Webhook {
            url: at(format!("/webhook/{n}")),
            secret: there::WEBHOOK_SECRET.into(),
            authorization: None,
        },
        "twilio" => Target::Sms { phone: format!("+1416{:07}", 5_000_000 + n) },
        "aliyun" => Target::Sms { phone: format!("+86138{:08}", 10_000_000 + n) },
        other => anyhow::bail!("unknown simulated provider {other}"),
    })
}

/// Values needed for encrypting targets.
#[derive(Clone, Copy)]
pub struct Seal<'a> {
    /// The key ring.
    pub ring: &'a KeyRing,
    /// Source of identifiers and nonces.
    pub random: &'a Random,
}

/// Creates a verified channel of a user, with all events that its kind permits.
pub async fn link(
    tx: &mut Tx,
    Seal { ring, random }: Seal<'_>,
    user: UserId,
    target: &Target,
    now: Instant,
) -> anyhow::Result<()> {
    let (id, kind) = (ChannelId::new(now, random.bytes()), target.kind());
    let json = SecretString::from(serde_json::to_string(target)?);
    let sealed = ring.seal(&channel::place(id, user, 1), &json, random);
    channel::add(tx, &NewChannel { id, user, kind, label: "bench", target: Some(sealed), proof: None }, now)
        .await?;
    channel::verify(tx, id, now).await?;
    channel::set_events(tx, id, &kind.usual_events()).await?;
    Ok(())
}

/// Returns the environment variables that connect `sooner serve` with the simulated providers.
pub fn environment(sandbox: &Sandbox) -> Vec<(&'static str, String)> {
    let ready = sandbox.ready();
    let urls = ["telegram", "wxpusher", "bark"].map(|name| format!("{name}={}/{name}", ready.channels_url));
    vec![
        ("SOONER_PUSH_KEY", there::PUSH_KEY.to_owned()),
        ("SOONER_PUSH_SUBJECT", "mailto:ops@example.com".to_owned()),
        ("SOONER_TELEGRAM_BOT_TOKEN", there::TELEGRAM_BOT_TOKEN.to_owned()),
        ("SOONER_TELEGRAM_BOT", there::TELEGRAM_BOT.to_owned()),
        ("SOONER_WXPUSHER_APP_TOKEN", there::WXPUSHER_APP_TOKEN.to_owned()),
        ("SOONER_CHANNEL_URLS", urls.join(",")),
        ("SOONER_CHANNEL_ORIGINS", ready.control_url),
    ]
}

/// Table of figures with a row for each provider.
pub struct ByProvider {
    /// Name of the benchmark.
    pub name: &'static str,
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// Provider and figures of each row.
    pub rows: Vec<(&'static str, Vec<f64>)>,
}

impl ByProvider {
    /// Prints the table.
    pub fn show(&self, output: Output) -> anyhow::Result<()> {
        match output {
            Output::Json => println!("{}", serde_json::to_string_pretty(&self.json())?),
            Output::Table => self.print(),
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let figures = |values: &Vec<f64>| -> Value {
            self.columns.iter().zip(values).map(|(c, v)| ((*c).to_owned(), json!(v))).collect()
        };
        let rows: Value =
            self.rows.iter().map(|(name, values)| ((*name).to_owned(), figures(values))).collect();
        json!({ self.name: rows })
    }

    fn print(&self) {
        println!("{:>12}{}", "", self.columns.iter().map(|c| format!("{c:>16}")).collect::<String>());
        for (provider, values) in &self.rows {
            println!("{provider:>12}{}", values.iter().map(|v| format!("{v:>16.3}")).collect::<String>());
        }
    }
}
