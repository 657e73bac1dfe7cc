//! Fibres: ropes, cables, strips and rings, as a chain of nodes with a beam between each two.
//!
//! A node is a body that floats: the piece of the fibre half way to its neighbours, with the mass, the inertia and the
//! shape of that piece. So poses, forces, contact, sensors and recordings work on fibres as on all bodies. A fibre is a
//! [model](crate::Model) of its name with the links `n0`, `n1`, …; its beams are the constraints `NAME.e0`,
//! `NAME.e1`, … whose forces are the stress of the section. The x axis of a node runs along the fibre.
//!
//! Rigid pieces have the rotary inertia `m L²/12` across the fibre. A fibre that turns as a whole then has its true
//! inertia, and a node does not oscillate much faster than the bending that the element resolves; the error of a
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

/// What a fibre is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreMaterial {
    /// Young's modulus E \[Pa\].
    pub young: f64,
    /// Shear modulus G \[Pa\].
    pub shear: f64,
    /// \[kg/m³\].
    pub density: f64,
    /// Kelvin-Voigt damping time \[s\]: stress per rate of strain, over the modulus.
    pub damping: f64,
}

impl FibreMaterial {
    /// By Poisson's ratio: `G = E/(2 (1 + ν))`.
    pub fn isotropic(young: f64, poisson: f64, density: f64) -> Self {
        FibreMaterial { young, shear: 0.5 * young / (1.0 + poisson), density, damping: 0.0 }
    }
}

/// How an end of a fibre is held.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FibreEnd {
    /// By nothing.
    #[default]
    Free,
    /// Its place on a link (full name, or `world`), where it is at the start; it turns freely.
    Pinned(String),
    /// Its place and direction on a link, as they are at the start. The end has no node of its own: the half element
    /// there is a part of the link, without mass.
    Clamped(String),
}

/// The shape that a fibre has without load.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NaturalShape {
    /// That in which it starts.
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
    /// Where its axis is at the start, in world.
    pub curve: Curve,
    /// How many beams it has.
    pub elements: usize,
    /// Its cross section.
    pub section: Section,
    /// What it is made of.
    pub material: FibreMaterial,
    /// Its shape without load.
    pub natural: NaturalShape,
    /// A direction \[x, y, z\] to which the z axis of the section at the start of the fibre is as close as it can be;
    /// `None`: any.
    pub up: Option<Vector3<f64>>,
    /// By what angle the section turns about the axis from the start to the end \[rad\].
    pub twist: f64,
    /// How its ends are held; those of a closed one are joined.
    pub ends: [FibreEnd; 2],
    /// Radius of the shapes that touch \[m\]; `None`: that of the section. Zero: nothing touches it.
    pub contact_radius: Option<f64>,
    /// Whether the fibre touches itself.
    pub self_contact: bool,
    /// Whether contact passes from node to node without jumps.
    pub smooth_contact: bool,
}

impl Fibre {
    /// A free fibre that touches everything but itself.
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

/// What an end of a beam is fixed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PieceEnd {
    /// The node.
    Node(usize),
    /// The link to which this end of the fibre is clamped.
    Link(usize),
}
