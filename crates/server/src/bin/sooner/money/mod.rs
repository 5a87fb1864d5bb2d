//! Operator commands on users and money. Each runs in one transaction with its audit entry, even if
//! it only reads.

pub mod access;
pub mod audit;
pub mod balances;
pub mod codes;
pub mod groups;
pub mod ledger;
pub mod parse;
pub mod payments;
pub mod plans;
pub mod promos;
pub mod referrals;
pub mod users;

use clap::Args;
use domain::clock::Instant;
use domain::ids::UserId;
use domain::money::Money;
use serde_json::Value;
use server::run::Ambient;
use store::keyring::KeyRing;
use store::{Db, Tx};

use crate::shared::{self, Database, Ring};
use crate::{print, tasks};

/// Options that all these commands have.
#[derive(Args, Clone)]
pub struct Options {
    #[command(flatten)]
    database: Database,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
    /// Use this as the current time (a scaled demo's time; RFC 3339)
    #[arg(long, global = true, hide = true)]
    at: Option<Instant>,
}

impl Options {
    fn ambient(&self) -> anyhow::Result<Ambient> {
        let mut ambient = server::run::Ambient::system()?;
        if let Some(at) = self.at {
            ambient.wall = domain::clock::Clock::new(move || at);
        }
        Ok(ambient)
    }
}

/// A running operator command, with its database and its transaction.
pub struct Operator {
    db: Db,
    /// Clock and random numbers.
    pub ambient: Ambient,
    /// Time of the command.
    pub now: Instant,
    json: bool,
    /// Transaction in which the command reads and writes.
    pub tx: Tx,
}

impl Operator {
    /// Opens the database and begins a transaction.
    ///
    /// # Errors
    /// Returns an error if the database cannot be used.
    pub async fn open(options: &Options) -> anyhow::Result<Self> {
        let ambient = options.ambient()?;
        let db = shared::open(&options.database).await?;
        Self::begin(db, ambient, options).await
    }

    /// Opens the database like [`Self::open`], with its key ring.
    ///
    /// # Errors
    /// Returns an error if the database cannot be used or belongs to another key ring.
    pub async fn open_with_keys(options: &Options, ring: &Ring) -> anyhow::Result<(Self, KeyRing)> {
        let ambient = options.ambient()?;
        let (db, ring) = shared::open_with_keys(&options.database, ring, &ambient.random).await?;
        Ok((Self::begin(db, ambient, options).await?, ring))
    }

    async fn begin(db: Db, ambient: Ambient, options: &Options) -> anyhow::Result<Self> {
        let mut tx = db.begin().await?;
        // With a time of the operator's choice, immutable rows could get any timestamp.
        anyhow::ensure!(
            options.at.is_none() || store::audit::is_time_made_up(&mut tx).await?,
            "--at is for demos: this database's time is real"
        );
        let json = options.json;
        Ok(Self { now: ambient.wall.now(), db, ambient, json, tx })
    }

    /// Finds the user with this address or id.
    ///
    /// # Errors
    /// Returns an error if there is no such user.
    pub async fn user(&mut self, name: &str) -> anyhow::Result<UserId> {
        let user = tasks::find_user(&mut self.tx, name).await?;
        anyhow::ensure!(store::user::get(&mut self.tx, user).await?.is_some(), "no user has the id {user}");
        Ok(user)
    }

    /// Writes the audit entry and commits, then prints `value` with `--json`, and otherwise `text`.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn finish(
        mut self,
        (command, subject, what): (&'static str, &str, Value),
        value: &Value,
        text: &str,
    ) -> anyhow::Result<()> {
        tasks::audit(&mut self.tx, &self.ambient, command, subject, what).await?;
        self.tx.commit().await?;
        self.db.close().await;
        if self.json {
            return print::json(value);
        }
        println!("{text}");
        Ok(())
    }
}

/// Formats an amount for tables: `12.30`.
fn plain(amount: Money) -> String {
    amount.to_string().trim_end_matches(" CAD").to_owned()
}
