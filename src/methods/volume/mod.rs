//! Volume-based six-axis contact on the level of velocities.
//!
//! Wakisaka, Kikuuwe and Sugihara's method as published: the volume V in which two convex solids overlap
//! (`systems/geometry/overlap`) is removed by a suitable relative velocity. With the relative velocity `v` of B against
//! A at the centroid of V (six numbers, linear and angular), the impulse `f` on B (force and torque) and
//!
//! ```text
//! v+ = A f + v_free,   A = J M^-1 J',   Q = 2 int K'K dA,   K = [1, -[r]x],   c = [|V| n; 0]
//! min 1/2 v+'Q v+ - k c'v+ + 1/2 f'L f   with   f_n >= 0,  centre of pressure within the patch
//! ```
//!
//! one quadratic program ([`qp`]) gives the impulses of all patches of an island. `k h` is the part [`correction`] of
//! the overlap, halved; L is the part [`relaxation`] of the patch's block of `A Q A`, so that each velocity keeps this
//! part of its value without the patch. The depth to which bodies sink, `2 relaxation g h/k`, then does not depend on
//! mass (the source has one number for all bodies), and a body that is pushed does not tip. Then it is checked for each
//! patch whether friction can hold it, that is, whether f is a sum of forces at the corners of the patch within
//! pyramids of friction ([`friction`]). If it cannot, force in the plane and torque about the normal become those of
//! sliding, with the normal force and the centre of pressure as they are.
//!
//! **Normal forces and friction in turns.** If friction cannot hold all patches, or if a centre of pressure is bounded
//! by the rim, the program is solved for normal forces and moments alone with friction fixed, then for friction with
//! these fixed, until both converge (the staggered projections of Kaufman et al. 2008); Q is split into a part of
//! normal velocity and tilt and one of the velocities in the plane. In a single program a fast sliding body would be
//! pressed down: force in the plane has a moment about its centre of mass, which only a larger normal force can balance
//! within the rim.
//!
//! Shapes share no impulse before they overlap. Everything else (stops, constraints, shapes that touch in points) is a
//! row that projected Gauss-Seidel solves, in alternation with the program.
//!
//! **Where the source is open.** Its impulses f are impulses, not forces (else a cube of 0.5 kg would sink 25 mm).
//! Velocities of sliding are those that the patch would have without its own friction, so that a step depends on the
//! state alone.
//!
//! [`correction`]: VolumeOptions::correction
//! [`relaxation`]: VolumeOptions::relaxation

#[doc(hidden)]
pub mod friction;
mod integrator;
mod option_group;
mod options;
mod patch;
#[doc(hidden)]
pub mod qp;
mod solver;

pub use integrator::TYPE;
pub use options::{Kinetic, VolumeOptions};
pub use solver::VolumeContact;
