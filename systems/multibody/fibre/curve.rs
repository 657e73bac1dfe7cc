//! Initial curves of fibres, cut into nodes.

use super::FibreError;
use nalgebra::{Unit, UnitQuaternion, Vector3};
use std::f64::consts::TAU;

/// Points closer than this fraction of the length of a curve coincide.
pub const CURVE_COINCIDENT: f64 = 1e-9;

/// The axis of a fibre in world \[m\].
#[derive(Clone, Debug, PartialEq)]
pub enum Curve {
    /// Straight from point to point.
    Polyline(Vec<Vector3<f64>>),
    /// A closed circle.
    Circle {
        /// Centre.
        centre: Vector3<f64>,
        /// Normal of its plane; of any length.
        axis: Vector3<f64>,
        /// Radius \[m\].
        radius: f64,
    },
    /// A helix about an axis.
    Helix {
        /// Start of the axis.
        centre: Vector3<f64>,
        /// Direction of the axis; of any length.
        axis: Vector3<f64>,
        /// Radius \[m\].
        radius: f64,
        /// Travel along the axis per turn \[m\].
        pitch: f64,
        /// Number of turns; negative: left-handed.
        turns: f64,
    },
}

impl Curve {
    /// True if the end is joined to the start.
    pub fn is_closed(&self) -> bool {
        matches!(self, Curve::Circle { .. })
    }

    /// Length of the curve \[m\].
    pub fn length(&self) -> f64 {
        match self {
            Curve::Polyline(points) => points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum(),
            Curve::Circle { radius, .. } => TAU * radius,
            Curve::Helix { radius, pitch, turns, .. } => turns.abs() * (TAU * radius).hypot(*pitch),
        }
    }

    /// Ends of `elements` elements of equal length: one more point than elements; for a closed curve, as many.
    pub fn nodes(&self, elements: usize) -> Result<Vec<Vector3<f64>>, FibreError> {
        let number = |what, value: f64, valid, expected| {
            if valid { Ok(()) } else { Err(FibreError::OutOfRange { what, value, expected }) }
        };
        let fewest = if self.is_closed() { 3 } else { 1 };
        let expected = if self.is_closed() { "three or more" } else { "one or more" };
        number("number of its elements", elements as f64, elements >= fewest, expected)?;
        let along = |part: f64, sense: f64| (0..=elements).map(move |i| part * sense * i as f64 / elements as f64);
        let round = |radius: f64, axis: &Vector3<f64>| -> Result<_, FibreError> {
            number("radius of its curve", radius, radius > 0.0 && radius.is_finite(), "a finite number above zero")?;
            let size = axis.norm();
            number("length of the axis of its curve", size, size > 0.0 && size.is_finite(), "above zero")?;
            let axis = Unit::new_normalize(*axis);
            let start = across(&axis) * radius;
            Ok((axis, move |angle: f64| UnitQuaternion::from_axis_angle(&axis, angle) * start))
        };
        match self {
            Curve::Polyline(points) => cut(points, elements),
            Curve::Circle { centre, axis, radius } => {
                let (_, at) = round(*radius, axis)?;
                Ok(along(TAU, 1.0).take(elements).map(|angle| centre + at(angle)).collect())
            }
            Curve::Helix { centre, axis, radius, pitch, turns } => {
                let (axis, at) = round(*radius, axis)?;
                number("pitch of its curve", *pitch, pitch.is_finite(), "a finite number")?;
                let valid = *turns != 0.0 && turns.is_finite();
                number("turns of its curve", *turns, valid, "a finite number other than zero")?;
                let angles = along(TAU * turns.abs(), turns.signum());
                Ok(angles.map(|angle| centre + at(angle) + *axis * (pitch * angle.abs() / TAU)).collect())
            }
        }
    }
}

/// A unit vector perpendicular to another one, the projection of the world axis that is farthest from it.
pub(super) fn across(axis: &Vector3<f64>) -> Vector3<f64> {
    let farthest = Vector3::ith(axis.iamin(), 1.0);
    (farthest - axis * axis.dot(&farthest)).normalize()
}

/// Points at equal distances along a polyline.
fn cut(points: &[Vector3<f64>], elements: usize) -> Result<Vec<Vector3<f64>>, FibreError> {
    if points.len() < 2 {
        return Err(FibreError::TooFewPoints { points: points.len() });
    }
    let length: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    if !length.is_finite() {
        return Err(FibreError::OutOfRange { what: "length of its curve", value: length, expected: "a finite number" });
    }
    for (i, pair) in points.windows(2).enumerate() {
        if (pair[1] - pair[0]).norm() <= CURVE_COINCIDENT * length {
            return Err(FibreError::CoincidentPoints { first: i, second: i + 1 });
        }
    }
    let (mut nodes, mut corner, mut before) = (Vec::with_capacity(elements + 1), 0, 0.0);
    for i in 0..=elements {
        let s = length * i as f64 / elements as f64;
        let mut side = (points[corner + 1] - points[corner]).norm();
        while s > before + side && corner + 2 < points.len() {
            (before, corner) = (before + side, corner + 1);
            side = (points[corner + 1] - points[corner]).norm();
        }
        let part = ((s - before) / side).min(1.0);
        nodes.push(points[corner] + (points[corner + 1] - points[corner]) * part);
    }
    Ok(nodes)
}
