//! Checks of the repository itself (arrows between crates, language, repository rules), and
//! the generator of docs/SPEC.md.
//!
//! Every check is a function from text to a list of complaints. A test with a planted mistake can
//! thus prove that the check works.

pub mod advisories;
pub mod figures;
pub mod layers;
pub mod migrations;
pub mod modules;
pub mod mutants;
pub mod names;
pub mod parameters;
pub mod passages;
pub mod prose;
pub mod spec;
pub mod tests_found;
pub mod tree;
pub mod word_lists;
