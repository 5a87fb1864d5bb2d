//! Stories of watching and booking in virtual time, with the sandbox as the outside world and its journal as
//! the oracle.

mod bad_days;
mod booking;
mod mended;
mod nodes;
mod sharing;
mod stage;
