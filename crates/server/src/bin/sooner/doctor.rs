//! `sooner doctor`.

use clap::Args;

use crate::shared::{self, Database};

/// Checks the books and the rest of the database.
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    database: Database,
    /// Let money move again after a failed check was looked into
    #[arg(long)]
    thaw: bool,
}

/// Prints what is wrong; fails when anything is.
pub async fn run(doctor: &Doctor) -> anyhow::Result<()> {
    let db = shared::open(&doctor.database).await?;
    let mut tx = db.begin().await?;
    let found = store::ledger::check(&mut tx).await?;
    for one in &found {
        println!("{}: {} should be {} and is {}", one.promise, one.place, one.expected, one.found);
    }
    if doctor.thaw && found.is_empty() {
        store::ledger::thaw(&mut tx).await?;
    }
    let frozen = store::ledger::frozen(&mut tx).await?;
    let (waiting, dead) = store::outbox::counts(&mut tx).await?;
    tx.commit().await?;
    println!("books: {}", if found.is_empty() { "balanced" } else { "NOT balanced" });
    println!("money: {}", frozen.as_deref().map_or("moving".to_owned(), |why| format!("FROZEN since {why}")));
    println!("mail: {waiting} waiting, {dead} given up");
    db.close().await;
    anyhow::ensure!(found.is_empty() && frozen.is_none(), "something is wrong");
    Ok(())
}
