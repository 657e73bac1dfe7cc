//! `kinegraph systems`: lists the block types that a diagram file can name.

use super::console::{Console, DONE, FAILED, WRONG_INPUT};
use super::reference;
use crate::diagram::Side;
use crate::files::{BlockType, Catalog, IfMissing, Parameter};
use crate::scenario::ports_of_example;
use clap::Args;
use kinegraph_systems::names::{did_you_mean, nearest};
use std::io;

/// List the block types of diagram files; with a name: its ports, parameters and an example
#[derive(Debug, Args)]
pub(super) struct Systems {
    /// The type to describe
    name: Option<String>,
    /// Print tables for a Markdown document: all types, or the parameters of one
    #[arg(long)]
    markdown: bool,
}

impl Systems {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let Some(name) = &self.name else {
            if !self.markdown {
                list(catalog, console)?;
                return Ok(DONE);
            }
            return match reference::of_catalog(catalog) {
                Ok(tables) => write!(console.out, "{tables}").map(|()| DONE),
                Err(error) => writeln!(console.err, "an example does not build: {error}").map(|()| FAILED),
            };
        };
        match catalog.get(name) {
            Some(one) if self.markdown => {
                write!(console.out, "{}", reference::of_block(one))?;
                Ok(DONE)
            }
            Some(one) => describe(one, catalog, console),
            None => {
                let hint = did_you_mean(&nearest(name, catalog.names()));
                writeln!(console.err, "there is no block type `{name}`{hint}\n  help: `kinegraph systems` lists them")?;
                Ok(WRONG_INPUT)
            }
        }
    }
}

fn list(catalog: &Catalog, console: &mut Console<'_>) -> io::Result<()> {
    let width = catalog.names().map(str::len).max().unwrap_or(0);
    for (group, blocks) in catalog.groups() {
        writeln!(console.out, "{}:", group.title())?;
        for block in blocks {
            writeln!(console.out, "  {:<width$}  {}", block.name, block.about)?;
        }
        writeln!(console.out)?;
    }
    writeln!(console.out, "kinegraph systems NAME: its ports, its parameters and an example")
}

fn describe(block: &BlockType, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
    let ports = match ports_of_example(block, catalog) {
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
    let parameters = block.parameters();
    let width = parameters.iter().map(|parameter| parameter.key.len()).max().unwrap_or(0);
    for Parameter { key, is_live, if_missing, expects, about, .. } in &parameters {
        let default = match if_missing {
            IfMissing::Required => "required".to_owned(),
            IfMissing::Value(value) => format!("default: {value}"),
            IfMissing::Words(words) => format!("default: {words}"),
        };
        writeln!(console.out, "  {key:<width$}  {about} ({default})")?;
        let live = if *is_live { "; live: it may change while the run goes on" } else { "" };
        writeln!(console.out, "  {:<width$}  {expects}{live}", "")?;
    }

    writeln!(console.out, "\nexample:\n  systems:")?;
    block.example_text().lines().try_for_each(|line| writeln!(console.out, "  {line}"))?;
    for (name, text) in block.files {
        writeln!(console.out, "\n{name}:")?;
        text.lines().try_for_each(|line| writeln!(console.out, "  {line}"))?;
    }
    Ok(DONE)
}
