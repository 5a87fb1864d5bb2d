//! Live data: event streams, progress of verifications, and cached results for all callers.

pub mod cached;
pub mod streams;
pub mod verify_progress;
