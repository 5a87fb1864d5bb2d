//! CSRF tokens in the format of Rails: a 32-byte pad and the masked secret, encoded as 88 base64
//! characters.

use base64::{Engine, engine::general_purpose::STANDARD};
use sha2::{Digest, Sha256};

use super::session::digest;
use crate::world::World;

/// Creates the token of a session, for the page's `<meta>` element.
pub(crate) fn meta_token(world: &mut World, session: &str) -> String {
    mask(world, &secret(world, session))
}

/// Creates the token of one form, valid for one action and method.
pub(crate) fn form_token(world: &mut World, session: &str, action: &str, method: &str) -> String {
    let own = per_form(&secret(world, session), action, method);
    mask(world, &own)
}

/// Returns `true` if a token was created for this session, either in general or for this action.
pub(crate) fn accepts(world: &World, session: &str, token: &str, action: &str, method: &str) -> bool {
    let Ok(bytes) = STANDARD.decode(token.trim().replace(' ', "+")) else {
        return false;
    };
    if bytes.len() != 64 {
        return false;
    }
    let bare: Vec<u8> = bytes[..32].iter().zip(&bytes[32..]).map(|(pad, masked)| pad ^ masked).collect();
    let secret = secret(world, session);
    bare == secret || bare == per_form(&secret, action, method)
}

fn secret(world: &World, session: &str) -> [u8; 32] {
    digest(&[&world.secret, "csrf", session])
}

fn per_form(secret: &[u8; 32], action: &str, method: &str) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(secret);
    hash.update(action.as_bytes());
    hash.update(b"#");
    hash.update(method.as_bytes());
    hash.finalize().into()
}

fn mask(world: &mut World, bare: &[u8; 32]) -> String {
    world.cookies += 1;
    let pad = digest(&[&world.secret, "pad", &world.cookies.to_string()]);
    let mut bytes = pad.to_vec();
    bytes.extend(pad.iter().zip(bare).map(|(pad, bare)| pad ^ bare));
    STANDARD.encode(bytes)
}
