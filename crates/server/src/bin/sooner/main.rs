//! The program `sooner`, one binary for all commands.

mod backup;
mod channels;
mod countries;
mod demo;
mod doctor;
mod engine;
mod folders;
mod hardening;
mod keys;
mod migrate;
mod money;
mod portal;
mod print;
mod reference;
mod sandbox;
mod serve;
mod service;
mod shared;
mod solo;
mod tasks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

/// Examples at the end of the help.
const EXAMPLES: &str = "Examples:
  sooner demo                  run everything, simulated, to try it
  sooner serve --solo          serve yourself and your family, on your own machine
  sooner keys init             create a key ring, once before the first start for others
  sooner serve                 serve others; sooner serve --help lists every setting
  sooner codes mint --amount 50.00 --count 20
  sooner tasks explain ID      explain why nothing was booked lately
  sooner doctor                check the server and print what to do";

/// Examples of completion scripts for shells.
const COMPLETION: &str = "Examples:
  sooner completion bash > /etc/bash_completion.d/sooner
  sooner completion zsh > /usr/local/share/zsh/site-functions/_sooner
  sooner completion fish > ~/.config/fish/completions/sooner.fish";

/// Watch visa appointments and book earlier ones
#[derive(Parser)]
#[command(name = "sooner", version, about, after_help = EXAMPLES)]
struct Cli {
    /// Settings file (TOML). Its values are the defaults of the options of the same name
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    /// Format of log entries
    #[arg(long, global = true, env = "SOONER_LOG_FORMAT", default_value = "text")]
    log_format: shared::LogFormat,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the web app, the API and the engine
    Serve(Box<server::config::Settings>),
    /// Run server, engine and a simulated outside world in one process, with a seeded account
    Demo(demo::Demo),
    /// Run only the simulated outside world
    Sandbox(sandbox::Options),
    /// Check the pages of the real portal, and parse saved pages
    Portal(portal::Portal),
    /// Migrate the database to this version
    Migrate(shared::Database),
    /// Write a backup of an SQLite database while a server runs
    Backup(backup::Backup),
    /// Restore a backup, or prepare a restored PostgreSQL database for a server
    Restore(backup::Restore),
    /// Copy a database from SQLite to PostgreSQL
    Database(backup::DatabaseCommand),
    /// Mint, list and revoke top-up codes
    Codes(money::codes::Codes),
    /// Show and set the price per applicant
    Plans(money::plans::Plans),
    /// Manage groups of users who pay less
    Groups(money::groups::Groups),
    /// Show users, and manage their discounts, groups and access
    Users(money::users::Users),
    /// Create, show and end promo codes
    Promos(Box<money::promos::Promos>),
    /// Show and set the discount and the bonus of referrals
    Referrals(money::referrals::Referrals),
    /// List balances and debts
    Balances(money::balances::Balances),
    /// Show and refund card payments
    Payments(money::payments::Payments),
    /// Check, freeze and unfreeze the ledger
    Ledger(money::ledger::Ledger),
    /// List the actions of operators on the command line
    Audit(money::audit::Audit),
    /// List, test and disable notification channels of users
    Channels(Box<channels::ChannelsCommand>),
    /// Inspect tasks, and decide cases that need an operator
    Tasks(Box<tasks::Tasks>),
    /// Pause and resume requests to the portal
    Engine(engine::Engine),
    /// Create, show and rotate the keys of the key ring
    Keys(keys::Keys),
    /// Print a link that signs in the owner of a solo server
    Link(solo::Link),
    /// Check the installation, and print problems with their remedies
    Doctor(Box<doctor::Doctor>),
    /// Check that the server on this machine is ready, for containers
    Healthcheck(service::Healthcheck),
    /// Print the OpenAPI document as JSON
    Openapi,
    /// Generate shell completions
    #[command(after_help = COMPLETION)]
    Completion(reference::Completion),
    /// Generate manual pages
    Manual(reference::Manual),
    /// Print every setting of the server as Markdown
    Settings,
    /// Print how long each table of the database stores its rows, as Markdown
    Retention,
    /// Print what is known of each country of the portal, as Markdown
    Countries,
}

/// Exit code of a program ended by SIGPIPE.
const BROKEN_PIPE: u8 = 141;

fn main() -> ExitCode {
    end_with_the_reader();
    match start() {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::from(BROKEN_PIPE),
        // The operator gets an error message, not a backtrace.
        Err(error) => {
            eprintln!("sooner: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Ends the program without a backtrace if the reader of its output is closed, as in `sooner tasks
/// explain … | head`.
fn end_with_the_reader() {
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let message = panic.payload_as_str().unwrap_or_default();
        let is_print = ["failed printing to stdout", "failed to write completion file"]
            .iter()
            .any(|failure| message.starts_with(failure));
        if is_print && (message.contains("Broken pipe") || message.contains("BrokenPipe")) {
            std::process::exit(BROKEN_PIPE.into());
        }
        report(panic);
    }));
}

/// Returns `true` if the output could not be printed. A broken pipe of a database connection does
/// not count.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let io = error.downcast_ref::<std::io::Error>();
    io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn start() -> anyhow::Result<ExitCode> {
    hardening::harden()?;
    let mut command = reference::arranged(Cli::command());
    let file = shared::settings_file(std::env::args_os());
    command = shared::with_defaults(command, file.as_deref(), std::env::args_os())?;
    command = shared::with_files(command, |name| std::env::var_os(name))?;
    let cli = Cli::from_arg_matches(&command.get_matches())?;
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let traces = match &cli.command {
        Command::Serve(settings) => server::traces::begin(settings, runtime.handle())?,
        _ => None,
    };
    shared::init_log(cli.log_format, traces.as_ref());
    let done = runtime.block_on(run(cli.command, file.as_deref()));
    if let Some(traces) = traces {
        traces.end();
    }
    done
}

async fn run(command: Command, settings_file: Option<&Path>) -> anyhow::Result<ExitCode> {
    let done = match command {
        Command::Serve(settings) => serve::run(*settings, settings_file).await,
        Command::Demo(options) => demo::run(options).await,
        Command::Sandbox(options) => sandbox::run(options).await,
        Command::Portal(options) => return portal::run(options).await,
        Command::Migrate(database) => migrate::run(&database).await,
        Command::Backup(command) => backup::backup(&command).await,
        Command::Restore(command) => backup::restore(&command).await,
        Command::Database(command) => backup::database(&command).await,
        Command::Codes(codes) => money::codes::run(codes).await,
        Command::Plans(plans) => money::plans::run(plans).await,
        Command::Groups(groups) => money::groups::run(groups).await,
        Command::Users(users) => money::users::run(users).await,
        Command::Promos(promos) => money::promos::run(*promos).await,
        Command::Referrals(referrals) => money::referrals::run(referrals).await,
        Command::Balances(balances) => money::balances::run(balances).await,
        Command::Payments(payments) => money::payments::run(payments).await,
        Command::Ledger(ledger) => money::ledger::run(ledger).await,
        Command::Audit(audit) => money::audit::run(audit).await,
        Command::Channels(channels) => channels::run(*channels).await,
        Command::Engine(engine) => engine::run(engine).await,
        Command::Keys(keys) => keys::run(keys).await,
        Command::Link(link) => solo::link(&link).await,
        Command::Doctor(doctor) => return doctor::run(&doctor).await,
        Command::Tasks(tasks) => tasks::run(*tasks).await,
        Command::Completion(shell) => {
            reference::completion(reference::arranged(Cli::command()), &shell);
            Ok(())
        }
        Command::Manual(manual) => reference::manual(reference::arranged(Cli::command()), &manual),
        Command::Settings => reference::settings(&reference::arranged(Cli::command())),
        Command::Retention => {
            print!("{}", store::retention::page());
            Ok(())
        }
        Command::Countries => {
            print!("{}", countries::page());
            Ok(())
        }
        Command::Healthcheck(server) => service::healthcheck(&server),
        Command::Openapi => {
            print!("{}", server::router::document_json()?);
            Ok(())
        }
    };
    done.map(|()| ExitCode::SUCCESS)
}
