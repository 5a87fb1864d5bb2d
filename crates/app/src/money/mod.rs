//! Money of tasks: prices, holds, top-up codes, refunds, and the mails about them.

mod hold;
mod notices;
mod price;
mod refund;
mod topup;

pub use hold::{capture, capture_if_alerted, later_if_frozen, release, release_unless_alerted};
pub(crate) use hold::{free, hold, hold_again, keep_if_alerted, reserve_codes};
pub use notices::{PaidBy, ReturnedAfter, tell_credited, tell_returned};
pub use price::{CodeOutcome, Codes, TaskPrice, TotalPrice, price};
pub use refund::{ask_refund, refund_failed, refund_sent};
pub use topup::top_up;
