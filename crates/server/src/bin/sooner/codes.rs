//! `sooner codes mint | list | revoke`.

use anyhow::Context as _;
use chrono::TimeDelta;
use clap::{Args, Subcommand};
use domain::ids::TopupCodeId;
use domain::money::Money;
use serde_json::json;
use store::topup_code::{self, Code};

use crate::shared::{self, Database, Ring};
use crate::tasks::audit;

/// Top-up codes.
#[derive(Args)]
pub struct Codes {
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    ring: Ring,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make codes and print them once, as CSV
    Mint {
        /// What each is worth, in CAD
        #[arg(long, value_parser = amount)]
        amount: Money,
        /// How many
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
        count: u32,
        /// How long they work, e.g. 90d or 12h
        #[arg(long, default_value = "90d", value_parser = span)]
        expires: TimeDelta,
        /// A note for the list
        #[arg(long)]
        note: Option<String>,
    },
    /// List codes, the newest first, as CSV; the codes themselves are kept nowhere
    List {
        /// At most so many
        #[arg(long, default_value_t = 100)]
        limit: i64,
    },
    /// Make an unused code worthless
    Revoke {
        /// Its id from the list
        id: TopupCodeId,
    },
}

/// Runs the subcommand.
pub async fn run(codes: Codes) -> anyhow::Result<()> {
    let ambient = shared::ambient()?;
    let (db, ring) = shared::open_with_keys(&codes.database, &codes.ring, &ambient.random).await?;
    let now = ambient.wall.now();
    match codes.command {
        Command::Mint { amount, count, expires, note } => {
            let mut tx = db.begin().await?;
            let mut lines = vec!["code,amount,currency,expires_at,id".to_owned()];
            for _ in 0..count {
                let (id, code) =
                    (TopupCodeId::new(now, ambient.random.bytes()), Code::generate(&ambient.random));
                let span = (now, now + expires);
                topup_code::mint(&mut tx, &ring, (id, &code), amount, note.as_deref(), span).await?;
                lines.push(format!("{},{},{},{id}", code.expose(), csv(amount), span.1.to_rfc3339()));
            }
            let what = json!({ "amount": amount.to_wire(), "count": count, "expires_at": now + expires, "note": note });
            audit(&mut tx, &ambient, "codes mint", "codes", what).await?;
            // Printed only after they are kept for good: a code nobody can use is worse than none.
            tx.commit().await?;
            println!("{}", lines.join("\n"));
            tracing::info!(count, %amount, "top-up codes minted");
        }
        Command::List { limit } => {
            let mut tx = db.read().await?;
            println!("id,tail,amount,currency,expires_at,state,note");
            for code in topup_code::list(&mut tx, limit).await? {
                let state = match (code.redeemed_at, code.revoked_at) {
                    (Some(at), _) => format!("used {}", at.to_rfc3339()),
                    (_, Some(at)) => format!("revoked {}", at.to_rfc3339()),
                    _ if code.expires_at <= now => "expired".to_owned(),
                    _ => "open".to_owned(),
                };
                let note = code.note.unwrap_or_default().replace('"', "\"\"");
                let expires = code.expires_at.to_rfc3339();
                println!("{},{},{},{expires},{state},\"{note}\"", code.id, code.tail, csv(code.amount));
            }
        }
        Command::Revoke { id } => {
            let mut tx = db.begin().await?;
            let revoked = topup_code::revoke(&mut tx, id, now).await?;
            anyhow::ensure!(revoked, "there is no open code {id}");
            audit(&mut tx, &ambient, "codes revoke", &id.to_string(), json!({})).await?;
            tx.commit().await?;
            tracing::info!(%id, "top-up code revoked");
            println!("revoked");
        }
    }
    db.close().await;
    Ok(())
}

fn csv(amount: Money) -> String {
    amount.to_string().replace(' ', ",")
}

fn amount(text: &str) -> Result<Money, String> {
    Money::parse_decimal(text).filter(|m| m.minor > 0).ok_or_else(|| "an amount such as 50.00".to_owned())
}

fn span(text: &str) -> anyhow::Result<TimeDelta> {
    let (number, unit) = text.split_at(text.len().saturating_sub(1));
    let number: i64 = number.parse().context("a span such as 90d or 12h")?;
    let span = match unit {
        "d" => TimeDelta::try_days(number),
        "h" => TimeDelta::try_hours(number),
        _ => None,
    };
    span.filter(|s| *s > TimeDelta::zero()).context("a span such as 90d or 12h")
}
