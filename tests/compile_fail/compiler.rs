//! The compiler, with the library as cargo has built it for this test, so that a case costs only its own check.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub struct Compiler {
    rustc: OsString,
    /// The built library.
    library: PathBuf,
}

impl Compiler {
    /// Finds the compiler that cargo uses, and the newest library among the dependencies next to this test: older ones
    /// are left over from other features.
    pub fn find() -> Self {
        let test = env::current_exe().expect("a path");
        let folder = test.parent().expect("a folder");
        let built = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with("libkinegraph-") && name.ends_with(".rlib")
        };
        let entries = fs::read_dir(folder).expect("the folder of this test");
        let libraries = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(built);
        let age = |path: &PathBuf| fs::metadata(path).and_then(|data| data.modified()).ok();
        let library = libraries.max_by_key(age).expect("the library beside this test");
        Compiler { rustc: env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()), library }
    }

    /// Message of the compiler for a program that it rejects; `None` if it accepts the program.
    pub fn refuses(&self, program: &Path) -> Option<String> {
        let dependencies = self.library.parent().expect("a folder");
        let output = Command::new(&self.rustc)
            .args(["--edition=2024", "--crate-type=bin", "--emit=metadata", "--color=never", "--diagnostic-width=140"])
            .arg("--out-dir")
            .arg(env!("CARGO_TARGET_TMPDIR"))
            .arg("--extern")
            .arg(format!("kinegraph={}", self.library.display()))
            .arg("-L")
            .arg(format!("dependency={}", dependencies.display()))
            .arg(program)
            .output()
            .expect("the compiler starts");
        (!output.status.success()).then(|| String::from_utf8_lossy(&output.stderr).into_owned())
    }
}
