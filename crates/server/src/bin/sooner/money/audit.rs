//! Command `sooner audit`: lists the actions of operators on the command line.

use clap::Args;
use serde_json::{Value, json};

use super::{Operator, Options};
use crate::print;

/// Options of `sooner audit`.
#[derive(Args)]
pub struct Audit {
    #[command(flatten)]
    options: Options,
    /// Only commands that begin with this text, e.g. `codes` or `"users discount"`
    #[arg(long, default_value = "")]
    command: String,
    /// Only actions on this subject: e-mail address or id of a user, id of a task, promo code, or
    /// name of a group
    #[arg(long)]
    subject: Option<String>,
    /// Maximum number of entries to show
    #[arg(long, default_value_t = 50)]
    limit: i64,
    /// Verify that no entry was changed, and print the newest hash. Store the hash elsewhere, to
    /// detect later if the newest entries were removed
    #[arg(long)]
    check: bool,
}

/// Runs the command.
///
/// # Errors
/// Returns an error if the database fails, or if `--check` finds a changed entry.
pub async fn run(audit: Audit) -> anyhow::Result<()> {
    let mut desk = Operator::open(&audit.options).await?;
    if audit.check {
        return check(desk).await;
    }
    let mut found = match &audit.subject {
        Some(subject) => {
            let subject = id_of(&mut desk, subject).await?;
            store::audit::of_subject(&mut desk.tx, &subject, audit.limit).await?
        }
        None => store::audit::newest(&mut desk.tx, &audit.command, audit.limit).await?,
    };
    found.retain(|e| e.command.starts_with(&audit.command));
    let value: Value = found
        .iter()
        .map(|e| {
            json!({ "at": e.at, "actor": e.actor, "command": e.command, "subject": e.subject, "data": e.data })
        })
        .collect();
    let rows: Vec<Vec<String>> = found
        .iter()
        .map(|e| {
            vec![
                print::time(e.at),
                e.actor.clone(),
                e.command.clone(),
                print::cut(&e.subject, 36),
                e.data.to_string(),
            ]
        })
        .collect();
    let text = print::table(&["AT", "OPERATOR", "COMMAND", "SUBJECT", "DETAILS"], &rows);
    let what = json!({ "command": audit.command, "subject": audit.subject });
    desk.finish(("audit", "audit", what), &value, &text).await
}

/// Returns the id of the user with this e-mail address, because the audit stores ids. Other
/// subjects are returned unchanged.
async fn id_of(desk: &mut Operator, subject: &str) -> anyhow::Result<String> {
    if !subject.contains('@') {
        return Ok(subject.to_owned());
    }
    Ok(desk.user(subject).await?.to_string())
}

async fn check(mut desk: Operator) -> anyhow::Result<()> {
    let checked = store::audit::check(&mut desk.tx).await?;
    if let Some(number) = checked.broken_at {
        anyhow::bail!("entry {number} of the audit was changed, or is missing");
    }
    if checked.foreign > 0 {
        anyhow::bail!(
            "{} entries of the audit belong to no chain; no build of this program wrote them",
            checked.foreign
        );
    }
    let value = json!({ "lines": checked.rows, "without_hash": checked.without, "newest": checked.newest });
    let older = match checked.without {
        0 => String::new(),
        count => format!("; {count} older entries have no hash"),
    };
    let text = format!("{} audit entries are unchanged{older}\nnewest hash {}", checked.rows, checked.newest);
    desk.finish(("audit check", "audit", json!({})), &value, &text).await
}
