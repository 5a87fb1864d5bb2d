//! Output that is generated from the definition of the command line: shell completions, manual
//! pages, and docs/SETTINGS.md.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Arg, Args, Command};

/// Options of `sooner completion`.
#[derive(Args)]
pub struct Completion {
    /// Name of the shell
    shell: clap_complete::Shell,
}

/// Options of `sooner manual`.
#[derive(Args)]
pub struct Manual {
    /// Folder of the pages; created if it is missing
    folder: PathBuf,
}

/// Headings of the server's settings, with the names or name prefixes of their settings. The first
/// match counts.
const GROUPS: [(&str, &[&str]); 10] = [
    (
        "Database",
        &[
            "database_url",
            "engine_connections",
            "request_connections",
            "background_connections",
            "require_standby",
        ],
    ),
    ("Solo server", &["solo", "data", "lan", "billing", "registration"]),
    (
        "Web server",
        &["bind", "public_url", "trusted_proxies", "connections", "mails_per_minute", "worker_off"],
    ),
    ("Secrets and this node", &["key_ring", "keys_beside_data", "role", "node", "metrics_", "traces_"]),
    ("Portal", &["portal_url", "allow_http", "countries", "user_agent", "dry_run", "speed", "time_anchor"]),
    ("Mail", &["smtp_url", "mail_from"]),
    ("Sign-in with Google", &["google_"]),
    ("Prices and payments", &["unit_price", "card_"]),
    ("Public pages", &["support_", "gallery", "operator"]),
    (
        CHANNELS,
        &["push_", "telegram_", "wxpusher_", "pushover_", "twilio_", "aliyun_", "sms_", "channel_", "alarm_"],
    ),
];
/// Example of a settings file, which the page contains.
const EXAMPLE: &str = include_str!("../../../../../deploy/sooner.toml.example");
/// Options of `serve` that are no settings, or that the introduction of the page describes.
const NO_SETTINGS: [&str; 4] = ["help", "config", "log_format", "version"];
const CHANNELS: &str = "Notification channels";
/// Settings that `doctor` uses itself, not only to check a server.
const DOCTORS_OWN: [&str; 2] = ["database_url", "key_ring"];

/// Adds headings to the settings in the help of `serve`, and hides them in the help of `doctor`,
/// which accepts them too.
pub fn arranged(command: Command) -> Command {
    let serve = command.find_subcommand("serve");
    let settings: HashSet<_> =
        serve.into_iter().flat_map(Command::get_arguments).map(|a| a.get_id().clone()).collect();
    let headed = |argument: Arg| {
        let heading = heading(argument.get_id().as_str());
        argument.help_heading(heading)
    };
    let hidden = move |argument: Arg| {
        let id = argument.get_id();
        let hide = settings.contains(id) && !DOCTORS_OWN.contains(&id.as_str());
        argument.hide(hide)
    };
    command.mut_subcommand("serve", |serve| serve.mut_args(headed)).mut_subcommand("doctor", |doctor| {
        doctor.mut_args(hidden).after_help(
            "The command also checks the server's settings. Set them as for sooner serve (variables, options, --config).",
        )
    })
}

fn heading(id: &str) -> Option<&'static str> {
    let fits = |beginnings: &[&str]| {
        beginnings
            .iter()
            .any(|beginning| id == *beginning || (id.starts_with(beginning) && !is_whole(beginning)))
    };
    GROUPS.iter().find(|(_, beginnings)| fits(beginnings)).map(|(heading, _)| *heading)
}

/// Returns `true` if an entry of a group is the name of one setting and not a prefix.
fn is_whole(beginning: &str) -> bool {
    !beginning.ends_with('_') && beginning != "connections"
}

/// Prints the completion script of a shell.
pub fn completion(mut command: Command, completion: &Completion) {
    clap_complete::generate(completion.shell, &mut command, "sooner", &mut std::io::stdout());
}

/// Writes manual pages: `sooner.1`, and one for each subcommand.
pub fn manual(command: Command, manual: &Manual) -> anyhow::Result<()> {
    std::fs::create_dir_all(&manual.folder)?;
    clap_mangen::generate_to(command, &manual.folder)?;
    Ok(())
}

/// Prints docs/SETTINGS.md.
pub fn settings(command: &Command) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    write!(
        out,
        "# Settings of `sooner serve`\n\n\
         `sooner settings` generates this page, and `scripts/fresh.sh --write` updates it. Each setting can\n\
         be given as an option, as a variable, or in the file that `--config` names (TOML, the option's name\n\
         with `_`). An option overrides a variable, and a variable overrides the file. `RUST_LOG` filters log\n\
         entries (`info,sqlx=warn`). `--log-format json` (`SOONER_LOG_FORMAT`) prints them as JSON.\n"
    )?;
    let serve = command.find_subcommand("serve").ok_or_else(|| anyhow::anyhow!("no serve"))?;
    for argument in serve.get_arguments() {
        let name = argument.get_id().as_str();
        let is_known = argument.get_help_heading().is_some() || NO_SETTINGS.contains(&name);
        anyhow::ensure!(is_known, "the setting {name} is in none of the groups");
    }
    for (heading, _) in GROUPS {
        write!(out, "\n## {heading}\n\n| option, variable | default | what it does |\n|---|---|---|\n")?;
        for argument in serve.get_arguments().filter(|a| a.get_help_heading() == Some(heading)) {
            writeln!(out, "{}", row(argument))?;
        }
    }
    write!(out, "\n## A settings file\n\n`deploy/sooner.toml.example`:\n\n```toml\n{EXAMPLE}```\n")?;
    Ok(())
}

fn row(argument: &Arg) -> String {
    let option = argument.get_long().unwrap_or_default();
    let variable = argument.get_env().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let defaults: Vec<_> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    let takes_value = argument.get_action().takes_values();
    let default = if takes_value { defaults.join(", ") } else { "off".to_owned() };
    let help = argument.get_long_help().or(argument.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|");
    format!("| `--{option}`<br>`{variable}` | {default} | {help} |")
}
