//! `<keyframe>`: named states.
//!
//! The format has a free joint's place before its quaternion, and its velocity before its angular velocity, the latter
//! in the body's axes. Here the quaternion comes first, then the place; angular velocity, then velocity; all in world
//! axes.
//!
//! Keyframes of an attached file say where its own joints and actuators are; all else is as it is without them.

use super::actuators::Written;
use super::attach;
use super::element::Element;
use super::fields::Fields;
use super::joints::{Joints, Written as WrittenJoint};
use super::log::Log;
use super::names::Names;
use super::recognition;
use crate::faults::MjcfFault;
use kinegraph_multibody::scene_data::Keyframe;
use kinegraph_multibody::{Joint, JointKind};
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};

/// Reads all keyframes.
pub(super) fn read(
    root: &Element,
    joints: &Joints<'_>,
    model: &[Joint],
    actuators: &[Written],
    frames: &[Isometry3<f64>],
    log: &mut Log<'_>,
) -> Vec<Keyframe> {
    let elements: Vec<&Element> = root.all("keyframe").flat_map(|section| section.all("key")).collect();
    let named: Vec<_> = elements.iter().enumerate().map(|(i, key)| (*key, format!("key{i}"))).collect();
    let (_, names) = Names::of("key", &named, log);
    let keys = elements.into_iter().zip(names).filter_map(|(element, name)| {
        recognition::check_attributes(element, log);
        read_key(element, name, joints, model, actuators, frames, log)
    });
    keys.collect()
}

fn read_key(
    element: &Element,
    name: String,
    joints: &Joints<'_>,
    model: &[Joint],
    actuators: &[Written],
    frames: &[Isometry3<f64>],
    log: &mut Log<'_>,
) -> Option<Keyframe> {
    let f = Fields::alone(element);
    let start = |key: &Keyed| match key.kind {
        JointKind::Floating => key.pose.to_vec(),
        JointKind::Ball => vec![1.0, 0.0, 0.0, 0.0],
        _ => vec![key.start],
    };
    let has = |other: &Element| attach::is_of_same_file(element, other);
    let of_joint = |(written, X_BI): (&WrittenJoint<'_>, &Isometry3<f64>)| {
        Keyed::of(&model[written.index], *X_BI, has(written.part.element))
    };
    let keyed: Vec<Keyed> = joints.all.iter().zip(frames).map(of_joint).collect();
    let widths = |kind: JointKind| match kind {
        JointKind::Floating => (7, 6),
        JointKind::Ball => (4, 3),
        _ => (1, 1),
    };
    // Of each number what it is where the keyframe does not say it, and whether the keyframe has a place for it.
    let mut read = |attribute: &'static str, places: Vec<(f64, bool)>| {
        let list = f.list(attribute, log).unwrap_or_default();
        let count = places.iter().filter(|(_, has)| *has).count();
        if list.len() <= count {
            let mut list = list.iter().copied();
            let mut number = |(otherwise, has)| if has { list.next().unwrap_or(otherwise) } else { otherwise };
            return Some(places.into_iter().map(&mut number).collect::<Vec<f64>>());
        }
        let (element, expected) = (element.describe(), format!("at most {count}"));
        let (attribute, found) = (attribute.to_owned(), list.len());
        log.fault(&f.element.at, MjcfFault::Count { element, attribute, expected, found });
        None
    };
    let starts = keyed.iter().flat_map(|key| start(key).into_iter().map(|x| (x, key.has)));
    let mut positions = read("qpos", starts.collect());
    let at_rest = keyed.iter().flat_map(|key| vec![(0.0, key.has); widths(key.kind).1]);
    let mut velocities = read("qvel", at_rest.collect());
    let zero = |written: &Written| (0.0, has(written.element));
    let controls = read("ctrl", actuators.iter().map(zero).collect()).filter(|_| f.has("ctrl"));
    let zeros = actuators.iter().flat_map(|written| vec![zero(written); written.activations]);
    let all = read("act", zeros.collect())?;
    // Of an actuator with several, which is one of a kind that is not simulated, the last one counts.
    let mut end = 0;
    let last = actuators.iter().filter_map(|written| {
        end += written.activations;
        written.actuator.activation.map(|_| all[end - 1])
    });
    let activations = f.has("act").then(|| last.collect());
    let (positions_ref, velocities_ref) = (positions.as_mut()?, velocities.as_mut()?);
    let (mut q, mut v) = (0, 0);
    for key in &keyed {
        let (wide, moving) = widths(key.kind);
        if key.kind == JointKind::Floating {
            let pose = &mut positions_ref[q..q + 7];
            pose.rotate_left(3);
            let turn = UnitQuaternion::from_quaternion(Quaternion::new(pose[0], pose[1], pose[2], pose[3]));
            let motion = &mut velocities_ref[v..v + 6];
            motion.rotate_left(3);
            let w = turn * Vector3::new(motion[0], motion[1], motion[2]);
            motion[..3].copy_from_slice(w.as_slice());
            if key.X_BI != Isometry3::identity() {
                // Of the frame of the inertia to that of the body.
                let X_WI = Isometry3::from_parts(Translation3::new(pose[4], pose[5], pose[6]), turn);
                let X_WB = X_WI * key.X_BI.inverse();
                let (p, r) = (X_WB.translation.vector, X_WB.rotation);
                pose.copy_from_slice(&[r.w, r.i, r.j, r.k, p.x, p.y, p.z]);
                let shift = w.cross(&(p - X_WI.translation.vector));
                motion[3..].iter_mut().zip(shift.iter()).for_each(|(v, more)| *v += more);
            }
        }
        (q, v) = (q + wide, v + moving);
    }
    Some(Keyframe { name, positions: positions?, velocities: velocities?, controls, activations })
}

/// State of one joint where the keyframe does not state it; the pose as the format writes it.
struct Keyed {
    kind: JointKind,
    start: f64,
    pose: [f64; 7],
    /// The frame whose pose a free joint has, in that of its body.
    X_BI: Isometry3<f64>,
    /// True if the keyframe has a place for it.
    has: bool,
}

impl Keyed {
    fn of(joint: &Joint, X_BI: Isometry3<f64>, has: bool) -> Self {
        let X = joint.X_PF * X_BI;
        let (p, r) = (X.translation.vector, X.rotation);
        Keyed { kind: joint.kind, start: joint.start, pose: [p.x, p.y, p.z, r.w, r.i, r.j, r.k], X_BI, has }
    }
}
