use checks::modules::{self, KNOWN};
use checks::tree::{self, File};

fn file(path: &str, text: &str) -> File {
    File { path: path.to_owned(), text: text.to_owned() }
}

fn found(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<File> = files.iter().map(|(path, text)| file(path, text)).collect();
    modules::graphs(&files).iter().flat_map(|(root, graph)| modules::complaints(root, graph)).collect()
}

#[test]
fn modules_have_no_dependency_cycles() {
    let graphs = modules::graphs(&tree::files(&tree::root()));
    assert!(graphs.len() >= 9, "only {} crates were read", graphs.len());
    let complaints: Vec<String> =
        graphs.iter().flat_map(|(root, graph)| modules::complaints(root, graph)).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    for (root, module) in KNOWN {
        let cycles = graphs.get(*root).map(modules::cycles).unwrap_or_default();
        let is_there = cycles.iter().flatten().any(|known| known == module);
        assert!(is_there, "{root}: {module} is in no cycle any more: remove it from the list");
    }
}

#[test]
fn a_module_cycle_is_reported() {
    let lib = ("crates/a/src/lib.rs", "mod one;\nmod two;\npub use two::deep::Deep;\n");
    let two = ("crates/a/src/two.rs", "pub mod deep;\nuse deep::Deep;\n");
    let deep = ("crates/a/src/two/deep.rs", "use super::Two;\nuse crate::{one::One, Other};\n");
    assert!(found(&[lib, two, deep, ("crates/a/src/one.rs", "pub struct One;\n")]).is_empty());
    let by_path = "fn f() { crate::two::deep::g() }\n";
    let by_tree = "use crate::{\n    two::{deep::Deep},\n};\n";
    let by_export = "use crate::Deep;\n";
    for text in [by_path, by_tree, by_export, "use super::two::deep;\n"] {
        assert_eq!(found(&[lib, two, deep, ("crates/a/src/one.rs", text)]).len(), 1, "{text}");
    }
    let in_words = "//! See `crate::two::deep`.\n#[cfg(test)]\nmod tests {\n    use crate::two::deep;\n}\n";
    assert!(found(&[lib, two, deep, ("crates/a/src/one.rs", in_words)]).is_empty());
}

#[test]
fn only_the_runner_uses_the_engine_type() {
    let files = tree::files(&tree::root());
    let complaints: Vec<String> =
        files.iter().flat_map(|file| modules::whole_engine(&file.path, &file.text)).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let text = "pub async fn settle(engine: &Engine) {}\n";
    assert_eq!(modules::whole_engine("crates/engine/src/jobs/book.rs", text).len(), 1);
    assert!(modules::whole_engine("crates/engine/src/runner/sweep.rs", text).is_empty());
    assert!(modules::whole_engine("crates/engine/src/jobs/book.rs", "/// An [`Engine`].\n").is_empty());
}

#[test]
fn engine_modules_use_only_lower_layers() {
    let graphs = modules::graphs(&tree::files(&tree::root()));
    let complaints = modules::engine_arrows(&graphs["crates/engine/src"]);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let arrow = |from: &str, to: &str| {
        let files = [
            file("crates/e/src/lib.rs", ""),
            file(&format!("crates/e/src/{}.rs", from.replace("::", "/")), &format!("use crate::{to};\n")),
            file(&format!("crates/e/src/{}.rs", to.replace("::", "/")), ""),
        ];
        modules::engine_arrows(&modules::graphs(&files)["crates/e/src"]).len()
    };
    assert_eq!(arrow("model::state", "persist"), 1);
    assert_eq!(arrow("jobs::book", "jobs::poll"), 1);
    assert_eq!(arrow("jobs::book", "gateway::session"), 0);
}

#[test]
fn only_one_function_commits_an_attempt_as_sending() {
    let keys = modules::commit_keys(&tree::files(&tree::root()));
    assert_eq!(keys.len(), 1, "\n{}", keys.join("\n"));
    assert!(keys[0].starts_with("crates/engine/src/persist/commit.rs"));
    let forged = file("crates/server/src/a.rs", "impl portal::CommitKey for Mine {}\n");
    assert_eq!(modules::commit_keys(&[forged]).len(), 1);
}

#[test]
fn only_the_gateway_sends_requests() {
    let files = tree::files(&tree::root());
    let complaints: Vec<String> =
        files.iter().flat_map(|file| modules::own_requests(&file.path, &file.text)).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let text = "    let groups = gateway.client.groups(&lease.meter, &session).await?;\n";
    assert_eq!(modules::own_requests("crates/engine/src/jobs/probe.rs", text).len(), 1);
    assert!(modules::own_requests("crates/engine/src/gateway/pages.rs", text).is_empty());
}
