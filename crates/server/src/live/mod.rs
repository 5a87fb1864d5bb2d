//! What is told as it happens: event streams, the progress of a verification, answers made once for all who ask.

pub mod cached;
pub mod streams;
pub mod verify_progress;
