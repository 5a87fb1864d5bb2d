//! When the money that is set aside for a task moves.
//!
//! | what happens | the hold | where |
//! |---|---|---|
//! | submitted; a stopped task started again; a changed group accepted | placed | `app/money/hold.rs` |
//! | a booking is confirmed | captured (while money is frozen: at a later sweep) | `app/money/hold.rs` |
//! | the appointment becomes one that the task told of in the last [`ALERT_COUNTS_FOR`] | captured | `app/money/hold.rs` |
//! | paused, or searching goes on | stays | |
//! | deleted, or it can never succeed as it is | released; after a recent alert only once its portal was read again | `app/money/hold.rs` |
//! | a booking's outcome is unknown for [`crate::booking::RELEASE_AFTER`] | released | `app/money/hold.rs` |
//! | its owner's account is deleted | released | `app/money/hold.rs` |
//!
//! `store/task_hold.rs` writes the rows; only `app/money` calls what resolves a hold there.

use chrono::TimeDelta;

/// How long after an alert the appointment it told of still counts as ours.
pub const ALERT_COUNTS_FOR: TimeDelta = TimeDelta::hours(72);
