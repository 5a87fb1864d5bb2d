//! Second factors: codes of an authenticator app (RFC 6238: SHA-1, 6 digits, 30 seconds), and
//! recovery codes.

use domain::clock::Instant;
use domain::ids::{UserId, uuid_v7};
use domain::security_event::SecurityEventKind;
use qrcode::QrCode;
use qrcode::render::svg;
use secrecy::{ExposeSecret, SecretString};
use store::Tx;
use store::security_event::NewEvent;
use store::session::Client;
use store::totp::Totp as Row;
use store::user::User;
use totp_rs::{Builder, Secret, Totp};

use super::events::{self, SecurityNotice};
use crate::AppState;
use crate::http::error::ApiError;

const ISSUER: &str = "Sooner";
const RECOVERY_CODES: usize = 10;
/// Alphabet without characters that are easily misread: i, l, o, 0, 1.
const LETTERS: &[u8; 31] = b"abcdefghjkmnpqrstuvwxyz23456789";

/// A new second factor, as its owner sees it once.
pub struct NewTotpSecret {
    /// Database row of the factor.
    pub row: Row,
    /// Secret in base32, to type into an authenticator app.
    pub secret: String,
    /// Address for authenticator apps.
    pub url: String,
    /// The address as a QR code.
    pub qr_svg: String,
}

/// Creates a new second factor. Authenticator apps show the user's address as its name.
pub fn draw(app: &AppState, user: UserId, email: &str) -> Result<NewTotpSecret, ApiError> {
    let secret = Secret::from(app.random.bytes::<20>());
    let text = secret.to_base32();
    let totp = Builder::new()
        .with_secret(secret)
        .with_issuer(Some(ISSUER))
        .with_account_name(email.replace(':', " "))
        .build()
        .map_err(|e| ApiError::internal(&e))?;
    let url = totp.to_url().map_err(|e| ApiError::internal(&e))?;
    let qr = QrCode::new(&url).map_err(|e| ApiError::internal(&e))?;
    let qr_svg = qr.render::<svg::Color<'_>>().min_dimensions(200, 200).build();
    let id = uuid_v7(app.wall.now(), app.random.bytes());
    let sealed =
        app.keyring.seal(&store::totp::place(id, user), &SecretString::from(text.clone()), &app.random);
    Ok(NewTotpSecret { row: Row { id, user, sealed, confirmed_at: None }, secret: text, url, qr_svg })
}

/// Returns the time step of a code, or `None` for a wrong code. The neighbouring steps are accepted
/// too, because clocks of phones differ.
pub fn step(app: &AppState, row: &Row, code: &str, now: Instant) -> Result<Option<i64>, ApiError> {
    let place = store::totp::place(row.id, row.user);
    let text = app.keyring.open(&place, &row.sealed).map_err(|e| ApiError::internal(&e))?;
    let secret = Secret::try_from_base32(text.expose_secret()).map_err(|e| ApiError::internal(&e))?;
    let totp: Totp = Builder::new().with_secret(secret).build().map_err(|e| ApiError::internal(&e))?;
    let seconds = u64::try_from(now.timestamp()).unwrap_or_default();
    let step = totp.check(&plain(code), seconds);
    Ok(step.and_then(|step| i64::try_from(step).ok()))
}

/// Returns `true` if the code can only be a recovery code: codes of the app have six digits.
#[must_use]
pub fn is_recovery_code(code: &str) -> bool {
    plain(code).len() != 6
}

/// Uses up a code of the authenticator app, or a recovery code. Mails the owner after the use of a
/// recovery code. Returns `false` if the code is wrong or was used before.
pub async fn spend(
    app: &AppState,
    tx: &mut Tx,
    user: &User,
    row: &Row,
    code: &str,
    client: &Client,
) -> Result<bool, ApiError> {
    let now = app.wall.now();
    if !is_recovery_code(code) {
        return match step(app, row, code, now)? {
            Some(step) => Ok(store::totp::take_step(tx, row.id, step).await?),
            None => Ok(false),
        };
    }
    let fingerprint = fingerprint(app, row.user, code);
    if !store::totp::take_code(tx, row.user, &fingerprint, now).await? {
        return Ok(false);
    }
    let kind = SecurityEventKind::RecoveryCodeUsed;
    let event = NewEvent { user: user.id, kind, succeeded: true, session: None, client: Some(client) };
    events::record(app, tx, &event).await?;
    let occasion = hex::encode(app.random.bytes::<8>());
    events::notify(app, tx, user, SecurityNotice::RecoveryCodeUsed, &occasion).await?;
    Ok(true)
}

/// Replaces all recovery codes by new ones, and returns the new codes.
pub async fn renew_codes(app: &AppState, tx: &mut Tx, user: UserId) -> Result<Vec<String>, ApiError> {
    // Without the lock, two concurrent renewals would leave twenty codes.
    store::lock::exclusive(tx, user.0).await?;
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| recovery_code(app)).collect();
    let kept: Vec<_> = codes.iter().map(|code| fingerprint(app, user, code)).collect();
    store::totp::put_codes(tx, user, &kept).await?;
    Ok(codes)
}

/// Creates a recovery code of 24 letters in four groups. Its 118 bits cannot be guessed from the
/// stored fingerprint.
fn recovery_code(app: &AppState) -> String {
    let letter = |_| {
        let n = app.random.below(u32::try_from(LETTERS.len()).unwrap_or(1));
        char::from(LETTERS[usize::try_from(n).unwrap_or_default()])
    };
    let word = |_| (0..6).map(letter).collect::<String>();
    (0..4).map(word).collect::<Vec<_>>().join("-")
}

fn fingerprint(app: &AppState, user: UserId, code: &str) -> [u8; 32] {
    app.keyring.fingerprint(&format!("recovery-code|{user}|{}", plain(code)))
}

/// Normalizes a typed code: removes spaces and dashes, and converts to lower case.
fn plain(code: &str) -> String {
    code.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}
