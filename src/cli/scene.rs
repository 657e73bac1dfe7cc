//! `kinegraph scene FILE`: writes the scene of a diagram as JSON.

use super::console::{Console, DONE, WRONG_INPUT};
use super::output::cannot_write;
use super::outputs::{OutputFormat, Outputs};
use super::scenario::scenario;
use crate::files::{Catalog, Override};
use crate::scene::Scene;
use crate::whole_file;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// List what there is to draw of a diagram file: bodies, shapes, colours, frames (JSON)
#[derive(Debug, Args)]
pub(super) struct PrintScene {
    /// The diagram file (YAML or JSON)
    file: PathBuf,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
}

impl PrintScene {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        let Some((scenario, inputs)) = scenario(catalog, &self.file, &self.overrides, console)? else {
            return Ok(WRONG_INPUT);
        };
        if let Err(message) = Outputs::new(inputs).claim_given("--output", self.output.as_ref(), &OutputFormat::SCENE) {
            writeln!(console.err, "{message}")?;
            return Ok(WRONG_INPUT);
        }
        let json = Scene::of(&scenario.diagram).to_json().map_err(io::Error::other)?;
        let Some(file) = &self.output else {
            writeln!(console.out, "{json}")?;
            return Ok(DONE);
        };
        if let Err(error) = whole_file::write(file, json.as_bytes()) {
            writeln!(console.err, "{}", cannot_write("--output", file, &error))?;
            return Ok(WRONG_INPUT);
        }
        Ok(DONE)
    }
}
