//! `type: diagram`: another diagram file as a block.

use crate::block_type::NESTED;
use crate::example_files::SERVO;
use crate::form::{BlockSpec, BlockType, FileName, Group, Needs, Position, Reader, Site, SystemSpec, needs};
use kinegraph_core::ErasedSystem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A diagram file as a block.
#[derive(Debug)]
pub struct Diagram {
    /// The file.
    pub file: PathBuf,
    /// Place where it is named.
    pub at: Position,
}

/// Its entry in the catalog.
pub const TYPE: BlockType = BlockType {
    name: NESTED,
    group: Group::Structure,
    about: "another diagram file, whose `exports` are the ports of this block",
    example: "servo: {type: diagram, file: servo.yaml}",
    files: &[SERVO],
    read,
};

const FILE: Needs<FileName> =
    needs("file", FileName { about: "the name of a diagram file" }, "a file in the folder of this one, or below it");

impl BlockSpec for Diagram {
    fn nested_file(&self) -> Option<(&Path, Position)> {
        Some((&self.file, self.at))
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        site.fault("a diagram is nested, not built as one block");
        None
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let file = r.get(&FILE)?;
    Some(Box::new(Diagram { file, at: r.at_key(FILE) }))
}
