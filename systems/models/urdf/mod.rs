//! URDF: the XML robot description of ROS.
//!
//! Conventions of the format, as read here:
//! - `rpy` is roll, pitch, yaw about the fixed axes: R = Rz(yaw) Ry(pitch) Rx(roll) \[rad\].
//! - A joint's frame is its child link's frame; `<origin>` is its pose in the parent link.
//! - `<axis>` defaults to (1, 0, 0) and is normalised.
//! - `<inertia>` is about the centre of mass in the axes of the inertial `<origin>`; a missing product is zero.
//! - A box's `size` is its full edge lengths. A cylinder's `length` is its height; a capsule's `length` is that of its
//!   cylindrical part, without the caps. Both lie along z and are centred.
//! - A collision mesh collides as its convex hull, or as the options of the reader state; its coordinates are in metres
//!   (those of `.dae` in the unit it states), times `scale` (negative: mirrored). Its file is searched for relative to
//!   the folder of the URDF file; `package://name` in the folders that the reader was given, then in those at and above
//!   the file, then in those of the environment (`ROS_PACKAGE_PATH`, `AMENT_PREFIX_PATH`). An unusable mesh is a fault,
//!   unless the options leave it out.
//! - A missing limit is no limit (the format's own default is zero, which would lock the joint).
//! - Transmissions whose type is not a SimpleTransmission make no actuator. Reflected rotor inertia comes from
//!   `drake:rotor_inertia` and `drake:gear_ratio`.
//! - A joint at the end of a robot that moves nothing with mass, and has no rotor, is treated as fixed.
//!
//! - A visual is drawn and takes no part in contact. Of its mesh only the path is determined, in the same way; a
//!   missing visual mesh or texture, and a material without definition, are noted.
//!
//! Everything that is not simulated gets a note.

mod force_elements;
mod gazebo;
mod geometry;
mod inertia;
mod joints;
mod links;
mod massless;
mod material;
mod mimic;
mod pose;
mod transmissions;
mod tree;
mod visual;

use super::common::filters;
use super::faults::FaultKind;
use super::notes::NoteKind;
use super::options::LoadOptions;
use super::report::{LoadError, Loaded, Report};
use super::several_roots;
use super::xml::{self, Element, Known};
use kinegraph_multibody::{Link, Model};
use nalgebra::Isometry3;
use std::path::Path;

/// Reads a URDF file of at most 64 MiB.
///
/// # Errors
/// All faults of the file together; or one fault at line 0 if the file cannot be read.
pub fn read_urdf(path: impl AsRef<Path>) -> Result<Loaded, LoadError> {
    read_urdf_with(path.as_ref(), &LoadOptions::default())
}

/// Reads a URDF file of at most 64 MiB with `options`.
///
/// # Errors
/// As [`read_urdf`].
pub fn read_urdf_with(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let text = super::text::read_text(path)?;
    parse_urdf_with(&text, &path.display().to_string(), options)
}

/// Reads URDF text; `source_name` is the file name in messages (and names a robot without a name). Meshes are searched
/// for in its folder.
///
/// # Errors
/// All faults of the text together, in text order.
pub fn parse_urdf(text: &str, source_name: &str) -> Result<Loaded, LoadError> {
    parse_urdf_with(text, source_name, &LoadOptions::default())
}

/// Reads URDF text with `options`.
///
/// # Errors
/// As [`parse_urdf`].
pub fn parse_urdf_with(text: &str, source_name: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    xml::with_root(text, source_name, options, |robot, report| read_robot(robot, source_name, report))
}

/// MuJoCo's extension of the format: the mesh folder of its compiler is searched, too.
const MUJOCO: &str = "mujoco";

const ROBOT: Known = Known {
    attributes: &["name", "version"],
    once: &[],
    many: &[
        "link",
        "joint",
        "drake:joint",
        "transmission",
        "material",
        "frame",
        "drake:linear_spring_damper",
        "drake:linear_bushing_rpy",
        "drake:ball_constraint",
        "drake:distance_constraint",
        "drake:tendon_constraint",
        filters::GROUP,
        "gazebo",
        MUJOCO,
    ],
    ignored: &["sensor", "ros2_control", "self_collision_checking", "group", "loop_joint"],
    ignored_attributes: &[],
};

fn read_robot(robot: Element<'_, '_>, source_name: &str, report: &mut Report<'_>) -> Model {
    if robot.name() != "robot" {
        let found = super::source::cut(robot.name()).to_owned();
        report.fault(robot.span(), FaultKind::NotRobot { found });
        return Model::default();
    }
    robot.check(&ROBOT, report);
    let mut model = Model { name: robot_name(robot, source_name, report), ..Model::default() };
    let compilers = robot.children().filter(|child| child.name() == MUJOCO).flat_map(|of| of.children());
    if let Some(folder) = compilers.filter_map(|compiler| compiler.attribute("meshdir")).last() {
        report.set_mesh_folder(folder.value.trim());
    }
    let mut materials = material::Materials::of_robot(robot, report);
    let mut link_elements = Vec::new();
    let mut edges = Vec::new();
    let moved = links::children_of_joints(robot);
    for element in robot.children() {
        match element.name() {
            "link" if !element.is_skipped(report) => {
                model.links.push(links::read_link(element, &moved, &mut materials, report));
                link_elements.push(element);
            }
            "joint" | "drake:joint" if !element.is_skipped(report) => {
                let (joint, edge) = joints::read_joint(element, report);
                model.joints.push(joint);
                edges.push(edge);
            }
            _ => {}
        }
    }
    // A link `world` without an element of its own is the world.
    let names_world = |edge: &&joints::Edge<'_, '_>| edge.parent.as_ref().is_some_and(|p| p.value == links::WORLD);
    if let Some(edge) = edges.iter().find(names_world)
        && !model.links.iter().any(|link| link.name == links::WORLD)
    {
        model.links.push(Link { name: links::WORLD.to_owned(), ..Link::default() });
        link_elements.push(edge.element);
    }
    if link_elements.is_empty() {
        report.fault(robot.span(), FaultKind::NoLinks);
        return model;
    }
    let names = tree::unique_names(&model, &link_elements, &edges, report);
    let roots = tree::check(&model, &link_elements, &edges, &names, report);
    mimic::resolve(&mut model.joints, &edges, &names.joints, report);
    transmissions::read(robot, &mut model, &names.joints, report);
    force_elements::read(robot, &mut model, &names.joints, report);
    filters::read(robot, &mut model, "", report);
    gazebo::read(robot, &mut model, &names, report);
    massless::hold(&mut model, &edges, &names, report);
    if roots.len() > 1 {
        model.scene.separate_roots = roots.iter().map(|root| model.links[*root].name.clone()).collect();
        let at_origin: Vec<_> = roots.into_iter().map(|root| (root, Isometry3::identity())).collect();
        several_roots::float(&mut model, &at_origin);
    }
    model
}

fn robot_name(robot: Element<'_, '_>, source_name: &str, report: &mut Report<'_>) -> String {
    match robot.attribute("name") {
        Some(name) if !name.value.trim().is_empty() => name.value.to_owned(),
        _ => {
            let stem = Path::new(source_name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
            let used = stem.filter(|stem| !stem.is_empty()).unwrap_or_else(|| "robot".to_owned());
            report.note(robot.span(), NoteKind::NamelessRobot { used: used.clone() });
            used
        }
    }
}
