//! Commands `sooner ledger check`, `freeze` and `thaw`.

use clap::{Args, Subcommand};
use domain::money::Money;
use serde_json::{Value, json};

use super::{Operator, Options};
use crate::print;

/// Options of `sooner ledger`.
#[derive(Args)]
pub struct Ledger {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recompute every balance from the rows, and fail if a balance differs. Change nothing
    Check,
    /// Freeze all money until `sooner ledger thaw`
    Freeze {
        /// Reason, recorded in the audit log and shown by `sooner doctor`
        #[arg(long)]
        why: String,
    },
    /// Unfreeze money, if the ledger balances
    Thaw {
        /// Also accept that card payments were not read again after a restore or a failover.
        /// Payments that are missing then stay missing
        #[arg(long)]
        without_cards: bool,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator. `check` also fails if the ledger does not
/// balance.
pub async fn run(ledger: Ledger) -> anyhow::Result<()> {
    let mut desk = Operator::open(&ledger.options).await?;
    match ledger.command {
        Command::Check => check(desk).await,
        Command::Freeze { why } => {
            anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
            let (now, before) = (desk.now, store::ledger::frozen(&mut desk.tx).await?);
            anyhow::ensure!(before.is_none(), "money is frozen already: {}", before.unwrap_or_default());
            store::ledger::freeze(&mut desk.tx, now, why.trim()).await?;
            let what = json!({ "why": why.trim() });
            desk.finish(("ledger freeze", "money", what.clone()), &what, "money is frozen").await
        }
        Command::Thaw { without_cards } => {
            thaw(desk, if without_cards { UnreadCards::GiveUp } else { UnreadCards::Wait }).await
        }
    }
}

/// Decision on card payments that were not read again after a restore or a failover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnreadCards {
    /// The server still has to read them; until then no amount is put on hold.
    Wait,
    /// The server does not read them.
    GiveUp,
}

async fn thaw(mut desk: Operator, cards: UnreadCards) -> anyhow::Result<()> {
    let wrong = store::ledger::check(&mut desk.tx).await?.len();
    anyhow::ensure!(wrong == 0, "the ledger does not balance ({wrong} differences); money stays frozen");
    let why = store::ledger::frozen(&mut desk.tx).await?;
    store::ledger::thaw(&mut desk.tx).await?;
    let unread = store::restore::unfinished(&mut desk.tx).await?;
    if let Some(unread) = unread.as_ref().filter(|_| cards == UnreadCards::GiveUp) {
        let now = desk.now;
        store::restore::cards_were_read(&mut desk.tx, unread.restored_at, now).await?;
    }
    let since = unread.as_ref().map(|unread| unread.backup_at);
    let what =
        json!({ "frozen": why, "cards_unread_since": since, "without_cards": cards == UnreadCards::GiveUp });
    let text = match (&why, &unread) {
        (_, Some(_)) if cards == UnreadCards::Wait => {
            "no money is held for new tasks until the server has read card payments again\n--without-cards ends this wait"
        }
        (None, None) => "money was not frozen; nothing changed",
        _ => "money is no longer frozen",
    };
    desk.finish(("ledger thaw", "money", what.clone()), &what, text).await
}

async fn check(mut desk: Operator) -> anyhow::Result<()> {
    let wrong = store::ledger::check(&mut desk.tx).await?;
    let frozen = store::ledger::frozen(&mut desk.tx).await?;
    let wire = |minor: i64| Money::cad(minor).to_wire();
    let differences: Vec<Value> = wrong
        .iter()
        .map(|d| {
            let (expected, found) = (wire(d.expected), wire(d.found));
            json!({ "promise": d.promise, "place": d.place, "expected": expected, "found": found })
        })
        .collect();
    let value = json!({ "differences": differences, "frozen": frozen });
    let mut lines = vec![match &frozen {
        None => "money is not frozen".to_owned(),
        Some(why) => format!("money is frozen: {why}"),
    }];
    if wrong.is_empty() {
        lines.push("the ledger balances".to_owned());
    }
    for one in &wrong {
        let (expected, found) = (Money::cad(one.expected), Money::cad(one.found));
        let says = format!("{} should be {expected} and is {found}", one.place);
        lines.push(print::field(one.promise, &says));
    }
    let count = wrong.len();
    let what = json!({ "differences": count });
    desk.finish(("ledger check", "money", what), &value, &lines.join("\n")).await?;
    anyhow::ensure!(count == 0, "the ledger does not balance ({count} differences)");
    Ok(())
}
