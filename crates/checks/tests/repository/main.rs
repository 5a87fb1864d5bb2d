//! The repository keeps its own rules, and each check sees a seeded mistake.

mod house;
mod modules;
mod specification;
