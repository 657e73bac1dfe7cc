//! MJCF: the XML format of MuJoCo, which describes scenes: what is fixed, what floats, what drives it.
//!
//! Conventions of the format, as read here:
//! - `<worldbody>` becomes the root link `world`; bodies are links. Joints stand in the order of the document, depth
//!   first, and so do positions and velocities.
//! - A body has any number of joints: `X_WB = X_WP (pos, quat) J₁ J₂ …`, anchors and axes in the body's frame where all
//!   joints are at their `ref`. They become a chain of links without mass, the pose of the body at the first joint.
//! - Hinge and slide: the displacement is `q - ref`. Ball and free as in URDF's `ball` and `floating`.
//! - Angles are degrees unless the compiler says otherwise.
//! - Masses and inertias come from `<inertial>`, or from geoms by their density.
//! - Contact bits, exclusions and friction are kept; `solref` and `solimp` become stiffness and dissipation, see
//!   [`surfaces`].
//! - Actuators are laws on joints, tendons and sites; what is connected to the port is their control.
//!
//! Everything that is not simulated gets a note.

mod actuator_laws;
mod actuators;
mod aligned;
mod attach;
mod bodies;
mod cables;
mod classes;
mod compile;
mod composites;
mod contacts;
mod determined;
mod element;
mod equalities;
mod fields;
mod files;
mod flexible;
mod fluids;
mod geoms;
pub mod height_fields;
mod inertials;
mod inertias;
mod joints;
mod keyframes;
mod length_ranges;
mod log;
mod materials;
pub mod meshes;
mod names;
mod orientation;
mod recognition;
mod replicate;
pub mod schema;
mod sensors;
mod settings;
mod soft_equalities;
mod soft_friction;
mod soft_stops;
pub mod solids;
mod spring_dampers;
pub mod surfaces;
mod tendons;

use super::notes::MjcfNote;
use super::options::LoadOptions;
use super::report::{LoadError, Loaded};
use kinegraph_multibody::Model;
use log::Log;

/// Reads MJCF text as `options` say; `source_name` is the file name shown in messages. What it includes, and meshes,
/// are looked for in its folder.
///
/// # Errors
/// All faults of the text together.
pub fn parse_mjcf(text: &str, source_name: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let (mut files, mut root) = files::Files::read(text, source_name, options);
    let attached = root.as_mut().map(|root| attach::expand(&mut files, root)).unwrap_or_default();
    let mut log = Log::new(&files, options);
    for (at, kind) in &files.faults {
        log.fault(at, kind.clone());
    }
    for (at, element, how) in &files.notes {
        log.note(at, MjcfNote::Differs { element: element.clone(), how });
    }
    let model = match root {
        Some(root) => compile::model(&root, &attached, source_name, &mut log),
        None => Model::default(),
    };
    log.finish(model)
}
