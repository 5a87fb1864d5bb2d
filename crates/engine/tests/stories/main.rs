//! Stories of watching and booking in virtual time, with the sandbox as the outside world and its journal as
//! the oracle.

mod agreement;
mod allocation;
mod asking;
mod bad_days;
mod booking;
mod by_hand;
mod clock;
mod conditions;
mod criteria_rules;
mod database;
mod eligible;
mod family;
mod groups;
mod isolation;
mod late;
mod layout;
mod mended;
mod notify;
mod one_engine;
mod oracle;
mod outward;
mod overtaken;
mod prewarm;
mod quiet;
mod refused_writes;
mod secrets;
mod server;
mod sharing;
mod small_operator;
mod stage;
mod time;
mod unanswered;
mod virtual_time;
mod week;
mod yeses;
