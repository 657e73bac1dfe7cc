//! The files that people wrote.

use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders of the repository, from its root.
const ROOTS: [&str; 18] = [
    ".cargo",
    ".ci",
    ".github",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.toml",
    "README.md",
    "SECURITY.md",
    "benches",
    "build.rs",
    "docs",
    "examples",
    "fuzz",
    "python",
    "src",
    "systems",
    "tests",
    "viewer",
];
/// What programs wrote, and the advisories of others.
const GENERATED: [&str; 6] = ["advisories", "node_modules", "dist", "target", "__pycache__", ".venv"];
/// How the names of texts end. Models and meshes are the work of others.
const TEXTS: [&str; 15] =
    ["rs", "py", "pyi", "ts", "js", "mjs", "html", "css", "sh", "stderr", "md", "toml", "yaml", "yml", "txt"];

/// All of them, in order.
pub fn texts() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for root in ROOTS.map(Path::new).iter().filter(|root| root.exists()) {
        collect(root, &mut found);
    }
    found.sort();
    found
}

fn collect(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("");
            if !GENERATED.contains(&name) {
                collect(&path, found);
            }
        }
    } else if path.extension().and_then(|end| end.to_str()).is_some_and(|end| TEXTS.contains(&end))
        || path.ends_with(".ci/run")
    {
        found.push(path.to_owned());
    }
}
