//! Stories of watching and booking in virtual time, with the sandbox as the outside world and its journal as
//! the oracle.

mod agreement;
mod allocation;
mod away;
mod bad_days;
mod booking;
mod by_hand;
mod clock;
mod database;
mod eligible;
mod groups;
mod late;
mod layout;
mod mended;
mod nodes;
mod notify;
mod one_engine;
mod outward;
mod overtaken;
mod quiet;
mod secrets;
mod sharing;
mod stage;
mod standby;
mod time;
mod verdicts;
mod virtual_time;
mod week;
mod wish_rules;
