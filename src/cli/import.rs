//! `kinegraph import MODEL -o FOLDER`: a diagram file for a model file.

use super::console::{Console, DONE, WRONG_INPUT};
use super::notes;
use super::output::cannot_write;
use super::report;
use crate::files::words::counted;
use crate::files::{Catalog, ImportBase, ModelDiagram};
use crate::scenario::actuators_of;
use crate::whole_file;
use clap::{Args, ValueEnum};
use std::fs::create_dir_all;
use std::io;
use std::path::{Path, PathBuf};

/// Write a diagram file for a model file: its plant, inputs for its actuators, its start
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The model file (URDF, SDFormat, MJCF)
    model: PathBuf,
    /// The folder to write NAME.yaml to, which is made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Base of the model, where the file does not say it: a robot on legs or wheels is floating
    #[arg(long, value_name = "BASE", default_value = "fixed")]
    base: BaseOption,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BaseOption {
    Fixed,
    Floating,
}

impl Import {
    pub(super) fn execute(&self, catalog: &Catalog, console: &mut Console<'_>) -> io::Result<u8> {
        if let Err(error) = create_dir_all(&self.output) {
            writeln!(console.err, "{}", cannot_write("--output", &self.output, &error))?;
            return Ok(WRONG_INPUT);
        }
        let base = match self.base {
            BaseOption::Fixed => ImportBase::Fixed,
            BaseOption::Floating => ImportBase::Floating,
        };
        let read = ModelDiagram::read(catalog, &self.model, &self.output, base)
            .and_then(|diagram| actuators_of(catalog, &diagram).map(|actuators| (diagram, actuators)));
        let (diagram, actuators) = match read {
            Ok(read) => read,
            Err(error) => {
                report::faults(&error.faults, &error.name, &error.text, console)?;
                return Ok(WRONG_INPUT);
            }
        };
        let path = &diagram.path;
        if path.symlink_metadata().is_ok() {
            writeln!(console.err, "{} is there already; name another folder, or remove it", path.display())?;
            return Ok(WRONG_INPUT);
        }
        if let Err(error) = whole_file::write(path, diagram.text(&actuators).as_bytes()) {
            writeln!(console.err, "{}", cannot_write("--output", path, &error))?;
            return Ok(WRONG_INPUT);
        }
        let keyframes = match diagram.keyframes().count() {
            0 => String::new(),
            n => format!(", {}", counted(n, "keyframe")),
        };
        let notes = notes::count(diagram.notes());
        writeln!(console.out, "{}: {}{keyframes}, {notes}", path.display(), counted(actuators.len(), "actuator"))?;
        writeln!(console.out, "  look at it: kinegraph view {}", path.display())?;
        Ok(DONE)
    }
}

/// True if a file is a model file: its text begins as XML.
pub(super) fn is_model_file(file: &Path) -> bool {
    use std::io::Read;
    let mut start = [0; 256];
    // A file that cannot be read is reported later, when it is read as a diagram; a pipe would lose its beginning here.
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    let read = is_file.then(|| std::fs::File::open(file).and_then(|mut file| file.read(&mut start)).ok()).flatten();
    let text = start[..read.unwrap_or(0)].strip_prefix(b"\xef\xbb\xbf").unwrap_or(&start[..read.unwrap_or(0)]);
    text.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'<')
}
