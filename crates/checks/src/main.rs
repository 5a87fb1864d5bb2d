//! Prints docs/SPEC.md, generated from the items and from the marks in the tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    let (text, complaints) = checks::spec::of_repository(&checks::tree::root());
    print!("{text}");
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
