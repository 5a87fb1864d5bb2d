//! The build of the web app, as it lies in the binary.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use axum::body::Bytes;
use parking_lot::Mutex;
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Dist;

/// A file of the build, ready to be sent.
#[derive(Debug)]
pub struct File {
    /// What it is, e.g. `text/css; charset=utf-8`.
    pub kind: String,
    /// Its entity tag, with quotes.
    pub tag: String,
    /// Its bytes, packed if `encoding` says so.
    pub bytes: Bytes,
    /// How it is packed: `br` or `gzip`.
    pub encoding: Option<&'static str>,
}

/// Files that were asked for once: in the binary they are deflated, and opening that each time would cost more than sending them.
static OPENED: LazyLock<Mutex<HashMap<String, Arc<File>>>> = LazyLock::new(Mutex::default);

/// A file as it is, or as the build has packed it; none where the build has no such file.
#[must_use]
pub fn file(path: &str, encoding: Option<&'static str>) -> Option<Arc<File>> {
    if path.ends_with(".br") || path.ends_with(".gz") {
        return None;
    }
    let packed = |encoding: &'static str| {
        let suffix = if encoding == "br" { "br" } else { "gz" };
        open(path, &format!("{path}.{suffix}"), Some(encoding))
    };
    encoding.and_then(packed).or_else(|| open(path, path, None))
}

/// The text of a file for what fills it in.
#[must_use]
pub fn bytes(path: &str) -> Option<Vec<u8>> {
    Dist::get(path).map(|found| found.data.into_owned())
}

/// `path` tells what it is, `name` under which name it lies there. Only what is there is kept, so that nobody can fill the memory.
fn open(path: &str, name: &str, encoding: Option<&'static str>) -> Option<Arc<File>> {
    if let Some(known) = OPENED.lock().get(name) {
        return Some(known.clone());
    }
    let found = Dist::get(name)?;
    let kind = mime_guess::from_path(path).first_or_octet_stream().to_string();
    let file = Arc::new(File {
        kind: if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind },
        tag: format!("\"{}\"", hex::encode(&found.metadata.sha256_hash()[..12])),
        bytes: Bytes::from(found.data.into_owned()),
        encoding,
    });
    // While one works on the web app, its build is read from the disk.
    if !cfg!(debug_assertions) {
        OPENED.lock().insert(name.to_owned(), file.clone());
    }
    Some(file)
}
