//! `sooner portal parse KIND`: what the client reads in a captured page, for support when the portal changes.

use std::io::Read as _;

use anyhow::Context as _;
use clap::Subcommand;

/// Options of `sooner portal`.
#[derive(Debug, Subcommand)]
pub enum PortalCommand {
    /// Reads a page from standard input and prints what the client reads in it, as JSON.
    Parse {
        /// `sign_in`, `groups`, `actions`, `payment`, `limit`, `applicants`, `form` or `instructions`.
        kind: String,
    },
}

/// Prints the reading; a page that is not as known ends with status 1.
///
/// # Errors
/// An unknown kind, unreadable input, or a layout that has changed.
pub fn run(command: PortalCommand) -> anyhow::Result<()> {
    let PortalCommand::Parse { kind } = command;
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    let read = portal::parse_kind(&kind, &String::from_utf8_lossy(&bytes))?;
    println!("{}", serde_json::to_string_pretty(&read)?);
    Ok(())
}
