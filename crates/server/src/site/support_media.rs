//! Pictures of the operator: QR codes of the contacts, rendered at start, and the gallery of the
//! landing page.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use axum::body::Bytes;
use qrcode::{Color, EcLevel, QrCode};
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::config::Settings;
use crate::site::open_pages::facts::Picture;

/// Minimum size of a rendered QR code in pixels. It is three times the displayed size, so that a
/// saved picture is sharp.
const CODE_PIXELS: usize = 660;
/// Width of the empty margin around a QR code, in modules.
const QUIET: usize = 2;
/// File with the descriptions of the gallery's pictures.
const LIST: &str = "gallery.toml";
const MOST_PICTURES: usize = 24;
const MOST_BYTES: u64 = 2_000_000;

/// A picture, ready to be served.
#[derive(Clone, Debug)]
pub struct File {
    /// Media type of the picture.
    pub kind: &'static str,
    /// Bytes of the picture.
    pub bytes: Bytes,
}

/// All pictures by path. A path contains a hash of its content, so the content of a path never
/// changes.
#[derive(Debug, Default)]
pub struct Pictures {
    files: HashMap<String, File>,
    /// Paths of QR codes, by the text of the code.
    codes: HashMap<String, String>,
    gallery: Vec<Picture>,
}

/// An error of the gallery. The message names the file.
#[derive(Debug, thiserror::Error)]
pub enum GalleryError {
    /// A file cannot be read.
    #[error("{0}: {1}")]
    Io(PathBuf, std::io::Error),
    /// The list is invalid.
    #[error("{0}: {1}")]
    List(PathBuf, String),
    /// A picture is invalid.
    #[error("{0}: {1}")]
    Picture(PathBuf, &'static str),
}

/// Content of `gallery.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    picture: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: String,
    zh: String,
    en: String,
}

impl Pictures {
    /// Renders the QR codes of the contacts, and reads the gallery.
    ///
    /// # Errors
    /// Returns an error if the gallery is invalid.
    pub fn of(settings: &Settings) -> Result<Self, GalleryError> {
        let mut pictures = Self::default();
        for text in
            [&settings.support_wechat_qr, &settings.support_group_qr, &settings.support_xiaohongshu_qr]
        {
            let Some(text) = text.as_deref().map(str::trim).filter(|text| !text.is_empty()) else { continue };
            match png(text) {
                Some(bytes) => {
                    let path = pictures.add_file("qr", ("image/png", "png"), bytes);
                    pictures.codes.insert(text.to_owned(), path);
                }
                None => tracing::warn!(bytes = text.len(), "text of a QR code is too long; not rendering it"),
            }
        }
        if let Some(folder) = settings.gallery.as_deref().filter(|folder| !folder.as_os_str().is_empty()) {
            pictures.read_gallery(folder)?;
        }
        Ok(pictures)
    }

    /// Returns the picture at a path, for example `/qr/0a1b….png`.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&File> {
        self.files.get(path)
    }

    /// Returns the path of the QR code with this text.
    #[must_use]
    pub fn code(&self, text: Option<&str>) -> Option<&str> {
        self.codes.get(text?.trim()).map(String::as_str)
    }

    /// Returns the operator's gallery, in the operator's order.
    #[must_use]
    pub fn gallery(&self) -> &[Picture] {
        &self.gallery
    }

    fn add_file(&mut self, folder: &str, (kind, ending): (&'static str, &str), bytes: Vec<u8>) -> String {
        let path = format!("/{folder}/{}.{ending}", hex::encode(&Sha256::digest(&bytes)[..8]));
        self.files.insert(path.clone(), File { kind, bytes: bytes.into() });
        path
    }

    fn read_gallery(&mut self, folder: &Path) -> Result<(), GalleryError> {
        let list = folder.join(LIST);
        let text = std::fs::read_to_string(&list).map_err(|error| GalleryError::Io(list.clone(), error))?;
        let wrong = |why: String| GalleryError::List(list.clone(), why);
        let entries =
            toml::from_str::<List>(&text).map_err(|error| wrong(error.message().to_owned()))?.picture;
        if entries.len() > MOST_PICTURES {
            return Err(wrong(format!("{} pictures, at most {MOST_PICTURES}", entries.len())));
        }
        for entry in entries {
            let path = folder.join(&entry.file);
            let (zh, en) = (entry.zh.trim().to_owned(), entry.en.trim().to_owned());
            if zh.is_empty() || en.is_empty() {
                return Err(GalleryError::Picture(path, "needs a label in both languages (zh, en)"));
            }
            let plain = Path::new(&entry.file).components().count() == 1;
            if !plain || entry.file.starts_with('.') {
                return Err(GalleryError::Picture(path, "must be in the folder itself"));
            }
            let failed = |error| GalleryError::Io(path.clone(), error);
            if std::fs::metadata(&path).map_err(failed)?.len() > MOST_BYTES {
                return Err(GalleryError::Picture(path, "is larger than 2 MB"));
            }
            let bytes = std::fs::read(&path).map_err(failed)?;
            let kind = kind(&bytes).ok_or(GalleryError::Picture(path, "is not a PNG, JPEG or WebP file"))?;
            let src = self.add_file("pictures", kind, bytes);
            self.gallery.push(Picture { src, zh, en });
        }
        Ok(())
    }
}

/// Returns the media type and extension of a picture, from its first bytes. Formats that can
/// contain scripts are rejected.
fn kind(bytes: &[u8]) -> Option<(&'static str, &'static str)> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some(("image/png", "png")),
        [0xFF, 0xD8, 0xFF, ..] => Some(("image/jpeg", "jpg")),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(("image/webp", "webp")),
        _ => None,
    }
}

/// Renders a QR code as a black and white PNG, which chat apps recognize on a long press. Returns
/// `None` if the text is too long.
fn png(text: &str) -> Option<Vec<u8>> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let modules = code.width() + 2 * QUIET;
    let scale = CODE_PIXELS.div_ceil(modules);
    let side = modules * scale;
    let dark = |x: usize, y: usize| {
        let inside = |at: usize| at.checked_sub(QUIET).filter(|at| *at < code.width());
        matches!((inside(x), inside(y)), (Some(x), Some(y)) if code[(x, y)] == Color::Dark)
    };
    let mut rows = Vec::with_capacity(side * side.div_ceil(8));
    for y in 0..modules {
        let mut row = vec![0xFF_u8; side.div_ceil(8)];
        for x in (0..side).filter(|x| dark(x / scale, y)) {
            row[x / 8] &= !(0x80 >> (x % 8));
        }
        for _ in 0..scale {
            rows.extend_from_slice(&row);
        }
    }
    let size = u32::try_from(side).ok()?;
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, size, size);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&rows).ok()?;
    writer.finish().ok()?;
    Some(out)
}
