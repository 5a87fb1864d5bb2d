//! Events that move the money on hold for a task.
//!
//! | event | hold |
//! |---|---|
//! | task submitted; a stopped task restarted; a changed group accepted | placed |
//! | booking confirmed | captured (while money is frozen: at a later sweep) |
//! | appointment became a date notified by the task within [`ALERT_COUNTS_FOR`] | captured |
//! | task paused, or search continues | kept |
//! | task deleted, or cannot succeed any more | released; see below |
//! | booking's outcome unknown for [`crate::booking::RELEASE_AFTER`] | released |
//! | owner's account deleted | released |
//!
//! After a recent alert, the hold of such a task is released only once its portal was read again.
//! `app/money/hold.rs` places, captures and releases the holds. `store/task_hold.rs` writes the
//! rows; only `app/money` calls its functions that resolve a hold.

use chrono::TimeDelta;

/// Time after an alert during which the appointment that it reported is still charged.
pub const ALERT_COUNTS_FOR: TimeDelta = TimeDelta::hours(72);
