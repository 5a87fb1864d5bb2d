//! Operations on a whole database: migration, backup, restore, copy and failover.

pub mod backup;
pub mod copy;
pub mod migrate;
pub mod replication;
pub mod restore;
pub mod timeline;
