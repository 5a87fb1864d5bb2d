//! Commands `sooner plans list` and `sooner plans set`.

use clap::{Args, Subcommand};
use domain::ids::PricingPlanId;
use domain::money::Money;
use serde_json::{Value, json};
use store::pricing::Plan;

use super::{Operator, Options, parse, plain};
use crate::print;

/// Options of `sooner plans`.
#[derive(Args)]
pub struct Plans {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the active plans. The first one sets the price of new tasks
    List,
    /// Set the price of new tasks; agreed prices stay
    Set {
        /// Price per applicant in CAD, e.g. 38.00
        #[arg(long, value_parser = parse::price)]
        price: Money,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(plans: Plans) -> anyhow::Result<()> {
    let mut desk = Operator::open(&plans.options).await?;
    match plans.command {
        Command::List => {
            let found = store::pricing::active(&mut desk.tx).await?;
            let rows: Vec<Vec<String>> = found
                .iter()
                .map(|p| {
                    vec![p.id.to_string(), p.name.clone(), plain(p.unit_price), print::time(p.created_at)]
                })
                .collect();
            let text = print::table(&["PLAN", "NAME", "PRICE", "SINCE"], &rows);
            let value: Value = found.iter().map(value).collect();
            desk.finish(("plans list", "plans", json!({})), &value, &text).await
        }
        Command::Set { price } => {
            let before = store::pricing::standing(&mut desk.tx).await?.map(|p| p.unit_price.to_wire());
            let id = PricingPlanId::new(desk.now, desk.ambient.random.bytes());
            store::pricing::set_standing(&mut desk.tx, desk.now, id, price).await?;
            let what = json!({ "before": before, "price": price.to_wire() });
            let text = format!(
                "new tasks cost {price} per applicant\nA server that starts with --unit-price sets that price again."
            );
            desk.finish(("plans set", "plans", what.clone()), &what, &text).await
        }
    }
}

fn value(plan: &Plan) -> Value {
    json!({ "id": plan.id, "name": plan.name, "price": plan.unit_price.to_wire(), "since": plan.created_at })
}
