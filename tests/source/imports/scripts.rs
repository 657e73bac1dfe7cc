//! Files of the page (TypeScript) and of the package for Python, with the files that each imports.

use crate::rust::File;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

/// A language, as far as imports go.
pub struct Language {
    /// The ending of its files.
    pub ending: &'static str,
    /// Finds the imports in the text of a file, as paths or names relative to the file.
    targets: fn(&str) -> Vec<String>,
    /// The file of the same program that a target stands for: from the folder of the importing file, and the target.
    file_of: fn(&Files, &Path, &str) -> Target,
}

/// Where an import leads.
enum Target {
    /// To a file of the same program.
    File(String),
    /// Out of it: a library, a style sheet.
    Foreign,
    /// Nowhere.
    Missing,
}

/// The files of a program: its paths from the root of the repository, and texts.
type Files = BTreeMap<String, String>;

/// TypeScript: `from './a'`, `import './a'`, `import('./a')`.
pub const TYPESCRIPT: Language = Language { ending: ".ts", targets: typescript_targets, file_of: typescript_file };
/// Python: `from .a import b`, `from . import a`.
pub const PYTHON: Language = Language { ending: ".py", targets: python_targets, file_of: python_file };

/// The files below `folder`, each with what it imports, and the imports that lead nowhere (`file: target`).
pub fn read(folder: &str, language: &Language) -> (Vec<File>, Vec<String>) {
    let mut texts = Files::new();
    collect(Path::new(folder), language.ending, &mut texts);
    let paths: Vec<&String> = texts.keys().collect();
    let (mut files, mut unresolved) = (Vec::new(), Vec::new());
    for (path, text) in &texts {
        let own = Path::new(path).parent().unwrap();
        let mut imports = BTreeSet::new();
        for target in (language.targets)(text) {
            match (language.file_of)(&texts, own, &target) {
                Target::File(file) if file != *path => _ = imports.insert(paths.binary_search(&&file).unwrap()),
                Target::Missing => unresolved.push(format!("{path}: {target}")),
                Target::File(_) | Target::Foreign => {}
            }
        }
        files.push(File { path: path.clone(), folder: plain(own), imports });
    }
    (files, unresolved)
}

fn collect(folder: &Path, ending: &str, texts: &mut Files) {
    for entry in std::fs::read_dir(crate::at(folder)).unwrap().map(Result::unwrap) {
        let path = folder.join(entry.file_name());
        if entry.path().is_dir() {
            collect(&path, ending, texts);
        } else if path.to_str().unwrap().ends_with(ending) {
            texts.insert(plain(&path), std::fs::read_to_string(entry.path()).unwrap());
        }
    }
}

fn plain(path: &Path) -> String {
    path.to_str().unwrap().replace('\\', "/")
}

/// `a/b/../c` is `a/c`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = normal.pop(),
            Component::CurDir => {}
            part => normal.push(part),
        }
    }
    normal
}

fn typescript_targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut in_comment = false;
    for line in text.lines() {
        let line = line.trim();
        in_comment |= line.starts_with("/*");
        if !in_comment && !line.starts_with("//") {
            let marks = ["from '", "import '", "import('"];
            let found = marks.iter().flat_map(|mark| line.split(mark).skip(1).map(|rest| (*mark, rest)));
            // `from '` stands in text as well: there it is no end of a statement.
            let statement = found.filter(|(mark, rest)| *mark != "from '" || rest.ends_with("';"));
            targets.extend(statement.filter_map(|(_, rest)| rest.split('\'').next()).map(str::to_owned));
        }
        in_comment &= !line.ends_with("*/");
    }
    targets
}

fn typescript_file(files: &Files, own: &Path, target: &str) -> Target {
    if !target.starts_with('.') || target.ends_with(".css") {
        return Target::Foreign;
    }
    let path = format!("{}.ts", plain(&normal(&own.join(target))));
    if files.contains_key(&path) { Target::File(path) } else { Target::Missing }
}

/// `.a` for `from .a import b`; `.a` and `.b` for `from . import a, b`; the first dot is the package.
fn python_targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    let mut lines = text.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(rest) = line.strip_prefix("from .") else { continue };
        let Some((module, names)) = rest.split_once(" import ") else { continue };
        if !module.is_empty() {
            targets.push(format!(".{module}"));
            continue;
        }
        let mut names = names.to_owned();
        while names.contains('(') && !names.contains(')') {
            names += lines.next().unwrap_or(")");
        }
        let names = names.trim_matches(['(', ')']).split(',').filter_map(|name| name.split_whitespace().next());
        targets.extend(names.map(|name| format!(".{name}")));
    }
    targets
}

fn python_file(files: &Files, own: &Path, target: &str) -> Target {
    let name = target.trim_start_matches('.');
    // What Rust compiles is no file of the package.
    if name == "_kinegraph" {
        return Target::Foreign;
    }
    let path = plain(&own.join(format!("{}.py", name.replace('.', "/"))));
    if files.contains_key(&path) { Target::File(path) } else { Target::Missing }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_of_typescript_are_found() {
        let text = "
            /** import './comment';
             * from './comment'; */
            // import './comment';
            import './style.css';
            import { a, type B } from '../shared/a';
            import {
              c,
            } from './c';
            export * from './d';
            const e = await import('./e');
            say('far from ', './text');
        ";
        assert_eq!(typescript_targets(text), ["./style.css", "../shared/a", "./c", "./d", "./e"]);
        let files: Files = [("v/a/c.ts".to_owned(), String::new()), ("v/b.ts".to_owned(), String::new())].into();
        let of = |target| typescript_file(&files, Path::new("v/a"), target);
        assert!(matches!(of("./c"), Target::File(path) if path == "v/a/c.ts"));
        assert!(matches!(of("../b"), Target::File(path) if path == "v/b.ts"));
        assert!(matches!(of("./gone"), Target::Missing));
        assert!(matches!(of("three"), Target::Foreign));
    }

    #[test]
    fn imports_of_python_are_found() {
        let text = "
            import os
            from typing import Any
            from . import _kinegraph, notebook as page
            from . import (
                one,
                two)
            from .ports import Port, Named
            if TYPE_CHECKING:
                from .late import Late
        ";
        assert_eq!(python_targets(text), ["._kinegraph", ".notebook", ".one", ".two", ".ports", ".late"]);
    }
}
