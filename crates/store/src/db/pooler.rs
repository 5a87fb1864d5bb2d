//! PostgreSQL behind a pooler that assigns connections by transaction (PgBouncer). Statements
//! prepared by name belong to a connection, so statements have no names there. Nothing else that
//! the store sets on a connection outlasts a transaction.

use sqlx::PgConnection;
use sqlx_core::Url;

/// Returns `true` if statements are prepared by name and kept, according to the setting
/// `statement-cache-capacity` in the database URL.
pub(super) fn keeps_statements(url: &str) -> bool {
    let Ok(url) = Url::parse(url) else { return true };
    let capacity = url.query_pairs().filter(|(name, _)| name == "statement-cache-capacity").last();
    capacity.is_none_or(|(_, capacity)| capacity.parse() != Ok(0))
}

/// Prepares a statement on each of two new connections. sqlx gives both statements the same name.
///
/// # Errors
/// Returns an error if a pooler mapped both to one server connection, or left another client's
/// statement on it.
pub(super) async fn refuse(one: &mut PgConnection, other: &mut PgConnection) -> Result<(), sqlx::Error> {
    for connection in [one, other] {
        sqlx::query("SELECT 1").execute(connection).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::keeps_statements;

    #[test]
    fn a_cache_capacity_of_zero_in_the_url_disables_statement_names() {
        for kept in [
            "",
            "?sslmode=require",
            "?statement-cache-capacity=1",
            "?statement-cache-capacity=0&statement-cache-capacity=9",
        ] {
            assert!(keeps_statements(&format!("postgres://sooner@localhost/sooner{kept}")), "{kept}");
        }
        for unnamed in ["?statement-cache-capacity=0", "?sslmode=require&statement-cache-capacity=00"] {
            assert!(!keeps_statements(&format!("postgres://sooner@localhost/sooner{unnamed}")), "{unnamed}");
        }
    }
}
