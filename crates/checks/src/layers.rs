//! Allowed dependencies between crates: `domain <- inference, portal, store, providers <- app <-
//! engine <- server`.

/// Allowed dependencies of one crate.
#[derive(Debug)]
pub struct Rule {
    /// Name of the folder under crates/.
    pub name: &'static str,
    /// Workspace crates that it may use.
    pub uses: &'static [&'static str],
    /// Further workspace crates that its tests may use.
    pub tests_use: &'static [&'static str],
    /// External crates that it must not use, except in its tests.
    pub never: &'static [&'static str],
}

const IO: [&str; 7] = ["tokio", "axum", "reqwest", "hyper", "sqlx", "rand", "lettre"];

/// Rules of all crates. A crate without a rule fails the check.
pub const RULES: &[Rule] = &[
    Rule { name: "domain", uses: &[], tests_use: &[], never: &IO },
    Rule { name: "inference", uses: &["domain"], tests_use: &[], never: &IO },
    Rule {
        name: "store",
        uses: &["domain"],
        tests_use: &[],
        never: &["axum", "reqwest", "scraper", "lettre"],
    },
    Rule { name: "portal", uses: &["domain"], tests_use: &[], never: &["sqlx", "axum", "lettre"] },
    Rule {
        name: "providers",
        uses: &["domain"],
        tests_use: &["sandbox"],
        never: &["sqlx", "axum", "scraper"],
    },
    Rule {
        name: "app",
        uses: &["domain", "store"],
        tests_use: &[],
        never: &["sqlx", "scraper", "reqwest", "hyper", "axum", "lettre", "tokio"],
    },
    Rule { name: "sandbox", uses: &[], tests_use: &[], never: &["sqlx", "scraper", "lettre"] },
    Rule {
        name: "engine",
        uses: &["domain", "inference", "store", "portal", "providers", "app"],
        tests_use: &["sandbox"],
        never: &["sqlx", "scraper", "reqwest", "axum", "lettre"],
    },
    Rule {
        name: "server",
        uses: &["domain", "inference", "store", "portal", "providers", "app", "engine", "sandbox"],
        tests_use: &[],
        never: &["sqlx", "scraper", "lettre"],
    },
    Rule {
        name: "bench",
        uses: &["domain", "inference", "store", "portal", "providers", "engine", "server", "sandbox"],
        tests_use: &[],
        never: &["sqlx", "lettre", "scraper"],
    },
    Rule { name: "checks", uses: &[], tests_use: &[], never: &IO },
];

/// Returns complaints about a crate's manifest, given its folder's name and its text.
#[must_use]
pub fn complaints(folder: &str, manifest: &str) -> Vec<String> {
    let Some(rule) = RULES.iter().find(|rule| rule.name == folder) else {
        return vec![format!("crates/{folder} has no rule in crates/checks/src/layers.rs")];
    };
    let mut wrong = Vec::new();
    for (section, name) in dependencies(manifest) {
        let for_tests = section == "dev-dependencies";
        if let Some(ours) = name.strip_prefix("sooner-") {
            // A crate may depend on itself to enable a feature for its own tests.
            let itself = for_tests && ours == rule.name;
            if !(itself || rule.uses.contains(&ours) || for_tests && rule.tests_use.contains(&ours)) {
                wrong.push(format!("{folder} -> {ours} is not an allowed arrow ([{section}])"));
            }
        } else if !for_tests && rule.never.contains(&name.as_str()) {
            wrong.push(format!("{folder} must not use {name}"));
        }
    }
    wrong
}

/// Returns the (section, crate) pairs of a manifest.
fn dependencies(manifest: &str) -> Vec<(String, String)> {
    let mut section = String::new();
    let mut found = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
            let last = header.rsplit('.').next().unwrap_or(header);
            if let Some((kind, name)) = header.rsplit_once("dependencies.") {
                found.push((format!("{kind}dependencies"), name.to_owned()));
            }
            section = last.to_owned();
        } else if section.ends_with("dependencies")
            && let Some((name, _)) = line.split_once('=')
        {
            let name = name.trim().split('.').next().unwrap_or_default();
            found.push((section.clone(), name.trim_matches('"').to_owned()));
        }
    }
    found
}

/// Returns the lines where the server uses the sandbox outside the subcommands that start it.
#[must_use]
pub fn sandbox_leaks(path: &str, text: &str) -> Vec<String> {
    let product = path.starts_with("crates/server/src/");
    let starts_it = ["demo", "sandbox"].iter().any(|word| path.contains(word));
    // The name then means a sibling module; the path of that module's own file is allowed above.
    let own_module = text.lines().any(|line| line == "mod sandbox;");
    if !product || starts_it || own_module {
        return Vec::new();
    }
    let lines = text.lines().enumerate();
    let uses = |line: &str| {
        let code = line.split("//").next().unwrap_or_default();
        let crate_path =
            |at: usize| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == ':');
        code.match_indices("sandbox::").any(|(at, _)| crate_path(at))
    };
    lines
        .filter(|(_, line)| uses(line))
        .map(|(n, line)| format!("{path}:{} {}", n + 1, line.trim()))
        .collect()
}
