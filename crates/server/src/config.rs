//! How a server is set up; every value can come from a flag or an environment variable.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, ValueEnum};
use domain::pricing::Billing;
use serde::Serialize;
use utoipa::ToSchema;

pub mod channels;
pub mod outside;
pub mod possible;
pub mod roles;
mod sandbox_channels;

use channels::ChannelSettings;
use roles::Role;

use crate::http::connections::Times;
use crate::http::proxies::Network;

/// The sender of mails where none is set.
pub const MAIL_FROM: &str = "Sooner 早签 <no-reply@localhost>";

/// Where people reach the server where nothing else is set.
pub const PUBLIC_URL: &str = "http://127.0.0.1:8080";

/// Settings of `sooner serve`. Several are secrets, so it prints none.
#[derive(Clone, Args)]
pub struct Settings {
    /// A server of one's own: makes its database in `$XDG_DATA_HOME/sooner`, its key ring in `$XDG_CONFIG_HOME/sooner` and the owner's
    /// account at the first start. Nothing is charged, registration is closed, and `sooner link` signs the owner in.
    #[arg(long, env = "SOONER_SOLO")]
    pub solo: bool,
    /// Where a server of one's own has its database.
    #[arg(long, env = "SOONER_DATA")]
    pub data: Option<PathBuf>,
    /// A server of one's own listens at this machine's address in its private network, for the phones there, over plain HTTP.
    #[arg(long, env = "SOONER_LAN")]
    pub lan: bool,
    /// The database: `sqlite:PATH` or `postgres://…`.
    #[arg(long, env = "SOONER_DATABASE_URL", default_value = "sqlite:sooner.db", hide_env_values = true)]
    pub database_url: String,
    /// Where to listen.
    #[arg(long, env = "SOONER_BIND", default_value = "127.0.0.1:8080")]
    pub bind: SocketAddr,
    /// The address people reach this server under; links in mails begin with it.
    #[arg(long, env = "SOONER_PUBLIC_URL", default_value = PUBLIC_URL)]
    pub public_url: String,
    /// The key ring's file (`sooner keys init` makes one).
    #[arg(long, env = "SOONER_KEY_RING", default_value = "/etc/sooner/keys/sooner.keys")]
    pub key_ring: PathBuf,
    /// The key ring may lie in the database's folder, or below it: anyone who copies the folder then has both.
    #[arg(long, env = "SOONER_KEYS_BESIDE_DATA")]
    pub keys_beside_data: bool,
    /// The portal.
    #[arg(long, env = "SOONER_PORTAL_URL", default_value = "https://ais.usvisa-info.com")]
    pub portal_url: String,
    /// Portal, Google and the card provider may be asked over `http://` beyond this machine (tests in containers).
    #[arg(long, env = "SOONER_ALLOW_HTTP")]
    pub allow_http: bool,
    /// How we introduce ourselves to the portal, with a contact.
    #[arg(long, env = "SOONER_USER_AGENT")]
    pub user_agent: Option<String>,
    /// The mail server, `smtps://user:password@host` or, where it begins in the clear (port 587),
    /// `smtp://user:password@host:587?tls=required`; on this machine `smtp://host:port`. In user and password anything but
    /// letters and digits stands as `%XX`. Without it nobody has to prove an address.
    #[arg(long, env = "SOONER_SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<String>,
    /// The sender of mails.
    #[arg(long, env = "SOONER_MAIL_FROM", default_value = MAIL_FROM)]
    pub mail_from: String,
    /// Our client id at Google; with the secret it switches sign-in with Google on. The redirect address to register there
    /// is `PUBLIC_URL/api/v1/auth/google/callback`.
    #[arg(long, env = "SOONER_GOOGLE_CLIENT_ID")]
    pub google_client_id: Option<String>,
    /// Our client secret at Google.
    #[arg(long, env = "SOONER_GOOGLE_CLIENT_SECRET", hide_env_values = true)]
    pub google_client_secret: Option<String>,
    /// The issuer; another provider of OpenID Connect works as well.
    #[arg(long, env = "SOONER_GOOGLE_ISSUER", default_value = "https://accounts.google.com")]
    pub google_issuer: String,
    /// Hosts whose mailboxes the identity provider itself runs, with commas between: only its word for such an address signs in to an
    /// account that is there already; the owner of another one links it in the settings first.
    #[arg(
        long,
        env = "SOONER_GOOGLE_MAIL_HOSTS",
        value_delimiter = ',',
        default_value = "gmail.com,googlemail.com"
    )]
    pub google_mail_hosts: Vec<String>,
    /// Our secret key at the card provider (Stripe's API); with the two below it switches card payments on. The webhook's
    /// address to register there is `PUBLIC_URL/api/v1/payment/stripe/webhook`, for the events `payment_intent.*`,
    /// `charge.dispute.*`, `charge.refunded` and `refund.*`.
    #[arg(long, env = "SOONER_CARD_SECRET_KEY", hide_env_values = true)]
    pub card_secret_key: Option<String>,
    /// The card provider's key for browsers.
    #[arg(long, env = "SOONER_CARD_PUBLISHABLE_KEY")]
    pub card_publishable_key: Option<String>,
    /// The secret that the card provider signs its messages to us with.
    #[arg(long, env = "SOONER_CARD_WEBHOOK_SECRET", hide_env_values = true)]
    pub card_webhook_secret: Option<String>,
    /// The card provider's API.
    #[arg(long, env = "SOONER_CARD_API_URL", default_value = "https://api.stripe.com")]
    pub card_api_url: String,
    /// The card provider's library for browsers; only the payment page may load it.
    #[arg(long, env = "SOONER_CARD_JS_URL", default_value = "https://js.stripe.com/endive/stripe.js")]
    pub card_js_url: String,
    /// An origin for the payment page alone, e.g. `https://pay.example.com`, whose requests reach this server under that host name:
    /// the card provider's library then runs where no sign-in can be read. Without it that page is on our own origin.
    #[arg(long, env = "SOONER_CARD_ORIGIN")]
    pub card_origin: Option<String>,
    /// How one may pay at the card provider: `card`, `alipay`, `wechat_pay`, with commas between. Switch the wallets on there
    /// as well.
    #[arg(long, env = "SOONER_CARD_METHODS", default_value = "card")]
    pub card_methods: String,
    /// The least one may pay in by card, in CAD.
    #[arg(long, env = "SOONER_CARD_MIN", default_value = "5.00")]
    pub card_min: String,
    /// The most one may pay in by card at once, in CAD.
    #[arg(long, env = "SOONER_CARD_MAX", default_value = "1000.00")]
    pub card_max: String,
    /// So many days after a card payment its owner can have what is unspent of it refunded; afterwards, or always with 0,
    /// they ask support. Providers end it too.
    #[arg(long, env = "SOONER_CARD_REFUND_DAYS", default_value_t = 180, value_parser = clap::value_parser!(u16).range(0..=3_650))]
    pub card_refund_days: u16,
    /// Price per person in CAD, e.g. `38.00`; sets the standing plan at start.
    #[arg(long, env = "SOONER_UNIT_PRICE")]
    pub unit_price: Option<String>,
    /// Whether anything is charged: `on`, or `off` for a server of one's own, where nothing costs anything and there are no balances,
    /// prices, codes, cards and refunds. Off only while no balance, hold, debt, payment, refund or code is left.
    #[arg(long, env = "SOONER_BILLING", default_value = "on", value_parser = billing())]
    pub billing: Billing,
    /// Who may register: everybody (`open`), people with an invitation (`invite`; `sooner users add` makes one), or nobody (`closed`).
    #[arg(long, env = "SOONER_REGISTRATION", value_enum, default_value = "open")]
    pub registration: Registration,
    /// Support's WeChat id.
    #[arg(long, env = "SOONER_SUPPORT_WECHAT")]
    pub support_wechat: Option<String>,
    /// What the QR code of support's WeChat says (as WeChat shows it, usually an address).
    #[arg(long, env = "SOONER_SUPPORT_WECHAT_QR")]
    pub support_wechat_qr: Option<String>,
    /// The group chat's name.
    #[arg(long, env = "SOONER_SUPPORT_GROUP")]
    pub support_group: Option<String>,
    /// What the QR code of the group chat says.
    #[arg(long, env = "SOONER_SUPPORT_GROUP_QR")]
    pub support_group_qr: Option<String>,
    /// Support's e-mail address.
    #[arg(long, env = "SOONER_SUPPORT_EMAIL")]
    pub support_email: Option<String>,
    /// Support's Xiaohongshu id.
    #[arg(long, env = "SOONER_SUPPORT_XIAOHONGSHU")]
    pub support_xiaohongshu: Option<String>,
    /// What the QR code of the Xiaohongshu account says.
    #[arg(long, env = "SOONER_SUPPORT_XIAOHONGSHU_QR")]
    pub support_xiaohongshu_qr: Option<String>,
    /// Support's hours.
    #[arg(long, env = "SOONER_SUPPORT_HOURS", default_value = "9am-11pm EDT")]
    pub support_hours: String,
    /// A folder with pictures of your own for the landing page's gallery, and `gallery.toml` that names them in both
    /// languages; without it the page shows ours, labelled as demonstrations.
    #[arg(long, env = "SOONER_GALLERY")]
    pub gallery: Option<PathBuf>,
    /// A file (TOML) that says who runs this server: name, address, contact and taxes for receipts and terms, and texts of your
    /// own for the pages of prices, refunds and terms.
    #[arg(long, env = "SOONER_OPERATOR")]
    pub operator: Option<PathBuf>,
    /// Who is told when the service stands still (engine, books, pages of the portal, delivery): e-mail addresses with commas
    /// between. The channels of an account with such an address are told as well.
    #[arg(long, env = "SOONER_ALARM_TO", value_delimiter = ',')]
    pub alarm_to: Vec<String>,
    /// The language of alarms to addresses without an account.
    #[arg(long, env = "SOONER_ALARM_LANGUAGE", default_value = "en", value_parser = ["en", "zh"])]
    pub alarm_language: String,
    /// No service worker in browsers: those that have one drop it, and all it kept, at their next visit.
    #[arg(long, env = "SOONER_WORKER_OFF")]
    pub worker_off: bool,
    /// Registrations and resent mails a minute from one address.
    #[arg(long, env = "SOONER_MAILS_PER_MINUTE", default_value_t = 20)]
    pub mails_per_minute: u32,
    /// Proxies whose `X-Forwarded-For` is believed, comma-separated addresses or networks such as `10.0.0.0/8`.
    #[arg(long, env = "SOONER_TRUSTED_PROXIES", value_delimiter = ',')]
    pub trusted_proxies: Vec<Network>,
    /// Connections that may be open at one time; fewer where the limit of open files leaves no room for the rest.
    #[arg(long, env = "SOONER_CONNECTIONS", default_value_t = 8_000)]
    pub connections: usize,
    /// Of these, connections of one address (an IPv6 client counts as its /64), and requests under way of one client of a
    /// trusted proxy. Connections of this machine and of trusted proxies are not counted by address.
    #[arg(long, env = "SOONER_CONNECTIONS_PER_ADDRESS", default_value_t = 200)]
    pub connections_per_address: usize,
    /// How long the phases of a connection may take.
    #[arg(skip)]
    pub connection_times: Times,
    /// Connections to the database.
    #[command(flatten)]
    pub pools: PoolSizes,
    /// Notification channels besides mail.
    #[command(flatten)]
    pub channels: ChannelSettings,
    /// What this server does: `web`, `engine`, `delivery`, with commas between or by several options. Each has to be done by
    /// some server; of those with `engine` one works at a time.
    #[arg(
        long,
        env = "SOONER_ROLE",
        value_enum,
        value_delimiter = ',',
        default_value = "web,engine,delivery"
    )]
    pub role: Vec<Role>,
    /// Where traces go: the address of an OpenTelemetry collector that takes OTLP over HTTP, e.g. `http://127.0.0.1:4318/v1/traces`.
    /// Without it there are none. What its headers are says `OTEL_EXPORTER_OTLP_HEADERS`.
    #[arg(long, env = "SOONER_TRACES_URL")]
    pub traces_url: Option<String>,
    /// Which share of requests and of the engine's jobs is traced, from 0 to 1.
    #[arg(long, env = "SOONER_TRACES_SHARE", default_value_t = 1.0)]
    pub traces_share: f64,
    /// The name of this node; must differ between nodes.
    #[arg(long, env = "SOONER_NODE", default_value = "single")]
    pub node: String,
    /// Portal time runs so many times faster than the wall's (tests and demo only).
    #[arg(long, env = "SOONER_SPEED", default_value_t = 1.0)]
    pub speed: f64,
    /// The instant at which scaled portal time and the wall agree (tests only).
    #[arg(long, env = "SOONER_TIME_ANCHOR")]
    pub time_anchor: Option<chrono::DateTime<chrono::Utc>>,
    /// Looks and matches, but never books.
    #[arg(long, env = "SOONER_DRY_RUN")]
    pub dry_run: bool,
    /// A port of its own for `/metrics` (Prometheus), e.g. `127.0.0.1:9184`.
    #[arg(long, env = "SOONER_METRICS_BIND")]
    pub metrics_bind: Option<SocketAddr>,
    /// Who sends this as a bearer token (16 characters or more) may read `/metrics`, here and on its own port.
    #[arg(long, env = "SOONER_METRICS_TOKEN", hide_env_values = true)]
    pub metrics_token: Option<String>,
    /// `/metrics` is open to everyone who reaches the port (the demo on loopback, and the port of its own).
    #[arg(skip)]
    pub metrics_open: bool,
    /// A portal on this machine is walked first as well, as others are; a sandbox counts as walked otherwise (tests only).
    #[arg(skip)]
    pub walks_sandbox: bool,
    /// Shows the demo's ribbon.
    #[arg(skip)]
    pub demo: bool,
    /// Requests to the portal a second, over everything; tests of other things lift it.
    #[arg(skip)]
    pub rate: portal::Rate,
    /// How many portal logins may be verified; the demo and tests of other things lift it.
    #[arg(skip = crate::http::rate_limit::VERIFICATIONS)]
    pub verifications: store::outward::Limits,
}

/// Who may register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RegistrationMode)]
pub enum Registration {
    /// Everybody.
    Open,
    /// People with an invitation.
    Invite,
    /// Nobody.
    Closed,
}

/// Reads `on` and `off`.
fn billing() -> impl TypedValueParser<Value = Billing> {
    PossibleValuesParser::new(["on", "off"])
        .map(|word| if word == "off" { Billing::Off } else { Billing::On })
}

/// How many connections to the database each part of a server opens at most. On SQLite these are readers: all write over
/// one connection.
#[derive(Clone, Copy, Debug, Args)]
pub struct PoolSizes {
    /// Connections to the database that only the engine uses.
    #[arg(long, env = "SOONER_ENGINE_CONNECTIONS", default_value_t = 4, value_parser = clap::value_parser!(u32).range(2..))]
    pub engine_connections: u32,
    /// Connections to the database for requests and open pages.
    #[arg(long, env = "SOONER_REQUEST_CONNECTIONS", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..))]
    pub request_connections: u32,
    /// Connections to the database for mail, card payments and housekeeping.
    #[arg(long, env = "SOONER_BACKGROUND_CONNECTIONS", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub background_connections: u32,
    /// Books only where PostgreSQL has a synchronous standby (`synchronous_standby_names`): switch it on wherever a standby may
    /// be promoted.
    #[arg(long, env = "SOONER_REQUIRE_STANDBY")]
    pub require_standby: bool,
}

impl PoolSizes {
    /// As the store takes them.
    #[must_use]
    pub const fn shares(&self) -> store::Shares {
        store::Shares {
            engine: self.engine_connections,
            requests: self.request_connections,
            background: self.background_connections,
            requires_standby: self.require_standby,
        }
    }

    /// All of one server, those included over which bookings are committed to, one that tries whether commits end, and the watchdog's.
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
    /// Whether this server does a part of the work.
    #[must_use]
    pub fn does(&self, role: Role) -> bool {
        self.role.contains(&role)
    }

    /// Returns `true` if a portal must be walked whole once before tasks book there; a sandbox needs no walk.
    #[must_use]
    pub fn walks_first(&self) -> bool {
        self.walks_sandbox || !outside::is_on_this_machine(&self.portal_url)
    }

    /// Whether the identity provider runs an address's mailbox.
    #[must_use]
    pub fn google_trusts(&self, email: &str) -> bool {
        let host = email.rsplit_once('@').map_or("", |(_, host)| host);
        self.google_mail_hosts.iter().any(|one| one.trim().eq_ignore_ascii_case(host))
    }

    /// The defaults, with neither flags nor environment.
    #[must_use]
    pub fn defaults() -> Self {
        /// A command that is nothing but settings.
        #[derive(Parser)]
        struct Bare {
            #[command(flatten)]
            settings: Settings,
        }
        Bare::parse_from(["sooner"]).settings
    }
}
