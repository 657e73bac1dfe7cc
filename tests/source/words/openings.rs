//! First words of doc comments: a comment begins with what the thing is, not with a pronoun or half a question.

use super::files;

/// Words that say nothing yet: "What a run costs" is the cost of a run, "Whether it runs" is true if it runs.
const EMPTY: [&str; 6] = ["What", "Whether", "The same", "Those", "That", "It"];

/// The text of a line of a doc comment.
fn doc(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or_else(|| line.strip_prefix("//!")).map(str::trim_start)
}

/// The first line of each doc comment, with its number.
fn first_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut inside = false;
    text.lines().map(doc).enumerate().filter_map(move |(number, doc)| {
        let before = std::mem::replace(&mut inside, doc.is_some());
        doc.filter(|_| !before).map(|doc| (number + 1, doc))
    })
}

/// The lines of a text in which a doc comment begins with an empty word.
fn empty(text: &str) -> Vec<usize> {
    let begins =
        |line: &str, word: &str| line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    let is_empty = |line: &str| EMPTY.iter().any(|word| begins(line, word));
    first_lines(text).filter(|(_, line)| is_empty(line)).map(|(number, _)| number).collect()
}

#[test]
fn doc_comments_begin_with_the_thing() {
    let (mut count, mut found) = (0, Vec::new());
    for path in files::texts().into_iter().filter(|path| path.extension().is_some_and(|end| end == "rs")) {
        let text = crate::text(&path);
        count += first_lines(&text).count();
        found.extend(empty(&text).into_iter().map(|line| format!("{}:{line}", path.display())));
    }
    assert!(count > 10_000, "{count} doc comments");
    assert!(found.is_empty(), "\n{}\nbegin with one of {EMPTY:?}", found.join("\n"));
}

#[test]
fn first_words_of_doc_comments_are_found() {
    let text = "//! What a run is.\n//! It runs.\n\n/// Whether it runs.\nfn a() {}\n    /// The same, later.\n/// Those.\n\
                fn b() {} /// It\n// That is no doc comment.\n/// Item.\nfn c() {}\n/// It\nfn d() {}\n///It's\n";
    assert_eq!(first_lines(text).map(|(number, _)| number).collect::<Vec<_>>(), [1, 4, 6, 10, 12, 14]);
    assert_eq!(empty(text), [1, 4, 6, 12, 14]);
}
