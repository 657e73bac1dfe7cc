//! Forces of a fluid at rest, or in a steady wind, on moving bodies: drag, lift, and the forces of added mass when a
//! body turns. Given the angular velocity ω and the velocity v relative to the fluid, both in the axes of a frame F on
//! the body (about its origin), the density ρ and the viscosity η:
//!
//! *Box* with edges b, diameter `d = (b₁ + b₂ + b₃)/3` (each face is a flat plate, the rest a ball in Stokes flow):
//!
//! ```text
//! f_i = -3π d η v_i - ρ/2 b_j b_k |v_i| v_i,   τ_i = -π d³ η ω_i - ρ/64 b_i (b_j⁴ + b_k⁴) |ω_i| ω_i
//! ```
//!
//! *Ellipsoid* with semi-axes r, volume V, `D = 2/3 (r₁ + r₂ + r₃)`. With `n_i = (r_j r_k)² v_i`, the projected area is
//! `A = π |n| |…|` of the ellipse that the flow sees, `A² = π² Σ (r_j r_k)⁴ v_i² / Σ (r_j r_k)² v_i²`, and the largest
//! `A⁺ = π r₁ r₂` of the two longest:
//!
//! ```text
//! f = m ρ v × ω                                    momentum m ρ v of the fluid carried along (Lamb 1932, §124)
//!   + c_M ρ V ω × v                                Magnus
//!   + c_K ρ A cos α (n̂ × v) × v                    Kutta
//!   - (3π D η + ρ |v| (c_b A + c_s (A⁺ - A))) v    blunt and slender drag
//! τ = m ρ v × v + I ρ ω × ω - (π D³ η + ρ |(c_a I_D + c_s (I⁺ - I_D)) ω|) ω
//! ```
//!
//! with `I_D = 8π/15 r_i max(r_j, r_k)⁴` and `I⁺` that of the longest axis. The fluid's mass `m_i = V κ_i/(2 - κ_i)`
//! and moments `I_i = V/5 (r_j² - r_k²)² (κ_k - κ_j)/(2 (r_j² - r_k²) + (r_j² + r_k²)(κ_j - κ_k))` follow from Lamb's
//! integrals `κ_i = V' ∫ dλ / ((r_i² + λ) Δ) = 2/3 r₁ r₂ r₃ R_D(r_j², r_k², r_i²)` with Carlson's R_D (1979). The
//! resistance of added mass to acceleration is neglected (it should be small). The model is that of MuJoCo's
//! documentation (*Fluid forces*).
//!
//! The forces depend on velocities: an integrator treats them implicitly, like servos.

use super::error::PlantError;
use super::model::PlantModel;
use crate::scene_data::{FluidBody, FluidShape, Medium};
use crate::{Kinematics, SpatialVector, Tree};
use kinegraph_core::names::nearest;
use kinegraph_core::scalar::Scalar;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::PI;

/// A body in a fluid.
#[derive(Clone, Debug)]
pub(super) struct Immersed {
    body: usize,
    /// The frame F in the body's.
    R_BF: Matrix3<f64>,
    p_BF: Vector3<f64>,
    medium: Medium,
    form: Form,
    /// The velocities that move it.
    pub velocities: Vec<usize>,
}

#[derive(Clone, Debug)]
enum Form {
    Box(Vector3<f64>),
    Ellipsoid(Box<Ellipsoid>),
}

/// An ellipsoid in a fluid, with the coefficients of drag and lift.
#[derive(Clone, Debug)]
pub struct Ellipsoid {
    /// Semi-axes \[m\].
    pub r: Vector3<f64>,
    /// Coefficient of the drag of a blunt body.
    pub blunt: f64,
    /// Coefficient of the drag of a slender body.
    pub slender: f64,
    /// Coefficient of the drag of its rotation.
    pub angular: f64,
    /// Coefficient of the lift of its form.
    pub kutta: f64,
    /// Coefficient of the lift by its rotation.
    pub magnus: f64,
    /// Added mass and added moments of inertia, for a density of one.
    pub carried: [Vector3<f64>; 2],
}

/// The immersed bodies of all models.
pub(super) fn place(tree: &Tree, models: &[PlantModel], faults: &mut Vec<PlantError>) -> Vec<Immersed> {
    let mut placed = Vec::new();
    let all = models.iter().flat_map(|m| m.model.scene.immersed.iter().map(move |fluid| (&m.name, fluid)));
    for (model, FluidBody { link, X_LF, shape, medium }) in all {
        let full = format!("{model}/{link}");
        let Some(body) = tree.body(&full) else {
            let nearest = nearest(&full, tree.bodies().iter().map(|b| &b.name));
            faults.push(PlantError::Unknown { kind: "link", name: full, nearest });
            continue;
        };
        let form = match *shape {
            FluidShape::Box { edges } => Form::Box(edges),
            FluidShape::Ellipsoid { semi_axes: r, coefficients: [blunt, slender, angular, kutta, magnus] } => {
                let carried = carried_along(&r);
                Form::Ellipsoid(Box::new(Ellipsoid { r, blunt, slender, angular, kutta, magnus, carried }))
            }
        };
        let (R_BF, p_BF) = (*X_LF.rotation.to_rotation_matrix().matrix(), X_LF.translation.vector);
        let velocities = tree.velocities_that_move(body).collect();
        placed.push(Immersed { body, R_BF, p_BF, medium: *medium, form, velocities });
    }
    placed
}

impl Immersed {
    /// The body, and the spatial force on it in world axes, about its origin, at positions and velocities of `k`.
    /// The force of a medium at the angular velocity w and the velocity v, in its axes.
    pub fn force<S: Scalar>(&self, tree: &Tree, k: &Kinematics<S>) -> (usize, SpatialVector<S>) {
        let R_WB = tree.X_WB(k, self.body).R_WB;
        let R_WF = R_WB * self.R_BF.map(S::constant);
        let arm = R_WB * self.p_BF.map(S::constant);
        let motion = tree.V_WB(k, self.body).motion_at(&arm);
        let against = motion.linear - self.medium.wind.map(S::constant);
        let (w, v) = (R_WF.tr_mul(&motion.angular), R_WF.tr_mul(&against));
        let local = match &self.form {
            Form::Box(edges) => of_box(edges, &self.medium, &w, &v),
            Form::Ellipsoid(shape) => shape.force(&self.medium, &w, &v),
        };
        let force = SpatialVector::new(R_WF * local.angular, R_WF * local.linear);
        (self.body, force.force_at(&-arm))
    }
}

/// The force of a medium on a box with these edges \[m\] at the angular velocity w and the velocity v, in its axes.
pub fn of_box<S: Scalar>(b: &Vector3<f64>, medium: &Medium, w: &Vector3<S>, v: &Vector3<S>) -> SpatialVector<S> {
    let Medium { density, viscosity, .. } = *medium;
    let d = b.mean();
    let along = |i: usize, linear: f64, quadratic: f64, x: &Vector3<S>| {
        -x[i] * (S::constant(linear) + S::constant(quadratic) * x[i].abs())
    };
    let other = |i: usize| (b[(i + 1) % 3], b[(i + 2) % 3]);
    let force = Vector3::from_fn(|i, _| {
        let (p, q) = other(i);
        along(i, 3.0 * PI * d * viscosity, 0.5 * density * p * q, v)
    });
    let torque = Vector3::from_fn(|i, _| {
        let (p, q) = other(i);
        along(i, PI * d.powi(3) * viscosity, density * b[i] * (p.powi(4) + q.powi(4)) / 64.0, w)
    });
    SpatialVector::new(torque, force)
}

impl Ellipsoid {
    pub fn force<S: Scalar>(&self, medium: &Medium, w: &Vector3<S>, v: &Vector3<S>) -> SpatialVector<S> {
        let Medium { density, viscosity, .. } = *medium;
        let r = &self.r;
        let volume = 4.0 / 3.0 * PI * r.product();
        let momentum = v.component_mul(&(self.carried[0] * density).map(S::constant));
        let angular_momentum = w.component_mul(&(self.carried[1] * density).map(S::constant));
        let mut force = momentum.cross(w) + w.cross(v) * S::constant(self.magnus * density * volume);
        let mut torque = momentum.cross(v) + angular_momentum.cross(w);
        let diameter = 2.0 / 3.0 * r.sum();
        force -= v * S::constant(3.0 * PI * diameter * viscosity);
        torque -= w * S::constant(PI * diameter.powi(3) * viscosity);
        let mut sorted = [r.x, r.y, r.z];
        sorted.sort_by(f64::total_cmp);
        let [_, middle, longest] = sorted;
        // Terms of second degree: at rest, they and their derivatives are zero.
        let squared = v.norm_squared();
        if squared.value() > 0.0 {
            let across = Vector3::from_fn(|i, _| (r[(i + 1) % 3] * r[(i + 2) % 3]).powi(2));
            let normal = v.component_mul(&across.map(S::constant));
            let (numerator, denominator) = (normal.dot(v), normal.norm_squared());
            let area = (denominator / numerator).sqrt() * S::constant(PI);
            let speed = squared.sqrt();
            // Cosine of the angle between velocity and normal, over |n|, since n is not of unit length.
            let cosine = numerator / (speed * denominator);
            let circulation = normal.cross(v) * (cosine * area * S::constant(self.kutta * density));
            let widest = S::constant(PI * longest * middle);
            let drag = area * S::constant(self.blunt) + (widest - area) * S::constant(self.slender);
            force += circulation.cross(v) - v * (drag * speed * S::constant(density));
        }
        let resisting = Vector3::from_fn(|i, _| {
            let most = |a: f64, b: f64, c: f64| 8.0 / 15.0 * PI * a * b.max(c).powi(4);
            let own = most(r[i], r[(i + 1) % 3], r[(i + 2) % 3]);
            let largest = most(middle, longest, longest);
            w[i] * S::constant(self.angular * own + self.slender * (largest - own))
        });
        let squared = resisting.norm_squared();
        if squared.value() > 0.0 {
            torque -= w * (squared.sqrt() * S::constant(density));
        }
        SpatialVector::new(torque, force)
    }
}

/// Added mass along, and added moments about, the axes of an ellipsoid, for a density of one.
pub fn carried_along(r: &Vector3<f64>) -> [Vector3<f64>; 2] {
    let volume = 4.0 / 3.0 * PI * r.product();
    let of = |i: usize| ((i + 1) % 3, (i + 2) % 3);
    let kappa = Vector3::from_fn(|i, _| {
        let (j, k) = of(i);
        2.0 / 3.0 * r.product() * carlson_d(r[j] * r[j], r[k] * r[k], r[i] * r[i])
    });
    let mass = kappa.map(|kappa| volume * kappa / (2.0 - kappa));
    let moments = Vector3::from_fn(|i, _| {
        let (j, k) = of(i);
        let (a, b, turn) = (r[j] * r[j], r[k] * r[k], kappa[k] - kappa[j]);
        let below = 2.0 * (a - b) - (a + b) * turn;
        if below == 0.0 { 0.0 } else { volume / 5.0 * (a - b).powi(2) * turn / below }
    });
    [mass, moments]
}

/// `R_D(x, y, z) = 3/2 ∫₀^∞ dt / ((t + z) √((t + x)(t + y)(t + z)))`, by duplication until the arguments are near each
/// other, then by a series (B. C. Carlson, *Numerical Algorithms* 10, 1995, §2).
pub fn carlson_d(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    /// Deviation at which the series starts; its truncation error is of the sixth power of this.
    const MAX_DEVIATION: f64 = 1e-3;
    let (mut sum, mut quarter) = (0.0, 1.0);
    loop {
        let mean = (x + y + 3.0 * z) / 5.0;
        let (X, Y) = (1.0 - x / mean, 1.0 - y / mean);
        let Z = -(X + Y) / 3.0;
        if X.abs().max(Y.abs()).max(Z.abs()) > MAX_DEVIATION {
            let (rx, ry, rz) = (x.sqrt(), y.sqrt(), z.sqrt());
            let shift = rx * ry + ry * rz + rz * rx;
            sum += 3.0 * quarter / (rz * (z + shift));
            quarter /= 4.0;
            (x, y, z) = ((x + shift) / 4.0, (y + shift) / 4.0, (z + shift) / 4.0);
            continue;
        }
        let (e2, e3) = (X * Y - 6.0 * Z * Z, (3.0 * X * Y - 8.0 * Z * Z) * Z);
        let (e4, e5) = (3.0 * (X * Y - Z * Z) * Z * Z, X * Y * Z.powi(3));
        let low = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0;
        let series = low - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
        return sum + quarter * series / (mean * mean.sqrt());
    }
}
