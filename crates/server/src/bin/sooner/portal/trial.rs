//! Command `sooner portal try`: reads the pages of the real portal once, before an engine uses
//! them.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use domain::country::{Country, CountryCode, VisaType, countries};
use domain::facility::FacilityId;
use portal::{Client, Credentials, Pacer, PortalHost, PortalPath, Rate, Recorder, Settings};
use secrecy::SecretString;
use server::config::countries::read_served;
use url::{Host, Url};

use super::account::{self, LocalAccount};
use super::finding::Grade;
use super::walk::{Walk, WalkResult};
use super::{login, report};
use crate::shared::{Database, Ring};

/// Maximum number of requests of one run.
const MOST_REQUESTS: u32 = 12;
/// Maximum number of cities whose dates are read.
const MOST_CITIES: usize = 2;
/// Minimum time between two requests, in seconds.
const PACE: f64 = 3.0;

/// Exit code if a page was not completely understood.
const NOT_UNDERSTOOD: u8 = 3;
/// Exit code if the portal returned an error that ended the walk.
const STOPPED: u8 = 4;

/// Text at the end of the command's help.
pub const HELP: &str = "\
The command prompts for the password at the terminal, or reads the first line of a pipe.

Exit codes: 0 understood, 3 a page was not fully understood, 4 the portal stopped the walk, 1 any other error.

Examples:
  sooner portal try --country ca --city Toronto
  sooner portal try --country ca --user li@example.com --report report.json
  sooner portal parse form --report report.json";

/// Options of `sooner portal try`.
#[derive(Args)]
pub struct Try {
    /// Country of the portal, e.g. `ca`
    #[arg(long, value_parser = read_served)]
    country: CountryCode,
    /// City whose dates are read, at most two; the city of the appointment by default
    #[arg(long, value_parser = read_city, num_args = 1.., value_delimiter = ',')]
    city: Vec<FacilityId>,
    /// Login at the portal; prompted for by default
    #[arg(long, value_name = "EMAIL")]
    user: Option<String>,
    /// Address of the portal: https, or http on this machine
    #[arg(long, default_value = "https://ais.usvisa-info.com")]
    url: Url,
    /// Write a report without personal data to a new file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Seconds between two requests; fewer than 3 for a sandbox on this machine only
    #[arg(long, default_value_t = PACE, hide = true)]
    pace: f64,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
}

/// Reads the pages of the portal, and prints the findings.
///
/// # Errors
/// Returns an error with a message for the operator if nothing was sent, or if the report was not
/// written.
pub async fn run(options: &Try) -> anyhow::Result<ExitCode> {
    anyhow::ensure!(options.city.len() <= MOST_CITIES, "name at most {MOST_CITIES} cities");
    let origin = checked_origin(&options.url)?;
    anyhow::ensure!(
        options.pace >= PACE || is_loopback(&options.url),
        "--pace below {PACE} is for a sandbox on this machine"
    );
    if let Some(path) = &options.report {
        report::refuse_existing(path)?;
    }
    let ambient = server::run::Ambient::system()?;
    let login = login::read_login(options.user.as_deref())?;
    let known = account::find(&options.database, &options.ring, &login, &ambient).await?;
    announce(options, &origin, &known);
    let password = login::read_password(&origin)?;

    let recorder = Arc::new(Recorder::new(MOST_REQUESTS));
    let client = client(options, &ambient, recorder.clone())?;
    let credentials = Credentials::new(SecretString::from(login.clone()), password.clone());
    let path = PortalPath::new(options.country, VisaType::Niv);
    let account = if let LocalAccount::Account(account) = known { Some(account) } else { None };
    let mut walk = Walk::new(client, recorder, account);
    let ended = walk.run(path, &credentials, &options.city).await?;
    let code = print_end(&walk, &ended);
    if let Some(file) = &options.report {
        let secrets = report::Login { login: &login, password: &password };
        report::write(file, &walk, &ended, &secrets, &ambient.random)?;
    }
    Ok(code)
}

fn client(options: &Try, ambient: &server::run::Ambient, recorder: Arc<Recorder>) -> anyhow::Result<Client> {
    let wall = ambient.wall.clone();
    let clock: portal::Clock = Arc::new(move || wall.now());
    let mut settings = Settings::new(PortalHost::new(options.url.clone()), clock.clone());
    let rate = match options.pace {
        pace if pace > 0.0 => Rate { per_second: 1.0 / pace, burst: 1.0 },
        _ => Rate::UNLIMITED,
    };
    settings.pacer = Arc::new(Pacer::new(rate, clock));
    settings.recorder = Some(recorder);
    Ok(Client::new(settings)?)
}

/// Prints what the command will send, and to which server.
fn announce(options: &Try, origin: &str, known: &LocalAccount) {
    println!(
        "This command signs in once at {origin} and reads pages of your account.\n\
         It sends at most {MOST_REQUESTS} requests, one every {} seconds.\n\
         It only reads: it books, moves and cancels nothing, and uses up no attempt.\n\
         The password is sent to {origin} only. It is not stored.",
        options.pace
    );
    println!(
        "{}",
        match known {
            LocalAccount::NoDatabase =>
                "There is no local database: the requests are charged to no budget, and the command cannot check whether a \
                 server watches this account.",
            LocalAccount::Unknown =>
                "The local database does not have this account: the requests are charged to no budget.",
            LocalAccount::Account(_) =>
                "The requests are charged to the account's budget in the local database.",
        }
    );
}

/// Prints the findings and the result. Returns the exit code.
fn print_end(walk: &Walk, ended: &WalkResult) -> ExitCode {
    walk.findings.iter().for_each(super::finding::Finding::print);
    println!("\nmade {} requests", walk.requests());
    println!("would watch: {}", if ended.would_watch { "yes" } else { "no" });
    println!("would book: {}", if ended.would_book { "yes" } else { "no" });
    if let Some(stop) = &ended.stop {
        println!("would stop at {}: {}", stop.at, stop.reason);
        if !stop.is_unknown_page {
            return ExitCode::from(STOPPED);
        }
        return ExitCode::from(NOT_UNDERSTOOD);
    }
    let all = walk.findings.iter().all(|finding| finding.grade == Grade::Understood);
    if all && ended.would_watch && ended.would_book {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(NOT_UNDERSTOOD)
    }
}

/// Returns the scheme, host and port of the portal's address. Returns an error if a password must
/// not be sent there.
fn checked_origin(url: &Url) -> anyhow::Result<String> {
    anyhow::ensure!(
        url.scheme() == "https" || url.scheme() == "http" && is_loopback(url),
        "{url} is not https; the command sends a password over http to this machine only"
    );
    anyhow::ensure!(
        url.username().is_empty() && url.password().is_none(),
        "the address must not have a login or password"
    );
    anyhow::ensure!(url.path() == "/" && url.query().is_none(), "give the portal's address without a path");
    url.host_str().context("the address has no host")?;
    Ok(url.origin().ascii_serialization())
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

fn read_city(text: &str) -> Result<FacilityId, String> {
    FacilityId::by_name(text).ok_or_else(|| {
        let names: Vec<_> =
            countries().iter().flat_map(Country::facilities).map(|city| city.name_en).collect();
        format!("the cities are {}", names.join(", "))
    })
}
