//! Settings of a server. Each can be given as an option or as an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, ValueEnum};
use domain::country::CountryCode;
use domain::pricing::Billing;
use serde::Serialize;
use utoipa::ToSchema;

pub mod channels;
pub mod countries;
pub mod outside;
pub mod possible;
pub mod roles;
mod sandbox_channels;

use channels::ChannelSettings;
use roles::Role;

use crate::http::connections::Times;
use crate::http::proxies::Network;

/// Default sender of mails.
pub const MAIL_FROM: &str = "Sooner 早签 <no-reply@localhost>";

/// Default public address of the server.
pub const PUBLIC_URL: &str = "http://127.0.0.1:8080";

/// Settings of `sooner serve`. Several are secrets, so it prints none.
#[derive(Clone, Args)]
pub struct Settings {
    /// Run a solo server. At the first start it creates its database in `$XDG_DATA_HOME/sooner`,
    /// its key ring in `$XDG_CONFIG_HOME/sooner` and the owner's account. It charges nothing,
    /// closes registration, and `sooner link` signs the owner in.
    #[arg(long, env = "SOONER_SOLO")]
    pub solo: bool,
    /// Folder of the database of a solo server.
    #[arg(long, env = "SOONER_DATA")]
    pub data: Option<PathBuf>,
    /// Let a solo server listen at this machine's address in its private network, for the phones
    /// there, over plain HTTP.
    #[arg(long, env = "SOONER_LAN")]
    pub lan: bool,
    /// Database: `sqlite:PATH` or `postgres://…`.
    #[arg(long, env = "SOONER_DATABASE_URL", default_value = "sqlite:sooner.db", hide_env_values = true)]
    pub database_url: String,
    /// Address to listen on.
    #[arg(long, env = "SOONER_BIND", default_value = "127.0.0.1:8080")]
    pub bind: SocketAddr,
    /// Public address of this server; links in mails begin with it.
    #[arg(long, env = "SOONER_PUBLIC_URL", default_value = PUBLIC_URL)]
    pub public_url: String,
    /// File of the key ring; `sooner keys init` creates one.
    #[arg(long, env = "SOONER_KEY_RING", default_value = "/etc/sooner/keys/sooner.keys")]
    pub key_ring: PathBuf,
    /// Permit a key ring in the database's folder, or below it. Anyone who copies the folder then
    /// has both.
    #[arg(long, env = "SOONER_KEYS_BESIDE_DATA")]
    pub keys_beside_data: bool,
    /// Address of the portal.
    #[arg(long, env = "SOONER_PORTAL_URL", default_value = "https://ais.usvisa-info.com")]
    pub portal_url: String,
    /// Permit `http://` for a portal, Google or card provider on another machine (for tests in
    /// containers).
    #[arg(long, env = "SOONER_ALLOW_HTTP")]
    pub allow_http: bool,
    /// User agent of requests to the portal. Include a contact, such as an address.
    #[arg(long, env = "SOONER_USER_AGENT")]
    pub user_agent: Option<String>,
    /// Mail server. With TLS: `smtps://user:password@host`. With STARTTLS (port 587):
    /// `smtp://user:password@host:587?tls=required`. On this machine: `smtp://host:port`. In user
    /// and password, write every character except letters and digits as `%XX`. Without a mail
    /// server, addresses are not verified.
    #[arg(long, env = "SOONER_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// Sender of mails.
    #[arg(long, env = "SOONER_MAIL_FROM", default_value = MAIL_FROM)]
    pub mail_from: String,
    /// Client id at Google; with the secret it enables sign-in with Google. The redirect address to
    /// register there is `PUBLIC_URL/api/v1/auth/google/callback`.
    #[arg(long, env = "SOONER_GOOGLE_CLIENT_ID")]
    pub google_client_id: Option<String>,
    /// Client secret at Google.
    #[arg(long, env = "SOONER_GOOGLE_CLIENT_SECRET", hide_env_values = true)]
    pub google_client_secret: Option<String>,
    /// Issuer at Google; another provider of OpenID Connect works as well.
    #[arg(long, env = "SOONER_GOOGLE_ISSUER", default_value = "https://accounts.google.com")]
    pub google_issuer: String,
    /// Hosts whose mailboxes the identity provider itself runs, comma-separated. Only such an
    /// address signs in to an existing account. Owners of other addresses link Google in the
    /// settings first.
    #[arg(
        long,
        env = "SOONER_GOOGLE_MAIL_HOSTS",
        value_delimiter = ',',
        default_value = "gmail.com,googlemail.com"
    )]
    pub google_mail_hosts: Vec<String>,
    /// Secret key at the card provider (Stripe's API); with the two settings below it enables card
    /// payments. The webhook address to register there is
    /// `PUBLIC_URL/api/v1/payment/stripe/webhook`, for the events `payment_intent.*`,
    /// `charge.dispute.*`, `charge.refunded` and `refund.*`.
    #[arg(long, env = "SOONER_CARD_SECRET_KEY", hide_env_values = true)]
    pub card_secret_key: Option<String>,
    /// Publishable key at the card provider, for browsers.
    #[arg(long, env = "SOONER_CARD_PUBLISHABLE_KEY")]
    pub card_publishable_key: Option<String>,
    /// Secret with which the card provider signs its messages to this server.
    #[arg(long, env = "SOONER_CARD_WEBHOOK_SECRET", hide_env_values = true)]
    pub card_webhook_secret: Option<String>,
    /// Address of the card provider's API.
    #[arg(long, env = "SOONER_CARD_API_URL", default_value = "https://api.stripe.com")]
    pub card_api_url: String,
    /// Address of the card provider's library for browsers; only the payment page may load it.
    #[arg(long, env = "SOONER_CARD_JS_URL", default_value = "https://js.stripe.com/endive/stripe.js")]
    pub card_js_url: String,
    /// Separate origin of the payment page, e.g. `https://pay.example.com`, whose requests reach
    /// this server under that host name. The card provider's library then runs where it can read no
    /// sign-in. By default the page is on the origin of the app.
    #[arg(long, env = "SOONER_CARD_ORIGIN")]
    pub card_origin: Option<String>,
    /// Payment methods at the card provider, comma-separated: `card`, `alipay`, `wechat_pay`.
    /// Enable the wallets there as well.
    #[arg(long, env = "SOONER_CARD_METHODS", default_value = "card")]
    pub card_methods: String,
    /// Minimum amount of a card payment, in CAD.
    #[arg(long, env = "SOONER_CARD_MIN", default_value = "5.00")]
    pub card_min: String,
    /// Maximum amount of a card payment, in CAD.
    #[arg(long, env = "SOONER_CARD_MAX", default_value = "1000.00")]
    pub card_max: String,
    /// Number of days after a card payment in which its user can request a refund of the unspent
    /// part. Afterwards, or always with 0, users contact support. Providers limit refunds too.
    #[arg(long, env = "SOONER_CARD_REFUND_DAYS", default_value_t = 180, value_parser = clap::value_parser!(u16).range(0..=3_650))]
    pub card_refund_days: u16,
    /// Price per applicant in CAD, e.g. `38.00`; sets the plan of new tasks at each start.
    #[arg(long, env = "SOONER_UNIT_PRICE")]
    pub unit_price: Option<String>,
    /// Billing: `on`, or `off` for a solo server. With `off` nothing is charged, and there are no
    /// balances, prices, codes, cards and refunds. It requires that no balance, hold, debt,
    /// payment, refund or code is left.
    #[arg(long, env = "SOONER_BILLING", default_value = "on", value_parser = billing())]
    pub billing: Billing,
    /// Registration: open to everyone (`open`), by invitation (`invite`; `sooner users add` creates
    /// one), or closed (`closed`).
    #[arg(long, env = "SOONER_REGISTRATION", value_enum, default_value = "open")]
    pub registration: Registration,
    /// Countries in which users may add portal accounts: two letters each, comma-separated. Tasks
    /// in a country that is removed here continue. docs/COUNTRIES.md lists what is known of each.
    #[arg(long, env = "SOONER_COUNTRIES", value_delimiter = ',', default_value = "ca", value_parser = countries::read_bookable)]
    pub countries: Vec<CountryCode>,
    /// WeChat id of support.
    #[arg(long, env = "SOONER_SUPPORT_WECHAT")]
    pub support_wechat: Option<String>,
    /// Text of the QR code of support's WeChat (as WeChat shows it, usually an address).
    #[arg(long, env = "SOONER_SUPPORT_WECHAT_QR")]
    pub support_wechat_qr: Option<String>,
    /// Name of the group chat.
    #[arg(long, env = "SOONER_SUPPORT_GROUP")]
    pub support_group: Option<String>,
    /// Text of the QR code of the group chat.
    #[arg(long, env = "SOONER_SUPPORT_GROUP_QR")]
    pub support_group_qr: Option<String>,
    /// E-mail address of support.
    #[arg(long, env = "SOONER_SUPPORT_EMAIL")]
    pub support_email: Option<String>,
    /// Xiaohongshu id of support.
    #[arg(long, env = "SOONER_SUPPORT_XIAOHONGSHU")]
    pub support_xiaohongshu: Option<String>,
    /// Text of the QR code of the Xiaohongshu account.
    #[arg(long, env = "SOONER_SUPPORT_XIAOHONGSHU_QR")]
    pub support_xiaohongshu_qr: Option<String>,
    /// Hours of support.
    #[arg(long, env = "SOONER_SUPPORT_HOURS", default_value = "9am-11pm EDT")]
    pub support_hours: String,
    /// Folder with your own pictures for the landing page's gallery, and `gallery.toml`, which
    /// names them in both languages. By default the page shows the built-in pictures, labelled as
    /// demonstrations.
    #[arg(long, env = "SOONER_GALLERY")]
    pub gallery: Option<PathBuf>,
    /// File (TOML) about the operator: name, address, contact and taxes for receipts and terms, and
    /// your own texts for the pages of prices, refunds and terms.
    #[arg(long, env = "SOONER_OPERATOR")]
    pub operator: Option<PathBuf>,
    /// Recipients of operator alarms (engine, ledger, portal pages, delivery): e-mail addresses,
    /// comma-separated. The channels of an account with such an address are notified as well.
    #[arg(long, env = "SOONER_ALARM_TO", value_delimiter = ',')]
    pub alarm_to: Vec<String>,
    /// Language of alarms to addresses without an account.
    #[arg(long, env = "SOONER_ALARM_LANGUAGE", default_value = "en", value_parser = ["en", "zh"])]
    pub alarm_language: String,
    /// Disable the service worker in browsers. Those that have one remove it with its data at their
    /// next visit.
    #[arg(long, env = "SOONER_WORKER_OFF")]
    pub worker_off: bool,
    /// Maximum number of registrations and resent mails per minute from one address.
    #[arg(long, env = "SOONER_MAILS_PER_MINUTE", default_value_t = 20)]
    pub mails_per_minute: u32,
    /// Proxies whose `X-Forwarded-For` is trusted: addresses or networks such as `10.0.0.0/8`,
    /// comma-separated.
    #[arg(long, env = "SOONER_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,
    /// Maximum number of open connections; fewer if the limit of open files requires it.
    #[arg(long, env = "SOONER_CONNECTIONS", default_value_t = 8_000)]
    pub connections: usize,
    /// Maximum number of open connections from one address (an IPv6 client counts as its /64), and
    /// of concurrent requests from one client behind a trusted proxy. Connections from this machine
    /// and from trusted proxies are not counted by address.
    #[arg(long, env = "SOONER_CONNECTIONS_PER_ADDRESS", default_value_t = 200)]
    pub connections_per_address: usize,
    /// Time limits of the phases of a connection.
    #[arg(skip)]
    pub connection_times: Times,
    /// Connections to the database.
    #[command(flatten)]
    pub pools: PoolSizes,
    /// Notification channels besides mail.
    #[command(flatten)]
    pub channels: ChannelSettings,
    /// Roles of this server: `web`, `engine`, `delivery`, comma-separated or in repeated options.
    /// Some server must have each role. Of the servers with `engine`, one works at a time.
    #[arg(
        long,
        env = "SOONER_ROLE",
        value_enum,
        value_delimiter = ',',
        default_value = "web,engine,delivery"
    )]
    pub role: Vec<Role>,
    /// Address of an OpenTelemetry collector that accepts OTLP over HTTP, e.g.
    /// `http://127.0.0.1:4318/v1/traces`. Without it no traces are sent.
    /// `OTEL_EXPORTER_OTLP_HEADERS` sets the headers.
    #[arg(long, env = "SOONER_TRACES_URL")]
    pub traces_url: Option<String>,
    /// Share of requests and of the engine's jobs that is traced, from 0 to 1.
    #[arg(long, env = "SOONER_TRACES_SHARE", default_value_t = 1.0)]
    pub traces_share: f64,
    /// Name of this node; must differ between nodes.
    #[arg(long, env = "SOONER_NODE", default_value = "single")]
    pub node: String,
    /// Speed of portal time relative to the wall clock (tests and demo only).
    #[arg(long, env = "SOONER_SPEED", default_value_t = 1.0)]
    pub speed: f64,
    /// Time at which scaled portal time and the wall clock agree (tests only).
    #[arg(long, env = "SOONER_TIME_ANCHOR")]
    pub time_anchor: Option<chrono::DateTime<chrono::Utc>>,
    /// Poll and match, but never book.
    #[arg(long, env = "SOONER_DRY_RUN")]
    pub dry_run: bool,
    /// Separate address for `/metrics` (Prometheus), e.g. `127.0.0.1:9184`.
    #[arg(long, env = "SOONER_METRICS_BIND")]
    pub metrics_bind: Option<SocketAddr>,
    /// Bearer token (16 characters or more) that permits a client to read `/metrics`, here and at
    /// the separate address.
    #[arg(long, env = "SOONER_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,
    /// Serve `/metrics` to every client without a token (the demo on loopback, and the separate
    /// address).
    #[arg(skip)]
    pub metrics_open: bool,
    /// Require the first check of all portal pages on this machine too; otherwise a local sandbox
    /// needs none (tests only).
    #[arg(skip)]
    pub walks_sandbox: bool,
    /// Show the demo banner on every page.
    #[arg(skip)]
    pub demo: bool,
    /// Rate limit of all requests to the portal; tests of other features lift it.
    #[arg(skip)]
    pub rate: portal::Rate,
    /// Limits of verifications of portal logins; the demo and tests of other features lift them.
    #[arg(skip = crate::http::rate_limit::VERIFICATIONS)]
    pub verifications: store::outward::Limits,
}

/// Users who may register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RegistrationMode)]
pub enum Registration {
    /// Everyone.
    Open,
    /// Users with an invitation.
    Invite,
    /// No one.
    Closed,
}

/// Reads `on` and `off`.
fn billing() -> impl TypedValueParser<Value = Billing> {
    PossibleValuesParser::new(["on", "off"])
        .map(|word| if word == "off" { Billing::Off } else { Billing::On })
}

/// Sizes of the database connection pools of a server. On SQLite these are readers: one connection
/// writes.
#[derive(Clone, Copy, Debug, Args)]
pub struct PoolSizes {
    /// Maximum number of database connections of the engine.
    #[arg(long, env = "SOONER_ENGINE_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..))]
    pub engine_connections: u32,
    /// Maximum number of database connections for requests and open pages.
    #[arg(long, env = "SOONER_REQUEST_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub request_connections: u32,
    /// Maximum number of database connections for mail, card payments and housekeeping.
    #[arg(long, env = "SOONER_BACKGROUND_CONNECTIONS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub background_connections: u32,
    /// Book only if PostgreSQL has a synchronous standby (`synchronous_standby_names`). Enable it
    /// wherever a standby may be promoted.
    #[arg(long, env = "SOONER_REQUIRE_STANDBY")]
    pub require_standby: bool,
}

impl PoolSizes {
    /// Returns the sizes in the store's type.
    #[must_use]
    pub const fn shares(&self) -> store::Shares {
        store::Shares {
            engine: self.engine_connections,
            requests: self.request_connections,
            background: self.background_connections,
            requires_standby: self.require_standby,
        }
    }

    /// Returns the number of connections of one server. This includes those that commit
    /// bookings before they are sent, one that checks that commits end, and the watchdog's.
    #[must_use]
    pub const fn total(&self) -> u32 {
        let pools = self.engine_connections + self.request_connections + self.background_connections;
        pools + store::db::SENDING_CONNECTIONS + 2
    }
}

impl std::fmt::Debug for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Settings").field("node", &self.node).field("bind", &self.bind).finish_non_exhaustive()
    }
}

impl Settings {
    /// Returns `true` if this server has the role.
    #[must_use]
    pub fn does(&self, role: Role) -> bool {
        self.role.contains(&role)
    }

    /// Returns `true` if the server must read all pages of the portal once before tasks may book. A
    /// sandbox on this machine is exempt.
    #[must_use]
    pub fn walks_first(&self) -> bool {
        self.walks_sandbox || !outside::is_on_this_machine(&self.portal_url)
    }

    /// Returns `true` if the identity provider runs the mailbox of an address.
    #[must_use]
    pub fn google_trusts(&self, email: &str) -> bool {
        let host = email.rsplit_once('@').map_or("", |(_, host)| host);
        self.google_mail_hosts.iter().any(|one| one.trim().eq_ignore_ascii_case(host))
    }

    /// Returns the settings of a command line without options.
    #[must_use]
    pub fn defaults() -> Self {
        /// A command line that consists only of the settings.
        #[derive(Parser)]
        struct Bare {
            #[command(flatten)]
            settings: Settings,
        }
        Bare::parse_from(["sooner"]).settings
    }
}
