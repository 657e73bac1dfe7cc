//! Projected Gauss-Seidel: rigid contact on the level of velocities.
//!
//! A step of length `dt` looks for velocities v and impulses λ with
//!
//! ```text
//! A v = r + J' λ,   A = M + dt D + dt P,   r = A v0 + dt (τ - k),   u = J v + b
//! ```
//!
//! where u are the velocities that rows of J measure (b: surfaces that move by themselves) and λ answers them row by
//! row:
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
//! Targets t carry positions: over a gap g a body may close in by `tn = -g/dt`; a violation g0 is removed by the part
//! [`CORRECTION`] of it in a step, at no more than the speed that the plant allows \[Baumgarte 1972\]. Impacts are
//! plastic. Stiffness and dissipation of contacts are not used: bodies are rigid. (Points of one surface or volume
//! yield by a hundredth of the inverse mass together, each as its stiffness says: else how the force spreads is not
//! determined.)
//!
//! With `Y = A^-1 J'` and `w_i = J_i Y_i`, a sweep goes through all rows and solves each for its own impulse, the
//! others held, which moves the velocities at once \[Jourdan, Alart & Jean 1998; Moreau 1999\]:
//!
//! ```text
//! λ_i <- proj(λ_i - (u_i + R_i λ_i - t_i)/(w_i + R_i)),   v += Y_i Δλ_i
//! λ_t <- proj_disc(λ_t - u_t/w_t, μ λ_n),   w_t the larger eigenvalue of the two tangents' block of J Y
//! ```
//!
//! For bounds that do not depend on impulses this is coordinate descent on a convex quadratic program, and converges
//! where J has full rank or the bounds are met; with Coulomb's disc, whose radius is the normal impulse of the moment,
//! it is a fixed-point iteration that converges in practice and need not be unique in its result (friction is not
//! associated). It converges linearly, the slower the larger the mass ratios and the higher the stack; a solve that has
//! not arrived after [`Options::max_sweeps`] takes what it has. That is what this method is: simple, without tuning of
//! contact, of first order in time, and no match for the convex solver in accuracy. It serves rigid scenes with fixed
//! steps, and as the second opinion on the interface of solvers.
//!
//! A is solved group by group of cliques that feedback couples, by LU: gains need not be symmetric. Efforts with limits
//! that react to more than their own velocity are rows of A while they are within their limits, and constant beyond;
//! the set is found by repeated solves.

mod integrator;
mod solver;

pub use integrator::TYPE;
pub use solver::{Options, ProjectedGaussSeidel};

pub use crate::sweeps::CORRECTION;
