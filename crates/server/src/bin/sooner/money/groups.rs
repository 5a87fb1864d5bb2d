//! Commands `sooner groups list`, `add`, `set`, `remove` and `assign`.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use domain::money::Money;
use serde_json::{Value, json};
use store::Tx;
use store::operator::groups::{self, Group};

use super::{Operator, Options, parse, plain};
use crate::print;

/// Options of `sooner groups`.
#[derive(Args)]
pub struct Groups {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List groups with their discounts and numbers of members
    List,
    /// Create a group
    Add {
        /// Name of the group
        name: String,
        /// Discount on each applicant's price, in CAD
        #[arg(long, value_parser = parse::price)]
        discount: Money,
    },
    /// Change the discount of a group; agreed prices stay
    Set {
        /// Name of the group
        name: String,
        /// Discount on each applicant's price, in CAD
        #[arg(long, value_parser = parse::price)]
        discount: Money,
    },
    /// Remove a group without members
    Remove {
        /// Name of the group
        name: String,
    },
    /// Assign users to a group
    Assign {
        /// Name of the group
        name: String,
        /// E-mail addresses or ids of the users
        #[arg(required = true)]
        users: Vec<String>,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(groups: Groups) -> anyhow::Result<()> {
    let mut desk = Operator::open(&groups.options).await?;
    match groups.command {
        Command::List => list(desk).await,
        Command::Add { name, discount } => {
            let name = name.trim();
            anyhow::ensure!(
                !name.is_empty() && name.chars().count() <= 60,
                "a group name must have 1 to 60 characters"
            );
            let (random, now) = (desk.ambient.random.clone(), desk.now);
            let id = groups::add(&mut desk.tx, &random, name, discount, now).await?;
            id.with_context(|| format!("there is a group {name} already"))?;
            let what = json!({ "group": name, "discount": discount.to_wire() });
            let text = format!("created group {name}; its users pay {discount} less per applicant");
            desk.finish(("groups add", name, what.clone()), &what, &text).await
        }
        Command::Set { name, discount } => {
            let group = find(&mut desk.tx, &name).await?;
            groups::set_discount(&mut desk.tx, group.id, discount).await?;
            let before = group.discount.to_wire();
            let what = json!({ "group": name, "before": before, "discount": discount.to_wire() });
            let text = format!("users of group {name} now pay {discount} less per applicant");
            desk.finish(("groups set", &name, what.clone()), &what, &text).await
        }
        Command::Remove { name } => {
            let group = find(&mut desk.tx, &name).await?;
            let removed = groups::remove(&mut desk.tx, group.id).await?;
            anyhow::ensure!(
                removed,
                "{} users belong to {name}, and {} promo codes are for it; nothing was removed",
                group.members,
                group.promos
            );
            let what = json!({ "group": name, "discount": group.discount.to_wire() });
            let text = format!("removed group {name}");
            desk.finish(("groups remove", &name, what.clone()), &what, &text).await
        }
        Command::Assign { name, users } => {
            let group = find(&mut desk.tx, &name).await?;
            let mut ids = Vec::new();
            for user in &users {
                let id = desk.user(user).await?;
                groups::assign(&mut desk.tx, id, Some(group.id)).await?;
                ids.push(id);
            }
            let what = json!({ "group": name, "users": ids });
            let text = format!("assigned {} users to group {name}", ids.len());
            desk.finish(("groups assign", &name, what.clone()), &what, &text).await
        }
    }
}

async fn list(mut desk: Operator) -> anyhow::Result<()> {
    let found = groups::list(&mut desk.tx).await?;
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|g| vec![g.name.clone(), plain(g.discount), g.members.to_string(), print::time(g.created_at)])
        .collect();
    let text = print::table(&["GROUP", "DISCOUNT", "USERS", "SINCE"], &rows);
    let value: Value = found.iter().map(value).collect();
    desk.finish(("groups list", "groups", json!({})), &value, &text).await
}

/// Finds the group with this name.
///
/// # Errors
/// Returns an error if there is no such group.
pub async fn find(tx: &mut Tx, name: &str) -> anyhow::Result<Group> {
    groups::by_name(tx, name).await?.with_context(|| format!("there is no group {name}"))
}

fn value(group: &Group) -> Value {
    json!({
        "id": group.id, "name": group.name, "discount": group.discount.to_wire(), "people": group.members,
        "since": group.created_at,
    })
}
