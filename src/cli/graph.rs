//! `kinegraph graph FILE`: the picture of a diagram.

use super::console::{Console, DONE, WRONG_INPUT};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::scenario::scenario;
use crate::files::{Catalog, Override};
use crate::whole_file;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Draw the blocks and wires of a diagram file
#[derive(Debug, Args)]
pub(super) struct Graph {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Write the picture to this file: x.svg, or x.dot for Graphviz; without it, Graphviz source goes to standard
    /// output
    #[arg(short, long, value_name = "FILE", value_parser = picture)]
    output: Option<Picture>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
}

/// A file to draw to.
#[derive(Clone, Debug)]
struct Picture {
    file: PathBuf,
    svg: bool,
}

fn picture(name: &str) -> Result<Picture, String> {
    let file = PathBuf::from(name);
    let extension = file.extension().map(|extension| extension.to_ascii_lowercase());
    match extension.as_ref().and_then(|extension| extension.to_str()) {
        Some("svg") => Ok(Picture { file, svg: true }),
        Some("dot" | "gv") => Ok(Picture { file, svg: false }),
        _ => Err("a picture is a file x.svg or x.dot".into()),
    }
}

impl Graph {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let Some((scenario, inputs)) = scenario(catalog, &self.file, &self.overrides, console)? else {
            return Ok(WRONG_INPUT);
        };
        let Some(Picture { file, svg }) = &self.output else {
            console.out.write_all(scenario.diagram.to_dot().as_bytes())?;
            return Ok(DONE);
        };
        if let Err(message) = Outputs::new(inputs).claim("--output", file, &OutputFormat::GRAPH) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let drawn = if *svg { scenario.diagram.to_svg() } else { scenario.diagram.to_dot() };
        if let Err(error) = whole_file::write(file, drawn.as_bytes()) {
            writeln!(console.err, "{}", cannot_write("--output", file, &error))?;
            return Ok(WRONG_INPUT);
        }
        Ok(DONE)
    }
}
