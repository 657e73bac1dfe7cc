//! The files that people wrote.

use crate::at;
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders of the repository, from its root.
const ROOTS: [&str; 17] = [
    ".cargo",
    ".ci",
    ".github",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "README.md",
    "SECURITY.md",
    "benches",
    "docs",
    "examples",
    "fuzz",
    "python",
    "src",
    "systems",
    "tests",
    "viewer",
];
/// Folders that programs wrote, and the advisories of others.
const GENERATED: [&str; 6] = ["advisories", "node_modules", "dist", "target", "__pycache__", ".venv"];
/// How the names of texts end. Models and meshes are the work of others.
const TEXTS: [&str; 15] =
    ["rs", "py", "pyi", "ts", "js", "mjs", "html", "css", "sh", "stderr", "md", "toml", "yaml", "yml", "txt"];

/// All of them, by their paths from the root, in order.
pub fn texts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in ROOTS.map(Path::new).iter().filter(|root| at(root).exists()) {
        collect(root, &mut found);
    }
    found.sort();
    found
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if at(path).is_dir() {
        for entry in fs::read_dir(at(path)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            if name.to_str().is_none_or(|name| !GENERATED.contains(&name)) {
                collect(&path.join(name), found);
            }
        }
    } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| TEXTS.contains(&end))
        || path.ends_with(".ci/run")
    {
        found.push(path.to_owned());
    }
}
