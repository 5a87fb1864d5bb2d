//! What tasks cost: price, holds, and what a booking that a user made themselves costs.

mod alerted;
mod hold;
mod price;

pub use alerted::capture_if_alerted;
pub(crate) use hold::{hold, hold_again, reserve_codes};
pub use price::{CodeOutcome, Codes, TaskPrice, TotalPrice, price};
