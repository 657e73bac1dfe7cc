//! The examples of block types: each is part of a diagram file that reads and builds.

use super::block_type::BlockType;
use super::catalog::Catalog;
use super::item::Parameter;
use super::load::{LoadError, Loaded};
use super::loader::Loader;
use super::node::Origin;
use super::overrides::Override;
use super::parse::parse;
use super::reader::parameters_asked;
use std::path::Path;

/// Name of the file that contains an example.
const NAME: &str = "example.yaml";

impl BlockType {
    /// Own parameters that the type asks its example for. These are all parameters, if it asks for all of them first.
    pub fn parameters_asked_of_example(&self) -> Vec<Parameter> {
        let (tree, _) = parse(self.example, Origin::File);
        let block = tree.as_ref().and_then(|tree| tree.get(self.example_name()));
        let loader = Loader::of_example(NAME, self.files);
        block.map_or_else(Vec::new, |block| parameters_asked(block, &loader, self.read))
    }
}

impl Catalog {
    /// Reads a diagram file with only the example of `block`, with `overrides` in place of its values. Its inputs are
    /// not connected, so it can be inspected but not run.
    ///
    /// # Errors
    /// Faults of the example and of the overrides.
    pub fn load_example(&self, block: &BlockType, overrides: &[Override]) -> Result<Loaded, LoadError> {
        let text = format!("kinegraph: 1\nsystems:\n{}simulation: {{duration: 1}}\n", block.example_text());
        self.load_beside_example(block, text, overrides)
    }

    /// Reads a diagram file that may name the files of the example of `block`.
    ///
    /// # Errors
    /// All faults of `text` and of the overrides.
    pub fn load_beside_example(
        &self,
        block: &BlockType,
        text: String,
        overrides: &[Override],
    ) -> Result<Loaded, LoadError> {
        self.load_text(Path::new(NAME), text, overrides, Loader::of_example(NAME, block.files))
    }
}
