//! Fibres: ropes, cables, strips and rings, as a chain of nodes with a beam between neighbours.
//!
//! A node is a floating body: the piece of the fibre half way to its neighbours, with the mass, the inertia and the
//! shape of that piece. So poses, forces, contact, sensors and recordings work for fibres as for all bodies. A fibre is
//! a [model](crate::Model) of its name with the links `n0`, `n1`, …; its beams are the constraints `NAME.e0`,
//! `NAME.e1`, … whose forces are the internal forces of the section. The x axis of a node runs along the fibre.
//!
//! Rigid pieces have the rotary inertia `m L²/12` across the fibre. Then a fibre that turns as a whole has its true
//! inertia, and a node does not oscillate much faster than the bending modes that the elements resolve. The error of a
//! frequency stays of second order in the length of an element.

mod beam;
mod curve;
mod error;
#[doc(hidden)]
pub mod fade;
mod pieces;
mod section;

pub use beam::BeamLaw;
pub use curve::{CURVE_COINCIDENT, Curve};
pub use error::FibreError;
pub(crate) use fade::Fade;
pub(crate) use pieces::{LARGEST_TURN, Pieces, node_name};
pub use section::{Section, SectionStiffness};

use nalgebra::{Isometry3, Vector3};

/// Material of a fibre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreMaterial {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Shear modulus G \[Pa\].
    pub shear: f64,
    /// Density \[kg/m³\].
    pub density: f64,
    /// Kelvin-Voigt damping time \[s\]: stress per rate of strain, over the modulus.
    pub damping: f64,
}

impl FibreMaterial {
    /// Isotropic material with a given Poisson's ratio: `G = E/(2 (1 + ν))`.
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Self {
        FibreMaterial { young, shear: 0.5 * young / (1.0 + poisson), density, damping: 0.0 }
    }
}

/// Support of an end of a fibre.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FibreEnd {
    /// Free.
    #[default]
    Free,
    /// Fixed in position, where it is at the start, to a link (full name, or `world`); it turns freely.
    Pinned(String),
    /// Fixed in position and direction, as they are at the start, to a link. The end has no node of its own: the half
    /// element there is a part of the link, without mass.
    Clamped(String),
}

/// Shape of a fibre without load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NaturalShape {
    /// The initial shape.
    #[default]
    Start,
    /// Straight and without twist, of the same length.
    Straight,
}

/// A fibre as its author states it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fibre {
    /// Name in the plant, of a fibre or model.
    pub name: String,
    /// Its axis at the start, in world.
    pub curve: Curve,
    /// Number of beams.
    pub elements: usize,
    /// Its cross section.
    pub section: Section,
    /// Its material.
    pub material: FibreMaterial,
    /// Its shape without load.
    pub natural: NaturalShape,
    /// Direction \[x, y, z\] to which the z axis of the section at the start of the fibre is aligned as closely as
    /// possible; `None`: any.
    pub up: Option<Vector3<f64>>,
    /// Angle by which the section turns about the axis from the start to the end \[rad\].
    pub twist: f64,
    /// Supports of its ends; the ends of a closed fibre are joined.
    pub ends: [FibreEnd; 2],
    /// Radius of the collision shapes \[m\]; `None`: that of the section. Zero: the fibre has no contact.
    pub contact_radius: Option<f64>,
    /// True if the fibre collides with itself.
    pub self_contact: bool,
    /// True if contact passes from node to node without jumps.
    pub smooth_contact: bool,
}

impl Fibre {
    /// A free fibre that collides with everything but itself.
    pub fn new(
        name: impl Into<String>,
        curve: Curve,
        elements: usize,
        section: Section,
        material: FibreMaterial,
    ) -> Self {
        Fibre {
            name: name.into(),
            curve,
            elements,
            section,
            material,
            natural: NaturalShape::Start,
            up: None,
            twist: 0.0,
            ends: [FibreEnd::Free, FibreEnd::Free],
            contact_radius: None,
            self_contact: false,
            smooth_contact: false,
        }
    }
}

/// A beam between two places of a fibre: nodes by index, or an end that is clamped to a link.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub ends: [PieceEnd; 2],
    pub X_W: [Isometry3<f64>; 2],
}

/// An end of a beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceEnd {
    /// The node.
    Node(usize),
    /// The link to which this end of the fibre is clamped.
    Link(usize),
}
