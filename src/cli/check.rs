//! `kinegraph check FILE`: every fault of a diagram file, or of a model file, without running it.

use super::console::{Console, DONE, WRONG_INPUT};
use super::import::is_model_file;
use super::notes;
use super::scenario;
use crate::files::words::counted;
use crate::files::{Catalog, Override};
use crate::scenario::{Simulator, ports_of_blocks};
use crate::simulate::listed_violations;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Report every fault of a diagram file, or of a model file, without running it
#[derive(Debug, Args)]
pub(super) struct Check {
    /// The diagram file (YAML or JSON), or a model file (URDF, SDFormat, MJCF)
    file: PathBuf,
    /// Replace a value of the file, e.g. systems.controller.kp=100
    #[arg(long = "set", value_name = "PATH=VALUE", value_parser = Override::set)]
    overrides: Vec<Override>,
    /// List every port with its width, and what drives the inputs (while there are faults, without that)
    #[arg(long)]
    ports: bool,
    /// List what was ignored, assumed or found suspicious in the model files: element, place, what was done
    #[arg(long)]
    notes: bool,
    /// Take what is noted of model files for errors
    #[arg(long)]
    strict: bool,
    /// Say nothing where nothing is wrong
    #[arg(long)]
    quiet: bool,
}

impl Check {
    pub(super) fn execute(
        &self,
        catalog: &Catalog,
        simulator: &dyn Simulator,
        console: &mut Console<'_>,
    ) -> io::Result<u8> {
        let is_model = is_model_file(&self.file);
        let built = match is_model {
            true => scenario::built_of_model(catalog, simulator, &self.file, &self.overrides, console)?,
            false => {
                let mut loaded = scenario::part(catalog, &self.file, &self.overrides);
                loaded.iter_mut().for_each(|loaded| loaded.diagram.checks_recordings = true);
                scenario::built_of(loaded, simulator, console)?
            }
        };
        let Some((_, built)) = built else {
            if self.ports && !is_model {
                let ports = ports_of_blocks(catalog, &self.file, &self.overrides);
                ports.iter().try_for_each(|port| writeln!(console.out, "  {port}"))?;
            }
            return Ok(WRONG_INPUT);
        };
        let size = built.size();
        if self.strict && notes::refused(&size.notes, console)? {
            return Ok(WRONG_INPUT);
        }
        if !self.quiet {
            let (blocks, wires) = (counted(size.blocks, "block"), counted(size.wires, "connection"));
            writeln!(console.out, "{}: no faults", self.file.display())?;
            let nested = match size.nested {
                0 => String::new(),
                n => format!(" (in {} and this file)", counted(n, "nested diagram")),
            };
            writeln!(console.out, "  {blocks}{nested}, {wires}, {}", counted(size.states, "state"))?;
            if self.ports {
                size.ports.iter().try_for_each(|port| writeln!(console.out, "  {port}"))?;
            }
            if !size.exported.is_empty() {
                let inputs = size.exported.join(", ");
                writeln!(console.out, "  exported, for a diagram that has this file as a block to drive: {inputs}")?;
            }
            for default in &size.defaults {
                writeln!(console.out, "  not connected: {default}")?;
            }
            for violation in listed_violations(&size.starts_violated) {
                writeln!(console.out, "  start: {violation}")?;
            }
            if self.notes && !size.notes.is_empty() {
                notes::table(&size.notes, console.out)?;
            } else if !size.notes.is_empty() {
                let first = notes::first(&size.notes);
                first.iter().try_for_each(|note| writeln!(console.out, "  note: {note}"))?;
                let notes = notes::count(&size.notes);
                writeln!(console.out, "  {notes} on what the model files say (list with --notes)")?;
            }
        }
        Ok(DONE)
    }
}
