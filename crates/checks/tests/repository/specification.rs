use std::collections::BTreeSet;
use std::fs;

use checks::tree::File;
use checks::{spec, tests_found, tree};

#[test]
fn every_row_of_the_specification_names_tests_that_exist() {
    let root = tree::root();
    let text = fs::read_to_string(root.join("docs/SPEC.md")).expect("docs/SPEC.md is there");
    let tests = tests_found::names(&tree::files(&root));
    let complaints = spec::complaints(&text, &tests);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let rows: Vec<_> = spec::rows(&text).into_iter().flatten().collect();
    let open = rows.iter().filter(|row| row.open).count();
    println!("{} rows, {open} open", rows.len());
    assert!(rows.len() > 200, "only {} rows: was the table lost?", rows.len());
}

fn known() -> BTreeSet<String> {
    ["engine::books_it", "web: says hello"].map(str::to_owned).into()
}

#[test]
fn a_row_that_names_what_does_not_exist_is_seen() {
    let good = "| 1.1 | a rule | `engine::books_it`, `web: says hello` |";
    let check = |text: &str| spec::complaints(text, &known());
    assert!(check(good).is_empty());
    assert!(check("| 1.1 | a rule | *open* B |").is_empty());
    assert_eq!(check("| 1.1 | a rule | `engine::never_written` |").len(), 1);
    assert_eq!(check("| 1.1 | a rule | – |").len(), 1);
    assert_eq!(check("| 1.1 | a rule |").len(), 1);
    assert_eq!(check(&format!("{good}\n{good}")).len(), 1);
}

#[test]
fn tests_are_found_by_what_makes_them_tests() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let rust = "#[test]\nfn one() {}\n#[tokio::test]\n#[cfg(unix)]\nasync fn two() {}\nfn helper() {}\n#[cfg(test)]\nfn not() {}";
    let web = "it('says \\'hi\\'', () => {});\ntest.each([1])('takes %s', () => {});\nsplit('no');\n  test(\n    `three`,";
    let found = tests_found::names(&[
        file("crates/a/tests/it.rs", rust),
        file("crates/store/tests/it/b.rs", "use x;\nstories!(\n    three,\n    four,\n);\n"),
        file(
            "crates/server/tests/it/c.rs",
            "use x;\nportal_stories!(\n    five,\n);\ncrash_tests! {\n    six: 0,\n}\n",
        ),
        file("web/src/a.test.ts", web),
        file("web/e2e/path.spec.ts", "test('books', async () => { await test.step('first', sign) })"),
    ]);
    let expected = [
        "a::one",
        "a::two",
        "e2e: books",
        "e2e: first",
        "server::five",
        "server::six",
        "store::four",
        "store::three",
        "web: says 'hi'",
        "web: takes %s",
        "web: three",
    ];
    assert_eq!(found.into_iter().collect::<Vec<_>>(), expected.map(str::to_owned));
}
