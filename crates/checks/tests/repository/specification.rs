use checks::tests_found::Mark;
use checks::tree::File;
use checks::{spec, tests_found, tree};

#[test]
fn spec_md_matches_the_items_and_the_marks_of_the_tests() {
    let root = tree::root();
    let (text, complaints) = spec::of_repository(&root);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
    let committed = std::fs::read_to_string(root.join("docs/SPEC.md")).expect("docs/SPEC.md is there");
    assert!(text == committed, "docs/SPEC.md is stale: run scripts/fresh.sh --write");
    let rows = text.lines().filter(|line| line.starts_with('|')).count();
    assert!(rows > 200, "only {rows} rows: was the table lost?");
}

fn mark(item: &str, test: &str) -> Mark {
    Mark { item: item.to_owned(), test: test.to_owned() }
}

#[test]
fn a_spec_row_lists_the_tests_marked_with_its_item() {
    let items = "| id | says |\n|---|---|\n| 1.1 | a rule |\n| 1.2 | another | *open* J |\n";
    let (text, complaints) =
        spec::document(items, &[mark("1.1", "web: says hello"), mark("1.1", "engine::books_it")]);
    assert!(complaints.is_empty(), "{complaints:?}");
    assert!(text.contains("\n| id | says | shown by |\n|---|---|---|\n"), "{text}");
    assert!(text.contains("\n| 1.1 | a rule | `engine::books_it`, `web: says hello` |\n"), "{text}");
    assert!(text.contains("\n| 1.2 | another | *open* J |\n"), "{text}");
}

#[test]
fn items_without_tests_and_unknown_marks_are_reported() {
    let complaints = |items: &str, marks: &[Mark]| spec::document(items, marks).1;
    let books = mark("1.1", "engine::books_it");
    assert_eq!(complaints("| 1.1 | a rule |", &[]).len(), 1);
    assert_eq!(complaints("| 1.1 | a rule | see there |", &[]).len(), 1);
    assert_eq!(complaints("| 1.1 |", std::slice::from_ref(&books)).len(), 2);
    assert_eq!(complaints("| 1.1 | a rule |\n| 1.1 | a rule |", std::slice::from_ref(&books)).len(), 1);
    assert_eq!(complaints("| 1.2 | a rule | *open* J |", &[books]), ["engine::books_it: no item 1.1"]);
}

#[test]
fn a_spec_mark_applies_to_the_test_below_it() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let rust = "// spec: 1, 2\n#[test]\nfn one() {}\n#[tokio::test]\n// spec: 3\n#[cfg(unix)]\nasync fn two() {}\n// spec: 4\nfn helper() {}\n// spec: 5\n#[cfg(test)]\nfn not() {}";
    let web = "// spec: 1\nit('says \\'hi\\'', () => {});\n// spec: 2\ntest.each([1])('takes %s', () => {});\nsplit('no');\n// spec: 3\n  test(\n    `three`,";
    let found = tests_found::marks(&[
        file("crates/a/tests/it.rs", rust),
        file(
            "crates/store/tests/it/b.rs",
            "use x;\nstories!(\n    three,\n    four,\n);\n// spec: 6\nasync fn four() {}",
        ),
        file(
            "crates/server/tests/it/c.rs",
            "use x;\nportal_stories!(\n    five,\n);\ncrash_tests! {\n    // spec: 7\n    six: 0,\n    seven: 1,\n}\n// spec: 8\nasync fn five() {}",
        ),
        file("web/src/a.test.ts", web),
        file(
            "web/e2e/path.spec.ts",
            "test('books', async () => {\n// spec: 9\nawait test.step('first', sign) })",
        ),
    ]);
    let expected = [
        Ok(mark("1", "a::one")),
        Ok(mark("2", "a::one")),
        Ok(mark("3", "a::two")),
        Err("crates/a/tests/it.rs: no test below the mark of 4".to_owned()),
        Err("crates/a/tests/it.rs: no test below the mark of 5".to_owned()),
        Ok(mark("6", "store::four")),
        Ok(mark("7", "server::six")),
        Ok(mark("8", "server::five")),
        Ok(mark("1", "web: says 'hi'")),
        Ok(mark("2", "web: takes %s")),
        Ok(mark("3", "web: three")),
        Ok(mark("9", "e2e: first")),
    ];
    assert_eq!(found, expected);
}
