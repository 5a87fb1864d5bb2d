//! Commands `sooner portal parse` and `sooner portal try`.

mod account;
mod finding;
mod login;
mod parse;
mod report;
mod summary;
mod trial;
mod walk;

use std::process::ExitCode;

use clap::{Args, Subcommand};

/// Options of `sooner portal`.
#[derive(Args)]
pub struct Portal {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parse a page from standard input or a report, and print the result as JSON
    Parse(parse::Parse),
    /// Sign in once at the portal, read its pages, and print whether this version understands them
    #[command(after_help = trial::HELP)]
    Try(Box<trial::Try>),
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(portal: Portal) -> anyhow::Result<ExitCode> {
    match portal.command {
        Command::Parse(parse) => parse::run(&parse).map(|()| ExitCode::SUCCESS),
        Command::Try(options) => trial::run(&options).await,
    }
}
