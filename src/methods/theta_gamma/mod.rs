//! Theta-gamma: nonsmooth contact by an exact penalty and block Gauss-Seidel, with laws that hold at a time within the
//! step.
//!
//! A step of length h goes from (x0, v0) with an acceleration k:
//!
//! ```text
//! v(θ) = v0 + θ h k,   m(x(θ)) k = f(x(θ), v(θ), t + θ h) + J' r,   x1 = x0 + h v(θ),   v1 = v0 + h k
//! (gap, u(γ) = J v(γ), r) by Signorini's and Coulomb's laws,   v(γ) = v0 + γ h k
//! ```
//!
//! With `v = v(θ)` and `dt = θ h` the dynamics are those of a problem of the step `dt`, `A v = r0 + J' λ` with
//! `λ = dt r`; and `u(γ) = s J v + (1 - s) J v0` with `s = γ/θ` (see
//! `sweeps/row_rules.rs`).
//!
//! ```text
//! normal     0 <= λn  ⊥  un + b >= 0,   b = gap/(γ h) over a gap, else -min(κ (depth - slop)/h, vc)
//! friction   λt = prox of the disc of radius μ λn at λt - R^-1 ut, in the metric R = its own block of J A^-1 J'
//! Contensou  the same of (λt, spin moment) and the ellipsoid of radii μ λn (1, 1, ρ), against (ut, spin)
//! ```
//!
//! The distribution of the force over a surface between rigid bodies is not determined, but the friction against spin
//! depends on it. The points of one surface therefore have compliances `R λn`, in proportion to the stiffness of all
//! over their own, together a hundredth of the inverse mass.
//!
//! Since the law does not depend on other impulses, each local solve is exact: the prox in the metric of its own block
//! is the solution of the contact with all others held ([`prox`]). Friction is not associated: sliding bodies are not
//! lifted, and sticking ones do not creep. Sweeps alternate their direction and start from the forces of the last step.
//! A solve that has not converged after the maximum number of sweeps keeps its last impulses, and is counted
//! (`SolveReport::unsettled`). Stacks and large mass ratios, for which sweeps converge slowly, are solved by rounds on
//! all impulses at once ([`proximal`]), between sweeps; for a bundle of fibres an interior-point method comes first
//! ([`interior`]). If such rounds leave a residual of less than 1e-6 of the impulses between fibres and no longer halve
//! it, it is taken for rounding, and the solve has converged.
//!
//! A closed contact has `u(γ) = 0`, so that it rebounds with `(1 - γ)/γ` of its speed: γ = 1 is plastic, γ = 1/2
//! elastic. With γ = 1 a restitution may be given instead (Newton's law).
//!
//! Compliant rows without bounds (beams of fibres, bushings) are folded into the inertia ([`fold`]), so that the
//! response of a contact is that of the whole fibre. The reported residual is the natural residual of all contacts,
//! `|r - prox(r - R^-1 (u + b))|`.
//!
//! Joint stops, other bilateral rows, dry friction of joints and limited efforts are rows as in
//! [`projected_gauss_seidel`](super::projected_gauss_seidel); compliant ones (stops, rows, efforts) act at θ.
//!
//! Islands are independent of each other: several may be solved at the same time ([`workers`]).
//!
//! \[Jourdan, Alart & Jean 1998; Moreau 1999; Leine & Glocker 2003\]

#[doc(hidden)]
pub mod cone;
#[doc(hidden)]
pub mod cone_pair;
mod fold;
mod integrator;
mod interior;
mod look_back;
#[doc(hidden)]
pub mod minimal_residual;
#[doc(hidden)]
pub mod mixing;
mod option_group;
mod options;
#[doc(hidden)]
pub mod prox;
mod proximal;
mod solver;
mod step;
mod sweep;
mod units;
mod workers;

pub use integrator::TYPE;
pub use options::{Friction, Metric, ThetaGammaOptions};
pub use solver::ThetaGamma;
pub use step::ThetaStep;
