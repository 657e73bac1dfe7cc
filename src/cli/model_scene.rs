//! Diagram with nothing but one model, for a model file in place of a diagram file.

use crate::files::nearest_file;
use kinegraph_systems::names::did_you_mean;
use std::path::Path;

/// Text of a diagram file for the model at `path`, as if in the same folder; `None` if the name is not that of a model
/// file. A model without a stated base is fixed to the world.
pub(super) fn text(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let base = match extension.as_str() {
        "urdf" => ", base: fixed",
        "xml" | "mjcf" if is_urdf(path) => ", base: fixed",
        "xml" | "mjcf" | "sdf" | "world" => "",
        _ => return None,
    };
    let file = serde_json::to_string(&path.file_name()?.to_string_lossy()).ok()?;
    let name = path.file_stem()?.to_string_lossy();
    let title = serde_json::to_string(&name).ok()?;
    Some(format!(
        "kinegraph: 1\nname: {title}\nsystems:\n  plant:\n    type: multibody_plant\n    models:\n      - {{name: {}, file: \
         {file}{base}}}\nsimulation: {{duration: 60, accuracy: 1e-3}}\nrecord: {{every: 0.02}}\n",
        model_name(&name)
    ))
}

/// Message if there is no file at `path`. Otherwise the fault would be reported at a line of the generated diagram,
/// which nobody wrote.
pub(super) fn missing(path: &Path) -> Option<String> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let near = did_you_mean(&nearest_file(path));
            Some(format!("{}: cannot be read: no such file{near}", path.display()))
        }
        _ => None,
    }
}

/// True if an XML file is a URDF file: its root element is `robot`.
fn is_urdf(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.contains("<robot")
}

/// Name of the model in its plant: letters, digits, underscores.
fn model_name(name: &str) -> String {
    let name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name,
        _ => format!("model_{name}"),
    }
}

/// Advice for a model file in place of a diagram file.
pub(super) fn advice(path: &Path) -> String {
    let shown = path.display();
    let text = text(path).unwrap_or_default();
    format!(
        "{shown}: this is a model, not a diagram. Look at it with\n  kinegraph view {shown}\nor name it in a diagram file, \
         which says what else there is and how long to simulate:\n\n{text}"
    )
}
