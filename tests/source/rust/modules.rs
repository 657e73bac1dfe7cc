//! The modules of a crate, and in which file the thing stands that a path names.

use super::declarations::{Declarations, Import};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use syn::Item;

/// Each crate by name, and its root file, in the order of their arrows: each takes from those above it only.
pub const CRATES: [(&str, &str); 16] = [
    ("kinegraph_geometry", "systems/geometry/lib.rs"),
    ("kinegraph_core", "systems/core/lib.rs"),
    ("kinegraph_multibody", "systems/multibody/lib.rs"),
    ("kinegraph_models", "systems/models/lib.rs"),
    ("kinegraph_systems", "systems/src/lib.rs"),
    ("kinegraph_diagram", "src/diagram/lib.rs"),
    ("kinegraph_convex", "src/convex/lib.rs"),
    ("kinegraph_engine", "src/engine/lib.rs"),
    ("kinegraph_methods", "src/methods/lib.rs"),
    ("kinegraph_data", "src/data/lib.rs"),
    ("kinegraph_files", "src/files/lib.rs"),
    ("kinegraph_scenario", "src/scenario/lib.rs"),
    ("kinegraph_io", "src/io/lib.rs"),
    ("kinegraph_page", "viewer/lib.rs"),
    ("kinegraph", "src/lib.rs"),
    ("kinegraph_python", "python/src/lib.rs"),
];

/// One module: a file, or braces in one.
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    declared: Declarations,
    /// Of the root of a crate: the macros that it exports, and the modules that declare them.
    macros: BTreeMap<String, usize>,
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

/// Where a thing stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    module: usize,
    name: String,
}

/// All files of some crates.
#[derive(Default)]
pub struct Program {
    modules: Vec<Module>,
    pub files: Vec<File>,
    /// The root module of each crate.
    crates: BTreeMap<String, usize>,
    /// Paths into these crates whose end is not found: `file: path`.
    pub unresolved: Vec<String>,
}

/// The text of a file, by its path from the root of the repository.
type Texts<'t> = &'t dyn Fn(&str) -> Option<String>;

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

enum Found {
    Module(usize),
    Item(Place),
}

impl Program {
    /// The crates of this repository, read once. Modules for tests are left out.
    pub fn read() -> &'static Program {
        static PROGRAM: LazyLock<Program> =
            LazyLock::new(|| Program::of(&CRATES, &|path| std::fs::read_to_string(crate::at(path)).ok()));
        &PROGRAM
    }

    /// Crates of these names and root files, of texts that `text` gives.
    pub fn of(crates: &[(&str, &str)], text: &dyn Fn(&str) -> Option<String>) -> Program {
        let mut program = Program::default();
        for (name, file) in crates {
            let folder = parent(file);
            let first = program.modules.len();
            let module = program.read_file(text, &[file], folder, None);
            for id in first..program.modules.len() {
                let exported = program.modules[id].declared.exported.clone();
                program.modules[module].macros.extend(exported.into_iter().map(|name| (name, id)));
            }
            program.crates.insert((*name).to_owned(), module);
        }
        for module in 0..program.modules.len() {
            program.link(module);
        }
        program
    }

    /// Reads the first of some files that is there, whose modules lie in `folder`.
    fn read_file(&mut self, text: Texts, paths: &[&str], folder: &str, parent_module: Option<usize>) -> usize {
        let found = paths.iter().find_map(|path| Some((*path, text(path)?)));
        let (path, source) = found.unwrap_or_else(|| panic!("none of {paths:?} is there"));
        let declared = Declarations::read(&source).unwrap_or_else(|error| panic!("{path}: {error}"));
        let has_files = declared.modules.iter().any(|(_, inner)| inner.is_none());
        let of = if has_files { folder } else { parent(path) };
        self.files.push(File { path: path.to_owned(), folder: of.to_owned(), imports: BTreeSet::new() });
        self.add(text, declared, self.files.len() - 1, folder, parent_module)
    }

    /// Adds a module of a file, whose modules lie in `folder`.
    fn add(
        &mut self,
        text: Texts,
        mut declared: Declarations,
        file: usize,
        folder: &str,
        parent: Option<usize>,
    ) -> usize {
        let id = self.modules.len();
        let children = std::mem::take(&mut declared.modules);
        self.modules.push(Module { file, parent, children: BTreeMap::new(), declared, macros: BTreeMap::new() });
        for (name, inner) in children {
            let below = format!("{folder}/{name}");
            let child = match inner {
                Some(inner) => self.add(text, inner, file, &below, Some(id)),
                None => self.read_file(text, &[&format!("{below}/mod.rs"), &format!("{below}.rs")], &below, Some(id)),
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
                Ok(Some(Found::Item(place))) => _ = takes.insert(self.modules[place.module].file),
                // A module alone is nothing; paths through it follow.
                Ok(Some(Found::Module(_)) | None) => {}
                Err(()) => unresolved.push(format!("{}: {}", self.files[module.file].path, path.join("::"))),
            }
        }
        for glob in globs {
            if let Ok(Some(Found::Module(from))) = self.find(id, &glob.path, 0) {
                let words = declared.words.iter().filter(|word| !self.modules[id].children.contains_key(*word));
                takes.extend(words.filter_map(|word| match self.named(from, word, true, 0) {
                    Some(Found::Item(place)) => Some(self.modules[place.module].file),
                    _ => None,
                }));
            }
        }
        let file = module.file;
        takes.remove(&file);
        self.files[file].imports.extend(takes);
        self.unresolved.extend(unresolved);
    }

    /// Where the thing stands that a path names in the module of another, or in no module.
    pub fn place(&self, from: Option<&Place>, path: &[String]) -> Option<Place> {
        match self.find(from.map_or(0, |from| from.module), path, 0) {
            Ok(Some(Found::Item(place))) => Some(place),
            _ => None,
        }
    }

    /// The struct, enum or constant that stands at a place; `None` if it is another thing, or a macro makes it.
    pub fn item(&self, place: &Place) -> Option<Item> {
        let text = self.modules[place.module].declared.items[&place.name].as_ref()?;
        syn::parse_str(text).ok()
    }

    /// Finds what a path in a module names; `None` if it is not of these crates, an error if it is, but is not there.
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

    /// Finds what a name is in a module. At the end of a path it is rather an item than a module.
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
        if module.declared.items.contains_key(name) {
            return Some(Found::Item(Place { module: id, name: name.to_owned() }));
        }
        if let Some(&from) = module.macros.get(name).filter(|_| at_end) {
            return Some(Found::Item(Place { module: from, name: name.to_owned() }));
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
