//! `sooner portal parse KIND`.

use std::io::Read as _;

use clap::{Args, Subcommand};

/// What the client reads in the portal's pages.
#[derive(Args)]
pub struct Portal {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Read a page from standard input and print what it says as JSON
    Parse {
        /// `sign_in`, `groups`, `actions`, `payment`, `limit`, `applicants`, `form` or `instructions`
        kind: String,
    },
}

/// Runs the subcommand.
pub fn run(portal: &Portal) -> anyhow::Result<()> {
    let Command::Parse { kind } = &portal.command;
    let mut page = String::new();
    std::io::stdin().read_to_string(&mut page)?;
    println!("{:#}", ::portal::parse_kind(kind, &page)?);
    Ok(())
}
