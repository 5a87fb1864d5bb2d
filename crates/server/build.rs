//! The web app is embedded at compile time and may not be built yet: its folder must exist either way.

use std::path::Path;

fn main() {
    let dist = Path::new("../../web/dist");
    println!("cargo::rerun-if-changed=../../web/dist");
    if !dist.exists() && std::fs::create_dir_all(dist).is_err() {
        println!("cargo::warning=web/dist is missing and cannot be made");
    }
}
