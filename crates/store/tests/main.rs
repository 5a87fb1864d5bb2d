//! The conformance suite of the store: every story on SQLite, and on PostgreSQL when `SOONER_TEST_POSTGRES` names a
//! server whose user may create databases.

/// Makes two tests of one async function over a `World`.
macro_rules! stories {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::support::sqlite().await).await }
            )+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                if let Some(world) = $crate::support::postgres().await { super::$name(world).await }
            })+
        }
    };
}

#[path = "it/accounts.rs"]
mod accounts;
#[path = "it/ledger.rs"]
mod ledger;
#[path = "it/support.rs"]
mod support;
