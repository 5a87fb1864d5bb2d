//! Storage: one SQL text for SQLite and PostgreSQL, free functions over a transaction.
//!
//! Each function takes `&mut Tx`, and the caller commits. No function here takes its time from a
//! clock, except leases and the audit, which use the clock of the database.

pub mod clock;
pub mod db;
pub mod error;
pub mod random;
mod readable;
mod sql;

pub mod account_lease;
pub mod account_problem;
pub mod alarm;
pub mod audit;
pub mod billing;
pub mod booking_attempt;
pub mod card;
pub mod channel;
pub mod credential;
pub mod deletion;
pub mod email_change;
pub mod export;
pub mod file_lock;
pub mod forget;
pub mod guess_limits;
pub mod idempotency;
pub mod identity;
pub mod journal;
pub mod keyring;
pub mod learned;
pub mod lease;
pub mod ledger;
pub mod lock;
pub mod mail_request;
pub mod mailed_sign_in;
pub mod node;
pub mod observation;
pub mod open_link;
pub mod operator;
mod ops;
pub mod outbox;
pub mod outward;
pub mod parse_failure;
pub mod passkey;
pub mod portal_account;
pub mod pricing;
pub mod promo;
pub mod question;
pub mod rating;
pub mod referral;
pub mod retention;
pub mod security_event;
pub mod seen;
pub mod session;
pub mod sign_in_link;
pub mod silence;
pub mod solo_owner;
pub mod stats;
pub mod task;
pub mod task_hold;
pub mod token;
pub mod topup_code;
pub mod totp;
pub mod user;
pub mod verify_failure;
pub mod watchdog;

pub use db::{Db, Options, Pools, Shares, Tx, facility};
pub use error::Error;
pub use ops::{backup, copy, migrate, replication, restore, timeline};
pub use random::Random;
pub use sql::{sent, statements, within};
