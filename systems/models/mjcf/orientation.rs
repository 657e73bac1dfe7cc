//! `pos` and the five ways to write an orientation: `quat` (w x y z), `axisangle`, `euler`, `xyaxes`, `zaxis`.
//!
//! `euler` turns by three angles about the axes that `eulerseq` names: small letters are the axes as they turn
//! (`q = q₁ q₂ q₃`), capitals those of the parent (`q = q₃ q₂ q₁`). `xyaxes` are made orthogonal; `zaxis` is the least
//! turn that brings z there.

use super::fields::Fields;
use super::log::Log;
use super::settings::Settings;
use crate::faults::MjcfFault;
use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

const WAYS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// The pose of an element in what is around it.
pub(super) fn pose(f: &Fields<'_>, settings: &Settings, log: &mut Log<'_>) -> Isometry3<f64> {
    let rotation = orientation(f, settings, log).unwrap_or_else(UnitQuaternion::identity);
    Isometry3::from_parts(Translation3::from(position(f, log)), rotation)
}

/// `pos`, zero where it is not stated.
pub(super) fn position(f: &Fields<'_>, log: &mut Log<'_>) -> Vector3<f64> {
    f.exactly::<3>("pos", log).unwrap_or_default().into()
}

/// The orientation, if there is one.
pub(super) fn orientation(f: &Fields<'_>, settings: &Settings, log: &mut Log<'_>) -> Option<UnitQuaternion<f64>> {
    let settings = settings.of(f.element);
    let own: Vec<&'static str> = WAYS.into_iter().filter(|way| f.element.attribute(way).is_some()).collect();
    if let [first, second, ..] = own[..] {
        log.fault(&f.element.at, MjcfFault::TwoOrientations { element: f.element.describe(), first, second });
        return None;
    }
    // Of defaults the last counts, whichever way it is written.
    let of_class = || f.defaults.iter().rev().find_map(|a| WAYS.into_iter().find(|way| a.name == *way));
    let way = own.first().copied().or_else(of_class)?;
    let no_direction = |log: &mut Log<'_>| {
        log.fault(&f.element.at, MjcfFault::NoDirection { element: f.element.describe(), attribute: way });
        None
    };
    match way {
        "quat" => {
            let [w, x, y, z] = f.exactly("quat", log)?;
            let q = Quaternion::new(w, x, y, z);
            if q.norm() > 0.0 { Some(UnitQuaternion::from_quaternion(q)) } else { no_direction(log) }
        }
        "axisangle" => {
            let [x, y, z, angle] = f.exactly("axisangle", log)?;
            match Unit::try_new(Vector3::new(x, y, z), 0.0) {
                Some(axis) => Some(UnitQuaternion::from_axis_angle(&axis, settings.angle(angle))),
                None => no_direction(log),
            }
        }
        "euler" => Some(from_euler(f.exactly("euler", log)?.map(|a| settings.angle(a)), settings.euler)),
        "xyaxes" => {
            let [a, b, c, d, e, g] = f.exactly("xyaxes", log)?;
            let x = Vector3::new(a, b, c).try_normalize(0.0);
            let y = Vector3::new(d, e, g);
            let axes = x.and_then(|x| Some((x, (y - x * x.dot(&y)).try_normalize(1e-12)?)));
            let Some((x, y)) = axes else { return no_direction(log) };
            let R = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(R)))
        }
        _ => {
            let axis = Vector3::from(f.exactly::<3>("zaxis", log)?);
            if axis.norm() > 0.0 { Some(least_turn(&axis)) } else { no_direction(log) }
        }
    }
}

/// Three turns in a row.
pub(super) fn from_euler(angles: [f64; 3], sequence: [u8; 3]) -> UnitQuaternion<f64> {
    let mut q = UnitQuaternion::identity();
    for (angle, letter) in angles.into_iter().zip(sequence) {
        let axis = match letter.to_ascii_lowercase() {
            b'x' => Vector3::x_axis(),
            b'y' => Vector3::y_axis(),
            _ => Vector3::z_axis(),
        };
        let turn = UnitQuaternion::from_axis_angle(&axis, angle);
        q = if letter.is_ascii_lowercase() { q * turn } else { turn * q };
    }
    q
}

/// The least turn that brings z onto `axis`, which is not zero.
pub(super) fn least_turn(axis: &Vector3<f64>) -> UnitQuaternion<f64> {
    let axis = axis.normalize();
    let cross = Vector3::z().cross(&axis);
    let sine = cross.norm();
    let about = if sine < 1e-10 { Vector3::x_axis() } else { Unit::new_unchecked(cross / sine) };
    UnitQuaternion::from_axis_angle(&about, sine.atan2(axis.z))
}
