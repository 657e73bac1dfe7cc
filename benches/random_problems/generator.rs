//! Random convex problems: a few bodies, free and in trees, heavy and light, that touch each other and the world in
//! patches.
//!
//! The module that includes this file has the types in scope.

use super::{ContactMaterial, ContactRow, LimitedEffort, Problem};
use nalgebra::{DMatrix, Vector3};

/// A small generator of numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }
    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }
    /// Uniform in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }
    /// Uniform among the numbers below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }
    /// Its logarithm is uniform.
    pub fn log(&mut self, low: f64, high: f64) -> f64 {
        low * (high / low).powf(self.unit())
    }
    fn vector(&mut self) -> Vector3<f64> {
        Vector3::new(self.signed(), self.signed(), self.signed())
    }
}

/// A symmetric positive definite matrix of about the given size, of condition up to some hundreds.
fn spd(r: &mut Random, n: usize, size: f64) -> DMatrix<f64> {
    let a = DMatrix::from_fn(n, n, |_, _| r.signed());
    (&a * a.transpose() / n as f64 + DMatrix::identity(n, n) * 0.01) * size
}

/// The problem of a seed, with a velocity to start from.
///
/// Masses 1e-3 to 1e3 kg, so that ratios reach 1e6 (those of joints, in trees, exceed it), stiffness 1e2 to 1e9 N/m,
/// dissipation to 1000 s/m, regularization velocities 1e-6 to 1 m/s, steps 1e-4 to 0.1 s, free bodies and trees in
/// patches of up to six points, joint limits, limited efforts, gaps as well as overlaps, starts up to 100 m/s away.
pub fn problem(seed: u64, p: &mut Problem) -> Vec<f64> {
    let mut r = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d));
    p.clear();
    p.feedback.clear();
    let dt = r.log(1e-4, 0.1);
    let speed = r.log(1e-3, 10.0);
    let world = p.add_body(None, false, &[], 1.0);
    let mut bodies = vec![world];
    for _ in 0..1 + r.below(5) {
        let mass = r.log(1e-3, 1e3);
        let radius = r.log(0.05, 0.5);
        let v0: Vec<f64> = (0..6).map(|i| speed * r.signed() / if i < 3 { radius } else { 1.0 }).collect();
        let bias: Vec<f64> = (0..6).map(|i| if i == 5 { 9.81 * mass } else { 0.0 }).collect();
        let free = r.below(4) > 0;
        if free {
            let mut m = DMatrix::identity(6, 6) * mass;
            let inertia = spd(&mut r, 3, mass * radius * radius);
            m.view_mut((0, 0), (3, 3)).copy_from(&inertia);
            let clique = p.add_clique(m.as_slice(), &[0.0; 6], &bias, &v0);
            bodies.push(p.add_body(Some(clique), true, &[], mass));
        } else {
            // Two links of a tree of a few joints.
            let n = 1 + r.below(6);
            let m = spd(&mut r, n, mass * radius * radius);
            let damping = vec![if r.below(2) == 0 { 0.0 } else { r.log(1e-3, 1.0) * mass }; n];
            let clique = p.add_clique(m.as_slice(), &damping, &bias[..n], &v0[..n]);
            for _ in 0..2 {
                let jacobian: Vec<f64> =
                    (0..6 * n).map(|i| r.signed() * if i % 6 < 3 { 1.0 } else { radius }).collect();
                bodies.push(p.add_body(Some(clique), false, &jacobian, mass));
            }
        }
    }
    let origin: Vec<Vector3<f64>> = bodies.iter().map(|_| r.vector() * 0.2).collect();
    let stiff = r.log(1e2, 1e9);
    let v_s = r.log(1e-6, 1.0);
    for patch in 0..1 + r.below(6) {
        let b = 1 + r.below(bodies.len() - 1);
        let a = r.below(b);
        let (centre, normal) = (r.vector() * 0.2, r.vector().normalize());
        let points = if r.below(2) == 0 { 1 } else { 1 + r.below(6) };
        let (mu, disc) = (1.5 * r.unit(), r.log(1e-4, 0.1));
        let dissipation = if r.below(3) == 0 { 0.0 } else { r.log(0.1, 1000.0) };
        let depth = r.log(1e-8, 1e-2);
        for number in 0..points {
            let point = centre + r.vector() * disc;
            p.add_contact(&ContactRow {
                body_a: bodies[a],
                body_b: bodies[b],
                p_AC: point - origin[a],
                p_BC: point - origin[b],
                normal: (normal + r.vector() * 0.01).normalize(),
                bias_velocity: if r.below(8) == 0 { r.vector() * speed } else { Vector3::zeros() },
                depth: depth * if r.below(4) == 0 { -r.unit() } else { r.unit() },
                material: ContactMaterial {
                    stiffness: if r.below(2) == 0 { stiff } else { r.log(1e2, 1e9) },
                    dissipation,
                    static_friction: mu,
                    dynamic_friction: mu * r.unit(),
                    stiction_tolerance: v_s,
                    ..ContactMaterial::default()
                },
                key: (patch * 16 + number) as u64,
                ..ContactRow::default()
            });
        }
    }
    if r.below(4) == 0 {
        let velocity = r.below(p.size());
        p.add_stops(velocity, r.signed() * 0.01, r.signed() * 0.01);
    }
    p.finish();
    if r.below(4) == 0 {
        let gain = r.log(1e-2, 1e4);
        let (bias, limit) = (r.signed() * 100.0, r.log(0.1, 100.0));
        let velocity = r.below(p.size());
        p.elements.push(LimitedEffort { velocity, gain, bias, limit });
    }
    p.set_step(dt);
    let away = if r.below(2) == 0 { 0.0 } else { r.log(1e-3, 100.0) };
    p.start_velocity().to_vec().into_iter().map(|v| v + away * r.signed()).collect()
}
