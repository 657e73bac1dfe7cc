//! The files that a command writes, all of them claimed before the first is opened.

use kinegraph::cli::outputs::{OutputFormat, Outputs};
use std::fs;
use std::path::Path;

/// Every spelling of one file is that file, whether it exists or not.
#[test]
fn two_outputs_are_two_files_and_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["input.csv", "old.csv"] {
        fs::write(path(name), "old").unwrap();
    }
    fs::hard_link(path("input.csv"), path("hard.csv")).unwrap();
    fs::create_dir(path("below")).unwrap();
    let mut outputs = Outputs::new(vec![path("input.csv")]);
    for input in ["input.csv", "./input.csv", "below/../input.csv", "hard.csv"] {
        let why = outputs.claim("--record", &path(input), &OutputFormat::TABLES).unwrap_err();
        assert!(why.contains("is read by this command"), "{why}");
    }
    outputs.claim("--record", &path("new.csv"), &OutputFormat::TABLES).unwrap();
    outputs.claim("--record", &path("old.csv"), &OutputFormat::TABLES).unwrap();
    for other in ["new.csv", "below/../new.csv", "old.csv", "./old.csv"] {
        let why = outputs.claim("--steps", &path(other), &OutputFormat::STEPS).unwrap_err();
        assert!(why.contains("--record writes this file"), "{why}");
        assert!(outputs.claim("--record", &path(other), &OutputFormat::TABLES).unwrap_err().ends_with("named twice"));
    }
    assert_eq!(fs::read(path("old.csv")).unwrap(), b"old");
    assert!(!path("new.csv").exists());
}

#[test]
fn a_file_that_a_mesh_names_is_read_too() {
    let folder = tempfile::tempdir().unwrap();
    let (mesh, colours) = (folder.path().join("a.obj"), folder.path().join("colours.json"));
    fs::write(&mesh, "mtllib colours.json\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n").unwrap();
    fs::write(&colours, "newmtl a\nKd 1 0 0\n").unwrap();
    let mut outputs = Outputs::new(vec![mesh]);
    assert!(outputs.claim("--snapshot", &colours, &OutputFormat::SNAPSHOT).is_err());
}

#[test]
fn unknown_endings_and_places_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Outputs::new(Vec::new());
    for name in ["a.txt", "a", "a.csv.bak", "a.json", ".csv"] {
        let why = outputs.claim("--record", &folder.path().join(name), &OutputFormat::TABLES).unwrap_err();
        assert!(why.contains("is not written"), "{why}");
    }
    for name in ["none/a.csv", "none/deeper/a.csv"] {
        let why = outputs.claim("--record", &folder.path().join(name), &OutputFormat::TABLES).unwrap_err();
        assert!(why.contains("there is no folder") && why.ends_with("none"), "{why}");
    }
    let why = outputs.claim("--record", folder.path(), &OutputFormat::TABLES).unwrap_err();
    assert!(why.ends_with("it is a folder"), "{why}");
    outputs.claim("--record", &folder.path().join("A.CSV"), &OutputFormat::TABLES).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn devices_are_writable_outputs_and_dangling_links_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut outputs = Outputs::new(Vec::new());
    for option in ["--record", "--steps"] {
        outputs.claim(option, Path::new("/dev/null"), &OutputFormat::TABLES).unwrap();
    }
    let link = folder.path().join("a.csv");
    std::os::unix::fs::symlink("/nowhere/at/all", &link).unwrap();
    assert!(outputs.claim("--record", &link, &OutputFormat::TABLES).is_err());
    // Nobody writes there, not even the administrator.
    assert!(outputs.claim("--record", Path::new("/proc/self/a.csv"), &OutputFormat::TABLES).is_err());
}
