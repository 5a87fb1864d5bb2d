//! Creates the folder of the web app if it is not built yet, because the app is embedded at compile
//! time. Fails if the app is built, but a file lacks the packed version that `src/site/dist.rs`
//! embeds.

use std::path::{Path, PathBuf};

/// Extensions of packed files, the same as in `web/scripts/compress.mjs`.
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
