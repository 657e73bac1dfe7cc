//! Every file and folder that the documents name exists. Entries of the log name what there was on their day: of these
//! the links alone lead somewhere.

use super::files;
use crate::{at, text};
use std::path::{Path, PathBuf};

/// Words that are paths from the root of the repository, and targets of links, from the folder of the document.
fn paths<'a>(text: &'a str, folder: &Path) -> Vec<(&'a str, PathBuf)> {
    let root = ["src/", "systems/", "tests/", "docs/", "benches/", "examples/", "viewer/", "python/", "fuzz/"];
    let ends = |c: char| c.is_whitespace() || "`()[]|<>\"*#".contains(c);
    let words = text.split(ends).map(|word| word.trim_end_matches(['.', ',', ':', ';']));
    let named = words.filter(|word| root.iter().any(|root| word.starts_with(root)));
    let links = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    let local = links.filter(|link| !link.is_empty() && !link.starts_with("http"));
    named.map(|word| (word, PathBuf::from(word))).chain(local.map(|link| (link, folder.join(link)))).collect()
}

#[test]
fn every_path_in_the_documents_exists() {
    let files: Vec<_> = files::texts().into_iter().filter(|path| path.extension().is_some_and(|e| e == "md")).collect();
    let (mut missing, mut count) = (Vec::new(), 0);
    for file in &files {
        for (named, path) in paths(&text(file), file.parent().expect("a folder")) {
            count += 1;
            let is_of_its_day = file.starts_with("docs/log") && path == Path::new(named);
            if !is_of_its_day && !at(&path).exists() {
                missing.push(format!("{}: {named}", file.display()));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
    assert!(files.len() >= 15 && count >= 60, "{count} paths in {} documents", files.len());
}

#[test]
fn paths_are_found_in_code_in_links_and_in_text() {
    let text =
        "See `src/lib.rs`, (tests/data) and [the guide](write-a-block.md#a-block), not [this](https://x.org/src/a).";
    let found: Vec<&str> = paths(text, Path::new("docs")).into_iter().map(|(named, _)| named).collect();
    assert_eq!(found, ["src/lib.rs", "tests/data", "write-a-block.md"]);
}
