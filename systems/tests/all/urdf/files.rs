//! Whole files: every robot in `tests/data/urdf` (and in the folder named by `KINEGRAPH_URDF_CORPUS`, if set) loads
//! and agrees with an independent reader, the crate urdf-rs.

use kinegraph_systems::geometry::Shape;
use kinegraph_systems::models::{FaultKind, LoadOptions, MissingMeshes, read_urdf, read_urdf_with};
use kinegraph_systems::multibody::{JointKind, Model, Visual};
use kinegraph_systems::scene::Geometry;
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};
use std::path::{Path, PathBuf};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

fn urdf_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(urdf_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "urdf") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn pose(pose: &urdf_rs::Pose) -> Isometry3<f64> {
    let [roll, pitch, yaw] = *pose.rpy;
    // The definition, written out: turns about the fixed axes x, then y, then z.
    let [x, y, z] = [(Vector3::x_axis(), roll), (Vector3::y_axis(), pitch), (Vector3::z_axis(), yaw)]
        .map(|(axis, angle)| UnitQuaternion::from_axis_angle(&axis, angle));
    Isometry3::from_parts(Translation3::from(*pose.xyz), z * y * x)
}

fn assert_same_pose(ours: &Isometry3<f64>, theirs: &urdf_rs::Pose, of: &str) {
    let difference = ours.to_homogeneous() - pose(theirs).to_homogeneous();
    assert!(difference.amax() < 1e-15, "{of}: {difference}");
}

fn compare_links(model: &Model, reference: &urdf_rs::Robot) {
    assert_eq!(model.links.len(), reference.links.len());
    for (link, theirs) in model.links.iter().zip(&reference.links) {
        assert_eq!(link.name, theirs.name);
        assert_eq!(link.inertia.map_or(0.0, |inertia| inertia.mass), theirs.inertial.mass.value, "{}", link.name);
        if let Some(inertia) = link.inertia {
            assert_eq!(inertia.p_BoBcm, Vector3::from(*theirs.inertial.origin.xyz));
            // The trace does not depend on the axes.
            let tensor = &theirs.inertial.inertia;
            let trace = tensor.ixx + tensor.iyy + tensor.izz;
            assert!((inertia.I_BBcm.trace() - trace).abs() < 1e-14 * trace);
        }
        assert_eq!(link.visuals.len(), theirs.visual.len(), "{}", link.name);
        for (ours, theirs) in link.visuals.iter().zip(&theirs.visual) {
            assert_eq!(ours.name, theirs.name.clone().unwrap_or_default());
            assert_same_pose(&ours.X_BG, &theirs.origin, &ours.name);
            compare_visual(ours, theirs);
        }
        let shapes = theirs.collision.iter().filter(|c| !matches!(c.geometry, urdf_rs::Geometry::Mesh { .. }));
        assert_eq!(link.collisions.len(), shapes.clone().count(), "{}", link.name);
        for (ours, theirs) in link.collisions.iter().zip(shapes) {
            assert_eq!(ours.name, theirs.name.clone().unwrap_or_default());
            assert_same_pose(&ours.X_BG, &theirs.origin, &ours.name);
            match (&ours.shape, &theirs.geometry) {
                (Shape::Sphere { radius }, urdf_rs::Geometry::Sphere { radius: r }) => assert_eq!(radius, r),
                (Shape::Box { half_extents }, urdf_rs::Geometry::Box { size }) => {
                    assert_eq!(half_extents * 2.0, Vector3::from(**size));
                }
                (Shape::Cylinder { radius, half_length }, urdf_rs::Geometry::Cylinder { radius: r, length })
                | (Shape::Capsule { radius, half_length }, urdf_rs::Geometry::Capsule { radius: r, length }) => {
                    assert_eq!((*radius, half_length * 2.0), (*r, *length));
                }
                (ours, theirs) => panic!("{ours:?} is not {theirs:?}"),
            }
        }
    }
}

fn compare_visual(ours: &Visual, theirs: &urdf_rs::Visual) {
    match (&ours.geometry, &theirs.geometry) {
        (Geometry::Sphere { radius }, urdf_rs::Geometry::Sphere { radius: r }) => assert_eq!(radius, r),
        (Geometry::Box { size }, urdf_rs::Geometry::Box { size: s }) => assert_eq!(*size, **s),
        (Geometry::Cylinder { radius, length }, urdf_rs::Geometry::Cylinder { radius: r, length: l })
        | (Geometry::Capsule { radius, length }, urdf_rs::Geometry::Capsule { radius: r, length: l }) => {
            assert_eq!((radius, length), (r, l));
        }
        (Geometry::Mesh { source, scale }, urdf_rs::Geometry::Mesh { filename, scale: s }) => {
            assert_eq!(&source.uri, filename);
            assert_eq!(*scale, s.map_or([1.0; 3], |s| *s));
        }
        (ours, theirs) => panic!("{ours:?} is not {theirs:?}"),
    }
    if let Some(color) = theirs.material.as_ref().and_then(|material| material.color.as_ref()) {
        assert_eq!(ours.appearance.as_ref().and_then(|appearance| appearance.rgba), Some(*color.rgba));
    }
}

fn compare_joints(model: &Model, reference: &urdf_rs::Robot) {
    assert_eq!(model.joints.len(), reference.joints.len());
    for (joint, theirs) in model.joints.iter().zip(&reference.joints) {
        assert_eq!((&joint.name, &joint.parent, &joint.child), (&theirs.name, &theirs.parent.link, &theirs.child.link));
        let same_kind = match joint.kind {
            JointKind::Fixed => theirs.joint_type == urdf_rs::JointType::Fixed,
            JointKind::Revolute => theirs.joint_type == urdf_rs::JointType::Revolute,
            JointKind::Continuous => theirs.joint_type == urdf_rs::JointType::Continuous,
            JointKind::Prismatic => theirs.joint_type == urdf_rs::JointType::Prismatic,
            JointKind::Floating => theirs.joint_type == urdf_rs::JointType::Floating,
            JointKind::Ball => theirs.joint_type == urdf_rs::JointType::Spherical,
            JointKind::Planar => theirs.joint_type == urdf_rs::JointType::Planar,
            JointKind::Screw | JointKind::Universal => false,
        };
        assert!(same_kind, "{}", joint.name);
        assert_same_pose(&joint.X_PF, &theirs.origin, &joint.name);
        assert_eq!(joint.X_BM, Isometry3::identity());
        if joint.kind != JointKind::Fixed {
            let axis = Vector3::from(*theirs.axis.xyz).normalize();
            assert!((joint.axis - axis).amax() < 1e-15, "{}: {} {axis}", joint.name, joint.axis);
            assert_eq!(joint.damping, theirs.dynamics.as_ref().map_or(0.0, |dynamics| dynamics.damping));
        }
        if matches!(joint.kind, JointKind::Revolute | JointKind::Prismatic) && joint.limits.0.is_finite() {
            assert_eq!(joint.limits, (theirs.limit.lower, theirs.limit.upper));
        }
        let followed = theirs.mimic.as_ref().map(|mimic| &mimic.joint);
        assert_eq!(joint.mimic.as_ref().map(|mimic| &mimic.joint), followed);
    }
}

#[test]
fn every_file_loads_and_agrees_with_an_independent_reader() {
    let mut files = urdf_files(&data().join("urdf"));
    assert!(files.len() >= 5);
    if let Some(corpus) = std::env::var_os("KINEGRAPH_URDF_CORPUS") {
        files.extend(urdf_files(Path::new(&corpus)));
    }
    for file in files {
        let options = LoadOptions { missing_meshes: MissingMeshes::Ignore, ..LoadOptions::default() };
        let loaded = read_urdf_with(&file, &options).unwrap_or_else(|error| panic!("{error}"));
        let text = std::fs::read_to_string(&file).unwrap();
        // urdf-rs insists on a velocity limit, which we do not read.
        let complete =
            if text.contains("velocity=") { text.clone() } else { text.replace("<limit ", "<limit velocity=\"1\" ") };
        let reference =
            urdf_rs::read_from_string(&complete).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        assert_eq!(loaded.model.name, reference.name);
        compare_links(&loaded.model, &reference);
        compare_joints(&loaded.model, &reference);
        // urdf-rs does not read transmissions; the files here have one joint in each.
        assert_eq!(loaded.model.transmissions.len(), text.matches("<transmission").count());
    }
}

#[test]
fn unreadable_files_are_refused_by_name() {
    let missing = read_urdf(data().join("urdf/missing.urdf")).unwrap_err();
    assert!(matches!(missing.faults[0].kind, FaultKind::Unreadable { .. }));
    let message = missing.to_string();
    assert!(message.contains("missing.urdf: cannot read the file"), "{message}");

    let folder = read_urdf(data()).unwrap_err();
    assert!(matches!(folder.faults[0].kind, FaultKind::Unreadable { .. }), "{folder}");

    let latin1 = read_urdf(data().join("bad-urdf/latin1.urdf")).unwrap_err();
    assert!(matches!(latin1.faults[0].kind, FaultKind::NotUtf8));
    assert_eq!((latin1.faults[0].line, latin1.faults[0].column), (2, 18));
}
