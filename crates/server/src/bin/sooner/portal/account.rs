//! Local database row of the portal account that is tried. An account that a server monitors is
//! refused. Requests are charged to the account's budget.

use anyhow::Context as _;
use domain::budget::{Calls, Limits, Spend};
use domain::clock::Clock;
use domain::ids::PortalAccountId;
use store::Db;

use crate::shared::{self, Clocks, Database, Ring};

/// Result of the search for an account in the local database.
pub enum LocalAccount {
    /// There is no local database.
    NoDatabase,
    /// The database does not contain the account.
    Unknown,
    /// The database contains the account, and no server monitors it.
    Account(Account),
}

/// An account in the local database, with its budget.
pub struct Account {
    db: Db,
    id: PortalAccountId,
    wall: Clock,
}

/// Finds the account of a login.
///
/// Returns an error if a server monitors the account or the account's budget is used up. Also
/// returns an error if the database or its key ring cannot be read.
pub async fn find(
    database: &Database,
    ring: &Ring,
    login: &str,
    ambient: &server::run::Ambient,
) -> anyhow::Result<LocalAccount> {
    /// Default database.
    const DEFAULT: &str = "sqlite:sooner.db";
    let file = store::file_lock::file_of(&database.database_url)?;
    if database.database_url == DEFAULT && file.is_some_and(|file| !file.is_file()) {
        return Ok(LocalAccount::NoDatabase);
    }
    let opened = shared::open_with_keys(database, ring, &ambient.random).await;
    let (db, keyring) = opened.context("cannot check whether this portal account is in use")?;
    let login_fp = engine::verify_login::fingerprint(&keyring, login);
    let mut tx = db.read().await?;
    let Some(id) = store::portal_account::find(&mut tx, &login_fp).await? else {
        return Ok(LocalAccount::Unknown);
    };
    let in_use = store::portal_account::in_use(&mut tx).await?;
    let leased = store::account_lease::leased(&mut tx).await?;
    anyhow::ensure!(
        !in_use.iter().any(|account| account.id == id) && !leased.contains(&id),
        "this portal account is in use by a running task, booking or job; stop its tasks first, so that two sessions do not use up its request budget"
    );
    let now = Clocks::read(&mut tx, &ambient.wall).await?.portal;
    let row =
        store::portal_account::get(&mut tx, id).await?.context("the account was just deleted; try again")?;
    if row.not_before.is_some_and(|until| until > now) {
        anyhow::bail!("this account is in a cool-down; try again later");
    }
    for what in [Spend::SignIn, Spend::Poll] {
        if let Err(rest) = row.budget.check(what, &Limits::default(), now) {
            anyhow::bail!("the account's budget is used up until {}", crate::print::time(rest.until));
        }
    }
    tx.commit().await?;
    Ok(LocalAccount::Account(Account { db, id, wall: ambient.wall.clone() }))
}

impl Account {
    /// Adds calls to the account's budget.
    pub async fn charge(&self, calls: Calls) -> anyhow::Result<()> {
        if calls == Calls::default() {
            return Ok(());
        }
        let mut tx = self.db.begin().await?;
        let now = Clocks::read(&mut tx, &self.wall).await?.portal;
        store::portal_account::change_budget(&mut tx, self.id, |budget| budget.spend(calls, now)).await?;
        tx.commit().await?;
        Ok(())
    }
}
