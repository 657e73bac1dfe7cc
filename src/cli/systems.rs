//! `kinegraph systems`: the block types a diagram file can name.

use super::{Console, DONE, WRONG_INPUT};
use crate::files::names::nearest;
use crate::files::registry::{BLOCK_TYPES, BlockType, block_type};
use clap::Args;
use std::io;

/// List the block types of diagram files with their parameters
#[derive(Debug, Args)]
pub(super) struct Systems {
    /// Only this type
    name: Option<String>,
}

impl Systems {
    pub(super) fn execute(&self, console: &mut Console<'_>) -> io::Result<u8> {
        match &self.name {
            None => {
                for one in BLOCK_TYPES {
                    describe(one, console)?;
                }
                writeln!(console.out, "The ports of a block follow from its parameters: kinegraph check FILE --ports")?;
                Ok(DONE)
            }
            Some(name) => match block_type(name) {
                Some(one) => describe(one, console).map(|()| DONE),
                None => {
                    let near = nearest(name, BLOCK_TYPES.iter().map(|t| t.name));
                    let hint = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                    writeln!(console.err, "there is no block type `{name}`{hint}")?;
                    Ok(WRONG_INPUT)
                }
            },
        }
    }
}

fn describe(block: &BlockType, console: &mut Console<'_>) -> io::Result<()> {
    writeln!(console.out, "{}: {}", block.name, block.about)?;
    for parameter in block.parameters() {
        let needed = if parameter.required { "" } else { " (optional)" };
        writeln!(console.out, "  {:<14} {}{needed}", parameter.key, parameter.expects)?;
    }
    Ok(())
}
