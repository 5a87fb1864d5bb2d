//! Command `sooner balances list`.

use clap::{Args, Subcommand};
use domain::money::Money;
use serde_json::{Value, json};
use store::operator::users::{self, Order};

use super::{Operator, Options, plain};
use crate::print;

/// Options of `sooner balances`.
#[derive(Args)]
pub struct Balances {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the totals of all accounts, and users with money or debts, highest balance first
    List {
        /// Maximum number of users to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(balances: Balances) -> anyhow::Result<()> {
    let mut desk = Operator::open(&balances.options).await?;
    let Command::List { limit } = balances.command;
    let totals = users::totals(&mut desk.tx).await?;
    let found = users::list(&mut desk.tx, None, Order::Richest, limit).await?;
    let wire = |minor: i64| Money::cad(minor).to_wire();
    let sums: Vec<Value> = totals
        .iter()
        .map(|(kind, posted, held, accounts)| {
            json!({ "kind": kind, "posted": wire(*posted), "held": wire(*held), "accounts": accounts })
        })
        .collect();
    let persons: Vec<Value> = found
        .iter()
        .map(|p| {
            json!({
                "user": p.id, "email": p.email, "available": p.available.to_wire(), "held": p.held.to_wire(),
                "debt": p.debt.to_wire(),
            })
        })
        .collect();
    let value = json!({ "totals": sums, "people": persons });
    let sums: Vec<Vec<String>> = totals
        .iter()
        .map(|(kind, posted, held, accounts)| {
            vec![kind.clone(), plain(Money::cad(*posted)), plain(Money::cad(*held)), accounts.to_string()]
        })
        .collect();
    let persons: Vec<Vec<String>> = found
        .iter()
        .map(|p| vec![p.email.clone(), plain(p.available), plain(p.held), plain(p.debt), p.id.to_string()])
        .collect();
    let text = [
        print::table(&["ACCOUNTS", "POSTED", "HELD", "COUNT"], &sums),
        String::new(),
        print::table(&["USER", "AVAILABLE", "HELD", "OWED", "ID"], &persons),
    ];
    desk.finish(("balances list", "balances", json!({})), &value, &text.join("\n")).await
}
