//! Command `sooner migrate`.

use crate::shared::Database;

/// Applies the migrations that the database lacks.
pub async fn run(database: &Database) -> anyhow::Result<()> {
    let wall = server::run::Ambient::system()?.wall;
    // A server must not run meanwhile, because it would not know the new schema.
    let _lock = store::file_lock::FileLock::acquire(&database.database_url, wall.now())?;
    let db = store::Db::open(&database.database_url).await?;
    let applied = store::migrate::migrate(&db).await?;
    for name in &applied {
        println!("applied {name}");
    }
    if applied.is_empty() {
        println!("the database is up to date");
    }
    db.close().await;
    Ok(())
}
