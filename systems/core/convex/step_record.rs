//! Record of a convex step of a plant, from the solved problem: contacts, efforts, forces of stops.
//!
//! A step from (q, v) of length h satisfies, to the tolerance of the solver,
//!
//! ```text
//! M(q) (velocity - v)/h + k(q, v) = actuation + applied + stops + constraints + passive + Jᵀ contact forces
//! ```
//!
//! (rows of locked joints excepted) with the bias k at the start, which contains gravity, damping and springs. Under
//! step doubling this is the second of the two half steps, which ends where the accepted step ends; if that end was
//! extrapolated, it differs slightly from the state to which the forces lead.

use super::patch_report::{PatchReport, patches};
use super::structure::PlantStructure;
use nalgebra::Vector3;
use std::fmt;

/// One contact point of the step. Vectors in world axes; bodies by index into [`PlantStructure::bodies`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// The body that the normal points away from (may be fixed to the world).
    pub body_a: usize,
    /// The body that the normal points to.
    pub body_b: usize,
    /// The contact point C at the start of the step \[m\].
    pub p_WC: [f64; 3],
    /// Unit normal from A into B.
    pub normal: [f64; 3],
    /// Force on B \[N\]; its normal part acts at C. A gets the opposite.
    pub force: [f64; 3],
    /// Offset from C to the point where friction acts \[m\]: nearer to the centre of pressure of a pair that lies flat.
    pub friction_offset: [f64; 3],
    /// Slip velocity of the surface of B relative to that of A, velocities of surfaces included \[m/s\].
    pub slip_velocity: [f64; 3],
    /// Separation speed of the surfaces \[m/s\].
    pub separation_speed: f64,
    /// Overlap at the start of the step \[m\]; negative for a gap that the step could close.
    pub depth: f64,
    /// Static friction coefficient of the pair, in the direction with the most friction.
    pub static_friction: f64,
    /// Direction with the least friction, as in [`ContactPoint::grain`](super::ContactPoint::grain).
    pub grain: [f64; 3],
    /// Identifies the pair of geometries from step to step.
    pub key: u64,
}

impl ContactReport {
    /// Torque on B about C \[N m\], along the normal; A gets the opposite. Zero where friction acts at C.
    pub fn torque(&self) -> [f64; 3] {
        let [n, s, f] = [self.normal, self.friction_offset, self.force].map(Vector3::from);
        (n * n.dot(&s.cross(&f))).into()
    }
}

/// Forces on one plant in the last accepted step. Empty before the first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Time at the end \[s\].
    pub end: f64,
    /// Length of the (half) step \[s\].
    pub length: f64,
    /// Positions at its start.
    pub q: Vec<f64>,
    /// Velocities at its start.
    pub v: Vec<f64>,
    /// Velocities at its end.
    pub velocity: Vec<f64>,
    /// All contact points of the problem, those without force included, sorted by bodies.
    pub contacts: Vec<ContactReport>,
    /// Effort of the actuators per velocity, within its limits \[N m, N\].
    pub actuation: Vec<f64>,
    /// Generalized force of all other inputs per velocity \[N m, N\].
    pub applied: Vec<f64>,
    /// Generalized force of the changes of damping and springs within the step, and of dry friction of joints, per
    /// velocity \[N m, N\].
    pub passive: Vec<f64>,
    /// Force of the stops of each of [`PlantStructure::limits`], positive towards larger positions \[N m, N\].
    pub stops: Vec<f64>,
    /// Generalized force of welds, balls, distances and couplers per velocity \[N m, N\].
    pub constraints: Vec<f64>,
    /// Force of each of [`PlantStructure::constraints`], zero while it is not active. Weld and ball: torque and force
    /// on the second body, in world \[N m, N\]; distance: the first number pushes the points apart \[N\]; coupler: the
    /// first number acts on the first joint \[N m, N\].
    pub multipliers: Vec<[f64; 6]>,
    /// Spatial forces on each body besides contact: torque, force; about the body's origin. They are part of `applied`
    /// and `constraints` already. Forces of inputs are those evaluated for the step; their changes within it are known
    /// as generalized forces only.
    pub wrenches: Vec<[f64; 6]>,
}

/// The contacts of a plant with the names of its bodies; displayed as one line each.
#[derive(Clone, Copy, Debug)]
pub struct ContactResults<'a> {
    /// The plant.
    pub structure: &'a PlantStructure,
    /// Its contact points.
    pub contacts: &'a [ContactReport],
}

impl ContactResults<'_> {
    /// Full names of the two bodies of a contact.
    pub fn names(&self, contact: &ContactReport) -> (&str, &str) {
        let name = |body: usize| self.structure.bodies[body].name.as_str();
        (name(contact.body_a), name(contact.body_b))
    }

    /// Resultant of the contact points of each pair of shapes: wrench, centre of pressure, utilization of friction.
    pub fn patches(&self) -> Vec<PatchReport> {
        patches(self.contacts)
    }

    /// The sum of all contact forces on the body of this full name (`arm/link1`) \[N\].
    pub fn force_on(&self, body: &str) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for contact in self.contacts {
            let (a, b) = self.names(contact);
            let sign = f64::from(i8::from(b == body) - i8::from(a == body));
            sum.iter_mut().zip(contact.force).for_each(|(sum, force)| *sum += sign * force);
        }
        sum
    }
}

impl fmt::Display for ContactResults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let triple = |v: [f64; 3]| format!("[{:.4e}, {:.4e}, {:.4e}]", v[0], v[1], v[2]);
        for contact in self.contacts {
            let (a, b) = self.names(contact);
            let (at, force, slip) = (triple(contact.p_WC), triple(contact.force), triple(contact.slip_velocity));
            writeln!(f, "{a} -> {b}: at {at} m, force {force} N, slip {slip} m/s, depth {:.4e} m", contact.depth)?;
        }
        Ok(())
    }
}
