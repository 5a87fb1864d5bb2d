//! Stories that only PostgreSQL has: several nodes over one database, an unavailable database, and
//! one with lost commits. They need the server that `SOONER_TEST_POSTGRES` names, and fail without
//! it.

mod async_failover;
mod database;
mod nodes;
#[allow(dead_code, reason = "the stage's oracle can do more than is wanted here")]
#[path = "../stories/oracle/mod.rs"]
mod oracle;
mod outage;
#[path = "../stories/server.rs"]
mod server;
#[allow(dead_code, reason = "the stories' stage can do more than is wanted here")]
#[path = "../stories/stage.rs"]
mod stage;
#[allow(dead_code, reason = "as above")]
#[path = "../stories/time.rs"]
mod time;
