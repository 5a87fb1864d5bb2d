//! Commands `sooner users list`, `show`, `balance`, `discount`, `add`, `own` and `group`, and the
//! commands of [`access`].

use anyhow::Context as _;
use app::accounts::Invitation;
use clap::{Args, Subcommand};
use domain::ids::UserId;
use domain::money::Money;
use serde_json::{Value, json};
use store::operator::users::{self, Order, UserSummary};

use super::{Operator, Options, access, groups, parse, plain};
use crate::print::{self, field};

/// Number of audit entries that `show` prints.
const LINES: i64 = 20;

/// Options of `sooner users`.
#[derive(Args)]
pub struct Users {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List users, newest first
    List {
        /// Maximum number of users to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Show one user: account, prices, money, and actions of operators
    Show {
        /// E-mail address or id of the user
        user: String,
    },
    /// Show the balance of a user, with its bonus and its refundable part
    Balance {
        /// E-mail address or id of the user
        user: String,
    },
    /// Set or remove the personal discount of a user
    Discount {
        /// E-mail address or id of the user
        user: String,
        /// Discount on each applicant's price, in CAD
        #[arg(long, value_parser = parse::amount, required_unless_present = "none")]
        amount: Option<Money>,
        /// Remove the personal discount
        #[arg(long, conflicts_with = "amount")]
        none: bool,
        /// Reason, recorded in the audit log
        #[arg(long)]
        note: Option<String>,
    },
    /// Invite a user. Prints a link with which the user sets a password, once and within 7 days
    Add {
        /// E-mail address of the user
        email: String,
        /// Language of the user's mails
        #[arg(long, default_value = "zh", value_parser = ["zh", "en"])]
        language: String,
        /// Public address of the server
        #[arg(long, env = "SOONER_PUBLIC_URL", default_value = server::config::PUBLIC_URL)]
        public_url: String,
    },
    /// Make a user the owner of a solo server (`sooner serve --solo`). `sooner link` signs in the
    /// owner
    Own {
        /// E-mail address or id of the user
        user: String,
        /// Public address of the server
        #[arg(long, env = "SOONER_PUBLIC_URL", default_value = server::config::PUBLIC_URL)]
        public_url: String,
    },
    #[command(flatten)]
    Access(access::Access),
    /// Assign a user to a group, or remove the user from all groups
    Group {
        /// E-mail address or id of the user
        user: String,
        /// Name of the group
        #[arg(required_unless_present = "none")]
        group: Option<String>,
        /// Remove the user from the group
        #[arg(long, conflicts_with = "group")]
        none: bool,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(users: Users) -> anyhow::Result<()> {
    let command = match users.command {
        Command::Access(access) => return access::run(&users.options, access).await,
        command => command,
    };
    let mut desk = Operator::open(&users.options).await?;
    match command {
        Command::Access(_) => unreachable!("run above"),
        Command::List { limit } => list(desk, limit).await,
        Command::Show { user } => {
            let id = desk.user(&user).await?;
            show(desk, id).await
        }
        Command::Balance { user } => {
            let id = desk.user(&user).await?;
            balance(desk, id).await
        }
        Command::Add { email, language, public_url } => add(desk, &email, &language, &public_url).await,
        Command::Own { user, public_url } => {
            let id = desk.user(&user).await?;
            let now = desk.now;
            store::solo_owner::set(&mut desk.tx, id, &public_url, now).await?;
            let what = json!({ "user": id });
            let text = format!("{user} is now the owner of this server; sooner link signs in the owner");
            desk.finish(("users own", &id.to_string(), what.clone()), &what, &text).await
        }
        Command::Discount { user, amount, note, .. } => {
            let id = desk.user(&user).await?;
            let before = person(&mut desk, id).await?.discount.map(Money::to_wire);
            let now = desk.now;
            users::set_discount(&mut desk.tx, id, amount, note.as_deref(), now).await?;
            let what =
                json!({ "user": id, "before": before, "amount": amount.map(Money::to_wire), "note": note });
            let text = match amount {
                Some(amount) => format!("{user} now pays {amount} less per applicant"),
                None => format!("{user} no longer has a personal discount"),
            };
            desk.finish(("users discount", &id.to_string(), what.clone()), &what, &text).await
        }
        Command::Group { user, group, .. } => {
            let id = desk.user(&user).await?;
            let before = person(&mut desk, id).await?.group;
            let to = match &group {
                Some(name) => Some(groups::find(&mut desk.tx, name).await?.id),
                None => None,
            };
            store::operator::groups::assign(&mut desk.tx, id, to).await?;
            let what = json!({ "user": id, "before": before, "group": group });
            let text = match &group {
                Some(name) => format!("{user} is now in group {name}"),
                None => format!("{user} is now in no group"),
            };
            desk.finish(("users group", &id.to_string(), what.clone()), &what, &text).await
        }
    }
}

async fn add(mut desk: Operator, email: &str, language: &str, public_url: &str) -> anyhow::Result<()> {
    let email = email.trim();
    anyhow::ensure!(domain::email::is_email(email), "{email} is not an e-mail address");
    // The database of a solo server contains the address of its pages.
    let solo = store::solo_owner::get(&mut desk.tx).await?;
    let address = solo.map_or_else(|| public_url.to_owned(), |owner| owner.address);
    let (random, now) = (desk.ambient.random.clone(), desk.now);
    let invitation = app::accounts::invite(&mut desk.tx, &random, email, language, now).await?;
    let Invitation { user, raw, expires_at } =
        invitation.with_context(|| format!("{email} has an account already"))?;
    let link = format!("{}/auth/invitation?token={}", address.trim_end_matches('/'), hex::encode(raw));
    let value = json!({ "user": user.id, "email": user.email, "link": link, "expires_at": expires_at });
    let text =
        format!("Send this link to {email}; it works once, until {}:\n\n  {link}", print::time(expires_at));
    let audited = json!({ "user": user.id, "expires_at": expires_at });
    desk.finish(("users add", &user.id.to_string(), audited), &value, &text).await
}

async fn person(desk: &mut Operator, id: UserId) -> anyhow::Result<UserSummary> {
    users::get(&mut desk.tx, id).await?.with_context(|| format!("no user has the id {id}"))
}

async fn list(mut desk: Operator, limit: i64) -> anyhow::Result<()> {
    let found = users::list(&mut desk.tx, None, Order::Newest, limit).await?;
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|p| {
            let group = p.group.clone().unwrap_or_else(|| "-".to_owned());
            vec![
                p.email.clone(),
                plain(p.available),
                plain(p.held),
                p.tasks.to_string(),
                group,
                p.id.to_string(),
            ]
        })
        .collect();
    let text = print::table(&["USER", "AVAILABLE", "HELD", "TASKS", "GROUP", "ID"], &rows);
    let value: Value = found.iter().map(summary).collect();
    desk.finish(("users list", "users", json!({})), &value, &text).await
}

async fn show(mut desk: Operator, id: UserId) -> anyhow::Result<()> {
    let p = person(&mut desk, id).await?;
    let audit = store::audit::of_subject(&mut desk.tx, &id.to_string(), LINES).await?;
    let now = desk.now;
    let proven =
        p.verified_at.map_or_else(|| "not verified".to_owned(), |at| format!("verified {}", print::time(at)));
    let less = p.discount.map_or_else(|| "none".to_owned(), |d| d.to_string());
    let mut lines = vec![
        field("user", &format!("{} {}", p.email, p.id)),
        field("address", &proven),
        field("registered", &print::when(p.created_at, now)),
        field("language", &p.language),
        field("group", p.group.as_deref().unwrap_or("none")),
        field("discount", &less),
        field("money", &format!("{} available, {} held, {} owed", p.available, p.held, p.debt)),
        field("tasks", &p.tasks.to_string()),
        field("referral code", &p.referral_code),
    ];
    if let Some(friend) = p.referred_by {
        lines.push(field("referred by", &friend.to_string()));
    }
    if !audit.is_empty() {
        lines.push("\nACTIONS OF OPERATORS".to_owned());
        let rows: Vec<Vec<String>> = audit
            .iter()
            .map(|e| vec![print::time(e.at), e.actor.clone(), e.command.clone(), e.data.to_string()])
            .collect();
        lines.push(print::table(&["AT", "OPERATOR", "COMMAND", "DETAILS"], &rows));
    }
    let mut value = summary(&p);
    value["audit"] = audit
        .iter()
        .map(|e| json!({ "at": e.at, "actor": e.actor, "command": e.command, "data": e.data }))
        .collect();
    desk.finish(("users show", &id.to_string(), json!({})), &value, &lines.join("\n")).await
}

async fn balance(mut desk: Operator, id: UserId) -> anyhow::Result<()> {
    let balance = store::ledger::balance(&mut desk.tx, id).await?;
    let bonus = store::ledger::bonus_left(&mut desk.tx, id).await?;
    let refundable = store::ledger::refundable(&mut desk.tx, id).await?;
    let debt = store::ledger::debt(&mut desk.tx, id).await?;
    let value = json!({
        "user": id, "available": balance.available.to_wire(), "held": balance.held.to_wire(),
        "bonus": bonus.to_wire(), "refundable": refundable.to_wire(), "debt": debt.to_wire(), "currency": "CAD",
    });
    let lines = [
        field("available", &balance.available.to_string()),
        field("held", &balance.held.to_string()),
        field("bonus", &format!("{bonus} (part of the available amount)")),
        field("refundable", &refundable.to_string()),
        field("owed", &debt.to_string()),
    ];
    desk.finish(("users balance", &id.to_string(), json!({})), &value, &lines.join("\n")).await
}

fn summary(p: &UserSummary) -> Value {
    json!({
        "id": p.id, "email": p.email, "language": p.language, "verified_at": p.verified_at,
        "created_at": p.created_at, "group": p.group, "discount": p.discount.map(Money::to_wire),
        "available": p.available.to_wire(), "held": p.held.to_wire(), "debt": p.debt.to_wire(), "tasks": p.tasks,
        "referral_code": p.referral_code, "referred_by": p.referred_by,
    })
}
