//! A diagram file that uses every key: `tests/data/every_key.yaml`, and the examples of the block types that it lacks.

use kinegraph::files::{BlockType, Catalog};

/// Path of the file.
pub const PATH: &str = "tests/data/every_key.yaml";

/// The text.
pub fn text() -> String {
    let written = include_str!("../data/every_key.yaml");
    let catalog = Catalog::standard();
    let lacking = catalog.types().iter().filter(|block| !has(written, block));
    let examples: String = lacking.map(BlockType::example_text).collect();
    written.replacen("\nsystems:\n", &format!("\nsystems:\n{examples}"), 1)
}

/// True if the text has a block of this type.
fn has(text: &str, block: &BlockType) -> bool {
    let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    text.split("type: ").skip(1).any(|rest| rest.strip_prefix(block.name).is_some_and(ends))
}
