//! Gyroscopic torque of spinning bodies as a mean of both ends of a step.
//!
//! The trapezoid scheme takes the mean of the biases at both ends of a step, which lets fast spins grow as well. Here
//! the world-fixed angular momentum is known: with I0 and I^ in world axes at both ends, I_ and D their mean and their
//! difference,
//!
//! ```text
//! I^ w1 - I0 w0 = I_ (w1 - w0) + D (w0 + w1)/2
//! ```
//!
//! is the angular impulse of all other forces, so that `-D (w0 + w1)/2` stands for the gyroscopic one; with w1 as the
//! angular impulse of the first solve, `I0 (w^ - x)`, makes it at the end. It is of second order, and a body on which
//! nothing else acts keeps its angular momentum whatever the step. Its centre of mass likewise: of the velocity of the
//! origin, `(v1 + w1 × c1) - (v0 + w0 × c0) = (v1 - v0) + (w1 - w0) × c_ + w_ × (c1 - c0)`.

use kinegraph_convex::contact::{Problem, Spin, spins};
use kinegraph_engine::integrators::contact::spins::rotation;
use kinegraph_engine::linearize::External;
use nalgebra::{Matrix3, Vector3};

/// The spinning body of a problem whose first velocity is `velocity`.
fn find(problem: &Problem, velocity: usize) -> Option<&Spin> {
    let at = problem.spins.binary_search_by_key(&velocity, |spin| spin.velocity).ok()?;
    Some(&problem.spins[at])
}

/// Adds to `kick` the difference between the exact change of angular momentum and the means of the biases of the
/// problem at the `end` of a step of length `dt` \[s\] and of `start`, and clears the spins.
pub(super) fn average(end: &mut Problem, start: &Problem, dt: f64, kick: &mut [f64]) {
    for spin in &end.spins {
        let at = spin.velocity;
        let Some(before) = find(start, at) else { continue };
        let Some(inverse) = spin.inertia.try_inverse() else { continue };
        let [w0, hat] = [&start.trees.v0, &end.trees.v0].map(|v| Vector3::from_column_slice(&v[at..at + 3]));
        let [i0, i1] = [before, spin].map(|spin| spin.R_WB * spin.inertia * spin.R_WB.transpose());
        let free = before.R_WB * spins::after(&spin.inertia, &before.R_WB.tr_mul(&w0), dt);
        let momentum = i0 * (w0 + hat - free);
        let w1 = spin.R_WB * (inverse * spin.R_WB.tr_mul(&momentum));
        let gyroscopic = (w0.cross(&(i0 * w0)) + hat.cross(&(i1 * hat))) * (0.5 * dt);
        let mean = (w0 + w1) * 0.5;
        let mut lacking = gyroscopic - (i1 - i0) * mean;
        if let (Some((mass, c0)), Some((_, c1))) = (before.arm, spin.arm) {
            let half = |w: &Vector3<f64>, c: &Vector3<f64>| w.cross(&w.cross(c)) * (0.5 * dt * mass);
            let (f0, f1, change) = (half(&w0, &c0), half(&hat, &c1), c1 - c0);
            let force = mean.cross(&change) * mass;
            let turn = w1 - w0;
            let apart = change.cross(&turn).cross(&change) * (0.25 * mass); // formula
            lacking += c0.cross(&f0) + c1.cross(&f1) - (c0 + c1).cross(&force) * 0.5 + apart;
            let lacking = f0 + f1 - force;
            kick[at + 3..at + 6].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
        }
        kick[at..at + 3].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
    }
    end.spins.clear();
}

/// Sets the angular velocities of bodies after the scheme has found the velocities in `next` with the positions in
/// `hat`, and then moved to those in `next`: angular momenta, and velocities of centres of mass, are kept. `problem` is
/// that at the start of the step.
pub(super) fn keep_momenta(external: &External, problem: &Problem, hat: &[f64], next: &mut [f64]) {
    let (layout, diagram) = (external.layout(), external.diagram());
    for slot in &layout.plants {
        for spin in &layout.plant(diagram, slot).structure().spins {
            let inertia = Matrix3::from_column_slice(&spin.inertia);
            let inverse = inertia.try_inverse().filter(|_| problem.has_spin(slot.global.start + spin.velocities.start));
            let (Some(inverse), Some((_, c))) = (inverse, spin.alone) else { continue };
            let at = slot.positions.start + spin.position;
            let (before, now) = (rotation(&hat[at..]), rotation(&next[at..]));
            let at = slot.velocities.start + spin.velocities.start;
            let w = Vector3::from_column_slice(&next[at..at + 3]);
            let turned = now * (inverse * now.tr_mul(&(before * (inertia * before.tr_mul(&w)))));
            let c = Vector3::from(c);
            let change = w.cross(&(before * c)) - turned.cross(&(now * c));
            next[at..at + 3].copy_from_slice(turned.as_slice());
            next[at + 3..at + 6].iter_mut().zip(change.iter()).for_each(|(v, change)| *v += change);
        }
    }
}
