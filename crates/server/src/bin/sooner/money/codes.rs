//! Commands `sooner codes mint`, `list`, `export` and `revoke`.

use chrono::TimeDelta;
use clap::{Args, Subcommand, ValueEnum};
use domain::clock::Instant;
use domain::ids::TopupCodeId;
use domain::money::Money;
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::topup_code::{self, Code, Listed};

use super::{Operator, Options, parse, plain};
use crate::print;
use crate::shared::Ring;

/// Maximum number of codes in a query for all codes; more than exist.
const ALL: i64 = 10_000_000;

/// Options of `sooner codes`.
#[derive(Args)]
pub struct Codes {
    #[command(flatten)]
    options: Options,
    #[command(flatten)]
    ring: Ring,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Mint codes and print them once, as CSV
    Mint {
        /// Value of each code, in CAD
        #[arg(long, value_parser = parse::amount)]
        amount: Money,
        /// Number of codes
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        /// Time until the codes expire, e.g. 90d or 12h
        #[arg(long, default_value = "90d", value_parser = parse::span)]
        expires: TimeDelta,
        /// Note, shown in the list
        #[arg(long)]
        note: Option<String>,
    },
    /// List codes, newest first. The codes themselves are not stored
    List {
        /// Only codes in this state
        #[arg(long)]
        state: Option<State>,
        /// Maximum number of codes to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Print all codes as CSV, with the users who redeemed them and without the codes themselves
    Export {
        /// Only codes in this state
        #[arg(long)]
        state: Option<State>,
    },
    /// Revoke an unused code
    Revoke {
        /// Id of the code, from the list
        id: TopupCodeId,
    },
}

/// State of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum State {
    /// The code can be redeemed
    Open,
    /// The code was redeemed
    Used,
    /// The code expired
    Expired,
    /// The code was revoked
    Revoked,
}

impl State {
    fn of(code: &Listed, now: Instant) -> Self {
        match (code.redeemed_at, code.revoked_at) {
            (Some(_), _) => Self::Used,
            (_, Some(_)) => Self::Revoked,
            _ if code.expires_at <= now => Self::Expired,
            _ => Self::Open,
        }
    }

    const fn label(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Used => "used",
            Self::Expired => "expired",
            Self::Revoked => "revoked",
        }
    }
}

/// Parameters of the codes to mint.
struct Order {
    amount: Money,
    count: u32,
    expires: TimeDelta,
    note: Option<String>,
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(codes: Codes) -> anyhow::Result<()> {
    if let Command::Mint { amount, count, expires, note } = codes.command {
        let (desk, ring) = Operator::open_with_keys(&codes.options, &codes.ring).await?;
        return mint(desk, &ring, Order { amount, count, expires, note }).await;
    }
    let mut desk = Operator::open(&codes.options).await?;
    match codes.command {
        Command::Mint { .. } => Ok(()),
        Command::List { state, limit } => {
            let found = find(&mut desk, state, limit).await?;
            let rows: Vec<Vec<String>> = found.iter().map(|c| row(c, desk.now)).collect();
            let text = print::table(&["ID", "ENDS IN", "AMOUNT", "STATE", "EXPIRES", "NOTE"], &rows);
            let value: Value = found.iter().map(|c| value(c, desk.now)).collect();
            desk.finish(("codes list", "codes", json!({})), &value, &text).await
        }
        Command::Export { state } => {
            let found = find(&mut desk, state, ALL).await?;
            let mut lines =
                vec!["id,tail,amount,currency,state,expires_at,used_at,used_by,revoked_at,note".to_owned()];
            lines.extend(found.iter().map(|c| line(c, desk.now)));
            let value: Value = found.iter().map(|c| value(c, desk.now)).collect();
            let what = json!({ "count": found.len(), "state": state.map(State::label) });
            desk.finish(("codes export", "codes", what), &value, &lines.join("\n")).await
        }
        Command::Revoke { id } => {
            let now = desk.now;
            let revoked = topup_code::revoke(&mut desk.tx, id, now).await?;
            anyhow::ensure!(revoked, "there is no open code {id}");
            let what = json!({ "id": id });
            let text = format!("revoked code {id}");
            desk.finish(("codes revoke", &id.to_string(), what.clone()), &what, &text).await
        }
    }
}

async fn mint(mut desk: Operator, ring: &KeyRing, order: Order) -> anyhow::Result<()> {
    let Order { amount, count, expires, note } = order;
    let span = (desk.now, desk.now + expires);
    let mut lines = vec!["code,amount,currency,expires_at,id".to_owned()];
    let mut made = Vec::new();
    for _ in 0..count {
        let (random, now) = (desk.ambient.random.clone(), desk.now);
        let (id, code) = (TopupCodeId::new(now, random.bytes()), Code::generate(&random));
        topup_code::mint(&mut desk.tx, ring, (id, &code), amount, note.as_deref(), span).await?;
        let until = span.1.to_rfc3339();
        lines.push(format!("{},{},{},{until},{id}", code.expose(), plain(amount), amount.currency.code()));
        made.push(
            json!({ "id": id, "code": code.expose(), "amount": amount.to_wire(), "expires_at": span.1 }),
        );
    }
    let what = json!({ "amount": amount.to_wire(), "count": count, "expires_at": span.1, "note": note });
    tracing::info!(count, %amount, "minted top-up codes");
    // Codes are printed only after they are stored. Otherwise a failed commit would leave printed
    // codes that do not work.
    desk.finish(("codes mint", "codes", what), &json!(made), &lines.join("\n")).await
}

async fn find(desk: &mut Operator, state: Option<State>, limit: i64) -> anyhow::Result<Vec<Listed>> {
    let now = desk.now;
    // The state depends on the current time, so the codes are filtered here and not in the query.
    let all = topup_code::list(&mut desk.tx, if state.is_some() { ALL } else { limit }).await?;
    let wanted = all.into_iter().filter(|c| state.is_none_or(|wanted| State::of(c, now) == wanted));
    Ok(wanted.take(usize::try_from(limit).unwrap_or_default()).collect())
}

fn row(code: &Listed, now: Instant) -> Vec<String> {
    vec![
        code.id.to_string(),
        code.tail.clone(),
        plain(code.amount),
        State::of(code, now).label().to_owned(),
        code.expires_at.format("%Y-%m-%d").to_string(),
        code.note.clone().unwrap_or_default(),
    ]
}

fn line(code: &Listed, now: Instant) -> String {
    let at = |instant: Option<Instant>| instant.map_or_else(String::new, |at| at.to_rfc3339());
    let by = code.redeemed_by.map_or_else(String::new, |user| user.to_string());
    // In quotes, and after an apostrophe, a text cannot run as a formula in a spreadsheet.
    let note = code.note.clone().unwrap_or_default().replace('"', "\"\"");
    let note = if note.starts_with(['=', '+', '-', '@']) { format!("'{note}") } else { note };
    format!(
        "{},{},{},{},{},{},{},{by},{},\"{note}\"",
        code.id,
        code.tail,
        plain(code.amount),
        code.amount.currency.code(),
        State::of(code, now).label(),
        code.expires_at.to_rfc3339(),
        at(code.redeemed_at),
        at(code.revoked_at),
    )
}

fn value(code: &Listed, now: Instant) -> Value {
    json!({
        "id": code.id, "tail": code.tail, "amount": code.amount.to_wire(), "currency": code.amount.currency.code(),
        "state": State::of(code, now).label(), "expires_at": code.expires_at, "used_at": code.redeemed_at,
        "used_by": code.redeemed_by, "revoked_at": code.revoked_at, "note": code.note,
    })
}
