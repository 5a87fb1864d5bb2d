//! Prints docs/SPEC.md, generated from the items and from the marks in the tests. With the argument
//! `prose`, prints the complaints about the repository's language instead.

use std::process::ExitCode;

use checks::{prose, spec, tree};

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("prose") {
        return print_prose();
    }
    let (text, complaints) = spec::of_repository(&tree::root());
    print!("{text}");
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Prints every complaint, and the counts in the format of `prose-exceptions.tsv`.
fn print_prose() -> ExitCode {
    let complaints: Vec<_> = tree::files(&tree::root()).iter().flat_map(prose::complaints).collect();
    for complaint in &complaints {
        println!("{}", complaint.text);
    }
    for ((area, kind), count) in prose::counts(&complaints) {
        println!("allowed\t{area}\t{kind}\t{count}");
    }
    if prose::too_many(&complaints).is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
