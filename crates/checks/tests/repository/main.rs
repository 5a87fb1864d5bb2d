//! Checks that the repository follows its rules, and that each check finds a seeded mistake.

mod advisories;
mod house;
mod modules;
mod prose;
mod specification;
