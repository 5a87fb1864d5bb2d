//! Commands `sooner promos list`, `show`, `add` and `end`.

use anyhow::Context as _;
use chrono::TimeDelta;
use clap::{Args, Subcommand};
use domain::clock::Instant;
use domain::money::Money;
use serde_json::{Value, json};
use store::Tx;
use store::operator::promos::{self, Promo};

use super::{Operator, Options, groups, parse, plain};
use crate::print;

/// Options of `sooner promos`.
#[derive(Args)]
pub struct Promos {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List promo codes, newest first
    List {
        /// Maximum number of promo codes to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Show one promo code with its uses
    Show {
        /// The promo code; case, spaces and dashes are ignored
        code: String,
    },
    /// Create a promo code
    Add(Box<Add>),
    /// End a promo code now; agreed prices stay
    End {
        /// The promo code; case, spaces and dashes are ignored
        code: String,
    },
}

/// Options of `sooner promos add`.
#[derive(Args)]
struct Add {
    /// The promo code: letters and digits; case, spaces and dashes are ignored
    code: String,
    /// Discount on each applicant's price of one task, in CAD
    #[arg(long, value_parser = parse::amount)]
    amount: Money,
    /// Start, as a date or an RFC 3339 time; now by default
    #[arg(long, value_parser = parse::instant)]
    starts: Option<Instant>,
    /// End, as a date or an RFC 3339 time
    #[arg(long, value_parser = parse::instant, conflicts_with = "lasts")]
    ends: Option<Instant>,
    /// Duration, e.g. 30d
    #[arg(long, value_parser = parse::span)]
    lasts: Option<TimeDelta>,
    /// Maximum number of tasks that may use the code, over all users
    #[arg(long, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    limit: Option<i64>,
    /// Maximum number of tasks per user that may use the code
    #[arg(long, value_parser = clap::value_parser!(i64).range(1..=1_000_000))]
    per_user: Option<i64>,
    /// Only for this user: e-mail address or id
    #[arg(long, conflicts_with = "group")]
    user: Option<String>,
    /// Only for this group
    #[arg(long)]
    group: Option<String>,
    /// Note, shown in the list
    #[arg(long)]
    note: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(promos: Promos) -> anyhow::Result<()> {
    let mut desk = Operator::open(&promos.options).await?;
    match promos.command {
        Command::List { limit } => {
            let found = promos::list(&mut desk.tx, None, limit).await?;
            let rows: Vec<Vec<String>> = found.iter().map(|p| row(p, desk.now)).collect();
            let text = print::table(&["CODE", "DISCOUNT", "STATE", "USES", "FROM", "UNTIL", "NOTE"], &rows);
            let value: Value = found.iter().map(|p| value(p, desk.now)).collect();
            desk.finish(("promos list", "promos", json!({})), &value, &text).await
        }
        Command::Show { code } => show(desk, &code).await,
        Command::Add(add) => make(desk, *add).await,
        Command::End { code } => {
            let promo = find(&mut desk.tx, &code).await?;
            let now = desk.now;
            anyhow::ensure!(
                promos::revoke(&mut desk.tx, promo.id, now).await?,
                "promo code {} has ended already",
                promo.code
            );
            let what = json!({ "code": promo.code, "uses": promo.uses });
            let text = format!("ended promo code {}; it was used for {} tasks", promo.code, promo.uses);
            desk.finish(("promos end", &promo.code, what.clone()), &what, &text).await
        }
    }
}

async fn make(mut desk: Operator, add: Add) -> anyhow::Result<()> {
    let code = normal(&add.code);
    let good = (3..=40).contains(&code.chars().count()) && code.chars().all(char::is_alphanumeric);
    anyhow::ensure!(good, "a code has 3 to 40 letters and digits");
    let starts_at = add.starts.unwrap_or(desk.now);
    let ends_at = add.ends.or_else(|| add.lasts.map(|span| starts_at + span));
    anyhow::ensure!(ends_at.is_none_or(|end| end > starts_at), "the promo code would end before it begins");
    let only_user = match &add.user {
        Some(user) => Some(desk.user(user).await?),
        None => None,
    };
    let only_group = match &add.group {
        Some(name) => Some(groups::find(&mut desk.tx, name).await?.id),
        None => None,
    };
    let promo = Promo {
        id: domain::ids::uuid_v7(desk.now, desk.ambient.random.bytes()),
        code,
        amount: add.amount,
        starts_at,
        ends_at,
        use_limit: add.limit,
        per_user_limit: add.per_user,
        uses: 0,
        only_user,
        only_group,
        note: add.note,
        revoked_at: None,
    };
    let now = desk.now;
    anyhow::ensure!(
        promos::add(&mut desk.tx, &promo, now).await?,
        "there is a promo code {} already",
        promo.code
    );
    let what = value(&promo, now);
    let text = format!("created promo code {}: {} off each applicant's price", promo.code, promo.amount);
    desk.finish(("promos add", &promo.code, what.clone()), &what, &text).await
}

async fn show(mut desk: Operator, code: &str) -> anyhow::Result<()> {
    let promo = find(&mut desk.tx, code).await?;
    let uses = promos::uses(&mut desk.tx, promo.id, 200).await?;
    let mut whole = value(&promo, desk.now);
    whole["used"] = uses
        .iter()
        .map(|u| {
            let amount = u.amount.to_wire();
            json!({ "user": u.user, "task": u.task, "amount": amount, "state": u.state, "at": u.created_at })
        })
        .collect();
    let rows: Vec<Vec<String>> = uses
        .iter()
        .map(|u| vec![u.user.to_string(), u.task.to_string(), u.state.clone(), print::time(u.created_at)])
        .collect();
    let limits = |limit: Option<i64>| limit.map_or_else(|| "none".to_owned(), |n| n.to_string());
    let mut lines = vec![
        print::field("code", &format!("{} ({})", promo.code, state(&promo, desk.now))),
        print::field("discount", &format!("{} off each applicant's price", promo.amount)),
        print::field(
            "tasks",
            &format!(
                "used for {}; limit in total: {}, per user: {}",
                promo.uses,
                limits(promo.use_limit),
                limits(promo.per_user_limit)
            ),
        ),
        print::field("from", &print::time(promo.starts_at)),
        print::field("until", &promo.ends_at.map_or_else(|| "no end".to_owned(), print::time)),
    ];
    if !rows.is_empty() {
        lines.push(String::new());
        lines.push(print::table(&["USER", "TASK", "STATE", "AT"], &rows));
    }
    let code = promo.code.clone();
    desk.finish(("promos show", &code, json!({})), &whole, &lines.join("\n")).await
}

async fn find(tx: &mut Tx, code: &str) -> anyhow::Result<Promo> {
    let code = normal(code);
    promos::list(tx, Some(&code), 1).await?.pop().with_context(|| format!("there is no promo code {code}"))
}

/// Normalizes a promo code: upper case, without spaces and dashes.
fn normal(code: &str) -> String {
    code.chars().filter(|c| !c.is_whitespace() && *c != '-').flat_map(char::to_uppercase).collect()
}

fn state(promo: &Promo, now: Instant) -> &'static str {
    match promo {
        Promo { revoked_at: Some(_), .. } => "ended",
        Promo { ends_at: Some(end), .. } if *end <= now => "expired",
        Promo { starts_at, .. } if *starts_at > now => "not yet",
        Promo { use_limit: Some(limit), uses, .. } if uses >= limit => "used up",
        _ => "open",
    }
}

fn row(promo: &Promo, now: Instant) -> Vec<String> {
    let day = |at: Instant| at.format("%Y-%m-%d").to_string();
    let of = promo.use_limit.map_or_else(String::new, |limit| format!("/{limit}"));
    vec![
        promo.code.clone(),
        plain(promo.amount),
        state(promo, now).to_owned(),
        format!("{}{of}", promo.uses),
        day(promo.starts_at),
        promo.ends_at.map_or_else(|| "-".to_owned(), day),
        promo.note.clone().unwrap_or_default(),
    ]
}

fn value(promo: &Promo, now: Instant) -> Value {
    json!({
        "id": promo.id, "code": promo.code, "amount": promo.amount.to_wire(), "state": state(promo, now),
        "starts_at": promo.starts_at, "ends_at": promo.ends_at, "uses": promo.uses, "limit": promo.use_limit,
        "per_user": promo.per_user_limit, "only_user": promo.only_user, "only_group": promo.only_group,
        "note": promo.note,
    })
}
