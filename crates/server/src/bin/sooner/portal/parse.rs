//! Command `sooner portal parse`.

use std::io::Read as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

/// Options of `sooner portal parse`.
#[derive(Args)]
pub struct Parse {
    /// Kind of the page: `sign_in`, `groups`, `actions`, `payment`, `limit`, `applicants`, `form`
    /// or `instructions`
    kind: String,
    /// Read the page of this kind from a report of `sooner portal try`
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Prints the values of the page. Unlike the client, it reads pages in several languages.
pub fn run(parse: &Parse) -> anyhow::Result<()> {
    let page = match &parse.report {
        Some(path) => super::report::page_of(path, &parse.kind)?,
        None => {
            let mut page = String::new();
            std::io::stdin().read_to_string(&mut page).context("cannot read the page from standard input")?;
            page
        }
    };
    println!("{:#}", ::portal::parse_kind(&parse.kind, &page)?);
    Ok(())
}
