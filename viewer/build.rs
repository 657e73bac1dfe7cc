//! Makes the built page part of this crate, where there is one.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=dist");
    let page = std::fs::read("dist/index.html").unwrap_or_default();
    if let Some(folder) = std::env::var_os("OUT_DIR")
        && let Err(error) = std::fs::write(Path::new(&folder).join("page.html"), page)
    {
        println!("cargo::error=the page cannot be put into the program: {error}");
    }
}
