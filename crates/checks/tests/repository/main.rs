//! Checks that the repository follows its rules, and that each check finds a seeded mistake.

mod advisories;
mod modules;
mod prose;
mod rules;
mod specification;
