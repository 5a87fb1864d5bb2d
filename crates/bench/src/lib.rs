//! Simulation that compares the planner with other polling policies. The benchmarks are in the
//! binary `sooner-bench`.

pub mod proving;
