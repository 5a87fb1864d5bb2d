//! `sooner keys init | status`.

use clap::{Args, Subcommand};
use store::keyring::KeyRing;

use crate::shared::{self, Ring};

/// The key ring.
#[derive(Args)]
pub struct Keys {
    #[command(flatten)]
    ring: Ring,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a new key ring; an existing file is never overwritten
    Init,
    /// Print the keys' ids and states
    Status,
}

/// Runs the subcommand.
pub async fn run(keys: Keys) -> anyhow::Result<()> {
    let path = &keys.ring.key_ring;
    match keys.command {
        Command::Init => {
            KeyRing::generate(&shared::ambient()?.random).save_new(path)?;
            println!(
                "{} written, readable by its owner only. Keep a copy apart from the database's.",
                path.display()
            );
        }
        Command::Status => {
            for (kid, state) in KeyRing::load(path)?.status() {
                println!("{kid} {state:?}");
            }
        }
    }
    Ok(())
}
