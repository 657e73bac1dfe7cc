//! Words: the field's terms, one meaning each, and links that lead somewhere.
//!
//! `docs/glossary.md` has a table of words that this project no longer uses, each with the term to use instead. Nothing
//! in code, comments, messages or documents may use them: neither in prose nor inside names. Constants that are numbers
//! have to name their quantity. Doc comments begin with what the thing is. Comments stand within 120 columns, which
//! `cargo fmt` does not see to.
//! `cargo words` lists every place.

mod arguments;
mod files;
mod glossary;
mod links;
mod numbers;
mod openings;
mod paths;
mod scan;
mod tokens;

use crate::{at, text};
use glossary::Glossary;
use scan::Hit;
use std::fs;
use std::path::Path;

const GLOSSARY: &str = "docs/glossary.md";

fn glossary() -> Glossary {
    Glossary::read(&text(GLOSSARY))
}

/// A program that ends with an error prints its `Debug`: that is its message (`debug_is_message!`), not its fields.
/// What is said of shapes has another error around it, and notes are none.
#[test]
fn errors_do_not_derive_debug() {
    let is_of = |path: &Path, folder: &str| path.to_string_lossy().contains(folder);
    let mut found = Vec::new();
    for path in files::texts() {
        let is_library = path.starts_with("src") || path.starts_with("systems");
        let is_apart = ["/tests/", "systems/geometry/", "models/notes/"].iter().any(|folder| is_of(&path, folder));
        if !is_library || is_apart || path.extension().is_none_or(|end| end != "rs") {
            continue;
        }
        let derives = |line: &&str| line.starts_with("#[derive(") && line.contains("Debug") && line.contains("Error)");
        found.extend(text(&path).lines().filter(derives).map(|line| format!("{}: {line}", path.display())));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn no_word_stands_that_the_glossary_replaces() {
    let glossary = glossary();
    let mut hits: Vec<Hit> = Vec::new();
    let files = files::texts();
    assert!(files.len() > 900, "{} files", files.len());
    for path in files.iter().filter(|path| path.as_path() != Path::new(GLOSSARY)) {
        // What is not text in this encoding has no words.
        let Ok(text) = fs::read_to_string(at(path)) else { continue };
        hits.extend(scan::scan(&glossary, path, &text));
    }
    let listed: String = hits.iter().map(|hit| format!("{hit}\n")).collect();
    assert!(hits.is_empty(), "\n{listed}{} words that docs/glossary.md replaces", hits.len());
}

/// `cargo fmt` breaks the lines of code, not those of comments.
#[test]
fn comments_stand_within_120_columns() {
    let mut count = 0;
    let mut long = Vec::new();
    for path in files::texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let text = text(&path);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| line.trim_start().starts_with("//")) {
            count += 1;
            let columns = line.chars().count();
            if columns > 120 {
                long.push(format!("{}:{}: {columns} columns", path.display(), number + 1));
            }
        }
    }
    assert!(count > 10_000, "{count} lines of comments");
    assert!(long.is_empty(), "\n{}", long.join("\n"));
}

/// The table is there, and its words are looked for.
#[test]
fn the_glossary_lists_words_of_each_kind() {
    let glossary = glossary();
    let [phrases, names, numbers] = glossary.counts();
    assert!(phrases >= 20 && names >= 3 && numbers >= 20, "{phrases}, {names}, {numbers}");
}

fn found(path: &str, text: &str) -> Vec<(usize, String)> {
    let table = "## Words this project no longer uses\n\n| word | where | term |\n|---|---|---|\n\
                 | `gives up`, `quit` | text | stop |\n| `Quits` | name | stop |\n| `MUCH`, `MORE_*` | number | sum |\n";
    let hits = scan::scan(&Glossary::read(table), Path::new(path), text);
    hits.into_iter().map(|hit| (hit.line, hit.word)).collect()
}

#[test]
fn words_are_found_in_prose_and_inside_names() {
    let text = "// It gives\n    // up, and\nlet gives_up = GivesUp::new(); // GIVES_UP, gives-up\nmisquitted, quitter\nQuit it.";
    let expected = [(1, "gives up"), (3, "gives up"), (3, "gives up"), (3, "gives up"), (3, "gives up"), (5, "quit")];
    assert_eq!(found("a.rs", text), expected.map(|(line, word)| (line, word.to_owned())));
    assert_eq!(found("a.md", "It gives. Up there it gives 3 up."), []);
}

#[test]
fn names_are_found_in_code_alone() {
    let text = "struct Quits; // Quits\nlet c = '\"'; Quits(\"Quits\"); Quitsome\n/// Quits the loop.";
    assert_eq!(found("a.rs", text), [(1, "Quits".to_owned()), (2, "Quits".to_owned())]);
    assert_eq!(found("a.md", "Quits the loop."), []);
}

#[test]
fn constants_that_are_numbers_name_their_quantity() {
    let text = "const MUCH: f64 = 1.0;\npub(super) const MORE_ROWS: usize = 2;\nconst MUCH: &str = \"\";\nconst MUCHNESS: f64 = 1.0;\n\
                static MUCH: Duration = SECOND;";
    let expected = [(1, "MUCH"), (2, "MORE_ROWS"), (5, "MUCH")];
    assert_eq!(found("a.rs", text), expected.map(|(line, word)| (line, word.to_owned())));
    assert_eq!(found("a.ts", "export const MUCH = 12;\nconst MUCH = [1];"), [(1, "MUCH".to_owned())]);
}

#[test]
fn every_link_of_a_document_leads_somewhere() {
    let documents: Vec<_> =
        files::texts().into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    assert!(documents.len() > 60, "{} documents", documents.len());
    let faults: Vec<String> = documents.iter().flat_map(|path| links::faults(path)).collect();
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The documents of a folder, but for its index.
fn documents_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(at(folder)).expect("a folder");
    let mut names: Vec<_> = entries.map(|entry| entry.expect("an entry").file_name()).collect();
    names.sort();
    names.into_iter().map(|name| name.into_string().expect("a name")).filter(|name| name != "README.md").collect()
}

/// The indices of the decisions and of the log, and the book, have every one of them.
#[test]
fn every_decision_and_every_entry_of_the_log_is_in_its_index_and_in_the_book() {
    let summary = text("docs/SUMMARY.md");
    for (folder, least) in [("decisions", 20), ("log", 140)] {
        let index = text(format!("docs/{folder}/README.md"));
        let names = documents_in(&format!("docs/{folder}"));
        assert!(names.len() >= least, "{} files in docs/{folder}", names.len());
        for name in names {
            assert!(index.contains(&format!("]({name})")), "{name} is not in docs/{folder}/README.md");
            assert!(summary.contains(&format!("]({folder}/{name})")), "{name} is not in docs/SUMMARY.md");
        }
    }
}

/// A decision is one page, has its number and the parts of a decision, and names the entries that it rests on.
#[test]
fn decisions_are_one_page_each() {
    for (i, name) in documents_in("docs/decisions").iter().enumerate() {
        assert!(name.starts_with(&format!("{:02}-", i + 1)), "{name} is number {}", i + 1);
        let text = text(format!("docs/decisions/{name}"));
        for part in ["**Question.**", "**Verdict.**", "**Figures.**", "**Rejected.**", "**Numbers.**", "**Log.**"] {
            assert!(text.contains(part), "{name} has no {part}");
        }
        let (page, log) = text.split_once("**Log.**").expect("checked");
        assert!(log.contains("](../log/"), "{name} names no entry of the log");
        // A table has as many rows as there are numbers.
        let text = page.lines().filter(|line| !line.starts_with("| `")).flat_map(str::split_whitespace);
        let words = text.filter(|word| word.chars().any(char::is_alphanumeric)).count();
        assert!(words <= 520, "{name} has {words} words");
    }
}

/// The lines at the top of an entry of the log.
const FIELDS: [&str; 4] = ["- **Date**: ", "- **Question**: ", "- **Figure**: ", "- **Verdict**: "];

/// An entry of the log begins with its title and four lines, of which the first has the date of its name; and the table
/// of the log has them.
#[test]
fn entries_of_the_log_begin_with_four_lines() {
    let index = text("docs/log/README.md");
    for name in documents_in("docs/log") {
        let text = text(format!("docs/log/{name}"));
        let lines: Vec<&str> = text.lines().take(7).collect();
        let title = lines[0].strip_prefix("# ").unwrap_or_else(|| panic!("{name} has no title"));
        let mut fields = FIELDS.iter().zip(&lines[2..]).map(|(field, line)| {
            line.strip_prefix(field).unwrap_or_else(|| panic!("{name}: `{field}` in place of `{line}`"))
        });
        let date = fields.next().and_then(|date| date.get(..10)).unwrap_or_else(|| panic!("{name} has no date"));
        assert!(name.starts_with(&format!("{date}-")), "{name} is of {date}");
        let row = fields.fold(format!("| {date} | [{title}]({name})"), |row, field| row + " | " + field);
        assert!(index.contains(&format!("{row} |\n")), "the table of docs/log/README.md has no line {row} |");
        assert_eq!(lines[6], "", "{name}");
    }
}

#[test]
fn headings_have_the_anchors_that_pages_give_them() {
    for (heading, anchor) in [
        ("What trust costs", "what-trust-costs"),
        ("`sap` beside Drake's discrete plant", "sap-beside-drakes-discrete-plant"),
        ("Recording, the page, loading", "recording-the-page-loading"),
        ("[A](b.md): c_d", "a-c_d"),
    ] {
        assert_eq!(links::anchor(heading), anchor);
    }
    let text = "# A\n\n[b](#a) ![c](none.png) `[d](none)`\n\n```text\n[e](none.md)\n```\n[f](#b)\n";
    assert_eq!(links::targets(text), [(3, "#a".into()), (3, "none.png".into()), (8, "#b".into())]);
}
