//! The operator's commands over people and money: each in one transaction with its audit, reading ones included.

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

/// What each of these commands takes.
#[derive(Args, Clone)]
pub struct Options {
    #[command(flatten)]
    database: Database,
    /// Prints JSON
    #[arg(long, global = true)]
    json: bool,
    /// Takes this instant for now (a scaled demo's time; RFC 3339)
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

/// An operator at work: one database, one transaction, one line in the audit.
pub struct Operator {
    db: Db,
    /// Clock and randomness.
    pub ambient: Ambient,
    /// When the command was given.
    pub now: Instant,
    json: bool,
    /// What the command reads and changes.
    pub tx: Tx,
}

impl Operator {
    /// Opens the database and begins.
    ///
    /// # Errors
    /// When it cannot be used.
    pub async fn open(options: &Options) -> anyhow::Result<Self> {
        let ambient = options.ambient()?;
        let db = shared::open(&options.database).await?;
        Self::begin(db, ambient, options).await
    }

    /// The same with the key ring the database was made with.
    ///
    /// # Errors
    /// When it cannot be used, or belongs to another key ring.
    pub async fn open_with_keys(options: &Options, ring: &Ring) -> anyhow::Result<(Self, KeyRing)> {
        let ambient = options.ambient()?;
        let (db, ring) = shared::open_with_keys(&options.database, ring, &ambient.random).await?;
        Ok((Self::begin(db, ambient, options).await?, ring))
    }

    async fn begin(db: Db, ambient: Ambient, options: &Options) -> anyhow::Result<Self> {
        let mut tx = db.begin().await?;
        // Else rows that nobody can change afterwards would say what one liked.
        anyhow::ensure!(
            options.at.is_none() || store::audit::is_time_made_up(&mut tx).await?,
            "--at is for demos: this database's time is real"
        );
        let json = options.json;
        Ok(Self { now: ambient.wall.now(), db, ambient, json, tx })
    }

    /// The person with this address or id.
    ///
    /// # Errors
    /// When nobody has it.
    pub async fn user(&mut self, name: &str) -> anyhow::Result<UserId> {
        let user = tasks::find_user(&mut self.tx, name).await?;
        anyhow::ensure!(store::user::get(&mut self.tx, user).await?.is_some(), "nobody has the id {user}");
        Ok(user)
    }

    /// Writes down what was done and keeps it, then prints: `value` with `--json`, else `text`.
    ///
    /// # Errors
    /// When the database fails.
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

/// An amount as tables show it: `12.30`.
fn plain(amount: Money) -> String {
    amount.to_string().trim_end_matches(" CAD").to_owned()
}
