//! Tests of `src/engine/whole_file.rs`.

use kinegraph_engine::whole_file::write;
use std::path::Path;
use std::{fs, io};

#[test]
fn a_file_is_replaced_and_nothing_is_left_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("a"), folder.path().join("b"));
    write(&file, b"old").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&file, &link).unwrap();
    #[cfg(not(unix))]
    fs::hard_link(&file, &link).unwrap();
    write(&link, b"new").unwrap();
    #[cfg(unix)]
    assert_eq!(fs::read(&file).unwrap(), b"new");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    assert_eq!(write(folder.path(), b"").unwrap_err().kind(), io::ErrorKind::IsADirectory);
    assert_eq!(write(&folder.path().join("x/y"), b"").unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_stays_one() {
    write(Path::new("/dev/null"), b"new").unwrap();
    assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    assert!(write(Path::new("/dev/full"), b"new").is_err());
}
