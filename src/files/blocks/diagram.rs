//! `type: diagram`: another diagram file as a block.

use crate::block_type::{NESTED, NestedSpec};
use crate::example_files::SERVO;
use crate::form::{
    BlockSpec, BlockType, Count, FileName, Group, MapOf, Named, Needs, Optional, Placed, Position, Reader, Site,
    SystemSpec, needs, optional,
};
use crate::given::Given;
use crate::parameters::{GIVEN, GivenNumber, MAX_COPIES};
use crate::run_condition::{self, RunCondition};
use kinegraph_core::ErasedSystem;
use std::path::PathBuf;
use std::sync::Arc;

/// A diagram file as a block.
#[derive(Debug)]
pub struct Diagram {
    /// The file.
    pub file: PathBuf,
    /// Place where it is named.
    pub at: Position,
    /// Values of its parameters.
    pub set: Vec<Named<(Position, Given)>>,
    /// Condition on which it runs, if it does not always.
    pub condition: Option<RunCondition>,
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
const SET: Optional<MapOf<Placed<GivenNumber>>> =
    optional("set", GIVEN, "the values in that file", "values of the `parameters` of that file");
const REPEAT: Optional<Count> = optional(
    "repeat",
    Count { limit: MAX_COPIES },
    "one block",
    "number of copies, which are the blocks `NAME[0]`, `NAME[1]`, …; `$index` is the number of each in the values of \
     `set`",
);

impl BlockSpec for Diagram {
    fn nested_file(&self) -> Option<NestedSpec<'_>> {
        Some(NestedSpec { path: &self.file, at: self.at, set: &self.set, condition: self.condition.as_ref() })
    }
    fn build(&self, site: &Site<'_>) -> Option<Arc<dyn ErasedSystem>> {
        site.fault("a diagram is nested, not built as one block");
        None
    }
}

fn read(r: &mut Reader<'_>) -> Option<SystemSpec> {
    let (file, set) = (r.get(&FILE), r.get(&SET).unwrap_or_default());
    r.get(&REPEAT);
    let condition = run_condition::read(r);
    Some(Box::new(Diagram { file: file?, at: r.at_key(FILE), set, condition }))
}
