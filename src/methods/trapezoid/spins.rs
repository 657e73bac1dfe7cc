//! Spinning bodies: their gyroscopic torque as a mean of both ends of a step.
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
//! nothing else acts keeps its angular momentum whatever the step.
//!
//! A body whose centre of mass, at c from its origin, is not that has no such prediction: the momenta themselves stand
//! in the problem, with the mass matrix at the end,
//!
//! ```text
//! m (u1 - u0) = F,   I^ w1 - I0 w0 + (c0 + c^)/2 × m (u1 - u0) = T,   u = v + w × c
//! ```
//!
//! F and T the impulses of all other forces. With the prediction, a force that turns the body fast (the ends of a fibre
//! that rings) changed the momentum of all by `m/2 (w1 - w) × (c^ - c0)` a step, of whichever w was predicted. Of
//! second order, too, but it adds up. The last product is written with u1 as the first solve found it, but for
//! `c^ × m w1 × c^`, so that the matrix is symmetric.

use kinegraph_convex::contact::{Problem, Spin, spins};
use kinegraph_engine::integrators::contact::spins::rotation;
use kinegraph_engine::linearize::External;
use nalgebra::{Matrix3, Vector3};

/// The spinning body of a problem whose first velocity is `velocity`.
fn find(problem: &Problem, velocity: usize) -> Option<&Spin> {
    let at = problem.spins.binary_search_by_key(&velocity, |spin| spin.velocity).ok()?;
    Some(&problem.spins[at])
}

/// Adds to `kick` what the means of the biases of the problem at the `end` of a step of length `dt` \[s\], and of
/// `start` lack, and forgets the spins.
pub(super) fn average(end: &mut Problem, start: &Problem, dt: f64, kick: &mut [f64]) {
    let mut spins = std::mem::take(&mut end.spins);
    for spin in &spins {
        let at = spin.velocity;
        let Some(before) = find(start, at) else { continue };
        let Some(inverse) = spin.inertia.try_inverse() else { continue };
        let [w0, hat] = [&start.v0, &end.v0].map(|v| Vector3::from_column_slice(&v[at..at + 3]));
        let [i0, i1] = [before, spin].map(|spin| spin.R_WB * spin.inertia * spin.R_WB.transpose());
        let gyroscopic = (w0.cross(&(i0 * w0)) + hat.cross(&(i1 * hat))) * (0.5 * dt);
        let lacking = if let (Some((mass, c0)), Some((_, c1))) = (before.arm, spin.arm) {
            take_mass_at_end(end, start, at, kick);
            let half = |w: &Vector3<f64>, c: &Vector3<f64>| w.cross(&w.cross(c)) * (0.5 * dt * mass);
            let (f0, f1) = (half(&w0, &c0), half(&hat, &c1));
            let [v0, v1] = [&start.v0, &end.v0].map(|v| Vector3::from_column_slice(&v[at + 3..at + 6]));
            let back = ((v0 + w0.cross(&c0)) - (v1 + hat.cross(&c1))) * mass;
            let lacking = f0 + f1 + back;
            kick[at + 3..at + 6].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
            gyroscopic + c0.cross(&f0) + c1.cross(&f1) + i0 * w0 - i1 * hat + (c0 + c1).cross(&back) * 0.5
        } else {
            let free = before.R_WB * spins::after(&spin.inertia, &before.R_WB.tr_mul(&w0), dt);
            let momentum = i0 * (w0 + hat - free);
            let w1 = spin.R_WB * (inverse * spin.R_WB.tr_mul(&momentum));
            gyroscopic - (i1 - i0) * ((w0 + w1) * 0.5)
        };
        kick[at..at + 3].iter_mut().zip(lacking.iter()).for_each(|(k, l)| *k += l);
    }
    spins.clear();
    end.spins = spins;
}

/// Gives a body that stands alone, whose first velocity is `at`, the mass matrix at the `end` of the step for the mean
/// with that at its `start`, and takes out of `kick` what stands for the mean there.
fn take_mass_at_end(end: &mut Problem, start: &Problem, at: usize, kick: &mut [f64]) {
    let clique = &end.cliques[end.clique_of(at)];
    let n = clique.size();
    for (j, velocity) in clique.velocities.clone().enumerate() {
        let back = start.v0[velocity] - end.v0[velocity];
        let block = clique.block + j * n..clique.block + (j + 1) * n;
        let own = end.mass[block.clone()].iter_mut().zip(&start.mass[block]);
        for ((mean, before), kick) in own.zip(&mut kick[clique.velocities.clone()]) {
            *kick -= *mean * back;
            *mean = 2.0 * *mean - before;
        }
    }
}

/// Where the scheme has found the velocities in `next` with the positions in `hat`, and then moved to those
/// in `next`, gives bodies the angular velocities there: their angular momenta, and the velocities of their centres of
/// mass, are what it found. `problem` is that at the start of the step.
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
