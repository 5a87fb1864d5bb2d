//! Test bed of the planner. The benchmarks are the binary `sooner-bench`.

pub mod proving;
