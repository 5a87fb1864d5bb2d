//! What tasks cost and what comes in: price, holds, top-up codes.

mod alerted;
mod hold;
mod price;
mod topup;

pub use alerted::capture_if_alerted;
pub(crate) use hold::{hold, hold_again, reserve_codes};
pub use price::{CodeOutcome, Codes, TaskPrice, TotalPrice, price};
pub use topup::top_up;
