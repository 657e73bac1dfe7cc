//! Tests that read the source: which file imports which, the words that are used, the types of the page.
//!
//! `cargo test -p kinegraph-source-tests words` runs those of one module.

mod imports;
mod page_schema;
mod rust;
mod words;

use std::path::{Path, PathBuf};

/// A file or folder of the repository, by its path from the root.
fn at(path: impl AsRef<Path>) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// The text of a file of the repository.
fn text(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(at(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
