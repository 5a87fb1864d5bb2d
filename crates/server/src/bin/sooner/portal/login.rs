//! Reads the login and the password of a portal account from the terminal, or the password from a
//! pipe.

use std::io::{BufRead as _, IsTerminal as _, Write as _};

use anyhow::Context as _;
use secrecy::SecretString;

/// Returns the given login, or prompts for a login at the terminal.
pub fn read_login(given: Option<&str>) -> anyhow::Result<String> {
    let login = match given {
        Some(login) => login.to_owned(),
        None => {
            anyhow::ensure!(
                std::io::stdin().is_terminal(),
                "standard input is not a terminal; give the login with --user"
            );
            prompt("Login at the portal (e-mail address): ")?
        }
    };
    let login = login.trim().to_owned();
    anyhow::ensure!(login.contains('@'), "the login at the portal is an e-mail address");
    Ok(login)
}

/// Reads the password without echo from the terminal, or from the first line of standard input.
pub fn read_password(host: &str) -> anyhow::Result<SecretString> {
    let password = if std::io::stdin().is_terminal() {
        let prompt = format!("Portal password, for {host} only (leave empty to stop): ");
        rpassword::prompt_password(prompt).context("cannot read the password from the terminal")?
    } else {
        let mut line = String::new();
        std::io::stdin()
            .lock()
            .read_line(&mut line)
            .context("cannot read the password from standard input")?;
        line
    };
    let password = SecretString::from(password.trim_end_matches(['\r', '\n']).to_owned());
    anyhow::ensure!(
        !secrecy::ExposeSecret::expose_secret(&password).is_empty(),
        "no password was given; nothing was sent"
    );
    Ok(password)
}

/// Prompts for consent at the terminal. Without a terminal it returns `true`.
pub fn agrees(question: &str) -> anyhow::Result<bool> {
    if !std::io::stdin().is_terminal() {
        return Ok(true);
    }
    let answer = prompt(&format!("{question} [y/N] "))?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn prompt(question: &str) -> anyhow::Result<String> {
    print!("{question}");
    std::io::stdout().flush()?;
    let mut line = String::new();
    std::io::stdin().lock().read_line(&mut line)?;
    Ok(line)
}
