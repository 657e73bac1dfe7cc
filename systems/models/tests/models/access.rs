//! Tests of `systems/models/access.rs`.

use kinegraph_models::access::{real, relative};
use kinegraph_models::{AccessFault, FileAccess};
use std::path::Path;

#[test]
fn the_way_between_folders_is_written_as_people_do() {
    let way = |from: &str, to: &str| relative(Path::new(from), Path::new(to)).display().to_string();
    assert_eq!(way("/a/b", "/a/c/d"), "../c/d");
    assert_eq!(way("/a/b", "/a/b"), ".");
    assert_eq!(way("/a/b", "/"), "../..");
}

#[test]
fn missing_files_are_resolved_to_the_path_they_would_have() {
    let here = real(Path::new("."));
    assert_eq!(real(Path::new("no such/../x")), here.join("x"));
    assert_eq!(real(Path::new("no such/x")), here.join("no such/x"));
    let access = FileAccess::of_folder(Path::new("."));
    assert!(matches!(access.check(Path::new("no such/../../x")), Err(AccessFault::Outside { .. })));
    assert!(matches!(access.check(Path::new("no such/x")), Err(AccessFault::Missing { .. })));
    assert!(matches!(access.check(Path::new("models")), Err(AccessFault::NoFile { .. })));
}
