//! Command `sooner demo`: server, engine and sandbox in one process. A seeded task gets a booking
//! soon after the start.

use domain::country::{CountryCode, VisaType};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use ::sandbox::Sandbox;
use anyhow::Context as _;
use app::money::Codes;
use app::tasks::{self, Submission};
use clap::Args;
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::ids::{TopupCodeId, UserId};
use domain::money::Money;
use engine::verify_login::Login;
use secrecy::SecretString;
use serde::Serialize;
use server::AppState;
use server::config::Settings;
use store::keyring::KeyRing;
use store::topup_code::Code;
use store::user::NewUser;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Options of `sooner demo`.
#[derive(Args, Debug)]
pub struct Demo {
    /// Port of the web server; 0 for any free one
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// Folder of the database, the keys and the sandbox's state; a temporary one by default
    #[arg(long)]
    data: Option<PathBuf>,
    /// Write addresses and logins to this JSON file when everything is ready
    #[arg(long)]
    ready: Option<PathBuf>,
    /// Speed of the sandbox's clock and of the engine's pacing, relative to the wall clock
    #[arg(long, default_value_t = 1.0)]
    speed: f64,
    /// Scenario of the sandbox
    #[arg(long, default_value = "demo")]
    scenario: String,
    /// Seed of all randomness in the sandbox
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Address to listen on
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Host name in the addresses, e.g. localhost, where passkeys work; by default the IP address
    #[arg(long)]
    name: Option<String>,
}

/// Account of the demo's user.
const EMAIL: &str = "demo@example.com";
const PASSWORD: &str = "Sooner-2026!";
/// Portal accounts in the sandbox: the account of the seeded task, and one for manual use.
const SEEDED: &str = "linzhixia@example.com";
const BY_HAND: &str = "wangjiaqi@example.com";
const UNIT_PRICE: &str = "38.00";
const CODES: usize = 5;
/// File with the operator's profile, in the demo's folder. The details are invented, and appear in
/// receipts and terms.
const OPERATOR_FILE: &str = "operator.toml";
const OPERATOR: &str = r#"name = "Sooner Demonstration Ltd."
address = "1 Example Street, Ottawa ON"
contact = "help@sooner.example"
tax_number = "00000 0000 RT0001"

[[tax]]
from = "2020-01-01"
name = "HST"
percent = "13"
"#;
/// Delay of the first poll of the seeded task, so that a user can sign in before.
const TIME_TO_SIGN_IN: chrono::TimeDelta = chrono::TimeDelta::seconds(20);

/// Content of the file for `--ready`.
#[derive(Serialize)]
struct Ready {
    url: String,
    sandbox_url: String,
    portal_url: String,
    inbox_url: String,
    channels_url: String,
    email: String,
    password: String,
    portal_username: String,
    portal_password: String,
    topup_codes: Vec<String>,
}

/// Runs the demo until Ctrl-C or SIGTERM.
///
/// # Errors
/// Returns any error that prevents the start.
pub async fn run(options: Demo) -> anyhow::Result<()> {
    let temporary = options.data.is_none().then(tempfile::tempdir).transpose()?;
    let folder = match (&options.data, &temporary) {
        (Some(folder), _) => folder.clone(),
        (None, Some(folder)) => folder.path().to_owned(),
        (None, None) => unreachable!("one of them is made above"),
    };
    std::fs::create_dir_all(&folder).context("cannot create the data folder")?;
    let sandbox = start_sandbox(&options, &folder).await?;
    let ambient = server::run::Ambient::system()?;
    let ring = keys(&folder, &ambient.random)?;
    // The sandbox and the engine use the same portal time and the same speed.
    let anchor = agreed_anchor(&sandbox, ambient.wall.now(), options.speed);
    let listener = TcpListener::bind((options.host, options.port))
        .await
        .with_context(|| format!("cannot listen on port {}; try --port 0", options.port))?;
    let settings = settings(listener.local_addr()?, &options, &folder, &sandbox, anchor);
    let profile = folder.join(OPERATOR_FILE);
    if !profile.exists() {
        std::fs::write(&profile, OPERATOR).context("cannot write the operator's file")?;
    }
    let app = server::run::assemble(settings, ring, ambient).await?;
    sandbox.set_card_webhook(&format!("{}/api/v1/payment/stripe/webhook", app.settings.public_url));
    let texts = server::api::sms::addresses(&app.keyring, &app.settings.public_url);
    sandbox.set_text_addresses(::sandbox::channel::TextAddresses {
        twilio_inbound: texts.twilio_inbound,
        aliyun_report: texts.aliyun_report,
        aliyun_inbound: texts.aliyun_inbound,
    });
    let codes = seed(&app, &folder).await.context("cannot seed the demo")?;
    make_up_time(&app, anchor).await?;
    let stop = CancellationToken::new();
    let terminated = crate::serve::termination()?;
    let serving = tokio::spawn(server::run::serve(app.clone(), listener, stop.clone()));
    announce(&options, &ready(&app.settings.public_url, &sandbox, codes))?;
    terminated.await;
    stop.cancel();
    eprintln!("Stopping …");
    serving.await??;
    sandbox.shutdown().await?;
    Ok(())
}

async fn start_sandbox(options: &Demo, folder: &Path) -> anyhow::Result<Sandbox> {
    Ok(::sandbox::start(::sandbox::Options {
        bind: options.host,
        seed: options.seed,
        speed: options.speed,
        scenario: options.scenario.clone(),
        data: Some(folder.join("sandbox")),
        ..::sandbox::Options::default()
    })
    .await?)
}

/// Returns the instant at which the sandbox's clock and the wall clock show the same time.
fn agreed_anchor(
    sandbox: &Sandbox,
    wall: domain::clock::Instant,
    speed: f64,
) -> Option<domain::clock::Instant> {
    if speed == 1.0 {
        return None;
    }
    let ahead = (sandbox.now() - wall).num_microseconds().unwrap_or(0) as f64;
    Some(wall - chrono::TimeDelta::microseconds((ahead / (speed - 1.0)) as i64))
}

fn keys(folder: &Path, random: &store::Random) -> anyhow::Result<KeyRing> {
    let path = folder.join("demo.keys");
    if !path.exists() {
        KeyRing::generate(random).save_new(&path)?;
    }
    Ok(KeyRing::load(&path)?)
}

fn settings(
    address: SocketAddr,
    options: &Demo,
    folder: &Path,
    sandbox: &Sandbox,
    time_anchor: Option<domain::clock::Instant>,
) -> Settings {
    let there = sandbox.ready();
    let defaults = Settings::defaults();
    Settings {
        channels: defaults.channels.at_sandbox(&there),
        database_url: format!("sqlite:{}", folder.join("sooner.db").display()),
        bind: address,
        public_url: match &options.name {
            Some(name) => format!("http://{name}:{}", address.port()),
            None => format!("http://{address}"),
        },
        key_ring: folder.join("demo.keys"),
        portal_url: sandbox.portal_url(),
        smtp_url: Some(format!("smtp://{}", sandbox.smtp_addr())),
        google_client_id: Some(there.identity_client_id),
        google_client_secret: Some(there.identity_client_secret),
        google_issuer: there.identity_issuer,
        card_secret_key: Some(there.card_secret_key),
        card_publishable_key: Some(there.card_publishable_key),
        card_methods: "card,alipay,wechat_pay".to_owned(),
        card_webhook_secret: Some(there.card_webhook_secret),
        card_api_url: there.card_api_url,
        card_js_url: there.card_js_url,
        mail_from: "Sooner 早签 <no-reply@sooner.example>".to_owned(),
        unit_price: Some(UNIT_PRICE.to_owned()),
        operator: Some(folder.join(OPERATOR_FILE)),
        support_wechat: Some("sooner-help".to_owned()),
        support_wechat_qr: Some("https://sooner.example/wechat/sooner-help".to_owned()),
        support_group: Some("早签 · 加拿大美签".to_owned()),
        support_group_qr: Some("https://sooner.example/group/canada".to_owned()),
        support_email: Some("help@sooner.example".to_owned()),
        support_xiaohongshu: Some("sooner_zaoqian".to_owned()),
        support_xiaohongshu_qr: Some("https://sooner.example/xiaohongshu/sooner_zaoqian".to_owned()),
        speed: options.speed,
        time_anchor,
        demo: true,
        // The demo has its own portal, so its requests need no limit.
        rate: portal::Rate::UNLIMITED,
        verifications: server::http::rate_limit::UNLIMITED_VERIFICATIONS,
        // Only this machine can reach the demo, and its data belongs to no real user.
        metrics_open: address.ip().is_loopback(),
        ..defaults
    }
}

/// Seeds account, balance, codes and the first task, once per data folder; returns the codes.
async fn seed(app: &AppState, folder: &Path) -> anyhow::Result<Vec<String>> {
    let kept = folder.join("demo-codes.json");
    if let Ok(text) = std::fs::read_to_string(&kept) {
        return Ok(serde_json::from_str(&text)?);
    }
    let user = seed_user(app).await?;
    let codes = mint(app, 5_000, CODES).await?;
    seed_task(app, user).await?;
    std::fs::write(&kept, serde_json::to_string(&codes)?)?;
    Ok(codes)
}

/// Stores the demo's clock parameters in the database, for commands that read it.
async fn make_up_time(app: &AppState, anchor: Option<domain::clock::Instant>) -> anyhow::Result<()> {
    let scaled = anchor.map(|anchor| store::audit::ScaledTime { anchor, speed: app.settings.speed });
    let mut tx = app.db.begin().await?;
    store::audit::make_up_time(&mut tx, scaled).await?;
    tx.commit().await?;
    Ok(())
}

async fn seed_user(app: &AppState) -> anyhow::Result<UserId> {
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let known = store::user::by_email(&mut tx, EMAIL).await?;
    tx.commit().await?;
    if let Some(user) = known {
        return Ok(user.id);
    }
    let permit = app.passwords.queue().enter(std::net::Ipv4Addr::LOCALHOST.into());
    let permit = permit.map_err(|_| anyhow::anyhow!("the password queue is full"))?;
    let password = app.passwords.hash(&permit, SecretString::from(PASSWORD.to_owned())).await;
    let password =
        password.map_err(|error| anyhow::anyhow!("the password was not hashed: {:?}", error.code))?;
    let new = NewUser {
        id: UserId::new(now, app.random.bytes()),
        email: EMAIL.to_owned(),
        password_hash: Some(password),
        language: "zh".to_owned(),
        referral_code: hex::encode(app.random.bytes::<5>()),
        referred_by: None,
        email_verified_at: Some(now),
    };
    let mut tx = app.db.begin().await?;
    store::user::insert(&mut tx, &new, now).await?;
    let source = ("demo", new.id.0);
    store::ledger::topup(&mut tx, &app.random, new.id, Money::cad(20_000), source, now).await?;
    tx.commit().await?;
    Ok(new.id)
}

async fn mint(app: &AppState, minor: i64, count: usize) -> anyhow::Result<Vec<String>> {
    let mut tx = app.db.begin().await?;
    let mut codes = Vec::new();
    for _ in 0..count {
        codes.push(mint_one(app, &mut tx, Money::cad(minor)).await?);
    }
    tx.commit().await?;
    Ok(codes)
}

async fn mint_one(app: &AppState, tx: &mut store::Tx, amount: Money) -> anyhow::Result<String> {
    let now = app.wall.now();
    let id = TopupCodeId::new(now, app.random.bytes());
    let code = Code::generate(&app.random);
    let expires_at = now + chrono::TimeDelta::days(365);
    store::topup_code::mint(tx, &app.keyring, (id, &code), amount, Some("demo"), (now, expires_at)).await?;
    Ok(code.expose().to_owned())
}

/// Verifies, configures and submits the seeded task, as a user would.
async fn seed_task(app: &AppState, user: UserId) -> anyhow::Result<()> {
    let login = Login {
        user,
        username: SEEDED.to_owned(),
        password: SecretString::from(::sandbox::scenario::PASSWORD.to_owned()),
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
    };
    let Ok(found) = app.engine.verify(&app.context(), &login).await else {
        // Only some scenarios have this account. With others the demo starts without a task.
        return Ok(());
    };
    let Some(task) = found.first() else { return Ok(()) };
    let now = app.wall.now();
    let today = FacilityId::TORONTO.today(app.portal_time.now());
    let criteria = SearchCriteria {
        cities: vec![FacilityId::TORONTO, FacilityId::OTTAWA, FacilityId::MONTREAL],
        start_date: today + chrono::TimeDelta::days(14),
        end_date: today + chrono::TimeDelta::days(150),
        excluded: ExcludedDates::default(),
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 3,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: None,
        fingerprints: None,
        mode: domain::criteria::BookingMode::Auto,
    };
    let mut tx = app.db.begin().await?;
    store::task::set_criteria(&mut tx, task.id, &criteria, now).await?;
    let tasks = [store::task::get(&mut tx, task.id).await?.context("the task is missing")?];
    let codes = Codes::default();
    let submission =
        Submission { user, tasks: &tasks, codes, mode: None, expected_total: None, walked: None };
    tasks::submit(&app.use_cases(), &mut tx, &submission).await?;
    // The delay lets the user sign in before the booking arrives.
    let begins = Some(app.portal_time.now() + TIME_TO_SIGN_IN);
    let waiting = domain::condition::TaskCondition::WaitingFirstPoll;
    store::task::set_condition(&mut tx, task.id, waiting, &serde_json::json!({}), begins, now).await?;
    tx.commit().await?;
    app.engine.nudge();
    Ok(())
}

fn ready(url: &str, sandbox: &Sandbox, topup_codes: Vec<String>) -> Ready {
    let there = sandbox.ready();
    let known = |name: &str| there.accounts.iter().any(|a| a.username == name);
    let fallback = there.accounts.first().map(|a| a.username.clone()).unwrap_or_default();
    Ready {
        url: url.to_owned(),
        sandbox_url: there.control_url.clone(),
        portal_url: there.portal_url.clone(),
        inbox_url: there.inbox_url.clone(),
        channels_url: there.channels_url.clone(),
        email: EMAIL.to_owned(),
        password: PASSWORD.to_owned(),
        portal_username: if known(BY_HAND) { BY_HAND.to_owned() } else { fallback },
        portal_password: ::sandbox::scenario::PASSWORD.to_owned(),
        topup_codes,
    }
}

fn announce(options: &Demo, ready: &Ready) -> anyhow::Result<()> {
    println!("Sooner 早签 is running (demo: everything stays on this machine)\n");
    println!("  open            {}", ready.url);
    println!("  sign in with    {}   {}", ready.email, ready.password);
    println!("  portal login    {}   {}", ready.portal_username, ready.portal_password);
    println!("  top-up codes    {}", ready.topup_codes.join("  "));
    println!("  sandbox         {}", ready.sandbox_url);
    println!("  portal          {}/en-ca/niv", ready.portal_url);
    println!("  mail inbox      {}", ready.inbox_url);
    println!("  notifications   {}", ready.channels_url);
    if options.host.is_loopback() {
        println!("  metrics         {}/metrics", ready.url);
    }
    println!();
    println!("The seeded task books an earlier appointment within a minute. Ctrl-C stops everything.");
    if let Some(path) = &options.ready {
        crate::sandbox::write_ready(path, ready)?;
    }
    Ok(())
}
