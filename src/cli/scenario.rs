//! The scenario of a diagram file, for commands that look at it without running it.

use super::console::Console;
use super::report;
use crate::files::{Catalog, Override};
use crate::simulate::Scenario;
use std::io;
use std::path::Path;

/// Loads and builds `file` with `overrides`; `None` after its faults were written.
pub(super) fn scenario(
    catalog: &Catalog,
    file: &Path,
    overrides: &[Override],
    console: &mut Console<'_>,
) -> io::Result<Option<Scenario>> {
    let built = catalog
        .load(file, overrides)
        .and_then(|loaded| Scenario::build(&loaded.diagram, &loaded.loader).ok_or_else(|| loaded.failed()));
    match built {
        Ok(scenario) => Ok(Some(scenario)),
        Err(error) => {
            report::faults(&error.faults, &error.name, &error.text, console)?;
            Ok(None)
        }
    }
}
