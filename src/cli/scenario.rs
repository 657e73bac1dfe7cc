//! Loads and builds diagram files, for commands that inspect them or run them.

use super::console::Console;
use super::report;
use crate::files::{Catalog, ImportBase, LoadError, Loaded, ModelDiagram, Override};
use crate::scenario::{LiveWorkshop, Prepared, Scenario, Simulator};
use std::io;
use std::path::{Path, PathBuf};

/// Loads and builds the scenario of `file` with `overrides`, and returns it with the files that were read; `None` after
/// its faults were written.
pub(super) fn scenario(
    catalog: &Catalog,
    file: &Path,
    overrides: &[Override],
    console: &mut Console<'_>,
) -> io::Result<Option<(Scenario, Vec<PathBuf>)>> {
    let built = catalog.load(file, overrides).and_then(|loaded| {
        let scenario = Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed())?;
        Ok((scenario, loaded.loader.files_read()))
    });
    match built {
        Ok(scenario) => Ok(Some(scenario)),
        Err(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            Ok(None)
        }
    }
}

/// Loads and builds the file of `workshop`; `None` after its faults were written.
pub(super) fn built_by(
    workshop: &LiveWorkshop,
    simulator: &dyn Simulator,
    console: &mut Console<'_>,
) -> io::Result<Option<(Loaded, Box<dyn Prepared>)>> {
    built_of(workshop.load(), simulator, console)
}

/// Loads `file` with `overrides` and builds it; `None` after its faults were written.
pub(super) fn built(
    catalog: &Catalog,
    simulator: &dyn Simulator,
    file: &Path,
    overrides: &[Override],
    console: &mut Console<'_>,
) -> io::Result<Option<(Loaded, Box<dyn Prepared>)>> {
    built_of(catalog.load(file, overrides), simulator, console)
}

/// Loads a file that may be a block of others, which then drive the inputs that it exports.
///
/// # Errors
/// The faults of the file.
pub(super) fn part(catalog: &Catalog, file: &Path, overrides: &[Override]) -> Result<Loaded, LoadError> {
    // The simulation settings of a part are ignored, so a part need not have any.
    let some = [overrides, &[Override::flag("check", "simulation.duration", "1")]].concat();
    let as_part = || catalog.load(file, &some).ok().filter(|loaded| !loaded.diagram.exports.inputs.is_empty());
    let mut loaded = catalog.load(file, overrides).or_else(|error| as_part().ok_or(error))?;
    loaded.diagram.is_part = true;
    Ok(loaded)
}

/// Builds a loaded file; `None` after its faults were written.
pub(super) fn built_of(
    loaded: Result<Loaded, LoadError>,
    simulator: &dyn Simulator,
    console: &mut Console<'_>,
) -> io::Result<Option<(Loaded, Box<dyn Prepared>)>> {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            return Ok(None);
        }
    };
    build(simulator, loaded, console)
}

/// Builds the diagram of a model file alone; `None` after its faults were written.
pub(super) fn built_of_model(
    catalog: &Catalog,
    simulator: &dyn Simulator,
    file: &Path,
    overrides: &[Override],
    console: &mut Console<'_>,
) -> io::Result<Option<(Loaded, Box<dyn Prepared>)>> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let loaded = ModelDiagram::read(catalog, file, folder, ImportBase::Fixed).and_then(|d| d.load(catalog, overrides));
    built_of(loaded, simulator, console)
}

fn build(
    simulator: &dyn Simulator,
    loaded: Loaded,
    console: &mut Console<'_>,
) -> io::Result<Option<(Loaded, Box<dyn Prepared>)>> {
    match simulator.build(&loaded.diagram, &loaded.loader) {
        Ok(built) => Ok(Some((loaded, built))),
        Err(faults) => {
            report::faults(&faults, loaded.loader.name(), &loaded.text, console)?;
            Ok(None)
        }
    }
}
