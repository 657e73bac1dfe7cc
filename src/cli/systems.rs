//! `kinegraph systems`: the block types a diagram file can name.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use crate::diagram::Side;
use crate::files::registry::{BLOCK_TYPES, BlockType, EVERY_BLOCK, Group, Parameter, block_type};
use crate::simulate::ports_of_example;
use crate::systems::names::{did_you_mean, nearest};
use clap::Args;
use std::io;

/// List the block types of diagram files; with a name: its ports, parameters and an example
#[derive(Debug, Args)]
pub(super) struct Systems {
    /// The type to describe
    name: Option<String>,
}

impl Systems {
    pub(super) fn execute(&self, console: &mut Console<'_>) -> io::Result<u8> {
        let Some(name) = &self.name else {
            list(console)?;
            return Ok(DONE);
        };
        match block_type(name) {
            Some(one) => describe(one, console),
            None => {
                let near = nearest(name, BLOCK_TYPES.iter().map(|t| t.name));
                let hint = did_you_mean(&near);
                writeln!(console.err, "there is no block type `{name}`{hint}\n  help: `kinegraph systems` lists them")?;
                Ok(WRONG_INPUT)
            }
        }
    }
}

fn list(console: &mut Console<'_>) -> io::Result<()> {
    let width = BLOCK_TYPES.iter().map(|block| block.name.len()).max().unwrap_or(0);
    for group in Group::ALL {
        writeln!(console.out, "{}:", group.title())?;
        for block in BLOCK_TYPES.iter().filter(|block| block.group == group) {
            writeln!(console.out, "  {:<width$}  {}", block.name, block.about)?;
        }
        writeln!(console.out)?;
    }
    writeln!(console.out, "kinegraph systems NAME: its ports, its parameters and an example")
}

fn describe(block: &BlockType, console: &mut Console<'_>) -> io::Result<u8> {
    let ports = match ports_of_example(block) {
        Ok(ports) => ports,
        Err(error) => {
            writeln!(console.err, "the example of `{}` does not build: {error}", block.name)?;
            return Ok(FAILED);
        }
    };
    writeln!(console.out, "{}: {}\n", block.name, block.about)?;

    writeln!(console.out, "ports (widths as in the example below):")?;
    let width = ports.iter().map(|port| port.name.len()).max().unwrap_or(0);
    for port in &ports {
        let direction = if port.side == Side::Input { "in " } else { "out" };
        let optional = if port.optional { " (optional)" } else { "" };
        writeln!(console.out, "  {direction} {:<width$}  {} [{}]{optional}", port.name, port.kind, port.width)?;
    }

    writeln!(console.out, "\nparameters:")?;
    let asked = block.asked();
    let all: Vec<&Parameter> =
        block.parameters.iter().chain((block.name != "diagram").then_some(&EVERY_BLOCK)).collect();
    let width = all.iter().map(|parameter| parameter.key.len()).max().unwrap_or(0);
    for parameter in all {
        let default = parameter.default.map_or("required".to_owned(), |default| format!("default: {default}"));
        let expects = asked.iter().find(|asked| asked.key == parameter.key).map_or("", |asked| &asked.expects);
        writeln!(console.out, "  {:<width$}  {} ({default})", parameter.key, parameter.about)?;
        writeln!(console.out, "  {:<width$}  {expects}", "")?;
    }

    writeln!(console.out, "\nexample:\n  systems:")?;
    block.example_text().lines().try_for_each(|line| writeln!(console.out, "  {line}"))?;
    for (name, text) in block.files {
        writeln!(console.out, "\n{name}:")?;
        text.lines().try_for_each(|line| writeln!(console.out, "  {line}"))?;
    }
    Ok(DONE)
}
