//! The repository keeps its own rules, and each check sees a seeded mistake.

mod advisories;
mod house;
mod modules;
mod specification;
