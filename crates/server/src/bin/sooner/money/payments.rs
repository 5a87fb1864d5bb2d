//! Commands `sooner payments list`, `show`, `refund` and `give-up`.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use domain::money::Money;
use serde_json::{Value, json};
use store::card::{self, Payment, dispute, refund};

use super::{Operator, Options, parse, plain};
use crate::print::{self, field};

/// Options of `sooner payments`.
#[derive(Args)]
pub struct Payments {
    #[command(flatten)]
    options: Options,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List payments, newest first
    List {
        /// Only payments of this user: e-mail address or id
        #[arg(long)]
        user: Option<String>,
        /// Maximum number of payments to show
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Show one payment with its refunds and disputes
    Show {
        /// Id of the payment at the provider, e.g. pi_…
        payment: String,
    },
    /// Refund money to its card: debit the balance now; a server then sends the refund
    Refund {
        /// Id of the payment at the provider, e.g. pi_…
        payment: String,
        /// Amount in CAD. By default all refundable money of the payment: unspent money, without
        /// top-up codes and bonuses
        #[arg(long, value_parser = parse::amount)]
        amount: Option<Money>,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
    /// Stop reading a payment whose outcome the provider never reports. Fails while the payment can
    /// still succeed
    GiveUp {
        /// Id of the payment at the provider, e.g. pi_…
        payment: String,
        /// Reason, recorded in the audit log
        #[arg(long)]
        why: String,
    },
}

/// Runs the subcommand.
///
/// # Errors
/// Returns an error with a message for the operator.
pub async fn run(payments: Payments) -> anyhow::Result<()> {
    let mut desk = Operator::open(&payments.options).await?;
    match payments.command {
        Command::List { user, limit } => {
            let user = match &user {
                Some(user) => Some(desk.user(user).await?),
                None => None,
            };
            let found = card::list(&mut desk.tx, user, limit).await?;
            let rows: Vec<Vec<String>> = found.iter().map(row).collect();
            let text = print::table(&["PAYMENT", "REQUESTED", "RECEIVED", "REFUNDED", "STATE", "AT"], &rows);
            let value: Value = found.iter().map(value).collect();
            desk.finish(("payments list", "payments", json!({ "user": user })), &value, &text).await
        }
        Command::Show { payment } => show(desk, &payment).await,
        Command::Refund { payment, amount, why } => {
            anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
            let (random, now) = (desk.ambient.random.clone(), desk.now);
            let asked = (payment.as_str(), amount);
            let done = refund::request(&mut desk.tx, &random, asked, Some(why.trim()), now).await?;
            let what = json!({
                "payment": payment, "user": done.user, "refund": done.id, "amount": done.amount.to_wire(),
                "state": done.state, "why": why.trim(),
            });
            let text =
                format!("debited {} from the balance; the server sends the refund to the card", done.amount);
            desk.finish(("payments refund", &done.user.to_string(), what.clone()), &what, &text).await
        }
        Command::GiveUp { payment, why } => {
            anyhow::ensure!(!why.trim().is_empty(), "give a reason: --why");
            let now = desk.now;
            let ended = card::give_up(&mut desk.tx, &payment, now).await?;
            let what = json!({
                "payment": payment, "user": ended.user, "asked": ended.asked.to_wire(), "state": ended.state.as_str(),
                "provider_status": ended.provider_status, "readings": ended.readings, "why": why.trim(),
            });
            let text = format!(
                "gave up {payment}; the server no longer reads it\nIf it was paid, a message from the provider still credits it."
            );
            desk.finish(("payments give-up", &ended.user.to_string(), what.clone()), &what, &text).await
        }
    }
}

async fn show(mut desk: Operator, id: &str) -> anyhow::Result<()> {
    let payment = card::find(&mut desk.tx, id).await?.with_context(|| format!("there is no payment {id}"))?;
    let refunds = refund::of_payment(&mut desk.tx, payment.id).await?;
    let disputes = dispute::of_payment(&mut desk.tx, payment.id).await?;
    let most = match refund::most(&mut desk.tx, id).await {
        Ok((_, most)) => most,
        Err(refund::RefundError::Store(error)) => return Err(error.into()),
        Err(_) => Money::cad(0),
    };
    let mut whole = value(&payment);
    whole["can_go_back"] = json!(most.to_wire());
    whole["refunds"] = refunds
        .iter()
        .map(|r| {
            json!({
                "id": r.id, "amount": r.amount.to_wire(), "state": r.state, "outside": r.outside, "note": r.note,
                "failure": r.failure, "tries": r.tries, "at": r.created_at, "settled_at": r.settled_at,
            })
        })
        .collect();
    let wire = |minor: i64| Money::cad(minor).to_wire();
    whole["disputes"] = disputes
        .iter()
        .map(|d| {
            json!({
                "id": d.dispute_id, "amount": wire(d.amount), "state": d.state, "taken": wire(d.taken),
                "owed": wire(d.owed), "at": d.created_at, "closed_at": d.closed_at,
            })
        })
        .collect();
    let came = payment.received.map_or_else(|| "nothing".to_owned(), |m| m.to_string());
    let mut lines = vec![
        field("payment", &payment.intent_id),
        field("user", &payment.user.to_string()),
        field("state", &format!("{} ({})", payment.state.as_str(), payment.provider_status)),
        field("requested", &format!("{} {}", payment.asked, print::when(payment.created_at, desk.now))),
        field("received", &came),
        field("refunded", &payment.refunded.to_string()),
        field("disputed", &payment.disputed.to_string()),
        field("refundable", &most.to_string()),
    ];
    for r in &refunds {
        let why = r.failure.as_ref().or(r.note.as_ref()).cloned().unwrap_or_default();
        lines.push(field("refund", &format!("{} {} {} {why}", print::time(r.created_at), r.amount, r.state)));
    }
    for d in &disputes {
        let (amount, owed) = (Money::cad(d.amount), Money::cad(d.owed));
        let says = format!("{} {amount} {}, {owed} owed", print::time(d.created_at), d.state);
        lines.push(field("dispute", &says));
    }
    let user = payment.user.to_string();
    desk.finish(("payments show", &user, json!({ "payment": id })), &whole, &lines.join("\n")).await
}

fn row(payment: &Payment) -> Vec<String> {
    vec![
        payment.intent_id.clone(),
        plain(payment.asked),
        payment.received.map_or_else(|| "-".to_owned(), plain),
        plain(payment.refunded),
        payment.state.as_str().to_owned(),
        print::time(payment.created_at),
    ]
}

fn value(payment: &Payment) -> Value {
    json!({
        "payment": payment.intent_id, "user": payment.user, "asked": payment.asked.to_wire(),
        "received": payment.received.map(Money::to_wire), "refunded": payment.refunded.to_wire(),
        "disputed": payment.disputed.to_wire(), "state": payment.state.as_str(),
        "provider_status": payment.provider_status, "created_at": payment.created_at,
        "credited_at": payment.credited_at,
    })
}
