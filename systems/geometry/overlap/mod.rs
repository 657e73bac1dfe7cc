//! The volume in which two convex solids overlap, and contact from it.
//!
//! Wakisaka and Sugihara, "Fast and Reasonable Contact Force Computation in Forward Dynamics Based on Momentum-Level
//! Penetration Compensation", and the six-axis contact that follows from it: two convex polyhedra A and B overlap in
//! the convex polyhedron V ([`clip`]). Its outward faces that lie on A have the vector areas `S_j`, and
//!
//! ```text
//! n = sum_{faces on A} S_j / |sum|      from A into B: moving B along n makes V smaller fastest
//! p0 = centroid of V,  the contact plane through p0 with the normal n
//! depth(x) = length of V along n above the point x of that plane,   |V| = int depth dA
//! ```
//!
//! One face of A gives exactly its normal, an edge between two faces a direction between theirs. Since triangles in one
//! plane are one face, n does not depend on the triangulation of a side. The depth is linear where one upper and one
//! lower face are above each other ([`Patch::cells`]), so that `int depth [1, r] dA = [|V|, 0]` holds to rounding: the
//! pressure `k depth` has the force `k |V| n` and its centre at p0.
//!
//! Everything is a function of solids and poses: the same arguments give the same bits.

mod cells;
mod clip;
mod fault;
mod patch;
mod polyhedron;

pub use fault::SolidError;
pub use patch::{Cell, Moments, Patch, PatchPoint, overlap};
pub use polyhedron::Solid;
