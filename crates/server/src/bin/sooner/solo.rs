//! Solo server (`sooner serve --solo`), a server for one owner, and `sooner link`, which signs in
//! the owner.

use std::fs;
use std::io::{IsTerminal as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;
use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};
use server::AppState;
use server::config::{PUBLIC_URL, Settings};
use server::http::proxies::is_near;
use server::run::Ambient;
use store::file_lock;
use store::keyring::KeyRing;

use crate::folders;
use crate::shared::{self, Database};

/// Prepares a start: creates the folders and the key ring if they are missing, and sets the listen
/// address. Returns the path of a new key ring.
///
/// # Errors
/// Returns an error if a folder cannot be created, if the machine has no private address for
/// `--lan`, or if the database exists without its key ring.
pub fn prepare(settings: &mut Settings, ambient: &Ambient) -> anyhow::Result<Option<PathBuf>> {
    if settings.lan {
        let private = private_address().context(
            "this machine has no address in a private network; name an address with --bind and --public-url",
        )?;
        settings.bind.set_ip(private);
    }
    if settings.public_url == PUBLIC_URL && !settings.bind.ip().is_unspecified() {
        settings.public_url = format!("http://{}", settings.bind);
    }
    if let Some(database) = file_lock::file_of(&settings.database_url)? {
        make_folder(database.parent().unwrap_or(Path::new(".")))?;
    }
    let ring = &settings.key_ring;
    if ring.exists() {
        return Ok(None);
    }
    let is_new_database =
        file_lock::file_of(&settings.database_url)?.is_some_and(|database| !database.exists());
    anyhow::ensure!(
        is_new_database,
        "the database exists, but its key ring {} does not; restore the key ring from its copy, or name it with --key-ring",
        ring.display()
    );
    make_folder(ring.parent().unwrap_or(Path::new(".")))?;
    KeyRing::generate(&ambient.random).save_new(ring)?;
    Ok(Some(ring.clone()))
}

/// Creates a folder that only this user can read. An existing folder is not changed.
fn make_folder(folder: &Path) -> anyhow::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder).with_context(|| {
        format!("cannot create the folder {}; name another with --data DIR", folder.display())
    })
}

/// Returns this machine's address in a private network, without sending a packet.
fn private_address() -> Option<IpAddr> {
    ["10.255.255.255:9", "192.168.255.255:9", "172.31.255.255:9"].iter().find_map(|target| {
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.set_broadcast(true).ok()?;
        socket.connect(target).ok()?;
        Some(socket.local_addr().ok()?.ip()).filter(|ip| is_near(*ip) && !ip.is_loopback())
    })
}

/// Returns `true` if hosts outside of private networks may reach an address. In a container, an
/// unspecified address does not count, because the container's configuration publishes ports.
fn is_public(bind: SocketAddr) -> bool {
    let in_container = || ["/.dockerenv", "/run/.containerenv"].iter().any(|mark| Path::new(mark).exists());
    let ip = bind.ip();
    if ip.is_unspecified() { !in_container() } else { !is_near(ip) }
}

/// Creates the owner's account of a solo server, and writes the settings file for other commands.
///
/// # Errors
/// Returns an error if the server can be reached from outside, and has no https or its owner has no
/// password.
pub async fn make_personal(
    app: &AppState,
    ambient: &Ambient,
    config_in_force: Option<&Path>,
) -> anyhow::Result<()> {
    let now = ambient.wall.now();
    let mut tx = app.db.begin().await?;
    let owner = app::accounts::make_personal(&mut tx, &ambient.random, &app.settings.public_url, now).await?;
    let owner = store::user::get(&mut tx, owner).await?.context("the owner's account is missing")?;
    anyhow::ensure!(
        !is_public(app.settings.bind)
            || (app.settings.public_url.starts_with("https://") && owner.password_hash.is_some()),
        "{} can be reached from outside this network; that requires --public-url https://…, behind a proxy, and an owner with a \
         password (set one in the settings first)",
        app.settings.bind
    );
    tx.commit().await?;
    write_config(&app.settings, config_in_force)
}

/// Writes the settings file of a solo server, unless a settings file is in use.
fn write_config(settings: &Settings, in_force: Option<&Path>) -> anyhow::Result<()> {
    let Some(path) = folders::config_file() else { return Ok(()) };
    if in_force.is_some() || path.exists() {
        return Ok(());
    }
    let quoted = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let text = format!(
        "# Written by the first start of `sooner serve --solo`: every command finds the server's settings here.\n\
         solo = true\ndatabase_url = {}\nkey_ring = {}\nbind = {}\n",
        quoted(&settings.database_url),
        quoted(&settings.key_ring.display().to_string()),
        quoted(&settings.bind.to_string()),
    );
    make_folder(path.parent().unwrap_or(Path::new(".")))?;
    let file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
    let mut file = file.with_context(|| format!("cannot write {}", path.display()))?;
    Ok(file.write_all(text.as_bytes())?)
}

/// Prints the address of the server, and a link that signs in the owner. Without a terminal it logs
/// the address.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn greet(app: &AppState, ambient: &Ambient, new_ring: Option<&Path>) -> anyhow::Result<()> {
    if !std::io::stdout().is_terminal() {
        tracing::info!(address = app.settings.public_url, "server is ready; to sign in, run: sooner link");
        if let Some(ring) = new_ring {
            tracing::warn!(key_ring = %ring.display(), "created a key ring; keep a copy apart from the database backups");
        }
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    let link = app::accounts::owner_link(&mut tx, &ambient.random, ambient.wall.now()).await?;
    tx.commit().await?;
    println!("Your Sooner server is ready at {}", app.settings.public_url);
    if let Some(link) = link {
        println!("To sign in, open this link; it works once, within 10 minutes:\n\n  {link}\n");
        if let Some(code) = qr_code(&link) {
            println!("{code}\n");
        }
        println!("For another link: sooner link");
    }
    if let Some(ring) = new_ring {
        println!(
            "Copy the key ring {} to a safe place. Without it, no stored password can be read.",
            ring.display()
        );
    }
    Ok(())
}

/// Returns a link as a QR code for a terminal. Returns `None` if only this machine can open the
/// link.
fn qr_code(link: &str) -> Option<String> {
    let address = url::Url::parse(link).ok()?;
    let is_local = match address.host()? {
        url::Host::Domain(name) => name == "localhost" || name.ends_with(".localhost"),
        url::Host::Ipv4(ip) => ip.is_loopback(),
        url::Host::Ipv6(ip) => ip.is_loopback(),
    };
    if is_local {
        return None;
    }
    let code = QrCode::with_error_correction_level(link, EcLevel::L).ok()?;
    // Terminals usually print light on dark, so dark modules are left empty.
    Some(code.render::<Dense1x2>().dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build())
}

/// Options of `sooner link`.
#[derive(Args)]
pub struct Link {
    #[command(flatten)]
    database: Database,
}

/// Prints a link that signs in the owner, once and for a short time.
///
/// # Errors
/// Returns an error if the server has no owner.
pub async fn link(command: &Link) -> anyhow::Result<()> {
    let ambient = Ambient::system()?;
    let db = shared::open(&command.database).await?;
    let mut tx = db.begin().await?;
    let link = app::accounts::owner_link(&mut tx, &ambient.random, ambient.wall.now()).await?;
    let link = link.context(
        "this server has no owner, because it is not served with --solo. Users sign in with their passwords; sooner \
         users add EMAIL invites a user",
    )?;
    tx.commit().await?;
    db.close().await;
    println!("{link}");
    if std::io::stderr().is_terminal()
        && let Some(code) = qr_code(&link)
    {
        eprintln!("\n{code}\n");
    }
    eprintln!("The link works once, within 10 minutes.");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_that_a_phone_can_open_have_a_qr_code() {
        let token = "auth/link?token=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
        for local in ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080"] {
            assert_eq!(qr_code(&format!("{local}/{token}")), None, "{local}");
        }
        let code = qr_code(&format!("http://192.168.1.20:8080/{token}")).expect("a code");
        let widths: Vec<usize> = code.lines().map(|line| line.chars().count()).collect();
        assert!(widths[0] <= 80 && widths.iter().all(|width| *width == widths[0]), "{widths:?}");
        assert_eq!(widths.len(), widths[0].div_ceil(2), "a module is half a character high");
    }
}
