//! Where a server of one's own keeps its settings, keys and database, as the XDG folders say.

use std::path::PathBuf;

/// The folder of settings and keys, `$XDG_CONFIG_HOME/sooner`; none where there is no home.
fn config_folder() -> Option<PathBuf> {
    xdg("XDG_CONFIG_HOME", ".config")
}

/// The file in which a server of one's own writes where its database and keys are, so that every command finds them.
pub fn config_file() -> Option<PathBuf> {
    Some(config_folder()?.join("sooner.toml"))
}

fn xdg(name: &str, below_home: &str) -> Option<PathBuf> {
    let given = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = given(name).or_else(|| Some(given("HOME")?.join(below_home)));
    Some(base?.join("sooner"))
}

/// The defaults of the settings of a server of one's own, by name. `data` is where its database is to be. Without a home, as in a
/// container, database and key ring are where the settings say.
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
