//! The examples of block types: each is part of a diagram file that reads and builds.

use super::block_type::BlockType;
use super::catalog::Catalog;
use super::load::{LoadError, Loaded};
use super::loader::Loader;
use super::overrides::Override;
use std::path::Path;

impl Catalog {
    /// A diagram file of the example of `block` alone, read, with `overrides` in place of what it says. Its inputs are
    /// not connected: it can be looked at, not run.
    ///
    /// # Errors
    /// Faults of the example and of the overrides.
    pub fn load_example(&self, block: &BlockType, overrides: &[Override]) -> Result<Loaded, LoadError> {
        let text = format!("kinegraph: 1\nsystems:\n{}simulation: {{duration: 1}}\n", block.example_text());
        self.load_beside_example(block, text, overrides)
    }

    /// A diagram file that may name the files of the example of `block`, read.
    ///
    /// # Errors
    /// All faults of `text` and of the overrides.
    pub(crate) fn load_beside_example(
        &self,
        block: &BlockType,
        text: String,
        overrides: &[Override],
    ) -> Result<Loaded, LoadError> {
        let name = "example.yaml";
        self.load_text(Path::new(name), text, overrides, Loader::of_example(name, block.files))
    }
}
