//! Arrows between files and between folders go one way.
//!
//! An arrow leads from file A to file B if A names something that stands in B: a function, a type, a constant, by `use`
//! or by a path. Whoever imports from a `mod.rs` what it only passes on (`pub use`) imports from the file where that
//! thing stands; passing on is no arrow. Modules for tests do not count. A file belongs to the folder it lies in;
//! `a/mod.rs`, and `a.rs` beside a folder `a`, belong to the folder `a`.
//!
//! In every folder, take its files, and the folders in it as a whole, with the arrows between them. What is connected
//! in a circle there may be files only, and four of them at most. So no circle of files crosses a folder: in the folder
//! that holds all of it, it would be a circle with a folder in it.

mod circles;
mod modules;
mod source;

use circles::circles;
use modules::{File, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// Each crate by name, and its root file.
const CRATES: [(&str, &str); 2] = [("kinegraph", "src/lib.rs"), ("kinegraph_systems", "systems/src/lib.rs")];

/// So many files may import each other in a circle.
const MOST: usize = 4;

/// Folders in which a circle is left. To be shortened only: an entry without a circle fails.
const LEFT: &[&str] = &[];

#[test]
fn arrows_between_files_and_folders_go_one_way() {
    let program = Program::read(Path::new(env!("CARGO_MANIFEST_DIR")), &CRATES);
    let found = all_circles(&program.files);
    let mut wrong = String::new();
    for (folder, circles) in &found {
        if !LEFT.contains(&folder.as_str()) {
            circles.iter().for_each(|circle| wrong += circle);
        }
    }
    for folder in LEFT.iter().filter(|folder| !found.contains_key(**folder)) {
        writeln!(wrong, "no circle is left in {folder}: take it off the list").unwrap();
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// What the scan does not understand it cannot judge.
#[test]
fn every_path_into_the_crates_is_found() {
    let program = Program::read(Path::new(env!("CARGO_MANIFEST_DIR")), &CRATES);
    assert!(program.files.len() > 300, "{} files", program.files.len());
    assert!(program.unresolved.is_empty(), "{:#?}", program.unresolved);
}

/// The circles that are not allowed, described, by the folder they lie in.
fn all_circles(files: &[File]) -> BTreeMap<String, Vec<String>> {
    let mut folders = BTreeSet::new();
    for file in files {
        folders.extend(Path::new(&file.folder).ancestors().filter_map(Path::to_str).filter(|path| !path.is_empty()));
    }
    let mut found = BTreeMap::new();
    for folder in folders {
        let circles = circles_in(folder, files);
        if !circles.is_empty() {
            found.insert(folder.to_owned(), circles);
        }
    }
    found
}

/// The circles that are not allowed among the files and folders of one folder, described.
fn circles_in(folder: &str, files: &[File]) -> Vec<String> {
    let members: Vec<Option<&str>> = files.iter().map(|file| member(folder, file)).collect();
    let names: Vec<&str> = members.iter().flatten().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let mut arrows: Vec<BTreeMap<usize, Vec<String>>> = vec![BTreeMap::new(); names.len()];
    let index = |name: &str| names.binary_search(&name).unwrap();
    for (file, from) in files.iter().zip(&members) {
        for &other in &file.imports {
            if let (Some(from), Some(to)) = (from, members[other])
                && *from != to
            {
                let arrow = format!("{} -> {}", file.path, files[other].path);
                arrows[index(from)].entry(index(to)).or_default().push(arrow);
            }
        }
    }
    let next: Vec<Vec<usize>> = arrows.iter().map(|to| to.keys().copied().collect()).collect();
    let is_folder = |&member: &usize| !names[member].ends_with(".rs");
    let mut described = Vec::new();
    for circle in circles(&next).into_iter().filter(|circle| circle.len() > MOST || circle.iter().any(is_folder)) {
        let what: Vec<&str> = circle.iter().map(|&member| names[member]).collect();
        let mut text = format!("a circle in {folder}: {}\n", what.join(", "));
        for (from, to) in circle.iter().flat_map(|from| circle.iter().map(move |to| (from, to))) {
            let arrows = arrows[*from].get(to).into_iter().flatten();
            arrows.take(5).for_each(|arrow| writeln!(text, "    {arrow}").unwrap());
        }
        described.push(text);
    }
    described
}

/// The file, or the folder in `folder` that holds it.
fn member<'f>(folder: &str, file: &'f File) -> Option<&'f str> {
    let below = Path::new(&file.folder).strip_prefix(folder).ok()?;
    match below.components().next() {
        None => Some(&file.path),
        Some(first) => Some(&file.folder[..folder.len() + 1 + first.as_os_str().len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate in a folder of its own, from paths and texts.
    fn program(name: &str, texts: &[(&str, &str)]) -> Program {
        let root = std::env::temp_dir().join(format!("kinegraph_imports_{name}_{}", std::process::id()));
        for (path, text) in texts {
            let path = root.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let program = Program::read(&root, &[("own", "src/lib.rs")]);
        std::fs::remove_dir_all(&root).unwrap();
        program
    }

    fn arrows(program: &Program) -> Vec<String> {
        let file = |i: &usize| program.files[*i].path.trim_start_matches("src/").to_owned();
        let of = |f: &File| -> Vec<String> { f.imports.iter().map(file).collect() };
        let from = |f: &File| f.path.trim_start_matches("src/").to_owned();
        let all = program.files.iter().flat_map(|f| of(f).into_iter().map(move |to| format!("{} -> {to}", from(f))));
        let mut all: Vec<String> = all.collect();
        all.sort();
        all
    }

    #[test]
    fn arrows_lead_to_where_a_thing_stands() {
        let program = program(
            "arrows",
            &[
                ("src/lib.rs", "pub mod a; mod b; mod c; pub use a::deep as under; pub use b::Late;"),
                ("src/a/mod.rs", "mod x; mod y; pub mod deep { pub use super::y::*; } pub use x::{X, new as make};"),
                ("src/a/x.rs", "use super::deep::Y; pub struct X(Y); pub fn new() -> X { crate::under::free() }"),
                ("src/a/y.rs", "pub struct Y; pub fn free() {} #[cfg(test)] mod tests { use crate::Late; }"),
                ("src/b.rs", "use own::a; pub struct Late; fn f() { a::make(); a::unknown(); std::mem::drop(1) }"),
                ("src/c.rs", "use super::*; use crate::a::*; struct C(X, Late); fn f(free: u8) -> u8 { free }"),
            ],
        );
        assert_eq!(arrows(&program), ["a/x.rs -> a/y.rs", "b.rs -> a/x.rs", "c.rs -> a/x.rs", "c.rs -> b.rs"]);
        assert_eq!(program.unresolved, ["src/b.rs: a::unknown"]);
    }

    #[test]
    fn circles_of_folders_and_large_circles_are_found() {
        let ring = "pub struct A; use super::b::A as B; ";
        let program = program(
            "circles",
            &[
                ("src/lib.rs", "mod small; mod a; mod b; mod large;"),
                ("src/small.rs", "mod p; mod q; pub use p::P;"),
                ("src/small/p.rs", "pub struct P; use super::q::Q;"),
                ("src/small/q.rs", "pub struct Q; use super::P;"),
                ("src/a/mod.rs", "mod one; mod two; pub use one::One; pub use two::Two;"),
                ("src/a/one.rs", "pub struct One; use crate::b::B;"),
                ("src/a/two.rs", "pub struct Two;"),
                ("src/b.rs", "pub struct B; use crate::a::Two;"),
                ("src/large/mod.rs", "mod a; mod b; mod c; mod d; mod e;"),
                ("src/large/a.rs", ring),
                ("src/large/b.rs", &ring.replace("b::", "c::")),
                ("src/large/c.rs", &ring.replace("b::", "d::")),
                ("src/large/d.rs", &ring.replace("b::", "e::")),
                ("src/large/e.rs", &ring.replace("b::", "a::")),
            ],
        );
        let found = all_circles(&program.files);
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["src", "src/large"]);
        // The files of a and b are in no circle, the folders are.
        assert!(found["src"][0].starts_with("a circle in src: src/a, src/b.rs\n"), "{}", found["src"][0]);
        assert!(found["src/large"][0].contains("src/large/e.rs -> src/large/a.rs"), "{}", found["src/large"][0]);
    }
}
