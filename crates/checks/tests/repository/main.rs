//! Checks that the repository follows its rules, and that each check detects a violation planted by
//! a test.

mod advisories;
mod modules;
mod prose;
mod rules;
mod specification;
