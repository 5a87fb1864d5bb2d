//! Commands `sooner referrals show` and `sooner referrals set`.

use clap::{Args, Subcommand};
use domain::money::Money;
use serde_json::{Value, json};
use store::operator::referrals;

use super::{Operator, Options, parse, plain};
use crate::print;

/// Options of `sooner referrals`.
#[derive(Args)]
pub struct Referrals {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show the discount and the bonus of referrals, and the newest referrals
    Show {
        /// Maximum number of referrals to show
        #[arg(long, default_value_t = 50)]
        limit: i64,
    },
    /// Set the discount and the bonus of referrals; agreed prices stay
    Set {
        /// Discount on each applicant's price of a new user's first task, in CAD
        #[arg(long, value_parser = parse::price)]
        newcomer: Money,
        /// Bonus of the referrer in CAD, when that task is charged
        #[arg(long, value_parser = parse::price)]
        referrer: Money,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(of: Referrals) -> anyhow::Result<()> {
    let mut desk = Operator::open(&of.options).await?;
    match of.command {
        Command::Set { newcomer, referrer } => {
            let now = desk.now;
            referrals::set_worth(&mut desk.tx, newcomer, referrer, now).await?;
            let what = json!({ "newcomer": newcomer.to_wire(), "referrer": referrer.to_wire() });
            let text = format!(
                "a referred user pays {newcomer} less per applicant, once; the referrer gets {referrer}"
            );
            desk.finish(("referrals set", "referrals", what.clone()), &what, &text).await
        }
        Command::Show { limit } => show(desk, limit).await,
    }
}

async fn show(mut desk: Operator, limit: i64) -> anyhow::Result<()> {
    let worth = referrals::worth(&mut desk.tx).await?;
    let counts = referrals::counts(&mut desk.tx).await?;
    let newest = referrals::list(&mut desk.tx, limit).await?;
    let wire = |minor: i64| Money::cad(minor).to_wire();
    let states: serde_json::Map<String, Value> = counts
        .iter()
        .map(|(state, count, bonus)| (state.clone(), json!({ "count": count, "bonus": wire(*bonus) })))
        .collect();
    let rows: Vec<Value> = newest
        .iter()
        .map(|r| {
            json!({
                "newcomer": r.newcomer, "referrer": r.referrer, "bonus": r.bonus.to_wire(), "state": r.state,
                "why": r.why, "at": r.created_at,
            })
        })
        .collect();
    let value = json!({
        "newcomer": worth.map(|w| w.newcomer_discount.to_wire()),
        "referrer": worth.map(|w| w.referrer_bonus.to_wire()),
        "since": worth.map(|w| w.set_at),
        "states": states,
        "newest": rows,
    });
    let mut lines = match worth {
        None => vec!["referrals give no discount and no bonus; to set them: sooner referrals set".to_owned()],
        Some(w) => vec![
            print::field("referred user", &format!("pays {} less per applicant, once", w.newcomer_discount)),
            print::field("referrer", &format!("gets {}", w.referrer_bonus)),
            print::field("since", &print::time(w.set_at)),
        ],
    };
    for (state, count, bonus) in &counts {
        lines.push(print::field(state, &format!("{count}, bonus {}", Money::cad(*bonus))));
    }
    if !newest.is_empty() {
        let rows: Vec<Vec<String>> = newest
            .iter()
            .map(|r| {
                let state =
                    r.why.as_ref().map_or_else(|| r.state.clone(), |why| format!("{} ({why})", r.state));
                vec![print::time(r.created_at), r.referrer.to_string(), plain(r.bonus), state]
            })
            .collect();
        lines.push(print::table(&["AT", "REFERRER", "BONUS", "STATE"], &rows));
    }
    desk.finish(("referrals show", "referrals", json!({})), &value, &lines.join("\n")).await
}
