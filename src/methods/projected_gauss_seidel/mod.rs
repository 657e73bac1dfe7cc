//! Projected Gauss-Seidel: rigid contact on the level of velocities.
//!
//! A step of length `dt` looks for velocities v and impulses λ with
//!
//! ```text
//! A v = r + J' λ,   A = M + dt D + dt P,   r = A v0 + dt (τ - k),   u = J v + b
//! ```
//!
//! where u are the velocities of the rows of J (b: surfaces with a prescribed velocity) and λ are their impulses, with
//! the laws
//!
//! ```text
//! contact, normal      0 <= λn  ⊥  un - tn >= 0                                              [Signorini]
//! contact, tangents    |λt| <= μ λn,   λt = -μ λn ut/|ut| where the bodies slide             [Coulomb]
//! stops                0 <= λ   ⊥  u - t >= 0
//! joint friction       |λ| <= dt f,   λ = -dt f sign(u) where the joint moves
//! limited efforts      λ = dt clamp(b - K v, -e, e):  u + R λ = t, |λ| <= dt e,  R = 1/(dt K), t = b/K
//! bilateral rows       u + R λ = t,   R = 0 (rigid) or 1/(dt (dt k + c)),  t = -g0 k/(dt k + c)
//! ```
//!
//! Targets t account for positions: over a gap g a body may approach by `tn = -g/dt`; of a violation g0 the part
//! [`CORRECTION`] is removed in a step, at no more than the speed that the plant allows \[Baumgarte 1972\]. Impacts are
//! plastic. Stiffness and dissipation of contacts are not used: bodies are rigid. (The points of one surface or volume
//! together yield by a hundredth of the inverse mass, in proportion to their compliances; otherwise the distribution of
//! the force would not be determined.)
//!
//! With `Y = A^-1 J'` and `w_i = J_i Y_i`, a sweep solves each row in turn for its own impulse with the others held,
//! and updates the velocities at once \[Jourdan, Alart & Jean 1998; Moreau 1999\]:
//!
//! ```text
//! λ_i <- proj(λ_i - (u_i + R_i λ_i - t_i)/(w_i + R_i)),   v += Y_i Δλ_i
//! λ_t <- proj_disc(λ_t - u_t/w_t, μ λ_n),   w_t the larger eigenvalue of the two tangents' block of J Y
//! ```
//!
//! For bounds that do not depend on impulses this is coordinate descent on a convex quadratic program, and converges
//! where J has full rank or the bounds are met; with Coulomb's disc, whose radius is the normal impulse of the moment,
//! it is a fixed-point iteration that converges in practice and whose result need not be unique (friction is not
//! associated). It converges linearly, more slowly for large mass ratios and high stacks; a solve that has not
//! converged after [`Options::max_sweeps`] keeps its last impulses. The method is simple, needs no tuning of contact,
//! is of first order in time, and less accurate than the convex solver. It serves rigid scenes with fixed steps, and as
//! a second implementation of the interface of solvers.
//!
//! A is solved group by group of cliques that feedback couples, by LU: gains need not be symmetric. Limited efforts
//! that react to more than their own velocity are part of A while they are within their limits, and constant beyond;
//! the active set is found by repeated solves.

mod integrator;
mod solver;

pub use integrator::TYPE;
pub use solver::{Options, ProjectedGaussSeidel};

pub use crate::sweeps::CORRECTION;
