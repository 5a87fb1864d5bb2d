use checks::prose::{self, Complaint};
use checks::tree::{self, File};
use checks::word_lists::ROWS;

fn in_file(path: &str, text: &str) -> Vec<Complaint> {
    prose::complaints(&File { path: path.to_owned(), text: text.to_owned() })
}

/// Returns the kinds of the complaints about `text` as a source file of the crate `store`.
fn kinds(text: &str) -> Vec<&'static str> {
    in_file("crates/store/src/a.rs", text).iter().map(|complaint| complaint.kind).collect()
}

#[test]
fn the_language_of_the_repository_has_no_more_faults_than_listed() {
    let files = tree::files(&tree::root());
    let complaints: Vec<Complaint> = files.iter().flat_map(prose::complaints).collect();
    let too_many = prose::too_many(&complaints);
    assert!(too_many.is_empty(), "\n{}", too_many.join("\n"));
    for row in ROWS.get("except").into_iter().flat_map(|rows| rows.values().flatten()) {
        let (last, path) = (row[1].rsplit(' ').next().unwrap_or_default(), row[2].trim_end_matches('*'));
        let is_used = |file: &File| file.path.starts_with(path) && file.text.to_lowercase().contains(last);
        assert!(row[3].len() > 10, "{row:?} gives no reason");
        assert!(files.iter().any(is_used), "{row:?} is used nowhere: remove it from the list");
    }
}

#[test]
fn a_question_at_the_beginning_of_a_doc_comment_is_seen() {
    assert_eq!(kinds("/// Whether the task is paused.\nfn f() {}\n"), ["question"]);
    assert_eq!(kinds("//! What the module does.\n"), ["question"]);
    assert_eq!(in_file("web/src/a.ts", "/**\n * How it works.\n */\n")[0].kind, "question");
    assert_eq!(
        in_file("web/src/a.ts", "/** Who pays. */\n")[0].text,
        "web/src/a.ts:1 question: a doc comment begins with who"
    );
    assert!(
        kinds("/// Returns a task.\n///\n/// How often does not matter.\n// Who pays: nothing.\n").is_empty()
    );
}

#[test]
fn a_retired_word_is_seen_in_every_sort_of_text() {
    let places = [
        "/// Returns a task, as\n/// somebody may need it.\n",
        "let x = 1;\n    // Nobody's task.\n",
        "#[error(\"the user was told\")]\n",
        "tracing::warn!(\n    account = %account.id(),\n    \"account stands still\",\n);\n",
    ];
    for text in places {
        assert_eq!(kinds(text), ["word"], "{text}");
    }
    let complaint = &in_file("docs/A.md", "# Title\n\n- text\n- the page says so\n")[0];
    assert_eq!(complaint.text, "docs/A.md:4 word: not says, but states, shows, reports");
    assert_eq!(complaint.area, "docs");
    let exempt = "/// The field `told` of \"the friend\", retold.\nlet said = \"somebody\";\n";
    assert!(kinds(exempt).is_empty());
    assert!(in_file("docs/SPEC.md", "somebody").is_empty());
    assert_eq!(in_file("docs/A.md", "It says at the field why.").len(), 1);
    assert!(in_file("docs/A.md", "```sh\nsay hello\n```\n").is_empty());
}

#[test]
fn a_wide_line_is_seen() {
    let wide = "word ".repeat(25);
    assert_eq!(kinds(&format!("    // {wide}\n")), ["width"]);
    assert_eq!(in_file("docs/A.md", &wide)[0].kind, "width");
    for exempt in [format!("| {wide}|"), format!("https://a.test {wide}"), format!("```\n{wide}\n```")] {
        assert!(in_file("docs/A.md", &exempt).is_empty(), "{exempt}");
    }
    assert!(kinds(&format!("let a = \"{wide}\";\n")).is_empty());
}

#[test]
fn a_long_sentence_is_seen() {
    let lines = |words: usize| "/// word\n".repeat(words);
    assert_eq!(kinds(&lines(36)), ["sentence"]);
    assert!(kinds(&lines(35)).is_empty());
    assert!(kinds(&format!("{}/// end. Next\n{}", lines(20), lines(20))).is_empty());
    assert!(kinds(&format!("{}///\n{}", lines(20), lines(20))).is_empty());
}

#[test]
fn a_retired_word_in_a_name_is_seen() {
    assert_eq!(kinds("pub(crate) struct OldWish {"), ["name"]);
    assert_eq!(kinds("    pub async fn next_look(now: Instant) -> Instant {"), ["name"]);
    assert_eq!(kinds("const HINT_LIVES: u8 = 2;"), ["name"]);
    assert_eq!(kinds("pub const fn hint() -> u8 {"), ["name"]);
    assert!(kinds("pub struct Outlook;\nfn size_hint() {}\nlet wish = 1;").is_empty());
    assert_eq!(in_file("crates/a/src/roster/b.rs", "")[0].kind, "name");
}

#[test]
fn complaints_above_the_listed_number_are_reported() {
    let complaint = Complaint { area: "never".to_owned(), kind: "word", text: "here".to_owned() };
    assert_eq!(prose::too_many(&[complaint]), ["here"]);
}
