//! Prints docs/SPEC.md as the items and the marks in the tests make it now.

use std::process::ExitCode;

fn main() -> ExitCode {
    let (text, complaints) = checks::spec::of_repository(&checks::tree::root());
    print!("{text}");
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
