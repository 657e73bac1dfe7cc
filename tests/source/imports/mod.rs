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
//!
//! The page and the package for Python have a declared order as well ([`PAGE`], [`PYTHON_FILES`]), and no circle at
//! all. So do the crates ([`CRATES`]): cargo allows no circle, but any order. What one crate takes from another through
//! the names that a third passes on counts as taken from where it stands.

mod circles;
mod scripts;

use crate::rust::{CRATES, File, Program};
use circles::circles;
use scripts::{Language, PYTHON, TYPESCRIPT};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// So many files may import each other in a circle.
const MAX_CIRCLE_FILES: usize = 4;

/// Folders in which a circle is left. To be shortened only: an entry without a circle fails.
const FOLDERS_WITH_CIRCLES: &[&str] = &[];

/// Folders of which the first imports nothing of the second: a run loop, a recording, a plot need no diagram files,
/// and no format of models needs another.
const FORBIDDEN: &[(&str, &str)] = &[
    ("src/engine/simulate", "src/files"),
    ("src/engine/simulate", "src/scenario"),
    ("src/files", "src/engine/simulate"),
    ("src/files", "src/scenario"),
    ("src/io/record", "src/files"),
    ("src/io/plot", "src/files"),
    ("systems/models/sdf", "systems/models/urdf"),
    ("systems/models/mjcf", "systems/models/urdf"),
    ("systems/models/urdf", "systems/models/sdf"),
];

/// The folders and files of the page: each imports those above it only.
const PAGE: &[&str] = &[
    "viewer/src/shared/",
    "viewer/src/stream/",
    "viewer/src/playback/",
    "viewer/src/theme/",
    "viewer/src/scene/",
    "viewer/src/requirements/",
    "viewer/src/plots/",
    "viewer/src/steps/",
    "viewer/src/diagram/",
    "viewer/src/controls/",
    "viewer/src/page.ts",
    "viewer/src/picture.ts",
    "viewer/src/api.ts",
    "viewer/src/main.ts",
];

/// The files of the package for Python: each imports those above it only.
const PYTHON_FILES: &[&str] = &[
    "python/kinegraph/errors.py",
    "python/kinegraph/ports.py",
    "python/kinegraph/options.py",
    "python/kinegraph/blocks.py",
    "python/kinegraph/block.py",
    "python/kinegraph/diagram.py",
    "python/kinegraph/recording.py",
    "python/kinegraph/derivatives.py",
    "python/kinegraph/fits.py",
    "python/kinegraph/notebook.py",
    "python/kinegraph/simulation.py",
    "python/kinegraph/worlds.py",
    "python/kinegraph/sweep.py",
    "python/kinegraph/cluster.py",
    "python/kinegraph/stubs.py",
    "python/kinegraph/__init__.py",
];

#[test]
fn arrows_between_files_and_folders_go_one_way() {
    let program = Program::read();
    let found = all_circles(&program.files, MAX_CIRCLE_FILES);
    let mut wrong = String::new();
    for (folder, circles) in &found {
        if !FOLDERS_WITH_CIRCLES.contains(&folder.as_str()) {
            circles.iter().for_each(|circle| wrong += circle);
        }
    }
    for folder in FOLDERS_WITH_CIRCLES.iter().filter(|folder| !found.contains_key(**folder)) {
        writeln!(wrong, "no circle is left in {folder}: take it off the list").unwrap();
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// Folders in which no folder takes anything from another but `common`: what two of them use stands there.
const SIBLINGS: &[&str] = &["src/convex/solvers"];

#[test]
fn siblings_take_nothing_from_each_other() {
    let program = Program::read();
    let found: Vec<String> = SIBLINGS.iter().flat_map(|folder| between_siblings(folder, &program.files)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// The arrows between folders in `folder` other than to `common`.
fn between_siblings(folder: &str, files: &[File]) -> Vec<String> {
    let own = |file: &File| member(folder, file).filter(|name| !name.ends_with(".rs")).map(str::to_owned);
    let mut found = Vec::new();
    for file in files {
        let Some(from) = own(file) else { continue };
        let others = file.imports.iter().map(|&i| &files[i]);
        for other in others.filter(|other| own(other).is_some_and(|to| to != from && !to.ends_with("/common"))) {
            found.push(format!("{} -> {}", file.path, other.path));
        }
    }
    found
}

/// The methods of the contact problem stand with it: what a solver or a scheme does to it are functions of theirs.
#[test]
fn the_problem_has_its_methods_in_one_folder() {
    let program = Program::read();
    let outside = program.files.iter().filter(|file| !file.path.starts_with("src/convex/contact/"));
    let found: Vec<_> =
        outside.filter(|file| crate::text(&file.path).contains("\nimpl Problem {")).map(|file| &file.path).collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn forbidden_imports_are_not_there() {
    let program = Program::read();
    for (from, to) in FORBIDDEN {
        let exists = |folder: &str| program.files.iter().any(|file| is_in(file, folder));
        assert!(exists(from) && exists(to), "{from} or {to} is no folder");
        let wrong = arrows_between(&program.files, from, to);
        assert!(wrong.is_empty(), "{from} imports {to}:\n{}", wrong.join("\n"));
    }
}

/// Crates are declared in the order of their arrows.
#[test]
fn crates_take_from_those_above_them_only() {
    let order: Vec<String> = CRATES.iter().map(|(_, root)| root.replace("lib.rs", "")).collect();
    let wrong = against_order(&Program::read().files, &order.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_page_imports_in_its_declared_order() {
    assert_order("viewer/src", &TYPESCRIPT, PAGE);
}

#[test]
fn the_package_for_python_imports_in_its_declared_order() {
    assert_order("python/kinegraph", &PYTHON, PYTHON_FILES);
}

/// Every import is found and leads upwards in `order` or stays in its folder, and no files import each other in a
/// circle.
fn assert_order(folder: &str, language: &Language, order: &[&str]) {
    let (files, unresolved) = scripts::read(folder, language);
    assert!(unresolved.is_empty(), "{unresolved:#?}");
    let wrong = against_order(&files, order);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let circles: Vec<String> = all_circles(&files, 1).into_values().flatten().collect();
    assert!(circles.is_empty(), "{}", circles.concat());
}

/// Violations of a declared order: arrows downwards, files without a place in it, places without a file.
fn against_order(files: &[File], order: &[&str]) -> Vec<String> {
    let rank = |file: &File| order.iter().position(|place| file.path.starts_with(place));
    let has_file = |place: &&&str| files.iter().any(|file| file.path.starts_with(**place));
    let empty = order.iter().filter(|place| !has_file(place)).map(|place| format!("{place} is not there"));
    let mut wrong: Vec<String> = empty.collect();
    for file in files {
        let Some(own) = rank(file) else {
            wrong.push(format!("{} has no place in the declared order", file.path));
            continue;
        };
        let lower = file.imports.iter().map(|&other| &files[other]).filter(|other| rank(other) > Some(own));
        wrong.extend(lower.map(|other| format!("{} imports {}, which stands below it", file.path, other.path)));
    }
    wrong
}

/// True if a file lies in a folder, at any depth.
fn is_in(file: &File, folder: &str) -> bool {
    Path::new(&file.folder).starts_with(folder)
}

/// The arrows from the files of one folder to those of another.
fn arrows_between(files: &[File], from: &str, to: &str) -> Vec<String> {
    let mut arrows = Vec::new();
    for file in files.iter().filter(|file| is_in(file, from)) {
        let others = file.imports.iter().map(|&other| &files[other]).filter(|other| is_in(other, to));
        arrows.extend(others.map(|other| format!("{} -> {}", file.path, other.path)));
    }
    arrows
}

/// The scan cannot judge paths that it does not understand.
#[test]
fn every_path_into_the_crates_is_found() {
    let program = Program::read();
    assert!(program.files.len() > 300, "{} files", program.files.len());
    assert!(program.unresolved.is_empty(), "{:#?}", program.unresolved);
}

/// The circles that are not allowed, described, by the folder they lie in: those of more than `max_files` files, or
/// with a folder.
fn all_circles(files: &[File], max_files: usize) -> BTreeMap<String, Vec<String>> {
    let mut folders = BTreeSet::new();
    for file in files {
        folders.extend(Path::new(&file.folder).ancestors().filter_map(Path::to_str).filter(|path| !path.is_empty()));
    }
    let mut found = BTreeMap::new();
    for folder in folders {
        let circles = circles_in(folder, files, max_files);
        if !circles.is_empty() {
            found.insert(folder.to_owned(), circles);
        }
    }
    found
}

/// The circles that are not allowed among the files and folders of one folder, described.
fn circles_in(folder: &str, files: &[File], max_files: usize) -> Vec<String> {
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
    let is_folder = |&member: &usize| !files.iter().any(|file| file.path == names[member]);
    let mut described = Vec::new();
    for circle in circles(&next).into_iter().filter(|circle| circle.len() > max_files || circle.iter().any(is_folder)) {
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

    /// A crate of some texts, each with its path.
    fn program(texts: &[(&str, &str)]) -> Program {
        let text = |path: &str| texts.iter().find(|(own, _)| *own == path).map(|(_, text)| (*text).to_owned());
        Program::of(&[("own", "src/lib.rs")], &text)
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
        let program = program(&[
            ("src/lib.rs", "pub mod a; mod b; mod c; pub use a::deep as under; pub use b::Late;"),
            ("src/a/mod.rs", "mod x; mod y; pub mod deep { pub use super::y::*; } pub use x::{X, new as make};"),
            ("src/a/x.rs", "use super::deep::Y; pub struct X(Y); pub fn new() -> X { crate::under::free() }"),
            ("src/a/y.rs", "pub struct Y; pub fn free() {} #[cfg(test)] mod tests { use crate::Late; }"),
            ("src/b.rs", "use own::a; pub struct Late; fn f() { a::make(); a::unknown(); std::mem::drop(1) }"),
            ("src/c.rs", "use super::*; use crate::a::*; struct C(X, Late); fn f(free: u8) -> u8 { free }"),
        ]);
        assert_eq!(arrows(&program), ["a/x.rs -> a/y.rs", "b.rs -> a/x.rs", "c.rs -> a/x.rs", "c.rs -> b.rs"]);
        assert_eq!(program.unresolved, ["src/b.rs: a::unknown"]);
    }

    #[test]
    fn arrows_between_siblings_are_found() {
        let program = program(&[
            ("src/lib.rs", "mod s;"),
            ("src/s/mod.rs", "mod a; mod b; mod common; pub struct Own;"),
            ("src/s/a.rs", "mod deep; use super::common::Shared; use super::Own;"),
            ("src/s/a/deep.rs", "use crate::s::b::B;"),
            ("src/s/b/mod.rs", "pub struct B; use super::common::Shared;"),
            ("src/s/common/mod.rs", "pub struct Shared;"),
        ]);
        assert_eq!(between_siblings("src/s", &program.files), ["src/s/a/deep.rs -> src/s/b/mod.rs"]);
    }

    #[test]
    fn circles_of_folders_and_large_circles_are_found() {
        let ring = "pub struct A; use super::b::A as B; ";
        let program = program(&[
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
        ]);
        let found = all_circles(&program.files, MAX_CIRCLE_FILES);
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), ["src", "src/large"]);
        // The files of a and b are in no circle, the folders are.
        assert!(found["src"][0].starts_with("a circle in src: src/a, src/b.rs\n"), "{}", found["src"][0]);
        assert!(found["src/large"][0].contains("src/large/e.rs -> src/large/a.rs"), "{}", found["src/large"][0]);
    }

    #[test]
    fn imports_against_the_declared_order_are_found() {
        let file = |path: &str, imports: &[usize]| File {
            path: path.to_owned(),
            folder: Path::new(path).parent().unwrap().to_str().unwrap().to_owned(),
            imports: imports.iter().copied().collect(),
        };
        let files = [file("v/low/a", &[1, 2]), file("v/low/b", &[]), file("v/high/c", &[0]), file("v/new", &[])];
        assert_eq!(
            against_order(&files, &["v/low/", "v/gone/", "v/high/"]),
            [
                "v/gone/ is not there",
                "v/low/a imports v/high/c, which stands below it",
                "v/new has no place in the declared order",
            ],
        );
        assert_eq!(arrows_between(&files, "v/high", "v/low"), ["v/high/c -> v/low/a"]);
        let circles = all_circles(&files[..3], 1);
        assert_eq!(circles.keys().collect::<Vec<_>>(), ["v"]);
    }
}
