//! A fibre as bodies and beams.

use super::curve::across;
use super::fade::{Fade, STRIP};
use super::{BeamLaw, CURVE_COINCIDENT, Fibre, FibreEnd, FibreError, NaturalShape, Piece, PieceEnd, SectionStiffness};
use crate::{Collision, Inertia, Joint, JointKind, Link, Model};
use kinegraph_geometry::Shape;
use nalgebra::{Isometry3, Matrix3, Rotation3, Translation3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

/// The largest angle by which an element may turn \[rad\]: its rotation vector is unique up to π.
pub(crate) const LARGEST_TURN: f64 = 2.0;
/// The root of the model, which stands for the world.
const ROOT: &str = "world";

/// The bodies and beams of a fibre.
#[derive(Clone, Debug)]
pub(crate) struct Pieces {
    pub model: Model,
    pub beams: Vec<(Piece, BeamLaw)>,
    /// Pairs of nodes that are excluded from contact.
    pub apart: Vec<[String; 2]>,
    /// Nodes whose contact fades towards their neighbours.
    pub fades: Vec<(usize, Fade)>,
    /// For each pinned end: its index, its node, and its pose.
    pub pins: Vec<(usize, usize, Isometry3<f64>)>,
}

/// Name of a node.
pub(crate) fn node_name(node: usize) -> String {
    format!("n{node}")
}

impl Fibre {
    /// Poses of the nodes at the start.
    fn frames(&self) -> Result<Vec<Isometry3<f64>>, FibreError> {
        let points = self.curve.nodes(self.elements)?;
        let (count, closed) = (points.len(), self.curve.is_closed());
        let chord = |i: usize| (points[(i + 1) % count] - points[i]).normalize();
        let chords: Vec<Vector3<f64>> = (0..self.elements).map(chord).collect();
        let tangent = |i: usize| {
            let before = if i > 0 {
                chords[i - 1]
            } else if closed {
                chords[self.elements - 1]
            } else {
                chords[0]
            };
            let after = if i < self.elements { chords[i] } else { chords[self.elements - 1] };
            let mean = before + after;
            if mean.norm() > 1e-9 { mean.normalize() } else { after }
        };
        for i in 1..count {
            let angle = chords[i - 1].angle(&chords[i % self.elements.max(1)]);
            if (i < self.elements || closed) && angle > LARGEST_TURN {
                return Err(FibreError::TooCoarse { node: i - 1, next: i, angle, largest: LARGEST_TURN });
            }
        }
        let x = tangent(0);
        let up = self.up.map(|up| up - x * x.dot(&up)).filter(|up| up.norm() > 1e-9);
        let z = up.map_or_else(|| across(&x), |up| up.normalize());
        let mut turn =
            UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[
                x,
                z.cross(&x),
                z,
            ])));
        let mut last = x;
        let mut frames = Vec::with_capacity(count);
        for (i, p) in points.iter().enumerate() {
            let x = tangent(i);
            // The smallest rotation from tangent to tangent: a section that does not twist.
            turn = UnitQuaternion::rotation_between(&last, &x).unwrap_or_default() * turn;
            last = x;
            let twisted =
                UnitQuaternion::from_scaled_axis(Vector3::x() * (self.twist * i as f64 / self.elements as f64));
            frames.push(Isometry3::from_parts(Translation3::from(*p), turn * twisted));
        }
        Ok(frames)
    }

    /// Checks the fibre.
    ///
    /// # Errors
    /// The first fault found.
    pub fn check(&self) -> Result<(), FibreError> {
        self.pieces().map(|_| ())
    }

    /// The fibre in pieces.
    pub(crate) fn pieces(&self) -> Result<Pieces, FibreError> {
        let section = self.section.stiffness(&self.material)?;
        let number = |what, value: f64, valid, expected| {
            if valid { Ok(()) } else { Err(FibreError::OutOfRange { what, value, expected }) }
        };
        let not_negative = |value: f64| value >= 0.0 && value.is_finite();
        let expected = "a finite number, zero or more";
        number("damping time", self.material.damping, not_negative(self.material.damping), expected)?;
        number("twist", self.twist, self.twist.is_finite(), "a finite number")?;
        let radius = self.contact_radius.unwrap_or(0.0);
        number("contact radius", radius, not_negative(radius), expected)?;
        let closed = self.curve.is_closed();
        if closed && self.ends != [FibreEnd::Free, FibreEnd::Free] {
            return Err(FibreError::HeldLoop);
        }
        if let Some(up) = self.up {
            let size = up.norm();
            number("length of its direction `up`", size, size > 0.0 && size.is_finite(), "above zero")?;
        }
        let frames = self.frames()?;
        // The rotation vector of an element would read a larger angle as a smaller one.
        let angle = self.twist.abs() / self.elements as f64;
        if angle > LARGEST_TURN {
            return Err(FibreError::TwistTooCoarse { twist: self.twist, angle, largest: LARGEST_TURN });
        }
        let count = frames.len();
        let length = |e: usize| (frames[(e + 1) % count].translation.vector - frames[e].translation.vector).norm();
        let lengths: Vec<f64> = (0..self.elements).map(length).collect();
        for (e, length) in lengths.iter().enumerate() {
            if *length <= CURVE_COINCIDENT * self.curve.length() {
                return Err(FibreError::CoincidentNodes { first: e, second: e + 1 });
            }
        }
        let clamped = |node: usize| match node {
            0 if !closed => matches!(self.ends[0], FibreEnd::Clamped(_)),
            node if node == self.elements && !closed => matches!(self.ends[1], FibreEnd::Clamped(_)),
            _ => false,
        };
        let place =
            |node: usize| if clamped(node) { PieceEnd::Link(usize::from(node > 0)) } else { PieceEnd::Node(node) };
        let mut beams = Vec::with_capacity(self.elements);
        for (e, &length) in lengths.iter().enumerate() {
            let (i, j) = (e, (e + 1) % count);
            let X_W = [frames[i], frames[j]];
            let (stretch, bend, damping) = (section.stretch, section.bend, self.material.damping);
            let law = BeamLaw::at_rest(length, stretch, bend, damping, &X_W[0], &X_W[1]);
            let angle = law.bend_reference.norm() * length;
            if angle > LARGEST_TURN {
                return Err(FibreError::TooCoarse { node: i, next: j, angle, largest: LARGEST_TURN });
            }
            let law = match self.natural {
                NaturalShape::Start => law,
                NaturalShape::Straight => {
                    let (stretch_reference, bend_reference) = (Vector3::x(), Vector3::zeros());
                    BeamLaw { stretch_reference, bend_reference, ..law }
                }
            };
            beams.push((Piece { ends: [place(i), place(j)], X_W }, law));
        }
        // Half of each element belongs to each of its nodes.
        let reach = |node: usize| {
            let before = if node > 0 || closed { lengths[(node + self.elements - 1) % self.elements] } else { 0.0 };
            let after = if node < self.elements || closed { lengths[node % self.elements] } else { 0.0 };
            [0.5 * before, 0.5 * after]
        };
        let mut model = Model { name: self.name.clone(), ..Model::default() };
        model.scene.root_is_world = true;
        model.links.push(Link { name: ROOT.into(), ..Link::default() });
        let nodes: Vec<usize> = (0..count).filter(|&node| !clamped(node)).collect();
        let fade_of = |node: usize| {
            let [before, after] =
                [(node + self.elements - 1) % self.elements, node % self.elements].map(|e| lengths[e]);
            let joint = |has: bool, length: f64| has.then_some((0.5 * length, STRIP * length));
            let has_before = closed || node > 0 && !clamped(node - 1);
            let has_after = closed || node < self.elements && !clamped(node + 1);
            Fade { ends: [joint(has_before, before), joint(has_after, after)] }
        };
        let mut fades = Vec::new();
        for &node in &nodes {
            let [before, after] = reach(node);
            let mut touching = [before, after];
            if self.smooth_contact {
                let fade = fade_of(node);
                touching.iter_mut().zip(fade.ends).for_each(|(reach, end)| *reach += end.map_or(0.0, |(_, half)| half));
                fades.push((node, fade));
            }
            let name = node_name(node);
            model.links.push(Link {
                name: name.clone(),
                inertia: Some(inertia(&section, before, after)),
                collisions: self.shape(&section, touching).into_iter().collect(),
                ..Link::default()
            });
            let joint = Joint::new(name.clone(), JointKind::Floating, ROOT, name);
            model.joints.push(Joint { X_PF: frames[node], ..joint });
        }
        let mean = lengths.iter().sum::<f64>() / self.elements as f64;
        let size = self.contact_radius.unwrap_or(section.half_size[0].max(section.half_size[1]));
        let near = 1 + (PI * size / mean) as usize;
        let mut apart = Vec::new();
        for (k, &i) in nodes.iter().enumerate().filter(|_| self.self_contact) {
            let after = nodes[k + 1..].iter().take_while(|&&j| j - i <= near);
            let around =
                nodes[k + 1..].iter().rev().take_while(|&&j| closed && j - i > near && count - (j - i) <= near);
            apart.extend(after.chain(around).map(|&j| [node_name(i), node_name(j)]));
        }
        let ends = [(0, 0), (1, self.elements)];
        let pinned = ends.into_iter().filter(|(end, _)| matches!(self.ends[*end], FibreEnd::Pinned(_)));
        let pins = pinned.map(|(end, node)| (end, node, frames[node])).collect();
        Ok(Pieces { model, beams, apart, fades, pins })
    }

    /// Collision shape of a node, with its extents to both sides: a capsule, or a box for a rectangle.
    fn shape(&self, section: &SectionStiffness, [before, after]: [f64; 2]) -> Option<Collision> {
        let half_length = 0.5 * (before + after);
        let centre = Translation3::new(0.5 * (after - before), 0.0, 0.0);
        let along_x = UnitQuaternion::from_axis_angle(&Vector3::y_axis(), 0.5 * PI);
        let (shape, turn) = match (self.contact_radius, self.section) {
            (Some(0.0), _) => return None,
            (None, super::Section::Rectangle { .. }) => {
                let half_extents = Vector3::new(half_length, section.half_size[0], section.half_size[1]);
                (Shape::Box { half_extents }, UnitQuaternion::identity())
            }
            (radius, _) => (Shape::Capsule { radius: radius.unwrap_or(section.half_size[0]), half_length }, along_x),
        };
        let X_BG = Isometry3::from_parts(centre, turn);
        Some(Collision { name: String::new(), X_BG, shape, surface: None })
    }
}

/// Mass properties of the piece from `before` to `after` about its node.
fn inertia(section: &SectionStiffness, before: f64, after: f64) -> Inertia {
    let length = before + after;
    let mass = section.mass * length;
    let [y, z] = section.gyration;
    let across = length * length / 12.0;
    Inertia {
        mass,
        p_BoBcm: Vector3::new(0.5 * (after - before), 0.0, 0.0),
        I_BBcm: Matrix3::from_diagonal(&(Vector3::new(y + z, y + across, z + across) * mass)),
    }
}
