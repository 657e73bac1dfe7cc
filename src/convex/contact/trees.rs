//! Trees of bodies at one state: masses, velocities, Jacobians.

use super::body::Body;
use super::elements::JointSpring;
use std::ops::Range;

/// A block of velocities coupled by the mass matrix (one moving tree).
#[derive(Clone, Debug)]
pub struct Clique {
    /// Its velocities.
    pub velocities: Range<usize>,
    /// Offset of its block (column major) in the mass storage.
    pub block: usize,
}

impl Clique {
    /// Number of velocities.
    pub fn size(&self) -> usize {
        self.velocities.len()
    }
}

/// Trees with their bodies, as the state sets them.
#[derive(Clone, Debug, Default)]
pub struct Trees {
    /// Trees of bodies, each with a block of the mass matrix.
    pub cliques: Vec<Clique>,
    /// Clique of each velocity.
    pub(super) clique_of: Vec<usize>,
    /// Mass matrices of all cliques, column by column \[kg, kg m, kg m²\].
    pub mass: Vec<f64>,
    /// Damping of each velocity \[N s/m, N m s/rad\].
    pub damping: Vec<f64>,
    /// Bias of each velocity: Coriolis forces and gravity \[N, N m\].
    pub bias: Vec<f64>,
    /// Springs on single degrees of freedom.
    pub springs: Vec<JointSpring>,
    /// Velocities at the start of the step \[m/s, rad/s\].
    pub v0: Vec<f64>,
    /// diag(M)^-1/2, which makes velocities and momenta comparable \[kg^-1/2\].
    pub scale: Vec<f64>,
    /// True for velocities that are zero in every solution.
    pub locked: Vec<bool>,
    /// Momentum that locked velocities give to others \[N s, N m s\].
    pub kick: Vec<f64>,
    /// Bodies, with their Jacobians.
    pub bodies: Vec<Body>,
    /// Their Jacobians, 6 x velocities of the clique, column by column: angular, then linear.
    pub jacobians: Vec<f64>,
    /// Nonzero columns of Jacobians, body by body: a link moves with its ancestors, and with nothing else of its tree.
    pub(crate) moving: Vec<u32>,
}

impl Trees {
    /// Removes all trees. Keeps all memory.
    pub(super) fn clear(&mut self) {
        self.cliques.clear();
        self.clique_of.clear();
        self.mass.clear();
        self.damping.clear();
        self.bias.clear();
        self.springs.clear();
        self.v0.clear();
        self.locked.clear();
        self.kick.clear();
        self.bodies.clear();
        self.jacobians.clear();
        self.moving.clear();
    }
}
