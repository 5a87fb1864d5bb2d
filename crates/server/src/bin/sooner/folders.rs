//! Locations of the settings, keys and database of a solo server, in the XDG folders.

use std::path::PathBuf;

/// Returns the folder of settings and keys, `$XDG_CONFIG_HOME/sooner`; `None` without a home
/// folder.
fn config_folder() -> Option<PathBuf> {
    xdg("XDG_CONFIG_HOME", ".config")
}

/// Returns the file with the settings of a solo server. Every command reads it to find the database
/// and the keys.
pub fn config_file() -> Option<PathBuf> {
    Some(config_folder()?.join("sooner.toml"))
}

fn xdg(name: &str, below_home: &str) -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = given(name).or_else(|| Some(given("HOME")?.join(below_home)));
    Some(base?.join("sooner"))
}

/// Returns the default settings of a solo server, by name. `data` is the folder of its database.
/// Without a home folder, as in a container, the general defaults apply to database and key ring.
pub fn defaults(data: Option<PathBuf>) -> Vec<(String, String)> {
    let data = data.or_else(|| xdg("XDG_DATA_HOME", ".local/share"));
    let data = data.and_then(|folder| std::path::absolute(folder).ok());
    let database = data.map(|folder| format!("sqlite:{}", folder.join("sooner.db").display()));
    let keys = config_folder().map(|folder| folder.join("sooner.keys").display().to_string());
    [
        ("solo", Some("true".to_owned())),
        ("database_url", database),
        ("key_ring", keys),
        ("billing", Some("off".to_owned())),
        ("registration", Some("closed".to_owned())),
    ]
    .into_iter()
    .filter_map(|(name, value)| Some((name.to_owned(), value?)))
    .collect()
}
