//! The web app is embedded at compile time and may not be built yet: its folder must exist either way. Where it is built, whatever
//! is only embedded packed (`src/site/dist.rs`) must be packed.

use std::path::{Path, PathBuf};

/// As `web/scripts/compress.mjs` has them.
const PACKED: [&str; 8] = ["js", "css", "html", "svg", "json", "txt", "xml", "webmanifest"];

fn main() {
    let dist = Path::new("../../web/dist");
    println!("cargo::rerun-if-changed=../../web/dist");
    if !dist.exists() && std::fs::create_dir_all(dist).is_err() {
        println!("cargo::warning=web/dist is missing and cannot be made");
    }
    if let Some(file) = unpacked(dist) {
        println!("cargo::error={} is not packed, and would be missing: scripts/web.sh build", file.display());
    }
}

fn unpacked(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).map(|entry| entry.path());
    files.into_iter().find_map(|path| {
        if path.is_dir() {
            return unpacked(&path);
        }
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        let packed = path.with_extension(format!("{kind}.br"));
        (PACKED.contains(&kind) && !packed.exists()).then_some(path)
    })
}
