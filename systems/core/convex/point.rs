//! A plant at one state: mass matrix, bias, poses, contacts.

use super::ConvexPlant;
use super::cache::PlantCache;
use super::constraint_rows::ConstraintRows;

/// Number of low bits of a key that distinguish the points of one pair of shapes.
pub const FEATURE_BITS: u32 = 24;

/// Bit of a key that marks a point that stands for a polygon of a contact surface. Polygons appear and vanish at the
/// rim of a surface, where they carry no load: contact begins and ends with the surface, not with them.
pub const POLYGON: u64 = 1 << 63;

/// The part of a key that is common to all polygons of a contact surface; `None` for other points.
pub fn surface_of(key: u64) -> Option<u64> {
    (key & POLYGON != 0).then_some(key >> FEATURE_BITS)
}

/// One point where two bodies touch, or nearly touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactPoint {
    /// The body that the normal points away from (may be fixed to the world).
    pub body_a: usize,
    /// The body that the normal points to (always movable).
    pub body_b: usize,
    /// The point C, in world \[m\].
    pub p_WC: [f64; 3],
    /// Unit normal, in world, from A into B.
    pub normal: [f64; 3],
    /// Overlap \[m\]; negative for a gap.
    pub depth: f64,
    /// Share of the point in the stiffness of the pair \[N/m\].
    pub stiffness: f64,
    /// Stiffness of A over the sum of both stiffnesses: 1 where A is rigid.
    pub stiffness_part_a: f64,
    /// Hunt-Crossley dissipation of the pair \[s/m\].
    pub dissipation: f64,
    /// Static friction coefficient of the pair.
    pub static_friction: f64,
    /// Dynamic friction coefficient of the pair.
    pub dynamic_friction: f64,
    /// Zero where friction is the same in all directions. Otherwise the coefficients are those of the direction with
    /// the most friction, and this is the direction along the surface with the least, in world; its length is
    /// `sqrt(1 - r)` with the ratio r of that coefficient to the largest.
    pub grain: [f64; 3],
    /// Resistance to spinning about the normal and to rolling, per normal force \[m\].
    pub resistance: [f64; 2],
    /// Fraction of the way from the centre of pressure of the pair to the point at which friction acts, so that the
    /// pair resists a spin as its area does: 1 at the point itself.
    pub friction_arm: f64,
    /// True if one of the shapes is a ball: then the point and its stiffness depend on the poses by the depth alone.
    pub of_ball: bool,
    /// Identifies the pair of geometries; constant as long as they stay in contact.
    pub key: u64,
}

/// Two shapes whose gap is too wide for contact within the asked reach; their nearest points are not known.
#[derive(Clone, Copy, Debug)]
pub struct FarPair {
    /// Their bodies.
    pub bodies: [usize; 2],
    /// The shapes, as the plant numbers them.
    pub shapes: [usize; 2],
    /// Lower bound of their gap \[m\].
    pub gap: f64,
    /// Largest distance of their contact points beyond the farthest points of the bodies \[m\].
    pub beyond: f64,
}

/// Quantities of a plant that depend on its state (q, v): filled by [`ConvexPlant::evaluate`], reused without
/// allocation.
#[derive(Clone, Debug, Default)]
pub struct PlantPoint {
    /// Mass matrix blocks of all cliques (column major, one after the other), reflected inertia included.
    pub mass_matrix: Vec<f64>,
    /// `k(q, v)`: forces that keep the plant's velocity constant, `M v̇ + k = 0` without contact and inputs. Contains
    /// gravity, Coriolis and centrifugal terms, springs and joint damping.
    pub bias: Vec<f64>,
    /// Body Jacobians `J_WB` as laid out in [`BodyStructure::jacobian`], filled by [`ConvexPlant::jacobians`].
    pub jacobians: Vec<f64>,
    /// Origins of the bodies in world \[m\].
    pub p_WB: Vec<[f64; 3]>,
    /// Rotations of the bodies (column major).
    pub R_WB: Vec<[f64; 9]>,
    /// Velocities of the bodies at their origins in world: angular \[rad/s\], linear \[m/s\].
    pub V_WB: Vec<[f64; 6]>,
    /// Accelerations of the bodies at their origins, in world, with constant joint velocities: angular \[rad/s²\],
    /// linear \[m/s²\]. Filled by [`ConvexPlant::bias_accelerations`].
    pub A_WB: Vec<[f64; 6]>,
    /// Contact points, sorted by bodies (a, b).
    pub contacts: Vec<ContactPoint>,
    /// The pairs that [`ConvexPlant::near_contacts`] left out.
    pub far: Vec<FarPair>,
    /// Speeds of the moving surfaces (belts) of the plant \[m/s\].
    pub surface_speeds: Vec<f64>,
    /// Rows of the active constraints, filled by [`ConvexPlant::constraints`].
    pub constraints: Vec<ConstraintRows>,
    /// Velocities with their coefficients, for rows that measure long linear combinations.
    pub arms: Vec<(usize, f64)>,
    /// Number of threads that may share the work of a query; 0 counts as 1.
    pub threads: usize,
    /// Data of the plant about this state, kept from query to query.
    pub cache: PlantCache,
}

impl PlantPoint {
    /// Evaluates `plant` at positions `q` and velocities `v`, with the contacts that touch there.
    pub fn touching(plant: &dyn ConvexPlant, q: &[f64], v: &[f64]) -> Self {
        let mut point = PlantPoint::default();
        plant.evaluate(q, v, &mut point);
        plant.contacts(0.0, &mut point);
        point
    }
}
