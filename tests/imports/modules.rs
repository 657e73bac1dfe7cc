//! The modules of a crate, and in which file the thing stands that a path names.

use super::source::{self, Declarations, Import};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// One module: a file, or braces in one.
#[derive(Debug)]
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    declared: Declarations,
}

/// One file of the program.
#[derive(Debug)]
pub struct File {
    /// From the root of the repository, with `/`.
    pub path: String,
    /// The folder it belongs to: `a/mod.rs`, and `a.rs` where there is a folder `a`, belong to the folder `a`.
    pub folder: String,
    /// The files that it takes something from.
    pub imports: BTreeSet<usize>,
}

/// All files of some crates.
#[derive(Debug, Default)]
pub struct Program {
    modules: Vec<Module>,
    pub files: Vec<File>,
    /// The root module of each crate.
    crates: BTreeMap<String, usize>,
    /// Paths into these crates whose end is not found: `file: path`.
    pub unresolved: Vec<String>,
}

enum Found {
    Module(usize),
    Item(usize),
}

impl Program {
    /// Reads crates, given as name and path of the root file below `root`. Modules for tests are left out.
    pub fn read(root: &Path, crates: &[(&str, &str)]) -> Program {
        let mut program = Program::default();
        for (name, file) in crates {
            let file = PathBuf::from(file);
            let folder = file.parent().unwrap().to_owned();
            let module = program.read_file(root, &file, &folder, None);
            program.crates.insert((*name).to_owned(), module);
        }
        for module in 0..program.modules.len() {
            program.link(module);
        }
        program
    }

    /// Reads a file whose modules lie in `folder`.
    fn read_file(&mut self, root: &Path, file: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let text = std::fs::read_to_string(root.join(file)).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let declared = source::read(&text);
        let has_files = declared.modules.iter().any(|(_, inner)| inner.is_none());
        let of = if has_files { folder } else { file.parent().unwrap() };
        let plain = |path: &Path| path.to_str().unwrap().replace('\\', "/");
        self.files.push(File { path: plain(file), folder: plain(of), imports: BTreeSet::new() });
        self.add(root, declared, self.files.len() - 1, folder, parent)
    }

    fn add(
        &mut self,
        root: &Path,
        mut declared: Declarations,
        file: usize,
        folder: &Path,
        parent: Option<usize>,
    ) -> usize {
        let id = self.modules.len();
        let children = std::mem::take(&mut declared.modules);
        self.modules.push(Module { file, parent, children: BTreeMap::new(), declared });
        for (name, inner) in children {
            let below = folder.join(&name);
            let child = match inner {
                Some(inner) => self.add(root, inner, file, &below, Some(id)),
                None => {
                    let own = below.join("mod.rs");
                    let path = if root.join(&own).is_file() { own } else { folder.join(format!("{name}.rs")) };
                    self.read_file(root, &path, &below, Some(id))
                }
            };
            self.modules[id].children.insert(name, child);
        }
        id
    }

    /// Notes what the file of a module takes from others. Passing a name on is no use of it.
    fn link(&mut self, id: usize) {
        let module = &self.modules[id];
        let declared = &module.declared;
        let is_used =
            |import: &&Import| !import.public || import.name.as_ref().is_some_and(|n| declared.words.contains(n));
        let (globs, imports): (Vec<_>, Vec<_>) = declared.imports.iter().partition(|import| import.name.is_none());
        let mut wanted: Vec<Vec<String>> = declared.paths.clone();
        wanted.extend(imports.into_iter().filter(is_used).map(|import| import.path.clone()));
        let mut takes = BTreeSet::new();
        let mut unresolved = Vec::new();
        for path in wanted {
            match self.find(id, &path, 0) {
                Ok(Some(Found::Item(file))) => _ = takes.insert(file),
                // A module alone is nothing; paths through it follow.
                Ok(Some(Found::Module(_)) | None) => {}
                Err(()) => unresolved.push(format!("{}: {}", self.files[module.file].path, path.join("::"))),
            }
        }
        for glob in globs {
            if let Ok(Some(Found::Module(from))) = self.find(id, &glob.path, 0) {
                let words = declared.words.iter().filter(|word| !self.modules[id].children.contains_key(*word));
                takes.extend(words.filter_map(|word| match self.named(from, word, true, 0) {
                    Some(Found::Item(file)) => Some(file),
                    _ => None,
                }));
            }
        }
        let file = module.file;
        takes.remove(&file);
        self.files[file].imports.extend(takes);
        self.unresolved.extend(unresolved);
    }

    /// What a path in a module names; `None` if it is not of these crates, an error if it is, but is not there.
    fn find(&self, module: usize, path: &[String], depth: usize) -> Result<Option<Found>, ()> {
        let mut at = module;
        let mut rest = path;
        let mut inside = false;
        while let [first, after @ ..] = rest {
            match first.as_str() {
                "self" => {}
                "crate" => {
                    while let Some(parent) = self.modules[at].parent {
                        at = parent;
                    }
                }
                "super" => at = self.modules[at].parent.ok_or(())?,
                _ => break,
            }
            (rest, inside) = (after, true);
        }
        if let ([first, after @ ..], false) = (rest, inside)
            && self.named(at, first, after.is_empty(), depth).is_none()
        {
            let Some(&root) = self.crates.get(first) else { return Ok(None) };
            (at, rest) = (root, after);
        }
        while let [first, after @ ..] = rest {
            match self.named(at, first, after.is_empty(), depth) {
                Some(Found::Module(next)) => (at, rest) = (next, after),
                Some(found) => return Ok(Some(found)),
                None => return Err(()),
            }
        }
        Ok(Some(Found::Module(at)))
    }

    /// What a name is in a module. At the end of a path it is rather an item than a module.
    fn named(&self, id: usize, name: &str, at_end: bool, depth: usize) -> Option<Found> {
        // Imports in a ring do not compile; globs may form one.
        if depth > 16 {
            return None;
        }
        let module = &self.modules[id];
        let child = module.children.get(name).map(|&child| Found::Module(child));
        if child.is_some() && !at_end {
            return child;
        }
        if module.declared.items.contains(name) {
            return Some(Found::Item(module.file));
        }
        let imports = &module.declared.imports;
        let by_name = imports.iter().filter(|import| import.name.as_deref() == Some(name) && import.path[0] != name);
        let imported = by_name.filter_map(|import| self.find(id, &import.path, depth + 1).ok().flatten()).next();
        let mut through_globs = imports.iter().filter(|import| import.name.is_none()).filter_map(|glob| {
            match self.find(id, &glob.path, depth + 1) {
                Ok(Some(Found::Module(from))) if from != id => self.named(from, name, at_end, depth + 1),
                _ => None,
            }
        });
        imported.or(child).or_else(|| through_globs.next())
    }
}
