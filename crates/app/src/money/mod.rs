//! What tasks cost: price, holds and what a booking that a user made themselves costs.

mod alerted;
mod price;

pub use alerted::capture_if_alerted;
pub use price::{CodeOutcome, Codes, TaskPrice, TotalPrice, price};
