//! Failures are reported and destroy nothing: outputs named like inputs, models that name files elsewhere, recordings
//! that are damaged, values that are not finite, hostile requests, parameters at the ends of their ranges, diagrams
//! that are too large, the fuzz targets. Generators are seeded; `KINEGRAPH_WHOLE=1` runs all of their cases and prints
//! figures.

#[path = "../common/command.rs"]
mod command;

mod combinations;
mod fuzz;
mod models;
mod non_finite;
mod outputs;
mod parameters;
mod paths;
mod reading;
mod recordings;
mod server;
mod sizes;
mod snapshots;
mod terminal;

use std::path::{Path, PathBuf};

/// A file of this test program.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reliability");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

/// A diagram file of this test program, and its name.
fn written(name: &str, text: &str) -> String {
    let file = scratch(name);
    std::fs::write(&file, text).expect("a file");
    file.display().to_string()
}

/// Random numbers of a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

/// True if all cases of the generators run.
fn is_whole() -> bool {
    std::env::var_os("KINEGRAPH_WHOLE").is_some()
}

/// A folder with these files, and nothing else.
fn folder_with(name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = scratch(name);
    let _ = std::fs::remove_dir_all(&folder);
    for (file, bytes) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
    folder
}

/// A solid.
const TETRAHEDRON: &[u8] = b"mtllib colours.mtl\nv 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nusemtl a\n\
    f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
