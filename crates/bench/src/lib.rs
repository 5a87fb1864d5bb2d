//! The planner's proving ground; the measures are the binary `sooner-bench`.

pub mod proving;
